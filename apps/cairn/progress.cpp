// SPDX-License-Identifier: Apache-2.0
// The bar and the lines of a run's progress.
#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace cairn {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(10);
constexpr std::size_t kBarWidth = 12;
constexpr std::size_t kMaxLine = 79;  // a line that wraps cannot be taken back with a carriage return

void print_error_text(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(double begin, double end, bool quiet)
    : begin_(begin), end_(end), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {
  next_ = started_ + (terminal_ ? Clock::duration(kBarInterval) : Clock::duration(kLineInterval));
}

void Progress::show(const Simulation& simulation, Clock::time_point now) {
  const Certificate& c = simulation.certificate();
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double share = std::clamp((c.time - begin_) / std::max(end_ - begin_, 1e-300), 0.0, 1.0);
  const std::string numbers = fmt::format("{:.4g}/{:.4g} s, {:.2g} x real time, {} contacts, residual {:.0e}", c.time,
                                          end_, (c.time - begin_) / seconds, c.contacts, c.residual);
  if (terminal_) {
    std::string line(static_cast<std::size_t>(share * kBarWidth), '#');
    line.resize(kBarWidth, '.');
    line = fmt::format("[{}] {}", line, numbers).substr(0, kMaxLine);
    const std::size_t width = line.size();
    if (width < shown_) line.append(shown_ - width, ' ');
    shown_ = width;
    print_error_text("\r" + line);
    next_ = now + kBarInterval;
  } else {
    print_error_text(fmt::format("{:3.0f} %: {}\n", 100 * share, numbers));
    next_ = now + kLineInterval;
  }
}

void Progress::finish() {
  if (shown_ > 0) print_error_text("\r" + std::string(shown_, ' ') + "\r");
  shown_ = 0;
}

}  // namespace cairn
