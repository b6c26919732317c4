// SPDX-License-Identifier: Apache-2.0
// Tableau of Aitken and Neville, charts of configurations.
#include "cairn/steppers/study/extrapolation.h"

#include "cairn/math/rotation.h"

#include <algorithm>

namespace cairn {

void Extrapolation::add(const VecX& result) {
  const int i = rows();
  std::vector<VecX> row{result};
  for (int j = 0; j < i; ++j) {
    const double ratio = static_cast<double>(substeps(i)) / substeps(i - j - 1);
    const auto at = static_cast<std::size_t>(j);
    row.push_back(row[at] + (row[at] - rows_.back()[at]) / (ratio - 1));
  }
  rows_.push_back(std::move(row));
}

namespace {

/// Calls f(slot, first number in the chart) for every body.
template <class F>
int for_each_place(const Bodies& bodies, F&& f) {
  int place = 0;
  for (int body = 0; body < bodies.size(); ++body) {
    const Bodies::Slot& s = bodies.slot(body);
    f(s, place);
    place += s.rigid ? 6 : s.nq;
  }
  return place;
}

}  // namespace

int chart_size(const Bodies& bodies) {
  return for_each_place(bodies, [](const Bodies::Slot&, int) {});
}

void to_chart(const Bodies& bodies, const VecX& q_begin, const VecX& q, Eigen::Ref<VecX> x) {
  for_each_place(bodies, [&](const Bodies::Slot& s, int place) {
    if (!s.rigid) {
      x.segment(place, s.nq) = q.segment(s.q, s.nq) - q_begin.segment(s.q, s.nq);
      return;
    }
    x.segment<3>(place) = q.segment<3>(s.q) - q_begin.segment<3>(s.q);
    const Quat begin = stored_orientation(q_begin, s.q), now = stored_orientation(q, s.q);
    x.segment<3>(place + 3) = log_rotation(Quat((begin.conjugate() * now).normalized()));
  });
}

void from_chart(const Bodies& bodies, const VecX& q_begin, const Eigen::Ref<const VecX>& x, VecX& q) {
  q.resize(q_begin.size());
  for_each_place(bodies, [&](const Bodies::Slot& s, int place) {
    if (!s.rigid) {
      q.segment(s.q, s.nq) = q_begin.segment(s.q, s.nq) + x.segment(place, s.nq);
      return;
    }
    q.segment<3>(s.q) = q_begin.segment<3>(s.q) + x.segment<3>(place);
    const Quat now = (stored_orientation(q_begin, s.q) * exp_quaternion(x.segment<3>(place + 3))).normalized();
    q[s.q + 3] = now.w();
    q.segment<3>(s.q + 4) = now.vec();
  });
}

double chart_turn(const Bodies& bodies, const Eigen::Ref<const VecX>& x) {
  double turn = 0;
  for_each_place(bodies, [&](const Bodies::Slot& s, int place) {
    if (s.rigid) turn = std::max(turn, x.segment<3>(place + 3).norm());
  });
  return turn;
}

}  // namespace cairn
