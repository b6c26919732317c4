// SPDX-License-Identifier: Apache-2.0
// What every kind of body answers, each question against another way to find the answer: differences, dense algebra,
// samples. A kind is added to make_kinds() and is held to all of it.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "cairn/base/error.h"
#include "cairn/bodies/affine.h"
#include "cairn/bodies/bar_chain.h"
#include "cairn/bodies/bodies.h"
#include "cairn/bodies/modal.h"
#include "cairn/math/rotation.h"
#include "cairn/math/rotation_schemes.h"

namespace cairn {
namespace {

/// A rigid body by the Body interface: a quaternion in q, so that nothing about its configurations is flat.
class Turning final : public Body {
 public:
  std::string_view kind() const override { return "turning"; }
  int nq() const override { return 7; }
  int nu() const override { return 6; }
  void initial(MutVec q, MutVec u) const override {
    q << 0.3, -0.2, 1, 0.5, 0.5, -0.5, 0.5;
    u << 0.4, 1, -0.3, 0.8, -0.6, 1.1;
  }
  void advance(ConstVec q, ConstVec u, double h, MutVec out) const override {
    out.head<3>() = q.head<3>() + h * u.head<3>();
    store(rotate_by(turn(q), h * u.tail<3>()), out);
  }
  void difference(ConstVec a, ConstVec b, MutVec u) const override {
    u.head<3>() = b.head<3>() - a.head<3>();
    u.tail<3>() = log_rotation((turn(a).conjugate() * turn(b)).normalized());
  }
  double largest_rotation(ConstVec u) const override { return u.tail<3>().norm(); }
  void configuration_rate(ConstVec q, ConstVec u, MutVec rate) const override {
    rate.head<3>() = u.head<3>();
    store(turn(q) * Quat(0, 0.5 * u[3], 0.5 * u[4], 0.5 * u[5]), rate);
  }
  void normalise(MutVec q) const override { q.tail<4>().normalize(); }
  Placement placement(ConstVec q) const override { return {turn(q).toRotationMatrix(), q.head<3>()}; }
  SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override {
    const SparseRows rows = arena.rows(3, 0, 6);
    rows.J().leftCols<3>().setIdentity();
    rows.J().rightCols<3>() = -turn(q).toRotationMatrix() * hat(p.local);
    return rows;
  }
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override {
    const Vec3 omega = at.u.tail<3>(), J(0.2, 0.3, 0.4);
    if (wants(wanted, Terms::Mass)) terms.mass.diagonal() << 2, 2, 2, J;
    if (wants(wanted, Terms::Force)) {
      terms.force.head<3>() = 2 * at.gravity;
      terms.force.tail<3>() = -omega.cross(J.cwiseProduct(omega));
    }
    return BodyStatus::Ok;
  }
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override {
    return {u.head<3>().squaredNorm() + 0.5 * Vec3(0.2, 0.3, 0.4).dot(u.tail<3>().cwiseAbs2()),
            -2 * gravity.dot(q.head<3>()), 0};
  }

 private:
  static Quat turn(ConstVec q) { return Quat(q[3], q[4], q[5], q[6]); }
  static void store(const Quat& r, MutVec q) { q.tail<4>() << r.w(), r.x(), r.y(), r.z(); }
};

/// A mass on a line with a spring that stiffens and a damper: all terms, of one number each.
class Damped final : public Body {
 public:
  static constexpr double mass = 2, spring = 30, cubic = 200, viscosity = 5;
  std::string_view kind() const override { return "damped"; }
  int nq() const override { return 1; }
  int nu() const override { return 1; }
  void initial(MutVec q, MutVec u) const override { q[0] = 0.3, u[0] = -0.8; }
  Placement placement(ConstVec q) const override { return {Mat3::Identity(), Vec3(q[0], 0, 0)}; }
  SparseRows point_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override {
    const SparseRows rows = arena.rows(3, 0, 1);
    rows.J()(0, 0) = 1;
    return rows;
  }
  Mat3 rotation(ConstVec, const MaterialPoint&) const override { return Mat3::Identity(); }
  SparseRows spin_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override { return arena.rows(3, 0, 0); }
  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override {
    const double x = at.q[0];
    if (wants(wanted, Terms::Mass)) terms.mass(0, 0) = mass;
    if (wants(wanted, Terms::Force))
      terms.force[0] = mass * at.gravity.x() - spring * x - cubic * x * x * x - viscosity * at.u[0];
    if (wants(wanted, Terms::Damping)) terms.damping(0, 0) = viscosity, terms.has_damping = true;
    if (wants(wanted, Terms::Stiffness)) {
      terms.material(0, 0) = spring, terms.geometric(0, 0) = 3 * cubic * x * x;
      terms.has_stiffness = true;
    }
    return BodyStatus::Ok;
  }
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override {
    const double x = q[0];
    return {0.5 * mass * u[0] * u[0], -mass * gravity.x() * x, 0.5 * spring * x * x + 0.25 * cubic * x * x * x * x};
  }
};

struct Kind {
  std::string name;
  Bodies bodies;
  VecX q, u;
  std::vector<MaterialPoint> points;  ///< some of its own
  bool exact_means = false;           ///< says the means of a step

