// SPDX-License-Identifier: Apache-2.0
// B34: an elevator's cable that is wound up and let off under different loads keeps the stretch it was wound with
// (Studer 2009, 7.6.5): A = 78 mm^2, 20 m, E = 210 GPa, 7900 kg/m^3, viscosity 2.5e7 Pa s, no gravity.
//
// Masses on a line, each a body of one coordinate, with stiff and damped rods between them. The first is the reel,
// which moves as told; friction without a limit ties to it every mass that is above the height of the reel. Reference:
// statics. Cable wound under F stays stretched by F/(E A); the rest hangs under the present load.
#include "cases.h"
#include "measure.h"

#include <cmath>

namespace cairn::validation {
namespace {

constexpr double area = 7.8e-5, length = 20, density = 7900, young = 210e9, viscosity = 2.5e7;

/// A mass that moves along z.
class Bead final : public Body {
 public:
  Bead(double mass, double height) : mass_(mass), height_(height) {}
  std::string_view kind() const override { return "bead"; }
  int nq() const override { return 1; }
  int nu() const override { return 1; }
  void initial(MutVec q, MutVec u) const override { q[0] = height_, u[0] = 0; }
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override {
    if (wants(wanted, Terms::Mass)) terms.mass(0, 0) = mass_;
    if (wants(wanted, Terms::Force)) terms.force[0] = mass_ * at.gravity.z();
    return BodyStatus::Ok;
  }
  SparseRows point_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override {
    const SparseRows rows = arena.rows(3, 0, 1);
    rows.J()(2, 0) = 1;
    return rows;
  }
  Placement placement(ConstVec q) const override { return {Mat3::Identity(), Vec3(0, 0, q[0])}; }
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override {
    Energy e;
    e.kinetic = 0.5 * mass_ * u[0] * u[0];
    e.gravity = -mass_ * gravity.z() * q[0];
    return e;
  }

