// SPDX-License-Identifier: Apache-2.0
// Writing FCLib files: the data sets of the format and nothing else, in a file that appears whole or not at all.
#include "cairn/base/error.h"
#include "cairn/io/fclib.h"
#include "cairn/io/hdf5_table.h"
#include "cairn/io/output_file.h"

#include <unistd.h>

namespace cairn {
namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

void write_integer(const Hdf5File& file, const std::string& path, std::int32_t value) {
  write_array<std::int32_t>(file, path, std::span(&value, 1));
}

void write_vector(const Hdf5File& file, const std::string& path, const VecX& x) {
  write_array<double>(file, path, std::span(x.data(), static_cast<std::size_t>(x.size())));
}

void write_head(const Hdf5File& file, const std::string& path, Eigen::Index rows, Eigen::Index cols, std::int32_t nz,
                std::size_t nzmax) {
  write_integer(file, path + "/nzmax", static_cast<std::int32_t>(nzmax));
  write_integer(file, path + "/m", static_cast<std::int32_t>(rows));
  write_integer(file, path + "/n", static_cast<std::int32_t>(cols));
  write_integer(file, path + "/nz", nz);
}

/// Row i, column p, value x.
void write_triplets(const Hdf5File& file, const std::string& path, const SparseMatrix& A) {
  std::vector<std::int32_t> p, i;
  std::vector<double> x;
  for (int k = 0; k < A.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(A, k); it; ++it) {
      p.push_back(k);
      i.push_back(static_cast<std::int32_t>(it.row()));
      x.push_back(it.value());
    }
  write_head(file, path, A.rows(), A.cols(), static_cast<std::int32_t>(x.size()), x.size());
  write_array<std::int32_t>(file, path + "/p", p);
  write_array<std::int32_t>(file, path + "/i", i);
  write_array<double>(file, path + "/x", x);
}

void write_compressed_rows(const Hdf5File& file, const std::string& path, const SparseMatrix& matrix) {
  const RowMajor A = matrix;
  std::vector<std::int32_t> p{0}, i;
  std::vector<double> x;
  for (int k = 0; k < A.outerSize(); ++k) {
    for (RowMajor::InnerIterator it(A, k); it; ++it) {
      i.push_back(static_cast<std::int32_t>(it.col()));
      x.push_back(it.value());
    }
    p.push_back(static_cast<std::int32_t>(x.size()));
  }
  write_head(file, path, A.rows(), A.cols(), -2, x.size());
  write_array<std::int32_t>(file, path + "/p", p);
  write_array<std::int32_t>(file, path + "/i", i);
  write_array<double>(file, path + "/x", x);
}

/// How the rows of a problem go into the file: contacts first, then equations.
struct Order {
  int d = 3;
  std::vector<int> contact_rows, equation_rows;
  std::vector<std::int32_t> rows_of_equations;  ///< of each bilateral constraint
  std::vector<double> mu, mu_rolling;
};

/// Throws when FCLib has no place for one of the laws.
Order make_order(const std::string& name, const ProblemFile& file) {
  Order order;
  bool known = false;
  for (int i = 0; i < file.constraints(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const ConstraintLaw& law = file.law()[k];
    const int first = file.offset()[k], rows = file.offset()[k + 1] - first;
    if (law.kind == LawKind::Bilateral) {
      for (int l = 0; l < rows; ++l) order.equation_rows.push_back(first + l);
      order.rows_of_equations.push_back(rows);
      continue;
    }
    const std::string_view law_name = law.kind.type().name;
    if (law.kind != LawKind::Coulomb && law.kind != LawKind::Frictionless && law.kind != LawKind::Rolling &&
        law.kind != LawKind::Interval) {
      throw Error("{}: no file format has a place for constraint {}, a {} law", name, i, law_name);
    }
    if (law.kind == LawKind::Interval || rows == 1) {
      throw Error("{}: FCLib has no place for constraint {}, a {} law with {} row{}; text files (.dat) have", name, i,
                  law_name, rows, rows == 1 ? "" : "s");
    }
    if (known && rows != order.d) {
      throw Error("{}: constraint {} ({}) has {} rows, others have {}; FCLib has contacts of one kind in a file", name,
                  i, law_name, rows, order.d);
    }
    known = true;
    order.d = rows;
    for (int l = 0; l < rows; ++l) order.contact_rows.push_back(first + l);
    order.mu.push_back(law.kind == LawKind::Frictionless ? 0 : law.mu);
    order.mu_rolling.push_back(law.mu_rolling);
  }
  if (!known && file.kind.ends_with("2d")) order.d = 2;
  if (!known && file.kind.ends_with("rolling")) order.d = 5;
  return order;
}

VecX pick(const VecX& x, const std::vector<int>& rows) {
  VecX y(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) y[static_cast<Eigen::Index>(i)] = x[rows[i]];
  return y;
}

/// Rows and columns of A, in the given order; all of them where none are given.
SparseMatrix pick(const SparseMatrix& A, const std::vector<int>* rows, const std::vector<int>& cols) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t i = 0; i < place.size() && !rows; ++i) place[i] = static_cast<int>(i);
  if (rows)
    for (std::size_t i = 0; i < rows->size(); ++i) place[static_cast<std::size_t>((*rows)[i])] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < cols.size(); ++j)
    for (SparseMatrix::InnerIterator it(A, cols[j]); it; ++it)
      if (const int row = place[static_cast<std::size_t>(it.row())]; row >= 0)
        entries.emplace_back(row, static_cast<int>(j), it.value());
  SparseMatrix B(rows ? static_cast<Eigen::Index>(rows->size()) : A.rows(), static_cast<Eigen::Index>(cols.size()));
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

