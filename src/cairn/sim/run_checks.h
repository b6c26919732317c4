// SPDX-License-Identifier: Apache-2.0
// What a sensible person would call wrong with a run: energy made from nothing, joints that came apart.
//
// Energy gained without a cause, summed over the run:
//   G = numerical + [contact]+ + [friction]+ + [joints]+ + [damping]+
// Loads and drives are named causes, and what contacts, friction, joints and dampers take away is; what they give is
// not, nor is what the discretisation makes. It is compared with the scale of the scene,
//   S = T_0 + V_0 + sum m g d + W+
// T_0, V_0 kinetic and stored energy at the start, d the diagonal of the box about the bodies that move, W+ the largest
// work put in so far by loads and drives. A joint's opening is compared with the smaller of its two bodies.
#pragma once
#include "cairn/sim/certificate.h"
#include "cairn/sim/model.h"

namespace cairn {

class RunChecks {
 public:
  /// From here on: sizes and the scale of the scene.
  void begin(const Model& model, const Motion& motion, const Energy& energy);
  /// Looks at a step that is done: fills energy_gain and warnings of its certificate, and the warnings of the run.
  void look(const Model& model, const Motion& motion, Certificate& certificate, std::vector<RunWarning>& warnings);

 private:
  void look_at_energy(Certificate& certificate, std::vector<RunWarning>& warnings);
  void look_at_joints(const Model& model, const Motion& motion, Certificate& certificate,
                      std::vector<RunWarning>& warnings);

  double scale_ = 0;  ///< without work put in [J]
  Work work_;
  double numerical_ = 0, put_in_ = 0, worst_gain_ = 0;
  double rounding_ = 0;              ///< energies are no more exact than this [J]
  std::vector<double> joint_limit_;  ///< opening of each joint that is too much [m]
  double least_limit_ = 0;
};

/// One warning in words, with what to do.
std::string describe(const RunWarning& warning);

}  // namespace cairn
