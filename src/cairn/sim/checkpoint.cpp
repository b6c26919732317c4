// SPDX-License-Identifier: Apache-2.0
// Checkpoint files: see the header for the layout.
#include "cairn/sim/checkpoint.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

namespace cairn {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are written as they lie in memory");
constexpr std::string_view magic = "CAIRNCK4";

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 14695981039346656037ull) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

class Writer {
 public:
  std::string bytes{magic};
  void integer(std::int64_t value) { raw(&value, sizeof value); }
  void number(double value) { raw(&value, sizeof value); }
  void vector(const VecX& v) {
    integer(v.size());
    raw(v.data(), sizeof(double) * static_cast<std::size_t>(v.size()));
  }
  void point(const Vec3& v) { raw(v.data(), 3 * sizeof(double)); }

 private:
  void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}
  std::int64_t integer() { return take<std::int64_t>(); }
  double number() { return take<double>(); }
  std::size_t count(std::size_t item_size) {
    const std::int64_t n = integer();
    if (n < 0 || static_cast<std::size_t>(n) > bytes_.size() / item_size)
      throw Error("{}: the checkpoint is damaged", path_);
    return static_cast<std::size_t>(n);
  }
  VecX vector() {
    VecX v(static_cast<Eigen::Index>(count(sizeof(double))));
    for (double& x : v) x = number();
    return v;
  }
  Vec3 point() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }

 private:
  template <class T>
  T take() {
    if (bytes_.size() < sizeof(T)) throw Error("{}: the checkpoint is damaged", path_);
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view bytes_;
  std::string path_;
};

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

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Model& model, const State& state) {
  Writer w;
  w.integer(std::bit_cast<std::int64_t>(fingerprint(model)));
  w.integer(state.step);
  w.number(state.motion.time);
  w.vector(state.motion.q);
  w.vector(state.motion.u);
  w.vector(state.motion.s);
  w.integer(static_cast<std::int64_t>(state.motion.broken.size()));
  for (const std::uint8_t broken : state.motion.broken) w.integer(broken);
  w.vector(state.motion.memory);
  w.integer(static_cast<std::int64_t>(state.motion.scheme.size()));
  for (const double number : state.motion.scheme) w.number(number);
  w.integer(state.warm.begun);
  w.integer(static_cast<std::int64_t>(state.warm.contacts.size()));
  for (const KeptContact& c : state.warm.contacts) {
    w.integer(c.a);
    w.integer(c.b);
    w.point(c.point);
    w.point(c.impulse);
    w.integer(c.feature_a);
    w.integer(c.feature_b);
    w.number(c.cohesion);
  }
  w.integer(static_cast<std::int64_t>(state.warm.joints.size()));
  for (const double impulse : state.warm.joints) w.number(impulse);
  w.integer(std::bit_cast<std::int64_t>(fnv1a(w.bytes)));

  const std::filesystem::path temporary = path.string() + ".part";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(w.bytes.data(), static_cast<std::streamsize>(w.bytes.size()));
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
  Reader r(body.substr(magic.size()), path.string());
  if (std::bit_cast<std::uint64_t>(r.integer()) != fingerprint(model)) {
    throw Error("{}: is the checkpoint of another model", path.string());
  }
  State state;
  state.step = r.integer();
  state.motion.time = r.number();
  state.motion.q = r.vector();
  state.motion.u = r.vector();
  state.motion.s = r.vector();
  state.motion.broken.resize(r.count(8));
  for (std::uint8_t& broken : state.motion.broken) broken = r.integer() != 0;
  state.motion.memory = r.vector();
  state.motion.scheme.resize(r.count(8));
  for (double& number : state.motion.scheme) number = r.number();
  state.warm.begun = r.integer() != 0;
  state.warm.contacts.resize(r.count(5 * 8 + 6 * 8));
  for (KeptContact& c : state.warm.contacts) {
    c.a = static_cast<int>(r.integer());
    c.b = static_cast<int>(r.integer());
    c.point = r.point();
    c.impulse = r.point();
    c.feature_a = static_cast<std::uint32_t>(r.integer());
    c.feature_b = static_cast<std::uint32_t>(r.integer());
    c.cohesion = r.number();
  }
  state.warm.joints.resize(r.count(8));
  for (double& impulse : state.warm.joints) impulse = r.number();
  return state;
}

}  // namespace cairn
