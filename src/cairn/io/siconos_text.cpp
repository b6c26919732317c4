// SPDX-License-Identifier: Apache-2.0
// The layouts of Siconos' text files (docs/problem-files.md has them in one table). Writing: problem_text_write.cpp.
#include "cairn/io/siconos_text.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/problem_tokens.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {
namespace {

VecX read_vector(TextTokens& tokens, int size, std::string_view what, bool infinite = false) {
  tokens.need(static_cast<std::size_t>(size), what);
  VecX x(size);
  for (int i = 0; i < size; ++i) x[i] = tokens.real(what, infinite);
  return x;
}

std::vector<double> read_coefficients(TextTokens& tokens, int count, std::string_view what) {
  tokens.need(static_cast<std::size_t>(count), what);
  std::vector<double> mu;
  for (int i = 0; i < count; ++i) {
    mu.push_back(tokens.real(what));
    if (mu.back() < 0) tokens.fail(fmt::format("{} of contact {} is {}; must be >= 0", what, i, mu.back()));
  }
  return mu;
}

void expect_size(const TextTokens& tokens, const TextMatrix& A, std::string_view name, int rows, int cols,
                 const std::string& why) {
  if (A.rows == rows && A.cols == cols) return;
  tokens.fail(fmt::format("{} is {} x {}; expected {} x {} {}", name, A.rows, A.cols, rows, cols, why));
}

BlockMatrix make_blocks(const TextMatrix& A, const std::vector<int>& offset) {
  BlockMatrixBuilder builder(offset);
  for (const auto& e : A.entries) builder.add(e.row(), e.col(), e.value());
  return builder.finish();
}

SparseMatrix make_sparse(const TextMatrix& A) {
  SparseMatrix S(A.rows, A.cols);
  S.setFromTriplets(A.entries.begin(), A.entries.end());
  return S;
}

template <class Problem>
void add_constraint(Problem& problem, const ConstraintLaw& law, int rows) {
  problem.law.push_back(law);
  problem.offset.push_back(problem.offset.back() + rows);
}

/// Contacts of d rows each with their coefficients, which follow in the file.
template <class Problem>
void read_laws(TextTokens& tokens, int d, int contacts, Problem& problem) {
  const std::vector<double> mu = read_coefficients(tokens, contacts, "mu");
  const std::vector<double> rolling =
      d == 5 ? read_coefficients(tokens, contacts, "mu_r") : std::vector<double>(mu.size());
  for (std::size_t i = 0; i < mu.size(); ++i) {
    add_constraint(problem,
                   {.kind = d == 5 ? LawKind::Rolling : LawKind::Coulomb, .mu = mu[i], .mu_rolling = rolling[i]}, d);
  }
}

struct ContactHead {
  int d = 0, contacts = 0, rows = 0;
};

ContactHead read_contact_head(TextTokens& tokens, std::string_view kind) {
  ContactHead head;
  head.d = tokens.integer("rows per contact (2, 3, or 5 with rolling)", 2, 5);
  const int wanted = kind.ends_with("2d") ? 2 : kind.ends_with("3d") ? 3 : kind.ends_with("rolling") ? 5 : head.d;
  if (head.d == 4 || head.d != wanted) {
    tokens.fail(fmt::format("a contact has {} rows; expected {}", head.d,
                            kind.empty() ? "2, 3 or 5" : fmt::format("{} in a {} problem", wanted, kind)));
  }
  head.contacts = tokens.count("number of contacts");
  // Every row has at least one number of its own, so the product is small too.
  if (head.contacts > 400000000) tokens.fail(fmt::format("{} contacts are too many", head.contacts));
  head.rows = head.d * head.contacts;
  return head;
}

/// d  nc  W  q  mu  [mu_r]
ProblemFile read_local(TextTokens& tokens, std::string_view kind) {
  const ContactHead head = read_contact_head(tokens, kind);
  const TextMatrix W = read_text_matrix(tokens, "W");
  expect_size(tokens, W, "W", head.rows, head.rows, fmt::format("for {} contacts of {} rows", head.contacts, head.d));
  LocalProblem problem;
  problem.b = read_vector(tokens, head.rows, "q");
  read_laws(tokens, head.d, head.contacts, problem);
  problem.W = make_blocks(W, problem.offset);
  ProblemFile file{.problem = std::move(problem), .kind = head.d == 5 ? "rolling" : fmt::format("fc{}d", head.d)};
  file.storage = W.storage;
  return file;
}

/// d  nc  M  H  f  b  mu  [mu_r]
ProblemFile read_global(TextTokens& tokens, std::string_view kind) {
  const ContactHead head = read_contact_head(tokens, kind);
  const TextMatrix M = read_text_matrix(tokens, "M");
  expect_size(tokens, M, "M", M.rows, M.rows, "(it must be square)");
  const TextMatrix H = read_text_matrix(tokens, "H");
  expect_size(tokens, H, "H", M.rows, head.rows, fmt::format("for {} contacts of {} rows", head.contacts, head.d));
  GlobalProblem problem;
  problem.f = read_vector(tokens, M.rows, "f");
  problem.w = read_vector(tokens, head.rows, "b");
  read_laws(tokens, head.d, head.contacts, problem);
  problem.M = make_sparse(M);
  problem.H = make_sparse(H);
  ProblemFile file{.problem = std::move(problem),
                   .kind = head.d == 5 ? "global-rolling" : fmt::format("gfc{}d", head.d)};
  file.storage = M.storage + "/" + H.storage;
  file.dofs = M.rows;
  return file;
}

/// n  M  q  and for a relay  lb  ub
ProblemFile read_rows(TextTokens& tokens, bool relay) {
  const int n = tokens.count("number of rows");
  const TextMatrix M = read_text_matrix(tokens, "M");
  expect_size(tokens, M, "M", n, n, fmt::format("for {} rows", n));
  LocalProblem problem;
  problem.b = read_vector(tokens, n, "q");
  if (relay) {
    const VecX lower = read_vector(tokens, n, "lb", true), upper = read_vector(tokens, n, "ub", true);
    for (int i = 0; i < n; ++i) {
      if (!(lower[i] <= upper[i]))
        tokens.fail(fmt::format("row {}: bounds [{}, {}] hold nothing", i, lower[i], upper[i]));
      add_constraint(problem, {.kind = LawKind::Interval, .lower = lower[i], .upper = upper[i]}, 1);
    }
  } else {
    for (int i = 0; i < n; ++i) add_constraint(problem, {.kind = LawKind::Frictionless}, 1);
  }
  problem.W = make_blocks(M, problem.offset);
  ProblemFile file{.problem = std::move(problem), .kind = relay ? "relay" : "lcp"};
  file.storage = M.storage;
  return file;
}

/// A (n x n), B (m x m), C (n x m), D (m x n), each row by row, then a, b:  M = [A C; D B], q = [a; b].
void read_parts(TextTokens& tokens, int n, int m, MatX& M, VecX& q) {
  const std::size_t size = static_cast<std::size_t>(n) + static_cast<std::size_t>(m);
  if (size > 30000) tokens.fail(fmt::format("a dense matrix of {} rows is too large", size));
  tokens.need(size * size + size, "A, B, C, D, a, b");
  M.resize(n + m, n + m);
  const auto fill = [&](int row, int col, int rows, int cols, std::string_view name) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) M(row + i, col + j) = tokens.real(name);
  };
  fill(0, 0, n, n, "A");
  fill(n, n, m, m, "B");
  fill(0, n, n, m, "C");
  fill(n, 0, m, n, "D");
  q = read_vector(tokens, n + m, "a and b");
}

