// SPDX-License-Identifier: Apache-2.0
// Lengths of bars between points.
#include "cairn/constraints/bar_length.h"

#include "cairn/base/error.h"

namespace cairn {

BarLength::BarLength(int body, std::shared_ptr<const BarChain> chain, std::size_t bar)
    : body_(body), chain_(std::move(chain)) {
  if (!chain_ || bar >= chain_->spec().bars.size()) throw Error("bar length: there is no bar {} in this chain", bar);
  const BarChainSpec& spec = chain_->spec();
  from_ = spec.bars[bar].from;
  to_ = spec.bars[bar].to;
  length_ = (spec.points[static_cast<std::size_t>(to_)] - spec.points[static_cast<std::size_t>(from_)]).norm();
  if (!(length_ > 0)) throw Error("bar length: bar {} starts with length 0; its points must be apart", bar);
}

Vec3 BarLength::along(const Bodies& bodies, const VecX& q) const {
  const Bodies::Slot& s = bodies.slot(body_);
  return chain_->position(q.segment(s.q, s.nq), to_) - chain_->position(q.segment(s.q, s.nq), from_);
}

RowVector BarLength::error(const Bodies& bodies, const VecX& q, double) const {
  RowVector g = RowVector::Zero();
  g[0] = along(bodies, q).norm() - length_;
  return g;
}

void BarLength::fill_rows(const Bodies& bodies, const VecX& q, double, RowBlock& block) const {
  const Vec3 d = along(bodies, q);
  const Vec3 e = d.norm() > 0 ? Vec3(d / d.norm()) : Vec3::UnitX();
  block.rows = 1;
  RowSide* side = block.add_side(body_);
  side->own.resize(1, 6);
  Eigen::Index columns = 0;
  for (const auto& [first, sign] : {std::pair(chain_->place_of(from_), -1.0), std::pair(chain_->place_of(to_), 1.0)}) {
    if (first < 0) continue;
    side->own.middleCols<3>(columns) = sign * e.transpose();
    for (int i = 0; i < 3; ++i) side->own_dof.push_back(first + i);
    columns += 3;
  }
  side->own.conservativeResize(1, columns);
}

void BarLength::add_stiffness(const Bodies& bodies, const VecX& q, double, const RowVector& lambda,
                              StiffnessEntries& K) const {
  const Vec3 d = along(bodies, q);
  const double length = d.norm();
  if (!(length > 0)) return;
  const Mat3 across = lambda[0] / length * (Mat3::Identity() - d * d.transpose() / (length * length));
  const int first = bodies.slot(body_).u;
  const int place[2] = {chain_->place_of(from_), chain_->place_of(to_)};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      if (place[a] < 0 || place[b] < 0) continue;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          K.emplace_back(first + place[a] + i, first + place[b] + j, (a == b ? 1 : -1) * across(i, j));
    }
}

}  // namespace cairn
