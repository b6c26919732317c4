// SPDX-License-Identifier: Apache-2.0
// The comparison of steppers as a page: which is cheapest for an error, tables and plots from measured rows.
#pragma once
#include "cairn/io/svg_plot.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::validation {

/// The scene of many contacts, beside the ten of scheme_motions().
inline constexpr const char* wall_scene = "wall";

/// One scene under one stepper at one step.
struct SchemeCost {
  std::string scene, stepper;
  double step = 0;     ///< [s]
  double error = 0;    ///< [m]
  double seconds = 0;  ///< of the processor per simulated second
};

/// The least cost at which a stepper meets an error in a scene: by the steps from which on it and all shorter ones meet
/// it, so that an error that is small by chance does not count. None: the shortest step does not meet it.
std::optional<double> cost_of(const std::vector<SchemeCost>& rows, const std::string& scene, const std::string& stepper,
                              double error);

/// Whether a stepper runs the scene as it is told: where blows bounce those without restitution run another motion.
bool competes(const std::string& scene, const std::string& stepper);

/// The steppers that compete in a scene and meet an error, cheapest first.
struct Ranked {
  std::string stepper;
  double seconds = 0;
};
std::vector<Ranked> ranking(const std::vector<SchemeCost>& rows, const std::string& scene, double error);

/// Rows as lines of text: a heading, then scene,stepper,step,error,seconds. Reading throws Error with file and line.
std::string to_csv(const std::vector<SchemeCost>& rows);
std::vector<SchemeCost> read_csv(const std::filesystem::path& file);

/// The winners by scene and error, and every stepper's cost beside the winner's.
std::string comparison_tables(const std::vector<SchemeCost>& rows);
/// Error against cost in one scene: the steppers that win somewhere in it and `moreau` as lines, the others as points.
Plot comparison_plot(const std::vector<SchemeCost>& rows, const std::string& scene);

/// Throws Error unless the folder has a stepper-comparison.md with the lines to write between.
void check_page(const std::filesystem::path& docs);
/// Writes the tables into stepper-comparison.md, the rows as stepper-comparison.csv and the plots into images/, which
/// is made where there is none.
void write_page(const std::filesystem::path& docs, const std::vector<SchemeCost>& rows);

}  // namespace cairn::validation
