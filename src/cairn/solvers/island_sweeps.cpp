// SPDX-License-Identifier: Apache-2.0
// Sweeps over islands: see the header.
#include "cairn/solvers/island_sweeps.h"

#include "cairn/problem/block_product.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A contact in three rows that obeys its law without impulse, as half of them do in many problems.
bool is_open(const double* U, const double* r) { return U[0] >= 0 && r[0] == 0 && r[1] == 0 && r[2] == 0; }

}  // namespace

void IslandSweeps::set(const LocalProblem& problem, double tolerance, double relaxation, bool accelerated,
                       bool coloured) {
  problem_ = &problem;
  relaxation_ = relaxation;
  accelerated_ = accelerated;
  const int n = problem.size();
  islands_ = group_islands(find_islands(problem));
  if (coloured) order_by_colour();
  const double b_norm = problem.b.norm();
  unit_ = b_norm > 0 ? 1 / b_norm : 1;
  state_.assign(at(islands_.size()), {});
  for (int k = 0; k < islands_.size(); ++k) {
    State& state = state_[at(k)];
    state.allowed = tolerance / unit_ * std::sqrt(static_cast<double>(islands_[k].size()) / n);
    state.threshold = state.allowed;
  }
  active_count_ = rounds_ = 0;
  scales_ = problem.scales();
  velocity_.resize(problem.b.size());
  F_.resize(problem.b.size());
  if (accelerated) {
    g_.resize(problem.b.size());
    mixing_.set(static_cast<int>(problem.b.size()));
  }
  place_.resize(at(n));
  int place = 0;
  for (std::size_t m = 0; m < islands_.member.size(); ++m) {
    place_[m] = place;
    place += problem.rows(islands_.member[m]);
  }
  solver_.resize(at(n));
  ready_.assign(at(n), 0);
  diagonal_.assign(at(n), -1);
  threes_ = true;
  for (int i = 0; i < n; ++i) {
    const int k = static_cast<int>(problem.diagonal_place(i));
    if (k < problem.W.row_start[at(i) + 1] && problem.W.column[at(k)] == i) diagonal_[at(i)] = k;
    threes_ = threes_ && problem.rows(i) == 3 && problem.law[at(i)].kind == LawKind::Coulomb && diagonal_[at(i)] >= 0 &&
              problem.W.values[problem.W.start[at(diagonal_[at(i)])]] > 0;
  }
}

void IslandSweeps::order_by_colour() {
  const BlockMatrix& W = problem_->W;
  std::vector<int> colour(at(problem_->size()), -1), taken;
  for (const int i : islands_.member) {
    taken.clear();
    for (int k = W.row_start[at(i)]; k < W.row_start[at(i) + 1]; ++k) taken.push_back(colour[at(W.column[at(k)])]);
    std::sort(taken.begin(), taken.end());
    int lowest = 0;
    for (const int other : taken) lowest += other == lowest ? 1 : 0;
    colour[at(i)] = lowest;
  }
  for (int k = 0; k < islands_.size(); ++k)
    std::stable_sort(islands_.member.begin() + islands_.first[at(k)],
                     islands_.member.begin() + islands_.first[at(k) + 1],
                     [&](int a, int b) { return colour[at(a)] < colour[at(b)]; });
}

void IslandSweeps::velocity(int i, const double* r, double* U) const {
  const LocalProblem& p = *problem_;
  const int first = p.W.row_start[at(i)], last = p.W.row_start[at(i) + 1], rows = p.rows(i);
  const double* b = p.b.data() + p.offset[at(i)];
  if (threes_) {
    BlockSum sum;
    const double* B = p.W.values.data() + 9 * first;
    for (int k = first; k < last; ++k, B += 9) sum.add(B, r + 3 * p.W.column[at(k)]);
    const Vec3 total = sum.value();
    for (int l = 0; l < 3; ++l) U[l] = b[l] + total[l];
    return;
  }
  std::copy_n(b, rows, U);
  for (int k = first; k < last; ++k) {
    const int j = p.W.column[at(k)], width = p.rows(j);
    const double *B = p.W.values.data() + p.W.start[at(k)], *x = r + p.offset[at(j)];
    for (int c = 0; c < width; ++c)
      for (int l = 0; l < rows; ++l) U[l] += B[l + c * rows] * x[c];
  }
}