void write_local(const Hdf5File& file, const std::string& root, const LocalProblem& problem, const Order& order) {
  const SparseMatrix W = to_sparse(problem);
  write_compressed_rows(file, root + "/W", pick(W, &order.contact_rows, order.contact_rows));
  write_vector(file, root + "/vectors/q", pick(problem.b, order.contact_rows));
  if (order.equation_rows.empty()) return;
  const SparseMatrix V = pick(W, &order.contact_rows, order.equation_rows);
  const SparseMatrix other = pick(W, &order.equation_rows, order.contact_rows);
  if ((SparseMatrix(other.transpose()) - V).norm() > 1e-12 * V.norm()) {
    throw Error("{}: contacts and equations are not coupled symmetrically; FCLib stores only one side", file.name);
  }
  write_compressed_rows(file, root + "/V", V);
  write_compressed_rows(file, root + "/R", pick(W, &order.equation_rows, order.equation_rows));
  write_integers(file, root + "/R", kRowsAttribute, order.rows_of_equations);
  write_vector(file, root + "/vectors/s", pick(problem.b, order.equation_rows));
}

void write_global(const Hdf5File& file, const std::string& root, const GlobalProblem& problem, const Order& order) {
  if (problem.compliance.size() != 0 && !problem.compliance.isZero(0)) {
    throw Error("{}: FCLib's global form has no place for compliance; write the local form", file.name);
  }
  write_triplets(file, root + "/M", problem.M);
  write_triplets(file, root + "/H", pick(problem.H, nullptr, order.contact_rows));
  write_vector(file, root + "/vectors/f", problem.f);
  write_vector(file, root + "/vectors/w", pick(problem.w, order.contact_rows));
  if (order.equation_rows.empty()) return;
  write_triplets(file, root + "/G", pick(problem.H, nullptr, order.equation_rows));
  write_integers(file, root + "/G", kRowsAttribute, order.rows_of_equations);
  write_vector(file, root + "/vectors/b", pick(problem.w, order.equation_rows));
}

void write_solution(const Hdf5File& file, const std::string& path, const ProblemFile& problem, const Order& order,
                    const ProblemSolution& s) {
  if (s.r.size() != problem.unknowns() || s.u.size() != problem.unknowns()) {
    throw Error("{}: {} has {} impulses and {} velocities; must have {}", file.name, path, s.r.size(), s.u.size(),
                problem.unknowns());
  }
  if (problem.is_global() && s.v.size() > 0) write_vector(file, path + "/v", s.v);
  write_vector(file, path + "/u", pick(s.u, order.contact_rows));
  write_vector(file, path + "/r", pick(s.r, order.contact_rows));
  if (!order.equation_rows.empty()) write_vector(file, path + "/l", pick(s.r, order.equation_rows));
}

void write_all(const Hdf5File& file, const ProblemFile& problem, const Order& order) {
  const std::string root =
      fmt::format("/fclib_{}{}", problem.is_global() ? "global" : "local", order.d == 5 ? "_rolling" : "");
  write_integer(file, root + "/spacedim", order.d);
  problem.is_global() ? write_global(file, root, std::get<GlobalProblem>(problem.problem), order)
                      : write_local(file, root, std::get<LocalProblem>(problem.problem), order);
  write_array<double>(file, root + "/vectors/mu", order.mu);
  if (order.d == 5) write_array<double>(file, root + "/vectors/mu_r", order.mu_rolling);
  write_string(file, root + "/info/title", problem.title);
  write_string(file, root + "/info/description", problem.description);
  write_string(file, root + "/info/math_info", problem.math_info);
  if (!problem.guesses.empty()) {
    write_integer(file, "/guesses/number_of_guesses", static_cast<std::int32_t>(problem.guesses.size()));
    for (std::size_t i = 0; i < problem.guesses.size(); ++i) {
      write_solution(file, fmt::format("/guesses/{}", i + 1), problem, order, problem.guesses[i]);
    }
  }
  if (problem.solution) write_solution(file, "/solution", problem, order, *problem.solution);
}

}  // namespace

void check_fclib(const std::string& name, const ProblemFile& file) { make_order(name, file); }

void write_fclib(const std::filesystem::path& path, const ProblemFile& problem) {
  check_can_write(path);
  const Order order = make_order(path.string(), problem);
  const Hdf5Quiet quiet;
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.part", getpid());
  struct Remove {  // what is left when something throws
    std::filesystem::path path;
    ~Remove() {
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
    }
  } remove{temporary};
  {
    Hdf5File file;
    file.name = path.string();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Metadata with checksums, and what every HDF5 since 1.8 reads.
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    file.handle = {H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
    file.check(file.handle.valid(), "cannot be created");
    write_all(file, problem, order);
    file.check(file.handle.close(), "cannot be written");
  }
  std::error_code failure;
  std::filesystem::rename(temporary, path, failure);
  if (failure) throw Error("{}: cannot be put in place: {}", path.string(), failure.message());
}

}  // namespace cairn
