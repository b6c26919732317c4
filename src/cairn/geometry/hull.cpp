// SPDX-License-Identifier: Apache-2.0
// Convex hulls by Qhull (Barber, Dobkin & Huhdanpaa 1996), reentrant library; coplanar facets come merged.
#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cairn/base/error.h"
#include "cairn/geometry/polyhedron.h"

namespace cairn {
namespace {

// Qhull wants a stream for its messages; this one keeps the text.
class Messages {
 public:
  Messages() : stream_(open_memstream(&text_, &size_)) {
    if (!stream_) throw Error("convex hull: no memory for messages");
  }
  ~Messages() {
    std::fclose(stream_);
    std::free(text_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  FILE* stream() { return stream_; }
  std::string first_line() {
    std::fflush(stream_);
    const std::string all(text_, size_);
    return all.substr(0, all.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* stream_;
};

struct Qhull {
  qhT state;
  Qhull() { qh_zero(&state, nullptr); }
  ~Qhull() {
    qh_freeqhull(&state, !qh_ALL);
    int unused_bytes = 0, unused_blocks = 0;
    qh_memfreeshort(&state, &unused_bytes, &unused_blocks);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
};

// Says in plain words what Qhull would say at length: the points are in a point, a line or a plane.
void check_spread(std::span<const Vec3> points, double size, std::string_view owner) {
  constexpr double kFlat = 1e-13;  // of the size: what remains of the rounding of coordinates
  const auto farthest = [&](auto&& distance) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
      if (distance(points[k]) > distance(points[best])) best = k;
    return points[best];
  };
  const Vec3 a = farthest([&](const Vec3& p) { return (p - points[0]).squaredNorm(); });
  const Vec3 b = farthest([&](const Vec3& p) { return (p - a).squaredNorm(); });
  if (!((b - a).norm() > 0)) throw Error("{}: all {} points are one; a hull needs a volume", owner, points.size());
  const Vec3 u = (b - a).normalized();
  const Vec3 c = farthest([&](const Vec3& p) { return (p - a).cross(u).squaredNorm(); });
  if (!((c - a).cross(u).norm() > kFlat * size))
    throw Error("{}: all points are on a line; a hull needs a volume", owner);
  const Vec3 n = (c - a).cross(u).normalized();
  const Vec3 d = farthest([&](const Vec3& p) { return std::abs((p - a).dot(n)); });
  if (!(std::abs((d - a).dot(n)) > kFlat * size))
    throw Error("{}: all points are in a plane; a hull needs a volume", owner);
}

}  // namespace

Polyhedron make_hull(std::span<const Vec3> points, std::string_view owner, bool with_shell) {
  if (points.size() < 4) throw Error("{}: has {} points; a convex hull needs at least 4", owner, points.size());
  Aabb box;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!points[k].allFinite()) throw Error("{}: point {} is not finite", owner, k);
    box.merge(points[k]);
  }
  const Vec3 centre = (box.lo + box.hi) / 2;
  const double size = (box.hi - box.lo).norm();
  check_spread(points, size, owner);

  // About their middle and of size 1, so that Qhull's thresholds mean the same for every scale. The coordinates of the
  // result are the given ones.
  std::vector<double> scaled;
  scaled.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) scaled.push_back((p[i] - centre[i]) / size);

  Messages messages;
  Qhull qhull;
  qhT* qh = &qhull.state;
  char command[] = "qhull C-0";  // join facets that are coplanar to rounding
  const int status =
      qh_new_qhull(qh, 3, static_cast<int>(points.size()), scaled.data(), False, command, nullptr, messages.stream());
  if (status != 0) throw Error("{}: its convex hull cannot be built: {}", owner, messages.first_line());

  std::vector<Vec3> vertices;
  std::vector<int> number(points.size(), -1);
  std::vector<std::vector<int>> faces;
  facetT* facet = nullptr;
  FORALLfacets {
    setT* corners = qh_facet3vertex(qh, facet);  // clockwise from outside (qh_ORIENTclock is 0)
    std::vector<int> face;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FOREACHvertex_(corners) {
      const auto id = static_cast<std::size_t>(qh_pointid(qh, vertex->point));
      if (number[id] < 0) {
        number[id] = static_cast<int>(vertices.size());
        vertices.push_back(points[id]);
      }
      face.push_back(number[id]);
    }
    qh_settempfree(qh, &corners);
    std::reverse(face.begin(), face.end());
    faces.push_back(std::move(face));
  }
  return make_polyhedron(std::move(vertices), faces, owner, with_shell);
}

}  // namespace cairn
