// SPDX-License-Identifier: Apache-2.0
// Writing Siconos' text files. Numbers have 17 digits: a reader gets the same bits.
#include "cairn/base/error.h"
#include "cairn/io/output_file.h"
#include "cairn/io/siconos_text.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace cairn {
namespace {

using Text = fmt::memory_buffer;

template <class... Args>
void put(Text& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

template <class Numbers>
void put_line(Text& text, const Numbers& numbers) {
  for (const auto x : numbers) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(x)>>) {
      put(text, "{:.17g} ", x);
    } else {
      put(text, "{} ", x);
    }
  }
  put(text, "\n");
}

/// All columns, each a line.
void put_dense(Text& text, const SparseMatrix& A) {
  put(text, "{} {}\n", A.rows(), A.cols());
  const MatX dense(A);
  for (int j = 0; j < dense.cols(); ++j) put_line(text, VecX(dense.col(j)));
}

std::vector<int> blocks_of(const std::vector<int>& ends) {
  std::vector<int> block;
  for (std::size_t k = 0; k < ends.size(); ++k) block.resize(static_cast<std::size_t>(ends[k]), static_cast<int>(k));
  return block;
}

void put_blocks(Text& text, const SparseMatrix& A, const std::vector<int>& row_ends, const std::vector<int>& col_ends) {
  const std::vector<int> row_block = blocks_of(row_ends), col_block = blocks_of(col_ends);
  const auto begin = [](const std::vector<int>& ends, int k) {
    return k == 0 ? 0 : ends[static_cast<std::size_t>(k) - 1];
  };
  std::map<std::pair<int, int>, MatX> blocks;  // in the order of block rows
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
      const int i = static_cast<int>(it.row());
      const int bi = row_block[static_cast<std::size_t>(i)], bj = col_block[static_cast<std::size_t>(j)];
      const int row = begin(row_ends, bi), col = begin(col_ends, bj);
      MatX& block = blocks[{bi, bj}];
      if (block.size() == 0) {
        block = MatX::Zero(row_ends[static_cast<std::size_t>(bi)] - row, col_ends[static_cast<std::size_t>(bj)] - col);
      }
      block(i - row, j - col) += it.value();
    }
  std::vector<int> start{0}, column;
  for (const auto& [place, block] : blocks) {
    while (static_cast<int>(start.size()) <= place.first) start.push_back(static_cast<int>(column.size()));
    column.push_back(place.second);
  }
  start.resize(row_ends.size() + 1, static_cast<int>(column.size()));
  put(text, "{}\n{}\n{}\n", blocks.size(), row_ends.size(), col_ends.size());
  put_line(text, row_ends);
  put_line(text, col_ends);
  put(text, "{}\n{}\n", start.size(), column.size());
  put_line(text, start);
  put_line(text, column);
  int number = 0;
  for (const auto& [place, block] : blocks) {
    put(text, "{}\n", number++);
    put_line(text, VecX(block.reshaped()));
  }
}

void put_triplets(Text& text, const SparseMatrix& A) {
  put(text, "1\nCSparse triplets, written by Cairn\ntriplet: {}-by-{}, nzmax: {} nnz: {}\n", A.rows(), A.cols(),
      A.nonZeros(), A.nonZeros());
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) put(text, "{} {} : {:.17g}\n", it.row(), j, it.value());
}

void put_matrix(Text& text, const SparseMatrix& A, const std::vector<int>& row_ends, const std::vector<int>& col_ends,
                TextStorage storage) {
  const int type = storage == TextStorage::Dense ? 0 : storage == TextStorage::Blocks ? 1 : 2;
  put(text, "{}\n{}\n{}\n", type, A.rows(), A.cols());
  switch (storage) {
    case TextStorage::Dense: return put_dense(text, A);
    case TextStorage::Blocks: return put_blocks(text, A, row_ends, col_ends);
    case TextStorage::Automatic:
    case TextStorage::Sparse: return put_triplets(text, A);
  }
}

std::vector<int> ends_of(const std::vector<int>& offset) { return {offset.begin() + 1, offset.end()}; }

/// Blocks of M: the bodies where each has its degrees of freedom together, else every degree of freedom by itself.
std::vector<int> mass_ends(const SparseMatrix& M) {
  const std::vector<int> part = mass_parts(M);
  const bool together = std::is_sorted(part.begin(), part.end());
  std::vector<int> ends;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (!together || i + 1 == part.size() || part[i + 1] != part[i]) ends.push_back(static_cast<int>(i) + 1);
  return ends;
}

