// SPDX-License-Identifier: Apache-2.0
// The handler only notes the signal.
#include "stop_signal.h"

#include <csignal>

namespace cairn {
namespace {

volatile std::sig_atomic_t noticed = 0;

}  // namespace

void listen_to_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { noticed = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signal() { return noticed; }

}  // namespace cairn
