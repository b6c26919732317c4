// SPDX-License-Identifier: Apache-2.0
// How often the semismooth Newton solvers converge and what it takes: on the cubes, walls and domes of Koziara's study
// (thesis, section 13.3: pseudo-rigid bricks, one contact point per pair, quasi-static) and on problem files.
//
//   newton_statistics [INCREMENTS [CASE...]]     default 10 increments of all nine cases; prints tables in Markdown
//   newton_statistics write DIR [INCREMENTS [CASE...]]   the same, and writes every problem to DIR
//   newton_statistics files FILE...              all functions on problem files
// Sizes follow from the published numbers of bodies and contacts: cubes 3^3, 5^3, 7^3; walls in running bond of 10, 17
// and 25 courses with a bar on top and one obstacle; domes of 5 x 12, 10 x 22 and 15 x 32 blocks.
#include "cairn/bodies/affine.h"
#include "cairn/constraints/constraint.h"
#include "cairn/io/problem_file.h"
#include "cairn/solvers/study/newton.h"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn {
namespace {

using Mass = Eigen::Matrix<double, 12, 12>;
using Rows = Eigen::Matrix<double, 3, 12>;

/// One pseudo-rigid brick of the study: E = 15.5 GPa, nu = 0.2, 2200 kg/m^3.
struct Brick {
  AffineBody body;
  VecX q = VecX::Zero(12);
  double volume;
  Mass M = Mass::Zero();
  Vec3 load = Vec3::Zero();  ///< beside gravity [N]

  Brick(const Vec3& centre, const Mat3& axes, const Vec3& lengths)
      : body({.shape = Box{0.5 * lengths},
              .density = 2200,
              .young = 15.5e9,
              .poisson = 0.2,
              .position = centre,
              .deformation = axes}),
        volume(lengths.prod()) {
    VecX u = VecX::Zero(12);
    body.initial(q, u);
    // E0, scaled so that the largest eigenvalue of M^-1 K is 4: uniform numerical damping at h = 1.
    Mat3 E0 = (body.mass() / 12 * lengths.cwiseProduct(lengths)).asDiagonal();
    Eigen::Matrix<double, 9, 9> inertia = Eigen::Matrix<double, 9, 9>::Zero();
    for (int i = 0; i < 3; ++i) inertia.block<3, 3>(3 * i, 3 * i) = E0;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> modes(body.stiffness(axes), inertia, Eigen::EigenvaluesOnly);
    M.topLeftCorner<9, 9>() = inertia * (modes.eigenvalues().maxCoeff() / 4);
    M.bottomRightCorner<3, 3>() = body.mass() * Mat3::Identity();
  }
  Mat3 F() const { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(q.data()); }
};

/// A contact point with its rows of H; b < 0: the foundation.
struct Touch {
  int a, b;
  Rows Ha, Hb;
  double gap = 0;
};

struct Structure {
  std::vector<Brick> bricks;
  std::vector<Touch> touches;
  Vec3 gravity;

  void touch(int a, int b, const Vec3& x, const Vec3& normal) {
    Touch t{a, b, Rows::Zero(), Rows::Zero()};
    const Mat3 frame = contact_frame(normal);
    const auto rows = [&](int i) {
      RowArena arena;
      const Brick& brick = bricks[static_cast<std::size_t>(i)];
      return Rows(frame * brick.body.point_rows(brick.q, brick.body.locate(brick.q, x), arena).J());
    };
    t.Ha = rows(a);
    if (b >= 0) t.Hb = -rows(b);
    touches.push_back(t);
  }
};

Structure make_cubes(int n) {
  Structure s{{}, {}, {2, 2, -10}};
  const double d = 0.1;
  const auto index = [n](int i, int j, int k) { return (i * n + j) * n + k; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) s.bricks.emplace_back(d * Vec3(i, j, k + 0.5), Mat3::Identity(), Vec3::Constant(d));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x = d * Vec3(i, j, k + 0.5);
        if (i > 0) s.touch(index(i, j, k), index(i - 1, j, k), x - 0.5 * d * Vec3::UnitX(), Vec3::UnitX());
        if (j > 0) s.touch(index(i, j, k), index(i, j - 1, k), x - 0.5 * d * Vec3::UnitY(), Vec3::UnitY());
        s.touch(index(i, j, k), k > 0 ? index(i, j, k - 1) : -1, x - 0.5 * d * Vec3::UnitZ(), Vec3::UnitZ());
      }
  return s;
}

