// SPDX-License-Identifier: Apache-2.0
// The parameters of a model, and changing them.
#include "cairn/sim/live_parameters.h"

#include "cairn/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace cairn {
namespace {

struct Setting {
  LiveParameter parameter;
  std::function<void(Simulation&, double)> set;
};

/// Laws whose one coefficient of sliding says it all.
bool has_friction(const ContactLaw& law) {
  ParameterLister lister;
  ContactLaw scratch;
  law.kind.type().describe(scratch, lister);
  const auto has = [&](std::string_view name) {
    return std::any_of(lister.infos.begin(), lister.infos.end(), [&](const auto& info) { return info.name == name; });
  };
  return has("friction") && !has("friction_2") && !law.own_friction;
}

std::vector<Setting> list_settings(const Simulation& simulation) {
  const Model& model = simulation.model();
  const System& system = model.system();
  std::vector<Setting> settings;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string letter(1, static_cast<char>('x' + axis));
    settings.push_back({{"gravity." + letter, "gravity along " + letter, "m/s^2", system.gravity[axis], -50, 50},
                        [axis](Simulation& s, double value) {
                          Vec3 gravity = s.model().system().gravity;
                          gravity[axis] = value;
                          s.set_gravity(gravity);
                        }});
  }
  // Pairs of materials that can meet.
  std::vector<int> used(static_cast<std::size_t>(system.materials.size()), 0);
  for (const MaterialId id : system.collider_material) ++used[static_cast<std::size_t>(id.value)];
  for (int a = 0; a < system.materials.size(); ++a)
    for (int b = a; b < system.materials.size(); ++b) {
      if (used[static_cast<std::size_t>(a)] < (a == b ? 2 : 1) || used[static_cast<std::size_t>(b)] == 0) continue;
      const ContactLaw& law = system.materials.pair({a}, {b});
      if (!has_friction(law)) continue;
      const std::string &first = system.materials[{a}].name, &second = system.materials[{b}].name;
      settings.push_back(
          {{fmt::format("friction.{}.{}", first, second), fmt::format("friction of {} on {}", first, second), "",
            law.friction, 0, std::max(2.0, law.friction)},
           [a, b](Simulation& s, double value) { s.set_friction({a}, {b}, value); }});
    }
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l) {
    const CoordinateLaw& law = system.coordinate_laws[l];
    const bool motor = law.kind == CoordinateLawKind::Motor;
    if (!motor && !(law.kind == CoordinateLawKind::Servo && std::isfinite(law.force))) continue;
    const CoordinateTerm& term = law.terms.front();
    const JointInfo& joint = joint_info(system.joints[static_cast<std::size_t>(term.joint)].kind);
    const bool angle = is_angle(joint.coordinates[static_cast<std::size_t>(term.coordinate)]);
    const double value = law.target(simulation.state().time()), most = std::max(10.0, 4 * std::abs(value));
    const std::string& name = model.coordinate_law_name(static_cast<int>(l));
    settings.push_back(
        {{"motor." + name, (motor ? "speed of " : "position of ") + name,
          std::string(angle ? "rad" : "m") + (motor ? "/s" : ""), value, -most, most},
         [l](Simulation& s, double target) { s.set_target(CoordinateLawId{static_cast<int>(l)}, target); }});
  }
  return settings;
}

}  // namespace

std::vector<LiveParameter> live_parameters(const Simulation& simulation) {
  std::vector<LiveParameter> list;
  for (Setting& setting : list_settings(simulation)) list.push_back(std::move(setting.parameter));
  return list;
}

void set_live_parameter(Simulation& simulation, std::string_view name, double value) {
  std::vector<std::string> names;
  for (const Setting& setting : list_settings(simulation)) {
    const LiveParameter& p = setting.parameter;
    names.push_back(p.name);
    if (p.name != name) continue;
    if (!(value >= p.min && value <= p.max))
      throw Error("{} is {} {}; must be in [{}, {}]", p.name, value, p.unit, p.min, p.max);
    setting.set(simulation, value);
    return;
  }
  throw Error("there is no parameter '{}'{}; there are {}", name, did_you_mean(std::string(name), names), join(names));
}

}  // namespace cairn