  bool rigid() const { return bodies.slot(0).rigid; }
  const Body& body() const { return bodies.general(0); }
  VecX moved(const VecX& way, double h = 1) const {
    VecX out(q.size());
    bodies.advance(q, way, h, out, {});
    return out;
  }
};

const Vec3 modal_half(0.6, 0.4, 0.5);

std::vector<Kind> make_kinds() {
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& name, auto&& put, std::vector<MaterialPoint> points, bool means) {
    Kind& kind = kinds.emplace_back();
    kind.name = name;
    put(kind.bodies);
    kind.bodies.initial(kind.q, kind.u);
    for (MaterialPoint& p : points) p.body = 0;
    kind.points = std::move(points);
    kind.exact_means = means;
  };
  const std::vector<MaterialPoint> solid{{}, {.local = {0.2, -0.1, 0.3}}, {.local = {-0.4, 0.5, 0.1}}};
  add(
      "rigid",
      [](Bodies& bodies) {
        bodies.add_rigid({.mass = 2.5,
                          .inertia = Vec3(0.3, 0.5, 0.6).asDiagonal(),
                          .position = {0.1, -0.2, 0.3},
                          .orientation = Quat(0.8, 0.1, -0.5, 0.2).normalized(),
                          .velocity = {1, 2, -1},
                          .angular_velocity = {0.7, -1.1, 2}});
      },
      solid, false);
  add(
      "affine",
      [](Bodies& bodies) {
        AffineSpec spec;
        spec.shape = Box{Vec3(0.2, 0.3, 0.5)};
        spec.density = 10;
        spec.young = 1e3;
        spec.poisson = 0.3;
        spec.position = {0.4, 0.1, -0.2};
        spec.deformation = Mat3::Identity() + 0.05 * hat({1, 2, 3}) + 0.02 * Mat3::Ones();
        spec.velocity = {-1, 0.5, 2};
        spec.deformation_rate << 0.1, -1, 0.4, 1.2, 0, -0.7, -0.3, 0.6, 0.2;
        bodies.add(std::make_shared<AffineBody>(spec));
      },
      solid, true);
  add(
      "bar_chain",
      [](Bodies& bodies) {
        bodies.add(
            std::make_shared<BarChain>(BarChainSpec{.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 1}},
                                                    .velocities = {{0, 0, 0}, {1, 2, 3}, {-1, 0, 2}, {0.5, -1, 1}},
                                                    .point_mass = {},
                                                    .held = {true, false, false, false},
                                                    .bars = {{0, 1, 1}, {2, 1, 2}, {2, 3, 1.5}}}));
      },
      {{.part = 0, .local = {0.3, 0, 0}}, {.part = 1, .local = {0.6, 0, 0}}, {.part = 2, .local = {0.9, 0, 0}}}, true);
  add(
      "modal",
      [](Bodies& bodies) {
        ModalSpec spec;
        spec.mesh = make_box_tets(modal_half, {2, 1, 1});
        spec.material = {.density = 2, .young = 400, .poisson = 0.3};
        spec.modes = 8;
        spec.mass_damping = 0.3, spec.stiffness_damping = 0.001;
        spec.position = {0.4, 0.1, -0.2};
        spec.orientation = Quat(0.8, 0.1, -0.5, 0.2).normalized();
        spec.velocity = {-1, 0.5, 2}, spec.angular_velocity = {0.7, -1.1, 2};
        spec.amplitude = (VecX(5) << 0.05, -0.03, 0.04, 0.02, -0.03).finished();
        spec.rate = (VecX(6) << 0.3, 0.2, -0.2, 0.1, 0.1, -0.3).finished();
        bodies.add(std::make_shared<ModalBody>(spec));
      },
      {{.part = 0, .local = {0.3, 0.2, 0.1}},
       {.part = 5, .local = {0.1, 0.3, 0.4}},
       {.part = 11, .local = {0.2, 0.5, 0.2}}},
      false);
  add(
      "turning", [](Bodies& bodies) { bodies.add(std::make_shared<Turning>()); }, solid, false);
  add(
      "damped", [](Bodies& bodies) { bodies.add(std::make_shared<Damped>()); }, {{}}, false);
  return kinds;
}

