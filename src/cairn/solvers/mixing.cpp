// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing: see the header.
#include "cairn/solvers/mixing.h"

#include <algorithm>

namespace cairn {

bool MixingState::due(double change) {
  ++sweeps;
  if (memory > 0 && change > 2 * last) {
    plain = std::clamp(++failures - 4, 0, 32);
    memory = -1;
  }
  last = change;
  if (plain > 0) {
    --plain;
    return false;
  }
  return sweeps >= 6;  // before, the set of closed contacts changes too much
}

void Mixing::set(int rows) {
  for (VecX* v : {&last_F_, &last_g_, dF_, dF_ + 1}) v->resize(rows);
  for (VecX& v : dg_) v.setZero(rows);  // read, with weight zero, before there are two
}

bool Mixing::weights(int start, int size, MixingState& state, const double* F, const double* g, double* gamma) {
  const Eigen::Map<const VecX> now(F, size);
  const std::size_t newest = state.memory % 2 == 1 ? 1 : 0;
  if (state.memory >= 0) {
    dF_[newest].segment(start, size) = now - last_F_.segment(start, size);
    dg_[newest].segment(start, size) = Eigen::Map<const VecX>(g, size) - last_g_.segment(start, size);
  }
  last_F_.segment(start, size) = now;
  last_g_.segment(start, size) = Eigen::Map<const VecX>(g, size);
  if (++state.memory == 0) return false;
  gamma[0] = gamma[1] = 0;
  const auto dF0 = dF_[0].segment(start, size), dF1 = dF_[1].segment(start, size);
  const double a00 = dF0.squaredNorm(), f0 = dF0.dot(now);
  if (state.memory == 1) {
    gamma[0] = f0 / a00;
  } else {
    const double a11 = dF1.squaredNorm(), a01 = dF0.dot(dF1), f1 = dF1.dot(now), determinant = a00 * a11 - a01 * a01;
    if (determinant > 1e-10 * a00 * a11) {
      gamma[0] = (a11 * f0 - a01 * f1) / determinant;
      gamma[1] = (a00 * f1 - a01 * f0) / determinant;
    } else {  // parallel: the newer one alone
      gamma[newest] = newest == 0 ? f0 / a00 : f1 / a11;
    }
  }
  if (std::abs(gamma[0]) + std::abs(gamma[1]) < 100) return true;
  state.memory = -1;
  return false;
}

}  // namespace cairn
