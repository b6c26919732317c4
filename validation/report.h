// SPDX-License-Identifier: Apache-2.0
// Results of the book for people and programs: lines of text, JSON, Markdown, one HTML page with plots.
#pragma once
#include "book.h"
#include "cairn/io/report_json.h"

#include <filesystem>

namespace cairn::validation {

/// A case that was run.
struct Entry {
  const Case* problem = nullptr;
  CaseResult result;
};

/// 2.36784194758, 3.1e-12, 0: as many digits as the comparison needs.
std::string format_number(double x);

/// A heading and one line per quantity.
std::string to_text(const Entry& entry);
/// One object per quantity: name, source, quantity, expected, got, tolerance, pass, seconds, and relative, unit, error,
/// steps, values, order, expected_order. Numbers that are not finite are null.
Json to_json(const std::vector<Entry>& entries);
/// The table of all quantities, as docs/validation.md has it.
std::string to_markdown(const std::vector<Entry>& entries);
/// Writes DIR/index.html, one page with everything in it, and DIR/table.md; creates DIR. `setting` is one line on how
/// the cases were run.
void write_report(const std::filesystem::path& dir, const std::vector<Entry>& entries, const std::string& setting);

}  // namespace cairn::validation
