// SPDX-License-Identifier: Apache-2.0
// Equations of joints that depend on each other: loops that hold more than they must, as Bricard's mechanism.
//
// On the way of such a mechanism its equations agree. A step takes them at mid-step, which lies h^2/8 times the
// acceleration beside that way: there they are independent, if barely, and contradict each other by as little. Solved
// to the letter they stop the mechanism: in the direction n of its freedom a row eps n'(u_B + u_E) = 0 asks it to turn
// back. So rows that add less than 1e-8 (squared) to earlier ones, and contradict them slightly, are left out of the
// step. Equations that agree stay, and so do those that contradict each other by more than steps explain.
//
//   W~ = D^-1/2 W D^-1/2 of the joints' rows, row by row:  L y = w~_i,  pivot 1 - |y|^2: the square of what row i adds
//   row_i = sum of c_j row_j with L'c = y over the rows before;  it contradicts them by b~_i - c.b~
// They carry no impulse. Afterwards the impulses are spread over all rows so that r'D r is least, as where equations
// agree (solvers/equality_solve.h).
#pragma once
#include "cairn/constraints/row_block.h"
#include "cairn/problem/local_problem.h"

namespace cairn {

class DependentRows {
 public:
  /// Finds them among the equalities of joints, the first blocks of the problem, and leaves them out: their rows and
  /// columns of W but for the diagonal, and of b, become zero. Returns how many there are.
  int leave_out(std::span<const RowBlock> joints, LocalProblem& problem);
  /// Rows of the problem that are left out.
  std::span<const int> left_out() const { return left_out_; }
  /// Impulses of the same effect with the least r'D r.
  void spread(VecX& r) const;

 private:
  std::vector<int> rows_;  ///< of the problem: equalities of joints
  VecX scale_;             ///< D^-1/2 of these
  MatX W_, L_;
  std::vector<int> kept_;  ///< places in rows_ of the rows that are independent so far
  std::vector<int> left_out_;
  MatX null_;  ///< scaled impulses without effect, one column per row left out
};

/// Whether joints form loops, the ground being one body.
bool have_loops(const Bodies& bodies, std::span<const RowBlock> joints);

}  // namespace cairn
