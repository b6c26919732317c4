// SPDX-License-Identifier: Apache-2.0
// The formula language: values against the C++ library, errors with their columns, and hostile text.
#include "cairn/math/expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>

namespace cairn {
namespace {

const std::vector<std::string> kVariables = {"t", "x", "amplitude"};
const std::vector<double> kValues = {0.75, -3.0, 2.5};

double value(std::string_view text) { return Expression::parse(text, kVariables).evaluate(kValues); }

// The column of the error that the text must give, and its message in `message`.
int error_column(std::string_view text, std::string* message = nullptr) {
  try {
    Expression::parse(text, kVariables);
  } catch (const ExpressionError& e) {
    if (message) *message = e.what();
    return e.column;
  }
  ADD_FAILURE() << "no error for: " << text.substr(0, 80);
  return 0;
}

TEST(Expression, numbers_have_the_usual_forms) {
  EXPECT_EQ(value("1"), 1.0);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2.0);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.25E+2"), 125.0);
  EXPECT_EQ(value("  7\t\n"), 7.0);
}

TEST(Expression, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value("1 + 2 * 3"), 7.0);
  EXPECT_EQ(value("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(value("10 - 4 - 3"), 3.0);
  EXPECT_EQ(value("16 / 4 / 2"), 2.0);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value("-2 ^ 2"), -4.0);
  EXPECT_EQ(value("(-2) ^ 2"), 4.0);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 ^ -1 ^ 2"), 0.5);
  EXPECT_EQ(value("2 ^ -1 * 4"), 2.0);
  EXPECT_EQ(value("2 * -3"), -6.0);
  EXPECT_EQ(value("- -3 - +1"), 2.0);
  EXPECT_EQ(value("2 * 3 ^ 2"), 18.0);
  EXPECT_EQ(value("7 - 2 * 3 % 4"), 5.0);
}

TEST(Expression, modulo_has_the_sign_of_the_divisor) {
  EXPECT_EQ(value("7 % 3"), 1.0);
  EXPECT_EQ(value("-7 % 3"), 2.0);
  EXPECT_EQ(value("7 % -3"), -2.0);
  EXPECT_EQ(value("mod(-0.5, 2)"), 1.5);
  EXPECT_EQ(value("-6 % 3"), 0.0);
}

TEST(Expression, comparisons_and_logic_give_one_or_zero) {
  EXPECT_EQ(value("1 < 2"), 1.0);
  EXPECT_EQ(value("2 <= 1"), 0.0);
  EXPECT_EQ(value("2 > 1"), 1.0);
  EXPECT_EQ(value("2 >= 2"), 1.0);
  EXPECT_EQ(value("1 + 1 == 2"), 1.0);
  EXPECT_EQ(value("1 != 1"), 0.0);
  EXPECT_EQ(value("!0 + !3"), 1.0);
  EXPECT_EQ(value("!1 == 0"), 1.0);
  EXPECT_EQ(value("2 && 3"), 1.0);
  EXPECT_EQ(value("0 || 0"), 0.0);
  EXPECT_EQ(value("1 || 0 && 0"), 1.0);  // && binds tighter
  EXPECT_EQ(value("1 < 2 == 1"), 1.0);
  EXPECT_EQ(value("t < 1 && x < 0"), 1.0);
}

TEST(Expression, choices_nest_to_the_right) {
  EXPECT_EQ(value("1 ? 2 : 3"), 2.0);
  EXPECT_EQ(value("0 ? 2 : 3"), 3.0);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 4"), 4.0);
  EXPECT_EQ(value("1 ? 0 ? 5 : 6 : 7"), 6.0);
  EXPECT_EQ(value("t < 0.5 ? 0 : t < 1 ? 10*(t - 0.5) : 5"), 2.5);
  EXPECT_EQ(value("(t < 0.5 ? 1 : 2) + 3"), 5.0);  // constants of a branch are not folded into what follows
  EXPECT_EQ(value("x > 0 ? sqrt(x) : 0"), 0.0);    // the branch not chosen may be nan
  EXPECT_EQ(value("0 || 1 ? 4 : 5"), 4.0);
}

TEST(Expression, functions_are_those_of_the_library) {
  EXPECT_DOUBLE_EQ(value("sin(t)"), std::sin(0.75));
  EXPECT_DOUBLE_EQ(value("cos(t)"), std::cos(0.75));
  EXPECT_DOUBLE_EQ(value("tan(t)"), std::tan(0.75));
  EXPECT_DOUBLE_EQ(value("asin(t)"), std::asin(0.75));
  EXPECT_DOUBLE_EQ(value("acos(t)"), std::acos(0.75));
  EXPECT_DOUBLE_EQ(value("atan(t)"), std::atan(0.75));
  EXPECT_DOUBLE_EQ(value("atan2(t, x)"), std::atan2(0.75, -3.0));
  EXPECT_DOUBLE_EQ(value("sinh(t)"), std::sinh(0.75));
  EXPECT_DOUBLE_EQ(value("cosh(t)"), std::cosh(0.75));
  EXPECT_DOUBLE_EQ(value("tanh(t)"), std::tanh(0.75));
  EXPECT_DOUBLE_EQ(value("sqrt(amplitude)"), std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(value("cbrt(x)"), std::cbrt(-3.0));
  EXPECT_DOUBLE_EQ(value("exp(x)"), std::exp(-3.0));
  EXPECT_DOUBLE_EQ(value("log(t)"), std::log(0.75));
  EXPECT_DOUBLE_EQ(value("log10(t)"), std::log10(0.75));
  EXPECT_EQ(value("abs(x)"), 3.0);
  EXPECT_EQ(value("floor(-amplitude)"), -3.0);
  EXPECT_EQ(value("ceil(-amplitude)"), -2.0);
  EXPECT_EQ(value("round(amplitude)"), 3.0);
  EXPECT_EQ(value("min(4, x)"), -3.0);
  EXPECT_EQ(value("max(1, t, amplitude, 2)"), 2.5);
  EXPECT_EQ(value("pow(x, 3)"), -27.0);
  EXPECT_EQ(value("sign(x) + sign(0) + 5 * sign(t)"), 4.0);
  EXPECT_EQ(value("clamp(x, -1, 1)"), -1.0);
  EXPECT_EQ(value("clamp(t, -1, 1)"), 0.75);
  EXPECT_EQ(value("clamp(9, -1, t)"), 0.75);
  EXPECT_EQ(value("hypot(x, 4)"), 5.0);
  EXPECT_EQ(value("step(x)"), 0.0);
  EXPECT_EQ(value("step(0) + step(t)"), 2.0);
  EXPECT_DOUBLE_EQ(value("2*pi + e"), 2 * std::numbers::pi + std::numbers::e);
  EXPECT_DOUBLE_EQ(value("amplitude * sin(2 * pi * t)"), 2.5 * std::sin(2 * std::numbers::pi * 0.75));
}

TEST(Expression, every_listed_function_can_be_called_and_has_help) {
  std::set<std::string_view> names;
  for (const ExpressionFunction& f : expression_functions()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_FALSE(f.help.empty()) << f.name;
    std::string call = std::string(f.name) + "(t";
    for (int i = 1; i < (f.arguments < 0 ? 4 : f.arguments); ++i) call += ", t";
    EXPECT_TRUE(std::isfinite(value(call + ")"))) << call;
    EXPECT_GT(error_column(std::string(f.name) + "()"), 0);
  }
}

TEST(Expression, random_depends_on_its_argument_alone_and_fills_the_unit_interval) {
  EXPECT_EQ(value("random(3)"), value("random(1 + 2)"));
  EXPECT_EQ(value("random(0)"), value("random(-0)"));
  // Mean and variance of the uniform distribution are 1/2 and 1/12; n values scatter by sqrt(1/12/n) around the mean.
  const Expression random = Expression::parse("random(t)", kVariables);
  const int n = 10000;
  double sum = 0, squares = 0;
  std::set<double> seen;
  for (int i = 0; i < n; ++i) {
    const std::array<double, 1> argument = {static_cast<double>(i)};
    const double r = random.evaluate(argument);
    ASSERT_GE(r, 0.0);
    ASSERT_LT(r, 1.0);
    seen.insert(r);
    sum += r;
    squares += (r - 0.5) * (r - 0.5);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
  EXPECT_NEAR(sum / n, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 12, 0.005);
}

TEST(Expression, undefined_results_follow_ieee_and_nan_is_not_hidden) {
  EXPECT_EQ(value("1/0"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value("-1/0"), -std::numeric_limits<double>::infinity());
  for (const char* text : {"0/0", "sqrt(x)", "log(x)", "t % 0", "min(1, 0/0)", "min(0/0, 1)", "max(0/0, 1)",
                           "max(1, 0/0)", "clamp(0/0, 0, 1)", "sign(0/0)", "step(0/0)", "random(0/0)"}) {
    EXPECT_TRUE(std::isnan(value(text))) << text;
  }
}

TEST(Expression, knows_whether_it_is_constant_and_keeps_its_text) {
  EXPECT_TRUE(Expression::parse("2*pi*random(4)", kVariables).is_constant());
  EXPECT_FALSE(Expression::parse("0*t", kVariables).is_constant());
  EXPECT_EQ(Expression::parse(" 1 +t ", kVariables).text(), " 1 +t ");
  EXPECT_EQ(Expression::parse("3 + 4", {}).evaluate({}), 7.0);
  EXPECT_EQ(Expression().evaluate({}), 0.0);
  EXPECT_TRUE(Expression().is_constant());
}

TEST(Expression, variable_wins_over_a_constant_of_the_same_name) {
  const std::vector<std::string> names = {"e"};
  const std::vector<double> values = {5.0};
  EXPECT_EQ(Expression::parse("e + 1e0", names).evaluate(values), 6.0);
}

TEST(Expression, too_few_values_are_an_error) {
  const Expression f = Expression::parse("amplitude", kVariables);
  EXPECT_THROW(f.evaluate(std::span(kValues).first(2)), Error);
  EXPECT_EQ(Expression::parse("t", kVariables).evaluate(std::span(kValues).first(1)), 0.75);
}

TEST(Expression, errors_name_the_column_and_what_was_expected) {
  std::string message;
  EXPECT_EQ(error_column("", &message), 1);
  EXPECT_NE(message.find("expected a number, a name or '('"), std::string::npos) << message;
  EXPECT_NE(message.find("found the end"), std::string::npos) << message;
  EXPECT_EQ(error_column("1 +"), 4);
  EXPECT_EQ(error_column("1 + * 2", &message), 5);
  EXPECT_NE(message.find("found '*'"), std::string::npos) << message;
  EXPECT_EQ(error_column("(1 + 2", &message), 7);
  EXPECT_NE(message.find("expected ')'"), std::string::npos) << message;
  EXPECT_EQ(error_column("1 + 2)", &message), 6);
  EXPECT_NE(message.find("expected an operator"), std::string::npos) << message;
  EXPECT_EQ(error_column("2 t"), 3);
  EXPECT_EQ(error_column("2e"), 2);
  EXPECT_EQ(error_column("t = 3"), 3);
  EXPECT_EQ(error_column("t & 3"), 3);
  EXPECT_EQ(error_column("1.2.3"), 4);
  EXPECT_EQ(error_column("1 ? 2", &message), 6);
  EXPECT_NE(message.find("expected ':'"), std::string::npos) << message;
  EXPECT_EQ(error_column("sin 3", &message), 5);
  EXPECT_NE(message.find("expected '(' after function 'sin'"), std::string::npos) << message;
  EXPECT_EQ(error_column("sin(1, 2)", &message), 4);
  EXPECT_NE(message.find("takes 1 argument, found 2"), std::string::npos) << message;
  EXPECT_EQ(error_column("2 + max(1)", &message), 8);
  EXPECT_NE(message.find("two or more"), std::string::npos) << message;
  EXPECT_EQ(error_column("sin(1"), 6);
  EXPECT_EQ(error_column("1e999"), 1);
  EXPECT_EQ(error_column("1 + \xc3\xa9", &message), 5);
  EXPECT_NE(message.find("0xc3"), std::string::npos) << message;
  EXPECT_EQ(error_column(std::string_view("1\0+2", 4)), 2);
}

TEST(Expression, unknown_names_list_the_allowed_ones_and_suggest_the_nearest) {
  std::string message;
  EXPECT_EQ(error_column("3 * amplitud", &message), 5);
  EXPECT_NE(message.find("did you mean 'amplitude'"), std::string::npos) << message;
  EXPECT_NE(message.find("t, x, amplitude, pi, e"), std::string::npos) << message;
  EXPECT_EQ(error_column("1 + sine(t)", &message), 5);
  EXPECT_NE(message.find("unknown function 'sine'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'sin'"), std::string::npos) << message;
  EXPECT_EQ(error_column("t(3)", &message), 1);
  EXPECT_NE(message.find("unknown function 't'"), std::string::npos) << message;
}

TEST(Expression, nesting_is_bounded_whatever_opens_it) {
  const auto repeat = [](std::string_view part, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += part;
    return all;
  };
  for (const char* part : {"(", "-", "!", "2^", "sin(", "1?", "1?2:", "max(1,", "1+(", "1||1&&1==1<1+1*("}) {
    std::string message;
    EXPECT_GT(error_column(repeat(part, 100000) + "1", &message), 1) << part;
    EXPECT_LT(message.size(), 300u) << part;
  }
  EXPECT_EQ(value(repeat("(", 50) + "t" + repeat(")", 50)), 0.75);
  EXPECT_EQ(value(repeat("1+(", 50) + "t" + repeat(")", 50)), 50.75);
  // Long but flat is fine.
  EXPECT_EQ(value("x" + repeat("+1", 100000)), 99997.0);
  EXPECT_EQ(value("max(x" + repeat(",t", 10000) + ")"), 0.75);
  // Two waiting values per level fill the evaluation stack before the nesting is too deep.
  std::string message;
  EXPECT_GT(error_column(repeat("x?x:", 150) + "x", &message), 1);
  EXPECT_NE(message.find("unfinished"), std::string::npos) << message;
  EXPECT_EQ(value(repeat("0?x:", 100) + "t"), 0.75);
}

TEST(Expression, random_text_is_read_or_refused_but_never_crashes) {
  const std::vector<std::string> parts = {
      "t", "x",    "amplitude", "1",      ".5", "1e-3", "(",  ")", "+",    "-",      "*", "/",
      "^", "%",    "<",         "<=",     "==", "!=",   "&&", "|", "||",   "!",      "?", ":",
      ",", "sin(", "max(",      "clamp(", " ",  "e",    "pi", ".", "\xff", "random("};
  std::mt19937 generator(11);
  int read = 0;
  for (int i = 0; i < 8000; ++i) {
    std::string text;
    const int length = static_cast<int>(generator() % 12);
    for (int k = 0; k < length; ++k) {
      if (i % 4 == 0) {
        text += static_cast<char>(generator() % 256);
      } else {
        text += parts[generator() % parts.size()];
      }
    }
    try {
      const Expression f = Expression::parse(text, kVariables);
      f.evaluate(kValues);
      ++read;
    } catch (const ExpressionError& e) {
      ASSERT_GE(e.column, 1) << text;
      ASSERT_LE(static_cast<std::size_t>(e.column), text.size() + 1) << text;
    }
  }
  EXPECT_GT(read, 80);  // the generator makes some valid formulas, too
}

}  // namespace
}  // namespace cairn
