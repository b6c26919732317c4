// SPDX-License-Identifier: Apache-2.0
// Motions, warm starts and memories of schemes as numbers: see the header.
#include "cairn/assembly/numbers.h"

#include "cairn/base/error.h"

namespace cairn {

void NumberWriter::motion(const Motion& motion) {
  number(motion.time);
  vector(motion.q);
  vector(motion.u);
  vector(motion.s);
  number(motion.broken.size());
  for (const std::uint8_t broken : motion.broken) number(broken);
  vector(motion.memory);
}

void NumberWriter::warm_start(const WarmStart& warm) {
  number(warm.begun);
  number(warm.contacts.size());
  for (const KeptContact& c : warm.contacts) {
    number(c.a);
    number(c.b);
    point(c.point);
    point(c.impulse);
    number(c.feature_a);
    number(c.feature_b);
    number(c.cohesion);
  }
  numbers(warm.joints);
}

double NumberReader::next() {
  if (in_.empty()) damaged();
  const double x = in_.front();
  in_ = in_.subspan(1);
  return x;
}

std::size_t NumberReader::count() {
  const double n = next();
  if (!(n >= 0 && n <= static_cast<double>(in_.size()))) damaged();
  return static_cast<std::size_t>(n);
}

void NumberReader::numbers(std::vector<double>& x) {
  x.resize(count());
  for (double& value : x) value = next();
}

void NumberReader::vector(VecX& x) {
  x.resize(static_cast<Eigen::Index>(count()));
  for (double& value : x) value = next();
}

void NumberReader::motion(Motion& motion) {
  number(motion.time);
  vector(motion.q);
  vector(motion.u);
  vector(motion.s);
  motion.broken.resize(count());
  for (std::uint8_t& broken : motion.broken) broken = next() != 0;
  vector(motion.memory);
}

void NumberReader::warm_start(WarmStart& warm) {
  warm.begun = next() != 0;
  warm.contacts.resize(count());
  for (KeptContact& c : warm.contacts) {
    number(c.a);
    number(c.b);
    point(c.point);
    point(c.impulse);
    number(c.feature_a);
    number(c.feature_b);
    number(c.cohesion);
  }
  numbers(warm.joints);
}

void NumberReader::finish() const {
  if (!in_.empty()) damaged();
}

void NumberReader::damaged() const { throw Error("{}: the numbers of the state are damaged", owner_); }

std::optional<NumberReader> open_memory(const SchemeMemory& memory, std::string_view name, int version) {
  if (memory.name != name) return {};
  if (memory.version != version)
    throw Error("the state keeps what stepper '{}' wrote in version {} of its layout; this program has version {}",
                name, memory.version, version);
  return NumberReader(fmt::format("stepper '{}'", name), memory.numbers);
}

NumberWriter keep_memory(SchemeMemory& memory, std::string_view name, int version) {
  memory.name = name;
  memory.version = version;
  memory.numbers.clear();
  return NumberWriter(memory.numbers);
}

}  // namespace cairn
