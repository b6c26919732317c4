// SPDX-License-Identifier: Apache-2.0
// Formulas: a precedence-climbing parser (Pratt 1973) that emits reverse Polish code, and the machine that runs it.
#include "cairn/math/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/base/text.h"

namespace cairn {

namespace {

// In groups by the number of operands: none, one, two, three. The constant comes first (Expression's default).
enum Op : std::uint8_t {
  kConstant,
  kVariable,
  kNegate,
  kNot,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kSqrt,
  kCbrt,
  kExp,
  kLog,
  kLog10,
  kAbs,
  kFloor,
  kCeil,
  kRound,
  kSign,
  kStep,
  kRandom,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kAtan2,
  kHypot,
  kMin,
  kMax,
  kClamp,
  kSelect,
};

constexpr int operands(std::uint8_t op) {
  if (op < kNegate) return 0;
  if (op < kAdd) return 1;
  return op < kClamp ? 2 : 3;
}

// Bounds that no formula written by a person meets, so that hostile text can exhaust neither of the two stacks.
constexpr int kMaxNesting = 200;
constexpr int kMaxStack = 256;

constexpr std::array<ExpressionFunction, 28> kFunctions{{
    {"sin", 1, kSin, "sine of an angle in radians"},
    {"cos", 1, kCos, "cosine of an angle in radians"},
    {"tan", 1, kTan, "tangent of an angle in radians"},
    {"asin", 1, kAsin, "arc sine, in radians"},
    {"acos", 1, kAcos, "arc cosine, in radians"},
    {"atan", 1, kAtan, "arc tangent, in radians"},
    {"atan2", 2, kAtan2, "atan2(y, x): angle of the point (x, y), in radians"},
    {"sinh", 1, kSinh, "hyperbolic sine"},
    {"cosh", 1, kCosh, "hyperbolic cosine"},
    {"tanh", 1, kTanh, "hyperbolic tangent"},
    {"sqrt", 1, kSqrt, "square root"},
    {"cbrt", 1, kCbrt, "cube root"},
    {"exp", 1, kExp, "e to the power x"},
    {"log", 1, kLog, "natural logarithm"},
    {"log10", 1, kLog10, "decimal logarithm"},
    {"abs", 1, kAbs, "absolute value"},
    {"floor", 1, kFloor, "largest whole number not above x"},
    {"ceil", 1, kCeil, "smallest whole number not below x"},
    {"round", 1, kRound, "nearest whole number, halves away from zero"},
    {"min", -1, kMin, "smallest of two or more arguments"},
    {"max", -1, kMax, "largest of two or more arguments"},
    {"pow", 2, kPower, "pow(x, y): x to the power y, as x^y"},
    {"mod", 2, kModulo, "mod(x, y): remainder with the sign of y, as x % y"},
    {"sign", 1, kSign, "-1, 0 or 1"},
    {"clamp", 3, kClamp, "clamp(x, low, high): x limited to [low, high]"},
    {"hypot", 2, kHypot, "hypot(x, y): sqrt(x^2 + y^2) without overflow"},
    {"step", 1, kStep, "0 for x < 0, else 1"},
    {"random", 1, kRandom, "random(i): a number in [0, 1) that depends on i alone"},
}};

// The smaller or larger of two with nan passed on, which std::fmin would hide.
double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

double floor_modulo(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// splitmix64 (Steele, Lea and Flood 2014) of the bits of x; the upper 53 bits as a fraction.
double hash_to_unit(double x) {
  if (std::isnan(x)) return x;
  std::uint64_t z = std::bit_cast<std::uint64_t>(x + 0.0) + 0x9e3779b97f4a7c15ULL;  // + 0.0: -0 is 0
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

// The result of one instruction on its operands a[0], a[1], a[2].
double apply(std::uint8_t op, const double* a) {
  switch (op) {
    case kNegate: return -a[0];
    case kNot: return a[0] == 0;
    case kSin: return std::sin(a[0]);
    case kCos: return std::cos(a[0]);
    case kTan: return std::tan(a[0]);
    case kAsin: return std::asin(a[0]);
    case kAcos: return std::acos(a[0]);
    case kAtan: return std::atan(a[0]);
    case kSinh: return std::sinh(a[0]);
    case kCosh: return std::cosh(a[0]);
    case kTanh: return std::tanh(a[0]);
    case kSqrt: return std::sqrt(a[0]);
    case kCbrt: return std::cbrt(a[0]);
    case kExp: return std::exp(a[0]);
    case kLog: return std::log(a[0]);
    case kLog10: return std::log10(a[0]);
    case kAbs: return std::abs(a[0]);
    case kFloor: return std::floor(a[0]);
    case kCeil: return std::ceil(a[0]);
    case kRound: return std::round(a[0]);
    case kSign: return a[0] > 0 ? 1 : a[0] < 0 ? -1 : a[0];
    case kStep: return std::isnan(a[0]) ? a[0] : a[0] >= 0;
    case kRandom: return hash_to_unit(a[0]);
    case kAdd: return a[0] + a[1];
    case kSubtract: return a[0] - a[1];
    case kMultiply: return a[0] * a[1];
    case kDivide: return a[0] / a[1];
    case kModulo: return floor_modulo(a[0], a[1]);
    case kPower: return std::pow(a[0], a[1]);
    case kLess: return a[0] < a[1];
    case kLessEqual: return a[0] <= a[1];
    case kGreater: return a[0] > a[1];
    case kGreaterEqual: return a[0] >= a[1];
    case kEqual: return a[0] == a[1];
    case kNotEqual: return a[0] != a[1];
    case kAnd: return a[0] != 0 && a[1] != 0;
    case kOr: return a[0] != 0 || a[1] != 0;
    case kAtan2: return std::atan2(a[0], a[1]);
    case kHypot: return std::hypot(a[0], a[1]);
    case kMin: return smaller(a[0], a[1]);
    case kMax: return larger(a[0], a[1]);
    case kClamp: return smaller(larger(a[0], a[1]), a[2]);
    case kSelect: return a[0] != 0 ? a[1] : a[2];
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

// Text fit for a message: at most `limit` bytes, anything unprintable or not ASCII as '?'.
std::string printable(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > limit ? out + "..." : out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct BinaryOperator {
  std::string_view token;
  Op op;
  int precedence;
};
// Two-character tokens before their one-character beginnings.
constexpr std::array<BinaryOperator, 14> kBinary{{
    {"||", kOr, 1},
    {"&&", kAnd, 2},
    {"==", kEqual, 3},
    {"!=", kNotEqual, 3},
    {"<=", kLessEqual, 4},
    {">=", kGreaterEqual, 4},
    {"<", kLess, 4},
    {">", kGreater, 4},
    {"+", kAdd, 5},
    {"-", kSubtract, 5},
    {"*", kMultiply, 6},
    {"/", kDivide, 6},
    {"%", kModulo, 6},
    {"^", kPower, 8},
}};
constexpr int kTernary = 0, kUnary = 7;

class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> variables) : text_(text), variables_(variables) {}

  std::vector<Expression::Instruction> program;
  std::size_t slots_needed = 0;

  void run() {
    parse_operators(kTernary);
    if (pos_ < text_.size()) fail("expected an operator or the end of the formula, found " + found());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail(what, pos_); }
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    const int column = static_cast<int>(std::min<std::size_t>(at + 1, std::numeric_limits<int>::max()));
    throw ExpressionError(fmt::format("formula \"{}\", column {}: {}", printable(text_, 60), column, what), column);
  }

  char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  std::string found() const {
    if (pos_ >= text_.size()) return "the end";
    std::size_t n = 1;
    if (is_letter(text_[pos_]) || is_digit(text_[pos_])) {
      while (pos_ + n < text_.size() && (is_letter(text_[pos_ + n]) || is_digit(text_[pos_ + n]))) ++n;
    }
    const char c = text_[pos_];
    if (c < ' ' || c > '~') return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
    return fmt::format("'{}'", printable(text_.substr(pos_, n), 30));
  }
  void skip_space() {
    while (pos_ < text_.size() && (text_[pos_] == ' ' || (text_[pos_] >= '\t' && text_[pos_] <= '\r'))) ++pos_;
  }
  bool take(char c) {
    if (peek() != c || pos_ >= text_.size()) return false;
    ++pos_;
    skip_space();
    return true;
  }
  void expect(char c, const std::string& why) {
    if (!take(c)) fail(fmt::format("expected '{}' {}, found {}", c, why, found()));
  }

  // Appends an instruction. Constant operands are computed now: without jumps in the code, the last n instructions
  // being constants means that they are exactly the n operands.
  void emit(std::uint8_t op, std::uint32_t slot = 0, double value = 0) {
    const int n = operands(op);
    const auto constant = [](const Expression::Instruction& i) { return i.op == kConstant; };
    if (n > 0 && std::all_of(program.end() - n, program.end(), constant)) {
      std::array<double, 3> a{};
      for (int i = 0; i < n; ++i) a[static_cast<std::size_t>(i)] = (program.end() - n + i)->value;
      value = apply(op, a.data());
      program.resize(program.size() - static_cast<std::size_t>(n));
      op = kConstant;
    }
    program.push_back({op, slot, value});
    depth_ += 1 - n;
    if (depth_ > kMaxStack) fail(fmt::format("too many unfinished operations (more than {})", kMaxStack));
  }

  // An operand followed by all operators that bind at least as tightly as `loosest`.
  void parse_operators(int loosest) {
    if (++nesting_ > kMaxNesting) fail(fmt::format("nested more than {} levels deep", kMaxNesting));
    parse_operand();
    while (pos_ < text_.size()) {
      if (peek() == '?') {
        if (loosest > kTernary) break;
        take('?');
        parse_operators(kTernary);
        expect(':', "of the choice 'c ? a : b'");
        parse_operators(kTernary);
        emit(kSelect);
        continue;
      }
      const auto op = std::find_if(kBinary.begin(), kBinary.end(),
                                   [&](const BinaryOperator& b) { return text_.substr(pos_).starts_with(b.token); });
      if (op == kBinary.end() || op->precedence < loosest) break;
      pos_ += op->token.size();
      skip_space();
      // Left to right needs a tighter right-hand side; a power takes another power or a sign: 2^-3^2 = 2^(-(3^2)).
      parse_operators(op->op == kPower ? kUnary : op->precedence + 1);
      emit(op->op);
    }
    --nesting_;
  }

  void parse_operand() {
    skip_space();
    const char c = peek();
    if (is_digit(c) || (c == '.' && pos_ + 1 < text_.size() && is_digit(text_[pos_ + 1]))) return parse_number();
    if (is_letter(c)) return parse_name();
    if (take('(')) {
      parse_operators(kTernary);
      return expect(')', "or an operator");
    }
    if (c == '-' || c == '!' || c == '+') {
      take(c);
      parse_operators(kUnary);
      if (c != '+') emit(c == '-' ? kNegate : kNot);
      return;
    }
    fail("expected a number, a name or '(', found " + found());
  }

  void parse_number() {
    double value = 0;
    const auto [end, status] = std::from_chars(text_.data() + pos_, text_.data() + text_.size(), value);
    const std::size_t length = static_cast<std::size_t>(end - (text_.data() + pos_));
    if (status != std::errc{}) {
      fail(fmt::format("number {} is outside the range of a double (1e-308 to 1e308)",
                       printable(text_.substr(pos_, length), 30)));
    }
    pos_ += length;
    skip_space();
    emit(kConstant, 0, value);
  }

  void parse_name() {
    const std::size_t start = pos_;
    while (is_letter(peek()) || is_digit(peek())) ++pos_;
    const std::string_view name = text_.substr(start, pos_ - start);
    skip_space();
    const auto function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& f) { return f.name == name; });
    if (peek() == '(') {
      if (function == kFunctions.end()) fail_unknown(name, start, true);
      return parse_call(*function);
    }
    const auto variable = std::find(variables_.begin(), variables_.end(), name);
    if (variable != variables_.end()) {
      const auto slot = static_cast<std::uint32_t>(variable - variables_.begin());
      slots_needed = std::max<std::size_t>(slots_needed, slot + 1);
      return emit(kVariable, slot);
    }
    if (name == "pi") return emit(kConstant, 0, std::numbers::pi);
    if (name == "e") return emit(kConstant, 0, std::numbers::e);
    if (function != kFunctions.end()) fail(fmt::format("expected '(' after function '{}', found {}", name, found()));
    fail_unknown(name, start, false);
  }

  void parse_call(const ExpressionFunction& function) {
    const std::size_t open = pos_;
    take('(');
    int count = 0;
    do {
      parse_operators(kTernary);
      // min and max of many: each further argument is combined at once, so the stack does not grow.
      if (++count > 1 && function.arguments < 0) emit(function.op);
    } while (take(','));
    if (peek() != ')') fail(fmt::format("expected ')' or ',' in the call of '{}', found {}", function.name, found()));
    const bool right = function.arguments < 0 ? count >= 2 : count == function.arguments;
    if (!right) {
      const std::string wanted = function.arguments < 0 ? "two or more" : std::to_string(function.arguments);
      fail(fmt::format("function '{}' takes {} argument{}, found {}", function.name, wanted,
                       function.arguments == 1 ? "" : "s", count),
           open);
    }
    take(')');
    if (function.arguments >= 0) emit(function.op);
  }

  // Names what is allowed, and the nearest of it when it is near.
  [[noreturn]] void fail_unknown(std::string_view name, std::size_t at, bool called) const {
    std::vector<std::string> known;
    if (called) {
      for (const ExpressionFunction& f : kFunctions) known.emplace_back(f.name);
    } else {
      for (const std::string& v : variables_) known.push_back(printable(v, 40));
      known.insert(known.end(), {"pi", "e"});
    }
    const std::string shown = printable(name, 40);
    fail(fmt::format("unknown {} '{}'{}; the {} are {}", called ? "function" : "name", shown,
                     did_you_mean(shown, known), called ? "functions" : "variables and constants", join(known)),
         at);
  }

  std::string_view text_;
  std::span<const std::string> variables_;
  std::size_t pos_ = 0;
  int nesting_ = 0;
  int depth_ = 0;  // of the evaluation stack
};

}  // namespace

std::span<const ExpressionFunction> expression_functions() { return kFunctions; }

Expression Expression::parse(std::string_view text, std::span<const std::string> variables) {
  Parser parser(text, variables);
  parser.run();
  Expression result;
  result.text_ = text;
  result.program_ = std::move(parser.program);
  result.slots_needed_ = parser.slots_needed;
  return result;
}

double Expression::evaluate(std::span<const double> values) const {
  if (values.size() < slots_needed_) {
    throw Error("formula \"{}\": {} values given; its variables need {}", text_, values.size(), slots_needed_);
  }
  std::array<double, kMaxStack> stack;
  double* top = stack.data();  // one past the last value; the parser has checked that it stays inside
  for (const Instruction& i : program_) {
    if (i.op == kConstant) {
      *top++ = i.value;
    } else if (i.op == kVariable) {
      *top++ = values[i.slot];
    } else {
      top -= operands(i.op);
      *top = apply(i.op, top);
      ++top;
    }
  }
  return stack[0];
}

}  // namespace cairn
