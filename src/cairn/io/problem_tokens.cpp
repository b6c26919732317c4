// SPDX-License-Identifier: Apache-2.0
// Words, numbers and matrices of text files. Sizes are compared with the words that are left before memory is taken.
#include "cairn/io/problem_tokens.h"

#include "cairn/io/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cairn {
namespace {}  // namespace

TextTokens::TextTokens(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  const char* p = text_.data();
  const char* const end = p + text_.size();
  while (p != end) {
    while (p != end && is_space(*p)) ++p;
    const char* const begin = p;
    while (p != end && !is_space(*p)) ++p;
    if (p != begin) words_.emplace_back(begin, static_cast<std::size_t>(p - begin));
  }
}

void TextTokens::fail(const std::string& message, bool ahead) const {
  const std::size_t index = ahead || next_ == 0 ? next_ : next_ - 1;
  const char* const stop = index < words_.size() ? words_[index].data() : text_.data() + text_.size();
  // The end of the file is the line of its last word.
  const char* const last = words_.empty() ? text_.data() : words_.back().data();
  const auto line = 1 + std::count(static_cast<const char*>(text_.data()), std::min(stop, last), '\n');
  throw Error("{}:{}: {}", name_, line, message);
}

std::string_view TextTokens::next(std::string_view what) {
  if (next_ == words_.size()) fail(fmt::format("the file ends here; expected {}", what), true);
  return words_[next_++];
}

void TextTokens::reject(const std::string& message) {
  --next_;
  fail(message, true);
}

int TextTokens::integer(std::string_view what, int low, int high) {
  const std::string_view word = next(what);
  long long value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (result.ptr != word.data() + word.size() || result.ec == std::errc::invalid_argument) {
    reject(fmt::format("expected {}, a whole number; found '{}'", what, shown_word(word)));
  }
  if (result.ec != std::errc() || value < low || value > high) {
    reject(fmt::format("{} is {}; must be in [{}, {}]", what, shown_word(word), low, high));
  }
  return static_cast<int>(value);
}

int TextTokens::count(std::string_view what) {
  const int value = integer(what, 0, 2147483647);
  if (static_cast<std::size_t>(value) > size()) {
    reject(fmt::format("{} is {}, but the whole file has only {} words", what, value, size()));
  }
  return value;
}

double TextTokens::real(std::string_view what, bool infinite) {
  const std::string_view word = next(what);
  double value = 0;
  if (!parse_number(word, value)) reject(fmt::format("expected {}, a number; found '{}'", what, shown_word(word)));
  if (!std::isfinite(value) && !(infinite && std::isinf(value))) {
    reject(fmt::format("{} is {}; must be finite", what, shown_word(word)));
  }
  return value;
}

void TextTokens::word(std::string_view expected) {
  const std::string_view found = next(fmt::format("'{}'", expected));
  if (found != expected) reject(fmt::format("expected '{}'; found '{}'", expected, shown_word(found)));
}

std::string_view TextTokens::line(std::string_view what) {
  const char* const begin = next(what).data();
  const char* const end = std::find(begin, static_cast<const char*>(text_.data() + text_.size()), '\n');
  while (next_ < words_.size() && words_[next_].data() < end) ++next_;
  return {begin, static_cast<std::size_t>(end - begin)};
}

void TextTokens::need(std::size_t count, std::string_view what) {
  if (count > remaining()) {
    fail(fmt::format("{} needs {} numbers, but only {} words follow", what, count, remaining()), true);
  }
}

std::size_t TextTokens::trailing_numbers() const {
  std::size_t end = next_;
  double value = 0;
  while (end < words_.size() && parse_number(words_[end], value)) ++end;
  return end - next_;
}

std::string_view TextTokens::rest() const {
  if (next_ == words_.size()) return {};
  const char* const begin = words_[next_].data();
  return {begin, static_cast<std::size_t>(words_.back().data() + words_.back().size() - begin)};
}

