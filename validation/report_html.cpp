// SPDX-License-Identifier: Apache-2.0
// The book as one HTML page: a table of all quantities, then a section per case with its numbers, certificates and
// plots inside.
#include "report.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <fstream>

namespace cairn::validation {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #1d2127; --soft: #5b6470; --page: #fbfaf8; --card: #fff; --line: #dfdcd6;
  --good: #1a7f45; --bad: #b3261e; --link: #22577a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --soft: #9aa3af; --page: #15171a; --card: #1d2024; --line: #343940;
  --good: #5fcf8f; --bad: #ff8a80; --link: #8cc4ea; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 74rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 2rem; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; margin: 0 0 .3rem; }
h2 a { color: inherit; text-decoration: none; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
.lead { font-size: 1.05rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.3rem 1.5rem; margin: 1.4rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line); }
th, td { padding: .32rem .7rem .32rem 0; vertical-align: top; }
td { border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 1rem; }
.plots svg { flex: 1 1 26rem; max-width: 40rem; width: 100%; height: auto; }
details { margin-top: 1.1rem; }
summary { cursor: pointer; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .6rem 0; max-width: 60rem; }
dt { color: var(--soft); } dd { margin: 0; }
)";

std::string number_cell(const std::string& text) { return "<td class=\"n\">" + text + "</td>"; }

std::string verdict(bool pass) { return pass ? "<td class=\"good\">pass</td>" : "<td class=\"bad\">fail</td>"; }

std::string quantity_name(const Quantity& q) {
  return escape_xml(q.name) + (q.unit.empty() ? "" : " <span class=\"soft\">[" + escape_xml(q.unit) + "]</span>");
}

std::string order_text(const Quantity& q) {
  std::string text = q.order ? fmt::format("{:.2f}", *q.order) : "";
  if (q.expected_order) text += fmt::format(" <span class=\"soft\">({:g})</span>", *q.expected_order);
  return text;
}

std::string error_text(const Quantity& q) {
  return fmt::format("{:.2g}", q.error) + (q.relative ? " <span class=\"soft\">rel.</span>" : "");
}

/// All quantities of all cases; the first row of a case carries its name.
std::string overview(const std::vector<Entry>& entries) {
  std::string html =
      "<section><h2>All quantities</h2><div class=\"wide\"><table><thead><tr><th>case</th><th>quantity</th><th "
      "class=\"n\">reference"
      "</th><th class=\"n\">ours</th><th class=\"n\">error</th><th class=\"n\">tolerance</th><th "
      "class=\"n\">order</th><th></th>"
      "</tr></thead><tbody>\n";
  for (const Entry& entry : entries) {
    bool first = true;
    for (const Quantity& q : entry.result.quantities) {
      html += "<tr><td>";
      if (first) html += fmt::format("<a href=\"#{0}\">{0}</a>", entry.problem->name);
      html += "</td><td>" + quantity_name(q) + "</td>" + number_cell(format_number(q.expected)) +
              number_cell(format_number(q.got)) + number_cell(error_text(q)) +
              number_cell(fmt::format("{:.2g}", q.tolerance)) + number_cell(order_text(q)) + verdict(q.pass) +
              "</tr>\n";
      first = false;
    }
  }
  return html + "</tbody></table></div></section>\n";
}

