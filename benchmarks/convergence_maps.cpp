// SPDX-License-Identifier: Apache-2.0
// Kaufman's convergence maps of Staggered Projections (thesis 2009, section 6.6) and the rank of solvers on card
// houses.
//
//   convergence_maps [--svg FILE] [--points N] [--levels N] [--seconds S] [SOLVER[:key=value,...]]...
// Without names all registered solvers stack the cards. The tables are Markdown (docs/staggered-projections.md).
#include "cairn/solvers/study/staggered_projections.h"
#include "cairn/solvers/study/subspace_angle.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

namespace cairn {
namespace {

constexpr double pi = std::numbers::pi;

StaggeredProjections::Settings thesis_settings() {
  StaggeredProjections::Settings s;
  s.acceleration = 0;
  s.adaptive = false;
  return s;
}

// ---- The plane model problem: unit generalised normal and friction direction at the angle theta
// -----------------------

LocalProblem make_plane_problem(double theta, double mu, const Vec2& x) {
  const double c = std::cos(theta);
  LocalProblem p;
  p.law.push_back({LawKind::Coulomb, mu});
  p.offset.push_back(2);
  p.W.row_start = {0, 1};
  p.W.column = {0};
  p.W.start = {0};
  p.W.values = {1, c, c, 1};
  // n at 90 degrees (up), d at theta from it; x is the negative predicted momentum.
  p.b.resize(2);
  p.b << -x[1], -(std::sin(theta) * x[0] + c * x[1]);
  return p;
}

/// x = alpha n + beta d with |beta| <= mu alpha: the contact sticks.
bool in_generalised_cone(double theta, double mu, const Vec2& x) {
  const double beta = x[0] / std::sin(theta), alpha = x[1] - beta * std::cos(theta);
  return std::abs(beta) <= mu * alpha;
}

/// Objective (5.32) of the thesis for exact discs, zero at solutions: r.U + sum of mu r_N |U_T|.
double coupled_objective(const LocalProblem& p, const VecX& r) {
  const VecX U = p.velocity(r);
  double sum = r.dot(U);
  for (int i = 0; i < p.size(); ++i) {
    const int o = p.offset[static_cast<std::size_t>(i)], n = p.rows(i);
    sum += p.law[static_cast<std::size_t>(i)].mu * r[o] * U.segment(o + 1, n - 1).norm();
  }
  return sum;
}

struct MapCell {
  int iterations = 0;  ///< 0: feasible at the start; -1: not converged
  double residual = 0, objective = 0;
};

struct Map {
  double theta = 0, mu = 0;
  int points = 0;
  std::vector<MapCell> cells;  ///< rows from x2 = -1 upwards
};

Map compute_map(double theta, double mu, int points, const StaggeredProjections::Settings& settings) {
  Map map{theta, mu, points, {}};
  StaggeredProjections solver(settings);
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      const Vec2 x(-1 + 2.0 * j / (points - 1), -1 + 2.0 * i / (points - 1));
      const LocalProblem p = make_plane_problem(theta, mu, x);
      VecX r = VecX::Zero(2);
      const SolveReport report = solver.solve(p, r);
      // The thesis' own criterion ends as Stalled here: it is no proof of a solution.
      const bool done = report.status == SolveStatus::Converged ||
                        (settings.relative_change > 0 && report.status == SolveStatus::Stalled);
      map.cells.push_back({done ? report.iterations : -1, report.residual.scaled, coupled_objective(p, r)});
    }
  }
  return map;
}

struct Region {
  int count = 0, converged = 0, most = 0;
  double sum = 0, residual = 0, objective = 0;
  void add(const MapCell& cell) {
    ++count;
    residual = std::max(residual, cell.residual);
    objective = std::max(objective, std::abs(cell.objective));
    if (cell.iterations < 0) return;
    ++converged;
    sum += cell.iterations;
    most = std::max(most, cell.iterations);
  }
  std::string text() const {
    if (count == 0) return "- | - | -";
    const std::string share = converged == count ? "" : fmt::format(" ({} of {})", converged, count);
    return fmt::format("{:.1f}/{}{} | {:.0e} | {:.0e}", converged ? sum / converged : 0.0, most, share, residual,
                       objective);
  }
};

