// SPDX-License-Identifier: Apache-2.0
// States as plain numbers: what a scheme keeps from step to step (Motion::scheme), and whole motions with their warm
// starts, for those schemes and for checkpoints. Everything is written as doubles, which hold integers up to 2^53.
#pragma once
#include "cairn/constraints/system.h"
#include "cairn/constraints/warm_start.h"

#include <optional>
#include <string>

namespace cairn {

class NumberWriter {
 public:
  explicit NumberWriter(std::vector<double>& out) : out_(out) {}
  template <class Number>
  void number(Number x) {
    out_.push_back(static_cast<double>(x));
  }
  void numbers(std::span<const double> x) {
    number(x.size());
    out_.insert(out_.end(), x.begin(), x.end());
  }
  void vector(const VecX& x) { numbers({x.data(), static_cast<std::size_t>(x.size())}); }
  void point(const Vec3& x) { out_.insert(out_.end(), x.begin(), x.end()); }
  /// All of a motion but what its scheme keeps.
  void motion(const Motion& motion);
  void warm_start(const WarmStart& warm);

 private:
  std::vector<double>& out_;
};

/// Reads in the order of writing. Throws Error naming the owner where the numbers end too early, or too late.
class NumberReader {
 public:
  NumberReader(std::string owner, std::span<const double> in) : owner_(std::move(owner)), in_(in) {}
  template <class Number>
  void number(Number& x) {
    x = static_cast<Number>(next());
  }
  /// Of items that follow, each of at least one number.
  std::size_t count();
  void numbers(std::vector<double>& x);
  void vector(VecX& x);
  void point(Vec3& x) {
    for (double& value : x) value = next();
  }
  void motion(Motion& motion);
  void warm_start(WarmStart& warm);
  /// Everything has been read.
  void finish() const;

 private:
  double next();
  [[noreturn]] void damaged() const;

  std::string owner_;
  std::span<const double> in_;
};

/// What the scheme `name` kept; nothing where it kept nothing: what another scheme left is dropped, and it starts anew.
/// Throws Error where it is the same scheme's in the layout of another version.
std::optional<NumberReader> open_memory(const SchemeMemory& memory, std::string_view name, int version);
/// Makes the memory that of this scheme, to be written anew.
NumberWriter keep_memory(SchemeMemory& memory, std::string_view name, int version);

}  // namespace cairn
