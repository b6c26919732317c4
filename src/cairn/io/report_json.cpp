// SPDX-License-Identifier: Apache-2.0
// The JSON form of results; the names are those of the C++ fields.
#include "cairn/io/report_json.h"

#include "cairn/io/certificate_fields.h"
#include "cairn/sim/run_checks.h"

namespace cairn {

Json to_json(const RunSummary& s) {
  Json j;
  j["status"] = std::string(to_string(s.status));
  j["steps"] = s.steps;
  j["simulated"] = s.simulated;
  j["seconds"] = s.seconds;
  j["real_time_factor"] = s.seconds > 0 ? s.simulated / s.seconds : 0;
  j["residual"] = s.residual;
  j["residual_relative"] = s.residual_relative;
  j["cone"] = s.cone;
  j["penetration"] = s.penetration;
  j["joint_drift"] = s.joint_drift;
  j["joint_tilt"] = s.joint_tilt;
  j["reduction"] = s.reduction;
  j["compression"] = s.compression;
  j["not_converged"] = s.not_converged;
  j["divided"] = s.divided;
  j["iterations"] = s.iterations;
  j["iterations_max"] = s.iterations_max;
  j["contacts_max"] = s.contacts_max;
  j["energy"] = {{"begin", s.energy_begin}, {"end", s.energy_end}, {"scale", s.energy_scale}, {"rise", s.energy_rise}};
  j["work"] = {{"contact", s.work.contact}, {"friction", s.work.friction}, {"joints", s.work.joints},
               {"damping", s.work.damping}, {"loads", s.work.loads},       {"drive", s.work.drive},
               {"numerical", s.numerical}};
  Json& warnings = j["warnings"] = Json::array();
  for (const RunWarning& w : s.warnings)
    warnings.push_back({{"kind", w.kind == RunWarning::Kind::EnergyGain ? "energy-gain" : "open-joint"},
                        {"subject", w.subject},
                        {"time", w.time},
                        {"worst", w.worst},
                        {"worst_time", w.worst_time},
                        {"limit", w.limit},
                        {"scale", w.scale},
                        {"text", describe(w)}});
  j["times"] = {{"detection", s.times.detection},
                {"assembly", s.times.assembly},
                {"solve", s.times.solve},
                {"total", s.times.total}};
  return j;
}

Json to_json(const Certificate& certificate) {
  Json j;
  for (const CertificateField& field : certificate_fields()) {
    const double value = field.get(certificate);
    if (field.integer) {
      j[std::string(field.name)] = static_cast<std::int64_t>(value);
    } else {
      j[std::string(field.name)] = value;
    }
  }
  j["status"] = std::string(to_string(certificate.status));
  j["solve_status"] = std::string(to_string(certificate.solve_status));
  return j;
}

Json to_json(const ParameterInfo& p) {
  Json j;
  j["name"] = p.name;
  j["type"] = p.type;
  j["unit"] = p.unit;
  j["default"] = p.default_value;
  j["range"] = p.range;
  if (!p.choices.empty()) j["choices"] = p.choices;
  j["help"] = p.help;
  return j;
}

std::string to_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn
