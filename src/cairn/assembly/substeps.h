// SPDX-License-Identifier: Apache-2.0
// A step made of substeps: what goes wrong in one is rolled back, reports and impulses of joints add up.
#pragma once
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/warm_start.h"

namespace cairn {

class Substeps {
 public:
  /// What becomes of a substep. Repeat: state and sums go back to where it began. Fail: to where the step began.
  enum class Verdict { Keep, Repeat, Fail };

  /// Sums of a step that starts anew.
  void begin(const System& system) {
    sum_.report = {};
    sum_.report.parts = 0;
    sum_.joints.assign(system.joints.size(), {});
    sum_.coordinates.assign(system.coordinate_laws.size(), 0.0);
  }
  /// The impulses of a step that is not divided.
  template <class Scheme>
  void take_whole(const Scheme& scheme) {
    sum_.joints.assign(scheme.joint_impulses().begin(), scheme.joint_impulses().end());
    sum_.coordinates.assign(scheme.coordinate_impulses().begin(), scheme.coordinate_impulses().end());
  }
  /// Takes in what a scheme did in one substep.
  template <class Scheme>
  void add(const StepReport& report, const Scheme& scheme) {
    add(report, scheme.joint_impulses(), scheme.coordinate_impulses());
  }
  void add(const StepReport& report, std::span<const JointImpulse> joints, std::span<const double> coordinates) {
    sum_.report.add(report);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      sum_.joints[j].force += joints[j].force;
      sum_.joints[j].torque += joints[j].torque;
    }
    for (std::size_t l = 0; l < coordinates.size(); ++l) sum_.coordinates[l] += coordinates[l];
  }
  Verdict fail(const StepReport& why) {
    failure_ = why;
    return Verdict::Fail;
  }

  /// Substeps until h is over. `length(left)` says how long the next one is, at most what is left; `take(d)` moves the
  /// state, calls add() and judges. A step that fails leaves the state as it was.
  template <class Length, class Take>
  StepReport run(const System& system, double h, Motion& motion, WarmStart& warm, Length&& length, Take&& take) {
    begin(system);
    start_ = {motion, warm};
    for (double left = h; left > 1e-12 * h;) {
      const double d = length(left);
      before_ = {motion, warm};
      sum_before_ = sum_;
      const Verdict verdict = take(d);
      if (verdict == Verdict::Keep) {
        left -= d;
        continue;
      }
      const Snapshot& back = verdict == Verdict::Repeat ? before_ : start_;
      motion = back.motion;
      warm = back.warm;
      if (verdict == Verdict::Fail) return failure_;
      sum_ = sum_before_;
    }
    motion.time = start_.motion.time + h;
    return sum_.report;
  }

  std::span<const JointImpulse> joint_impulses() const { return sum_.joints; }
  std::span<const double> coordinate_impulses() const { return sum_.coordinates; }

 private:
  struct Snapshot {
    Motion motion;
    WarmStart warm;
  };
  struct Sum {
    StepReport report;
    std::vector<JointImpulse> joints;
    std::vector<double> coordinates;
  };
  Snapshot start_, before_;
  Sum sum_, sum_before_;
  StepReport failure_;
};

}  // namespace cairn
