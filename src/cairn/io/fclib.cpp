// SPDX-License-Identifier: Apache-2.0
// Reading FCLib files. Every size is checked against the file and against the other sizes before it is used.
// Writing: problem_fclib_write.cpp.
#include "cairn/io/fclib.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/hdf5_table.h"
#include "cairn/io/recording.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

struct FileMatrix {
  int rows = 0, cols = 0;
  std::string storage;
  Triplets entries;
};

int read_scalar(const Hdf5File& file, const std::string& path) {
  const std::vector<std::int32_t> values = read_array<std::int32_t>(file, path);
  if (values.size() != 1) throw Error("{}: {} has {} values; must have 1", file.name, path, values.size());
  return values[0];
}

std::vector<double> read_vector(const Hdf5File& file, const std::string& path, int size) {
  std::vector<double> values = read_array<double>(file, path);
  if (values.size() != static_cast<std::size_t>(size)) {
    throw Error("{}: {} has {} values; expected {}", file.name, path, values.size(), size);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw Error("{}: {}[{}] is {}; must be finite", file.name, path, i, values[i]);
  }
  return values;
}

VecX read_vec(const Hdf5File& file, const std::string& path, int size) {
  const std::vector<double> values = read_vector(file, path, size);
  return Eigen::Map<const VecX>(values.data(), size);
}

std::vector<double> read_coefficients(const Hdf5File& file, const std::string& path, int size) {
  const std::vector<double> mu = read_vector(file, path, size);
  for (std::size_t i = 0; i < mu.size(); ++i) {
    if (mu[i] < 0) throw Error("{}: {}[{}] is {}; must be >= 0", file.name, path, i, mu[i]);
  }
  return mu;
}

/// nz >= 0: triplets (row i, column p); -1: compressed columns; -2: compressed rows.
FileMatrix read_matrix(const Hdf5File& file, const std::string& path) {
  FileMatrix A;
  A.rows = read_scalar(file, path + "/m");
  A.cols = read_scalar(file, path + "/n");
  const int nz = read_scalar(file, path + "/nz");
  if (A.rows < 0 || A.cols < 0) {
    throw Error("{}: {} is {} x {}; sizes must be >= 0", file.name, path, A.rows, A.cols);
  }
  const std::vector<std::int32_t> p = read_array<std::int32_t>(file, path + "/p");
  const std::vector<std::int32_t> i = read_array<std::int32_t>(file, path + "/i");
  const std::vector<double> x = read_array<double>(file, path + "/x");
  const auto add = [&](int row, int col, std::size_t k) {
    if (row < 0 || row >= A.rows || col < 0 || col >= A.cols) {
      throw Error("{}: entry {} of {} is at ({}, {}), outside {} x {}", file.name, k, path, row, col, A.rows, A.cols);
    }
    if (!std::isfinite(x[k])) throw Error("{}: {}/x[{}] is {}; must be finite", file.name, path, k, x[k]);
    A.entries.emplace_back(row, col, x[k]);
  };
  const auto need = [&](const char* name, std::size_t found, std::size_t count) {
    if (found < count) throw Error("{}: {}/{} has {} values; expected {}", file.name, path, name, found, count);
  };
  if (nz >= 0) {
    A.storage = "triplets";
    const std::size_t count = static_cast<std::size_t>(nz);
    need("p", p.size(), count), need("i", i.size(), count), need("x", x.size(), count);
    for (std::size_t k = 0; k < count; ++k) add(i[k], p[k], k);
    return A;
  }
  if (nz < -2) {
    throw Error("{}: {}/nz is {}; must be >= 0 (triplets), -1 (columns) or -2 (rows)", file.name, path, nz);
  }
  const bool columns = nz == -1;
  A.storage = columns ? "columns" : "rows";
  const std::size_t outer = static_cast<std::size_t>(columns ? A.cols : A.rows);
  need("p", p.size(), outer + 1);
  for (std::size_t o = 0; o <= outer; ++o) {
    if (o == 0 ? p[o] != 0 : p[o] < p[o - 1]) {
      throw Error("{}: {}/p[{}] is {}; must begin with 0 and not fall", file.name, path, o, p[o]);
    }
  }
  need("i", i.size(), static_cast<std::size_t>(p[outer])), need("x", x.size(), static_cast<std::size_t>(p[outer]));
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t k = static_cast<std::size_t>(p[o]); k < static_cast<std::size_t>(p[o + 1]); ++k) {
      const int other = static_cast<int>(o);
      columns ? add(i[k], other, k) : add(other, i[k], k);
    }
  }
  return A;
}