void print_map_row(const Map& map, std::string_view name) {
  Region stick, slide;
  for (int i = 0; i < map.points; ++i) {
    for (int j = 0; j < map.points; ++j) {
      const Vec2 x(-1 + 2.0 * j / (map.points - 1), -1 + 2.0 * i / (map.points - 1));
      if (!(x[1] > 0)) continue;
      (in_generalised_cone(map.theta, map.mu, x) ? stick : slide)
          .add(map.cells[static_cast<std::size_t>(i * map.points + j)]);
    }
  }
  fmt::print("| {:.0f} | {} | {} | {} | {} |\n", map.theta * 180 / pi, map.mu, name, stick.text(), slide.text());
}

/// One panel per map, colour by iterations; runs of one colour in a row are one rectangle of a path.
void write_svg(const std::string& file, const std::vector<Map>& maps, int columns) {
  constexpr std::array<int, 8> limits{0, 2, 5, 10, 20, 50, 200, 2000};
  constexpr std::array<const char*, 9> colours{"#f4f4f4", "#e3eef9", "#b8d6ee", "#84b9dd", "#4f96c7",
                                               "#2b6ca8", "#1b4580", "#0d2350", "#c23b22"};
  const auto colour_of = [&](int iterations) {
    if (iterations < 0) return 8;
    int k = 0;
    while (k < 7 && iterations > limits[static_cast<std::size_t>(k)]) ++k;
    return k;
  };
  const int n = maps[0].points, cell = 2, panel = cell * n, gap = 26, left = 10;
  const int rows = (static_cast<int>(maps.size()) + columns - 1) / columns;
  const int width = left + columns * (panel + 14), height = rows * (panel + gap) + 46;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const Map& map = maps[m];
    const int x0 = left + static_cast<int>(m) % columns * (panel + 14),
              y0 = static_cast<int>(m) / columns * (panel + gap);
    out += fmt::format("<text x=\"{}\" y=\"{}\">θ = {:.0f}°, μ = {}</text>", x0, y0 + 16, map.theta * 180 / pi, map.mu);
    out += fmt::format("<g transform=\"translate({},{})\">\n", x0, y0 + 22);
    std::array<std::string, 9> paths;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n;) {
        const auto at = [&](int k) {
          return colour_of(map.cells[static_cast<std::size_t>((n - 1 - i) * n + k)].iterations);
        };
        const int colour = at(j);
        int end = j + 1;
        while (end < n && at(end) == colour) ++end;
        paths[static_cast<std::size_t>(colour)] +=
            fmt::format("M{} {}h{}v{}h-{}z", cell * j, cell * i, cell * (end - j), cell, cell * (end - j));
        j = end;
      }
    }
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (!paths[k].empty()) out += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", colours[k], paths[k]);
    // Edges of the generalised friction cone n +- mu d, as far as the panel goes.
    for (const double sign : {1.0, -1.0}) {
      const Vec2 edge(sign * map.mu * std::sin(map.theta), 1 + sign * map.mu * std::cos(map.theta));
      const Vec2 end = edge * (0.5 * panel / edge.cwiseAbs().maxCoeff());
      out += fmt::format("<path stroke=\"#000\" d=\"M{0} {0}L{1:.1f} {2:.1f}\"/>", panel / 2, 0.5 * panel + end[0],
                         0.5 * panel - end[1]);
    }
    out += "</g>\n";
  }
  constexpr std::array<const char*, 9> words{"feasible", "≤2", "≤5", "≤10", "≤20", "≤50", "≤200", "≤2000", "none"};
  for (std::size_t k = 0; k < words.size(); ++k) {
    const int x = left + static_cast<int>(k) * 62, y = height - 30;
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n", x, y,
        colours[k], x + 15, y + 10, words[k]);
  }
  std::ofstream(file) << out << "</svg>\n";
}

