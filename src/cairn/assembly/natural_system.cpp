// SPDX-License-Identifier: Apache-2.0
// Bodies and equations in natural coordinates.
#include "cairn/assembly/natural_system.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool is_equality(const CoordinateLaw& law) {
  switch (law.kind) {
    case CoordinateLawKind::Motor:
    case CoordinateLawKind::Servo: return law.force == infinite;
    case CoordinateLawKind::Coupling: return law.sense == JointSense::Both;
    default: return false;
  }
}

/// First and second derivative of a function of time by five points.
std::array<double, 2> differentiate(const std::function<double(double)>& f, double t, double d) {
  const double a = f(t - 2 * d), b = f(t - d), c = f(t), e = f(t + d), g = f(t + 2 * d);
  return {(a - 8 * b + 8 * e - g) / (12 * d), (-a + 16 * b - 30 * c + 16 * e - g) / (12 * d * d)};
}

}  // namespace

void check_natural_system(const System& system, std::string_view stepper) {
  for (int body = 0; body < system.bodies.size(); ++body)
    if (!system.bodies.slot(body).rigid)
      throw Error("stepper '{}': body {} is {}; natural coordinates are of rigid bodies (moreau moves all kinds)",
                  stepper, body, system.bodies.kind(body));
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    if (const JointSense sense = system.joints[j].sense; sense == JointSense::AtMost || sense == JointSense::AtLeast)
      throw Error("stepper '{}': joint {} is a {}, which is unilateral; it holds equations only (moreau holds both)",
                  stepper, j, sense == JointSense::AtMost ? "rope" : "strut");
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l) {
    const CoordinateLaw& law = system.coordinate_laws[l];
    if (is_equality(law)) continue;
    const auto what = [&]() -> std::string_view {
      switch (law.kind) {
        case CoordinateLawKind::Limit: return "a limit";
        case CoordinateLawKind::Motor: return "a motor of limited force";
        case CoordinateLawKind::Servo: return "a servo of limited force";
        case CoordinateLawKind::Friction: return "dry friction";
        case CoordinateLawKind::Clutch: return "a one-way clutch";
        case CoordinateLawKind::Coupling: break;
      }
      return "a unilateral coupling";
    };
    throw Error("stepper '{}': law {} on joint {} is {}; it holds equations only (moreau holds all of them)", stepper,
                l, law.terms[0].joint, what());
  }
  if (!system.own_joints.empty())
    throw Error("stepper '{}': the first own joint has no second derivatives (moreau holds own joints)", stepper);
  check_natural_contacts(system, stepper);
}

FramePair NaturalSystem::pair(const Frames& frames, const NaturalTerm& term) {
  FramePair Y;
  Y << frame(frames, term.body_a), frame(frames, term.body_b);
  return Y;
}

void NaturalSystem::add_row(NaturalRow row) {
  const auto moves = [&](const NaturalTerm& t) { return node(t.body_a) >= 0 || node(t.body_b) >= 0; };
  row.active = row.active && std::any_of(row.terms.begin(), row.terms.end(), moves);
  rows_.push_back(std::move(row));
}

void NaturalSystem::add_law(const CoordinateLaw& law, int index) {
  NaturalRow row;
  row.terms = natural_coordinate(law, system_->joints);
  row.law = index;
  row.active = std::none_of(law.terms.begin(), law.terms.end(), [&](const CoordinateTerm& term) {
    return motion_->broken[static_cast<std::size_t>(term.joint)] != 0;
  });
  if (law.kind == CoordinateLawKind::Coupling) {
    row.constant = law.value;
  } else {
    row.work = RowWork::Drive;
    row.target = &law.target;
    row.target_is_speed = law.kind == CoordinateLawKind::Motor;
    if (row.target_is_speed) row.constant = combined_coordinate(law, system_->joints, motion_->s);
  }
  add_row(std::move(row));
}

