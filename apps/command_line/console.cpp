// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error, whatever they are connected to; numbers given as options.
#include "console.h"

#include "cairn/base/error.h"
#include "cairn/math/expression.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace cairn {
namespace {

/// The first error of standard output; 0: none.
int output_error = 0;

}  // namespace

void exit_with(int status) { throw ExitStatus{status}; }
void fall_short() { exit_with(kFellShort); }

void print(std::string_view text) {
  errno = 0;
  if (output_error == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    output_error = errno != 0 ? errno : EIO;
  }
}

void print_message(std::string_view text) {
  const std::string line = fmt::format("cairn: {}\n", text);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno != 0 ? errno : EIO;
  if (output_error == 0 || output_error == EPIPE) return kDone;
  print_message(fmt::format("standard output cannot be written: {}", std::strerror(output_error)));
  return kFellShort;
}

double read_number(std::string_view what, const std::string& text) {
  double value = 0;
  try {
    value = Expression::parse(text, {}).evaluate({});
  } catch (const Error& error) {
    throw Error("{}: '{}' is not a number: {}", what, text, error.what());
  }
  if (!std::isfinite(value)) throw Error("{}: '{}' is not a finite number", what, text);
  return value;
}

}  // namespace cairn
