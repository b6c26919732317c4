// SPDX-License-Identifier: Apache-2.0
// Checking and assembling the start of a model.
#include "cairn/sim/assembly.h"

#include "cairn/assembly/form_problem.h"
#include "cairn/assembly/joint_projection.h"
#include "cairn/assembly/joint_step.h"

#include <cmath>

namespace cairn {
namespace {

constexpr double fits = 1e-8;  // of the size of the system, and rad

/// Distance from the middle of all bodies and joints to the furthest.
double system_size(const System& system, const VecX& q) {
  std::vector<Vec3> points;
  for (int body = 0; body < system.bodies.size(); ++body) points.push_back(system.bodies.placement(body, q).c);
  for (const Joint& joint : system.joints) {
    const PlacedJoint at = place(joint, system.bodies, q);
    points.push_back(at.point_a);
    points.push_back(at.point_b);
  }
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : points) middle += x / static_cast<double>(points.size());
  double size = 0;
  for (const Vec3& x : points) size = std::max(size, (x - middle).norm());
  return size;
}

struct Worst {
  int drift_joint = -1, tilt_joint = -1;
  double drift = 0, tilt = 0;
};

Worst find_worst(const System& system, const Motion& motion) {
  Worst worst;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointErrors errors = measure_joint(system, motion, j);
    if (errors.drift > worst.drift) worst.drift = errors.drift, worst.drift_joint = static_cast<int>(j);
    if (errors.tilt > worst.tilt) worst.tilt = errors.tilt, worst.tilt_joint = static_cast<int>(j);
  }
  return worst;
}

[[noreturn]] void refuse(const Model& model, const Worst& worst, std::string_view when, std::string_view what) {
  if (worst.drift_joint >= 0 && worst.drift > worst.tilt * 1e-3)
    throw Error("joint '{}': its points are {:.3g} m from where it needs them {}; {}",
                model.joint_name(worst.drift_joint), worst.drift, when, what);
  throw Error("joint '{}': its directions are {:.3g} rad from where it needs them {}; {}",
              model.joint_name(worst.tilt_joint), worst.tilt, when, what);
}

}  // namespace

void check_start(const Model& model, const Motion& motion) {
  const System& system = model.system();
  if (system.joints.empty()) return;
  const Worst worst = find_worst(system, motion);
  if (worst.drift <= fits * system_size(system, motion.q) && worst.tilt <= fits) return;
  refuse(model, worst, "at the start",
         "place the bodies so that it fits, or let them be assembled (run: assemble: true)");
}

AssemblyReport assemble_start(const Model& model, Motion& motion) {
  const System& system = model.system();
  const Bodies& bodies = system.bodies;
  AssemblyReport report;
  if (system.joints.empty()) return report;
  const double size = system_size(system, motion.q);
  const VecX q_given = motion.q, none = VecX::Zero(bodies.nu());
  JointEquations equations;
  FreeMotion free;
  LocalProblem problem;
  LocalRows rows;
  EqualitySolve solver;
  VecX r, way, reaction, next(bodies.nq());
  const auto solve = [&](const VecX& given, auto&& wanted) {
    bodies.free_motion(motion.q, none, none, StepContext{0, 1e-12, Vec3::Zero(), false}, free, {});
    free.u_free = given;
    for (std::size_t i = 0; i < equations.blocks.size(); ++i) equations.blocks[i].U_free = wanted(i);
    assemble(bodies, motion.q, free, equations.blocks, {}, problem, rows);
    r.setZero(problem.b.size());
    solver.solve(problem, r);
    recover(bodies, free, problem, rows, r, way, reaction);
  };
  Worst worst;
  for (; report.iterations < 100; ++report.iterations) {
    worst = find_worst(system, motion);
    equations.gather(system, motion, false);
    if (equations.blocks.empty() || (worst.drift <= 1e-14 * size && worst.tilt <= 1e-14)) break;
    solve(none, [&](std::size_t i) { return equations.errors[i]; });
    // No body turns by more than a fifth of a turn or so at once: far from the end the rows are no guide.
    const double most = way.cwiseAbs().maxCoeff();
    if (!(most > 1e-16 * size) || !std::isfinite(most)) break;
    if (most > std::max(size, 1.0)) way *= std::max(size, 1.0) / most;
    bodies.advance(motion.q, way, 1, next, {});
    motion.q = next;
    follow_coordinates(system.joints, bodies, motion.q, motion.s);
  }
  worst = find_worst(system, motion);
  report.drift = worst.drift;
  report.tilt = worst.tilt;
  if (worst.drift > fits * size || worst.tilt > fits)
    refuse(model, worst, "after assembling",
           "the joints contradict each other, or the bodies start too far from where they fit");
  for (int body = 0; body < bodies.size(); ++body)
    report.moved =
        std::max(report.moved, (bodies.placement(body, motion.q).c - bodies.placement(body, q_given).c).norm());
  // Velocities that fit.
  equations.gather(system, motion, false);
  if (!equations.blocks.empty()) {
    solve(motion.u, [&](std::size_t i) { return row_velocity(bodies, motion.q, motion.u, equations.blocks[i]); });
    motion.u = way;
  }
  return report;
}

}  // namespace cairn
