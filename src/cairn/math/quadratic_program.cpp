// SPDX-License-Identifier: Apache-2.0
// Goldfarb-Idnani: see the header. Letters are those of the paper: J, R from the factorisation L^-1 (active columns) =
// Q [R; 0], J = L^-T Q; z the step in x, r the step in the multipliers, s the value of the entering constraint.
#include "cairn/math/quadratic_program.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Values of a constraint below this share of its terms are rounding.
constexpr double rounding = 1e-13;
/// A normal is dependent on the active ones when less than this share of it is left outside their span.
constexpr double dependence = 1e-11;
/// Proximal steps end when the gradient of the original program is this small; contraction makes ten of them plenty.
constexpr double gradient_share = 1e-14;
constexpr int most_proximal_steps = 60;

/// The working set with its factors.
class WorkingSet {
 public:
  explicit WorkingSet(const MatX& J) : J_(J), R_(MatX::Zero(J.rows(), J.rows())), d_(J.rows()) {}

  int size() const { return static_cast<int>(ids.size()); }
  std::vector<int> ids;   ///< inequality, or -1 - equality
  std::vector<double> u;  ///< multipliers

  /// Direction z of x and r of the multipliers for an entering normal c; returns z'c, 0 when c depends on the active.
  double direction(const Eigen::Ref<const VecX>& c, VecX& z, VecX& r) {
    const int n = static_cast<int>(J_.rows()), q = size();
    d_.noalias() = J_.transpose() * c;
    r = d_.head(q);
    if (q > 0) R_.topLeftCorner(q, q).triangularView<Eigen::Upper>().solveInPlace(r);
    const double free = d_.tail(n - q).norm();
    if (q == n || free <= dependence * d_.norm()) {
      z.setZero(n);
      return 0;
    }
    z.noalias() = J_.rightCols(n - q) * d_.tail(n - q);
    return free * free;
  }

  /// Adds the normal of the last direction() call.
  void add(int id, double multiplier) {
    const int n = static_cast<int>(J_.rows()), q = size();
    for (int j = n - 1; j > q; --j) rotate(d_[j - 1], d_[j], j - 1);
    R_.col(q).head(q + 1) = d_.head(q + 1);
    ids.push_back(id);
    u.push_back(multiplier);
  }

  void drop(int place) {
    const int q = size();
    for (int j = place; j + 1 < q; ++j) R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
    for (int j = place; j + 1 < q; ++j) {
      const auto [cosine, sine] = rotate(R_(j, j), R_(j + 1, j), j);
      for (int k = j + 1; k + 1 < q; ++k) {
        const double above = R_(j, k), below = R_(j + 1, k);
        R_(j, k) = cosine * above + sine * below;
        R_(j + 1, k) = cosine * below - sine * above;
      }
    }
    ids.erase(ids.begin() + place);
    u.erase(u.begin() + place);
  }

 private:
  /// Givens rotation that makes `below` zero, applied to columns j and j + 1 of J.
  std::pair<double, double> rotate(double& above, double& below, int j) {
    if (below == 0) return {1, 0};
    const double length = std::hypot(above, below), cosine = above / length, sine = below / length;
    above = length;
    below = 0;
    for (int i = 0; i < J_.rows(); ++i) {
      const double left = J_(i, j), right = J_(i, j + 1);
      J_(i, j) = cosine * left + sine * right;
      J_(i, j + 1) = cosine * right - sine * left;
    }
    return {cosine, sine};
  }

  MatX J_, R_;
  VecX d_;
};

/// One strictly convex program: minimise 1/2 d'(G + shift)d + g'd with the constraints' values at d = 0.
struct StrictProgram {
  const MatX& J;
  const VecX& g;
  const LinearConstraints &equalities, &inequalities;
  const VecX &e0, &i0, &e_scale, &i_scale, &e_norm, &i_norm;  ///< values at d = 0, their rounding, norms of the normals

  QuadraticStatus solve(std::span<const int> first, VecX& d, WorkingSet& set, int& iterations) const;