void expect_size(const Hdf5File& file, const std::string& path, const FileMatrix& A, int rows, int cols) {
  if (A.rows == rows && A.cols == cols) return;
  throw Error("{}: {} is {} x {}; expected {} x {}", file.name, path, A.rows, A.cols, rows, cols);
}

/// Rows of a contact and number of contacts that `rows` rows are.
int read_dimension(const Hdf5File& file, const std::string& root, bool rolling, int rows) {
  const int d = read_scalar(file, root + "/spacedim");
  if (rolling ? d != 5 : d != 2 && d != 3) {
    throw Error("{}: {}/spacedim is {}; must be {}", file.name, root, d, rolling ? "5" : "2 or 3");
  }
  if (rows % d != 0) throw Error("{}: {} has {} rows, which is no multiple of {}", file.name, root, rows, d);
  return d;
}

template <class Problem>
void add_constraint(Problem& problem, const ConstraintLaw& law, int rows) {
  problem.law.push_back(law);
  problem.offset.push_back(problem.offset.back() + rows);
}

template <class Problem>
void add_contacts(const Hdf5File& file, const std::string& root, int d, int rows, Problem& problem) {
  const std::vector<double> mu = read_coefficients(file, root + "/vectors/mu", rows / d);
  const std::vector<double> rolling =
      d == 5 ? read_coefficients(file, root + "/vectors/mu_r", rows / d) : std::vector<double>(mu.size());
  for (std::size_t i = 0; i < mu.size(); ++i) {
    add_constraint(problem,
                   {.kind = d == 5 ? LawKind::Rolling : LawKind::Coulomb, .mu = mu[i], .mu_rolling = rolling[i]}, d);
  }
}

/// Equations in the groups that an attribute of the file tells; false when it does not.
template <class Problem>
bool add_given_equations(const Hdf5File& file, const std::string& path, int equations, Problem& problem) {
  const std::vector<std::int64_t> rows = read_integers(file, path, kRowsAttribute);
  std::int64_t sum = 0;
  for (const std::int64_t n : rows) {
    if (n < 1 || n > max_rows) {
      throw Error("{}: attribute {} of {} has a constraint of {} rows", file.name, kRowsAttribute, path, n);
    }
    sum += n;
  }
  if (rows.empty()) return false;
  if (sum != equations) {
    throw Error("{}: attribute {} of {} counts {} rows; expected {}", file.name, kRowsAttribute, path, sum, equations);
  }
  for (const std::int64_t n : rows) add_constraint(problem, {.kind = LawKind::Bilateral}, static_cast<int>(n));
  return true;
}

