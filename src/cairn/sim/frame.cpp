// SPDX-License-Identifier: Apache-2.0
// Gathering a frame: see the header.
#include "cairn/sim/frame.h"

#include <algorithm>
#include <cmath>

namespace cairn {

FrameModel make_frame_model(const Model& model) {
  const System& system = model.system();
  FrameModel frames;
  for (int b = 0; b < model.body_count(); ++b) {
    const Bodies::Slot& slot = system.bodies.slot(b);
    FrameBody body{model.body_name(b), std::string(system.bodies.kind(b)), "", {}, system.bodies.mass(b)};
    body.shape = model.shape_of(b);
    if (const int collider = model.collider_of(b); collider >= 0) {
      body.material = system.materials[system.collider_material[static_cast<std::size_t>(collider)]].name;
    }
    body.deforms = !slot.rigid && !system.bodies.general(slot.index).moves_rigidly();
    if (slot.rigid && std::isfinite(body.mass)) body.inertia = system.bodies.inertia(b);
    frames.bodies.push_back(std::move(body));
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const JointInfo& info = joint_info(joint.kind);
    frames.joints.push_back({model.joint_name(static_cast<int>(j)), std::string(info.name), joint.body_a, joint.body_b,
                             joint.frame_a.point, joint.frame_b.point});
    for (const JointCoordinate c : info.coordinates)
      frames.coordinates.push_back({static_cast<int>(j), std::string(coordinate_name(c))});
  }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    frames.laws.push_back(model.coordinate_law_name(static_cast<int>(l)));
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    frames.memory_forces.insert(frames.memory_forces.end(), static_cast<std::size_t>(system.forces[i]->memory_size()),
                                model.force_name(static_cast<int>(i)));
  return frames;
}

std::optional<FramePull> present_pull(const Simulation& simulation) {
  const Pull* pull = simulation.pull();
  if (!pull) return {};
  const Motion& motion = simulation.state().motion;
  const Pull::Spec& spec = pull->spec();
  return FramePull{spec.at.body, spec.at.local, spec.target,
                   pull->force(simulation.model().system().bodies, motion.q, motion.u)};
}

void take_frame(const Simulation& simulation, Frame& frame) {
  const Motion& motion = simulation.state().motion;
  const Model& model = simulation.model();
  const System& system = model.system();
  frame.time = motion.time;
  frame.h = simulation.last_step();
  frame.q = motion.q;
  frame.u = motion.u;
  for (auto* list : {&frame.position, &frame.velocity, &frame.angular_velocity}) list->clear();
  frame.orientation.clear();
  frame.deformation.clear();
  for (int b = 0; b < model.body_count(); ++b) {
    const Placement at = system.bodies.placement(b, motion.q);
    frame.position.push_back(at.c);
    frame.deformation.push_back(at.A);
    frame.orientation.push_back(simulation.orientation(BodyId{b}));
    frame.velocity.push_back(simulation.velocity(BodyId{b}));
    frame.angular_velocity.push_back(simulation.angular_velocity(BodyId{b}));
  }
  frame.broken = motion.broken;
  frame.joint_coordinate.assign(motion.s.begin(), motion.s.end());
  frame.memory.assign(motion.memory.begin(), motion.memory.end());
  frame.pull = present_pull(simulation);
  frame.certificate = simulation.certificate();

  // Forces belong to a step: impulses over its length.
  frame.contacts.clear();
  frame.joint_force.assign(system.joints.size(), Vec3::Zero());
  frame.joint_torque.assign(system.joints.size(), Vec3::Zero());
  frame.law_force.assign(system.coordinate_laws.size(), 0.0);
  if (!(frame.h > 0)) return;
  const std::span<const JointImpulse> impulses = simulation.joint_impulses();
  for (std::size_t j = 0; j < std::min(impulses.size(), frame.joint_force.size()); ++j) {
    frame.joint_force[j] = impulses[j].force / frame.h;
    frame.joint_torque[j] = impulses[j].torque / frame.h;
  }
  const std::span<const double> laws = simulation.coordinate_impulses();
  for (std::size_t l = 0; l < std::min(laws.size(), frame.law_force.size()); ++l)
    frame.law_force[l] = laws[l] / frame.h;
  for (const ContactResult& c : simulation.contacts())
    frame.contacts.push_back(
        {c.body_a, c.body_b, c.point, c.normal, c.impulse / frame.h, c.gap, c.state, c.friction, c.area});
}

Frame take_frame(const Simulation& simulation) {
  Frame frame;
  take_frame(simulation, frame);
  return frame;
}

}  // namespace cairn