void NaturalSystem::begin(const System& system, const Motion& motion, double h) {
  system_ = &system;
  motion_ = &motion;
  h_ = h;
  const Bodies& bodies = system.bodies;
  const auto count = static_cast<std::size_t>(bodies.size());
  movers_.clear();
  nodes_.assign(count, -1);
  places_.assign(count + 1, world_frame());
  rates_.assign(count + 1, Frame::Zero());
  accelerations_.assign(count + 1, Frame::Zero());
  q_ = motion.q;
  u_ = motion.u;
  for (int body = 0; body < bodies.size(); ++body) {
    places_[static_cast<std::size_t>(body + 1)] = natural_place(bodies.placement(body, motion.q));
    if (!bodies.can_move(body)) continue;
    nodes_[static_cast<std::size_t>(body)] = static_cast<int>(movers_.size());
    const Mat3& inertia = bodies.inertia(body);
    movers_.push_back({body, natural_mass(bodies.mass(body), inertia), bodies.mass(body), inertia.trace() / 6});
  }
  rows_.clear();
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    for (NaturalTerms& terms : natural_rows(joint)) {
      NaturalRow row;
      row.terms = std::move(terms);
      row.joint = static_cast<int>(j);
      row.constant = joint.kind == JointKind::Distance ? joint.length : 0;
      row.active = !motion.broken[j] && joint.sense != JointSense::Free;
      row.stiffness = joint.stiffness;
      row.damping = joint.damping;
      add_row(std::move(row));
    }
  }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    add_law(system.coordinate_laws[l], static_cast<int>(l));
  for (const Mover& mover : movers_) {
    const auto terms = rigidity_terms(mover.body);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      NaturalRow row;
      row.terms = {terms[k]};
      row.constant = rigidity_constants[k];
      add_row(std::move(row));
    }
  }
  contacts_.clear();
  drive(0);
}

void NaturalSystem::read(VecX& z, VecX& rate) const {
  z.resize(size());
  rate.resize(size());
  for (std::size_t k = 0; k < movers_.size(); ++k) {
    const int body = movers_[k].body;
    const Frame place = natural_place(system_->bodies.placement(body, motion_->q));
    const auto at = 12 * static_cast<Eigen::Index>(k);
    Eigen::Map<Frame>(z.data() + at) = place;
    Eigen::Map<Frame>(rate.data() + at) = natural_rate(place, motion_->u.segment<6>(system_->bodies.slot(body).u));
  }
}

void NaturalSystem::drive(double t) {
  const Bodies& bodies = system_->bodies;
  time_ = motion_->time + t;
  if (!bodies.has_prescribed()) return;
  // As in a midpoint step: moved on by the velocity in the middle of the way.
  VecX u = motion_->u, q(bodies.nq());
  bodies.prescribe(motion_->time + t / 2, motion_->q, u);
  bodies.advance(motion_->q, u, t, q, {});
  bodies.prescribe(time_, q, u);
  const double d = 1e-2 * h_;
  VecX before = u, after = u;
  bodies.prescribe(time_ - d, q, before);
  bodies.prescribe(time_ + d, q, after);
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    if (s.mobility != BodyMobility::Prescribed) continue;
    const auto k = static_cast<std::size_t>(body + 1);
    const Vec6 velocity = u.segment<6>(s.u), change = (after - before).segment<6>(s.u) / (2 * d);
    places_[k] = natural_place(bodies.placement(body, q));
    rates_[k] = natural_rate(places_[k], velocity);
    accelerations_[k] = natural_acceleration(places_[k], velocity, change);
    q_.segment<7>(s.q) = q.segment<7>(s.q);
    u_.segment<6>(s.u) = velocity;
  }
}

void NaturalSystem::evaluate(const VecX& z, const VecX& rate, const VecX& acceleration) {
  for (std::size_t k = 0; k < movers_.size(); ++k) {
    const auto at = static_cast<std::size_t>(movers_[k].body + 1);
    places_[at] = Eigen::Map<const Frame>(z.data() + 12 * static_cast<Eigen::Index>(k));
    store_rigid(places_[at], system_->bodies.slot(movers_[k].body).q, q_);
  }
  for (NaturalRow& row : rows_)
    if (row.active) evaluate_row(row);
  evaluate_motion(rate, acceleration);
}

void NaturalSystem::evaluate_motion(const VecX& rate, const VecX& acceleration) {
  for (std::size_t k = 0; k < movers_.size(); ++k) {
    const auto at = static_cast<std::size_t>(movers_[k].body + 1);
    const auto first = 12 * static_cast<Eigen::Index>(k);
    rates_[at] = Eigen::Map<const Frame>(rate.data() + first);
    accelerations_[at] = Eigen::Map<const Frame>(acceleration.data() + first);
    u_.segment<6>(system_->bodies.slot(movers_[k].body).u) = rigid_rate(places_[at]) * rate.segment<12>(first);
  }
}

void NaturalSystem::evaluate_time(NaturalRow& row) const {
  row.rate_of_time = row.acceleration_of_time = 0;
  row.value -= row.constant;
  if (!row.target) return;
  const auto& target = *row.target;
  const auto [first, second] = differentiate(target, time_, h_ / 4);
  if (!row.target_is_speed) {
    row.value -= target(time_);
    row.rate_of_time = first;
    row.acceleration_of_time = second;
    return;
  }
  // The way of a motor since the start of the step, by Simpson's rule.
  const double start = motion_->time, t = time_ - start;
  row.value -= t / 6 * (target(start) + 4 * target(start + t / 2) + target(time_));
  row.rate_of_time = target(time_);
  row.acceleration_of_time = first;
}