/// u = W r + V l + q,  0 = V' r + R l + s.
void read_local(const Hdf5File& file, const std::string& root, bool rolling, ProblemFile& result) {
  FileMatrix W = read_matrix(file, root + "/W");
  const int rows = W.rows;
  expect_size(file, root + "/W", W, rows, rows);
  LocalProblem problem;
  problem.b = read_vec(file, root + "/vectors/q", rows);
  const int d = read_dimension(file, root, rolling, rows);
  add_contacts(file, root, d, rows, problem);
  result.storage = W.storage;
  if (has_link(file, root + "/V")) {
    const FileMatrix V = read_matrix(file, root + "/V"), R = read_matrix(file, root + "/R");
    const int equations = V.cols;
    expect_size(file, root + "/V", V, rows, equations);
    expect_size(file, root + "/R", R, equations, equations);
    const VecX s = read_vec(file, root + "/vectors/s", equations);
    for (const auto& e : V.entries) {
      W.entries.emplace_back(e.row(), rows + e.col(), e.value());
      W.entries.emplace_back(rows + e.col(), e.row(), e.value());
    }
    for (const auto& e : R.entries) W.entries.emplace_back(rows + e.row(), rows + e.col(), e.value());
    if (!add_given_equations(file, root + "/R", equations, problem)) {
      for (int i = 0; i < equations; ++i) add_constraint(problem, {.kind = LawKind::Bilateral}, 1);
    }
    problem.b.conservativeResize(rows + equations);
    problem.b.tail(equations) = s;
  }
  BlockMatrixBuilder builder(problem.offset);
  for (const auto& e : W.entries) builder.add(e.row(), e.col(), e.value());
  problem.W = builder.finish();
  result.kind = rolling ? "rolling" : d == 2 ? "fc2d" : "fc3d";
  result.problem = std::move(problem);
}

/// Neighbouring equations between the same bodies are one constraint of up to d rows: a ball joint is solved at once.
void add_equations(const SparseMatrix& G, int d, GlobalProblem& problem) {
  const std::vector<int> part = mass_parts(problem.M);
  std::vector<int> last, bodies;
  for (int j = 0; j < G.cols(); ++j) {
    bodies.clear();
    for (SparseMatrix::InnerIterator it(G, j); it; ++it) bodies.push_back(part[static_cast<std::size_t>(it.row())]);
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    const bool joins = j > 0 && bodies == last && problem.rows(problem.size() - 1) < d;
    if (joins) {
      ++problem.offset.back();
    } else {
      add_constraint(problem, {.kind = LawKind::Bilateral}, 1);
    }
    last = bodies;
  }
}

/// M v = f + H r + G l,  u = H' v + w,  0 = G' v + b.
void read_global(const Hdf5File& file, const std::string& root, bool rolling, ProblemFile& result) {
  const FileMatrix M = read_matrix(file, root + "/M");
  FileMatrix H = read_matrix(file, root + "/H");
  const int n = M.rows, rows = H.cols;
  expect_size(file, root + "/M", M, n, n);
  expect_size(file, root + "/H", H, n, rows);
  GlobalProblem problem;
  // Vectors first: they bound the sizes before matrices take memory.
  problem.f = read_vec(file, root + "/vectors/f", n);
  problem.w = read_vec(file, root + "/vectors/w", rows);
  const int d = read_dimension(file, root, rolling, rows);
  add_contacts(file, root, d, rows, problem);
  problem.M.resize(n, n);
  problem.M.setFromTriplets(M.entries.begin(), M.entries.end());
  result.storage = M.storage + "/" + H.storage;
  result.dofs = n;
  int equations = 0;
  if (has_link(file, root + "/G")) {
    const FileMatrix G = read_matrix(file, root + "/G");
    equations = G.cols;
    expect_size(file, root + "/G", G, n, equations);
    const VecX b = read_vec(file, root + "/vectors/b", equations);
    SparseMatrix sparse(n, equations);
    sparse.setFromTriplets(G.entries.begin(), G.entries.end());
    if (!add_given_equations(file, root + "/G", equations, problem)) add_equations(sparse, std::min(d, 3), problem);
    for (const auto& e : G.entries) H.entries.emplace_back(e.row(), rows + e.col(), e.value());
    problem.w.conservativeResize(rows + equations);
    problem.w.tail(equations) = b;
  }
  problem.H.resize(n, rows + equations);
  problem.H.setFromTriplets(H.entries.begin(), H.entries.end());
  result.kind = rolling ? "global-rolling" : d == 2 ? "gfc2d" : "gfc3d";
  result.problem = std::move(problem);
}

