// SPDX-License-Identifier: Apache-2.0
// From contact problems to complementarity problems and back.
#include "cairn/problem/polyhedral.h"

#include "cairn/base/error.h"
#include "cairn/problem/dense_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cairn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Rows of r that carry something on their own: all but those of friction.
bool is_plain(const ConstraintLaw& law, int row) {
  if (law.kind == LawKind::Bilateral || law.kind == LawKind::Interval) return true;
  return row == 0 && law.has_normal();
}

/// Calls f(disc) for each friction disc that has a size. An ellipse is a disc, stretched; an ellipsoid has no place
/// here.
template <class F>
void for_each_disc(const std::vector<int>& offset, const std::vector<ConstraintLaw>& laws, F f) {
  LawPart parts[max_parts];
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const int count = law_parts(laws[i], offset[i + 1] - offset[i], parts);
    for (int p = 0; p < count; ++p) {
      const LawPart& part = parts[p];
      const double size = part.largest();
      if (!(size > 0)) continue;
      if (part.count > 2) throw Error("constraint {}: planes have no place for the law {}", i, law_name(laws[i].kind));
      FrictionDisc disc{part.fixed ? -1 : offset[i], offset[i] + part.first, part.count, size};
      for (int k = 0; k < part.count; ++k) disc.stretch[k] = part.round ? 1 : part.axes[k] / size;
      f(disc);
    }
  }
}

}  // namespace

BalancedProblem::BalancedProblem(const LocalProblem& problem) : offset(problem.offset), law(problem.law) {
  const VecX D = problem.scales();
  row_scale.resize(problem.b.size());
  for (int i = 0; i < problem.size(); ++i) {
    row_scale.segment(problem.offset[static_cast<std::size_t>(i)], problem.rows(i)).setConstant(1 / std::sqrt(D[i]));
  }
  W = row_scale.asDiagonal() * to_dense(problem) * row_scale.asDiagonal();
  b = row_scale.cwiseProduct(problem.b);
  unit = b.size() > 0 && b.cwiseAbs().maxCoeff() > 0 ? b.cwiseAbs().maxCoeff() : 1;
  b /= unit;
  for (std::size_t i = 0; i < law.size(); ++i) {
    scale_law(law[i], 1 / (unit * row_scale[offset[i]]));
  }
}

double BalancedProblem::natural_map(const VecX& r, VecX* F) const {
  const VecX U = W * r + b;
  double square = 0;
  if (F) F->resize(r.size());
  for (int i = 0; i < size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    square += cairn::natural_map(law[k], rows(i), U.data() + offset[k], r.data() + offset[k], 1,
                                 F ? F->data() + offset[k] : nullptr);
  }
  return std::sqrt(square);
}

bool has_spatial_friction(const LocalProblem& problem) {
  bool spatial = false;
  for_each_disc(problem.offset, problem.law, [&](const FrictionDisc& disc) { spatial |= disc.tangents > 1; });
  return spatial;
}

std::vector<FrictionDisc> make_discs(const BalancedProblem& problem, int facets) {
  std::vector<FrictionDisc> discs;
  for_each_disc(problem.offset, problem.law, [&](FrictionDisc disc) {
    const int m = disc.tangents == 1 ? 2 : facets;
    for (int j = 0; j < m; ++j) disc.angles.push_back(2 * std::numbers::pi * j / m);
    discs.push_back(disc);
  });
  return discs;
}

int count_unknowns(const LocalProblem& problem, const FrictionModel& model) {
  int count = 0;
  for (int i = 0; i < problem.size(); ++i)
    for (int k = 0; k < problem.rows(i); ++k) count += is_plain(problem.law[static_cast<std::size_t>(i)], k);
  for_each_disc(problem.offset, problem.law, [&](const FrictionDisc& disc) {
    count += model.kind == FrictionModel::Kind::Box ? disc.tangents : 1 + (disc.tangents == 1 ? 2 : model.facets);
  });
  return count;
}

