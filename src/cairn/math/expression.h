// SPDX-License-Identifier: Apache-2.0
// Formulas in scene files and prescribed motions: parsed once into a flat stack program, evaluated without allocation.
// Method: precedence climbing (Pratt 1973) to reverse Polish, constants folded.
//
// From loosest to tightest:  c ? a : b   ||   &&   == !=   < <= > >=   + -   * / %   unary - + !   ^ (right to left).
// So -2^2 is -4 and 2^-1 is 0.5. Comparisons and logic give 1 or 0, anything but 0 is true; a % b has the sign of b.
// Constants pi and e, unless a variable has that name. Functions: see expression_functions().
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/error.h"

namespace cairn {

/// A formula that cannot be read: where, and what was expected there.
class ExpressionError : public Error {
 public:
  ExpressionError(const std::string& message, int column_) : Error(message), column(column_) {}
  int column;  ///< 1-based, in bytes of the text; length + 1 is its end
};

class Expression {
 public:
  /// One instruction of the stack program; a default one pushes the constant 0.
  struct Instruction {
    std::uint8_t op = 0;
    std::uint32_t slot = 0;  ///< of a variable
    double value = 0;        ///< of a constant
  };

  /// The constant 0.
  Expression() : text_("0"), program_{Instruction{}} {}

  /// Variables are the allowed names, in the order of the values given to evaluate(). Throws ExpressionError.
  static Expression parse(std::string_view text, std::span<const std::string> variables);

  /// Division by zero, sqrt(-1) and the like give inf or nan as in IEEE 754; nan is passed on by every function.
  /// Throws Error if there are fewer values than the formula's variables need.
  double evaluate(std::span<const double> values) const;

  /// No variable occurs in the formula.
  bool is_constant() const { return slots_needed_ == 0; }

  /// The formula as it was given.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<Instruction> program_;
  std::size_t slots_needed_ = 0;  ///< highest slot read, plus one
};

struct ExpressionFunction {
  std::string_view name;
  int arguments;    ///< how many it takes; -1: two or more
  std::uint8_t op;  ///< its instruction
  std::string_view help;
};

/// The functions a formula can call (for `cairn list` and the documentation).
std::span<const ExpressionFunction> expression_functions();

}  // namespace cairn
