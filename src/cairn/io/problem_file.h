// SPDX-License-Identifier: Apache-2.0
// Contact problems in files: what other programs wrote, and every step of our own (docs/problem-files.md).
//
// Two families of formats: FCLib (HDF5; Acary, Bremond, Koziara, Perignon 2014) and the text files of Siconos. The
// content of a file decides which it is, not its name.
#pragma once
#include "cairn/problem/global_problem.h"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn {

/// Impulses and velocities, all rows of all constraints; v are the velocities of the bodies (global form only).
struct ProblemSolution {
  VecX r, u, v;
};

struct ProblemFile {
  std::variant<LocalProblem, GlobalProblem> problem;
  std::string kind;  ///< one of problem_kinds(), or "mixed"
  std::string title = {}, description = {}, math_info = {};
  std::string format = {};       ///< "FCLib" or "Siconos text"
  std::string storage = {};      ///< of its matrices, in words
  std::string decided = {};      ///< how the kind was found
  std::optional<int> dofs = {};  ///< of the bodies, where the file tells
  std::vector<ProblemSolution> guesses = {};
  std::optional<ProblemSolution> solution = {};

  bool is_global() const { return problem.index() == 1; }
  const std::vector<int>& offset() const;
  const std::vector<ConstraintLaw>& law() const;
  int constraints() const { return static_cast<int>(law().size()); }
  int unknowns() const { return offset().back(); }
  /// Constraints that only push (every law but equations and intervals).
  int contacts() const;
  /// The problem in local form; a copy of it when it is local.
  LocalProblem local() const;
};

/// fc2d, fc3d, gfc2d, gfc3d, rolling, global-rolling, lcp, mlcp, relay, gmp.
const std::vector<std::string>& problem_kinds();
/// The kind of a problem by its laws and rows; "mixed" when none of the formats has a name for it.
std::string find_kind(const ProblemFile& file);

/// Reads any problem file. `kind` (empty: found from the content, and from the name where that leaves a choice) says
/// what a text file is. Throws Error "FILE:LINE: ..." or "FILE: ... DATA SET ...".
ProblemFile read_problem(const std::filesystem::path& path, const std::string& kind = "");

/// How matrices are written in text files.
enum class TextStorage { Automatic, Dense, Blocks, Sparse };

/// By extension: .hdf5 or .h5 for FCLib, .dat or .txt for text. Throws Error when the format cannot express it.
void write_problem(const std::filesystem::path& path, const ProblemFile& file,
                   TextStorage storage = TextStorage::Automatic);

/// W as one sparse matrix; every number of every block is kept.
SparseMatrix to_sparse(const LocalProblem& problem);

}  // namespace cairn