 private:
  bool enter_equalities(VecX& d, WorkingSet& set, int& iterations) const;
  int most_violated(const VecX& values, double length, std::span<const int> first,
                    const std::vector<bool>& barred) const;
};

bool StrictProgram::enter_equalities(VecX& d, WorkingSet& set, int& iterations) const {
  VecX z, r;
  for (int i = 0; i < equalities.count(); ++i, ++iterations) {
    const auto c = equalities.C.col(i);
    const double s = c.dot(d) + e0[i], curvature = set.direction(c, z, r);
    if (curvature == 0) {
      // A combination of the others: harmless when it agrees with them.
      if (std::abs(s) > 1e4 * rounding * (e_norm[i] * d.norm() + e_scale[i])) return false;
      continue;
    }
    const double t = -s / curvature;
    d += t * z;
    for (int j = 0; j < set.size(); ++j) set.u[static_cast<std::size_t>(j)] -= t * r[j];
    set.add(-1 - i, t);
  }
  return true;
}

int StrictProgram::most_violated(const VecX& values, double length, std::span<const int> first,
                                 const std::vector<bool>& barred) const {
  const auto violation = [&](int i) {
    if (barred[static_cast<std::size_t>(i)] || !(i_norm[i] > 0 || values[i] < 0)) return 0.0;
    const double limit = rounding * (i_norm[i] * length + i_scale[i]);
    return values[i] < -limit ? -values[i] / (i_norm[i] > 0 ? i_norm[i] : 1) : 0.0;
  };
  int worst = -1;
  double most = 0;
  const auto look = [&](int i) {
    if (const double v = violation(i); v > most) most = v, worst = i;
  };
  for (const int i : first) look(i);
  if (worst < 0)
    for (int i = 0; i < inequalities.count(); ++i) look(i);
  return worst;
}

QuadraticStatus StrictProgram::solve(std::span<const int> first, VecX& d, WorkingSet& set, int& iterations) const {
  d.noalias() = -(J * (J.transpose() * g));
  if (!enter_equalities(d, set, iterations)) return QuadraticStatus::Infeasible;
  const int m = inequalities.count();
  const int limit = iterations + 50 + 20 * (static_cast<int>(d.size()) + m);
  std::vector<bool> barred(static_cast<std::size_t>(m), false);
  VecX z, r, values(m);
  for (;;) {
    values.noalias() = inequalities.C.transpose() * d;
    values += i0;
    const int p = most_violated(values, d.norm(), first, barred);
    if (p < 0) return QuadraticStatus::Optimal;
    double s = values[p], multiplier = 0;
    const auto c = inequalities.C.col(p);
    for (;;) {
      if (++iterations > limit) return QuadraticStatus::IterationLimit;
      const double curvature = set.direction(c, z, r);
      // t1: how far until an active multiplier reaches zero (equalities have none to lose).
      double t1 = infinity;
      int blocking = -1;
      for (int j = 0; j < set.size(); ++j) {
        const std::size_t k = static_cast<std::size_t>(j);
        if (set.ids[k] < 0 || !(r[j] > 0)) continue;
        if (const double t = set.u[k] / r[j]; t < t1) t1 = t, blocking = j;
      }
      const double t2 = curvature > 0 ? -s / curvature : infinity;
      const double t = std::min(t1, t2);
      if (t == infinity) {
        // c is a combination of active normals with the wrong signs: infeasible unless the violation is rounding.
        if (-s > 1e4 * rounding * (i_norm[p] * d.norm() + i_scale[p])) return QuadraticStatus::Infeasible;
        barred[static_cast<std::size_t>(p)] = true;
        break;
      }
      if (curvature > 0) d += t * z;
      for (int j = 0; j < set.size(); ++j) set.u[static_cast<std::size_t>(j)] -= t * r[j];
      multiplier += t;
      if (t2 <= t1) {
        set.add(p, multiplier);
        break;
      }
      set.drop(blocking);
      if (curvature > 0) s = c.dot(d) + i0[p];
    }
  }
}

}  // namespace

