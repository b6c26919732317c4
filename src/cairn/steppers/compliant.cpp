// SPDX-License-Identifier: Apache-2.0
// One step with compliant constraints and geometric stiffness.
#include "cairn/steppers/compliant.h"

#include "cairn/assembly/numbers.h"
#include "cairn/constraints/geometric_stiffness.h"

#include <cmath>

namespace cairn {
namespace {

constexpr std::string_view memory_name = "compliant";
constexpr int memory_version = 1;  // E_0, E_max, alpha, multipliers
constexpr double infinite = std::numeric_limits<double>::infinity();

bool is_equation(const RowBlock& block) { return block.law.kind == LawKind::Bilateral; }

bool yields(const RowBlock& block) { return is_equation(block) && block.compliance.head(block.rows).minCoeff() > 0; }

}  // namespace

Compliant::Compliant(const Settings& settings) : FirstOrderStepper("compliant", settings.rules), settings_(settings) {
  rules_.joints.stop_compliance = rules_.contact_compliance;
  rules_.joints.stop_damping = rules_.contact_damping;
}

void Compliant::check(const System& system, const Motion& motion, double h) const {
  FirstOrderStepper::check(system, motion, h);
  if (settings_.form == SchurForm::Velocity && !(rules_.joints.compliance > 0))
    throw Error("stepper 'compliant': the velocity form needs a compliance > 0; with {} take the multiplier form",
                rules_.joints.compliance);
  if (settings_.feedback.is_adaptive() && !(settings_.energy_max > 0) && system.bodies.general_count() > 0)
    throw Error("stepper 'compliant': energy_max is {} J; must be > 0 where bodies are not rigid",
                settings_.energy_max);
}

double energy_scale(const System& system, const Motion& motion) {
  const Bodies& bodies = system.bodies;
  std::vector<Vec3> anchors;
  for (const Joint& joint : system.joints) {
    const PlacedJoint at = place(joint, bodies, motion.q);
    if (!bodies.can_move(joint.body_a)) anchors.push_back(at.point_a);
    if (!bodies.can_move(joint.body_b)) anchors.push_back(at.point_b);
  }
  double scale = bodies.energy(motion.q, motion.u, system.gravity).kinetic;
  for (int body = 0; body < bodies.size(); ++body) {
    if (!bodies.can_move(body) || !bodies.slot(body).rigid) continue;
    double arm = infinite;
    for (const Vec3& anchor : anchors) arm = std::min(arm, (bodies.placement(body, motion.q).c - anchor).norm());
    if (arm < infinite) scale += bodies.mass(body) * system.gravity.norm() * arm;
  }
  return scale;
}

double Compliant::constraint_energy(const System& system, const Motion& motion) const {
  double sum = 0;
  const auto add = [&](const RowVector& g, int rows, double compliance) {
    if (compliance > 0) sum += 0.5 * g.head(rows).squaredNorm() / compliance;
  };
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (motion.broken[j] != 0 || joint.sense != JointSense::Both) continue;
    const int rows = static_cast<int>(joint_info(joint.kind).rows.size());
    const bool soft = joint.stiffness < infinite;
    if (soft && !(joint.stiffness > 0)) continue;  // a damper alone
    add(joint_error(joint, place(joint, system.bodies, motion.q), motion.s), rows,
        soft ? 1 / joint.stiffness : rules_.joints.compliance);
  }
  for (const auto& joint : system.own_joints)
    add(joint->error(system.bodies, motion.q, motion.time), joint->rows(), rules_.joints.compliance);
  return sum;
}

void Compliant::recall(const System& system, const Motion& motion) {
  if (auto kept = open_memory(motion.scheme, memory_name, memory_version)) {
    kept->number(target_);
    kept->number(range_);
    kept->number(alpha_);
    kept->numbers(lambda_);
    kept->finish();
    return;
  }
  target_ = energy_begin_;
  if (settings_.energy == FedEnergy::Total) target_ += constraint_energy(system, motion);
  range_ = settings_.energy_max > 0 ? settings_.energy_max : 0.01 * energy_scale(system, motion);
  lambda_.clear();
}