/// Courses alternate between n whole bricks and n - 1 whole ones between two halves.
Structure make_wall(int courses, int n) {
  Structure s{{}, {}, {0, 0, -10}};
  const double length = 0.2, depth = 0.2, height = 0.1;
  struct Span {
    double from, to;
    int brick;
  };
  std::vector<Span> below;
  for (int course = 0; course <= courses; ++course) {
    std::vector<Span> spans;
    const auto lay = [&](double from, double to) {
      const Vec3 centre(0.5 * (from + to), 0, (course + 0.5) * height);
      spans.push_back({from, to, static_cast<int>(s.bricks.size())});
      s.bricks.emplace_back(centre, Mat3::Identity(), Vec3(to - from, depth, height));
    };
    if (course == courses) {  // the bar that carries the load
      lay(0, n * length);
      s.bricks.back().load = Vec3(0, 0, -30e3);
    } else if (course % 2 == 0) {
      for (int i = 0; i < n; ++i) lay(i * length, (i + 1) * length);
    } else {
      for (int i = 0; i <= n; ++i) lay(std::max(0.0, (i - 0.5) * length), std::min(n * length, (i + 0.5) * length));
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const double z = course * height;
      if (i > 0) s.touch(spans[i].brick, spans[i - 1].brick, {spans[i].from, 0, z + 0.5 * height}, Vec3::UnitX());
      if (course == 0) s.touch(spans[i].brick, -1, {0.5 * (spans[i].from + spans[i].to), 0, 0}, Vec3::UnitZ());
      for (const Span& under : below) {
        const double from = std::max(spans[i].from, under.from), to = std::min(spans[i].to, under.to);
        if (to - from > 1e-9) s.touch(spans[i].brick, under.brick, {0.5 * (from + to), 0, z}, Vec3::UnitZ());
      }
    }
    below = spans;
  }
  s.touch(0, -1, {0, 0, 0.5 * height}, Vec3::UnitX());  // the obstacle at the lower left corner
  return s;
}

/// Rings of blocks from the springing at the equator to an eye of 15 degrees; inner radius 10 m, thickness 0.6 m.
Structure make_dome(int rings, int sectors) {
  Structure s{{}, {}, {0, 0, -10}};
  const double radius = 10.3, thickness = 0.6, pi = std::numbers::pi;
  const double dp = (0.5 * pi - pi / 12) / rings, da = 2 * pi / sectors;
  const auto radial = [](double p, double a) {
    return Vec3(std::cos(p) * std::cos(a), std::cos(p) * std::sin(a), std::sin(p));
  };
  const auto upward = [](double p, double a) {
    return Vec3(-std::sin(p) * std::cos(a), -std::sin(p) * std::sin(a), std::cos(p));
  };
  const auto around = [](double a) { return Vec3(-std::sin(a), std::cos(a), 0); };
  for (int ring = 0; ring < rings; ++ring)
    for (int k = 0; k < sectors; ++k) {
      const double p = (ring + 0.5) * dp, a = k * da;
      Mat3 axes;
      axes << radial(p, a), around(a), upward(p, a);
      s.bricks.emplace_back(radius * radial(p, a), axes, Vec3(thickness, radius * std::cos(p) * da, radius * dp));
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int k = 0; k < sectors; ++k) {
      const double p = (ring + 0.5) * dp, a = k * da;
      const int i = ring * sectors + k;
      s.touch(i, ring > 0 ? i - sectors : -1, radius * radial(ring * dp, a), upward(ring * dp, a));
      s.touch(ring * sectors + (k + 1) % sectors, i, radius * radial(p, a + 0.5 * da), around(a + 0.5 * da));
    }
  return s;
}

/// The problem of one increment (5.3.1-4), h = 1; leaves M^^-1 and the free velocity of each brick.
LocalProblem make_problem(const Structure& s, double mu, std::vector<Mass>& inverse, std::vector<VecX>& free) {
  const double h = 1;
  inverse.clear(), free.clear();
  for (const Brick& brick : s.bricks) {
    Mass A = brick.M;
    A.topLeftCorner<9, 9>() += h * h * brick.body.stiffness(brick.F());
    VecX f(12);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> P = -brick.volume * brick.body.stress(brick.F());
    f << Eigen::Map<const VecX>(P.data(), 9), Vec3(brick.body.mass() * s.gravity + brick.load);
    inverse.push_back(A.inverse());
    free.push_back(inverse.back() * (h * f));
  }
  LocalProblem problem;
  for (std::size_t i = 0; i < s.touches.size(); ++i) {
    problem.offset.push_back(problem.offset.back() + 3);
    problem.law.push_back({LawKind::Coulomb, mu});
  }
  problem.b = VecX::Zero(problem.offset.back());
  BlockMatrixBuilder builder(problem.offset);
  std::vector<std::vector<std::pair<int, const Rows*>>> of_brick(s.bricks.size());
  for (std::size_t i = 0; i < s.touches.size(); ++i) {
    const Touch& t = s.touches[i];
    const auto side = [&](int brick, const Rows& H) {
      if (brick < 0) return;
      of_brick[static_cast<std::size_t>(brick)].emplace_back(static_cast<int>(i), &H);
      problem.b.segment<3>(3 * static_cast<int>(i)) += H * free[static_cast<std::size_t>(brick)];
    };
    side(t.a, t.Ha);
    side(t.b, t.Hb);
    problem.b[3 * static_cast<int>(i)] += std::max(0.0, t.gap) / h;  // (10.1.67)
  }
  for (std::size_t k = 0; k < s.bricks.size(); ++k)
    for (const auto& [i, Hi] : of_brick[k])
      for (const auto& [j, Hj] : of_brick[k]) {
        const Mat3 block = *Hi * inverse[k] * Hj->transpose();
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) builder.add(3 * i + r, 3 * j + c, block(r, c));
      }
  problem.W = builder.finish();
  return problem;
}

