// SPDX-License-Identifier: Apache-2.0
// Forces of a system in natural coordinates, contacts among them, and the tangent of its equations of motion.
//
// Force elements act in the space of rigid velocities u = S(z) z' with F, K = -dF/dd and D = -dF/du; with dd = S dz
//   Q = S'F,   -dQ/dz = S'(K S + D d(S z')/dz) - d(S'F)/dz at fixed F,   -dQ/dz' = S' D S
// which is exact where the bodies are rigid. A row with mu = force + a Phi'' + b Phi' + c Phi and the Hessian H gives
//   Phi_z' (a (2 H z')' + b Phi_z)            for z'
//   Phi_z' (a H z'' + b H z' + c Phi_z) + mu H    for z, without third derivatives.
#include "cairn/assembly/natural_system.h"

#include <algorithm>

namespace cairn {

NaturalForces NaturalSystem::forces() const {
  const Bodies& bodies = system_->bodies;
  VecX conservative = VecX::Zero(bodies.nu()), loads = conservative, damping = conservative;
  add_plain_forces(*system_, q_, u_, time_, conservative, loads);
  for (const Mover& mover : movers_) {
    const Bodies::Slot& s = bodies.slot(mover.body);
    conservative.segment<3>(s.u) += mover.place_mass * system_->gravity;
    damping.segment<3>(s.u) = -bodies.linear_damping(mover.body) * mover.place_mass * u_.segment<3>(s.u);
    damping.segment<3>(s.u + 3) =
        -bodies.angular_damping(mover.body) * (bodies.inertia(mover.body) * u_.segment<3>(s.u + 3));
  }
  const auto wide = [&](const VecX& F) {
    VecX Q(12 * bodies.size());
    for (int body = 0; body < bodies.size(); ++body)
      Q.segment<12>(12 * body) = rigid_rate(frame(places_, body)).transpose() * F.segment<6>(bodies.slot(body).u);
    return Q;
  };
  NaturalForces out{wide(conservative), wide(loads), wide(damping), VecX::Zero(12 * bodies.size()),
                    VecX::Zero(12 * bodies.size())};
  for (const NaturalContact& contact : contacts_) {
    const NaturalContactForce f = contact_force(contact);
    const auto add = [&](int body, const Eigen::Vector4d& w, double sign) {
      Eigen::Map<Frame>(out.contact.data() + static_cast<std::ptrdiff_t>(12 * body)) += sign * f.normal * w.transpose();
      Eigen::Map<Frame>(out.friction.data() + static_cast<std::ptrdiff_t>(12 * body)) +=
          sign * f.friction * w.transpose();
    };
    add(contact.body_a, contact.w_a, 1);
    add(contact.body_b, contact.w_b, -1);
  }
  return out;
}

NaturalContactForce NaturalSystem::contact_force(const NaturalContact& contact) const {
  const auto difference = [&](const Frames& frames) -> Vec3 {
    return frame(frames, contact.body_a) * contact.w_a - frame(frames, contact.body_b) * contact.w_b;
  };
  return contact.force(difference(places_), difference(rates_));
}

Vec3 NaturalSystem::contact_point(const NaturalContact& contact) const {
  return 0.5 * (frame(places_, contact.body_a) * contact.w_a + frame(places_, contact.body_b) * contact.w_b);
}

void NaturalSystem::find_contacts(const NaturalContactLaw& law, Threads threads) {
  contacts_.clear();
  if (system_->colliders.empty()) return;
  const Bodies& bodies = system_->bodies;
  found_.find(*system_, q_, u_, h_, 0, threads);
  for (const ContactPoint& point : found_.points()) {
    const int body_a = system_->colliders[static_cast<std::size_t>(point.a)].body;
    const int body_b = system_->colliders[static_cast<std::size_t>(point.b)].body;
    if (node(body_a) < 0 && node(body_b) < 0) continue;
    contacts_.push_back(make_natural_contact(law, contact_law(*system_, point), point, body_a, body_b,
                                             bodies.placement(body_a, q_), bodies.placement(body_b, q_)));
  }
}

VecX NaturalSystem::pull(std::span<const RowPull> pulls) const {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  const auto any = [&](double RowPull::*part) {
    return std::any_of(pulls.begin(), pulls.end(), [&](const RowPull& pull) { return pull.*part != 0; });
  };
  const VecX rate = any(&RowPull::b) ? rates() : VecX(VecX::Zero(m));
  const VecX acceleration = any(&RowPull::a) ? accelerations() : VecX(VecX::Zero(m));
  VecX mu = VecX::Zero(m);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (rows_[i].active)
      mu[k] = pulls[i].force + pulls[i].a * acceleration[k] + pulls[i].b * rate[k] + pulls[i].c * rows_[i].value;
  }
  return mu;
}

