// SPDX-License-Identifier: Apache-2.0
// Mass, weight and energy of bars between points.
#include "cairn/bodies/bar_chain.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn {

BarChain::BarChain(BarChainSpec spec) : spec_(std::move(spec)) {
  const auto n = static_cast<int>(spec_.points.size());
  const auto fits = [&](std::size_t size) { return size == 0 || size == spec_.points.size(); };
  if (n < 2) throw Error("bar chain: has {} points; needs at least 2", n);
  if (!fits(spec_.velocities.size()) || !fits(spec_.point_mass.size()) || !fits(spec_.held.size()))
    throw Error("bar chain: velocities, point masses and held points must be given for all {} points or none", n);
  for (std::size_t i = 0; i < spec_.points.size(); ++i) {
    if (!spec_.points[i].allFinite()) throw Error("bar chain: point {} is not finite", i);
    if (!spec_.point_mass.empty() && !(spec_.point_mass[i] >= 0 && std::isfinite(spec_.point_mass[i])))
      throw Error("bar chain: point {}: mass is {} kg; must be >= 0", i, spec_.point_mass[i]);
    const bool held = !spec_.held.empty() && spec_.held[i];
    place_.push_back(held ? -1 : size_);
    if (!held) size_ += 3;
  }
  if (size_ == 0) throw Error("bar chain: all {} points are held; at least one must move", n);
  mass_.setZero(size_, size_);
  const auto add = [&](int i, int j, double m) {
    const int a = place_of(i), b = place_of(j);
    if (a >= 0 && b >= 0) mass_.block<3, 3>(a, b).diagonal().array() += m;
  };
  weight_.setZero(size_);
  const auto hang = [&](int i, double m) {
    if (place_of(i) >= 0) weight_.segment<3>(place_of(i)).array() += m;
  };
  for (std::size_t k = 0; k < spec_.bars.size(); ++k) {
    const auto [from, to, m] = spec_.bars[k];
    if (from < 0 || to < 0 || from >= n || to >= n || from == to)
      throw Error("bar chain: bar {} joins points {} and {}; must be two of 0 to {}", k, from, to, n - 1);
    if (!(m > 0 && std::isfinite(m))) throw Error("bar chain: bar {}: mass is {} kg; must be > 0", k, m);
    add(from, from, m / 3), add(to, to, m / 3), add(from, to, m / 6), add(to, from, m / 6);
    hang(from, m / 2), hang(to, m / 2);
  }
  if (!spec_.point_mass.empty())
    for (int i = 0; i < n; ++i) {
      const double m = spec_.point_mass[static_cast<std::size_t>(i)];
      add(i, i, m), hang(i, m);
    }
  for (int i = 0; i < n; ++i)
    if (place_of(i) >= 0 && !(mass_(place_of(i), place_of(i)) > 0))
      throw Error("bar chain: point {} has no mass; give it one or hang it on a bar", i);
}

Vec3 BarChain::position(ConstVec q, int point) const {
  const int place = place_of(point);
  return place < 0 ? spec_.points[static_cast<std::size_t>(point)] : Vec3(q.segment<3>(place));
}

void BarChain::initial(MutVec q, MutVec u) const {
  u.setZero();
  for (std::size_t i = 0; i < spec_.points.size(); ++i) {
    if (place_[i] < 0) continue;
    q.segment<3>(place_[i]) = spec_.points[i];
    if (!spec_.velocities.empty()) u.segment<3>(place_[i]) = spec_.velocities[i];
  }
}

BodyStatus BarChain::evaluate(const BodyState& at, Terms wanted, BodyTerms& terms) const {
  if (wants(wanted, Terms::Mass)) terms.mass = mass_;
  if (wants(wanted, Terms::Force)) mean_force(at.q, at.q, at.gravity, terms.force);
  return BodyStatus::Ok;
}

void BarChain::mean_force(ConstVec, ConstVec, const Vec3& gravity, MutVec f) const {
  for (int i = 0; i < size_; ++i) f[i] = weight_[i] * gravity[i % 3];
}

Vec3 BarChain::position(ConstVec q, const MaterialPoint& p) const {
  const double t = p.local.x();
  return (1 - t) * position(q, bar(p).from) + t * position(q, bar(p).to);
}

MaterialPoint BarChain::locate(ConstVec q, const Vec3& x) const {
  MaterialPoint nearest;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < spec_.bars.size(); ++k) {
    const Vec3 a = position(q, spec_.bars[k].from), d = position(q, spec_.bars[k].to) - a;
    const double t = d.squaredNorm() > 0 ? std::clamp((x - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0;
    const double distance = (a + t * d - x).squaredNorm();
    if (distance < best) best = distance, nearest = {.part = static_cast<int>(k), .local = {t, 0, 0}};
  }
  return nearest;
}

MaterialPoint BarChain::reference_point(const Vec3& X) const {
  VecX q(size_), u(size_);
  initial(q, u);
  return locate(q, X);
}

SparseRows BarChain::point_rows(ConstVec, const MaterialPoint& p, RowArena& arena) const {
  // Of each end that is not fixed its three velocities, in rising order.
  std::array<std::pair<int, double>, 2> ends{
      {{place_of(bar(p).from), 1 - p.local.x()}, {place_of(bar(p).to), p.local.x()}}};
  std::sort(ends.begin(), ends.end());
  std::array<int, 6> dof{};
  std::size_t count = 0;
  for (const auto& [first, weight] : ends)
    for (int i = 0; i < 3 && first >= 0; ++i) dof[count++] = first + i;
  const SparseRows rows = arena.rows(3, std::span(dof).first(count));
  Eigen::Index column = 0;
  for (const auto& [first, weight] : ends) {
    if (first < 0) continue;
    rows.J().middleCols<3>(column) = weight * Mat3::Identity();
    column += 3;
  }
  return rows;
}

double BarChain::reach(ConstVec, ConstVec u, double h, double) const {
  double fastest = 0;
  for (int i = 0; i < size_; i += 3) fastest = std::max(fastest, u.segment<3>(i).norm());
  return h * fastest;
}

Energy BarChain::energy(ConstVec q, ConstVec u, const Vec3& gravity) const {
  Energy e;
  e.kinetic = 0.5 * u.dot(mass_ * u);
  for (int i = 0; i < size_; ++i) e.gravity -= weight_[i] * gravity[i % 3] * q[i];
  return e;
}

}  // namespace cairn