void put_coefficients(Text& text, const std::vector<ConstraintLaw>& laws, bool rolling) {
  for (const ConstraintLaw& law : laws) put(text, "{:.17g} ", law.kind == LawKind::Frictionless ? 0 : law.mu);
  put(text, "\n");
  if (!rolling) return;
  for (const ConstraintLaw& law : laws) put(text, "{:.17g} ", law.mu_rolling);
  put(text, "\n");
}

/// The rows that a law makes equations, in runs: starts of the runs, and a flag for each.
void put_mlcp_head(Text& text, const LocalProblem& problem) {
  std::vector<int> start{0}, flag;
  int equations = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const bool equation = problem.law[static_cast<std::size_t>(i)].kind == LawKind::Bilateral;
    if (equation) equations += problem.rows(i);
    if (flag.empty() || flag.back() != (equation ? 0 : 1)) {
      if (!flag.empty()) start.push_back(problem.offset[static_cast<std::size_t>(i)]);
      flag.push_back(equation ? 0 : 1);
    }
  }
  start.push_back(problem.offset.back());
  put(text, "1\n0\n{}\n{}\n", equations, problem.offset.back() - equations);
  put_line(text, start);
  put_line(text, flag);
}

void put_local(Text& text, const std::string& kind, const LocalProblem& problem, TextStorage storage) {
  const std::vector<int> ends = ends_of(problem.offset);
  if (storage == TextStorage::Automatic || kind == "gmp") storage = TextStorage::Blocks;
  const int d = kind == "fc2d" ? 2 : kind == "fc3d" ? 3 : 5;
  const bool contacts = kind == "fc2d" || kind == "fc3d" || kind == "rolling";
  if (contacts) put(text, "{}\n{}\n", d, problem.size());
  if (kind == "lcp" || kind == "relay") put(text, "{}\n", problem.size());
  if (kind == "mlcp") put_mlcp_head(text, problem);
  put_matrix(text, to_sparse(problem), ends, ends, storage);
  put_line(text, problem.b);
  if (contacts) put_coefficients(text, problem.law, d == 5);
  if (kind == "relay") {
    for (const ConstraintLaw& law : problem.law) put(text, "{:.17g} ", law.lower);
    put(text, "\n");
    for (const ConstraintLaw& law : problem.law) put(text, "{:.17g} ", law.upper);
    put(text, "\n");
  }
  if (kind != "gmp") return;
  for (int i = 0; i < problem.size(); ++i) {
    const ConstraintLaw& law = problem.law[static_cast<std::size_t>(i)];
    if (law.kind == LawKind::Bilateral) {
      put(text, "2\n");
    } else if (problem.rows(i) == 1) {
      put(text, "0\n");
    } else {
      put(text, "4\n{:.17g}\n", law.kind == LawKind::Frictionless ? 0 : law.mu);
    }
  }
}

void put_global(Text& text, const std::string& kind, const GlobalProblem& problem, TextStorage storage) {
  const int d = kind == "gfc2d" ? 2 : kind == "gfc3d" ? 3 : 5;
  const std::vector<int> bodies = mass_ends(problem.M);
  put(text, "{}\n{}\n", d, problem.size());
  put_matrix(text, problem.M, bodies, bodies, storage);
  put_matrix(text, problem.H, bodies, ends_of(problem.offset), storage);
  put_line(text, problem.f);
  put_line(text, problem.w);
  put_coefficients(text, problem.law, d == 5);
}

}  // namespace

void write_siconos_text(const std::filesystem::path& path, const ProblemFile& file, TextStorage storage) {
  const std::string kind = find_kind(file), name = path.string();
  if (kind == "mixed") {
    throw Error(
        "{}: this mix of laws fits none of the text formats: contacts of one kind, lcp, mlcp, relay, or gmp "
        "(3D contacts, equations and one-row contacts)",
        name);
  }
  Text text;
  if (file.is_global()) {
    const GlobalProblem& problem = std::get<GlobalProblem>(file.problem);
    const bool equations = std::any_of(problem.law.begin(), problem.law.end(),
                                       [](const ConstraintLaw& l) { return l.kind == LawKind::Bilateral; });
    if (equations || (problem.compliance.size() != 0 && !problem.compliance.isZero(0))) {
      throw Error("{}: global text files have no place for {}; write FCLib (.hdf5){}", name,
                  equations ? "equations" : "compliance", equations ? "" : " in local form");
    }
    put_global(text, kind, problem, storage);
  } else {
    const LocalProblem& problem = std::get<LocalProblem>(file.problem);
    if (kind == "rolling" && file.contacts() != file.constraints()) {
      throw Error("{}: rolling text files have no place for equations; write FCLib (.hdf5)", name);
    }
    put_local(text, kind, problem, storage);
  }
  OutputFile out(path);
  out.write({text.data(), text.size()});
  out.finish();
}

}  // namespace cairn