void Compliant::remember(const System&, double h, const Work& work, Motion& motion) {
  if (!settings_.feedback.is_used()) return;
  std::vector<double> lambda;
  for (std::size_t i = 0; i < rows_.joints.blocks().size(); ++i) {
    const RowBlock& block = rows_.joints.blocks()[i];
    if (!rows_.joints.equation(i).is_position()) continue;
    const std::size_t first = rows_.joints.kept_row(block), end = first + static_cast<std::size_t>(block.rows);
    if (lambda.size() < end) lambda.resize(end, 0.0);
    for (int l = 0; l < block.rows; ++l)
      lambda[first + static_cast<std::size_t>(l)] = rows_.r[rows_.rows.row(i) + l] / h;
  }
  NumberWriter kept = keep_memory(motion.scheme, memory_name, memory_version);
  kept.number(target_ + work.total() - work.joints);
  kept.number(range_);
  kept.number(alpha_);
  kept.numbers(lambda);
}

SparseMatrix Compliant::stiffness(const System& system, const Motion& motion) const {
  StiffnessEntries entries;
  for (std::size_t i = 0; i < rows_.joints.blocks().size(); ++i) {
    const RowBlock& block = rows_.joints.blocks()[i];
    if (!rows_.joints.equation(i).is_position()) continue;
    RowVector lambda = RowVector::Zero();
    for (int l = 0; l < block.rows; ++l)
      if (const auto k = rows_.joints.kept_row(block) + static_cast<std::size_t>(l); k < lambda_.size())
        lambda[l] = lambda_[k];
    add_geometric_stiffness(system, motion.q, rows_.joints.equation(i), motion.time, lambda, entries);
  }
  SparseMatrix K(system.bodies.nu(), system.bodies.nu());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

bool Compliant::solve_directly(SolveReport& report) {
  const GlobalProblem& problem = rows_.rows.problem();
  SparseMatrix W = problem.H.transpose() * rows_.rows.solve_mass(problem.H);
  for (int i = 0; i < problem.compliance.size(); ++i) W.coeffRef(i, i) += problem.compliance[i];
  const VecX b = problem.H.transpose() * rows_.rows.solve_mass(problem.f) + problem.w;
  W.makeCompressed();
  const Eigen::SparseLU<SparseMatrix> factor(W);
  if (factor.info() != Eigen::Success) return false;
  const VecX r = factor.solve(VecX(-b));
  if (!r.allFinite()) return false;
  const VecX U = W * r + b;
  ResidualSums sums;
  for (int i = 0; i < problem.size(); ++i) {
    const int first = problem.offset[static_cast<std::size_t>(i)], rows = problem.rows(i);
    double D = 0;
    for (int l = first; l < first + rows; ++l) D += W.coeff(l, l) / rows;
    sums.add(problem.law[static_cast<std::size_t>(i)], rows, U.data() + first, r.data() + first, b.data() + first, D);
  }
  report = {};
  report.residual = sums.value();
  report.iterations = 1;
  if (!(report.residual.scaled < 1e-9)) return false;  // singular to rounding: redundant rigid rows
  keep(problem, rows_.r, r);
  rows_.r = r;
  u_ = rows_.rows.velocity(rows_.r);
  return true;
}

StepStatus Compliant::solve_velocity_form(const std::vector<std::size_t>& folded, Solver& solver, SolveReport& report) {
  // Rows that join M^, and the problem of the others.
  const GlobalProblem& whole = rows_.rows.problem();
  GlobalProblem rest;
  std::vector<int> in, out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows_.block_count(); ++i) {
    const bool joins = next < folded.size() && folded[next] == i;
    if (joins) ++next;
    for (int l = 0; l < rows_.block(i).rows; ++l) (joins ? in : out).push_back(rows_.rows.row(i) + l);
    if (joins) continue;
    rest.law.push_back(whole.law[i]);
    rest.offset.push_back(rest.offset.back() + rows_.block(i).rows);
  }
  const SparseMatrix H = select_columns(whole.H, in);
  const VecX w = select_rows(whole.w, in), stiff = select_rows(whole.compliance, in).cwiseInverse();
  const SparseMatrix HG = H * stiff.asDiagonal();
  rest.M = whole.M + SparseMatrix(HG * H.transpose());
  rest.f = whole.f - HG * w;
  rest.M.makeCompressed();
  const Eigen::SparseLU<SparseMatrix> factor(rest.M);
  if (factor.info() != Eigen::Success) return StepStatus::IndefiniteStiffness;
  VecX p = rest.f;
  if (!out.empty()) {
    rest.H = select_columns(whole.H, out);
    rest.w = select_rows(whole.w, out);
    rest.compliance = select_rows(whole.compliance, out);
    VecX r = select_rows(rows_.r, out);
    report = solve_rows(solver, rest, r);
    for (std::size_t i = 0; i < out.size(); ++i) rows_.r[out[i]] = r[static_cast<Eigen::Index>(i)];
    p += rest.H * r;
  }
  u_ = factor.solve(p);
  const VecX r = -stiff.cwiseProduct(H.transpose() * u_ + w);
  for (std::size_t i = 0; i < in.size(); ++i) rows_.r[in[i]] = r[static_cast<Eigen::Index>(i)];
  if (out.empty()) {  // how well the equations are solved, relative
    report.iterations = 1;
    report.residual.scaled = report.residual.relative =
        (rest.M * u_ - p).norm() / std::max(p.norm(), std::numeric_limits<double>::min());
  }
  return report.status == SolveStatus::NotFinite ? StepStatus::NotFinite : StepStatus::Done;
}

