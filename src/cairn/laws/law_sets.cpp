// SPDX-License-Identifier: Apache-2.0
// Derivatives of discs; one equation for the projection on the cone over any friction set.
#include "cairn/laws/law_sets.h"

#include <Eigen/Eigenvalues>

namespace cairn {

void fill_disc_derivative(double radius, int first, int n, const double* x, bool root, double* D) {
  const double size = sets::length(x + first, n - first);
  const bool inside = size <= radius && radius > 0;
  const double weight = inside ? 1 : size > 0 ? radius / size : 0, side = root ? std::sqrt(weight) : weight;
  for (int j = first; j < n; ++j)
    for (int i = first; i < n; ++i)
      D[i + n * j] = side * ((i == j ? 1 : 0) - (inside || size == 0 ? 0 : (x[i] / size) * (x[j] / size)));
}

sets::DiscCone cone_over_discs(const ConstraintLaw& law, int rows) {
  LawPart parts[max_parts];
  const int count = law.kind.type().parts(law, rows, parts);
  sets::DiscCone cone;
  cone.rows = rows;
  for (int p = 0; p < count; ++p) cone.parts[cone.count++] = {parts[p].axes[0], parts[p].count};
  return cone;
}

void project_on_section(const ConstraintLaw& law, int rows, double r_N, const double* x, double* out) {
  double at[max_rows] = {};
  if (!(r_N > 0)) {
    std::fill_n(out, rows - 1, 0.0);
    return;
  }
  for (int i = 0; i < rows - 1; ++i) at[i] = x[i] / r_N;
  law.kind.type().project_friction(law, at, out);
  for (int i = 0; i < rows - 1; ++i) out[i] = out[i] == at[i] ? x[i] : r_N * out[i];  // members come back bit for bit
}

void project_on_cone_over_section(const ConstraintLaw& law, int rows, const double* x, double* out) {
  double tangent[max_rows], rest[max_rows];
  const auto pull = [&](double n) {  // sigma_F of what sticks out of n F
    project_on_section(law, rows, n, x + 1, tangent);
    for (int i = 0; i < rows - 1; ++i) rest[i] = x[1 + i] - tangent[i];
    return std::max(0.0, law.kind.type().support(law, rest));
  };
  const double start = std::max(0.0, x[0]), most = pull(start);
  double low = start, high = start + most, normal = high;
  if (!(x[0] + most > 0)) {  // the polar cone
    normal = 0;
  } else if (most > 0) {
    // Regula falsi (Illinois): g(low) <= 0 <= g(high), as pull() falls with n.
    double g_low = low - x[0] - most, g_high = high - x[0] - pull(high);
    int side = 0;
    for (int k = 0; k < 200 && high - low > 1e-16 * high && g_high != 0; ++k) {
      normal = g_high > g_low ? (low * g_high - high * g_low) / (g_high - g_low) : 0.5 * (low + high);
      if (!(normal > low && normal < high)) break;
      const double g = normal - x[0] - pull(normal);
      if (g == 0) break;
      (g < 0 ? low : high) = normal;
      (g < 0 ? g_low : g_high) = g;
      if (side * g > 0) (g < 0 ? g_high : g_low) *= 0.5;
      side = g < 0 ? -1 : 1;
    }
  }
  project_on_section(law, rows, normal, x + 1, tangent);
  out[0] = normal;
  std::copy_n(tangent, rows - 1, out + 1);
}

void cone_over_section_derivative(const ConstraintLaw& law, int rows, const double* x, double* D, bool root) {
  constexpr double noise = 1e-8;  // of the differences
  differentiate(rows, x, D, [&](const double* at, double* out) { project_on_cone_over_section(law, rows, at, out); });
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_rows, max_rows>;  // on the stack
  Eigen::Map<Block> out(D, rows, rows);
  if (out.norm() < noise) return out.setZero(), void();
  if ((out - Block::Identity(rows, rows)).norm() < noise) return out.setIdentity(), void();
  const Eigen::SelfAdjointEigenSolver<Block> eigen(0.5 * (out + out.transpose()));
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_rows, 1> values = eigen.eigenvalues().cwiseMax(0).cwiseMin(1);
  if (root) values = values.cwiseSqrt();
  out = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace cairn
