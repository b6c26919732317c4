// SPDX-License-Identifier: Apache-2.0
// Commands from JSON.
#include "cairn/view/live_command.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"

#include <array>
#include <cmath>
#include <utility>

namespace cairn {
namespace {

const Json& field(const Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end()) throw Error("{} is missing", name);
  return *found;
}

double read_number(const Json& message, const char* name) {
  const Json& value = field(message, name);
  if (!value.is_number() || !std::isfinite(value.get<double>())) throw Error("{} must be a finite number", name);
  return value.get<double>();
}

Vec3 read_point(const Json& message, const char* name) {
  const Json& value = field(message, name);
  Vec3 x;
  bool good = value.is_array() && value.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    good = value[i].is_number();
    if (good) x[static_cast<Eigen::Index>(i)] = value[i].get<double>();
  }
  // Beyond this, squares of distances are no longer finite.
  if (!good || !(x.cwiseAbs().maxCoeff() < 1e100)) throw Error("{} must be three numbers", name);
  return x;
}

}  // namespace

LiveCommand parse_command(const Json& message) {
  using Kind = LiveCommand::Kind;
  constexpr std::array<std::pair<const char*, Kind>, 8> kinds{{{"play", Kind::Play},
                                                               {"pause", Kind::Pause},
                                                               {"step", Kind::Step},
                                                               {"reset", Kind::Reset},
                                                               {"speed", Kind::Speed},
                                                               {"drag", Kind::Drag},
                                                               {"release", Kind::Release},
                                                               {"set", Kind::Set}}};
  const Json& word = field(message, "command");
  if (!word.is_string()) throw Error("command must be a word");
  LiveCommand command;
  bool known = false;
  std::vector<std::string> words;
  for (const auto& [name, kind] : kinds) {
    words.emplace_back(name);
    if (word.get<std::string>() != name) continue;
    command.kind = kind;
    known = true;
  }
  if (!known) throw Error("there is no command '{}'; there are {}", word.get<std::string>().substr(0, 40), join(words));
  if (command.kind == Kind::Speed) {
    command.value = read_number(message, "factor");
    if (!(command.value >= 0 && command.value <= 1e6)) throw Error("factor is {}; must be in [0, 1e6]", command.value);
  } else if (command.kind == Kind::Set) {
    const Json& name = field(message, "name");
    if (!name.is_string()) throw Error("name must be a word");
    command.name = name.get<std::string>();
    command.value = read_number(message, "value");
  } else if (command.kind == Kind::Drag) {
    const Json& body = field(message, "body");
    if (!body.is_number_integer() || body.get<double>() < 0 || body.get<double>() > 1e9)
      throw Error("body must be the number of a body");
    command.body = body.get<int>();
    command.point = read_point(message, "point");
    command.target = read_point(message, "target");
  }
  return command;
}

}  // namespace cairn