/// s1  s2  n  m, then one or both storages of the same numbers.
ProblemFile read_mlcp(TextTokens& tokens) {
  const int first = tokens.integer("flag of the first storage", 0, 1);
  const int second = tokens.integer("flag of the second storage", 0, 1);
  if (first + second == 0) tokens.fail("an mlcp has one storage at least; both flags are 0");
  const int n = tokens.count("number of equations"), m = tokens.count("number of complementarity rows");
  const int size = n + m;
  LocalProblem problem;
  ProblemFile file;
  file.kind = "mlcp";
  const auto add_rows = [&](int count, bool equation) {
    for (int i = 0; i < count; ++i) {
      add_constraint(problem, {.kind = equation ? LawKind::Bilateral : LawKind::Frictionless}, 1);
    }
  };
  MatX parts;
  VecX q;
  if (first) {
    std::vector<int> start{tokens.integer("start of the first block", 0, 0)};
    while (start.back() < size) start.push_back(tokens.integer("start of a block", start.back() + 1, size));
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
      const int flag = tokens.integer("kind of a block (0 equations, 1 complementarity)", 0, 1);
      add_rows(start[k + 1] - start[k], flag == 0);
    }
    const auto equations = std::count_if(problem.law.begin(), problem.law.end(),
                                         [](const ConstraintLaw& l) { return l.kind == LawKind::Bilateral; });
    if (equations != n) tokens.fail(fmt::format("the blocks have {} equations; expected {}", equations, n));
    const TextMatrix M = read_text_matrix(tokens, "M");
    if (M.rows != M.cols) {
      tokens.fail(
          fmt::format("M is {} x {}: {} rows for {} unknowns, a system that is {}-determined; Cairn solves "
                      "mixed complementarity problems with as many rows as unknowns ({} here)",
                      M.rows, M.cols, M.rows, M.cols, M.rows > M.cols ? "over" : "under", size));
    }
    expect_size(tokens, M, "M", size, size, fmt::format("for {} equations and {} complementarity rows", n, m));
    problem.b = read_vector(tokens, size, "q");
    problem.W = make_blocks(M, problem.offset);
    file.storage = M.storage;
  }
  if (second) {
    read_parts(tokens, n, m, parts, q);
    if (!first) {
      add_rows(n, true);
      add_rows(m, false);
      problem.b = q;
      BlockMatrixBuilder builder(problem.offset);
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i) builder.add(i, j, parts(i, j));
      problem.W = builder.finish();
      file.storage = "dense parts";
    } else {
      const double scale = size > 0 ? std::max(parts.cwiseAbs().maxCoeff(), q.cwiseAbs().maxCoeff()) : 0;
      const double far = size > 0 ? std::max((parts - MatX(to_sparse(problem))).cwiseAbs().maxCoeff(),
                                             (q - problem.b).cwiseAbs().maxCoeff())
                                  : 0;
      if (far > 1e-5 * scale) {  // some files carry six digits
        tokens.fail(fmt::format("the two storages differ by {:.3g}; they must hold the same numbers", far));
      }
      file.storage += " and dense parts";
    }
  }
  file.problem = std::move(problem);
  return file;
}

