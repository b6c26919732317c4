// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing: see the header.
#include "cairn/solvers/mixing.h"

#include <algorithm>

namespace cairn {

void MixingState::end_window() {
  const double gain = least_before / least;
  least_before = least;
  least = INFINITY;
  if (windows > 0) {
    plain_gain = gain;
    --windows;
  } else if (gain < std::max(1.2, std::pow(plain_gain, 1.5))) {
    memory = -1;
    windows = next_windows;
    next_windows = std::min(2 * next_windows, 64);
  } else {
    next_windows = 1;
  }
}

bool MixingState::due(double change) {
  constexpr int window = 32;
  ++sweeps;
  if (memory > 0 && change > 2 * last) {
    plain = std::clamp(++failures - 4, 0, 32);
    memory = -1;
  }
  last = change;
  least = std::min(least, change);
  if (sweeps % window == 0) end_window();
  if (windows > 0) return false;
  if (plain > 0) {
    --plain;
    return false;
  }
  return sweeps >= 6;  // before, the set of closed contacts changes too much
}

void Mixing::set(int rows) {
  rows_ = rows;
  memory_.resize(6 * rows);
}

bool Mixing::weights(int start, int size, MixingState& state, const double* F, const double* g, double* gamma) {
  const Eigen::Map<const VecX> now(F, size), reached(g, size);
  const auto slice = [&](Part part) { return memory_.segment(part * rows_ + start, size); };
  const int newest = state.memory % 2 == 1 ? 1 : 0;
  if (state.memory >= 0) {
    slice(newest == 0 ? dF_0 : dF_1) = now - slice(last_F);
    slice(newest == 0 ? dg_0 : dg_1) = reached - slice(last_g);
  }
  slice(last_F) = now;
  slice(last_g) = reached;
  if (++state.memory == 0) {
    slice(dg_0).setZero();  // dg is read, with weight zero, before there are two
    slice(dg_1).setZero();
    return false;
  }
  gamma[0] = gamma[1] = 0;
  const auto dF0 = slice(dF_0), dF1 = slice(dF_1);
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