PolyhedralModel to_mlcp(const BalancedProblem& problem, const FrictionModel& model, std::vector<FrictionDisc> discs,
                        const VecX& lagged) {
  if (model.facets < 4 || model.facets % 2 != 0) {
    throw Error("friction pyramid: {} facets; must be even and at least 4", model.facets);
  }
  PolyhedralModel result;
  result.discs = std::move(discs);
  const Eigen::Index n = problem.b.size();
  const bool box = model.kind == FrictionModel::Kind::Box;

  // Columns: the plain rows in their order, then each disc's directions (or axes) and slack.
  std::vector<double> lower, upper;
  std::vector<std::pair<int, int>> plain;  // (row of r, column)
  std::vector<int> column_of_row(static_cast<std::size_t>(n), -1);
  for (int i = 0; i < problem.size(); ++i) {
    const ConstraintLaw& law = problem.law[static_cast<std::size_t>(i)];
    for (int k = 0; k < problem.rows(i); ++k) {
      if (!is_plain(law, k)) continue;
      const int row = problem.offset[static_cast<std::size_t>(i)] + k;
      column_of_row[static_cast<std::size_t>(row)] = static_cast<int>(lower.size());
      plain.emplace_back(row, static_cast<int>(lower.size()));
      const bool interval = law.kind == LawKind::Interval;
      lower.push_back(law.has_normal() ? 0 : interval ? law.lower : -infinity);
      upper.push_back(interval ? law.upper : infinity);
    }
  }
  for (FrictionDisc& disc : result.discs) {
    disc.first_column = static_cast<int>(lower.size());
    if (box) {
      const double bound = disc.normal >= 0 && lagged.size() != n ? 0 : disc.bound(lagged);
      for (int k = 0; k < disc.tangents; ++k) {
        lower.push_back(-bound * disc.stretch[k]);
        upper.push_back(bound * disc.stretch[k]);
      }
      continue;
    }
    lower.insert(lower.end(), disc.angles.size(), 0);
    upper.insert(upper.end(), disc.angles.size(), infinity);
    disc.slack = static_cast<int>(lower.size());
    lower.push_back(0);
    upper.push_back(infinity);
  }

  const Eigen::Index size = static_cast<Eigen::Index>(lower.size());
  result.spread = MatX::Zero(n, size);
  for (const auto& [row, column] : plain) result.spread(row, column) = 1;
  for (const FrictionDisc& disc : result.discs) {
    if (box) {
      for (int k = 0; k < disc.tangents; ++k) result.spread(disc.first + k, disc.first_column + k) = 1;
      continue;
    }
    for (std::size_t j = 0; j < disc.angles.size(); ++j) {
      const int column = disc.first_column + static_cast<int>(j);
      result.spread(disc.first, column) =
          disc.tangents == 1 ? (j == 0 ? 1 : -1) : disc.stretch[0] * std::cos(disc.angles[j]);
      if (disc.tangents == 2) result.spread(disc.first + 1, column) = disc.stretch[1] * std::sin(disc.angles[j]);
    }
  }
  Mlcp& p = result.mlcp;
  p.M = result.spread.transpose() * (problem.W * result.spread).eval();
  p.q = result.spread.transpose() * problem.b;
  p.lower = Eigen::Map<const VecX>(lower.data(), size);
  p.upper = Eigen::Map<const VecX>(upper.data(), size);
  if (box) return result;
  for (const FrictionDisc& disc : result.discs) {
    const Eigen::Index m = static_cast<Eigen::Index>(disc.angles.size());
    p.M.block(disc.first_column, disc.slack, m, 1).setOnes();
    p.M.block(disc.slack, disc.first_column, 1, m).setConstant(-1);
    if (disc.normal < 0) {
      p.q[disc.slack] = disc.mu;
    } else {
      p.M(disc.slack, column_of_row[static_cast<std::size_t>(disc.normal)]) = disc.mu;
    }
  }
  return result;
}

PolyhedralModel to_mlcp(const LocalProblem& problem, const FrictionModel& model, const VecX& lagged) {
  const BalancedProblem scaled(problem);
  return to_mlcp(scaled, model, make_discs(scaled, model.facets),
                 lagged.size() > 0 ? scaled.to_scaled(lagged) : lagged);
}

VecX from_mlcp(const PolyhedralModel& model, const VecX& z) { return model.spread * z; }

VecX find_unknowns(const PolyhedralModel& model, const BalancedProblem& problem, const VecX& r) {
  VecX z = model.spread.transpose() * r;  // exact for plain rows and boxes
  const VecX U = problem.W * r + problem.b;
  for (const FrictionDisc& disc : model.discs) {
    if (disc.slack < 0) continue;
    const std::size_t m = disc.angles.size();
    auto beta = z.segment(disc.first_column, static_cast<Eigen::Index>(m));
    beta.setZero();
    double slack = 0;  // the smallest that makes every d_j . U_T + lambda >= 0
    Eigen::Index steepest = 0;
    for (std::size_t j = 0; j < m; ++j) {
      const auto d = model.spread.block(disc.first, disc.first_column + static_cast<int>(j), disc.tangents, 1);
      const double rate = -d.col(0).dot(U.segment(disc.first, disc.tangents));
      if (rate > slack) slack = rate, steepest = static_cast<Eigen::Index>(j);
    }
    z[disc.slack] = slack;
    // An open contact has a slack and no impulse; a trace of one names the direction that belongs into the basis.
    if (r.segment(disc.first, disc.tangents).norm() <= 1e-10 * slack) {
      beta[steepest] = 1e-10 * slack;
      z[disc.slack] *= 1 - 1e-8;  // so that its row wants it, whatever the trace adds there
      continue;
    }
    if (disc.tangents == 1) {
      beta[r[disc.first] >= 0 ? 0 : 1] = std::abs(r[disc.first]);
      continue;
    }
    // Between the two neighbouring directions.
    const Vec2 round = disc.to_round(r);
    const double x = round[0], y = round[1];
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t k = (j + 1) % m;
      const double ax = std::cos(disc.angles[j]), ay = std::sin(disc.angles[j]);
      const double cx = std::cos(disc.angles[k]), cy = std::sin(disc.angles[k]);
      const double det = ax * cy - ay * cx;
      if (!(det > 0)) continue;
      const double first = (x * cy - y * cx) / det, second = (ax * y - ay * x) / det;
      const double small = -1e-12 * (std::abs(first) + std::abs(second));
      if (first < small || second < small) continue;
      beta[static_cast<Eigen::Index>(j)] = std::max(0.0, first);
      beta[static_cast<Eigen::Index>(k)] = std::max(0.0, second);
      break;
    }
  }
  return z;
}

std::string describe_model(const LocalProblem& problem, const FrictionModel& model, double residual) {
  std::string what = "complementarity problem";
  if (has_spatial_friction(problem)) {
    what = model.kind == FrictionModel::Kind::Box ? "box model"
                                                  : fmt::format("polyhedral model ({} facets)", model.facets);
  }
  return fmt::format("{} {} {:.0e}", what, residual <= 1e-8 ? "solved to" : "left at", residual);
}

}  // namespace cairn