void run_maps(int points, const std::string& svg) {
  StaggeredProjections::Settings thesis = thesis_settings();
  thesis.tolerance = 1e-15;
  thesis.relative_change = 1e-7;
  thesis.max_iterations = 2000;
  StaggeredProjections::Settings ours;
  ours.tolerance = 1e-10;
  ours.max_iterations = 2000;
  fmt::print(
      "| angle | mu | variant | stick: mean/max | residual | objective | slide: mean/max | residual | objective "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Map> pictures;
  for (const double theta : {2 * pi / 3, pi / 5, pi / 9}) {
    for (const double mu : {0.4, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5}) {
      const Map map = compute_map(theta, mu, points, thesis);
      print_map_row(map, "thesis");
      print_map_row(compute_map(theta, mu, points, ours), "default");
      if (mu == 0.4 || mu == 0.8 || mu == 1.2 || mu == 2.5) pictures.push_back(map);
    }
  }
  for (const double theta : {1e-300, pi / 2}) print_map_row(compute_map(theta, 0.8, points, thesis), "thesis");
  if (!svg.empty()) write_svg(svg, pictures, 4);
}

// ---- Card houses: rows of leaning pairs with cards between the rows
// ----------------------------------------------------

constexpr double card_length = 0.088, card_width = 0.063, card_mass = 1.8e-3, lean = 25 * pi / 180, gravity = 9.81;
constexpr double time_step = 1e-3;

class CardHouse {
 public:
  explicit CardHouse(int levels, double mu) : mu_(mu) {
    const double a = card_length * std::sin(lean), height = card_length * std::cos(lean);
    std::vector<int> shelf;  // cards between the row below and this one
    for (int level = 0; level < levels; ++level) {
      const double z = level * height;
      std::vector<std::array<int, 2>> pairs;
      for (int j = 0; j < levels - level; ++j) {
        const double apex = (level + 2 * j) * a;
        const int first = add_card({apex - a / 2, 0, z + height / 2}, lean);
        const int second = add_card({apex + a / 2, 0, z + height / 2}, -lean);
        const int below = level > 0 ? shelf[static_cast<std::size_t>(j)] : -1;
        add_contacts(first, below, {apex - a, 0, z}, Vec3::UnitZ());
        add_contacts(second, below, {apex + a, 0, z}, Vec3::UnitZ());
        add_contacts(first, second, {apex, 0, z + height}, -Vec3::UnitX());
        pairs.push_back({first, second});
      }
      shelf.clear();
      for (int j = 0; j + 1 < levels - level; ++j) {
        const double middle = (level + 2 * j + 1) * a;
        shelf.push_back(add_card({middle, 0, z + height}, pi / 2));
        for (int side = 0; side < 2; ++side)
          for (const int card : pairs[static_cast<std::size_t>(j + side)])
            add_contacts(shelf.back(), card, {middle + (2 * side - 1) * a, 0, z + height}, Vec3::UnitZ());
      }
    }
    problem_.block_count = static_cast<int>(centre_.size());
  }
  const PairProblem& problem() const { return problem_; }
  /// Weight of all cards over a step [N s].
  double weight() const { return static_cast<double>(centre_.size()) * card_mass * gravity * time_step; }

 private:
  int add_card(const Vec3& centre, double angle) {
    // Thin plate: length along (sin, 0, cos) of the angle, width along y.
    const double L = card_length * card_length / 12, w = card_width * card_width / 12;
    Mat3 axes;
    axes.col(0) = Vec3(std::sin(angle), 0, std::cos(angle));
    axes.col(1) = Vec3::UnitY();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    const Vec3 roots = (card_mass * Vec3(w, L, L + w)).cwiseSqrt().cwiseInverse();
    centre_.push_back(centre);
    inverse_root_.push_back(axes * roots.asDiagonal() * axes.transpose());
    return static_cast<int>(centre_.size()) - 1;
  }

  /// The two ends of a line contact across the width; `second` -1: the ground.
  void add_contacts(int first, int second, const Vec3& middle, const Vec3& normal) {
    const Mat3 frame = contact_frame(normal);
    for (const double y : {-0.5 * card_width, 0.5 * card_width}) {
      const Vec3 point = middle + y * Vec3::UnitY();
      const auto turning = [&](int body) {
        const Vec3 arm = point - centre_[static_cast<std::size_t>(body)];
        Mat3 G;
        for (int k = 0; k < 3; ++k) G.row(k) = arm.cross(Vec3(frame.row(k)));
        return Mat3(G * inverse_root_[static_cast<std::size_t>(body)]);
      };
      PairBlock c;
      c.first = first;
      c.second = second;
      c.D = frame / std::sqrt(card_mass);
      c.G1 = turning(first);
      c.G2.setZero();
      if (second >= 0) c.beta = -1, c.G2 = -turning(second);
      c.mu = mu_;
      c.b = second < 0 ? Vec3(frame * Vec3(0, 0, -gravity * time_step)) : Vec3::Zero();
      problem_.blocks.push_back(c);
    }
  }

  double mu_;
  std::vector<Vec3> centre_;
  std::vector<Mat3> inverse_root_;
  PairProblem problem_;
};

void run_card_house(int levels, Solver& solver, std::string_view name) {
  const CardHouse house(levels, 0.8);
  const LocalProblem p = to_local(house.problem());
  VecX r = VecX::Zero(p.b.size());
  const SolveReport cold = solver.solve(p, r);
  // The next step of a house at rest is the same problem: friction as the warm start, normal impulses forgotten.
  VecX again = r;
  for (int i = 0; i < p.size(); ++i) again[p.offset[static_cast<std::size_t>(i)]] = 0;
  const SolveReport warm = solver.solve(p, again);
  const double fastest = p.velocity(r).cwiseAbs().maxCoeff() / (gravity * time_step);
  fmt::print("| {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {} | {:.4f} | {} |\n", levels, p.size(), name,
             to_string(cold.status), cold.residual.scaled,
             coupled_objective(p, r) / (house.weight() * gravity * time_step), fastest, cold.iterations, cold.seconds,
             warm.iterations);
}

void run_card_houses(int most_levels, double seconds, const std::vector<std::string>& names) {
  fmt::print(
      "\n| levels | contacts | least angle [deg] | rank of contact | rank of friction |\n|---|---|---|---|---|\n");
  for (int levels = 1; levels <= most_levels; ++levels) {
    const LocalProblem p = to_local(CardHouse(levels, 0.8).problem());
    const SubspaceAngle s = minimum_principal_angle(p);
    fmt::print("| {} | {} | {:.2e} | {} | {} |\n", levels, p.size(), s.angle * 180 / pi, s.contact_rank,
               s.friction_rank);
  }
  fmt::print(
      "\n| levels | contacts | solver | status | residual | objective (5.32) | largest U / g h | iterations | seconds "
      "| "
      "iterations, warm |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int levels = 1; levels <= most_levels; ++levels) {
    const auto limit = [&](StaggeredProjections::Settings s) {
      s.max_seconds = seconds;
      s.max_iterations = 20000;
      return s;
    };
    StaggeredProjections::Settings polygon = limit(thesis_settings());
    polygon.friction = StaggeredProjections::Friction::Polygon;
    StaggeredProjections thesis(limit(thesis_settings())), octagon(polygon), ours(limit({}));
    run_card_house(levels, octagon, "staggered-projections, thesis, octagon");
    run_card_house(levels, thesis, "staggered-projections, thesis, disc");
    run_card_house(levels, ours, "staggered-projections");
    for (const std::string& name : names) {
      const std::size_t colon = name.find(':');
      ParameterValues values;
      const auto known = solvers().find(name.substr(0, colon)).parameters();
      for (const ParameterInfo& info : known)
        if (info.name == "max_seconds") values["max_seconds"] = fmt::format("{}", seconds);
      std::size_t at = colon;
      while (at != std::string::npos) {
        const std::size_t next = name.find(',', at + 1), equals = name.find('=', at);
        if (equals == std::string::npos) throw Error("'{}': expected SOLVER:key=value,...", name);
        values[name.substr(at + 1, equals - at - 1)] =
            name.substr(equals + 1, next == std::string::npos ? next : next - equals - 1);
        at = next;
      }
      run_card_house(levels, *solvers().make(name.substr(0, colon), values), name);
    }
  }
}

}  // namespace
}  // namespace cairn

