// SPDX-License-Identifier: Apache-2.0
// Compliant interactions: forces that are functions of the configuration, the velocity and time.
#pragma once
#include "cairn/bodies/bodies.h"

#include <functional>

namespace cairn {

/// A force between bodies or on one body. Implementations are immutable.
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual std::string_view kind() const = 0;
  /// Adds generalised forces at (q, u, t): what derives from energy() to `conservative`, the rest to `other`.
  virtual void add_forces(const Bodies& bodies, const VecX& q, const VecX& u, double t, VecX& conservative,
                          VecX& other) const = 0;
  /// Stored energy [J].
  virtual double energy(const Bodies& bodies, const VecX& q) const = 0;
};

/// Linear spring and damper between two points: force k (l - rest) + c dl/dt along the line.
class Spring final : public ForceElement {
 public:
  struct Spec {
    int body_a = -1, body_b = -1;  ///< -1: the world
    Vec3 anchor_a = Vec3::Zero(), anchor_b = Vec3::Zero();
    double stiffness = 0;    ///< k [N/m], >= 0
    double damping = 0;      ///< c [N s/m], >= 0
    double rest_length = 0;  ///< [m], >= 0
  };
  explicit Spring(const Spec& spec);
  std::string_view kind() const override { return "spring"; }
  void add_forces(const Bodies&, const VecX& q, const VecX& u, double t, VecX& conservative,
                  VecX& other) const override;
  double energy(const Bodies& bodies, const VecX& q) const override;

 private:
  Spec spec_;
};

/// A given force, in world axes, on a point of a body: a function of time.
class Load final : public ForceElement {
 public:
  struct Spec {
    int body = -1;
    Vec3 anchor = Vec3::Zero();
    std::function<Vec3(double)> force;   ///< [N]; empty: none
    std::function<Vec3(double)> torque;  ///< [N m]; empty: none; rigid bodies only
  };
  explicit Load(const Spec& spec);
  std::string_view kind() const override { return "load"; }
  void add_forces(const Bodies&, const VecX& q, const VecX& u, double t, VecX& conservative,
                  VecX& other) const override;
  double energy(const Bodies&, const VecX&) const override { return 0; }

 private:
  Spec spec_;
};

}  // namespace cairn