/// f by body at (q, u), and all other terms.
BodyTerms terms_at(const Kind& kind, const VecX& q, const VecX& u) {
  BodyTerms terms;
  kind.bodies.evaluate(0, q, u, 0, Vec3(1, -2, 3), Terms::Force | Terms::Mass | Terms::Damping | Terms::Stiffness,
                       terms);
  return terms;
}

constexpr double d = 1e-6;  // of central differences

TEST(BodyQuestions, rows_of_a_point_are_the_velocity_of_the_material_point) {
  for (const Kind& kind : make_kinds())
    for (const MaterialPoint& p : kind.points) {
      RowArena arena;
      const SparseRows rows = kind.bodies.point_rows(kind.bodies.place(p, kind.q), kind.q, arena);
      EXPECT_TRUE(std::is_sorted(rows.dof.begin(), rows.dof.end())) << kind.name;
      const Vec3 difference =
          (kind.bodies.position(p, kind.moved(kind.u, d)) - kind.bodies.position(p, kind.moved(kind.u, -d))) / (2 * d);
      EXPECT_LT((rows.times(kind.u) - difference).norm(), 1e-8) << kind.name;
      EXPECT_LT((kind.bodies.point_velocity(kind.bodies.place(p, kind.q), kind.q, kind.u) - difference).norm(), 1e-8)
          << kind.name;
    }
}

TEST(BodyQuestions, rows_of_spin_are_the_angular_velocity_of_the_rotation) {
  for (const Kind& kind : make_kinds())
    for (const MaterialPoint& p : kind.points) {
      const Mat3 R = kind.bodies.rotation(p, kind.q);
      const Mat3 rate =
          (kind.bodies.rotation(p, kind.moved(kind.u, d)) - kind.bodies.rotation(p, kind.moved(kind.u, -d))) / (2 * d);
      EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-13) << kind.name;
      EXPECT_LT((rate - hat(kind.bodies.spin(p, kind.q, kind.u)) * R).norm(), 1e-8) << kind.name;
    }
}

TEST(BodyQuestions, forces_and_torques_have_the_power_of_their_points) {
  const Vec3 f(1, -2, 3);
  for (const Kind& kind : make_kinds())
    for (const MaterialPoint& p : kind.points) {
      const PlacedPoint at = kind.bodies.place(p, kind.q);
      VecX force = VecX::Zero(kind.bodies.nu()), torque = force;
      kind.bodies.add_point_force(at, kind.q, f, force);
      kind.bodies.add_torque(p, kind.q, f, torque);
      EXPECT_NEAR(force.dot(kind.u), f.dot(kind.bodies.point_velocity(at, kind.q, kind.u)), 1e-12) << kind.name;
      EXPECT_NEAR(torque.dot(kind.u), f.dot(kind.bodies.spin(p, kind.q, kind.u)), 1e-12) << kind.name;
    }
}

