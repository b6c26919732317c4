// SPDX-License-Identifier: Apache-2.0
// How much geometric stiffness a step gets: fixed, or by how far the energy is from where it should be
// (Hewlett 2020, chapter 3, with the signs of the branch below mended).
//
//   x = (E - E_0)/E_max
//   linear   alpha_max min(x, 1)       x >= 0;   alpha_min min(-x, 1)       x < 0
//   tanh     alpha_max tanh(x)                   alpha_min tanh(-x)
//   quartic  alpha_max min(x, 1)^4               alpha_min min(-x, 1)^4
// alpha = 1 takes the direction of constraint forces from the end of the step and removes energy, alpha < 0 adds some.
#pragma once
#include <algorithm>
#include <cmath>

namespace cairn {

enum class AlphaLaw { Fixed, Linear, Tanh, Quartic };

struct EnergyFeedback {
  AlphaLaw law = AlphaLaw::Fixed;
  double alpha = 0;      ///< of the law fixed
  double alpha_min = 0;  ///< <= 0
  double alpha_max = 1;  ///< >= 0

  /// alpha at x.
  double at(double x) const {
    const double bound = x >= 0 ? alpha_max : alpha_min, size = std::abs(x), part = std::min(size, 1.0);
    switch (law) {
      case AlphaLaw::Fixed: return alpha;
      case AlphaLaw::Linear: return bound * part;
      case AlphaLaw::Tanh: return bound * std::tanh(size);
      case AlphaLaw::Quartic: return bound * part * part * part * part;
    }
    return 0;
  }
  bool is_adaptive() const { return law != AlphaLaw::Fixed; }
  /// Whether there is any geometric stiffness at all.
  bool is_used() const { return is_adaptive() || alpha != 0; }
};

}  // namespace cairn