void NaturalSystem::add_row_tangent(const NaturalRow& row, const RowPull& pull, const TangentWeights& weights,
                                    NaturalMatrix& T) const {
  // What the row's mu gains with z, by body: along Phi_z, H z' and H z''.
  const double along = weights.mass * pull.a + weights.damping * pull.b + weights.stiffness * pull.c;
  const double along_rate = 2 * weights.damping * pull.a + weights.stiffness * pull.b;
  const double along_acceleration = weights.stiffness * pull.a;
  std::vector<std::pair<int, Vec12>> gain;
  for (const auto& [body, gradient] : row.gradient) gain.emplace_back(body, along * gradient);
  const auto add_gain = [&](int body, const Vec12& x) {
    for (auto& [known, sum] : gain)
      if (known == body) sum += x;
  };
  // mu is a number; the row's rate and acceleration, where it needs them, are of its terms.
  double mu = pull.force + pull.c * row.value;
  if (pull.b != 0 || pull.a != 0) {
    double rate = -row.rate_of_time, acceleration = -row.acceleration_of_time;
    for (const auto& [body, gradient] : row.gradient) {
      rate += gradient.dot(Eigen::Map<const Vec12>(frame(rates_, body).data()));
      acceleration += gradient.dot(Eigen::Map<const Vec12>(frame(accelerations_, body).data()));
    }
    for (const NaturalTerm& term : row.terms) acceleration += term.curvature(pair(places_, term), pair(rates_, term));
    mu += pull.b * rate + pull.a * acceleration;
  }
  for (const NaturalTerm& term : row.terms) {
    if (term.kind == NaturalTerm::Kind::Linear) continue;
    const int a = node(term.body_a), b = node(term.body_b);
    if (term.kind == NaturalTerm::Kind::Quadratic && along_rate == 0 && along_acceleration == 0) {
      const QuadraticForm h = weights.stiffness * mu * term.factor * term.f;
      T.add_form(a, a, h.topLeftCorner<4, 4>());
      T.add_form(a, b, h.topRightCorner<4, 4>());
      T.add_form(b, a, h.bottomLeftCorner<4, 4>());
      T.add_form(b, b, h.bottomRightCorner<4, 4>());
      continue;
    }
    Mat24 H = Mat24::Zero();
    term.add_hessian(pair(places_, term), 1, H);
    const Mat24 geometric = weights.stiffness * mu * H;
    T.add(a, a, geometric.topLeftCorner<12, 12>());
    T.add(a, b, geometric.topRightCorner<12, 12>());
    T.add(b, a, geometric.bottomLeftCorner<12, 12>());
    T.add(b, b, geometric.bottomRightCorner<12, 12>());
    if (along_rate == 0 && along_acceleration == 0) continue;
    const FramePair rate = pair(rates_, term), acceleration = pair(accelerations_, term);
    const Vec24 x = H * (along_rate * Eigen::Map<const Vec24>(rate.data()) +
                         along_acceleration * Eigen::Map<const Vec24>(acceleration.data()));
    add_gain(term.body_a, x.head<12>());
    add_gain(term.body_b, x.tail<12>());
  }
  for (const auto& [i, gradient] : row.gradient)
    for (const auto& [j, x] : gain) {
      if (node(i) < 0 || node(j) < 0) continue;
      const Mat12 block = gradient * x.transpose();
      T.add(node(i), node(j), block);
    }
}