namespace {

void read_dense(TextTokens& tokens, std::string_view name, TextMatrix& A) {
  const int rows = tokens.integer(fmt::format("rows of {}", name), 0, 2147483647);
  const int cols = tokens.integer(fmt::format("columns of {}", name), 0, 2147483647);
  if (rows != A.rows || cols != A.cols) {
    tokens.fail(fmt::format("{} is {} x {} here and {} x {} before", name, rows, cols, A.rows, A.cols));
  }
  tokens.need(static_cast<std::size_t>(A.rows) * static_cast<std::size_t>(A.cols), name);
  for (int j = 0; j < A.cols; ++j)
    for (int i = 0; i < A.rows; ++i)
      if (const double x = tokens.real(name); x != 0) A.entries.emplace_back(i, j, x);
}

std::vector<int> read_ends(TextTokens& tokens, int blocks, int size, const std::string& what) {
  tokens.need(static_cast<std::size_t>(blocks), what);
  std::vector<int> ends;
  int last = 0;
  for (int k = 0; k < blocks; ++k) ends.push_back(last = tokens.integer(what, last + 1, size));
  if (last != size) tokens.fail(fmt::format("{} end with {}; expected {}", what, last, size));
  return ends;
}

void read_blocks(TextTokens& tokens, std::string_view name, TextMatrix& A) {
  const int blocks = tokens.count(fmt::format("number of blocks of {}", name));
  const int block_rows = tokens.count(fmt::format("number of block rows of {}", name));
  const int block_cols = tokens.count(fmt::format("number of block columns of {}", name));
  A.row_ends = read_ends(tokens, block_rows, A.rows, fmt::format("ends of block rows of {}", name));
  const std::vector<int> col_ends =
      read_ends(tokens, block_cols, A.cols, fmt::format("ends of block columns of {}", name));
  const int pointers = tokens.integer(fmt::format("number of row pointers of {}", name), 0, block_rows + 1);
  const int indices = tokens.integer(fmt::format("number of block indices of {}", name), blocks, blocks);
  tokens.need(static_cast<std::size_t>(pointers) + static_cast<std::size_t>(indices), name);
  std::vector<int> start, column;
  for (int k = 0; k < pointers; ++k) {
    start.push_back(
        tokens.integer(fmt::format("row pointer of {}", name), k == 0 ? 0 : start.back(), k == 0 ? 0 : blocks));
  }
  if (start.empty() ? blocks > 0 : start.back() != blocks) {
    tokens.fail(
        fmt::format("row pointers of {} end with {}; expected {}", name, start.empty() ? 0 : start.back(), blocks));
  }
  for (int k = 0; k < indices; ++k)
    column.push_back(tokens.integer(fmt::format("block column of {}", name), 0, block_cols - 1));
  for (int i = 0; i + 1 < pointers; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    const int first_row = i == 0 ? 0 : A.row_ends[row - 1];
    for (int k = start[row]; k < start[row + 1]; ++k) {
      tokens.integer(fmt::format("number of a block of {}", name), k, k);
      const std::size_t c = static_cast<std::size_t>(column[static_cast<std::size_t>(k)]);
      const int first_col = c == 0 ? 0 : col_ends[c - 1];
      for (int j = first_col; j < col_ends[c]; ++j)
        for (int l = first_row; l < A.row_ends[row]; ++l)
          if (const double x = tokens.real(name); x != 0) A.entries.emplace_back(l, j, x);
    }
  }
}

/// The whole number after `key` in a line; -1 when there is none.
int number_after(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return -1;
  line.remove_prefix(at + key.size());
  while (line.starts_with(' ')) line.remove_prefix(1);
  int value = -1;
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

void read_sparse(TextTokens& tokens, std::string_view name, TextMatrix& A) {
  const int origin = tokens.integer(fmt::format("storage of {} (1 triplets, 2 columns, 3 rows)", name), 1, 3);
  A.storage = origin == 1 ? "triplets" : origin == 2 ? "columns" : "rows";
  tokens.line("a line of text about CSparse");
  // "triplet: R-by-C, nzmax: a nnz: b", or "R-by-C, nzmax: a nnz: b, 1-norm: x"; rows are columns of the transpose.
  std::string_view head = tokens.line("the sizes of a sparse matrix");
  const bool triplets = head.starts_with("triplet:");
  const int entries = number_after(head, "nnz:");
  if (triplets) head.remove_prefix(8);
  const int rows = number_after(head, ""), cols = number_after(head, "-by-");
  const bool turned = origin == 3 && rows == A.cols && cols == A.rows;
  if (entries < 0 || rows < 0 || cols < 0 || triplets != (origin == 1)) {
    tokens.fail(fmt::format("expected '{}R-by-C, nzmax: A nnz: B' for {}", origin == 1 ? "triplet: " : "", name));
  }
  if (!turned && (rows != A.rows || cols != A.cols)) {
    tokens.fail(fmt::format("{} is {} x {} here and {} x {} before", name, rows, cols, A.rows, A.cols));
  }
  tokens.need(2 * static_cast<std::size_t>(entries), name);
  if (triplets) {
    for (int k = 0; k < entries; ++k) {
      const int i = tokens.integer(fmt::format("row of an entry of {}", name), 0, A.rows - 1);
      const int j = tokens.integer(fmt::format("column of an entry of {}", name), 0, A.cols - 1);
      tokens.word(":");
      A.entries.emplace_back(i, j, tokens.real(name));
    }
    return;
  }
  const int outer = origin == 2 ? A.cols : A.rows, inner = origin == 2 ? A.rows : A.cols;
  for (int o = 0, done = 0; o < outer; ++o) {
    tokens.word("col");
    tokens.integer(fmt::format("number of a column of {}", name), o, o);
    tokens.word(":");
    tokens.word("locations");
    tokens.integer(fmt::format("first place of column {} of {}", o, name), done, done);
    tokens.word("to");
    const int end = tokens.integer(fmt::format("last place of column {} of {}", o, name), done - 1, entries - 1) + 1;
    for (; done < end; ++done) {
      const int i = tokens.integer(fmt::format("place of an entry of {}", name), 0, inner - 1);
      tokens.word(":");
      const double x = tokens.real(name);
      A.entries.emplace_back(origin == 2 ? i : o, origin == 2 ? o : i, x);
    }
    if (o + 1 == outer && done != entries) {
      tokens.fail(fmt::format("{} has {} entries; its head says {}", name, done, entries));
    }
  }
}

}  // namespace

TextMatrix read_text_matrix(TextTokens& tokens, std::string_view name) {
  TextMatrix A;
  const int type = tokens.integer(fmt::format("type of {} (0 dense, 1 blocks, 2 sparse)", name), 0, 2);
  A.rows = tokens.count(fmt::format("rows of {}", name));
  A.cols = tokens.count(fmt::format("columns of {}", name));
  if (type == 0) {
    A.storage = "dense";
    read_dense(tokens, name, A);
  } else if (type == 1) {
    A.storage = "blocks";
    read_blocks(tokens, name, A);
  } else {
    read_sparse(tokens, name, A);
  }
  return A;
}

}  // namespace cairn
