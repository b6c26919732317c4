// SPDX-License-Identifier: Apache-2.0
// A = M + d D + k K of one body: solved whole (dense), and for the rows that contacts touch.
#include "cairn/bodies/body.h"

#include <Eigen/Cholesky>

namespace cairn {
namespace {

class DenseMass final : public MassOperator {
 public:
  BodyStatus set(const BodyTerms& terms, double d, double k) override {
    A_ = terms.mass;
    if (d != 0 && terms.has_damping) A_ += d * terms.damping;
    if (k != 0 && terms.has_stiffness) A_ += k * (terms.material + terms.geometric);
    factor_.compute(A_);
    return factor_.info() == Eigen::Success ? BodyStatus::Ok : BodyStatus::IndefiniteStiffness;
  }
  int size() const override { return static_cast<int>(A_.rows()); }
  void solve(Eigen::Ref<MatX> X) const override { factor_.solveInPlace(X); }
  void multiply(ConstVec x, MutVec y) const override { y.noalias() = A_ * x; }

 private:
  MatX A_;
  Eigen::LLT<MatX> factor_;
};

}  // namespace

void MassOperator::solve_rows(const SparseRows& H, std::span<const int> wanted, Eigen::Ref<MatX> Y) const {
  MatX X = H.dense(size()).transpose();
  solve(X);
  for (std::size_t i = 0; i < wanted.size(); ++i) Y.row(static_cast<Eigen::Index>(i)) = X.row(wanted[i]);
}

std::unique_ptr<MassOperator> make_dense_mass() { return std::make_unique<DenseMass>(); }

}  // namespace cairn