void IslandSweeps::prepare(int i) {
  const int k = diagonal_[at(i)];
  solver_[at(i)].prepare(problem_->law[at(i)], problem_->rows(i),
                         k < 0 ? nullptr : problem_->W.values.data() + problem_->W.start[at(k)]);
  ready_[at(i)] = 1;
}

double IslandSweeps::sweep_threes(int island, VecX& r, bool forward) {
  const std::span<const int> members = islands_[island];
  const LocalProblem& p = *problem_;
  const double *b = p.b.data(), *W = p.W.values.data(), *x = r.data();
  const int* column = p.W.column.data();
  double* F = F_.data() + place_[at(islands_.first[at(island)])];
  double change = 0;
  const std::size_t n = members.size();
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t m = forward ? s : n - 1 - s;
    const int i = members[m], own = diagonal_[at(i)], first = p.W.row_start[at(i)], last = p.W.row_start[at(i) + 1];
    // The velocity without its own impulse.
    BlockSum sum;
    for (int k = first; k < own; ++k) sum.add(W + 9 * k, x + 3 * column[k]);
    for (int k = own + 1; k < last; ++k) sum.add(W + 9 * k, x + 3 * column[k]);
    const Vec3 free = Eigen::Map<const Vec3>(b + 3 * i) + sum.value();
    Eigen::Map<Vec3> r_i(r.data() + 3 * i);
    const Vec3 old = r_i;
    Vec3 next;
    if (!ready_[at(i)]) {
      if (free[0] >= 0 && old == Vec3::Zero()) {
        Eigen::Map<Vec3>(F + 3 * m).setZero();
        continue;  // open, as it was
      }
      prepare(i);
    }
    next = solver_[at(i)].solve_contact(p.law[at(i)].mu, free, old);
    if (relaxation_ != 1) {
      next = old + relaxation_ * (next - old);
      project(p.law[at(i)], 3, next.data(), next.data());
    }
    const Vec3 step = scales_[i] * (next - old);
    r_i = next;
    Eigen::Map<Vec3>(F + 3 * m) = step;
    change += step.squaredNorm();
  }
  return std::sqrt(change);
}

double IslandSweeps::sweep(int island, VecX& r, bool forward) {
  if (threes_) return sweep_threes(island, r, forward);
  const std::span<const int> members = islands_[island];
  const LocalProblem& p = *problem_;
  double change = 0;
  for (std::size_t s = 0; s < members.size(); ++s) {
    const std::size_t m = forward ? s : members.size() - 1 - s;
    const int i = members[m];
    double* F = F_.data() + place_[at(islands_.first[at(island)]) + m];
    const ConstraintLaw& law = p.law[at(i)];
    const int rows = p.rows(i);
    double* x = r.data() + p.offset[at(i)];
    double U[max_rows], next[max_rows];
    velocity(i, r.data(), U);
    if (!ready_[at(i)]) {
      if (law.is_cone() && U[0] >= 0 && std::all_of(x, x + rows, [](double v) { return v == 0; })) {
        std::fill(F, F + rows, 0.0);
        continue;  // open, as it was
      }
      prepare(i);
    }
    solver_[at(i)].solve(law, rows, U, x, next);
    if (relaxation_ != 1) {
      for (int l = 0; l < rows; ++l) next[l] = x[l] + relaxation_ * (next[l] - x[l]);
      project(law, rows, next, next);
    }
    for (int l = 0; l < rows; ++l) {
      F[l] = scales_[i] * (next[l] - x[l]);
      change += F[l] * F[l];
      x[l] = next[l];
    }
  }
  return std::sqrt(change);
}