StepStatus Compliant::find_velocity(const System& system, Solver& solver, double h, const Motion& motion,
                                    SolveReport& report) {
  const EnergyFeedback& feedback = settings_.feedback;
  alpha_ = 0;
  if (feedback.is_used()) {
    recall(system, motion);
    double energy = energy_begin_;
    if (settings_.energy == FedEnergy::Total) energy += constraint_energy(system, motion);
    alpha_ = feedback.at(range_ > 0 ? (energy - target_) / range_ : 0);
    if (alpha_ != 0) {
      const SparseMatrix K = stiffness(system, motion);
      const bool implicit =
          settings_.bias == StiffnessBias::Implicit || (settings_.bias == StiffnessBias::Unbiased && alpha_ > 0);
      if (!implicit) rows_.rows.set_momentum(p_ + alpha_ * h * h * (K * u_begin_));
      if (implicit && K.nonZeros() > 0 && !rows_.rows.set_unsymmetric_mass(A_ - alpha_ * h * h * K))
        return StepStatus::IndefiniteStiffness;
    }
  }
  if (rows_.rows.empty()) {
    u_ = rows_.rows.velocity(rows_.r);
    return StepStatus::Done;
  }
  std::vector<std::size_t> equations, yielding;
  int rows = 0, velocities = 0;
  for (std::size_t i = 0; i < rows_.block_count(); ++i) {
    if (is_equation(rows_.block(i))) equations.push_back(i);
    if (yields(rows_.block(i))) yielding.push_back(i), rows += rows_.block(i).rows;
  }
  for (int body = 0; body < system.bodies.size(); ++body)
    if (system.bodies.can_move(body)) velocities += system.bodies.slot(body).nu;
  const bool by_velocity =
      settings_.form == SchurForm::Velocity || (settings_.form == SchurForm::Auto && rows > velocities);
  if (by_velocity && !yielding.empty()) return solve_velocity_form(yielding, solver, report);
  if (equations.size() == rows_.block_count() && solve_directly(report)) return StepStatus::Done;
  report = solve_rows(solver, rows_.rows.problem(), rows_.r);
  u_ = rows_.rows.velocity(rows_.r);
  return report.status == SolveStatus::NotFinite ? StepStatus::NotFinite : StepStatus::Done;
}

}  // namespace cairn
