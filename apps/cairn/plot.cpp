// SPDX-License-Identifier: Apache-2.0
// `cairn plot`: curves of a recording over time, as a picture (SVG, PNG) or a table (CSV).
#include "command.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/output_file.h"
#include "cairn/io/png_plot.h"
#include "cairn/io/report_json.h"
#include "cairn/io/run_quantities.h"
#include "cairn/io/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace cairn {
namespace {

struct PlotOptions {
  std::string in, out, from, to, title, size;
  std::vector<std::string> quantities;
  bool list = false, log = false, json = false;
};

void print_list(const PlotOptions& options, const Recording& recording) {
  const std::vector<QuantityInfo> list = list_quantities(recording);
  if (options.json) {
    Json document = Json::array();
    for (const QuantityInfo& q : list) document.push_back({{"name", q.name}, {"unit", q.unit}, {"help", q.help}});
    return print(to_text(document));
  }
  std::size_t width = 0;
  for (const QuantityInfo& q : list) width = std::max(width, std::min<std::size_t>(q.name.size(), 44));
  std::string text;
  for (const QuantityInfo& q : list)
    text += fmt::format("{:<{}}  {:<8} {}\n", q.name, width, q.unit.empty() ? "-" : q.unit, q.help);
  print(text);
}

/// Only what lies between two times.
void cut(const PlotOptions& options, std::vector<Curve>& curves) {
  const double from = options.from.empty() ? -INFINITY : read_number("--from", options.from);
  const double to = options.to.empty() ? INFINITY : read_number("--to", options.to);
  if (!(from < to)) throw Error("--from: {} is not before --to {}", options.from, options.to);
  // Times are sums of steps, a little beside the numbers people write.
  const auto inside = [&](double t) {
    const double slack = 1e-9 * std::max(1.0, std::abs(t));
    return t >= from - slack && t <= to + slack;
  };
  std::size_t left = 0;
  for (Curve& curve : curves) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < curve.time.size(); ++i) {
      if (!inside(curve.time[i])) continue;
      curve.time[kept] = curve.time[i];
      curve.value[kept++] = curve.value[i];
    }
    curve.time.resize(kept);
    curve.value.resize(kept);
    left += kept;
  }
  if (left == 0) throw Error("{}: there is nothing between {} and {} s", options.in, from, to);
}

/// The size of the whole document; panels share its height.
std::pair<int, int> read_size(const PlotOptions& options, std::size_t panels) {
  if (options.size.empty()) return {820, static_cast<int>(120 + 240 * panels)};
  const std::size_t x = options.size.find('x');
  if (x == std::string::npos) throw Error("--size: '{}' is not a size; expected WIDTHxHEIGHT", options.size);
  const double width = read_number("--size", options.size.substr(0, x)),
               height = read_number("--size", options.size.substr(x + 1));
  const double least = 120.0 * static_cast<double>(panels);
  const double most = options.out.ends_with(".png") ? 8000 : 20000;
  if (!(width >= 160 && width <= most && height >= least && height <= most))
    throw Error("--size: '{}' is not a size for {} plot{}; expected 160x{:.0f} to {:.0f}x{:.0f}", options.size, panels,
                panels == 1 ? "" : "s", least, most, most);
  return {static_cast<int>(width), static_cast<int>(height)};
}

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// The parts of the energy on top of each other, under the line they must reach.
Plot stack(const std::vector<Curve>& curves) {
  Plot plot;
  plot.y_label = "energy [J]";
  std::vector<double> sum;
  for (const Curve& curve : curves) {
    if (!curve.stacked) continue;
    Series series{.label = words(curve.name), .x = curve.time};
    sum.resize(curve.value.size(), 0);
    series.base = sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += curve.value[i];
    series.y = sum;
    series.line = false;
    plot.series.push_back(std::move(series));
  }
  for (const Curve& curve : curves)
    if (curve.bound)
      plot.series.push_back({.label = words(curve.name), .x = curve.time, .y = curve.value, .dashed = true});
  return plot;
}