void IslandSweeps::mix(int island, VecX& r) {
  State& state = state_[at(island)];
  const std::span<const int> members = islands_[island];
  const LocalProblem& p = *problem_;
  const std::size_t first = at(islands_.first[at(island)]);
  const int start = place_[first];
  const int size = place_[first + members.size() - 1] + p.rows(members.back()) - start;
  for (std::size_t m = 0; m < members.size(); ++m)
    std::copy_n(r.data() + p.offset[at(members[m])], p.rows(members[m]), g_.data() + place_[first + m]);
  double gamma[2];
  if (!mixing_.weights(start, size, state.mixing, F_.data() + start, g_.data() + start, gamma)) return;
  state.looked = false;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const int i = members[m], rows = p.rows(i), from = place_[first + m];
    double* x = r.data() + p.offset[at(i)];
    for (int l = 0; l < rows; ++l) x[l] = mixing_.mixed(from + l, x[l], gamma);
    project(p.law[at(i)], rows, x, x);
  }
}

void IslandSweeps::set_active(int island, bool active) {
  State& state = state_[at(island)];
  active_count_ += static_cast<int>(active) - static_cast<int>(state.active);
  state.active = active;
}

double IslandSweeps::look(int island, const VecX& r) {
  for (const int i : islands_[island]) velocity(i, r.data(), velocity_.data() + problem_->offset[at(i)]);
  return judge(island, r);
}

double IslandSweeps::judge(int island, const VecX& r) {
  double square = 0;
  for (const int i : islands_[island]) {
    const int offset = problem_->offset[at(i)];
    if (threes_ && is_open(velocity_.data() + offset, r.data() + offset)) continue;
    square += natural_map(problem_->law[at(i)], problem_->rows(i), velocity_.data() + offset, r.data() + offset,
                          scales_[i], nullptr);
  }
  State& state = state_[at(island)];
  state.estimate = std::sqrt(square);
  state.looked = true;
  return state.estimate / state.allowed;
}

void IslandSweeps::start(const VecX& r) {
  const bool zero = r.isZero(0);  // no product with W then
  if (zero) velocity_ = problem_->b;
  for (int k = 0; k < islands_.size(); ++k) set_active(k, !((zero ? judge(k, r) : look(k, r)) <= 1));
}

double IslandSweeps::round(VecX& r, bool forward) {
  double square = 0;
  ++rounds_;
  for (int k = 0; k < islands_.size(); ++k) {
    State& state = state_[at(k)];
    if (state.active) {
      const double change = sweep(k, r, forward != state.mixing.turned());
      state.looked = false;
      state.estimate = std::max(change, 2 * state.allowed);  // not looked at: not good yet
      if (change <= state.threshold || rounds_ % 64 == 0) {
        const double missed = look(k, r);
        if (missed <= 1) {
          set_active(k, false);
        } else {
          state.threshold = 0.9 * change * std::min(1.0, 1 / missed);
        }
      }
      if (accelerated_ && state.active && state.mixing.due(change)) mix(k, r);
    }
    square += state.estimate * state.estimate;
  }
  return unit_ * std::sqrt(square);
}

Residual IslandSweeps::residual(const VecX& r) {
  ResidualSums sums;
  for (int k = 0; k < islands_.size(); ++k) {
    if (!state_[at(k)].looked) look(k, r);
    for (const int i : islands_[k]) {
      const int offset = problem_->offset[at(i)];
      const double *U = velocity_.data() + offset, *x = r.data() + offset, *b = problem_->b.data() + offset;
      if (threes_ && is_open(U, x)) {
        sums.b += b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        sums.U += U[0] * U[0] + U[1] * U[1] + U[2] * U[2];
      } else {
        sums.add(problem_->law[at(i)], problem_->rows(i), U, x, b, scales_[i]);
      }
    }
  }
  return sums.value();
}

}  // namespace cairn
