// SPDX-License-Identifier: Apache-2.0
// All bodies of a system: rigid ones in contiguous arrays (the hot path), any others through the Body interface.
//
// A rigid body has q = (x, y, z, w, qx, qy, qz): centre of mass and orientation, and u = (v, Omega): velocity of the
// centre in world axes and angular velocity in BODY axes, so that its inertia J is constant.
#pragma once
#include "cairn/base/ids.h"
#include "cairn/base/parallel.h"
#include "cairn/bodies/body.h"
#include "cairn/math/rotation_schemes.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// Mass and start of one rigid body.
struct RigidSpec {
  double mass = 1;                       ///< [kg]
  Mat3 inertia = Mat3::Identity();       ///< about the centre of mass, in body axes [kg m^2]
  Vec3 position = Vec3::Zero();          ///< of the centre of mass [m]
  Quat orientation = Quat::Identity();   ///< body to world
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< in WORLD axes [rad/s]
  double linear_damping = 0;             ///< force -k m v [1/s]
  double angular_damping = 0;            ///< torque -k J Omega [1/s]
};

/// Velocity of a body that follows a given motion: functions of time, in world axes.
struct PrescribedMotion {
  std::function<Vec3(double)> velocity;          ///< of the body origin [m/s]; empty: none
  std::function<Vec3(double)> angular_velocity;  ///< [rad/s]; empty: none
};

enum class BodyMobility : std::uint8_t { Dynamic, Fixed, Prescribed };

/// What a body must know about the step it takes part in.
struct StepContext {
  double time_mid = 0;  ///< [s]
  double h = 0;         ///< [s]
  Vec3 gravity = Vec3::Zero();
  bool implicit_elasticity = false;  ///< put theta^2 h^2 K into M^ (linearised theta rule) instead of forces only
  double theta = 0.5;                ///< fraction of the step moved with the velocity of its end; 1/2: midpoint rule
};

/// Mass matrix blocks of one step, factorised, and the free velocity: what a problem needs of the bodies. A copy shares
/// the factors, which are never changed while two have them.
struct FreeMotion {
  VecX u_free;
  std::vector<double> inverse_mass_root;            ///< rigid: 1/sqrt(m^), 0 when it cannot move
  std::vector<Mat3> inverse_inertia_root;           ///< rigid: L^-1 with J^ = L L', 0 when it cannot move
  std::vector<Vec3> momentum_mid;                   ///< rigid: referential angular momentum at mid-step
  std::vector<Vec3> torque_impulse;                 ///< rigid: h T, external, body axes
  std::vector<std::shared_ptr<MassOperator>> mass;  ///< general bodies: M^
  std::vector<BodyTerms> terms;                     ///< general bodies: what M^ was made of
  double damping_work = 0;                          ///< filled by finish()
  BodyStatus status = BodyStatus::Ok;
};

class Bodies {
 public:
  struct Slot {
    BodyMobility mobility = BodyMobility::Dynamic;
    bool rigid = true;
    int index = 0;  ///< in the rigid arrays or in the list of general bodies
    int q = 0, u = 0, nq = 0, nu = 0;
  };

  BodyId add_rigid(const RigidSpec& spec);
  BodyId add_fixed(const Vec3& position, const Quat& orientation);
  BodyId add_prescribed(const Vec3& position, const Quat& orientation, PrescribedMotion motion);
  BodyId add(std::shared_ptr<const Body> body);

  int size() const { return static_cast<int>(slots_.size()); }
  int nq() const { return nq_; }
  int nu() const { return nu_; }
  int rigid_count() const { return static_cast<int>(mass_.size()); }
  int general_count() const { return static_cast<int>(general_.size()); }
  bool has_prescribed() const { return !motions_.empty(); }
  const Slot& slot(int body) const { return slots_[static_cast<std::size_t>(body)]; }
  /// Whether forces move it: it is dynamic, and not the world (-1).
  bool can_move(int body) const { return body >= 0 && slot(body).mobility == BodyMobility::Dynamic; }
  const Body& general(int index) const { return *general_[static_cast<std::size_t>(index)]; }
  /// "rigid", "fixed", "prescribed", or what a general body calls itself.
  std::string_view kind(int body) const;
  double mass(int body) const;  ///< of a rigid body; infinite when it cannot move
  const Mat3& inertia(int body) const { return inertia_[static_cast<std::size_t>(slot(body).index)]; }
  /// Of a rigid body [1/s].
  double linear_damping(int body) const { return linear_damping_[static_cast<std::size_t>(slot(body).index)]; }
  double angular_damping(int body) const { return angular_damping_[static_cast<std::size_t>(slot(body).index)]; }

  /// Start values, in the order of the slots.
  void initial(VecX& q, VecX& u) const;
  /// Of one body, its part of q only.
  void initial(int body, VecX& q) const;
  /// Velocities of prescribed bodies at a time, put into u (q gives their orientation).
  void prescribe(double time, const VecX& q, VecX& u) const;

