// SPDX-License-Identifier: Apache-2.0
// What all commands share: exit statuses, standard output and standard error, numbers given as options.
//
// A command returns when all is well (exit 0), throws cairn::Error when the input is wrong (exit 2), and calls
// fall_short() when the work ran and fell short (exit 1).
#pragma once
#include <string>
#include <string_view>

namespace cairn {

/// Exit statuses of the programs.
enum Exit { kDone = 0, kFellShort = 1, kWrongInput = 2, kInterrupted = 130 };

/// Thrown by exit_with().
struct ExitStatus {
  int status;
};
/// Ends the program with this status once all objects in the way are destroyed.
[[noreturn]] void exit_with(int status);
/// The work ran and fell short; say why on standard error first.
[[noreturn]] void fall_short();

/// Text for standard output. A reader that has gone away (`| head`) is no mistake: the text is dropped. A full disk is
/// reported and makes the program exit with 1.
void print(std::string_view text);
/// A line on standard error: "cairn: ...".
void print_message(std::string_view text);
/// The status the program must end with because standard output could not be written: 0 or 1.
int finish_output();

/// A number or a formula such as 1/240; `what` names the option in messages. Throws Error.
double read_number(std::string_view what, const std::string& text);

}  // namespace cairn
