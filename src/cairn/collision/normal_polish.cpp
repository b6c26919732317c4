// SPDX-License-Identifier: Apache-2.0
// Newton's method on the normal, feature by feature (the conditions are those of a stationary separation; see header).
#include "cairn/collision/normal_polish.h"

#include <Eigen/LU>
#include <array>

namespace cairn {
namespace {

constexpr double kNear = 0.15;     // rad: kinks farther than this from the guess are not tried
constexpr double kSolved = 1e-11;  // residual relative to the size
constexpr int kMaxNewton = 12;

// A way in which a shape can support: smoothly (a vertex or a curved surface), along a kink, or with a face.
struct Way {
  enum Kind { Smooth, Kink, Face } kind;
  int index;    // of the segment, edge or face
  Vec3 normal;  // of a face, outward
  int end = 0;  // smooth: the end of a segment or generator (-1, 1) that supports; 0: that along the direction
};

struct Ways {
  std::array<Way, 12> way;
  int count = 0;
  void add(Way::Kind kind, int index, const Vec3& normal = Vec3::Zero(), int end = 0) {
    if (count < 12) way[count++] = {kind, index, normal, end};
  }
};

// The support in direction d when `way` is active: point x and curvature H of the smooth part, and for a kink phi with
// its derivatives g, P; the contact point is x + t g with lo <= t <= hi.
struct Local {
  Vec3 x;
  Mat3 H;
  double phi = 0;
  Vec3 g;
  Mat3 P;
  double lo = 0, hi = 0;
};

// Support of a program's solid, its curvature by differences: of no degree in d, so steps along d need none.
void add_solid(const PlacedConvex& s, const Vec3& d, Vec3& x, Mat3& H) {
  constexpr double step = 1e-6;
  const Vec3 u = (s.E.transpose() * d).normalized();
  x += s.E * s.solid->support(u);
  Mat3 slope;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = step * Vec3::Unit(i);
    slope.col(i) = (s.solid->support(u + e) - s.solid->support(u - e)) / (2 * step);
  }
  H += s.E * slope * s.E.transpose() / (s.E.transpose() * d).norm();
}

// Support of the image of the unit disc or ball under D, w = D'd.
template <class Matrix>
void add_round(const Matrix& D, const Vec3& d, Vec3& x, Mat3& H) {
  const auto w = (D.transpose() * d).eval();
  const double r = w.norm();
  if (!(r > 0)) return;
  const Vec3 p = D * (w / r);
  x += p;
  H += (D * D.transpose() - p * p.transpose()) / r;
}

Local evaluate(const PlacedConvex& s, const Way& way, const Vec3& d) {
  Local m;
  m.x = s.c;
  m.H.setZero();
  m.g.setZero();
  m.P.setZero();
  const bool kink = way.kind == Way::Kink;
  const auto add_segment = [&](const Vec3& e, bool active) {
    const double phi = e.dot(d);
    if (active) {
      m.phi = phi;
      m.g = e;
      m.lo = -1;
      m.hi = 1;
    } else {
      m.x += (way.end != 0 ? way.end : sign_or_one(phi)) * e;
    }
  };
  switch (s.kind) {
    case CoreKind::Point: break;
    case CoreKind::Segment: add_segment(s.E.col(2), kink); break;
    case CoreKind::Box:
      for (int i = 0; i < 3; ++i) add_segment(s.E.col(i), kink && way.index == i);
      break;
    case CoreKind::Cylinder:
      add_segment(s.E.col(2), kink);
      add_round(s.E.leftCols<2>(), d, m.x, m.H);
      break;
    case CoreKind::RoundSegment:
      add_segment(s.axis, kink);
      add_round(s.E, d, m.x, m.H);
      break;
    case CoreKind::Ellipsoid: add_round(s.E, d, m.x, m.H); break;
    case CoreKind::Solid: add_solid(s, d, m.x, m.H); break;
    case CoreKind::Cone: {
      // From the apex along the generator to the rim, phi = (rim - apex).d.
      Vec3 rim = s.c - 0.25 * s.E.col(2);
      const Vec3 apex = s.c + 0.75 * s.E.col(2);
      Mat3 H = Mat3::Zero();
      add_round(s.E.leftCols<2>(), d, rim, H);
      const double phi = (rim - apex).dot(d);
      if (kink) {
        m.x = apex;
        m.phi = phi;
        m.g = rim - apex;
        m.P = H;
        m.lo = 0;
        m.hi = 1;
      } else if (way.end != 0 ? way.end < 0 : phi <= 0) {
        m.x = apex;
      } else {
        m.x = rim;
        m.H = H;
      }
      break;
    }
    case CoreKind::Polyhedron:
      if (kink) {
        const Polyhedron::Edge& e = s.poly->edges[static_cast<std::size_t>(way.index)];
        const Vec3 &p = s.poly->vertices[static_cast<std::size_t>(e.v0)],
                   &q = s.poly->vertices[static_cast<std::size_t>(e.v1)];
        m.x = s.c + s.E * p;
        m.g = s.E * (q - p);
        m.phi = m.g.dot(d);
        m.lo = 0;
        m.hi = 1;
      } else {
        m.x = find_support(s, d).x;
      }
      break;
  }
  return m;
}

// The ways near direction d: faces first, then smooth, then kinks. Where a segment or generator is nearly level the
// guess may lie on the wrong side of its kink, and what supports smoothly is its other end.
Ways find_ways(const PlacedConvex& s, const Vec3& d) {
  Ways w;
  const auto add_face = [&](int i, const Vec3& n) {
    if ((n - d).squaredNorm() < kNear * kNear) w.add(Way::Face, i, n);
  };
  const auto add_kink = [&](int i, const Vec3& e) {
    if (std::abs(e.dot(d)) < kNear * e.norm()) w.add(Way::Kink, i);
  };
  const auto add_generator = [&](const Vec3& e) {
    add_kink(2, e);
    if (std::abs(e.dot(d)) < kNear * e.norm()) w.add(Way::Smooth, 0, Vec3::Zero(), e.dot(d) < 0 ? 1 : -1);
  };
  switch (s.kind) {
    case CoreKind::Box:
      for (int i = 0; i < 3; ++i) add_face(i, sign_or_one(s.N.col(i).dot(d)) * s.N.col(i));
      break;
    case CoreKind::Cylinder: add_face(2, sign_or_one(s.N.col(2).dot(d)) * s.N.col(2)); break;
    case CoreKind::Cone: add_face(2, -s.N.col(2)); break;
    case CoreKind::Polyhedron:
      for (std::size_t f = 0; f < s.poly->normals.size() && w.count < 4; ++f)
        add_face(static_cast<int>(f), face_normal(s, static_cast<int>(f)));
      break;
    default: break;
  }
  w.add(Way::Smooth, 0);
  switch (s.kind) {
    case CoreKind::Segment: add_generator(s.E.col(2)); break;
    case CoreKind::Box:
      for (int i = 0; i < 3; ++i) add_kink(i, s.E.col(i));
      break;
    case CoreKind::Cylinder: add_generator(s.E.col(2)); break;
    case CoreKind::RoundSegment: add_generator(s.axis); break;
    case CoreKind::Cone: add_generator(evaluate(s, {Way::Kink, 2, Vec3::Zero()}, d).g); break;
    case CoreKind::Polyhedron: {
      const int v = find_support(s, d).id;
      for (std::size_t e = 0; e < s.poly->edges.size(); ++e) {
        const Polyhedron::Edge& edge = s.poly->edges[e];
        if (edge.v0 != v && edge.v1 != v) continue;
        const Vec3 along = s.E * (s.poly->vertices[static_cast<std::size_t>(edge.v1)] -
                                  s.poly->vertices[static_cast<std::size_t>(edge.v0)]);
        add_kink(static_cast<int>(e), along);
      }
      break;
    }
    default: break;
  }
  return w;
}

// True when x, moved along the face's normal into its plane, lies in face `way` of s.
bool face_holds(const PlacedConvex& s, const Way& way, Vec3 x, double slack) {
  const Vec3 on = find_support(s, way.normal).x;
  x += way.normal.dot(on - x) * way.normal;
  if (s.kind == CoreKind::Polyhedron) {
    const std::size_t f = static_cast<std::size_t>(way.index);
    const int begin = s.poly->face_start[f], end = s.poly->face_start[f + 1];
    for (int k = begin; k < end; ++k) {
      const Vec3 p = s.c + s.E * s.poly->vertices[static_cast<std::size_t>(s.poly->loop[static_cast<std::size_t>(k)])];
      const int next = k + 1 < end ? k + 1 : begin;
      const Vec3 q =
          s.c + s.E * s.poly->vertices[static_cast<std::size_t>(s.poly->loop[static_cast<std::size_t>(next)])];
      const Vec3 in = way.normal.cross(q - p);
      if (in.dot(x - p) < -slack * in.norm()) return false;
    }
    return true;
  }
  // Coordinates of the unit core, by the normals of its sides: no inverse of a thin matrix.
  const int i = way.index, j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec3 ej = s.E.col(j), ek = s.E.col(k), base = sign_or_one(s.E.col(i).dot(way.normal)) * s.E.col(i);
  const double rise = s.kind == CoreKind::Cone ? 0.25 : 1.0;
  const Vec3 local = x - s.c - rise * base;
  const Vec3 nj = ek.cross(way.normal), nk = ej.cross(way.normal);
  const double uj = nj.dot(local) / nj.dot(ej), uk = nk.dot(local) / nk.dot(ek);
  const double sj = 1 + slack / ej.norm(), sk = 1 + slack / ek.norm();
  if (s.kind == CoreKind::Box) return std::abs(uj) <= sj && std::abs(uk) <= sk;
  return uj * uj / (sj * sj) + uk * uk / (sk * sk) <= 1;
}

// True when no kink of s lies within round-off of direction d: its supporting point is unique.
bool supports_in_a_point(const PlacedConvex& s, const Vec3& d) {
  const Ways w = find_ways(s, d);
  for (int k = 0; k < w.count; ++k) {
    if (w.way[k].kind == Way::Smooth) continue;
    if (w.way[k].kind == Way::Face && (w.way[k].normal - d).squaredNorm() < 1e-20) return false;
    if (w.way[k].kind == Way::Kink) {
      const Local m = evaluate(s, w.way[k], d);
      if (std::abs(m.phi) <= 1e-10 * m.g.norm()) return false;
    }
  }
  return true;
}

// The solution of the conditions for one way of each shape, if it passes the test.
std::optional<Vec3> solve(const PlacedConvex& a, const Way& wa, const PlacedConvex& b, const Way& wb, Vec3 n,
                          double size) {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  const double scale = 1 / size;
  double ta = 0, tb = 0, lambda = 0;
  bool nearly = false;
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    Local la = evaluate(a, wa, -n), lb = evaluate(b, wb, n);
    // Kinks in units of length along their own direction, so that short edges count as much as long ones.
    const double ga = wa.kind == Way::Kink ? la.g.norm() : 0, gb = wb.kind == Way::Kink ? lb.g.norm() : 0;
    const Vec3 ea = ga > 0 ? Vec3(la.g / ga) : Vec3::Zero(), eb = gb > 0 ? Vec3(lb.g / gb) : Vec3::Zero();
    if (iteration == 0) {
      ta = (la.lo + la.hi) / 2 * ga * scale;
      tb = (lb.lo + lb.hi) / 2 * gb * scale;
      lambda = n.dot(lb.x - la.x) * scale;
    }
    const Vec3 residual = (lb.x - la.x) * scale - ta * ea + tb * eb - lambda * n;
    const double fa = ga > 0 ? la.phi / ga : 0, fb = gb > 0 ? lb.phi / gb : 0;
    const bool solved = residual.norm() <= kSolved && std::abs(fa) <= 1e-14 && std::abs(fb) <= 1e-14;
    if (solved && (nearly || residual.norm() <= 1e-15)) {
      const double slack = 1e-10;
      const bool within = ta >= la.lo * ga * scale - slack && ta <= la.hi * ga * scale + slack &&
                          tb >= lb.lo * gb * scale - slack && tb <= lb.hi * gb * scale + slack;
      // lambda is the depth if the features support; the true supports can only make it deeper.
      const double depth = n.dot(find_support(b, n).x - find_support(a, -n).x) * scale;
      if (!within || depth > lambda + 1e-11) return std::nullopt;
      return n;
    }
    nearly = solved;  // one more step, of quadratic convergence, leaves nothing but round-off
    Mat6 J = Mat6::Identity();
    Vec6 r = Vec6::Zero();
    J.topLeftCorner<3, 3>() = (la.H + lb.H) * scale - lambda * Mat3::Identity();
    if (ga > 0) J.topLeftCorner<3, 3>() += ta / ga * la.P;
    if (gb > 0) J.topLeftCorner<3, 3>() += tb / gb * lb.P;
    J.block<3, 1>(0, 3) = -n;
    J.block<1, 3>(3, 0) = n.transpose();
    J(3, 3) = 0;
    r.head<3>() = residual;
    if (ga > 0) {
      J.block<3, 1>(0, 4) = -ea;
      J.block<1, 3>(4, 0) = -ea.transpose();
      J(4, 4) = 0;
      r[4] = fa;
    }
    if (gb > 0) {
      J.block<3, 1>(0, 5) = eb;
      J.block<1, 3>(5, 0) = eb.transpose();
      J(5, 5) = 0;
      r[5] = fb;
    }
    const Vec6 step = J.partialPivLu().solve(-r);
    if (!step.allFinite() || step.head<3>().norm() > 0.7) return std::nullopt;
    n = (n + step.head<3>()).normalized();
    lambda += step[3];
    ta += step[4];
    tb += step[5];
  }
  return std::nullopt;
}

}  // namespace

