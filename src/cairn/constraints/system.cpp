// SPDX-License-Identifier: Apache-2.0
// The start of a system.
#include "cairn/constraints/system.h"

#include "cairn/base/error.h"

namespace cairn {

Motion initial_motion(const System& system) {
  Motion motion;
  system.bodies.initial(motion.q, motion.u);
  int coordinates = 0;
  for (const Joint& joint : system.joints) coordinates += static_cast<int>(joint_info(joint.kind).coordinates.size());
  motion.s.setZero(coordinates);
  follow_coordinates(system.joints, system.bodies, motion.q, motion.s);
  motion.broken.assign(system.joints.size(), 0);
  std::vector<double> memory;
  for (const auto& force : system.forces) {
    const std::size_t first = memory.size();
    memory.resize(first + static_cast<std::size_t>(force->memory_size()));
    force->begin_memory(system.bodies, motion.q, std::span(memory).subspan(first));
  }
  motion.memory = VecX::Map(memory.data(), static_cast<Eigen::Index>(memory.size()));
  return motion;
}

double force_energy(const System& system, const Motion& motion) {
  double sum = 0;
  for_each_force(system, motion, [&](const ForceElement& force, std::size_t, std::span<const double> memory) {
    sum += force.energy({system.bodies, motion.q, motion.u, motion.time, memory});
  });
  return sum;
}

void add_plain_forces(const System& system, const VecX& q, const VecX& u, double t, VecX& conservative, VecX& other) {
  for (const auto& force : system.forces) force->add_forces({system.bodies, q, u, t}, conservative, other);
}

}  // namespace cairn
