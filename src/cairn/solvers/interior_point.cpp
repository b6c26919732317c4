// SPDX-License-Identifier: Apache-2.0
// Interior point on friction cones: see the header.
#include "cairn/solvers/interior_point.h"

#include "cairn/solvers/space_solve.h"

#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double determinant(const Vec3& x, int d) { return x[0] * x[0] - x.segment(1, d - 1).squaredNorm(); }

/// Product of the Jordan algebra.
Vec3 circle(const Vec3& a, const Vec3& b, int d) {
  Vec3 c = Vec3::Zero();
  c[0] = a.head(d).dot(b.head(d));
  c.segment(1, d - 1) = a[0] * b.segment(1, d - 1) + b[0] * a.segment(1, d - 1);
  return c;
}

/// x with lambda o x = b.
Vec3 circle_solve(const Vec3& lambda, const Vec3& b, int d) {
  const double det = determinant(lambda, d);
  const double dot = lambda.segment(1, d - 1).dot(b.segment(1, d - 1));
  Vec3 x = Vec3::Zero();
  x[0] = (lambda[0] * b[0] - dot) / det;
  x.segment(1, d - 1) = (b.segment(1, d - 1) - x[0] * lambda.segment(1, d - 1)) / lambda[0];
  return x;
}

/// Largest alpha with x + alpha dx in the cone.
double boundary(const Vec3& x, const Vec3& dx, int d) {
  // det(x + alpha dx) = a alpha^2 + 2 b alpha + c, c > 0.
  const double a = determinant(dx, d), c = std::max(determinant(x, d), 0.0);
  const double b = x[0] * dx[0] - x.segment(1, d - 1).dot(dx.segment(1, d - 1));
  double alpha = INFINITY;
  if (dx[0] < 0) alpha = -x[0] / dx[0];
  const double disc = b * b - a * c;
  if (disc >= 0) {
    const double q = -(b + (b >= 0 ? 1 : -1) * std::sqrt(disc));
    for (const double root : {q / a, c / q})
      if (root > 0 && std::isfinite(root)) alpha = std::min(alpha, root);
  }
  return alpha;
}

}  // namespace

/// One run from a starting point: what does not change on the way, the iterate, and the parts of an iteration.
template <class Space>
struct InteriorPoint::Run {
  static constexpr double kappa = 0.1;
  static constexpr double equation = 1e-9;  // compliance of equations per step; their error vanishes as the steps do

  InteriorPoint& own;
  Space& space;
  VecX& r;
  const ScaledLaws& laws = space.laws();
  const int n = laws.size();
  const bool held = own.settings_.shift == Shift::Held;
  bool linearised = false;
  int contacts = 0;
  double gap = 0;                                                 ///< mean of x . y
  VecX U = VecX(laws.total()), trial = U, shift = VecX::Zero(n);  ///< shift: where it is held
  std::vector<Vec3> x = std::vector<Vec3>(at(n), Vec3::Zero()), y = x, dx = x, dy = x, d = x, rest = x;

  /// How many rows of a constraint take part in its cone, and mu.
  int size_of(int i) const {
    const ConstraintLaw& law = laws.law[at(i)];
    if (law.kind == LawKind::Bilateral) return 0;
    return law.kind == LawKind::Frictionless || !(law.mu > 1e-12) ? 1 : laws.rows(i);
  }
  double mu_of(int i) const { return size_of(i) == 1 ? 1.0 : laws.law[at(i)].mu; }
  /// mu_2/mu of orthotropic friction: with r_T2 divided and U_T2 multiplied by it the cone is Coulomb's.
  double stretch_of(int i) const {
    const ConstraintLaw& law = laws.law[at(i)];
    return law.kind == LawKind::Orthotropic && size_of(i) > 1 ? law.mu_2 / law.mu : 1.0;
  }
  Vec3 to_x(int i, const VecX& from) const {
    Vec3 v = Vec3::Zero();
    v.head(size_of(i)) = from.segment(laws.offset[at(i)], size_of(i));
    v[0] *= mu_of(i);
    v[2] /= stretch_of(i);
    return v;
  }
  /// Velocities of the rows of the cone, where it is round.
  Vec3 round_velocity(int i, const VecX& from) const {
    Vec3 v = Vec3::Zero();
    v.head(size_of(i)) = from.segment(laws.offset[at(i)], size_of(i));
    v[2] *= stretch_of(i);
    return v;
  }
  /// |U_T| has a kink where contacts stick; on the way there it is rounded by the distance of y from its cone.
  double rounded(int i, const VecX& from) const {
    const double det = std::max(0.0, determinant(y[at(i)], size_of(i)));
    return std::sqrt(round_velocity(i, from).segment(1, size_of(i) - 1).squaredNorm() + kappa * det);
  }
  Vec3 to_y(int i, const VecX& from) const {
    Vec3 v = round_velocity(i, from);
    if (size_of(i) > 1) v[0] += held ? shift[i] : mu_of(i) * rounded(i, from);
    v[0] /= mu_of(i);
    return v;
  }

