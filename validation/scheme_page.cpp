// SPDX-License-Identifier: Apache-2.0
// Rankings, tables and plots of the comparison of steppers.
#include "scheme_page.h"

#include "cairn/base/error.h"
#include "cairn/steppers/stepper.h"
#include "scheme_motions.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

namespace cairn::validation {
namespace {

constexpr std::array<double, 4> accuracies{1e-2, 1e-4, 1e-6, 1e-8};  // [m]; ways are about 1 m
constexpr const char* heading = "scene,stepper,step [s],error [m],processor seconds per second";

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return ms < 10 ? fmt::format("{:.2f}", ms) : fmt::format("{:.0f}", ms);
}

/// Steppers of a scene in the order of the registry.
std::vector<std::string> steppers_of(const std::vector<SchemeCost>& rows, const std::string& scene) {
  std::vector<std::string> names;
  for (const auto& entry : steppers().entries())
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const SchemeCost& row) { return row.scene == scene && row.stepper == entry.name; }))
      names.push_back(entry.name);
  return names;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

std::string winners_table(const std::vector<SchemeCost>& rows) {
  std::string text = "| scene |";
  for (const double error : accuracies) text += fmt::format(" {:g} m |", error);
  text += "\n|---|---|---|---|---|\n";
  for (const SchemeMotion& motion : scheme_motions()) {
    text += fmt::format("| {}: {} |", motion.name, motion.what);
    for (const double error : accuracies) {
      const std::vector<Ranked> ranked = ranking(rows, motion.name, error);
      if (ranked.empty()) {
        text += " - |";
        continue;
      }
      text += fmt::format(" **`{}`** {}", ranked[0].stepper, milliseconds(ranked[0].seconds));
      for (std::size_t i = 1; i < std::min<std::size_t>(3, ranked.size()); ++i)
        text += fmt::format(", `{}` {}", ranked[i].stepper, milliseconds(ranked[i].seconds));
      text += " |";
    }
    text += "\n";
  }
  return text;
}

std::string ratio_table(const std::vector<SchemeCost>& rows, double error) {
  std::string text = "| stepper |", rule = "|---|";
  for (const SchemeMotion& motion : scheme_motions()) text += fmt::format(" {} |", motion.name), rule += "---|";
  text += " median |\n" + rule + "---|\n";
  for (const auto& entry : steppers().entries()) {
    std::vector<double> ratios;
    std::string line;
    bool served = false;
    for (const SchemeMotion& motion : scheme_motions()) {
      const std::vector<Ranked> ranked = ranking(rows, motion.name, error);
      const std::optional<double> cost = cost_of(rows, motion.name, entry.name, error);
      const std::vector<std::string> names = steppers_of(rows, motion.name);
      const bool here =
          competes(motion.name, entry.name) && std::find(names.begin(), names.end(), entry.name) != names.end();
      served = served || here;
      if (here && cost) ratios.push_back(*cost / ranked[0].seconds);
      line += here && cost ? fmt::format(" {:.{}f} |", ratios.back(), ratios.back() < 9.95 ? 1 : 0)
              : here       ? " - |"
                           : "  |";
    }
    if (!served) continue;
    text += fmt::format("| `{}` |{} {} |\n", entry.name, line,
                        ratios.empty() ? "" : fmt::format("{:.1f} in {}", median(ratios), ratios.size()));
  }
  return text;
}

const std::string begin_line = "<!-- comparison: begin -->\n", end_line = "<!-- comparison: end -->";

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw Error("{}: cannot be read", file.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw Error("{}: cannot be written", file.string());
}

/// Cheapest first.
std::string wall_table(const std::vector<SchemeCost>& rows) {
  std::vector<SchemeCost> wall;
  for (const SchemeCost& row : rows)
    if (row.scene == wall_scene) wall.push_back(row);
  std::stable_sort(wall.begin(), wall.end(),
                   [](const SchemeCost& x, const SchemeCost& y) { return x.seconds < y.seconds; });
  std::string text = "| stepper | ms per step | largest way of a brick [m] |\n|---|---|---|\n";
  for (const SchemeCost& row : wall)
    text += fmt::format("| `{}` | {} | {:.1e} |\n", row.stepper, milliseconds(row.seconds * row.step), row.error);
  return text;
}

}  // namespace

std::optional<double> cost_of(const std::vector<SchemeCost>& rows, const std::string& scene, const std::string& stepper,
                              double error) {
  std::vector<const SchemeCost*> own;
  for (const SchemeCost& row : rows)
    if (row.scene == scene && row.stepper == stepper) own.push_back(&row);
  std::sort(own.begin(), own.end(), [](const SchemeCost* x, const SchemeCost* y) { return x->step < y->step; });
  std::optional<double> least;
  for (const SchemeCost* row : own) {
    if (!(row->error <= error)) break;
    least = least ? std::min(*least, row->seconds) : row->seconds;
  }
  return least;
}

bool competes(const std::string& scene, const std::string& stepper) {
  const auto motions = scheme_motions();
  const auto at = std::find_if(motions.begin(), motions.end(), [&](const SchemeMotion& m) { return scene == m.name; });
  return at == motions.end() || !at->bounces || steppers().make(stepper)->traits().restitution;
}

