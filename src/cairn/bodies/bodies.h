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

/// Mass matrix blocks of one step, inverted, and the free velocity: what a problem needs of the bodies.
struct FreeMotion {
  VecX u_free;
  std::vector<double> inverse_mass_root;   ///< rigid: 1/sqrt(m^), 0 when it cannot move
  std::vector<Mat3> inverse_inertia_root;  ///< rigid: L^-1 with J^ = L L', 0 when it cannot move
  std::vector<Vec3> momentum_mid;          ///< rigid: referential angular momentum at mid-step
  std::vector<Vec3> torque_impulse;        ///< rigid: h T, external, body axes
  std::vector<MatX> inverse_mass;          ///< general bodies: M^^-1
  double damping_work = 0;                 ///< filled by finish()
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

  /// Accelerations at (q, u, t) under gravity and the given generalised forces, without reactions, as free.u_free, with
  /// the inverse masses (accelerations.cpp). Returns the power of linear and angular damping [W].
  double accelerations(const VecX& q, const VecX& u, const VecX& force, double time, const Vec3& gravity,
                       FreeMotion& free) const;
  /// dq/dt when the bodies move with u.
  void rate_of_configuration(const VecX& q, const VecX& u, VecX& rate) const;

  Placement placement(int body, const VecX& q) const;
  /// 3 x nu Jacobian of the material point at x.
  void point_jacobian(int body, const VecX& q, const Vec3& x_world, Eigen::Ref<Mat3X> J) const;
  Vec3 point_velocity(int body, const VecX& q, const VecX& u, const Vec3& x_world) const;
  /// Adds the generalised force of a world force at a material point.
  void add_point_force(int body, const VecX& q, const Vec3& x_world, const Vec3& force_world, VecX& generalised) const;
  /// Its rotation: of a body that deforms, the one nearest to A (polar decomposition).
  Mat3 rotation(int body, const VecX& q) const;
  /// 3 x nu Jacobian of the angular velocity, in world axes, of rotation().
  void spin_jacobian(int body, const VecX& q, Eigen::Ref<Mat3X> J) const;
  Vec3 spin(int body, const VecX& q, const VecX& u) const;
  /// Adds the generalised force of a world torque.
  void add_torque(int body, const VecX& q, const Vec3& torque_world, VecX& generalised) const;
  /// Upper bound of the speed of any point within `radius` of the placement's origin [m/s].
  double speed_bound(int body, const VecX& q, const VecX& u, double radius) const;
  Energy energy(const VecX& q, const VecX& u, const Vec3& gravity) const;
  double critical_step(int body, const VecX& q) const;

 private:
  BodyId add_slot(BodyMobility mobility, bool rigid, int index, int nq, int nu);
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

}  // namespace cairn
