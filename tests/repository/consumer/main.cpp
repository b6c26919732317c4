// SPDX-License-Identifier: Apache-2.0
// The smallest program that uses an installed Cairn: a cross product, and an error of the user caught.
#include <cstdio>

#include "cairn/base/error.h"
#include "cairn/math/types.h"

int main() {
  const cairn::Vec3 x(1, 0, 0), y(0, 1, 0);
  std::printf("x cross y = (0, 0, %g)\n", (cairn::hat(x) * y).z());
  try {
    throw cairn::Error("body '{}': mass is {} kg; must be > 0", "brick 12", -3);
  } catch (const cairn::Error& error) {
    return error.what()[0] == 'b' ? 0 : 1;
  }
}
