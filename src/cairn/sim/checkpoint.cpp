// SPDX-License-Identifier: Apache-2.0
// Checkpoint files: see the header for the layout.
#include "cairn/sim/checkpoint.h"

#include "cairn/assembly/numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are written as they lie in memory");
constexpr std::string_view magic = "CAIRNCK5";

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 14695981039346656037ull) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

/// One thing of a model that has numbers in the state, as a person knows it.
struct Part {
  std::string noun, name, kind;
  std::int64_t start = 0;  ///< of bodies: hash of the configuration they start from
  bool operator==(const Part&) const = default;
};

constexpr std::string_view law_kind_names[] = {"limit", "motor", "servo", "friction", "coupling", "clutch"};

std::vector<Part> list_parts(const Model& model) {
  const System& system = model.system();
  std::vector<Part> parts;
  VecX q, u;
  system.bodies.initial(q, u);
  for (int body = 0; body < model.body_count(); ++body) {
    const Bodies::Slot& slot = system.bodies.slot(body);
    const std::string_view start{reinterpret_cast<const char*>(q.data() + slot.q),
                                 sizeof(double) * static_cast<std::size_t>(slot.nq)};
    parts.push_back({"body", model.body_name(body), std::string(system.bodies.kind(body)),
                     std::bit_cast<std::int64_t>(fnv1a(start))});
  }
  for (int body = 0; body < model.body_count(); ++body)
    for (int k = 0; const Collider& collider : model.colliders_of(body))
      parts.push_back(
          {"collider", fmt::format("{} of {}", k++, model.body_name(body)), std::string(shape_name(collider.shape))});
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    parts.push_back(
        {"joint", model.joint_name(static_cast<int>(j)), std::string(joint_info(system.joints[j].kind).name)});
  for (std::size_t l = 0; l < system.coordinate_laws.size(); ++l)
    parts.push_back({"joint law", model.coordinate_law_name(static_cast<int>(l)),
                     std::string(law_kind_names[static_cast<std::size_t>(system.coordinate_laws[l].kind)])});
  for (std::size_t j = 0; j < system.own_joints.size(); ++j)
    parts.push_back({"own joint", std::to_string(j), fmt::format("of {} rows", system.own_joints[j]->rows())});
  for (std::size_t c = 0; c < system.own_contacts.size(); ++c)
    parts.push_back({"own contact", std::to_string(c), fmt::format("of {} rows", system.own_contacts[c]->rows())});
  for (std::size_t f = 0; f < system.forces.size(); ++f)
    if (system.forces[f]->memory_size() > 0)
      parts.push_back(
          {"force", model.force_name(static_cast<int>(f)),
           fmt::format("{}, remembering {} numbers", system.forces[f]->kind(), system.forces[f]->memory_size())});
  return parts;
}

/// What of a checkpoint's model is missing, new or another in this one, in words; empty: nothing.
std::string describe_difference(const std::vector<Part>& then, const std::vector<Part>& now) {
  const auto same_thing = [](const Part& a, const Part& b) { return a.noun == b.noun && a.name == b.name; };
  const auto has = [&](const std::vector<Part>& parts, const Part& part) {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return same_thing(p, part); });
  };
  std::vector<std::string> differences;
  for (const Part& part : then)
    if (!has(now, part)) differences.push_back(fmt::format("{} '{}' is missing here", part.noun, part.name));
  for (const Part& part : now)
    if (!has(then, part)) differences.push_back(fmt::format("{} '{}' is new here", part.noun, part.name));
  for (std::size_t i = 0; differences.empty() && i < std::min(then.size(), now.size()); ++i) {
    const Part &a = then[i], &b = now[i];
    if (a == b) continue;
    if (!same_thing(a, b)) {
      differences.push_back(fmt::format("{} '{}' stands where {} '{}' was", b.noun, b.name, a.noun, a.name));
    } else if (a.kind != b.kind) {
      differences.push_back(fmt::format("{} '{}' was {} and is {} here", a.noun, a.name, a.kind, b.kind));
    } else {
      differences.push_back(fmt::format("{} '{}' starts from another configuration here", a.noun, a.name));
    }
  }
  if (differences.empty() && then != now) differences.push_back("the numbers of parts differ");
  if (differences.empty()) return {};
  return differences.size() == 1 ? differences.front()
                                 : fmt::format("{} (and {} more)", differences.front(), differences.size() - 1);
}