TEST(BodyQuestions, locate_is_the_inverse_of_position) {
  for (const Kind& kind : make_kinds()) {
    const VecX q = kind.moved(kind.u, 0.2);
    for (const MaterialPoint& p : kind.points) {
      const Vec3 x = kind.bodies.position(p, q);
      const PlacedPoint found = kind.bodies.locate(0, q, x);
      EXPECT_EQ(found.body, 0) << kind.name;
      EXPECT_EQ(found.part, p.part) << kind.name;
      EXPECT_LT((found.local - p.local).norm(), 1e-13) << kind.name;
      EXPECT_LT((kind.bodies.position(found, q) - x).norm(), 1e-13) << kind.name;
    }
  }
}

TEST(BodyQuestions, difference_and_advance_are_inverse_to_each_other) {
  for (const Kind& kind : make_kinds()) {
    const VecX there = kind.moved(kind.u, 0.9);
    VecX way;
    kind.bodies.difference(kind.q, there, way);
    EXPECT_LT((way - 0.9 * kind.u).norm(), 1e-13) << kind.name;
    EXPECT_LT((kind.moved(way) - there).norm(), 1e-13) << kind.name;
    const bool turns = kind.name == "rigid" || kind.name == "turning";
    if (kind.name == "modal")  // by its angular momentum: about as much
      EXPECT_NEAR(kind.bodies.largest_rotation(way) / (0.9 * Vec3(0.7, -1.1, 2).norm()), 1, 0.3);
    else
      EXPECT_NEAR(kind.bodies.largest_rotation(way), turns ? way.tail<3>().norm() : 0, 1e-15) << kind.name;
  }
}

TEST(BodyQuestions, rate_of_the_configuration_is_that_of_a_short_move_and_stays_on_the_manifold) {
  for (const Kind& kind : make_kinds()) {
    VecX rate;
    kind.bodies.rate_of_configuration(kind.q, kind.u, rate);
    EXPECT_LT((rate - (kind.moved(kind.u, d) - kind.moved(kind.u, -d)) / (2 * d)).norm(), 1e-8) << kind.name;
    // Off the manifold by what an integrator of dq/dt leaves, and back.
    VecX q = kind.q + 0.1 * rate;
    kind.bodies.normalise(q);
    VecX way;
    kind.bodies.difference(kind.q, q, way);
    EXPECT_LT((kind.moved(way) - q).norm(), 1e-13) << kind.name;
  }
}

TEST(BodyQuestions, reach_bounds_every_point_on_its_way) {
  std::mt19937 random(3);
  std::normal_distribution<double> draw;
  for (const Kind& kind : make_kinds())
    for (const double h : {0.01, 0.3}) {
      constexpr double radius = 0.7;
      const double bound = h * kind.bodies.speed_bound(0, kind.q, kind.u, h, radius);
      for (int i = 0; i < 50; ++i) {
        MaterialPoint p = kind.points[static_cast<std::size_t>(i) % kind.points.size()];
        p.local = kind.name == "bar_chain" ? Vec3(i / 50.0, 0, 0)
                                           : Vec3(radius * Vec3(draw(random), draw(random), draw(random)).normalized());
        if (kind.name == "modal")  // within its mesh
          p = kind.bodies.reference_point(0, p.local.cwiseMin(modal_half).cwiseMax(-modal_half));
        const Vec3 start = kind.bodies.position(p, kind.q);
        for (const double t : {0.2, 0.5, 1.0})
          EXPECT_LE((kind.bodies.position(p, kind.moved(kind.u, t * h)) - start).norm(), bound * (1 + 1e-12))
              << kind.name;
      }
    }
}