/// M in blocks  q  then per block row: type [mu]
ProblemFile read_gmp(TextTokens& tokens) {
  const TextMatrix M = read_text_matrix(tokens, "M");
  if (M.storage != "blocks") tokens.fail("M of a gmp must be in blocks: they tell which rows belong together");
  expect_size(tokens, M, "M", M.rows, M.rows, "(it must be square)");
  LocalProblem problem;
  problem.b = read_vector(tokens, M.cols, "q");
  int first = 0;
  for (const int end : M.row_ends) {
    const int rows = end - first;
    first = end;
    const int type = tokens.integer("type of a block (0 lcp, 2 equality, 4 3D contact)", 0, 9);
    if (type == 0) {
      for (int i = 0; i < rows; ++i) add_constraint(problem, {.kind = LawKind::Frictionless}, 1);
    } else if (type == 2) {
      for (int left = rows; left > 0; left -= max_rows)
        add_constraint(problem, {.kind = LawKind::Bilateral}, std::min(left, max_rows));
    } else if (type == 4) {
      if (rows != 3) tokens.fail(fmt::format("a 3D contact has 3 rows; this block has {}", rows));
      add_constraint(problem, {.kind = LawKind::Coulomb, .mu = read_coefficients(tokens, 1, "mu")[0]}, 3);
    } else if (type == 3 || type == 9) {
      tokens.fail(fmt::format("a block of type {} ({}): the format has no place for its {}", type,
                              type == 3 ? "2D contact" : "relay", type == 3 ? "coefficient of friction" : "bounds"));
    } else {
      tokens.fail(fmt::format("type of a block is {}; must be 0 (lcp), 2 (equality) or 4 (3D contact)", type));
    }
  }
  problem.W = make_blocks(M, problem.offset);
  ProblemFile file{.problem = std::move(problem), .kind = "gmp"};
  file.storage = M.storage;
  return file;
}

struct Layout {
  std::string_view name;
  ProblemFile (*read)(TextTokens&, std::string_view kind);
};
constexpr std::array<Layout, 6> kLayouts{{
    {"local", read_local},
    {"global", read_global},
    {"mlcp", [](TextTokens& t, std::string_view) { return read_mlcp(t); }},
    {"relay", [](TextTokens& t, std::string_view) { return read_rows(t, true); }},
    {"lcp", [](TextTokens& t, std::string_view) { return read_rows(t, false); }},
    {"gmp", [](TextTokens& t, std::string_view) { return read_gmp(t); }},
}};

