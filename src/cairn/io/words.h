// SPDX-License-Identifier: Apache-2.0
// Words of text files: what separates them, how they are shown in messages, and the numbers they spell.
#pragma once
#include <string>
#include <string_view>

namespace cairn {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A word as it can be shown: short, and of characters that can be printed.
std::string shown_word(std::string_view word);

/// A number written as text, all of it; false when it is none.
bool parse_number(std::string_view word, double& value);

/// A field of a table as RFC 4180 wants it: in quotes where it has a comma, a quote or a new line.
std::string csv_field(const std::string& text);

/// Three digits with a prefix: "12.3 kN", "0 m", "450 um/s". Outside femto to exa as a power of ten.
std::string with_prefix(double value, std::string_view unit);

/// Bytes as text (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace cairn
