// SPDX-License-Identifier: Apache-2.0
// Material points of a modal body: the ten nodes of an element, or the three of a triangle of its surface.
//
//   velocity of a point   v + A (Omega x y + Phi eta) = v - j A hat(y) J^-1 A' (L/j) + A (Phi + hat(y) J^-1 C) eta
// Between the nodes of its surface the body is flat, as detection sees it: rows and geometry agree.
#include "cairn/bodies/modal.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

auto xi_of(ConstVec q) { return q.tail(q.size() - 7); }

Mat3 frame_of(ConstVec q) { return Quat(q[3], q[4], q[5], q[6]).toRotationMatrix(); }

double least_barycentric(const Vec3& local) { return std::min(local.minCoeff(), 1 - local.sum()); }

}  // namespace

Placement ModalBody::placement(ConstVec q) const { return {frame_of(q), q.head<3>()}; }

int ModalBody::find_element(const Vec3& X, Vec3& local) const {
  int best = 0;
  double inside = -std::numeric_limits<double>::infinity();
  for (int e = 0; e < static_cast<int>(modes_.mesh.elements.size()); ++e) {
    const Vec3 candidate = tet_local(modes_.mesh, e, X);
    if (const double least = least_barycentric(candidate); least > inside) inside = least, best = e, local = candidate;
  }
  return best;
}

MaterialPoint ModalBody::reference_point(const Vec3& X) const {
  MaterialPoint p;
  p.part = find_element(X, p.local);
  return p;
}

ModalBody::Blend ModalBody::blend(const MaterialPoint& p) const {
  Blend b;
  const auto elements = static_cast<int>(modes_.mesh.elements.size());
  if (p.part < elements) {
    b.count = 10;
    b.node = modes_.mesh.elements[static_cast<std::size_t>(p.part)];
    b.weight = tet_shape(p.local);
    b.X = tet_position(modes_.mesh, p.part, p.local);
    return b;
  }
  b.count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    b.node[k] = triangles_[static_cast<std::size_t>(p.part - elements)].nodes[k];
    b.weight[k] = p.local[static_cast<Eigen::Index>(k)];
    b.X += b.weight[k] * modes_.mesh.nodes[static_cast<std::size_t>(b.node[k])];
  }
  return b;
}

Vec3 ModalBody::blend_shape(const Blend& b, Eigen::Index mode) const {
  Vec3 phi = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(b.count); ++k)
    phi += b.weight[k] * modes_.shape.col(mode).segment<3>(3 * b.node[k]);
  return phi;
}

Vec3 ModalBody::deformed(const Blend& b, ConstVec xi) const {
  Vec3 y = b.X;
  for (Eigen::Index i = 0; i < xi.size(); ++i) y += xi[i] * blend_shape(b, i);
  return y;
}

Vec3 ModalBody::position(ConstVec q, const MaterialPoint& p) const {
  return q.head<3>() + frame_of(q) * deformed(blend(p), xi_of(q));
}

MaterialPoint ModalBody::locate(ConstVec q, const Vec3& x) const {
  // X = y - Phi(X) xi contracts while displacements change little over the body, which small deformations do.
  const Vec3 y = frame_of(q).transpose() * (x - q.head<3>());
  MaterialPoint p = reference_point(y);
  for (int i = 0; i < 200; ++i) {
    const Blend b = blend(p);
    const Vec3 error = y - deformed(b, xi_of(q));
    if (!(error.norm() > 1e-16 * y.norm())) break;
    p = reference_point(b.X + error);
  }
  return p;
}

SparseRows ModalBody::point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const {
  const Blend b = blend(p);
  const Inertia in = inertia(xi_of(q));
  const Mat3 A = frame_of(q), turn = hat(deformed(b, xi_of(q))) * in.J.inverse();
  const SparseRows rows = arena.rows(3, 0, nu());
  auto J = rows.J();
  J.topLeftCorner<3, 3>().setIdentity();
  J.block<3, 3>(0, 3) = -mean_inertia_ * A * turn * A.transpose();
  for (Eigen::Index i = 0; i < count(); ++i) J.col(6 + i).head<3>() = A * (blend_shape(b, i) + turn * in.C.col(i));
  return rows;
}

std::pair<int, Vec3> ModalBody::element_of(const MaterialPoint& p) const {
  const auto elements = static_cast<int>(modes_.mesh.elements.size());
  if (p.part < elements) return {p.part, p.local};
  const int element = triangles_[static_cast<std::size_t>(p.part - elements)].element;
  return {element, tet_local(modes_.mesh, element, blend(p).X)};
}

Mat3 ModalBody::gradient(ConstVec xi, const std::pair<int, Vec3>& at) const {
  const auto slopes = tet_shape_gradient(modes_.mesh, at.first, at.second);
  const TetMesh::Element& element = modes_.mesh.elements[static_cast<std::size_t>(at.first)];
  Mat3 G = Mat3::Zero();
  for (int k = 0; k < 10; ++k) {
    const Vec3 moved = modes_.shape.middleRows<3>(3 * element[static_cast<std::size_t>(k)]) * xi;
    G += moved * slopes.col(k).transpose();
  }
  return G;
}

Mat3 ModalBody::rotation(ConstVec q, const MaterialPoint& p) const {
  const Mat3 F = Mat3::Identity() + gradient(xi_of(q), element_of(p));
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return frame_of(q) * svd.matrixU() * svd.matrixV().transpose();
}

SparseRows ModalBody::spin_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const {
  // F = R S, (tr(S) 1 - S) w = axial(R' dF/dt - (R' dF/dt)'); the material turns with A Omega + A R w.
  const std::pair<int, Vec3> at = element_of(p);
  const Mat3 F = Mat3::Identity() + gradient(xi_of(q), at);
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 R = svd.matrixU() * svd.matrixV().transpose(), S = R.transpose() * F;
  const Mat3 A = frame_of(q), weight = A * R * (S.trace() * Mat3::Identity() - S).inverse();

  const Inertia in = inertia(xi_of(q));
  const Mat3 turn = A * in.J.inverse();
  const SparseRows rows = arena.rows(3, 3, 3 + count());
  auto J = rows.J();
  J.topLeftCorner<3, 3>() = mean_inertia_ * turn * A.transpose();
  for (Eigen::Index i = 0; i < count(); ++i) {
    const Mat3 rate = R.transpose() * gradient(VecX::Unit(count(), i), at);
    const Vec3 axial(rate(2, 1) - rate(1, 2), rate(0, 2) - rate(2, 0), rate(1, 0) - rate(0, 1));
    J.col(3 + i).head<3>() = weight * axial - turn * in.C.col(i);
  }
  return rows;
}

}  // namespace cairn
