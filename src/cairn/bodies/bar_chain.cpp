// SPDX-License-Identifier: Apache-2.0
// Mass, weight and energy of bars between points.
#include "cairn/bodies/bar_chain.h"

#include "cairn/base/error.h"

#include <algorithm>
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

BodyStatus BarChain::free_motion(ConstVec, ConstVec, const StepContext& step, Eigen::Ref<MatX> M,
                                 MutVec impulse) const {
  M = mass_;
  for (int i = 0; i < size_; ++i) impulse[i] = step.h * weight_[i] * step.gravity[i % 3];
  return BodyStatus::Ok;
}

void BarChain::point_jacobian(ConstVec q, const Vec3& x, Eigen::Ref<Mat3X> J) const {
  J.setZero();
  double best = std::numeric_limits<double>::infinity(), share = 0;
  const BarChainSpec::Bar* nearest = nullptr;
  for (const auto& bar : spec_.bars) {
    const Vec3 a = position(q, bar.from), d = position(q, bar.to) - a;
    const double t = d.squaredNorm() > 0 ? std::clamp((x - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0;
    const double away = (a + t * d - x).squaredNorm();
    if (away < best) best = away, share = t, nearest = &bar;
  }
  if (!nearest) return;
  const int a = place_of(nearest->from), b = place_of(nearest->to);
  if (a >= 0) J.block<3, 3>(0, a) = (1 - share) * Mat3::Identity();
  if (b >= 0) J.block<3, 3>(0, b) = share * Mat3::Identity();
}

Energy BarChain::energy(ConstVec q, ConstVec u, const Vec3& gravity) const {
  Energy e;
  e.kinetic = 0.5 * u.dot(mass_ * u);
  for (int i = 0; i < size_; ++i) e.gravity -= weight_[i] * gravity[i % 3] * q[i];
  return e;
}

}  // namespace cairn
