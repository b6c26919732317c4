// SPDX-License-Identifier: Apache-2.0
// Words for messages: lists, and the name a person probably meant.
#include "cairn/base/text.h"

#include <algorithm>

namespace cairn {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 64) return {};
  std::size_t best = std::min(word.size(), std::max<std::size_t>(1, word.size() / 3) + 1);
  const std::string* nearest = nullptr;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? " (did you mean '" + *nearest + "'?)" : std::string{};
}

}  // namespace cairn