  double residual() const;
  void start();
  void scale_contact(int i, const VecX& velocity);
  void linearise();
  bool solve_for(bool factor);
  double longest() const;
  double predict();
  double step_length(double sigma, bool& solved);
  void step(double alpha);
};

/// The natural map of the problem that is solved.
template <class Space>
double InteriorPoint::Run<Space>::residual() const {
  if (!held) return laws.residual(r, U);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const int o = laws.offset[at(i)], rows = laws.rows(i);
    double p[max_rows];
    for (int l = 0; l < rows; ++l) p[l] = r[o + l] - U[o + l];
    p[0] -= shift[i];
    project(laws.law[at(i)], rows, p, p);
    for (int l = 0; l < rows; ++l) sum += std::pow(laws.scale[o] * (r[o + l] - p[l]), 2);
  }
  return laws.b_norm > 0 ? std::sqrt(sum) / laws.b_norm : std::sqrt(sum);
}

/// The swept point moved into the cones by a share of the typical size; with a held shift it is near a solution.
template <class Space>
void InteriorPoint::Run<Space>::start() {
  const double r_share = held ? 0.05 : 0.5, u_share = held ? 1e-4 : 0.1;
  const double r_size = std::max(r.norm(), laws.b.norm()) / std::sqrt(static_cast<double>(std::max(1, n)));
  const double u_size = std::max(u_share * laws.b.norm() / std::sqrt(static_cast<double>(std::max(1, n))), 1e-300);
  if (held) {
    for (int i = 0; i < n; ++i)
      if (size_of(i) > 1) shift[i] = mu_of(i) * round_velocity(i, U).segment(1, size_of(i) - 1).norm();
  }
  for (int i = 0; i < n; ++i) {
    const int size = size_of(i);
    if (size == 0) continue;
    ++contacts;
    x[at(i)] = to_x(i, r);
    y[at(i)] = to_y(i, U);
    x[at(i)][0] = std::max(x[at(i)][0], x[at(i)].segment(1, size - 1).norm()) + r_share * r_size * mu_of(i);
    y[at(i)][0] = std::max(y[at(i)][0], y[at(i)].segment(1, size - 1).norm()) + u_size / mu_of(i);
    r[laws.offset[at(i)]] = x[at(i)][0] / mu_of(i);
    if (size == 1) r.segment(laws.offset[at(i)] + 1, laws.rows(i) - 1).setZero();
  }
}

/// Scaling of Nesterov and Todd, V x = V^-1 y, and the contact's block of Newton's matrix,
/// P = S^-1 V^-2 S^-1, with the shift P (1 + mu e_N t').
template <class Space>
void InteriorPoint::Run<Space>::scale_contact(int i, const VecX& velocity) {
  const int size = size_of(i), rows = laws.rows(i);
  const double det_x = std::sqrt(std::max(determinant(x[at(i)], size), 1e-300));
  const double det_y = std::sqrt(std::max(determinant(y[at(i)], size), 1e-300));
  const Vec3 xb = x[at(i)] / det_x, yb = y[at(i)] / det_y;
  double product = 0;
  for (int k = 0; k < size; ++k) product += xb[k] * yb[k];
  const double gamma = std::sqrt(std::max(0.5 * (1 + product), 0.5));
  Vec3 w = yb;
  w[0] += xb[0];
  w.segment(1, size - 1) -= xb.segment(1, size - 1);
  w /= 2 * gamma;
  const double beta = std::sqrt(det_y / det_x);
  Scaling& s = own.scaling_[at(i)];
  s.V.setZero();
  s.inverse.setZero();
  s.V(0, 0) = s.inverse(0, 0) = w[0];
  for (int k = 1; k < size; ++k) {
    s.V(0, k) = s.V(k, 0) = w[k];
    s.inverse(0, k) = s.inverse(k, 0) = -w[k];
    for (int l = 1; l < size; ++l) {
      const double value = (k == l ? 1.0 : 0.0) + w[k] * w[l] / (w[0] + 1);
      s.V(k, l) = s.inverse(k, l) = value;
    }
  }
  s.V *= beta;
  s.inverse /= beta;
  s.lambda = s.V * x[at(i)];
  Mat3 P = s.inverse * s.inverse;
  const double mu = mu_of(i);
  P.row(0) /= mu;
  P.col(0) /= mu;
  if (linearised && size > 1) {
    const double t = rounded(i, velocity);
    const Vec3 v = round_velocity(i, velocity);
    if (t > 1e-300)
      for (int k = 1; k < size; ++k) P.col(k) += P.col(0) * (mu * v[k] / t);
  }
  P.row(2) *= stretch_of(i);
  P.col(2) *= stretch_of(i);
  double* block = own.blocks_.values.data() + own.blocks_.start[at(i)];
  for (int k = 0; k < size; ++k)
    for (int l = 0; l < size; ++l) block[l + rows * k] = P(l, k);
}