/// r and u of the contacts, then of the equations (l, and 0).
ProblemSolution read_solution(const Hdf5File& file, const std::string& path, const ProblemFile& result) {
  int contact_rows = 0;
  for (std::size_t i = 0; i < result.law().size(); ++i)
    if (result.law()[i].is_cone()) contact_rows = result.offset()[i + 1];
  const int equations = result.unknowns() - contact_rows;
  ProblemSolution s;
  s.r = s.u = VecX::Zero(result.unknowns());
  s.r.head(contact_rows) = read_vec(file, path + "/r", contact_rows);
  s.u.head(contact_rows) = read_vec(file, path + "/u", contact_rows);
  if (equations > 0 && has_link(file, path + "/l")) s.r.tail(equations) = read_vec(file, path + "/l", equations);
  if (result.is_global() && has_link(file, path + "/v")) s.v = read_vec(file, path + "/v", *result.dofs);
  return s;
}

void read_extras(const Hdf5File& file, const std::string& root, ProblemFile& result) {
  result.title = read_string(file, root + "/info/title");
  result.description = read_string(file, root + "/info/description");
  result.math_info = read_string(file, root + "/info/math_info");
  if (!result.dofs) {
    const auto number = [&](const char* name) {
      const std::vector<std::int64_t> x = read_integers(file, root + "/info", name);
      return x.size() == 1 && x[0] >= 0 && x[0] < 100000000 ? static_cast<int>(x[0]) : -1;
    };
    const int dofs = number("numberOfDegreeOfFreedom"), systems = number("numberOfInvolvedDS");
    if (dofs >= 0) {
      result.dofs = dofs;
    } else if (systems >= 0) {
      result.dofs = 6 * systems;  // rigid bodies
    }
  }
  if (has_link(file, "/solution")) result.solution = read_solution(file, "/solution", result);
  if (!has_link(file, "/guesses/number_of_guesses")) return;
  const int count = read_scalar(file, "/guesses/number_of_guesses");
  for (int i = 1; i <= count; ++i) {
    result.guesses.push_back(read_solution(file, fmt::format("/guesses/{}", i), result));
  }
}

/// FCLib itself has no local rolling problems; the name follows that of the global ones.
const std::vector<std::string> kRoots{"/fclib_local", "/fclib_global", "/fclib_local_rolling", "/fclib_global_rolling"};

std::string find_root(const Hdf5File& file) {
  for (const std::string& root : kRoots)
    if (has_link(file, root)) return root;
  return {};
}

Hdf5File open_file(const std::filesystem::path& path) {
  Hdf5File file;
  file.name = path.string();
  std::error_code ignored;
  file.bytes = std::filesystem::file_size(path, ignored);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), false, true);  // a reader changes nothing
  file.handle = {H5Fopen(file.name.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
  file.check(file.handle.valid(), "is damaged or cut off");
  return file;
}

}  // namespace

bool is_fclib(const std::filesystem::path& path) {
  if (!looks_like_hdf5(path)) return false;
  const Hdf5Quiet quiet;
  try {
    return !find_root(open_file(path)).empty();
  } catch (const Error&) {
    return false;
  }
}

ProblemFile read_fclib(const std::filesystem::path& path) {
  const Hdf5Quiet quiet;
  const Hdf5File file = open_file(path);
  const std::string root = find_root(file);
  if (root.empty()) {
    throw Error("{}: is an HDF5 file, but not an FCLib problem: there is no group {}", file.name, join(kRoots, " or "));
  }
  ProblemFile result;
  result.format = "FCLib";
  result.decided = "by its content";
  const bool rolling = root.ends_with("rolling");
  root.starts_with("/fclib_global") ? read_global(file, root, rolling, result)
                                    : read_local(file, root, rolling, result);
  read_extras(file, root, result);
  return result;
}

}  // namespace cairn