 private:
  double mass_, height_;
};

/// Height and speed of the reel's end of the cable: up 6.3 m, up 6.3 m, down 12.6 m at 3 m/s, with ramps of 20 ms for
/// the jumps of the source.
double reel_speed(double t) {
  const auto begun = [t](double at) { return std::clamp((t - at) / 0.02 + 0.5, 0.0, 1.0); };
  return 3 * (begun(0.2) - begun(2.3) + begun(2.7) - begun(4.8) - begun(5.2) + begun(9.4));
}
double reel_height(double t) {
  const auto during = [t](double from, double to) { return std::clamp(t - from, 0.0, to - from); };
  return 3 * (during(0.2, 2.3) + during(2.7, 4.8) - during(5.2, 9.4));
}
double load(double t) {
  if (t >= 0.005 && t < 2.4) return 12e3;
  return t >= 4.9 && t < 9.5 ? 2e3 : 0;
}

struct Run {
  std::vector<double> stretch;  ///< end of the cable against the reel at the given times [m]
  Track end;
};

Run wind(int n, double h, const std::vector<double>& times, CaseResult& result) {
  const double dx = length / n;
  Model model;
  model.set_gravity(Vec3::Zero());
  model.run.step = h;
  set_tolerance(model, 1e-9);
  // A motor moves the first node, so that it steps as the others do.
  constexpr double ceiling = 100;
  model.add_body({.name = "node 0", .body = std::make_shared<Bead>(density * dx * area, 0)});
  model.add_joint({.kind = JointKind::Distance,
                   .name = "reel",
                   .body_a = "node 0",
                   .position = Vec3::Zero(),
                   .second_position = Vec3(0, 0, ceiling),
                   .sense = JointSense::Free});
  model.add_coordinate_law({.kind = CoordinateLawKind::Motor, .terms = {{.joint = "reel"}}, .target = [](double t) {
                              return -reel_speed(t);
                            }});
  for (int i = 1; i <= n; ++i) {
    const std::string node = fmt::format("node {}", i), above = fmt::format("node {}", i - 1);
    model.add_body({.name = node, .body = std::make_shared<Bead>(density * dx * area, -i * dx)});
    model.add_joint({.kind = JointKind::Distance,
                     .name = "cable " + node,
                     .body_a = node,
                     .body_b = above,
                     .position = {0, 0, -i * dx},
                     .second_position = Vec3(0, 0, -(i - 1) * dx),
                     .stiffness = young * area / dx,
                     .damping = viscosity * area / dx});
  }
  for (int i = 1; i <= n; ++i) {
    const std::string node = fmt::format("node {}", i), tie = "tie " + node;
    model.add_joint({.kind = JointKind::Distance,
                     .name = tie,
                     .body_a = node,
                     .body_b = "node 0",
                     .position = {0, 0, -i * dx},
                     .second_position = Vec3::Zero(),
                     .sense = JointSense::Free});
    model.add_coordinate_law(
        {.kind = CoordinateLawKind::Friction,
         .terms = {{.joint = tie}},
         .own_force = [](double t, double below, double) { return reel_height(t) > below ? 1e7 : 0.0; }});
  }
  const std::string last = fmt::format("node {}", n);
  model.add_load({.body = last, .force = [](double t) { return Vec3(0, 0, -load(t)); }});
  Simulation simulation(model);
  Run run;
  run.stretch.assign(times.size(), 0);
  const BodyId reel = model.body("node 0"), end = model.body(last);
  simulation.run(9.6, [&](const Simulation& s) {
    const double t = s.state().time(), x = s.position(end).z() - s.position(reel).z() + length;
    run.end.add(t, 1e3 * x, 0);
    for (std::size_t k = 0; k < times.size(); ++k)
      if (t <= times[k] + h / 2) run.stretch[k] = x;
    return true;
  });
  record(result, fmt::format("{} nodes", n), simulation);
  return run;
}

}  // namespace

CaseResult run_elevator(Effort effort) {
  CaseResult result;
  const int n = effort == Effort::Full ? 100 : 10;
  const double dx = length / n;
  // Parts of the cable wound at the stops: nodes above the reel, those wound first stretched by 12 kN.
  const auto strain = [](double F) { return F / (young * area); };
  const int first = static_cast<int>(6.3 / (dx * (1 + strain(12e3))));
  const int second = static_cast<int>((12.6 - first * dx * strain(12e3)) / dx - 1e-9);
  const auto stretched = [&](int wound1, double F, int hanging) {
    return -dx * (wound1 * strain(12e3) + hanging * strain(F));
  };
  const std::vector<double> times{0.19, 2.69, 5.19, 7.29, 9.39};
  const double expected[] = {stretched(0, 12e3, n), stretched(first, 0, n - first), stretched(first, 2e3, n - second),
                             stretched(first, 2e3, n - first), stretched(0, 2e3, n)};
  const double source[] = {-14.65e-3, -4.60e-3, -5.59e-3, -6.27e-3, -2.37e-3};
  const char* names[] = {"12 kN", "unloaded at 6.3 m", "2 kN at 12.6 m", "2 kN, passing 6.3 m", "2 kN, down again"};
  Study study(4e-3);
  Plot history{.title = "End of the cable against the reel", .x_label = "t [s]", .y_label = "[mm]", .series = {}};
  for (const double h : study.steps()) {
    const Run run = wind(n, h, times, result);
    for (std::size_t k = 0; k < times.size(); ++k) study.add(names[k], run.stretch[k]);
    if (h == study.steps().back()) history.series.push_back(run.end.series("end"));
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    Quantity q = study.check(names[k], {expected[k], 1e-4, false, {}, "m"});
    q.name = fmt::format("stretch, {}", names[k]);
    result.quantities.push_back(q);
    result.quantities.push_back(check(fmt::format("stretch, {}, against the re-run of the source", names[k]), q.got,
                                      {source[k], n == 100 ? 2e-4 : 6e-4, false, {}, "m"}));
  }
  result.plots = {history};
  result.notes = fmt::format(
      "{} parts. The source runs 100 nodes explicitly with steps of 1 us; the rods here are implicit, so that 1 ms "
      "will do "
      "for the slow motion, and waves in the cable are damped away. The node whose place is that of the reel's height "
      "at "
      "12.6 m is not tied, as in the re-run (the book ties it).",
      n);
  return result;
}

}  // namespace cairn::validation
