// SPDX-License-Identifier: Apache-2.0
// Which format a problem file has, and what is common to all of them.
#include "cairn/io/problem_file.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/fclib.h"
#include "cairn/io/recording.h"
#include "cairn/io/siconos_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace cairn {

const std::vector<int>& ProblemFile::offset() const {
  return std::visit([](const auto& p) -> const std::vector<int>& { return p.offset; }, problem);
}

const std::vector<ConstraintLaw>& ProblemFile::law() const {
  return std::visit([](const auto& p) -> const std::vector<ConstraintLaw>& { return p.law; }, problem);
}

int ProblemFile::contacts() const {
  return static_cast<int>(
      std::count_if(law().begin(), law().end(), [](const ConstraintLaw& l) { return l.has_normal(); }));
}

LocalProblem ProblemFile::local() const {
  return is_global() ? to_local(std::get<GlobalProblem>(problem)) : std::get<LocalProblem>(problem);
}

const std::vector<std::string>& problem_kinds() {
  static const std::vector<std::string> kinds{"fc2d",           "fc3d", "gfc2d", "gfc3d", "rolling",
                                              "global-rolling", "lcp",  "mlcp",  "relay", "gmp"};
  return kinds;
}

std::string find_kind(const ProblemFile& file) {
  int plane = 0, space = 0, rolling = 0, unilateral = 0, equations = 0, intervals = 0;
  for (int i = 0; i < file.constraints(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const int rows = file.offset()[k + 1] - file.offset()[k];
    const LawKind kind = file.law()[k].kind;
    if (kind == LawKind::Coulomb) {
      ++(rows == 2 ? plane : space);
    } else if (kind == LawKind::Frictionless) {
      ++(rows == 1 ? unilateral : rows == 2 ? plane : space);
    } else if (kind == LawKind::Rolling) {
      ++rolling;
    } else if (kind == LawKind::Bilateral) {
      ++equations;
    } else if (kind == LawKind::Interval) {
      ++intervals;
    } else {
      return "mixed";  // laws that no file format has
    }
  }
  const int all = file.constraints();
  const std::string prefix = file.is_global() ? "g" : "";
  if (rolling > 0 && rolling + equations == all) return file.is_global() ? "global-rolling" : "rolling";
  if (file.is_global()) {
    if (all == 0) return file.kind.empty() ? "gfc3d" : file.kind;
    if (plane > 0 && plane + equations == all) return "gfc2d";
    return space + equations == all ? "gfc3d" : "mixed";
  }
  if (all == 0) return file.kind.empty() ? "fc3d" : file.kind;
  if (plane == all) return "fc2d";
  if (space == all) return "fc3d";
  if (unilateral == all) return "lcp";
  if (intervals == all) return "relay";
  if (unilateral + equations == all) return "mlcp";
  if (unilateral + equations + space == all) return "gmp";
  return "mixed";
}

ProblemFile read_problem(const std::filesystem::path& path, const std::string& kind) {
  const std::string name = path.string();
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) throw Error("{}: is a directory; expected a problem file", name);
  if (!std::filesystem::exists(path, problem)) throw Error("{}: there is no such file", name);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error("{}: cannot be opened: {}", name, std::strerror(errno));
  if (!kind.empty()) {
    const auto& kinds = problem_kinds();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
      throw Error("there is no kind of problem '{}'{}; there are {}", kind, did_you_mean(kind, kinds), join(kinds));
    }
  }
  if (looks_like_hdf5(path)) {
    ProblemFile file = read_fclib(path);
    if (!kind.empty() && kind != file.kind) throw Error("{}: is of kind {}, not {}", name, file.kind, kind);
    return file;
  }
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw Error("{}: cannot be read", name);
  return read_siconos_text(name, std::move(text), kind);
}

void write_problem(const std::filesystem::path& path, const ProblemFile& file, TextStorage storage) {
  const std::string extension = path.extension().string();
  if (extension == ".hdf5" || extension == ".h5") return write_fclib(path, file);
  if (extension == ".dat" || extension == ".txt") return write_siconos_text(path, file, storage);
  throw Error("{}: the extension '{}' is not known; problems are written as .hdf5 (FCLib) or .dat (Siconos text)",
              path.string(), extension);
}

SparseMatrix to_sparse(const LocalProblem& problem) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(problem.W.values.size());
  for (int i = 0; i < problem.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    for (int k = problem.W.row_start[row]; k < problem.W.row_start[row + 1]; ++k) {
      const auto block = problem.block(i, k);
      const int first = problem.offset[static_cast<std::size_t>(problem.W.column[static_cast<std::size_t>(k)])];
      for (int c = 0; c < block.cols(); ++c)
        for (int l = 0; l < block.rows(); ++l) entries.emplace_back(problem.offset[row] + l, first + c, block(l, c));
    }
  }
  SparseMatrix W(problem.offset.back(), problem.offset.back());
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

}  // namespace cairn