/// One panel per unit, in the order in which they come.
std::vector<Plot> make_panels(const PlotOptions& options, const std::vector<Curve>& curves, const std::string& title) {
  std::vector<Plot> panels;
  if (std::any_of(curves.begin(), curves.end(), [](const Curve& c) { return c.stacked || c.bound; }))
    panels.push_back(stack(curves));
  std::vector<std::string> units;
  const std::size_t first = panels.size();
  for (const Curve& curve : curves) {
    if (curve.stacked || curve.bound) continue;
    const auto found = std::find(units.begin(), units.end(), curve.unit);
    const std::size_t k = static_cast<std::size_t>(found - units.begin());
    if (found == units.end()) {
      units.push_back(curve.unit);
      panels.emplace_back();
      panels.back().log_y = options.log;
    }
    panels[first + k].series.push_back({.label = curve.name, .x = curve.time, .y = curve.value});
  }
  for (std::size_t k = 0; k < units.size(); ++k) {
    Plot& panel = panels[first + k];
    const bool alone = panel.series.size() == 1;
    panel.y_label =
        fmt::format("{}{}", alone ? panel.series[0].label : "", units[k].empty() ? "" : fmt::format(" [{}]", units[k]));
    if (alone) panel.series[0].label.clear();
  }
  const auto [width, height] = read_size(options, panels.size());
  for (Plot& panel : panels) {
    panel.width = width;
    panel.height = height / static_cast<int>(panels.size());
    panel.x_label = "time [s]";
  }
  panels.front().title = title;
  return panels;
}

void plot(const PlotOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(options.in, ignored)) throw Error("{}: there is no such file", options.in);
  if (std::filesystem::is_directory(options.in, ignored) || !looks_like_hdf5(options.in))
    throw Error("{}: is no recording", options.in);
  if (options.list) {
    if (!options.quantities.empty() || !options.out.empty()) throw Error("--list: goes with neither --quantity nor -o");
    return print_list(options, Recording(options.in));
  }
  if (options.json) throw Error("--json: only for --list");
  if (options.quantities.empty()) throw Error("plot: expected --quantity NAME[,NAME...]; --list says what there is");
  const bool svg = options.out.ends_with(".svg"), png = options.out.ends_with(".png"),
             csv = options.out.ends_with(".csv");
  if (!svg && !png && !csv)
    throw Error("{}: expected -o with a name that ends in .svg, .png or .csv",
                options.out.empty() ? "plot" : options.out);
  if (csv && (options.log || !options.title.empty() || !options.size.empty()))
    throw Error("--log, --title and --size: only for .svg and .png");
  check_can_write(options.out);
  if (std::filesystem::equivalent(options.in, options.out, ignored))
    throw Error("{}: is the recording itself", options.out);

  const Recording recording(options.in);
  std::vector<Curve> curves;
  try {
    curves = read_curves(recording, options.quantities);
  } catch (const Error& error) {
    const std::string text = error.what();
    if (text.starts_with(options.in)) throw;
    throw Error("{}: {}", options.in, text);
  }
  cut(options, curves);
  std::vector<Plot> panels;
  if (!csv) panels = make_panels(options, curves, options.title.empty() ? recording.info().title : options.title);
  if (png) {
    write_png(options.out, draw_plots(panels));
  } else {
    OutputFile file(options.out);
    file.write(csv ? to_csv(curves) : to_svg(panels));
    file.finish();
  }
  const std::size_t points = std::accumulate(curves.begin(), curves.end(), std::size_t{0},
                                             [](std::size_t n, const Curve& c) { return n + c.time.size(); });
  print_message(fmt::format("{}: {} curve{}, {} points{}", options.out, curves.size(), curves.size() == 1 ? "" : "s",
                            points, recording.info().complete ? "" : " (the recording was not finished)"));
}

}  // namespace

void add_plot_command(CommandLine& line) {
  Command command = line.add("plot", "Draw curves of a recording over time, or write them as a table");
  const auto options = std::make_shared<PlotOptions>();
  PlotOptions& o = *options;
  command.option("RUN", &o.in, "a recording (.h5)", {.required = true});
  command.option("--quantity,-q", &o.quantities, "what is drawn, by name, with commas; may be repeated; see --list",
                 {.commas = true});
  command.option("-o,--output", &o.out, "X.svg or X.png for a picture, X.csv for a table");
  command.flag("--list", o.list, "print the names of all quantities of this recording");
  command.option("--from", &o.from, "begin at this time [s]");
  command.option("--to", &o.to, "end at this time [s]");
  command.flag("--log", o.log, "logarithmic axis for the values");
  command.option("--title", &o.title, "instead of the recording's title");
  command.option("--size", &o.size, "WIDTHxHEIGHT in pixels");
  command.flag("--json", o.json, "print the list as one JSON document");
  command.footer(
      "\nExamples:\n  cairn plot run.h5 --list\n  cairn plot run.h5 -q energy -o energy.svg\n"
      "  cairn plot run.h5 -q energy -o energy.png --size 1200x500\n"
      "  cairn plot run.h5 -q residual,penetration --log -o quality.svg\n"
      "  cairn plot run.h5 -q body.ball.position,body.ball.speed -o ball.csv --from 1 --to 2");
  command.action([options] { plot(*options); });
}

}  // namespace cairn
