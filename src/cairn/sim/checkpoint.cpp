// SPDX-License-Identifier: Apache-2.0
// Checkpoint files: see the header for the layout.
#include "cairn/sim/checkpoint.h"

#include "cairn/assembly/numbers.h"

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

/// Tells models apart: the starting configuration, the names and the kinds of the bodies.
std::uint64_t fingerprint(const Model& model) {
  VecX q, u;
  model.system().bodies.initial(q, u);
  std::uint64_t hash =
      fnv1a({reinterpret_cast<const char*>(q.data()), sizeof(double) * static_cast<std::size_t>(q.size())});
  for (int body = 0; body < model.body_count(); ++body) {
    hash = fnv1a(model.body_name(body), hash);
    hash = fnv1a(model.system().bodies.kind(body), hash);
  }
  return hash;
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

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Model& model, const State& state) {
  const SchemeMemory& scheme = state.motion.scheme;
  std::vector<double> numbers;
  NumberWriter w(numbers);
  w.motion(state.motion);
  w.warm_start(state.warm);
  w.number(scheme.version);
  w.numbers(scheme.numbers);
  std::string bytes{magic};
  append(fingerprint(model), bytes);
  append(state.step, bytes);
  append(static_cast<std::uint64_t>(scheme.name.size()), bytes);
  bytes += scheme.name;
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
  if (take<std::uint64_t>(left, path.string()) != fingerprint(model))
    throw Error("{}: is the checkpoint of another model", path.string());
  State state;
  state.step = take<std::int64_t>(left, path.string());
  const auto name_size = take<std::uint64_t>(left, path.string());
  if (name_size > left.size() || (left.size() - name_size) % sizeof(double) != 0)
    throw Error("{}: the checkpoint is damaged", path.string());
  state.motion.scheme.name = left.substr(0, name_size);
  left.remove_prefix(name_size);
  std::vector<double> numbers(left.size() / sizeof(double));
  std::memcpy(numbers.data(), left.data(), left.size());
  NumberReader r(path.string(), numbers);
  r.motion(state.motion);
  r.warm_start(state.warm);
  r.number(state.motion.scheme.version);
  r.numbers(state.motion.scheme.numbers);
  r.finish();
  return state;
}

}  // namespace cairn
