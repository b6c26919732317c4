// SPDX-License-Identifier: Apache-2.0
// Stepping a model and keeping its accounts.
#include "cairn/sim/simulation.h"

#include "cairn/base/text.h"
#include "cairn/sim/assembly.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

/// Refuses a solver that does not know a law the model can ask for, before the first step and by the law's place.
void check_laws(const Model& model, const Solver& solver) {
  const System& system = model.system();
  const auto refuse = [&](const ConstraintLaw& law, const std::string& place) {
    if (!solver.supports(law))
      throw Error("solver '{}' does not know the law '{}' of {}; {} do", solver.name(), law_name(law.kind), place,
                  join(solvers_of_law(law)));
  };
  std::vector<int> used(static_cast<std::size_t>(system.materials.size()), 0);  // colliders of each material
  for (const MaterialId material : system.collider_material) ++used[static_cast<std::size_t>(material.value)];
  for (int a = 0; a < system.materials.size(); ++a)
    for (int b = a; b < system.materials.size(); ++b) {
      if (used[static_cast<std::size_t>(a)] < (a == b ? 2 : 1) || used[static_cast<std::size_t>(b)] == 0) continue;
      const ContactLaw& law = system.materials.pair(MaterialId{a}, MaterialId{b});
      refuse({.kind = law.kind,
              .mu = law.friction,
              .mu_rolling = law.rolling_friction,
              .mu_2 = law.friction_2,
              .mu_spinning = law.spinning_friction,
              .limit = law.limit},
             fmt::format("contacts of '{}' and '{}'", system.materials[MaterialId{a}].name,
                         system.materials[MaterialId{b}].name));
    }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    if (const CoordinateLaw& law = system.coordinate_laws[l]; law.force < std::numeric_limits<double>::infinity())
      refuse({.kind = LawKind::Interval, .lower = -law.force, .upper = law.force},
             fmt::format("'{}'", model.coordinate_law_name(static_cast<int>(l))));
}

}  // namespace

std::int64_t step_count(double duration, double h) {
  return static_cast<std::int64_t>(std::ceil(duration / h * (1 - 1e-12) - 1e-9));
}

Simulation::Simulation(Model model, std::unique_ptr<Stepper> stepper)
    : model_(std::move(model)), stepper_(std::move(stepper)) {
  const RunSettings& run = model_.run;
  if (!(std::isfinite(run.step) && run.step > 0)) throw Error("run: step is {} s; must be > 0", run.step);
  if (!(std::isfinite(run.duration) && run.duration >= 0))
    throw Error("run: duration is {} s; must be >= 0", run.duration);
  if (run.threads < 1 || run.threads > 1024) throw Error("run: threads is {}; must be in [1, 1024]", run.threads);
  if (!stepper_) stepper_ = steppers().make(run.stepper.name, run.stepper.parameters);
  solver_ = solvers().make(run.solver.name, run.solver.parameters);
  check_laws(model_, *solver_);
  state_.motion = initial_motion(model_.system());
  if (run.assemble) {
    assemble_start(model_, state_.motion);
  } else {
    check_start(model_, state_.motion);
  }
  stepper_->check(model_.system(), state_.motion, run.step);
  begin_accounts();
}

void Simulation::restore(const State& state) {
  const System& system = model_.system();
  const auto same = [](std::string_view what, auto found, auto expected) {
    if (static_cast<std::int64_t>(found) != static_cast<std::int64_t>(expected))
      throw Error("the state has {} {}; this model has {}", found, what, expected);
  };
  same("coordinates", state.motion.q.size(), system.bodies.nq());
  same("velocities", state.motion.u.size(), system.bodies.nu());
  same("coordinates of joints", state.motion.s.size(), state_.motion.s.size());
  same("joints that may have broken", state.motion.broken.size(), system.joints.size());
  same("numbers that forces remember", state.motion.memory.size(), state_.motion.memory.size());
  const int colliders = static_cast<int>(system.colliders.size());
  for (const KeptContact& c : state.warm.contacts)
    if (std::min(c.a, c.b) < 0 || std::max(c.a, c.b) >= colliders)
      throw Error("the state has a contact of colliders {} and {}; this model has {}", c.a, c.b, colliders);
  state_ = state;
  summary_.warnings.clear();
  last_step_ = 0;
  begin_accounts();
}