TEST(BodyQuestions, stiffness_and_damping_are_the_changes_of_the_force) {
  for (const Kind& kind : make_kinds()) {
    if (kind.rigid()) continue;
    const BodyTerms terms = terms_at(kind, kind.q, VecX::Zero(kind.u.size()));  // at rest: no gyroscopic terms
    MatX K = MatX::Zero(kind.u.size(), kind.u.size()), D = K;
    for (Eigen::Index j = 0; j < kind.u.size(); ++j) {
      const VecX e = VecX::Unit(kind.u.size(), j), still = VecX::Zero(kind.u.size());
      K.col(j) =
          (terms_at(kind, kind.moved(e, -d), still).force - terms_at(kind, kind.moved(e, d), still).force) / 2 / d;
      D.col(j) = (terms_at(kind, kind.q, -d * e).force - terms_at(kind, kind.q, d * e).force) / (2 * d);
    }
    EXPECT_LT((terms.material + terms.geometric - K).norm(), 1e-7 * (1 + K.norm())) << kind.name;
    EXPECT_LT((terms.damping - D).norm(), 1e-7 * (1 + D.norm())) << kind.name;
    EXPECT_EQ(terms.has_stiffness, !K.isZero(1e-9)) << kind.name;
    EXPECT_EQ(terms.has_damping, !D.isZero(1e-9)) << kind.name;
  }
}

TEST(BodyQuestions, force_at_rest_is_the_slope_of_the_energy_and_the_kinetic_energy_that_of_the_mass) {
  const Vec3 gravity(1, -2, 3);
  for (const Kind& kind : make_kinds()) {
    if (kind.rigid()) continue;
    const VecX still = VecX::Zero(kind.u.size());
    const BodyTerms terms = terms_at(kind, kind.q, still);
    for (Eigen::Index j = 0; j < kind.u.size(); ++j) {
      const VecX e = VecX::Unit(kind.u.size(), j);
      const double slope = (kind.bodies.energy(kind.moved(e, d), still, gravity).total() -
                            kind.bodies.energy(kind.moved(e, -d), still, gravity).total()) /
                           (2 * d);
      EXPECT_NEAR(terms.force[j], -slope, 1e-6 * (1 + std::abs(slope))) << kind.name << " " << j;
    }
    EXPECT_NEAR(kind.bodies.energy(kind.q, kind.u, gravity).kinetic, 0.5 * kind.u.dot(terms.mass * kind.u), 1e-12)
        << kind.name;
  }
}

TEST(BodyQuestions, stiffness_of_a_force_at_a_point_is_how_its_rows_turn) {
  const Vec3 f(2, -1, 3);
  for (const Kind& kind : make_kinds()) {
    if (kind.rigid()) continue;
    const auto n = kind.u.size();
    for (const MaterialPoint& p : kind.points) {
      MatX K = MatX::Zero(n, n), K_expected = K;
      Mat3X change = Mat3X::Zero(3, n), change_expected = change;
      kind.body().add_force_stiffness(kind.q, p, f, K);
      kind.body().velocity_change(kind.q, kind.u, p, change);
      RowArena arena;
      for (Eigen::Index j = 0; j < n; ++j) {
        const VecX e = VecX::Unit(n, j);
        const auto rows = [&](double h) {
          const VecX q = kind.moved(e, h);
          return kind.body().point_rows(q, p, arena).dense(static_cast<int>(n));
        };
        const MatX slope = (rows(1e-5) - rows(-1e-5)) / 2e-5;
        K_expected.col(j) = -slope.transpose() * f;
        change_expected.col(j) = slope * kind.u;
      }
      EXPECT_LT((K - K_expected).norm(), 1e-8) << kind.name;
      EXPECT_LT((change - change_expected).norm(), 1e-8) << kind.name;
    }
  }
}

TEST(BodyQuestions, mass_operator_solves_with_the_whole_matrix) {
  for (const Kind& kind : make_kinds()) {
    if (kind.rigid()) continue;
    const BodyTerms terms = terms_at(kind, kind.q, kind.u);
    const auto n = kind.u.size();
    const MatX A = terms.mass + 0.1 * terms.damping + 0.003 * (terms.material + terms.geometric);
    const std::unique_ptr<MassOperator> mass = kind.body().make_mass();
    ASSERT_EQ(mass->set(terms, 0.1, 0.003), BodyStatus::Ok) << kind.name;
    EXPECT_EQ(mass->size(), n);
    VecX y(n);
    mass->multiply(kind.u, y);
    EXPECT_LT((y - A * kind.u).norm(), 1e-12 * y.norm()) << kind.name;
    MatX X = y;
    mass->solve(X);
    EXPECT_LT((X - kind.u).norm(), 1e-11 * kind.u.norm()) << kind.name;
    // Rows that a contact asks for, seen by the velocities of another.
    RowArena arena;
    const SparseRows H = kind.body().point_rows(kind.q, kind.points.front(), arena),
                     seen = kind.body().point_rows(kind.q, kind.points.back(), arena);
    MatX Y(static_cast<Eigen::Index>(seen.dof.size()), 3);
    mass->solve_rows(H, seen.dof, Y);
    const MatX W = A.ldlt().solve(H.dense(static_cast<int>(n)).transpose());
    EXPECT_LT((seen.J() * Y - seen.dense(static_cast<int>(n)) * W).norm(), 1e-10) << kind.name;
  }
}

