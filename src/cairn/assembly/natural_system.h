// SPDX-License-Identifier: Apache-2.0
// A system of rigid bodies in natural coordinates: M z'' + Phi_z' mu = Q(z, z', t) with the equations Phi(z, t) = 0 of
// rigid bodies, joints and drives, all with their derivatives (Vilela 2018, section 2.2).
//
// Vectors over z have 12 numbers per body that can move; those called `wide` have 12 for every body, also for those
// that stand still or are driven, whose motion is known: what acts on them is the work of the drive.
#pragma once
#include "cairn/assembly/detection.h"
#include "cairn/assembly/natural_contact.h"
#include "cairn/assembly/natural_matrix.h"
#include "cairn/constraints/natural_row.h"

namespace cairn {

/// One equation Phi_i(z, t) = 0, or one row of a joint that yields.
struct NaturalRow {
  NaturalTerms terms;
  double constant = 0;                                    ///< subtracted
  const std::function<double(double)>* target = nullptr;  ///< subtracted: of a servo; of a motor its integral
  bool target_is_speed = false;
  RowWork work = RowWork::Joint;
  int joint = -1, law = -1;  ///< what it belongs to; neither: rigidity of a body
  bool active = true;        ///< not broken, and on a body that can move
  double stiffness = std::numeric_limits<double>::infinity(), damping = 0;
  bool yields() const { return stiffness < std::numeric_limits<double>::infinity(); }

  // At the configuration last evaluated:
  double value = 0, rate_of_time = 0, acceleration_of_time = 0;  ///< the last two: of what is subtracted
  std::vector<std::pair<int, Vec12>> gradient;                   ///< by body
  double mass = 0;       ///< 1/(Phi_z M^-1 Phi_z'), with a mean for the inertia of directions
  double body_mass = 0;  ///< the same with the body's mass for all of its coordinates (vectors of 1 m)
};

/// How a row pulls: mu = force + a Phi'' + b Phi' + c Phi.
struct RowPull {
  double force = 0, a = 0, b = 0, c = 0;
};

/// A change of z' and of z'' that goes with a change of z: T = mass M + damping C + stiffness K.
struct TangentWeights {
  double mass = 1, damping = 0, stiffness = 0;
};

/// Forces at a configuration, wide.
struct NaturalForces {
  VecX conservative, loads, damping, contact, friction;  ///< contact: along normals
  VecX sum() const { return conservative + loads + damping + contact + friction; }
};

class NaturalSystem {
 public:
  /// Equations for a step h from the motion on, which must live as long.
  void begin(const System& system, const Motion& motion, double h);
  int size() const { return 12 * static_cast<int>(movers_.size()); }
  std::span<const NaturalRow> rows() const { return rows_; }
  std::span<const NaturalContact> contacts() const { return contacts_; }

  /// z and z' of the bodies that can move.
  void read(VecX& z, VecX& rate) const;
  /// Where the driven bodies are after a time t from the start of the step, and how they move then.
  void drive(double t);
  /// Takes a configuration at the time given to drive().
  void evaluate(const VecX& z, const VecX& rate, const VecX& acceleration);
  /// The same with another motion through the same place.
  void evaluate_motion(const VecX& rate, const VecX& acceleration);
  /// Contacts that may close near the configuration; from then on these points of the bodies.
  void find_contacts(const NaturalContactLaw& law, Threads threads);
  void clear_contacts() { contacts_.clear(); }

  // Of the configuration last evaluated:
  VecX values() const;                    ///< Phi
  VecX rates() const;                     ///< dPhi/dt
  VecX accelerations() const;             ///< d2Phi/dt2
  VecX product(const VecX& x) const;      ///< Phi_z x
  VecX transposed(const VecX& mu) const;  ///< Phi_z' mu, wide
  VecX mass_product(const VecX& x) const;
  NaturalForces forces() const;
  NaturalContactForce contact_force(const NaturalContact& contact) const;
  Vec3 contact_point(const NaturalContact& contact) const;  ///< midway between the two, in the world
  /// mu of every row.
  VecX pull(std::span<const RowPull> pulls) const;
  /// Derivative of M z'' + Phi_z' mu - Q.
  void tangent(std::span<const RowPull> pulls, const TangentWeights& weights, NaturalMatrix& T) const;
  const VecX& q() const { return q_; }  ///< of the rigid bodies
  const VecX& u() const { return u_; }

  VecX narrow(const VecX& wide) const;
  VecX wide_place() const;
  /// Work of a wide force along a wide way on driven bodies.
  double driven_work(const VecX& force, const VecX& way) const;

 private:
  struct Mover {
    int body;
    Eigen::Matrix4d mass;
    double place_mass, direction_mass;
  };
  using Frames = std::vector<Frame>;  ///< the world's, then one per body
  static const Frame& frame(const Frames& frames, int body) { return frames[static_cast<std::size_t>(body + 1)]; }
  static FramePair pair(const Frames& frames, const NaturalTerm& term);
  int node(int body) const { return body < 0 ? -1 : nodes_[static_cast<std::size_t>(body)]; }
  void add_row(NaturalRow row);
  void add_law(const CoordinateLaw& law, int index);
  void evaluate_row(NaturalRow& row) const;
  void evaluate_time(NaturalRow& row) const;
  void add_row_tangent(const NaturalRow& row, const RowPull& pull, const TangentWeights& weights,
                       NaturalMatrix& T) const;
  void add_force_tangents(const TangentWeights& weights, NaturalMatrix& T) const;
  void add_contact_tangents(const TangentWeights& weights, NaturalMatrix& T) const;
  std::vector<std::pair<int, int>> coupled() const;

  const System* system_ = nullptr;
  const Motion* motion_ = nullptr;
  double h_ = 0, time_ = 0;  ///< of the step; of the configuration
  std::vector<Mover> movers_;
  std::vector<int> nodes_;  ///< per body: place among the movers; -1
  std::vector<NaturalRow> rows_;
  std::vector<NaturalContact> contacts_;
  Frames places_, rates_, accelerations_;
  VecX q_, u_;
  Detection found_;
};

/// Throws Error naming the body, joint or law that cannot be brought to natural coordinates.
void check_natural_system(const System& system, std::string_view stepper);

}  // namespace cairn