void NaturalSystem::add_force_tangents(const TangentWeights& weights, NaturalMatrix& T) const {
  const Bodies& bodies = system_->bodies;
  VecX F = VecX::Zero(bodies.nu());
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  const auto add = [&](int i, int j, const Mat6& K, const Mat6& D) {
    if (node(i) < 0 || node(j) < 0) return;
    const Mat6x12 S = rigid_rate(frame(places_, j));
    const Mat6x12 right =
        weights.stiffness * (K * S + D * rigid_rate_change(frame(rates_, j))) + weights.damping * D * S;
    const Mat12 block = rigid_rate(frame(places_, i)).transpose() * right;
    T.add(node(i), node(j), block);
  };
  for (const auto& element : system_->forces) {
    const ForceView at{bodies, q_, u_, time_};
    element->add_forces(at, F, F);
    const ForceTangent tangent = element->tangent(at);
    for (std::size_t k = 0, row = 0; k < 2; row += static_cast<std::size_t>(tangent.size[k++]))
      for (std::size_t l = 0, column = 0; l < 2; column += static_cast<std::size_t>(tangent.size[l++])) {
        if (tangent.size[k] == 0 || tangent.size[l] == 0) continue;
        const auto r = static_cast<Eigen::Index>(row), c = static_cast<Eigen::Index>(column);
        add(tangent.body[k], tangent.body[l], tangent.K.block<6, 6>(r, c), tangent.D.block<6, 6>(r, c));
      }
  }
  for (const Mover& mover : movers_) {
    const int u = bodies.slot(mover.body).u;
    const double linear = bodies.linear_damping(mover.body), angular = bodies.angular_damping(mover.body);
    if (linear > 0 || angular > 0) {
      Mat6 D = Mat6::Zero();
      D.topLeftCorner<3, 3>() = linear * mover.place_mass * Mat3::Identity();
      D.bottomRightCorner<3, 3>() = angular * bodies.inertia(mover.body);
      F.segment<6>(u) -= D * u_.segment<6>(u);
      add(mover.body, mover.body, Mat6::Zero(), D);
    }
    T.add(node(mover.body), node(mover.body), -weights.stiffness * torque_change(F.segment<3>(u + 3)));
  }
}

void NaturalSystem::add_contact_tangents(const TangentWeights& weights, NaturalMatrix& T) const {
  for (const NaturalContact& contact : contacts_) {
    const NaturalContactForce f = contact_force(contact);
    if (!(f.gap < 0)) continue;
    const Mat3 per = -(weights.stiffness * f.per_place + weights.damping * f.per_velocity);
    const auto add = [&](int i, int j, const Eigen::Vector4d& w_i, const Eigen::Vector4d& w_j, double sign) {
      if (node(i) < 0 || node(j) < 0) return;
      Mat12 block;
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) block.block<3, 3>(3 * k, 3 * l) = sign * w_i[k] * w_j[l] * per;
      T.add(node(i), node(j), block);
    };
    add(contact.body_a, contact.body_a, contact.w_a, contact.w_a, 1);
    add(contact.body_a, contact.body_b, contact.w_a, contact.w_b, -1);
    add(contact.body_b, contact.body_a, contact.w_b, contact.w_a, -1);
    add(contact.body_b, contact.body_b, contact.w_b, contact.w_b, 1);
  }
}

std::vector<std::pair<int, int>> NaturalSystem::coupled() const {
  std::vector<std::pair<int, int>> pairs;
  const auto couple = [&](int a, int b) {
    if (node(a) >= 0 && node(b) >= 0 && a != b) pairs.emplace_back(node(a), node(b));
  };
  for (const NaturalRow& row : rows_) {
    if (!row.active) continue;
    for (std::size_t i = 0; i < row.gradient.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) couple(row.gradient[i].first, row.gradient[j].first);
  }
  for (const auto& element : system_->forces) couple(element->acts_on()[0], element->acts_on()[1]);
  for (const NaturalContact& contact : contacts_) couple(contact.body_a, contact.body_b);
  return pairs;
}

void NaturalSystem::tangent(std::span<const RowPull> pulls, const TangentWeights& weights, NaturalMatrix& T) const {
  T.begin(static_cast<int>(movers_.size()), coupled());
  for (std::size_t k = 0; k < movers_.size(); ++k)
    T.add_form(static_cast<int>(k), static_cast<int>(k), weights.mass * movers_[k].mass);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].active) add_row_tangent(rows_[i], pulls[i], weights, T);
  if (weights.stiffness == 0 && weights.damping == 0) return;
  add_force_tangents(weights, T);
  add_contact_tangents(weights, T);
}

}  // namespace cairn