  /// q_out = q moved by the constant velocity u for h.
  void advance(const VecX& q, const VecX& u, double h, VecX& q_out, Threads threads) const;
  /// M^, free velocity, at q_mid under gravity and the given generalised forces (world force, body torque for rigid).
  void free_motion(const VecX& q_mid, const VecX& u, const VecX& force, const StepContext& step, FreeMotion& free,
                   Threads threads) const;
  /// End of the step from the solved velocity u_solved; `reaction` = H' r as generalised impulse.
  void finish(RotationScheme scheme, const VecX& q_mid, const VecX& u_begin, const VecX& u_solved, const VecX& reaction,
              const StepContext& step, FreeMotion& free, VecX& q_end, VecX& u_end, Threads threads) const;

  /// M alone, without damping or stiffness, and u_free = 0.
  void factorise_mass(const VecX& q, FreeMotion& free) const;
  /// Accelerations at (q, u, t) under gravity and the given generalised forces, without reactions, as free.u_free, with
  /// the masses of factorise_mass() (accelerations.cpp). Returns the power of the bodies' own damping [W].
  double accelerations(const VecX& q, const VecX& u, const VecX& force, double time, const Vec3& gravity,
                       FreeMotion& free) const;
  /// dq/dt when the bodies move with u.
  void rate_of_configuration(const VecX& q, const VecX& u, VecX& rate) const;
  /// The u that moves q_a to q_b in a unit of time, in each body's own chart.
  void difference(const VecX& q_a, const VecX& q_b, VecX& u) const;
  /// Largest rotation of a body in such a difference [rad]: it must stay well below pi.
  double largest_rotation(const VecX& difference) const;
  /// Puts q back on the manifolds of the bodies (unit quaternions).
  void normalise(VecX& q) const;

  Placement placement(int body, const VecX& q) const;

  // Material points; of the world (-1) they stay where they are, and forces on it are lost.
  Vec3 position(const MaterialPoint& p, const VecX& q) const;
  PlacedPoint place(const MaterialPoint& p, const VecX& q) const { return {p, position(p, q)}; }
  /// The material point at X of a body's reference shape; of the world at X.
  MaterialPoint reference_point(int body, const Vec3& X) const;
  /// The origin of its reference shape.
  PlacedPoint centre(int body, const VecX& q) const;
  /// The material point of a body that is now at x.
  PlacedPoint locate(int body, const VecX& q, const Vec3& x) const;
  SparseRows point_rows(const PlacedPoint& p, const VecX& q, RowArena& arena) const;
  Vec3 point_velocity(const PlacedPoint& p, const VecX& q, const VecX& u) const;
  /// Adds the generalised force of a force in world axes.
  void add_point_force(const PlacedPoint& p, const VecX& q, const Vec3& force, VecX& generalised) const;
  /// Rotation of the material there: of a body that deforms, what is nearest to one.
  Mat3 rotation(const MaterialPoint& p, const VecX& q) const;
  /// Three rows: the angular velocity, in world axes, of rotation().
  SparseRows spin_rows(const MaterialPoint& p, const VecX& q, RowArena& arena) const;
  Vec3 spin(const MaterialPoint& p, const VecX& q, const VecX& u) const;
  /// Adds the generalised force of a torque in world axes.
  void add_torque(const MaterialPoint& p, const VecX& q, const Vec3& torque, VecX& generalised) const;

  /// Upper bound of the displacement over h, divided by h, of any point within `radius` of the body's origin [m/s].
  double speed_bound(int body, const VecX& q, const VecX& u, double h, double radius) const;
  /// Terms of a body that is not rigid.
  BodyStatus evaluate(int body, const VecX& q, const VecX& u, double time, const Vec3& gravity, Terms wanted,
                      BodyTerms& terms) const;
  /// M of a body that can move.
  MatX mass_matrix(int body, const VecX& q, const VecX& u) const;
  /// What a force at a point moves, averaged over directions, if M is the mass matrix of its body [kg].
  double mass_at(const PlacedPoint& p, const VecX& q, const MatX& M) const;
  Energy energy(const VecX& q, const VecX& u, const Vec3& gravity) const;
  double critical_step(int body, const VecX& q) const;

 private:
  BodyId add_slot(BodyMobility mobility, bool rigid, int index, int nq, int nu);
  MassOperator& own_mass(std::size_t general, FreeMotion& free) const;
  BodyId add_rigid_slot(BodyMobility mobility, const RigidSpec& spec);

  std::vector<Slot> slots_;
  std::vector<int> rigid_slots_;  ///< body of each rigid index
  std::vector<double> mass_, linear_damping_, angular_damping_;
  std::vector<Mat3> inertia_, inverse_inertia_, inverse_inertia_root_;
  std::vector<RigidSpec> start_;
  std::vector<std::shared_ptr<const Body>> general_;
  std::vector<int> general_slots_;
  std::vector<std::pair<int, PrescribedMotion>> motions_;  ///< (body, motion)
  int nq_ = 0, nu_ = 0;
};

/// Orientation stored in q at the given offset.
inline Quat stored_orientation(const VecX& q, int offset) {
  return Quat(q[offset + 3], q[offset + 4], q[offset + 5], q[offset + 6]);
}
inline void store_orientation(const Quat& orientation, int offset, VecX& q) {
  q[offset + 3] = orientation.w();
  q.segment<3>(offset + 4) = orientation.vec();
}

}  // namespace cairn
