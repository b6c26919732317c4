// SPDX-License-Identifier: Apache-2.0
// Exact solution of one contact with Coulomb friction, U = W r + b with W symmetric positive definite.
//
// Eliminating r_N by U_N = 0 leaves U_T = A r_T + c with the Schur complement A = W_TT - W_TN W_NT / W_NN and
// c = b_T - W_TN b_N / W_NN. Sliding means U_T = -lambda r_T, lambda > 0: (A + lambda I) r_T = -c. In the eigenvectors
// of A that is r_i = -c_i / (a_i + lambda), and |r_T| = mu r_N is one equation in lambda. phi(lambda) = mu r_N / |r_T|
// - 1 is < 0 at lambda = 0 (else the contact sticks), tends to +infinity and is nearly linear, so a safeguarded Newton
// iteration needs 2-4 steps and cannot fail (the idea of the secular equation of trust-region methods; the quartic of
// Bonnefon and Daviet 2011 has the same roots).
#pragma once
#include "cairn/math/types.h"

#include <algorithm>
#include <cmath>

namespace cairn {

struct SingleContact {
  double inverse_nn = 0;        ///< 1 / W_NN
  double k1 = 0, k2 = 0;        ///< W_NT / W_NN in the eigenvectors of A
  double a1 = 0, a2 = 0;        ///< eigenvalues of A
  double i1 = 0, i2 = 0;        ///< their inverses
  double cosine = 1, sine = 0;  ///< from (T1, T2) to the eigenvectors

  /// Prepares for a 3 x 3 block W.
  void prepare(const Mat3& W) {
    inverse_nn = 1 / W(0, 0);
    const double n1 = W(0, 1), n2 = W(0, 2);
    const double A11 = W(1, 1) - n1 * n1 * inverse_nn, A22 = W(2, 2) - n2 * n2 * inverse_nn;
    const double A12 = W(1, 2) - n1 * n2 * inverse_nn;
    // Jacobi rotation: tan(2 angle) = 2 A12 / (A11 - A22), smaller angle.
    if (std::abs(A12) > 1e-15 * (A11 + A22)) {
      const double theta = (A22 - A11) / (2 * A12);
      const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      cosine = 1 / std::sqrt(t * t + 1);
      sine = t * cosine;
      a1 = A11 - t * A12;
      a2 = A22 + t * A12;
    } else {
      cosine = 1, sine = 0, a1 = A11, a2 = A22;
    }
    k1 = (cosine * n1 - sine * n2) * inverse_nn;
    k2 = (sine * n1 + cosine * n2) * inverse_nn;
    // A is positive definite in exact arithmetic; rounding must not make it singular.
    const double floor = 1e-14 * (W(1, 1) + W(2, 2));
    a1 = std::max(a1, floor);
    a2 = std::max(a2, floor);
    i1 = 1 / a1;
    i2 = 1 / a2;
  }

  /// The impulse for the velocity b without it. `lambda` is the start of the iteration, and its result.
  Vec3 solve(const Vec3& b, double mu, double& lambda) const {
    if (b[0] >= 0) return Vec3::Zero();
    if (mu == 0) return {-b[0] * inverse_nn, 0, 0};
    const double c1 = cosine * b[1] - sine * b[2] - k1 * b[0];
    const double c2 = sine * b[1] + cosine * b[2] - k2 * b[0];
    double r1 = -c1 * i1, r2 = -c2 * i2;
    double rn = -b[0] * inverse_nn - k1 * r1 - k2 * r2;
    if (!(r1 * r1 + r2 * r2 <= mu * mu * rn * rn && rn >= 0)) {
      slide(b[0], mu, c1, c2, lambda, r1, r2, rn);
    }
    return {rn, cosine * r1 + sine * r2, -sine * r1 + cosine * r2};
  }

 private:
  void slide(double bn, double mu, double c1, double c2, double& lambda, double& r1, double& r2, double& rn) const {
    constexpr double nearly = 1e-8;
    double low = 0, high = INFINITY;
    if (!(lambda > 0)) lambda = 0.5 * (a1 + a2);
    for (int i = 0; i < 100; ++i) {
      const double p1 = a1 + lambda, p2 = a2 + lambda, q = 1 / (p1 * p2), s1 = p2 * q, s2 = p1 * q;
      r1 = -c1 * s1;
      r2 = -c2 * s2;
      rn = -bn * inverse_nn - k1 * r1 - k2 * r2;
      const double square = r1 * r1 + r2 * r2, t = std::sqrt(square);
      const double phi = mu * rn - t, size = t + mu * std::abs(rn);
      if (std::abs(phi) <= 4e-16 * size) break;
      (phi < 0 ? low : high) = lambda;
      // d/dlambda of mu rn / t, times t^3: r_i' = -r_i s_i, rn' = -k.r', t' = r.r' / t.
      const double rn_slope = k1 * r1 * s1 + k2 * r2 * s2;
      const double slope = mu * (rn_slope * square + rn * (r1 * r1 * s1 + r2 * r2 * s2));
      const double step = -phi * square / slope;
      const double next = lambda + step;
      if (!(next > low && next < high)) {
        lambda = std::isfinite(high) ? 0.5 * (low + high) : 2 * lambda + a1 + a2;
        continue;
      }
      lambda = next;
      if (std::abs(phi) <= nearly * size) {
        // What is left is the square of that: the tangent will do.
        rn += step * rn_slope;
        r1 -= step * r1 * s1;
        r2 -= step * r2 * s2;
        break;
      }
    }
    // On the cone exactly: the last rounding goes to the tangential part.
    rn = std::max(rn, 0.0);
    const double t = std::sqrt(r1 * r1 + r2 * r2);
    if (t > 0) {
      const double scale = mu * rn / t;
      r1 *= scale;
      r2 *= scale;
    }
  }
};

}  // namespace cairn
