// SPDX-License-Identifier: Apache-2.0
// The contact problems of a running simulation as files: every step, or those that meet a condition.
#pragma once
#include "cairn/io/problem_file.h"
#include "cairn/sim/simulation.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// "residual>1e-6|iterations>500": one of the parts must hold. Quantities: residual, iterations, contacts, seconds (of
/// the solve).
class DumpCondition {
 public:
  /// Throws Error "OWNER: ..." naming the part that is not understood. Empty: every step.
  DumpCondition(const std::string& text, std::string_view owner);
  bool holds(const Certificate& certificate) const;

 private:
  struct Part {
    std::string quantity;
    bool above = true;
    double limit = 0;
  };
  std::vector<Part> parts_;
};

class ProblemDump {
 public:
  /// Files are DIR/SCENE-sNNNNNN-ncN.hdf5 (step, contacts). Makes the folder; throws Error when it cannot.
  ProblemDump(std::filesystem::path folder, std::string scene, DumpCondition condition);
  /// Writes the problem of the last step if the condition holds. The simulation must keep its problems.
  void after_step(const Simulation& simulation);
  int written() const { return written_; }

 private:
  std::filesystem::path folder_;
  std::string scene_;
  DumpCondition condition_;
  int written_ = 0;
};

}  // namespace cairn