void advance(Structure& s, const LocalProblem& problem, const VecX& r, const std::vector<Mass>& inverse,
             const std::vector<VecX>& free) {
  const VecX U = problem.velocity(r);
  std::vector<VecX> u = free;
  for (std::size_t i = 0; i < s.touches.size(); ++i) {
    Touch& t = s.touches[i];
    const Vec3 impulse = r.segment<3>(3 * static_cast<int>(i));
    const std::size_t a = static_cast<std::size_t>(t.a);
    u[a] += inverse[a] * (t.Ha.transpose() * impulse);
    if (t.b >= 0) {
      const std::size_t b = static_cast<std::size_t>(t.b);
      u[b] += inverse[b] * (t.Hb.transpose() * impulse);
    }
    // b holds the old gap: what is left of U_N is the new one.
    t.gap = std::max(0.0, U[3 * static_cast<int>(i)]);
  }
  for (std::size_t k = 0; k < s.bricks.size(); ++k) s.bricks[k].q += u[k];
}

/// A way to solve, its warm start and what it took.
struct Candidate {
  std::string name;
  Newton solver;
  VecX r = {};
  std::vector<int> iterations = {};
  std::vector<double> seconds = {};
  int runs = 0, failures = 0;
  long searches = 0;
};

std::vector<Candidate> make_candidates(bool friction, double tolerance, double max_seconds) {
  using enum Newton::Globalisation;
  std::vector<Candidate> all;
  const auto add = [&](const std::string& name, NewtonFunction function, Newton::Variant variant,
                       Newton::Globalisation globalisation, int memory) {
    Newton::Settings s;
    s.function = function;
    s.variant = variant;
    s.globalisation = globalisation;
    s.memory = memory;
    s.tolerance = tolerance;
    s.max_seconds = max_seconds;
    if (globalisation == Scsol) {  // as in the study
      s.sweeps = 0, s.proximal = 0, s.max_iterations = 1000, s.rho = Newton::Rho::Spectral;
    } else if (function == NewtonFunction::AlartCurnier || function == NewtonFunction::JeanMoreau) {
      s.rho = Newton::Rho::Split;
    }
    all.push_back({name, Newton(s)});
  };
  using enum NewtonFunction;
  using enum Newton::Variant;
  if (!friction) {
    add("UNIL", AlartCurnier, Unil, Scsol, 0);
    return all;
  }
  add("NEWT(A)", AlartCurnier, Newt, Scsol, 0);
  add("NEWT(G)", AlartCurnier, Newt, Scsol, 10);
  add("HYB(A)", AlartCurnier, Hyb, Scsol, 0);
  add("HYB(G)", AlartCurnier, Hyb, Scsol, 10);
  add("FIX", AlartCurnier, Fix, Scsol, 0);
  add("natural-map", NaturalMap, Jacobian, LineSearch, 10);
  add("alart-curnier", AlartCurnier, Jacobian, LineSearch, 10);
  add("jean-moreau", JeanMoreau, Jacobian, LineSearch, 10);
  add("fischer-burmeister", FischerBurmeister, Jacobian, LineSearch, 10);
  return all;
}

void run(Candidate& c, const LocalProblem& problem) {
  VecX r = c.r.size() == problem.b.size() ? c.r : VecX::Zero(problem.b.size());
  const SolveReport report = c.solver.solve(problem, r);
  ++c.runs;
  c.searches += c.solver.counts().searches;
  if (report.status != SolveStatus::Converged) {
    ++c.failures;
    return;
  }
  c.r = r;
  c.iterations.push_back(report.iterations);
  c.seconds.push_back(report.seconds);
}