/// Newton's matrix and the gap at the iterate.
template <class Space>
void InteriorPoint::Run<Space>::linearise() {
  space.true_start(r);
  const VecX& velocity = space.U();
  gap = 0;
  for (int i = 0; i < n; ++i) {
    const int rows = laws.rows(i);
    double* block = own.blocks_.values.data() + own.blocks_.start[at(i)];
    std::fill(block, block + rows * rows, 0.0);
    if (size_of(i) == 0) {
      for (int l = 0; l < rows; ++l) block[l + rows * l] = 1 / equation;
      continue;
    }
    gap += x[at(i)].dot(y[at(i)]);
    rest[at(i)] = y[at(i)] - to_y(i, velocity);
    scale_contact(i, velocity);
  }
  gap /= std::max(1, contacts);
}

/// dx, dy for the right-hand side d: dr = h - P (dU), h = S^-1 (V^-1 d + V^-2 rest).
template <class Space>
bool InteriorPoint::Run<Space>::solve_for(bool factor) {
  const VecX& velocity = space.U();
  trial = r;
  for (int i = 0; i < n; ++i) {
    const int size = size_of(i), o = laws.offset[at(i)];
    if (size == 0) {
      trial.segment(o, laws.rows(i)) -= velocity.segment(o, laws.rows(i)) / equation;
      continue;
    }
    const Scaling& s = own.scaling_[at(i)];
    Vec3 h = s.inverse * (d[at(i)] + s.inverse * rest[at(i)]);
    h[0] /= mu_of(i);
    h[2] *= stretch_of(i);
    trial.segment(o, size) += h.head(size);
  }
  space.true_gradient(trial);
  if (!(factor ? space.true_direction(own.blocks_, 1) : space.true_direction_again())) return false;
  const VecX& dU = space.dU();
  for (int i = 0; i < n; ++i) {
    const int size = size_of(i);
    if (size == 0) continue;
    Vec3 change = round_velocity(i, dU);
    if (linearised && size > 1) {
      const double t = rounded(i, velocity);
      const Vec3 v = round_velocity(i, velocity);
      if (t > 1e-300) change[0] += laws.law[at(i)].mu * v.segment(1, size - 1).dot(change.segment(1, size - 1)) / t;
    }
    change[0] /= mu_of(i);
    const Scaling& s = own.scaling_[at(i)];
    dy[at(i)] = change - rest[at(i)];
    dx[at(i)] = s.inverse * (d[at(i)] - s.inverse * dy[at(i)]);
  }
  return true;
}

/// Largest step that leaves x and y in their cones.
template <class Space>
double InteriorPoint::Run<Space>::longest() const {
  double alpha_x = 1e300, alpha_y = 1e300;
  for (int i = 0; i < n; ++i) {
    const int size = size_of(i);
    if (size == 0) continue;
    alpha_x = std::min(alpha_x, boundary(x[at(i)], dx[at(i)], size));
    alpha_y = std::min(alpha_y, boundary(y[at(i)], dy[at(i)], size));
  }
  return std::min(alpha_x, alpha_y);
}

/// Mehrotra's predictor: how far the affine step would bring the gap down, as the centring sigma; negative where the
/// factorisation fails.
template <class Space>
double InteriorPoint::Run<Space>::predict() {
  for (int i = 0; i < n; ++i) d[at(i)] = -own.scaling_[at(i)].lambda;
  if (!solve_for(true)) return -1;
  const double affine = std::min(1.0, longest());
  double affine_gap = 0;
  for (int i = 0; i < n; ++i)
    if (size_of(i) > 0) affine_gap += (x[at(i)] + affine * dx[at(i)]).dot(y[at(i)] + affine * dy[at(i)]);
  affine_gap /= std::max(1, contacts);
  const double ratio = std::clamp(affine_gap / gap, 0.0, 1.0);
  return std::max(ratio * ratio * ratio, 1e-4);
}