std::string_view to_string(QuadraticStatus status) {
  switch (status) {
    case QuadraticStatus::Optimal: return "optimal";
    case QuadraticStatus::Infeasible: return "infeasible";
    case QuadraticStatus::Unbounded: return "unbounded";
    case QuadraticStatus::NotDefinite: return "not-definite";
    case QuadraticStatus::IterationLimit: return "iteration-limit";
  }
  return "?";
}

DualActiveSet::DualActiveSet(const MatX& G, double relative_shift) : G_(G) {
  const int n = size();
  if (n == 0) {
    definite_ = true;
    return;
  }
  shift_ = relative_shift * G.trace() / n;
  MatX shifted = G;
  shifted.diagonal().array() += shift_;
  const Eigen::LLT<MatX> factor(shifted);
  definite_ = factor.info() == Eigen::Success && shifted.allFinite();
  if (definite_) J_ = factor.matrixU().solve(MatX::Identity(n, n));
}

QuadraticSolution DualActiveSet::solve(const VecX& a, const LinearConstraints& equalities,
                                       const LinearConstraints& inequalities, const VecX& start,
                                       std::span<const int> first) const {
  QuadraticSolution result;
  result.x = start.size() > 0 && shift_ > 0 ? start : VecX::Zero(size());
  result.equality_multipliers = VecX::Zero(equalities.count());
  result.multipliers = VecX::Zero(inequalities.count());
  if (!definite_) {
    result.status = QuadraticStatus::NotDefinite;
    return result;
  }
  const VecX e_norm = equalities.C.colwise().norm(), i_norm = inequalities.C.colwise().norm();
  std::vector<int> order(first.begin(), first.end());
  VecX d;
  double last_length = infinity;
  for (;;) {
    const VecX g = G_ * result.x + a;
    const double length = result.x.norm();
    const VecX e0 = equalities.C.transpose() * result.x + equalities.c0;
    const VecX i0 = inequalities.C.transpose() * result.x + inequalities.c0;
    const VecX e_scale = equalities.c0.cwiseAbs() + length * e_norm;
    const VecX i_scale = inequalities.c0.cwiseAbs() + length * i_norm;
    WorkingSet set(J_);
    const StrictProgram program{J_, g, equalities, inequalities, e0, i0, e_scale, i_scale, e_norm, i_norm};
    result.status = program.solve(order, d, set, result.iterations);
    ++result.proximal_steps;
    if (result.status != QuadraticStatus::Optimal) return result;
    result.x += d;
    result.equality_multipliers.setZero();
    result.multipliers.setZero();
    result.active.clear();
    for (int j = 0; j < set.size(); ++j) {
      const int id = set.ids[static_cast<std::size_t>(j)];
      const double u = set.u[static_cast<std::size_t>(j)];
      if (id < 0) {
        result.equality_multipliers[-1 - id] = u;
      } else {
        result.multipliers[id] = u;
        result.active.push_back(id);
      }
    }
    if (shift_ == 0) return result;
    // shift |d| is what the gradient condition of the original program still lacks.
    const double step = d.norm();
    const double size_of_terms = a.norm() + (G_ * result.x).norm();
    if (shift_ * step <= gradient_share * size_of_terms) return result;
    // Rounding: once tiny, steps that no longer shrink say nothing more.
    if (shift_ * step <= 1e3 * gradient_share * size_of_terms && step >= 0.5 * last_length) return result;
    if (result.proximal_steps == most_proximal_steps) {
      // Steps that never shrink and that G does not see: the objective falls along d forever.
      const bool flat = (G_ * d).norm() <= 1e-6 * G_.norm() * step;
      result.status = flat && step >= 0.5 * last_length ? QuadraticStatus::Unbounded : QuadraticStatus::IterationLimit;
      return result;
    }
    last_length = step;
    order = result.active;
  }
}

QuadraticSolution solve_quadratic_program(const MatX& G, const VecX& a, const LinearConstraints& equalities,
                                          const LinearConstraints& inequalities) {
  return DualActiveSet(G).solve(a, equalities, inequalities);
}

}  // namespace cairn
