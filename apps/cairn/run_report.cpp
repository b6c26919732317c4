// SPDX-License-Identifier: Apache-2.0
// Laying out a run's certificate.
#include "run_report.h"

#include "cairn/sim/run_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cairn {

std::string describe(const RunSummary& s) {
  std::string text = "Certificate (worst of all steps)\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<17} {}\n", name, value);
  };
  line("residual", fmt::format("{:.2e}      natural map of the exact laws, scaled", s.residual));
  line("penetration", fmt::format("{:.2e} m", s.penetration));
  line("joint drift", fmt::format("{:.2e} m, {:.2e} rad", s.joint_drift, s.joint_tilt));
  line("cone violation", fmt::format("{:.2e}      of the largest impulse", s.cone));
  line("not converged", fmt::format("{} of {} steps", s.not_converged, s.steps));
  if (s.status != StepStatus::Done) line("failed", fmt::format("the last step: {}", to_string(s.status)));
  for (const RunWarning& w : s.warnings) line("WARNING", describe(w));

  text += "Energy balance\n";
  const auto joule = [&](std::string_view name, double value, const std::string& note = {}) {
    line(name, fmt::format("{:.6g} J{}", value, note));
  };
  joule("change", s.energy_end - s.energy_begin, fmt::format(" (from {:.6g} to {:.6g})", s.energy_begin, s.energy_end));
  joule("contact", s.work.contact);
  joule("friction", s.work.friction);
  joule("joints", s.work.joints);
  joule("damping", s.work.damping);
  joule("loads", s.work.loads);
  joule("drive", s.work.drive);
  joule("numerical", s.numerical,
        s.energy_scale > 0
            ? fmt::format(" ({:.2g} of the largest energy or work)", std::abs(s.numerical) / s.energy_scale)
            : std::string{});

  const double steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
  const double total = std::max(s.times.total, 1e-300);
  text += "Effort\n";
  line("iterations",
       fmt::format("{:.4g} per step, at most {}", static_cast<double>(s.iterations) / steps, s.iterations_max));
  line("contacts", fmt::format("at most {}", s.contacts_max));
  if (s.divided > 0) line("divided", fmt::format("{} steps, where fast bodies met", s.divided));
  if (s.compression > 0) line("compression", fmt::format("contacts that yield, by {:.3g} m", s.compression));
  if (s.reduction > 0) line("reduction", fmt::format("contacts left out {:.3g} m of lever arm", s.reduction));
  line("seconds",
       fmt::format("{:.4g} (detection {:.0f} %, assembly {:.0f} %, solve {:.0f} %)", s.seconds,
                   100 * s.times.detection / total, 100 * s.times.assembly / total, 100 * s.times.solve / total));
  line("real-time factor", fmt::format("{:.4g}", s.seconds > 0 ? s.simulated / s.seconds : 0));
  return text;
}

std::string describe_bytes(double bytes) {
  constexpr std::string_view units[] = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) bytes /= 1000, ++unit;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace cairn