/// Reference and our value at each step. Quantities without steps have their one value in the last column.
std::string quantity_table(const CaseResult& result) {
  std::size_t columns = 1;
  for (const Quantity& q : result.quantities) columns = std::max(columns, q.values.size());
  std::string html = "<div class=\"wide\"><table><thead><tr><th>quantity</th><th class=\"n\">reference</th>";
  for (std::size_t i = 0; i < columns; ++i) {
    html += fmt::format("<th class=\"n\">{}</th>", columns == 1 ? "ours"
                                                   : i == 0     ? "ours, h"
                                                                : fmt::format("h/{}", 1 << i));
  }
  html +=
      "<th class=\"n\">h [s]</th><th class=\"n\">error</th><th class=\"n\">tolerance</th><th "
      "class=\"n\">order</th><th></th></tr></thead><tbody>\n";
  for (const Quantity& q : result.quantities) {
    html += "<tr><td>" + quantity_name(q);
    if (!q.note.empty()) html += "<br><span class=\"soft\">" + escape_xml(q.note) + "</span>";
    html += "</td>" + number_cell(format_number(q.expected));
    for (std::size_t i = 0; i < columns; ++i) {
      const bool only = q.values.empty() && i + 1 == columns;
      html += number_cell(i < q.values.size() ? format_number(q.values[i]) : only ? format_number(q.got) : "");
    }
    html += number_cell(q.steps.empty() ? "" : fmt::format("{:g}", q.steps.front())) + number_cell(error_text(q)) +
            number_cell(fmt::format("{:.2g}", q.tolerance)) + number_cell(order_text(q)) + verdict(q.pass) + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Worst values of the certificates over all runs, then each run in a table that opens.
std::string certificates(const CaseResult& result) {
  if (result.runs.empty()) return {};
  double residual = 0, penetration = 0, drift = 0, cone = 0, seconds = 0;
  std::int64_t missed = 0, steps = 0;
  for (const RunRecord& run : result.runs) {
    residual = std::max(residual, run.summary.residual);
    penetration = std::max(penetration, run.summary.penetration);
    drift = std::max(drift, run.summary.joint_drift);
    cone = std::max(cone, run.summary.cone);
    missed += run.summary.not_converged;
    steps += run.summary.steps;
    seconds += run.summary.seconds;
  }
  std::string html = fmt::format(
      "<details><summary>Certificates of {} runs, {} steps, {:.2f} s: worst residual {:.2g}, cone violation {:.2g}, "
      "penetration "
      "{:.2g} m, joint drift {:.2g} m, {} unconverged steps</summary>\n<div "
      "class=\"wide\"><table><thead><tr><th>run</th><th>scheme"
      "</th><th>solver</th><th class=\"n\">h [s]</th><th class=\"n\">steps</th><th class=\"n\">contacts</th><th "
      "class=\"n\">residual</th>"
      "<th class=\"n\">penetration</th><th class=\"n\">drift</th><th class=\"n\">energy change [J]</th><th "
      "class=\"n\">work [J]</th>"
      "<th class=\"n\">numerical [J]</th><th class=\"n\">iterations, most</th><th class=\"n\">time "
      "[s]</th></tr></thead><tbody>\n",
      result.runs.size(), steps, seconds, residual, cone, penetration, drift, missed);
  for (const RunRecord& run : result.runs) {
    const RunSummary& s = run.summary;
    html += "<tr><td>" + escape_xml(run.label) + "</td><td>" + escape_xml(run.stepper) + "</td><td>" +
            escape_xml(run.solver) + "</td>" + number_cell(fmt::format("{:g}", run.step)) +
            number_cell(fmt::format("{}", s.steps)) + number_cell(fmt::format("{}", s.contacts_max)) +
            number_cell(fmt::format("{:.1e}", s.residual)) + number_cell(fmt::format("{:.1e}", s.penetration)) +
            number_cell(fmt::format("{:.1e}", s.joint_drift)) +
            number_cell(fmt::format("{:.6g}", s.energy_end - s.energy_begin)) +
            number_cell(fmt::format("{:.6g}", s.work.total())) + number_cell(fmt::format("{:.2g}", s.numerical)) +
            number_cell(fmt::format("{}, {}", s.iterations, s.iterations_max)) +
            number_cell(fmt::format("{:.3f}", s.seconds)) + "</tr>\n";
  }
  return html + "</tbody></table></div></details>\n";
}

std::string paragraphs(const std::string& text) {
  std::string html;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    html += "<p>" + escape_xml(text.substr(begin, end - begin)) + "</p>\n";
    begin = end + 2;
  }
  return html;
}

std::string section(const Entry& entry) {
  const Case& c = *entry.problem;
  const CaseResult& result = entry.result;
  std::string html =
      fmt::format("<section id=\"{0}\"><h2><a href=\"#{0}\">{0}</a> {1} <span class=\"{2}\">{3}</span></h2>\n", c.name,
                  escape_xml(c.title), result.pass() ? "good" : "bad", result.pass() ? "pass" : "fail");
  html += "<p>" + escape_xml(c.problem) + "</p>\n<dl><dt>reference</dt><dd>" + escape_xml(c.reference) +
          "</dd><dt>source</dt><dd>" + escape_xml(c.source) +
          fmt::format("</dd><dt>time</dt><dd>{:.2f} s</dd></dl>\n", result.seconds);
  html += quantity_table(result) + paragraphs(result.notes);
  if (!result.plots.empty()) {
    html += "<div class=\"plots\">";
    for (const Plot& plot : result.plots) html += to_svg(plot);
    html += "</div>\n";
  }
  return html + certificates(result) + "</section>\n";
}

}  // namespace

void write_report(const std::filesystem::path& dir, const std::vector<Entry>& entries, const std::string& setting) {
  std::size_t quantities = 0, failed = 0, cases_failed = 0;
  double seconds = 0;
  for (const Entry& entry : entries) {
    quantities += entry.result.quantities.size();
    for (const Quantity& q : entry.result.quantities) failed += q.pass ? 0 : 1;
    cases_failed += entry.result.pass() ? 0 : 1;
    seconds += entry.result.seconds;
  }
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><title>Cairn: the validation book</title>\n<style>" +
      std::string(style) + "</style></head><body>\n<h1>Cairn: the validation book</h1>\n";
  html += fmt::format(
      "<p class=\"lead\">{} of {} cases and {} of {} quantities pass, in {:.1f} s. <span class=\"soft\">{}</span></p>\n"
      "<p class=\"soft\">Each case compares Cairn with a number that comes from a formula, a published benchmark or a "
      "law of mechanics. "
      "Where an order makes sense it runs at h, h/2 and h/4; the order shown is from the last two, the expected one in "
      "brackets. Certificates say how well every step of every run met the laws.</p>\n",
      entries.size() - cases_failed, entries.size(), quantities - failed, quantities, seconds, escape_xml(setting));
  html += overview(entries);
  for (const Entry& entry : entries) html += section(entry);
  html += "</body></html>\n";

  std::error_code code;
  std::filesystem::create_directories(dir, code);
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream file(dir / name, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw Error("report: cannot write '{}'", (dir / name).string());
  };
  write("index.html", html);
  write("table.md", to_markdown(entries));
}

}  // namespace cairn::validation
