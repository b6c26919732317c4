// SPDX-License-Identifier: Apache-2.0
// Results as text, JSON and Markdown.
#include "report.h"

#include <algorithm>
#include <cmath>

namespace cairn::validation {

std::string format_number(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e6) return fmt::format("{:.0f}", x);
  const double size = std::abs(x);
  if (size < 1e-4) return fmt::format("{:.5g}", x);
  return fmt::format("{:.10g}", x);
}

std::string to_text(const Entry& entry) {
  const CaseResult& result = entry.result;
  std::string text = fmt::format("{} {}  {} [{}]  ({:.2f} s)\n", result.pass() ? "pass" : "FAIL", entry.problem->name,
                                 entry.problem->title, entry.problem->source, result.seconds);
  std::size_t width = 0;
  for (const Quantity& q : result.quantities) width = std::max(width, q.name.size());
  for (const Quantity& q : result.quantities) {
    text += fmt::format("  {} {:<{}}  expected {:<14} got {:<14} {} {:<9.3g} (tolerance {:.3g})",
                        q.pass ? "ok  " : "FAIL", q.name, width, format_number(q.expected), format_number(q.got),
                        q.relative ? "relative error" : "error", q.error, q.tolerance);
    if (q.order) text += fmt::format("  order {:.2f}", *q.order);
    if (q.expected_order) text += fmt::format(" (expected {})", *q.expected_order);
    if (!q.note.empty()) text += "  " + q.note;
    text += '\n';
  }
  return text;
}

Json to_json(const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    for (const Quantity& q : entry.result.quantities) {
      Json row{{"name", entry.problem->name},
               {"title", entry.problem->title},
               {"source", entry.problem->source},
               {"quantity", q.name},
               {"unit", q.unit},
               {"expected", q.expected},
               {"got", q.got},
               {"tolerance", q.tolerance},
               {"relative", q.relative},
               {"error", q.error},
               {"pass", q.pass},
               {"seconds", entry.result.seconds},
               {"steps", q.steps},
               {"values", q.values}};
      if (q.order) row["order"] = *q.order;
      if (q.expected_order) row["expected_order"] = *q.expected_order;
      if (!q.note.empty()) row["note"] = q.note;
      list.push_back(std::move(row));
    }
  }
  return list;
}

std::string to_markdown(const std::vector<Entry>& entries) {
  std::string text =
      "| case | quantity | expected | got | error | tolerance | order | |\n|---|---|---|---|---|---|---|---|\n";
  for (const Entry& entry : entries) {
    for (const Quantity& q : entry.result.quantities) {
      text += fmt::format("| {} | {}{} | {} | {} | {:.2g}{} | {:.2g} | {} | {} |\n", entry.problem->name, q.name,
                          q.unit.empty() ? "" : " [" + q.unit + "]", format_number(q.expected), format_number(q.got),
                          q.error, q.relative ? " rel." : "", q.tolerance,
                          q.order ? fmt::format("{:.2f}", *q.order) : "", q.pass ? "pass" : "FAIL");
    }
  }
  return text;
}

}  // namespace cairn::validation