void NaturalSystem::evaluate_row(NaturalRow& row) const {
  row.value = 0;
  row.gradient.clear();
  const auto add = [&](int body, const Vec12& gradient) {
    if (body < 0) return;
    for (auto& [known, sum] : row.gradient)
      if (known == body) {
        sum += gradient;
        return;
      }
    row.gradient.emplace_back(body, gradient);
  };
  for (const NaturalTerm& term : row.terms) {
    const TermValue at = term.evaluate(pair(places_, term), motion_->s);
    row.value += at.value;
    const Vec24 gradient = Eigen::Map<const Vec24>(at.gradient.data());
    add(term.body_a, gradient.head<12>());
    add(term.body_b, gradient.tail<12>());
  }
  evaluate_time(row);
  double inverse = 0, inverse_body = 0;
  for (const auto& [body, gradient] : row.gradient) {
    if (node(body) < 0) continue;
    const Mover& mover = movers_[static_cast<std::size_t>(node(body))];
    inverse +=
        gradient.head<3>().squaredNorm() / mover.place_mass + gradient.tail<9>().squaredNorm() / mover.direction_mass;
    inverse_body += gradient.squaredNorm() / mover.place_mass;
  }
  row.mass = inverse > 0 ? 1 / inverse : 0;
  row.body_mass = inverse_body > 0 ? 1 / inverse_body : 0;
}

VecX NaturalSystem::values() const {
  VecX out = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].active) out[static_cast<Eigen::Index>(i)] = rows_[i].value;
  return out;
}

VecX NaturalSystem::rates() const {
  VecX out = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].active) continue;
    double& rate = out[static_cast<Eigen::Index>(i)];
    for (const auto& [body, gradient] : rows_[i].gradient)
      rate += gradient.dot(Eigen::Map<const Vec12>(frame(rates_, body).data()));
    rate -= rows_[i].rate_of_time;
  }
  return out;
}

VecX NaturalSystem::accelerations() const {
  VecX out = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].active) continue;
    double& sum = out[static_cast<Eigen::Index>(i)];
    for (const auto& [body, gradient] : rows_[i].gradient)
      sum += gradient.dot(Eigen::Map<const Vec12>(frame(accelerations_, body).data()));
    for (const NaturalTerm& term : rows_[i].terms) sum += term.curvature(pair(places_, term), pair(rates_, term));
    sum -= rows_[i].acceleration_of_time;
  }
  return out;
}

VecX NaturalSystem::product(const VecX& x) const {
  VecX out = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].active) continue;
    for (const auto& [body, gradient] : rows_[i].gradient)
      if (node(body) >= 0) out[static_cast<Eigen::Index>(i)] += gradient.dot(x.segment<12>(12 * node(body)));
  }
  return out;
}

VecX NaturalSystem::transposed(const VecX& mu) const {
  VecX out = VecX::Zero(12 * system_->bodies.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].active) continue;
    for (const auto& [body, gradient] : rows_[i].gradient)
      out.segment<12>(12 * body) += mu[static_cast<Eigen::Index>(i)] * gradient;
  }
  return out;
}

VecX NaturalSystem::mass_product(const VecX& x) const {
  VecX out(size());
  for (std::size_t k = 0; k < movers_.size(); ++k) {
    const auto at = 12 * static_cast<Eigen::Index>(k);
    Eigen::Map<Frame>(out.data() + at) = Eigen::Map<const Frame>(x.data() + at) * movers_[k].mass;
  }
  return out;
}

VecX NaturalSystem::narrow(const VecX& wide) const {
  VecX out(size());
  for (std::size_t k = 0; k < movers_.size(); ++k)
    out.segment<12>(12 * static_cast<Eigen::Index>(k)) = wide.segment<12>(12 * movers_[k].body);
  return out;
}

VecX NaturalSystem::wide_place() const {
  VecX out(12 * system_->bodies.size());
  for (int body = 0; body < system_->bodies.size(); ++body)
    Eigen::Map<Frame>(out.data() + static_cast<std::ptrdiff_t>(12 * body)) = frame(places_, body);
  return out;
}

double NaturalSystem::driven_work(const VecX& force, const VecX& way) const {
  double sum = 0;
  for (int body = 0; body < system_->bodies.size(); ++body)
    if (system_->bodies.slot(body).mobility == BodyMobility::Prescribed)
      sum += force.segment<12>(12 * body).dot(way.segment<12>(12 * body));
  return sum;
}

}  // namespace cairn