int main(int argc, char** argv) {
  using namespace cairn;
  std::string svg;
  int points = 61, levels = 4;
  double seconds = 20;
  std::vector<std::string> names;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      const bool has_value = i + 1 < argc;
      if (argument == "--svg" && has_value) {
        svg = argv[++i];
      } else if (argument == "--points" && has_value) {
        points = static_cast<int>(parse_real(argument, argv[++i]));
      } else if (argument == "--levels" && has_value) {
        levels = static_cast<int>(parse_real(argument, argv[++i]));
      } else if (argument == "--seconds" && has_value) {
        seconds = parse_real(argument, argv[++i]);
      } else if (argument.starts_with("-")) {
        fmt::print(stderr,
                   "usage: convergence_maps [--svg FILE] [--points N] [--levels N] [--seconds S] [SOLVER]...\n");
        return 2;
      } else {
        solvers().find(argument.substr(0, argument.find(':')));
        names.push_back(argument);
      }
    }
    if (names.empty())
      for (const auto& entry : solvers().entries())
        if (entry.name != "staggered-projections") names.push_back(entry.name);
    if (points > 1) run_maps(points, svg);
    run_card_houses(levels, seconds, names);
  } catch (const Error& error) {
    fmt::print(stderr, "convergence_maps: {}\n", error.what());
    return 2;
  }
}