std::string_view layout_of(std::string_view kind) {
  if (kind.starts_with("fc") || kind == "rolling") return "local";
  if (kind.starts_with("gfc") || kind == "global-rolling") return "global";
  return kind;
}

/// What the name of the file, and then of its folder, says it is; empty: nothing.
std::string_view hint_of(const std::string& name) {
  const std::filesystem::path path(name);
  for (std::string word : {path.filename().string(), path.parent_path().filename().string()}) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const auto& [mark, layout] : {std::pair{"mlcp", "mlcp"},
                                       {"relay", "relay"},
                                       {"lcp", "lcp"},
                                       {"gmp", "gmp"},
                                       {"gfc", "global"},
                                       {"grfc", "global"},
                                       {"fc2d", "local"},
                                       {"fc3d", "local"}}) {
      if (word.find(mark) != std::string::npos) return layout;
    }
  }
  return {};
}

/// Numbers after the end that are not part of the problem: a flag, or a known solution (of mlcp also the slacks). More
/// means another layout.
std::size_t check_end(TextTokens& tokens, const ProblemFile& file) {
  const std::size_t more = tokens.trailing_numbers();
  const std::size_t allowed = static_cast<std::size_t>(file.unknowns()) * (file.kind == "mlcp" ? 2 : 1) + 1;
  if (more > allowed) {
    tokens.fail(fmt::format("{} more numbers follow after the end of the {} problem", more, file.kind), true);
  }
  return more;
}

struct Attempt {
  std::string_view layout;
  std::optional<ProblemFile> file;
  std::size_t left = 0;   ///< numbers that follow
  std::size_t place = 0;  ///< how far it came
  std::string failure;
};

Attempt try_layout(const Layout& layout, TextTokens& tokens, std::string_view kind) {
  Attempt attempt{.layout = layout.name, .file = {}, .failure = {}};
  tokens.go_to(0);
  try {
    ProblemFile file = layout.read(tokens, kind);
    attempt.left = check_end(tokens, file);
    attempt.place = tokens.place();
    tokens.go_to(tokens.place() + attempt.left);
    file.description = tokens.rest().substr(0, 2000);
    attempt.file = std::move(file);
  } catch (const Error& error) {
    attempt.place = tokens.place();
    attempt.failure = error.what();
  }
  return attempt;
}

}  // namespace

ProblemFile read_siconos_text(const std::string& name, std::string text, const std::string& kind) {
  if (text.find('\0') != std::string::npos) {
    throw Error("{}: is neither an HDF5 file nor text; expected a problem in FCLib's or Siconos' format", name);
  }
  TextTokens tokens(name, std::move(text));
  if (tokens.size() == 0) throw Error("{}: is empty; expected a problem in FCLib's or Siconos' format", name);
  const std::string_view wanted = layout_of(kind), hint = hint_of(name);

  std::vector<Attempt> fits;
  Attempt furthest;
  std::vector<std::string> fitting;
  for (const Layout& layout : kLayouts) {
    if (!kind.empty() && layout.name != wanted) continue;
    Attempt attempt = try_layout(layout, tokens, kind);
    if (attempt.file) {
      fitting.push_back(attempt.file->kind);
      fits.push_back(std::move(attempt));
    } else if (furthest.failure.empty() || attempt.place > furthest.place ||
               (attempt.place == furthest.place && layout.name == hint)) {
      furthest = std::move(attempt);
    }
  }
  if (fits.empty()) {
    if (!kind.empty()) throw Error("{} (read as {})", furthest.failure, kind);
    throw Error("{} (read as {}, the layout that fits furthest; --kind asks for another)", furthest.failure,
                furthest.layout);
  }
  std::string decided = kind.empty() ? "by its content" : "as asked for";
  auto best = fits.begin();
  if (fits.size() > 1) {
    const auto hinted = std::find_if(fits.begin(), fits.end(), [&](const Attempt& a) { return a.layout == hint; });
    best = hinted != fits.end() ? hinted
                                : std::min_element(fits.begin(), fits.end(),
                                                   [](const Attempt& a, const Attempt& b) { return a.left < b.left; });
    decided = fmt::format("fits {}; {}", join(fitting),
                          hinted != fits.end() ? "the name decides" : "taken is what leaves the fewest numbers unread");
  }
  ProblemFile file = std::move(*best->file);
  file.format = "Siconos text";
  file.decided = decided;
  return file;
}

}  // namespace cairn