/// Corrector: the length of the step; where that is short, one to the middle without the second-order term instead.
template <class Space>
double InteriorPoint::Run<Space>::step_length(double sigma, bool& solved) {
  const auto aim = [&](double share, bool second_order) {
    for (int i = 0; i < n; ++i) {
      const int size = size_of(i);
      if (size == 0) continue;
      const Scaling& s = own.scaling_[at(i)];
      Vec3 right = -circle(s.lambda, s.lambda, size);
      if (second_order) right -= circle(s.inverse * dy[at(i)], s.V * dx[at(i)], size);
      right[0] += share * gap;
      d[at(i)] = circle_solve(s.lambda, right, size);
    }
  };
  aim(sigma, true);
  solved = solve_for(false);
  if (!solved) return 0;
  const double alpha = std::min(1.0, 0.99 * longest());
  if (!(alpha < 0.1)) return alpha;
  aim(0.8, false);
  solve_for(false);
  return std::min(1.0, 0.95 * longest());
}

template <class Space>
void InteriorPoint::Run<Space>::step(double alpha) {
  const VecX& velocity = space.U();
  for (int i = 0; i < n; ++i) {
    const int size = size_of(i), o = laws.offset[at(i)];
    if (size == 0) {
      r.segment(o, laws.rows(i)) -=
          alpha * (velocity.segment(o, laws.rows(i)) + space.dU().segment(o, laws.rows(i))) / equation;
      continue;
    }
    x[at(i)] += alpha * dx[at(i)];
    y[at(i)] += alpha * dy[at(i)];
    r.segment(o, size) = x[at(i)].head(size);
    r[o] /= mu_of(i);
    if (size == 3) r[o + 2] *= stretch_of(i);
  }
  space.velocity(r, U);
}

template <class Space>
void InteriorPoint::iterate(Space& space, VecX& r, SolveReport& report, const Budget& budget) {
  const ScaledLaws& laws = space.laws();
  blocks_.set(laws);
  std::fill(blocks_.values.begin(), blocks_.values.end(), 0.0);
  std::fill(blocks_.zero.begin(), blocks_.zero.end(), 0);
  scaling_.resize(at(laws.size()));
  Run<Space> run{*this, space, r};
  space.prepare_sweeps(r);
  for (int k = 0; k < settings_.sweeps; ++k) space.sweep(r, k % 2 == 0);
  space.velocity(r, run.U);
  double best_residual = run.held ? INFINITY : laws.residual(r, run.U);
  VecX best = r;
  run.start();
  report.status = SolveStatus::IterationLimit;
  int slow = 0, lagged = 0;
  const int last_iteration = report.iterations + settings_.max_iterations;
  while (report.iterations < last_iteration) {
    if (budget.over()) {
      report.status = SolveStatus::TimeLimit;
      break;
    }
    // Where the full linearisation runs into the boundary, lagging the shift gives a monotone problem to recover on.
    run.linearised = settings_.shift == Shift::Linearised && lagged <= 0;
    run.linearise();
    ++report.iterations;
    const double sigma = run.predict();
    bool solved = sigma >= 0;
    const double alpha = solved ? run.step_length(sigma, solved) : 0;
    if (!solved) {
      report.status = SolveStatus::Stalled;
      break;
    }
    lagged = alpha < 0.2 && run.linearised ? 3 : lagged - 1;
    run.step(alpha);
    const double residual = run.residual();
    note(report.iterations, budget.seconds(), residual);
    if (!std::isfinite(residual)) break;
    if (r.norm() > 1e12 * std::max(laws.b.norm(), 1e-300)) {
      report.status = SolveStatus::Stalled;
      report.message = "impulses grow without bound: there is probably no solution";
      break;
    }
    if (residual < best_residual) {
      best_residual = residual;
      best = r;
    }
    if (best_residual <= settings_.tolerance) break;
    // Steps that end at once at the boundary: the central path has turned, or rounding is all there is.
    slow = alpha < 0.2 ? slow + 1 : std::max(0, slow - 1);
    if (slow >= 8) {
      report.status = SolveStatus::Stalled;
      break;
    }
  }
  r = best;
  if (run.held) {
    space.velocity(r, run.U);
    best_residual = laws.residual(r, run.U);
    if (report.status != SolveStatus::TimeLimit) report.status = SolveStatus::Stalled;
  }
  if (best_residual <= settings_.tolerance) report.status = SolveStatus::Converged;
  report.residual.scaled = best_residual;
}

template void InteriorPoint::iterate(ContactSpace&, VecX&, SolveReport&, const Budget&);
template void InteriorPoint::iterate(VelocitySpace&, VecX&, SolveReport&, const Budget&);

SolveReport InteriorPoint::run(const ContactProblem& problem, VecX& r, const Budget& budget) {
  require_laws(*this, problem.laws());
  return solve_in_space(problem, settings_.max_cost, contact_, velocity_, r,
                        [&](auto& space, VecX& x, SolveReport& report) { iterate(space, x, report, budget); });
}

}  // namespace cairn
