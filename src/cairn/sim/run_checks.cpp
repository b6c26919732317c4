// SPDX-License-Identifier: Apache-2.0
// Warnings of a run: see the header.
#include "cairn/sim/run_checks.h"

#include "cairn/assembly/joint_step.h"
#include "cairn/geometry/aabb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double allowed = 0.01;  // of the scale of the scene, of the smaller body

/// Diameter: of the shape's bounding sphere, or of the solid ball with the body's mass and moments of inertia.
double size_of(const Model& model, int body) {
  if (body < 0) return infinite;
  const System& system = model.system();
  if (const int first = model.collider_of(body); first >= 0) {
    double radius = 0;
    for (std::size_t k = 0; k < model.colliders_of(body).size(); ++k)
      radius = std::max(radius, system.collider_radius[static_cast<std::size_t>(first) + k]);
    return radius > 0 ? 2 * radius : infinite;
  }
  const Bodies::Slot& slot = system.bodies.slot(body);
  if (!slot.rigid || slot.mobility != BodyMobility::Dynamic) return infinite;
  return 2 * std::sqrt(system.bodies.inertia(body).trace() / (1.2 * system.bodies.mass(body)));
}

/// Sum of m g over all bodies: half of m g^2 is the kinetic energy of what has fallen for one second.
double weight(const Bodies& bodies, const Motion& motion, const Vec3& gravity) {
  if (gravity.norm() == 0) return 0;
  const VecX rest = VecX::Zero(bodies.nu());
  FreeMotion falling, floating;
  bodies.accelerations(motion.q, rest, rest, motion.time, gravity, falling);
  bodies.accelerations(motion.q, rest, rest, motion.time, Vec3::Zero(), floating);
  const VecX fall = falling.u_free - floating.u_free;
  const double sum = 2 * bodies.energy(motion.q, fall, gravity).kinetic / gravity.norm();
  return std::isfinite(sum) ? sum : 0;  // of a user's body that cannot say: then the scale is without it
}

/// Of the box about all bodies that move.
double diagonal(const Model& model, const Motion& motion) {
  const System& system = model.system();
  Aabb box;
  for (int body = 0; body < model.body_count(); ++body) {
    if (!system.bodies.can_move(body)) continue;
    const Placement at = system.bodies.placement(body, motion.q);
    const double size = size_of(model, body), radius = std::isfinite(size) ? size / 2 : 0;
    for (const Collider& collider : model.colliders_of(body))
      box.merge(compute_aabb(collider.shape, collider.placed(at)));
    if (model.collider_of(body) < 0) {
      box.merge(Aabb{at.c - Vec3::Constant(radius), at.c + Vec3::Constant(radius)});
    }
  }
  return box.is_bounded() ? (box.hi - box.lo).norm() : 0;
}

RunWarning& find_or_add(std::vector<RunWarning>& warnings, RunWarning::Kind kind, const std::string& subject) {
  for (RunWarning& w : warnings)
    if (w.kind == kind && (kind == RunWarning::Kind::EnergyGain || w.subject == subject)) return w;
  warnings.push_back({.kind = kind, .subject = subject});
  return warnings.back();
}

}  // namespace

void RunChecks::begin(const Model& model, const Motion& motion, const Energy& energy) {
  const System& system = model.system();
  *this = {};
  scale_ = energy.kinetic + energy.elastic + weight(system.bodies, motion, system.gravity) * diagonal(model, motion);
  for (const Joint& joint : system.joints)
    joint_limit_.push_back(allowed * std::min(size_of(model, joint.body_a), size_of(model, joint.body_b)));
  least_limit_ = infinite;
  for (const double limit : joint_limit_) least_limit_ = std::min(least_limit_, limit);
}

void RunChecks::look(const Model& model, const Motion& motion, Certificate& certificate,
                     std::vector<RunWarning>& warnings) {
  certificate.warnings = 0;
  look_at_energy(certificate, warnings);
  if (certificate.joint_drift > least_limit_) look_at_joints(model, motion, certificate, warnings);
}

void RunChecks::look_at_energy(Certificate& certificate, std::vector<RunWarning>& warnings) {
  work_ += certificate.work;
  numerical_ += certificate.numerical;
  put_in_ = std::max(put_in_, work_.loads + work_.drive);
  const Energy& e = certificate.energy;
  rounding_ = std::max(rounding_, 1e-12 * (std::abs(e.kinetic) + std::abs(e.gravity) + std::abs(e.elastic)));
  struct Cause {
    const char* name;
    double gain;
  };
  const Cause causes[] = {{"numerical", numerical_},
                          {"contact", std::max(0.0, work_.contact)},
                          {"friction", std::max(0.0, work_.friction)},
                          {"joints", std::max(0.0, work_.joints)},
                          {"damping", std::max(0.0, work_.damping)}};
  double gain = 0;
  for (const Cause& cause : causes) gain += cause.gain;
  if (std::isnan(gain)) gain = infinite;  // the difference of energies past all bounds
  certificate.energy_gain = gain;
  const bool worse = !(gain <= worst_gain_);
  if (worse) worst_gain_ = gain;

  const double scale = scale_ + put_in_, limit = allowed * scale + rounding_;
  if (!(gain <= limit)) certificate.warnings |= RunWarning::energy_flag;
  if (!(worst_gain_ <= limit)) {
    const Cause& largest =
        *std::max_element(std::begin(causes), std::end(causes), [](auto& a, auto& b) { return a.gain < b.gain; });
    RunWarning& w = find_or_add(warnings, RunWarning::Kind::EnergyGain, largest.name);
    if (w.worst == 0) w.time = certificate.time;
    w.limit = allowed * scale;
    w.scale = scale;
    if (worse) w.worst = gain, w.worst_time = certificate.time, w.subject = largest.name;
  } else if (worse || put_in_ > 0) {
    // What was much at first may be little against the work put in since.
    std::erase_if(warnings, [](const RunWarning& w) { return w.kind == RunWarning::Kind::EnergyGain; });
  }
}

void RunChecks::look_at_joints(const Model& model, const Motion& motion, Certificate& certificate,
                               std::vector<RunWarning>& warnings) {
  for (std::size_t j = 0; j < joint_limit_.size(); ++j) {
    const double limit = joint_limit_[j], opening = measure_joint(model.system(), motion, j).drift;
    if (!(opening > limit)) continue;
    certificate.warnings |= RunWarning::joint_flag;
    RunWarning& w = find_or_add(warnings, RunWarning::Kind::OpenJoint, model.joint_name(static_cast<int>(j)));
    if (w.worst == 0) w.time = certificate.time;
    w.limit = limit;
    w.scale = limit / allowed;
    if (opening > w.worst) w.worst = opening, w.worst_time = certificate.time;
  }
}

std::string describe(const RunWarning& w) {
  if (w.kind == RunWarning::Kind::EnergyGain)
    return fmt::format(
        "energy was gained without a cause, from t = {:.4g} s on: {:.4g} J at t = {:.4g} s, {:.3g} times the {:.4g} J "
        "that the scene has to give (most of it: {}); use a shorter step or another stepper",
        w.time, w.worst, w.worst_time, w.scale > 0 ? w.worst / w.scale : infinite, w.scale, w.subject);
  return fmt::format(
      "joint '{}' came apart, from t = {:.4g} s on: by {:.3g} m at t = {:.4g} s, {:.3g} times the smaller of its "
      "bodies "
      "({:.3g} m); use a shorter step or another rule for joints",
      w.subject, w.time, w.worst, w.worst_time, w.worst / w.scale, w.scale);
}

}  // namespace cairn
