// SPDX-License-Identifier: Apache-2.0
// Adding forces to a model: every mistake is reported with the force's name.
#include "cairn/sim/model.h"

namespace cairn {

ForceId Model::keep_force(std::string_view noun, const std::string& given, const MakeForce& make) {
  const std::string name = claim_name(given, "force", force_names_.size(), force_index_);
  try {
    system_.forces.push_back(make());
  } catch (const Error& error) {
    throw Error("{} '{}': {}", noun, name, error.what());
  }
  force_names_.push_back(name);
  force_index_.emplace(name, static_cast<int>(force_names_.size()) - 1);
  return ForceId{static_cast<int>(force_names_.size()) - 1};
}

MaterialPoint Model::anchor(const std::string& body, const Vec3& X) const {
  return system_.bodies.reference_point(body_or_world(body), X);
}

ForceId Model::add_spring(const SpringSpec& spring) {
  return keep_force("spring", spring.name, [&] {
    if (spring.curve && (spring.stiffness != 0 || spring.damping != 0 || spring.preload != 0))
      throw Error("stiffness, damping or preload is given beside a curve, which has its own");
    Spring::Spec spec{.a = anchor(spring.body_a, spring.anchor_a),
                      .b = anchor(spring.body_b, spring.anchor_b),
                      .rest_length = 0,
                      .law = spring.curve.value_or(LinearSpring{spring.stiffness, spring.damping, spring.preload})};
    if (spring.rest_length) {
      spec.rest_length = *spring.rest_length;
    } else if (spec.a.local.allFinite() && spec.b.local.allFinite()) {  // Spring refuses others
      spec.rest_length = (system_.bodies.position(spec.a, start()) - system_.bodies.position(spec.b, start())).norm();
    }
    return std::make_shared<Spring>(spec);
  });
}

ForceId Model::add_load(const LoadSpec& load) {
  return keep_force("load", load.name, [&] {
    const int target = body(load.body).value;
    if (!system_.bodies.slot(target).rigid) {
      if (load.torque) throw Error("a torque acts on rigid bodies only");
      if (load.axes == LoadAxes::Body) throw Error("a force in body axes acts on rigid bodies only");
    }
    return std::make_shared<Load>(Load::Spec{anchor(load.body, load.anchor), load.force, load.torque, load.axes});
  });
}

ForceId Model::add_drag(const DragSpec& drag) {
  return keep_force("drag", drag.name, [&] {
    return std::make_shared<Drag>(
        Drag::Spec{anchor(drag.body, drag.anchor), drag.linear, drag.quadratic, drag.medium_velocity});
  });
}

ForceId Model::add_bushing(const BushingSpec& bushing) {
  return keep_force("bushing", bushing.name, [&] {
    Bushing::Spec spec{.a = anchor(bushing.body_a, bushing.anchor_a),
                       .b = anchor(bushing.body_b, bushing.anchor_b),
                       .axes_a = bushing.orientation,
                       .axes_b = Quat::Identity(),
                       .stiffness = bushing.stiffness,
                       .damping = bushing.damping,
                       .torsional_stiffness = bushing.torsional_stiffness,
                       .torsional_damping = bushing.torsional_damping};
    VecX q, u;
    system_.bodies.initial(q, u);
    const auto orientation = [&](int b) -> Quat {
      if (b < 0) return Quat::Identity();
      const Bodies::Slot& slot = system_.bodies.slot(b);
      if (!slot.rigid)
        throw Error("'{}' is {}; a bushing holds rigid bodies only", body_name(b), system_.bodies.kind(b));
      return stored_orientation(q, slot.q);
    };
    // At rest the axes on B lie on those of A: R_A axes_a = R_B axes_b.
    const Quat turn = orientation(spec.a.body).conjugate() * orientation(spec.b.body);
    spec.axes_b = bushing.rest_rotation.value_or(turn).conjugate() * bushing.orientation;
    return std::make_shared<Bushing>(spec);
  });
}

ForceId Model::add_stop(const StopSpec& stop) {
  return keep_force("stop", stop.name, [&] {
    const Stop::Spec spec{.a = anchor(stop.body_a, stop.anchor_a),
                          .b = anchor(stop.body_b, stop.anchor_b),
                          .normal = stop.direction,
                          .clearance = stop.clearance,
                          .law = stop.law,
                          .friction = stop.friction};
    check_carrier(system_.bodies, {.body = spec.a.body});
    return std::make_shared<Stop>(spec);
  });
}

ForceId Model::add_lugre(const LuGreSpec& friction) {
  return keep_force("lugre", friction.name, [&] {
    const BristleFriction::Spec spec{.a = anchor(friction.body_a, friction.anchor_a),
                                     .b = anchor(friction.body_b, friction.anchor_b),
                                     .normal = friction.direction,
                                     .normal_force = friction.normal_force,
                                     .law = friction.law};
    check_carrier(system_.bodies, {.body = spec.a.body});
    return std::make_shared<BristleFriction>(spec);
  });
}

ForceId Model::add_coordinate_force(const CoordinateForceSpec& force) {
  return keep_force("force", force.name, [&] {
    const CoordinateTerm term = find_coordinate(force.joint, force.coordinate);
    const Joint& joint = system_.joints[static_cast<std::size_t>(term.joint)];
    const double start = coordinate_at_start(force.joint, force.coordinate);
    return std::make_shared<CoordinateForce>(CoordinateForce::Spec{.joint = joint,
                                                                   .index = term.joint,
                                                                   .coordinate = term.coordinate,
                                                                   .rest = force.rest.value_or(start),
                                                                   .start = start,
                                                                   .law = force.law,
                                                                   .given = force.given});
  });
}

void Model::set_hand(std::shared_ptr<const ForceElement> hand) {
  if (hand && hand->memory_size() > 0) throw Error("a hand remembers nothing");
  if (has_hand_) {
    system_.forces.pop_back();
    force_names_.pop_back();
  }
  has_hand_ = hand != nullptr;
  if (!has_hand_) return;
  system_.forces.push_back(std::move(hand));
  force_names_.emplace_back("hand");
}

ForceId Model::add_force(const OwnForce& force) {
  return keep_force("force", force.name, [&] {
    if (!force.element) throw Error("there is no element");
    for (const int b : force.element->acts_on())
      if (b < -1 || b >= body_count()) throw Error("acts on body {}; there are {} bodies", b, body_count());
    return force.element;
  });
}

}  // namespace cairn
