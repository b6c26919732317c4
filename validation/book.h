// SPDX-License-Identifier: Apache-2.0
// The validation book: problems with known answers, each run at three steps and compared with its reference.
//
// A case is data and a function. It builds models through the public interface of Cairn, runs them, and returns
// quantities: reference, our values, tolerance, order. `cairn validate` and the tests run the same functions.
#pragma once
#include "cairn/io/svg_plot.h"
#include "cairn/sim/certificate.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::validation {

/// Short: what the tests run, about a second each. Full: the sizes and durations the problem asks for.
enum class Effort { Short, Full };

/// One number with its reference. A bound ("speed below 1e-9") is the expected value 0 with that tolerance.
struct Quantity {
  std::string name;
  std::string unit;  ///< empty: a ratio or a count
  double expected = 0;
  double got = 0;               ///< at the finest step
  double tolerance = 0;         ///< largest error that passes
  bool relative = false;        ///< error and tolerance are divided by |expected|
  double error = 0;             ///< |got - expected|, divided by |expected| when relative
  std::vector<double> steps;    ///< [s]; empty: the quantity has no steps to compare
  std::vector<double> values;   ///< one per step
  std::optional<double> order;  ///< observed; none when the errors are rounding
  std::optional<double> expected_order;
  bool pass = false;
  std::string note;  ///< shown with the number, e.g. why it falls short
};

/// The certificate of one run of a case.
struct RunRecord {
  std::string label;
  std::string stepper, solver;
  double step = 0;  ///< [s]
  RunSummary summary;
};

struct CaseResult {
  std::vector<Quantity> quantities;
  std::vector<RunRecord> runs;
  std::vector<Plot> plots;
  std::string notes;   ///< plain text; paragraphs are separated by empty lines
  double seconds = 0;  ///< wall clock

  bool pass() const;
};

struct Case {
  std::string name;  ///< as in the table of problems: "S1"
  std::string title;
  std::string source;     ///< who posed it, or how the reference was found
  std::string problem;    ///< one paragraph: what moves, with all parameters
  std::string reference;  ///< where the numbers come from
  std::function<CaseResult(Effort)> run;
};

/// All cases, in the order of the book.
std::span<const Case> cases();
/// The cases of these names (upper or lower case), in the order of the book; all when there are no names. A letter
/// alone takes its section ("F"). Throws Error with the nearest name when there is none.
std::vector<const Case*> find_cases(const std::vector<std::string>& names);
/// Runs it and takes the time.
CaseResult run_case(const Case& c, Effort effort);

}  // namespace cairn::validation
