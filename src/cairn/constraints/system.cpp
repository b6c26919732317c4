// SPDX-License-Identifier: Apache-2.0
// The start of a system.
#include "cairn/constraints/system.h"

namespace cairn {

Motion initial_motion(const System& system) {
  Motion motion;
  system.bodies.initial(motion.q, motion.u);
  int coordinates = 0;
  for (const Joint& joint : system.joints) coordinates += static_cast<int>(joint_info(joint.kind).coordinates.size());
  motion.s.setZero(coordinates);
  follow_coordinates(system.joints, system.bodies, motion.q, motion.s);
  motion.broken.assign(system.joints.size(), 0);
  return motion;
}

}  // namespace cairn