void print(std::string_view title, std::vector<Candidate>& all) {
  fmt::print(
      "\n| {} | runs | failures | mean iterations | most | line searches per run | median ms "
      "|\n|---|---|---|---|---|---|---|\n",
      title);
  for (Candidate& c : all) {
    std::sort(c.seconds.begin(), c.seconds.end());
    double sum = 0;
    for (const int n : c.iterations) sum += n;
    const bool any = !c.iterations.empty();
    fmt::print("| {} | {} | {} | {:.1f} | {} | {:.2f} | {:.2f} |\n", c.name, c.runs, c.failures,
               any ? sum / static_cast<double>(c.iterations.size()) : 0.0,
               any ? *std::max_element(c.iterations.begin(), c.iterations.end()) : 0,
               static_cast<double>(c.searches) / std::max(1, c.runs),
               any ? 1e3 * c.seconds[c.seconds.size() / 2] : 0.0);
  }
  std::fflush(stdout);
}

void add_up(std::vector<Candidate>& sum, const std::vector<Candidate>& part) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i].runs += part[i].runs;
    sum[i].failures += part[i].failures;
    sum[i].searches += part[i].searches;
    sum[i].iterations.insert(sum[i].iterations.end(), part[i].iterations.begin(), part[i].iterations.end());
    sum[i].seconds.insert(sum[i].seconds.end(), part[i].seconds.begin(), part[i].seconds.end());
  }
}

void study(int increments, const std::vector<std::string>& wanted, const std::string& directory) {
  const std::pair<std::string, Structure (*)()> cases[] = {
      {"CUBE1", [] { return make_cubes(3); }},    {"CUBE2", [] { return make_cubes(5); }},
      {"CUBE3", [] { return make_cubes(7); }},    {"WALL1", [] { return make_wall(10, 5); }},
      {"WALL2", [] { return make_wall(17, 9); }}, {"WALL3", [] { return make_wall(25, 13); }},
      {"DOME1", [] { return make_dome(5, 12); }}, {"DOME2", [] { return make_dome(10, 22); }},
      {"DOME3", [] { return make_dome(15, 32); }}};
  const double tolerance = 1e-8, limit = 10;
  std::vector<Candidate> smooth = make_candidates(false, tolerance, limit),
                         rough = make_candidates(true, tolerance, limit);
  for (const auto& [name, make] : cases) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    std::vector<Candidate> here = make_candidates(true, tolerance, limit);
    std::size_t bodies = 0, contacts = 0;
    for (const double mu : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) {
      Structure s = make();
      bodies = s.bricks.size(), contacts = s.touches.size();
      std::vector<Candidate> each = make_candidates(mu > 0, tolerance, limit);
      for (int step = 0; step < increments; ++step) {
        std::vector<Mass> inverse;
        std::vector<VecX> free;
        const LocalProblem problem = make_problem(s, mu, inverse, free);
        if (!directory.empty()) {
          const std::string file = fmt::format("{}/{}-mu{:.2f}-{:03}.hdf5", directory, name, mu, step);
          write_problem(file, {problem, "fc3d", fmt::format("{}, mu = {:.2f}, increment {}", name, mu, step)});
        }
        for (Candidate& c : each) run(c, problem);
        // All see the same history: that of the best solution of this increment.
        VecX r = VecX::Zero(problem.b.size());
        double best = INFINITY;
        for (const Candidate& c : each) {
          if (c.r.size() == 0) continue;
          const double residual = compute_residual(problem, c.r).scaled;
          if (residual < best) best = residual, r = c.r;
        }
        advance(s, problem, r, inverse, free);
      }
      if (mu == 0) {
        add_up(smooth, each);
      } else {
        add_up(here, each);
      }
    }
    print(fmt::format("{}: {} bodies, {} contacts", name, bodies, contacts), here);
    add_up(rough, here);
  }
  print("all, mu = 1/3, 2/3, 1", rough);
  print("all, mu = 0", smooth);
}

void files(const std::vector<std::string>& names) {
  std::vector<Candidate> all = make_candidates(true, 1e-8, 5);
  for (const std::string& name : names) {
    const LocalProblem problem = read_problem(name).local();
    for (Candidate& c : all) {
      c.r.resize(0);  // every file from rest
      run(c, problem);
    }
  }
  print(fmt::format("{} files at 1e-8, 5 s", names.size()), all);
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (!words.empty() && words[0] == "files") {
      words.erase(words.begin());
      cairn::files(words);
      return 0;
    }
    std::string directory;
    if (words.size() > 1 && words[0] == "write") {
      directory = words[1];
      words.erase(words.begin(), words.begin() + 2);
    }
    const int increments = words.empty() ? 10 : static_cast<int>(cairn::parse_real("increments", words[0]));
    if (!words.empty()) words.erase(words.begin());
    cairn::study(increments, words, directory);
  } catch (const cairn::Error& error) {
    fmt::print(stderr, "newton_statistics: {}\n", error.what());
    return 2;
  }
}