/// Words and numbers as they lie in memory.
template <class Value>
void append(const Value& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class Value>
Value take(std::string_view& bytes, const std::string& path) {
  if (bytes.size() < sizeof(Value)) throw Error("{}: the checkpoint is damaged", path);
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

void append_text(std::string_view text, std::string& bytes) {
  append(static_cast<std::uint64_t>(text.size()), bytes);
  bytes += text;
}

std::string take_text(std::string_view& bytes, const std::string& path) {
  const auto size = take<std::uint64_t>(bytes, path);
  if (size > bytes.size()) throw Error("{}: the checkpoint is damaged", path);
  const std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Model& model, const State& state) {
  std::string bytes{magic};
  append(state.step, bytes);
  append(state.motion.time, bytes);
  append(static_cast<std::int64_t>(state.motion.q.size()), bytes);
  append_text(model.run.stepper.name, bytes);
  append_text(state.motion.scheme.name, bytes);
  const std::vector<Part> parts = list_parts(model);
  append(static_cast<std::uint64_t>(parts.size()), bytes);
  for (const Part& part : parts) {
    for (const std::string* text : {&part.noun, &part.name, &part.kind}) append_text(*text, bytes);
    append(part.start, bytes);
  }
  std::vector<double> numbers;
  NumberWriter w(numbers);
  w.motion(state.motion);
  w.warm_start(state.warm);
  w.number(state.motion.scheme.version);
  w.numbers(state.motion.scheme.numbers);
  bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof(double) * numbers.size());
  append(fnv1a(bytes), bytes);

  const std::filesystem::path temporary = path.string() + ".part";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw Error("{}: cannot be written", path.string());
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) throw Error("{}: cannot be written ({})", path.string(), error.message());
}

State read_checkpoint(const std::filesystem::path& path, const Model& model) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("{}: cannot be opened", path.string());
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < magic.size() + 8 || bytes.compare(0, magic.size(), magic) != 0) {
    throw Error("{}: is not a Cairn checkpoint", path.string());
  }
  const std::string_view body(bytes.data(), bytes.size() - 8);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + body.size(), 8);
  if (checksum != fnv1a(body)) throw Error("{}: the checkpoint is damaged (checksum)", path.string());
  std::string_view left = body.substr(magic.size());
  const std::string owner = path.string();
  State state;
  state.step = take<std::int64_t>(left, owner);
  left.remove_prefix(std::min<std::size_t>(left.size(), 16));  // time and size, which the motion has too
  const std::string stepper = take_text(left, owner);
  state.motion.scheme.name = take_text(left, owner);
  std::vector<Part> parts;
  for (auto count = take<std::uint64_t>(left, owner); count > 0; --count) {
    Part& part = parts.emplace_back();
    for (std::string* text : {&part.noun, &part.name, &part.kind}) *text = take_text(left, owner);
    part.start = take<std::int64_t>(left, owner);
  }
  const std::string difference = describe_difference(parts, list_parts(model));
  if (!difference.empty())
    throw Error(
        "{}: is the checkpoint of another scene: {}; a run goes on only with the bodies, joints and forces it "
        "began with",
        owner, difference);
  if (left.size() % sizeof(double) != 0) throw Error("{}: the checkpoint is damaged", owner);
  std::vector<double> numbers(left.size() / sizeof(double));
  std::memcpy(numbers.data(), left.data(), left.size());
  NumberReader r(owner, numbers);
  r.motion(state.motion);
  r.warm_start(state.warm);
  r.number(state.motion.scheme.version);
  r.numbers(state.motion.scheme.numbers);
  r.finish();
  // What another scheme kept means nothing to this one.
  if (stepper != model.run.stepper.name) {
    state.motion.scheme = {};
    state.warm.joints.clear();
  }
  return state;
}

}  // namespace cairn
