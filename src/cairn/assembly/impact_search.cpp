// SPDX-License-Identifier: Apache-2.0
// When fast bodies first touch: see the header.
#include "cairn/assembly/impact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/collision/mesh_pairs.h"

namespace cairn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Share of the half thicknesses of a pair that it may approach per step and still be seen in time.
constexpr double kSafeShare = 0.5;
/// Share of the size below which surfaces touch.
constexpr double kTouch = 1e-6;
/// A pair that grazes another is approached in ever smaller advances; after so many the step ends there.
constexpr int kAdvances = 60;

bool any_restitution(const Materials& materials) {
  for (int i = 0; i < materials.size(); ++i)
    for (int j = 0; j <= i; ++j)
      if (materials.pair(MaterialId{i}, MaterialId{j}).restitution > 0) return true;
  return false;
}

}  // namespace

bool ImpactSearch::mark_fast(const System& system, const Motion& motion, double h) {
  const std::size_t n = system.colliders.size();
  speed_.resize(n);
  spin_.resize(n);
  fast_.assign(n, 0);
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = system.collider_radius[i];
    const int body = system.colliders[i].body;
    speed_[i] = system.bodies.speed_bound(body, motion.q, motion.u, h, radius);
    spin_[i] = speed_[i] - system.bodies.speed_bound(body, motion.q, motion.u, h, 0);
    // Surfaces see overlaps of a tenth of the radius (collision/mesh_pairs.cpp).
    double thickness = system.collider_thickness[i];
    if (has_surface(system.colliders[i].shape) && radius > 0) thickness = std::min(thickness, 0.2 * radius);
    fast_[i] = speed_[i] * h > 0.5 * kSafeShare * thickness;
    any |= fast_[i] != 0;
  }
  return any;
}

bool ImpactSearch::is_fast(const System& system, const ContactPoint& p, double h) const {
  const auto a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
  double safe = kSafeShare * (system.collider_thickness[a] + system.collider_thickness[b]);
  if (has_surface(system.colliders[a].shape) || has_surface(system.colliders[b].shape)) {
    for (const double radius : {system.collider_radius[a], system.collider_radius[b]})
      if (radius > 0) safe = std::min(safe, 0.1 * radius);
  }
  return (speed_[a] + speed_[b]) * h > safe;
}

bool ImpactSearch::is_held(const System& system, const ContactPoint& p, const WarmStart& warm, double h) const {
  const auto a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
  // An arc of angle w leaves its chord by w^2/8 of the radius, and w is (spin/radius) h.
  double bulge = 0;
  for (const std::size_t i : {a, b})
    if (system.collider_radius[i] > 0) bulge += spin_[i] * h * spin_[i] * h / (8 * system.collider_radius[i]);
  if (bulge > 0.25 * (system.collider_thickness[a] + system.collider_thickness[b])) return false;
  const auto before = [](const KeptContact& k, const std::pair<int, int>& pair) { return std::pair(k.a, k.b) < pair; };
  const std::pair pair{p.a, p.b};
  const auto it = std::lower_bound(warm.contacts.begin(), warm.contacts.end(), pair, before);
  return it != warm.contacts.end() && std::pair(it->a, it->b) == pair;
}

double ImpactSearch::bound_approach(const System& system, const ContactPoint& p) const {
  const auto a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
  if (has_surface(system.colliders[a].shape) || has_surface(system.colliders[b].shape)) return speed_[a] + speed_[b];
  const int body_a = system.colliders[a].body, body_b = system.colliders[b].body;
  const Bodies& bodies = system.bodies;
  const Vec3 relative = bodies.point_velocity(bodies.centre(body_a, q_), q_, u_) -
                        bodies.point_velocity(bodies.centre(body_b, q_), q_, u_);
  return std::max(0.0, -p.normal.dot(relative)) + spin_[a] + spin_[b];
}

void ImpactSearch::detect(const System& system, double left, Threads threads) {
  margins_.resize(speed_.size());
  for (std::size_t i = 0; i < speed_.size(); ++i) margins_[i] = left * speed_[i];
  found_.find_within(system, q_, margins_, threads, fast_);
}

bool ImpactSearch::touched_before(const System& system, const ContactPoint& p) const {
  return std::any_of(touching_.begin(), touching_.end(), [&](const Touch& t) {
    if (t.a != p.a || t.b != p.b) return false;
    // What is not convex may touch again elsewhere, with another normal.
    const bool convex = !has_surface(system.colliders[static_cast<std::size_t>(p.a)].shape) &&
                        !has_surface(system.colliders[static_cast<std::size_t>(p.b)].shape);
    return convex || t.normal.dot(p.normal) > 0.5;
  });
}

double ImpactSearch::find(const System& system, const Motion& motion, const WarmStart& warm, bool guarded, double h,
                          Threads threads) {
  if (!mark_fast(system, motion, h)) return kInfinity;
  const Bodies& bodies = system.bodies;
  // Without restitution, rows of contacts about to close hold after mid-step.
  const bool elastic = any_restitution(system.materials);
  const double last = guarded && !elastic ? h / 2 : h;
  u_ = motion.u;
  q_ = motion.q;
  bodies.prescribe(motion.time + 0.5 * h, motion.q, u_);
  touching_.clear();

  double t = 0;
  for (int advance = 0; advance < kAdvances; ++advance) {
    if (advance > 0) bodies.advance(motion.q, u_, t, q_, threads);
    detect(system, last - t, threads);
    double next = kInfinity, first = kInfinity;
    for (const ContactPoint& p : found_.points()) {
      if (!is_fast(system, p, h)) continue;
      const bool row = guarded && !(contact_law(system, p).restitution > 0);
      if (row && is_held(system, p, warm, h)) continue;
      const double until = row ? h / 2 : h;
      const auto a = static_cast<std::size_t>(p.a), b = static_cast<std::size_t>(p.b);
      const double touch = kTouch * larger_size(system, p);
      if (p.gap <= touch) {
        if (advance == 0) touching_.push_back({p.a, p.b, p.normal});
        if (touched_before(system, p)) continue;
        const auto velocity = [&](int body) { return bodies.point_velocity(bodies.locate(body, q_, p.point), q_, u_); };
        const Vec3 relative = velocity(system.colliders[a].body) - velocity(system.colliders[b].body);
        const double approach = -p.normal.dot(relative);
        if (approach <= 1e-9 * (speed_[a] + speed_[b])) {
          next = std::min(next, 1e-2 * last);  // it slides by: look again a little later
          continue;
        }
        const double at = t + (p.gap + touch) / approach;
        if (at < until) first = std::min(first, at);
        continue;
      }
      if (touched_before(system, p)) continue;
      const double safe = p.gap / bound_approach(system, p);
      if (t + safe < until) next = std::min(next, safe);
    }
    if (std::isfinite(first)) return first;
    if (!std::isfinite(next)) return kInfinity;
    t += next;
  }
  // So many grazing surfaces that the time was not found: up to here all is well.
  return t;
}

}  // namespace cairn
