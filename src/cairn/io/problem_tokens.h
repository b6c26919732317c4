// SPDX-License-Identifier: Apache-2.0
// A text as words with their lines, and the matrices of Siconos' text files: dense, block-sparse, triplet, compressed.
#pragma once
#include "cairn/base/error.h"

#include <Eigen/SparseCore>

#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Words of a file, read in order; every failure is an Error "FILE:LINE: ...".
class TextTokens {
 public:
  TextTokens(std::string name, std::string text);

  std::size_t size() const { return words_.size(); }
  std::size_t place() const { return next_; }
  std::size_t remaining() const { return words_.size() - next_; }
  void go_to(std::size_t place) { next_ = place; }

  /// A whole number in [low, high].
  int integer(std::string_view what, int low, int high);
  /// A size: not negative, and no larger than the file could hold.
  int count(std::string_view what);
  /// A finite number; with `infinite` also an infinite one.
  double real(std::string_view what, bool infinite = false);
  /// The next word must be this one.
  void word(std::string_view expected);
  /// What is left of the line of the next word, which is skipped.
  std::string_view line(std::string_view what);
  /// Throws when fewer words are left than `count` numbers need.
  void need(std::size_t count, std::string_view what);
  /// Numbers between here and the next word that is none.
  std::size_t trailing_numbers() const;
  /// The text from the next word on.
  std::string_view rest() const;
  /// At the word last read, or (`ahead`) at the next one.
  [[noreturn]] void fail(const std::string& message, bool ahead = false) const;

 private:
  std::string_view next(std::string_view what);
  /// Fails at the word last read, which does not count as read: place() tells how far a layout fits.
  [[noreturn]] void reject(const std::string& message);
  std::string name_, text_;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
};

struct TextMatrix {
  int rows = 0, cols = 0;
  std::string storage;                          ///< dense, blocks, triplets, columns, rows
  std::vector<Eigen::Triplet<double>> entries;  ///< zeros left out where everything is written down
  std::vector<int> row_ends;                    ///< of blocks
};

/// MATRIX of the text formats.
TextMatrix read_text_matrix(TextTokens& tokens, std::string_view name);

}  // namespace cairn
