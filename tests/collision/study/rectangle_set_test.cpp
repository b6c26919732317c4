// SPDX-License-Identifier: Apache-2.0
// The four rectangle structures against brute force.
#include "cairn/collision/study/rectangle_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cairn {
namespace {

TEST(RectangleSet, all_structures_report_each_overlap_once_as_rectangles_come_and_go) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<Aabb> boxes;
  for (int i = 0; i < 200; ++i) {
    const double x = u(random), y = u(random), size = i % 20 == 0 ? 20 : 0.2;  // some cover very many squares
    const Vec3 lo = 3 * Vec3(x, y, 0);
    boxes.push_back({lo, lo + size * Vec3(u(random), u(random), 1)});
  }
  for (const RectangleStructure structure :
       {RectangleStructure::H2d, RectangleStructure::H2dPst, RectangleStructure::H1dPst, RectangleStructure::Pst2d}) {
    RectangleSet set(structure);
    set.start(boxes, 2);
    std::set<int> inside;
    for (int step = 0; step < 3000; ++step) {
      const int i = static_cast<int>(200 * u(random));
      if (inside.erase(i)) {
        set.erase(i);
        continue;
      }
      std::set<int> expected, found;
      for (const int j : inside)
        if (boxes[i].overlaps(boxes[j])) expected.insert(j);
      set.insert(i, [&](int j) { EXPECT_TRUE(found.insert(j).second); });
      ASSERT_EQ(found, expected) << "structure " << static_cast<int>(structure) << " step " << step;
      inside.insert(i);
    }
  }
}

}  // namespace
}  // namespace cairn