TEST(BodyQuestions, means_over_a_step_are_exact) {
  const Vec3 gravity(1, -2, 3);
  for (const Kind& kind : make_kinds()) {
    if (kind.rigid()) continue;
    RowArena arena;
    const VecX end = kind.moved(kind.u, 0.7);
    if (!kind.exact_means) {
      EXPECT_THROW(kind.body().mean_point_rows(kind.q, end, kind.points[0], arena), Error);
      continue;
    }
    VecX way, f(kind.u.size());
    kind.bodies.difference(kind.q, end, way);
    for (const MaterialPoint& p : kind.points) {
      const Vec3 moved = kind.bodies.position(p, end) - kind.bodies.position(p, kind.q);
      EXPECT_LT((kind.body().mean_point_rows(kind.q, end, p, arena).times(way) - moved).norm(), 1e-13) << kind.name;
    }
    kind.body().mean_force(kind.q, end, gravity, f);
    const VecX still = VecX::Zero(kind.u.size());
    const double lost =
        kind.bodies.energy(kind.q, still, gravity).total() - kind.bodies.energy(end, still, gravity).total();
    EXPECT_NEAR(f.dot(way), lost, 1e-11 * (1 + std::abs(lost))) << kind.name;
  }
}

TEST(BodyQuestions, damping_of_a_body_is_in_its_own_account) {
  for (Kind& kind : make_kinds()) {
    if (kind.name != "damped") continue;
    // The energy that a step loses is what the damper says it took, but for the error of the midpoint rule.
    const double h = 1e-3;
    const VecX zero = VecX::Zero(1);
    double damped = 0;
    const Vec3 gravity(1, 0, 0);
    const double before = kind.bodies.energy(kind.q, kind.u, gravity).total();
    FreeMotion free;
    for (int i = 0; i < 500; ++i) {
      const StepContext step{i * h, h, gravity, true};
      const VecX q_mid = kind.moved(kind.u, h / 2);
      VecX q = kind.q, u = kind.u;
      kind.bodies.free_motion(q_mid, kind.u, zero, step, free, {});
      kind.bodies.finish(RotationScheme::New2, q_mid, kind.u, free.u_free, zero, step, free, q, u, {});
      damped += free.damping_work;
      kind.q = q, kind.u = u;
    }
    const double lost = before - kind.bodies.energy(kind.q, kind.u, gravity).total();
    EXPECT_GT(lost, 0.5);
    EXPECT_NEAR(-damped, lost, 1e-4 * lost);
    EXPECT_LT(kind.bodies.accelerations(kind.q, kind.u, zero, 0, gravity, free), 0);
  }
}

TEST(BodyQuestions, what_is_not_flat_must_say_how_it_moves) {
  class Silent final : public Body {
   public:
    std::string_view kind() const override { return "silent"; }
    int nq() const override { return 2; }
    int nu() const override { return 1; }
    void initial(MutVec q, MutVec u) const override { q.setZero(), u.setZero(); }
    Placement placement(ConstVec) const override { return {}; }
    SparseRows point_rows(ConstVec, const MaterialPoint&, RowArena& arena) const override {
      return arena.rows(3, 0, 0);
    }
    BodyStatus evaluate(const BodyState&, Terms, BodyTerms&) const override { return BodyStatus::Ok; }
    Energy energy(ConstVec, ConstVec, const Vec3&) const override { return {}; }
  };
  Bodies bodies;
  EXPECT_THROW(bodies.add(std::make_shared<Silent>()), Error);
}

}  // namespace
}  // namespace cairn