std::vector<Ranked> ranking(const std::vector<SchemeCost>& rows, const std::string& scene, double error) {
  std::vector<Ranked> list;
  for (const std::string& stepper : steppers_of(rows, scene))
    if (const std::optional<double> cost = cost_of(rows, scene, stepper, error); cost && competes(scene, stepper))
      list.push_back({stepper, *cost});
  std::stable_sort(list.begin(), list.end(), [](const Ranked& x, const Ranked& y) { return x.seconds < y.seconds; });
  return list;
}

std::string to_csv(const std::vector<SchemeCost>& rows) {
  std::string text = std::string(heading) + "\n";
  for (const SchemeCost& row : rows)
    text += fmt::format("{},{},{:g},{:.4e},{:.4e}\n", row.scene, row.stepper, row.step, row.error, row.seconds);
  return text;
}

std::vector<SchemeCost> read_csv(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != heading)
    throw Error("{}:1: expected the heading '{}', found '{}'", file.string(), heading, line);
  std::vector<SchemeCost> rows;
  for (int number = 2; std::getline(in, line); ++number) {
    std::istringstream fields(line);
    SchemeCost row;
    char comma = 0, other = 0;
    std::getline(fields, row.scene, ',');
    std::getline(fields, row.stepper, ',');
    fields >> row.step >> comma >> row.error >> other >> row.seconds;
    if (!fields || comma != ',' || other != ',')
      throw Error("{}:{}: expected scene,stepper and three numbers, found '{}'", file.string(), number, line);
    rows.push_back(row);
  }
  return rows;
}

std::string comparison_tables(const std::vector<SchemeCost>& rows) {
  std::string plots = "\nError against cost, scene by scene:\n\n";
  for (const SchemeMotion& motion : scheme_motions())
    plots += fmt::format("![{0}](images/steppers_{0}.svg)\n", motion.name);
  return "Milliseconds of the processor per simulated second for an error of at most so much; the winner and the next "
         "two.\n\n" +
         winners_table(rows) +
         "\nCost for an error of 1e-4 m over that of the winner. A dash: not met at any step tried. Empty: refused, or "
         "contacts that yield where there are blows, or no restitution where blows bounce. The median is over the "
         "scenes where it is met.\n\n" +
         ratio_table(rows, 1e-4) +
         "\nMany contacts: a wall of 60 bricks that should stand, 0.2 s at 2 ms (or 5 s of the processor).\n\n" +
         wall_table(rows) + plots;
}

Plot comparison_plot(const std::vector<SchemeCost>& rows, const std::string& scene) {
  Plot plot{.title = "Error against cost: " + scene,
            .x_label = "processor seconds per simulated second",
            .y_label = "error [m]",
            .log_x = true,
            .log_y = true,
            .series = {},
            .height = 440};
  std::vector<std::string> shown{"moreau"};
  for (const double error : accuracies) {
    const std::vector<Ranked> ranked = ranking(rows, scene, error);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, ranked.size()); ++i)
      if (shown.size() < 6 && std::find(shown.begin(), shown.end(), ranked[i].stepper) == shown.end())
        shown.push_back(ranked[i].stepper);
  }
  Series others{.label = "the others", .markers = true, .line = false};
  for (const std::string& name : shown) plot.series.push_back({.label = name, .markers = true});
  for (const SchemeCost& row : rows) {
    if (row.scene != scene || !competes(scene, row.stepper)) continue;
    const auto at = std::find(shown.begin(), shown.end(), row.stepper);
    Series& series = at == shown.end() ? others : plot.series[static_cast<std::size_t>(at - shown.begin())];
    series.x.push_back(row.seconds);
    series.y.push_back(std::max(row.error, 1e-14));
  }
  plot.series.push_back(std::move(others));
  return plot;
}

void check_page(const std::filesystem::path& docs) {
  const std::filesystem::path page = docs / "stepper-comparison.md";
  if (!std::filesystem::is_regular_file(page))
    throw Error("{}: expected the folder of the documentation, with a stepper-comparison.md", docs.string());
  const std::string text = read_text(page);
  const std::size_t from = text.find(begin_line), to = text.find(end_line);
  if (from == std::string::npos || to == std::string::npos || to < from)
    throw Error("{}: no lines '{}' and '{}' to write between", page.string(),
                begin_line.substr(0, begin_line.size() - 1), end_line);
}

void write_page(const std::filesystem::path& docs, const std::vector<SchemeCost>& rows) {
  check_page(docs);
  const std::filesystem::path page = docs / "stepper-comparison.md";
  std::string text = read_text(page);
  const std::size_t from = text.find(begin_line) + begin_line.size();
  text.replace(from, text.find(end_line) - from, comparison_tables(rows));
  std::filesystem::create_directories(docs / "images");
  for (const SchemeMotion& motion : scheme_motions())
    write_text(docs / "images" / fmt::format("steppers_{}.svg", motion.name),
               to_svg(comparison_plot(rows, motion.name)));
  write_text(docs / "stepper-comparison.csv", to_csv(rows));
  write_text(page, text);
}

}  // namespace cairn::validation
