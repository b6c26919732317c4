// SPDX-License-Identifier: Apache-2.0
// Plan of a multifrontal factorisation of a matrix of dense blocks with symmetric pattern: ordering, supernodes with
// relaxed amalgamation, where each block goes (Duff and Reid 1983; Liu 1992; Ashcraft and Grimes 1989). The order is
// that of approximate minimum degree, or of nested dissection (METIS; Karypis and Kumar 1998) where that is cheaper, as
// in large heaps. One plan serves all matrices with the same pattern, symmetric or not.
#pragma once
#include "cairn/math/types.h"

#include <span>
#include <utility>
#include <vector>

namespace cairn {

class FrontalPlan {
 public:
  /// Plans for block rows of the given sizes and the given coupled pairs (i != j, any order, repeats allowed). Keeps
  /// the old plan when nothing changed. False, with no plan, as soon as the cost is known to exceed `max_cost`.
  bool make(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs, double max_cost = 1e300);
  /// Multiplications of one Cholesky factorisation; of an LU factorisation twice that.
  double cost() const { return cost_; }

  struct Front {
    int columns = 0;        ///< scalar pivots
    int rows = 0;           ///< scalar rows including the pivots
    int first_row = 0;      ///< into row_list: scalar rows in elimination order
    int parent = -1;        ///< front
    int relative = 0;       ///< into relative: where the rows below the pivots are in the parent
    std::size_t panel = 0;  ///< first of rows x columns numbers
    std::size_t side = 0;   ///< first of columns x (rows - columns) numbers, for unsymmetric matrices
    int pivot = 0;          ///< first scalar pivot
  };
  /// Where a block starts in the panels; `below`: stored at its place below the diagonal (else mirrored above it).
  struct Place {
    std::size_t start = 0;  ///< in the panel
    std::size_t side = 0;   ///< of the mirrored block, in the side or (for blocks among pivots) in the panel
    int stride = 0, side_stride = 0;
    bool side_in_panel = false;
    bool below = false;  ///< the row node of the pair is eliminated after its column node
  };
  std::vector<Front> fronts;
  std::vector<int> row_list, relative;
  std::vector<Place> diagonal, pair_place;  ///< by node, by pair
  std::size_t panel_size = 0, side_size = 0, largest_front = 0, stack_size = 0;
  std::vector<int> order;   ///< order[k] is the node eliminated k-th
  std::vector<int> offset;  ///< scalar offset of a node in the caller's vectors
  std::vector<int> scalar;  ///< the same of the k-th eliminated node, in elimination order

  /// From the caller's order to that of elimination and back.
  void permute(const VecX& x, VecX& y) const;
  void permute_back(const VecX& y, VecX& x) const;

 private:
  /// Neighbours of each node, sorted, each once.
  void find_graph();
  std::vector<int> minimum_degree() const;
  std::vector<int> nested_dissection() const;
  /// Elimination tree of the graph in this order and a postorder of it.
  void set_order(std::vector<int> elimination);
  bool build_fronts(double max_cost);

  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> pairs_;
  double cost_ = 0;
  std::vector<int> graph_start_,
      graph_;                ///< neighbours of node i: graph_[graph_start_[i]] to graph_[graph_start_[i + 1]]
  std::vector<int> place_;   ///< inverse of order
  std::vector<int> parent_;  ///< elimination tree of nodes, in elimination order
  std::vector<std::vector<int>> below_;  ///< structure of each column, nodes in elimination order
};

}  // namespace cairn