std::optional<Vec3> polish_normal(const PlacedConvex& a, const PlacedConvex& b, const Vec3& guess) {
  const double size = a.size + b.size;
  const double start = compute_separation(a, b, guess);
  const Ways ways_a = find_ways(a, -guess), ways_b = find_ways(b, guess);
  const auto good = [&](const Vec3& n) { return compute_separation(a, b, n) >= start - 1e-13 * size; };

  // A face of one against a point of the other; a face against an edge, a generator or a face needs no test of place:
  // such a tie in direction is no accident, and the clipping of the features finds where they meet.
  for (int k = 0; k < ways_a.count; ++k) {
    const Way& w = ways_a.way[k];
    if (w.kind != Way::Face) continue;
    const Vec3 n = -w.normal;
    if (good(n) && (!supports_in_a_point(b, n) || face_holds(a, w, find_support(b, n).x, 1e-12 * size))) return n;
  }
  for (int k = 0; k < ways_b.count; ++k) {
    const Way& w = ways_b.way[k];
    if (w.kind != Way::Face) continue;
    const Vec3 n = w.normal;
    if (good(n) && (!supports_in_a_point(a, -n) || face_holds(b, w, find_support(a, -n).x, 1e-12 * size))) return n;
  }
  for (int i = 0; i < ways_a.count; ++i) {
    for (int j = 0; j < ways_b.count; ++j) {
      if (ways_a.way[i].kind == Way::Face || ways_b.way[j].kind == Way::Face) continue;
      const auto n = solve(a, ways_a.way[i], b, ways_b.way[j], guess, size);
      if (n && good(*n)) return n;
    }
  }
  return std::nullopt;
}

}  // namespace cairn
