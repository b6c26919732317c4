// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and the polite kill: noticed, and acted on between two steps.
#pragma once

namespace cairn {

/// From now on SIGINT and SIGTERM are noticed. A second one ends the program at once.
void listen_to_signals();
/// The signal that asked to stop; 0: none.
int stop_signal();

}  // namespace cairn
