// SPDX-License-Identifier: Apache-2.0
// Modal body: an elastic solid whose small deformations, seen from a floating frame, are a sum of its free vibration
// modes (Shabana 2013, chapter 5).
//
//   x = c + A y,   y = X + sum over i of xi_i phi_i(X)
// c centre of mass, A rotation of the frame, phi_i modes of a mesh of tetrahedra, normed to mass: they carry no
// momentum (int rho phi = 0, int rho X x phi = 0), so that c is the centre of mass of the deformed body too. With the
// inertia J(xi) = int rho (|y|^2 1 - y y'), the coupling C(xi) eta = int rho y x (Phi eta) and Omega in body axes
//   T = m v^2/2 + Omega' J Omega/2 + Omega' C eta + eta^2/2,   L = A (J Omega + C eta)
//
// Velocities: u = (v, L/j, eta), eta = d xi/dt, with the angular momentum L about c instead of Omega (j: mean moment of
// inertia, a constant; L/j is the angular velocity of a ball). In them
//   M = diag(m 1, j^2 A J^-1 A', 1 - C' J^-1 C),   the force on L is zero but for torques from outside:
// every scheme keeps the angular momentum of a free flight to rounding, as it keeps the linear one.
// q = (c, quaternion of A, xi).
#pragma once
#include "cairn/bodies/body.h"
#include "cairn/bodies/elastic_modes.h"

namespace cairn {

/// Mesh, material and start of one modal body.
struct ModalSpec {
  TetMesh mesh;  ///< its origin need not be the centre of mass
  ElasticMaterial material = {};
  int modes = 12;                ///< the lowest so many
  double mass_damping = 0;       ///< of a mode: damping a + b omega^2, this is a [1/s]
  double stiffness_damping = 0;  ///< b [s]
  Vec3 position = Vec3::Zero();  ///< of the centre of mass
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< in WORLD axes [rad/s]
  VecX amplitude, rate;  ///< xi [m sqrt(kg)] and eta at the start, at most one number per mode; missing ones: 0
};

class ModalBody final : public Body {
 public:
  explicit ModalBody(ModalSpec spec);

  std::string_view kind() const override { return "modal"; }
  int nq() const override { return 7 + count(); }
  int nu() const override { return 6 + count(); }
  void initial(MutVec q, MutVec u) const override;

  void advance(ConstVec q, ConstVec u, double h, MutVec q_out) const override;
  void difference(ConstVec q_a, ConstVec q_b, MutVec u) const override;
  double largest_rotation(ConstVec u) const override;
  void configuration_rate(ConstVec q, ConstVec u, MutVec rate) const override;
  void normalise(MutVec q) const override { q.segment<4>(3).normalize(); }

  /// The floating frame.
  Placement placement(ConstVec q) const override;
  /// part: element, local: barycentric coordinates in it; or elements + t, on the triangle t of surface().
  MaterialPoint reference_point(const Vec3& X) const override;
  Vec3 position(ConstVec q, const MaterialPoint& p) const override;
  MaterialPoint locate(ConstVec q, const Vec3& x) const override;
  SparseRows point_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override;
  /// Of the material at p: A times the rotation of dy/dX.
  Mat3 rotation(ConstVec q, const MaterialPoint& p) const override;
  SparseRows spin_rows(ConstVec q, const MaterialPoint& p, RowArena& arena) const override;
  double reach(ConstVec q, ConstVec u, double h, double radius) const override;

  BodyStatus evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const override;
  Energy energy(ConstVec q, ConstVec u, const Vec3& gravity) const override;
  double critical_step(ConstVec) const override { return 2 / modes_.frequency[count() - 1]; }
  bool moves_rigidly() const override { return false; }

  const ElasticModes& modes() const { return modes_; }
  /// Triangles between the nodes of the surface, four to a face of an element.
  const std::vector<BoundaryTriangle>& surface_triangles() const { return triangles_; }
  int count() const { return modes_.count(); }
  Vec3 angular_velocity(ConstVec q, ConstVec u) const;                                 ///< of the frame, in world axes
  Vec3 angular_momentum(ConstVec u) const { return mean_inertia_ * u.segment<3>(3); }  ///< about c, in world axes

 private:
  /// What a material point is made of: nodes and their weights.
  struct Blend {
    std::array<int, 10> node{};
    std::array<double, 10> weight{};
    int count = 0;
    Vec3 X = Vec3::Zero();
  };
  /// J and C at xi.
  struct Inertia {
    Mat3 J;
    Mat3X C;
  };

  void integrate_inertia();
  Inertia inertia(ConstVec xi) const;
  Mat3 inertia_rate(ConstVec xi, ConstVec eta) const;  ///< dJ/dt
  Blend blend(const MaterialPoint& p) const;
  Vec3 blend_shape(const Blend& b, Eigen::Index mode) const;
  Vec3 deformed(const Blend& b, ConstVec xi) const;  ///< y
  int find_element(const Vec3& X, Vec3& local) const;
  /// Element and barycentric coordinates of a point, also of one on a triangle.
  std::pair<int, Vec3> element_of(const MaterialPoint& p) const;
  Mat3 gradient(ConstVec xi, const std::pair<int, Vec3>& at) const;  ///< dy/dX
  VecX modal_force(ConstVec q, ConstVec u) const;                    ///< on xi, without stiffness and damping

  ModalSpec spec_;
  ElasticModes modes_;
  std::vector<BoundaryTriangle> triangles_;
  double mean_inertia_ = 1;        ///< j
  double least_inertia_ = 1;       ///< least principal moment at xi = 0
  Mat3 inertia_0_ = Mat3::Zero();  ///< J at xi = 0
  std::vector<Mat3> inertia_1_;    ///< dJ/dxi_i at xi = 0
  std::vector<Mat3> inertia_2_;    ///< of xi_i xi_j, symmetric in i and j; i * count + j
  std::vector<Vec3> coupling_;     ///< int rho phi_i x phi_j, i * count + j
  VecX largest_shape_;             ///< of each mode, over the nodes
};

}  // namespace cairn