void Simulation::begin_accounts() {
  const Energy now = energy();
  energy_ = now.total();
  checks_.begin(model_, state_.motion, now);
}

void Simulation::set_gravity(const Vec3& gravity) {
  model_.set_gravity(gravity);
  energy_ = energy().total();
}

void Simulation::set_friction(MaterialId a, MaterialId b, double friction) {
  const Materials& materials = model_.system().materials;
  ContactLaw law = materials.pair(a, b);
  law.friction = friction;
  // In the order in which the pair was given, which matters where a law has a direction.
  const bool turned = materials.names_first(b, a) && !materials.names_first(a, b);
  model_.set_contact(materials[turned ? b : a].name, materials[turned ? a : b].name, law);
}

void Simulation::set_target(CoordinateLawId law, double target) {
  if (!std::isfinite(target)) throw Error("target is {}; must be finite", target);
  model_.set_target(law, [target](double) { return target; });
}

void Simulation::set_pull(const std::optional<Pull>& pull) {
  pull_ = pull ? std::make_shared<const Pull>(*pull) : nullptr;
  model_.set_hand(pull_);
}

const Certificate& Simulation::step(double h) {
  const StepReport report =
      stepper_->step(model_.system(), *solver_, h, Threads{model_.run.threads}, state_.motion, state_.warm);
  Certificate& c = certificate_;
  const double before = energy_;
  if (report.status == StepStatus::Done) ++state_.step, last_step_ = h;
  c.time = state_.motion.time;
  c.status = report.status;
  c.solve_status = report.solve.status;
  c.residual = report.solve.residual.scaled;
  c.residual_relative = report.solve.residual.relative;
  c.cone = report.solve.residual.cone;
  c.penetration = report.penetration;
  c.compression = report.compression;
  c.joint_drift = report.joint_drift;
  c.joint_tilt = report.joint_tilt;
  c.parts = report.parts;
  c.reduction = report.reduction;
  c.work = report.work;
  c.energy = energy();
  energy_ = c.energy.total();
  c.numerical = energy_ - before - c.work.total();
  c.contacts = report.contacts;
  c.iterations = report.solve.iterations;
  c.times = report.times;
  c.energy_gain = 0;
  c.warnings = 0;
  if (report.status == StepStatus::Done) checks_.look(model_, state_.motion, c, summary_.warnings);
  summary_.add(c, before, report.status == StepStatus::Done ? h : 0);
  return c;
}

const RunSummary& Simulation::run(double duration, const std::function<bool(const Simulation&)>& after) {
  const std::int64_t steps = step_count(duration, model_.run.step);
  for (std::int64_t i = 0; i < steps; ++i) {
    if (step().status != StepStatus::Done) break;
    if (after && !after(*this)) break;
  }
  return summary_;
}

const std::vector<ContactResult>& Simulation::contacts() const {
  if (state_.step == 0 || summary_.steps == 0) {
    contacts_.clear();
  } else {
    stepper_->contacts(contacts_);
  }
  return contacts_;
}

Vec3 Simulation::position(BodyId body) const { return model_.system().bodies.placement(body.value, state_.motion.q).c; }

Quat Simulation::orientation(BodyId body) const {
  const Bodies::Slot& s = model_.system().bodies.slot(body.value);
  if (s.rigid) return stored_orientation(state_.motion.q, s.q);
  return Quat(model_.system().bodies.rotation({.body = body.value}, state_.motion.q));
}

Vec3 Simulation::velocity(BodyId body) const {
  const Bodies& bodies = model_.system().bodies;
  const PlacedPoint origin = bodies.locate(body.value, state_.motion.q, position(body));
  return bodies.point_velocity(origin, state_.motion.q, state_.motion.u);
}

Vec3 Simulation::angular_velocity(BodyId body) const {
  return model_.system().bodies.spin({.body = body.value}, state_.motion.q, state_.motion.u);
}

Energy Simulation::energy() const {
  const System& system = model_.system();
  Energy sum = system.bodies.energy(state_.motion.q, state_.motion.u, system.gravity);
  sum.elastic += force_energy(system, state_.motion);
  return sum;
}

}  // namespace cairn
