// SPDX-License-Identifier: Apache-2.0
// Random rotations and matrices for property tests.
#pragma once
#include "cairn/math/types.h"

#include <random>

namespace cairn {

/// Any orientation, all equally likely.
inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> g;
  return Quat(g(random), g(random), g(random), g(random)).normalized().toRotationMatrix();
}

/// Entries in [-1, 1], determinant at least 0.1.
inline Mat3 random_matrix(std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1, 1);
  Mat3 A;
  do {
    for (int i = 0; i < 9; ++i) A.data()[i] = u(random);
  } while (A.determinant() < 0.1);
  return A;
}

}  // namespace cairn
