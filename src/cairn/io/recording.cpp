// SPDX-License-Identifier: Apache-2.0
// Reading recordings. Nothing in the file is believed before it has been checked. Layout: docs/recording.md.
#include "cairn/io/recording.h"

#include "cairn/io/certificate_fields.h"
#include "cairn/io/recording_layout.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

std::vector<Vec3> to_vectors(const std::vector<double>& x) {
  std::vector<Vec3> out;
  out.reserve(x.size() / 3);
  for (std::size_t i = 0; i + 3 <= x.size(); i += 3) out.emplace_back(x[i], x[i + 1], x[i + 2]);
  return out;
}

VecX to_vector(const std::vector<double>& x) {
  return Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Runs one reading function; whatever a damaged file makes the libraries throw becomes an Error with its name.
template <class Read>
auto guarded(const std::string& name, Read&& read) {
  const Hdf5Quiet quiet;
  try {
    return read();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("{}: is damaged: {}", name, error.what());
  }
}

}  // namespace

struct Recording::Impl {
  Hdf5File file;
  RecordingInfo info;
  std::vector<double> times;
  std::shared_ptr<FrameModel> parts = std::make_shared<FrameModel>();
  std::shared_ptr<const FrameModel> model = parts;
  std::vector<FrameBody>& bodies = parts->bodies;
  std::vector<std::int32_t> deformation_row;  ///< per body, or -1
  hsize_t deforming = 0, nq = 0, nu = 0;
  std::vector<FrameJoint>& joints = parts->joints;
  std::vector<FrameCoordinate>& joint_coordinates = parts->coordinates;
  std::vector<std::string>&coordinate_laws = parts->laws, &memory_forces = parts->memory_forces;
  std::vector<std::int64_t> offset;      ///< first contact of each frame, and their number at the end
  std::vector<std::int64_t> pull_frame;  ///< frames in which somebody pulled, in order
  hsize_t steps = 0;

  void read_info();
  void read_bodies();
  void read_joints();
  void read_extent();
  hsize_t row_length(const std::string& path) const;
  [[noreturn]] void damaged(std::string_view what) const { throw Error("{}: is damaged: {}", file.name, what); }
  std::vector<FrameContact> read_contacts(std::size_t frame, bool brief = false) const;
  std::optional<FramePull> read_pull(std::size_t frame) const;
  void read_pull_frames(std::int64_t frames);
  void check_frame(std::size_t index) const {
    if (index >= times.size()) throw Error("{}: there is no frame {}; it has {}", file.name, index, times.size());
  }
  template <class T>
  std::vector<T> row(const std::string& path, std::size_t frame, const std::vector<hsize_t>& shape) const {
    if (shape[0] == 0) return {};
    return read_rows<T>(file, path, frame, 1, shape);
  }
};

void Recording::Impl::read_info() {
  info.title = read_text_attribute(file, "title");
  info.stepper = read_text_attribute(file, "stepper");
  info.solver = read_text_attribute(file, "solver");
  info.cairn = read_text_attribute(file, "cairn");
  info.step = read_number_attribute(file, "step", 1)[0];
  info.interval = read_number_attribute(file, "interval", 1)[0];
  info.gravity = to_vectors(read_number_attribute(file, "gravity", 3))[0];
}

void Recording::Impl::read_bodies() {
  const auto names = read_texts(file, "/bodies/name"), kinds = read_texts(file, "/bodies/kind"),
             materials = read_texts(file, "/bodies/material"), shapes = read_texts(file, "/bodies/shape");
  const std::size_t n = names.size();
  if (kinds.size() != n || materials.size() != n || shapes.size() != n) damaged("/bodies has lists of unequal length");
  const auto mass = read_rows<double>(file, "/bodies/mass", 0, n);
  const auto numbers = read_rows<double>(file, "/bodies/shape_numbers", 0, count_rows(file, "/bodies/shape_numbers"));
  const auto first = read_rows<std::int64_t>(file, "/bodies/shape_offset", 0, n + 1);
  deformation_row = read_rows<std::int32_t>(file, "/bodies/deformation_row", 0, n);
  // From format 4 on.
  const bool has_inertia = has_link(file, "/bodies/inertia");
  const auto inertia = read_rows<double>(file, "/bodies/inertia", 0, has_inertia ? n : 0, {9});
  for (std::size_t i = 0; i < n; ++i) {
    FrameBody body{names[i], kinds[i], materials[i], {}, mass[i], deformation_row[i] >= 0};
    if (has_inertia) body.inertia = Eigen::Map<const Mat3>(&inertia[9 * i]);  // symmetric
    if (first[i] < 0 || first[i + 1] < first[i] || first[i + 1] > static_cast<std::int64_t>(numbers.size())) {
      damaged("/bodies/shape_offset does not grow");
    }
    if (!shapes[i].empty()) {
      body.shape = make_shape(shapes[i], std::span(numbers).subspan(static_cast<std::size_t>(first[i]),
                                                                    static_cast<std::size_t>(first[i + 1] - first[i])));
      if (!body.shape) damaged(fmt::format("the shape '{}' of body '{}' is not known", shapes[i], names[i]));
    }
    if (body.deforms && deformation_row[i] != static_cast<std::int32_t>(deforming++))
      damaged("/bodies/deformation_row");
    bodies.push_back(std::move(body));
  }
}

void Recording::Impl::read_joints() {
  const auto names = read_texts(file, "/joints/name"), types = read_texts(file, "/joints/type");
  if (types.size() != names.size()) damaged("/joints/type has not one entry per joint");
  const auto pairs = read_rows<std::int32_t>(file, "/joints/bodies", 0, names.size(), {2});
  const auto a = to_vectors(read_rows<double>(file, "/joints/anchor_a", 0, names.size(), {3}));
  const auto b = to_vectors(read_rows<double>(file, "/joints/anchor_b", 0, names.size(), {3}));
  const auto n = static_cast<std::int32_t>(bodies.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (std::min(pairs[2 * j], pairs[2 * j + 1]) < -1 || std::max(pairs[2 * j], pairs[2 * j + 1]) >= n) {
      damaged("/joints/bodies names a body that is not there");
    }
    joints.push_back({names[j], types[j], pairs[2 * j], pairs[2 * j + 1], a[j], b[j]});
  }
  const auto coordinates = read_texts(file, "/joints/coordinate_name");
  const auto owners = read_rows<std::int32_t>(file, "/joints/coordinate_joint", 0, coordinates.size(), {});
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (owners[k] < 0 || static_cast<std::size_t>(owners[k]) >= joints.size())
      damaged("/joints/coordinate_joint names a joint that is not there");
    joint_coordinates.push_back({owners[k], coordinates[k]});
  }
  coordinate_laws = read_texts(file, "/joints/law_name");
  memory_forces = read_texts(file, "/forces/memory_force");
}

/// Numbers in one row of a two-dimensional set; 0 when it is not there.
hsize_t Recording::Impl::row_length(const std::string& path) const {
  if (H5Lexists(file.id(), path.c_str(), H5P_DEFAULT) <= 0) return 0;
  const Hdf5Handle set(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(set.id()), H5Sclose);
  hsize_t shape[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space.id()) != 2 || H5Sget_simple_extent_dims(space.id(), shape, nullptr) != 2) {
    damaged(path + " is not a table");
  }
  return shape[1];
}

void Recording::Impl::read_extent() {
  const auto committed = read_rows<std::int64_t>(file, "/committed", 0, 2);
  if (committed[0] < 0 || committed[1] < 0) damaged("/committed is negative");
  const auto frames = static_cast<hsize_t>(committed[0]);
  steps = static_cast<hsize_t>(committed[1]);
  times = read_rows<double>(file, "/time", 0, frames);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) damaged("/time does not grow");
  }
  if (H5Lexists(file.id(), "/frame", H5P_DEFAULT) > 0) {
    nq = row_length("/frame/q");
    nu = row_length("/frame/u");
  }
  read_pull_frames(committed[0]);
  info.contacts = H5Lexists(file.id(), "/contacts", H5P_DEFAULT) > 0;
  if (!info.contacts) return;
  offset = read_rows<std::int64_t>(file, "/contacts/offset", 0, frames + 1);
  const auto rows = static_cast<std::int64_t>(count_rows(file, "/contacts/gap"));
  for (std::size_t i = 0; i < offset.size(); ++i) {
    if (offset[i] < (i == 0 ? 0 : offset[i - 1]) || offset[i] > rows) damaged("/contacts/offset does not grow");
  }
}

/// One row per frame with a pull. Rows beyond the frames that are whole are not believed.
void Recording::Impl::read_pull_frames(std::int64_t frames) {
  pull_frame.clear();
  if (!has_link(file, "/pulls")) return;  // before format 5
  pull_frame = read_rows<std::int64_t>(file, "/pulls/frame", 0, count_rows(file, "/pulls/frame"));
  while (!pull_frame.empty() && pull_frame.back() >= frames) pull_frame.pop_back();
  for (std::size_t i = 0; i < pull_frame.size(); ++i)
    if (pull_frame[i] < 0 || (i > 0 && pull_frame[i] <= pull_frame[i - 1])) damaged("/pulls/frame does not grow");
}

Recording::Recording(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  guarded(path.string(), [&] {
    Impl& r = *impl_;
    r.file = open_recording_file(path, r.info.complete);
    r.read_info();
    r.read_bodies();
    r.read_joints();
    r.read_extent();
    return 0;
  });
}

Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const RecordingInfo& Recording::info() const { return impl_->info; }
const std::vector<double>& Recording::times() const { return impl_->times; }
const std::shared_ptr<const FrameModel>& Recording::model() const { return impl_->model; }
const std::vector<FrameBody>& Recording::bodies() const { return impl_->bodies; }
const std::vector<FrameJoint>& Recording::joints() const { return impl_->joints; }
const std::vector<FrameCoordinate>& Recording::joint_coordinates() const { return impl_->joint_coordinates; }
const std::vector<std::string>& Recording::coordinate_laws() const { return impl_->coordinate_laws; }
const std::vector<std::string>& Recording::memory_forces() const { return impl_->memory_forces; }

std::vector<FrameContact> Recording::Impl::read_contacts(std::size_t frame, bool brief) const {
  std::vector<FrameContact> contacts;
  if (!info.contacts) return contacts;
  const auto first = static_cast<hsize_t>(offset[frame]);
  const auto count = static_cast<hsize_t>(offset[frame + 1]) - first;
  const auto pairs = read_rows<std::int32_t>(file, "/contacts/bodies", first, count, {2});
  // What is left out is not even unpacked.
  const hsize_t rest = brief ? 0 : count;
  const auto point = to_vectors(read_rows<double>(file, "/contacts/point", first, rest, {3}));
  const auto normal = to_vectors(read_rows<double>(file, "/contacts/normal", first, count, {3}));
  const auto force = to_vectors(read_rows<double>(file, "/contacts/force", first, count, {3}));
  const auto gap = read_rows<double>(file, "/contacts/gap", first, rest);
  const auto state = read_rows<std::uint8_t>(file, "/contacts/state", first, count);
  const bool whole = !brief && has_link(file, "/contacts/friction");  // from format 4 on
  const auto friction = read_rows<double>(file, "/contacts/friction", first, whole ? count : 0);
  const auto area = read_rows<double>(file, "/contacts/area", first, whole ? count : 0);
  contacts.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const int a = pairs[2 * k], b = pairs[2 * k + 1];
    if (std::min(a, b) < -1 || std::max(a, b) >= static_cast<int>(bodies.size())) damaged("/contacts/bodies");
    if (state[k] > static_cast<std::uint8_t>(ContactState::Slip)) damaged("/contacts/state");
    contacts.push_back({a, b, brief ? Vec3(Vec3::Zero()) : point[k], normal[k], force[k], brief ? 0.0 : gap[k],
                        static_cast<ContactState>(state[k]), whole ? friction[k] : 0.0, whole ? area[k] : 0.0});
  }
  return contacts;
}

std::optional<FramePull> Recording::Impl::read_pull(std::size_t frame) const {
  const auto at = std::lower_bound(pull_frame.begin(), pull_frame.end(), static_cast<std::int64_t>(frame));
  if (at == pull_frame.end() || *at != static_cast<std::int64_t>(frame)) return {};
  const auto row = static_cast<hsize_t>(at - pull_frame.begin());
  FramePull pull;
  pull.body = read_rows<std::int32_t>(file, "/pulls/body", row, 1)[0];
  if (pull.body < 0 || pull.body >= static_cast<int>(bodies.size())) damaged("/pulls/body");
  pull.point = to_vectors(read_rows<double>(file, "/pulls/point", row, 1, {3}))[0];
  pull.target = to_vectors(read_rows<double>(file, "/pulls/target", row, 1, {3}))[0];
  pull.force = to_vectors(read_rows<double>(file, "/pulls/force", row, 1, {3}))[0];
  return pull;
}

Frame Recording::frame(std::size_t index, FrameParts parts) const {
  const Impl& r = *impl_;
  r.check_frame(index);
  return guarded(r.file.name, [&] {
    const hsize_t n = r.bodies.size();
    Frame frame;
    frame.time = r.times[index];
    if (parts.state) {
      frame.q = to_vector(r.row<double>("/frame/q", index, {r.nq}));
      frame.u = to_vector(r.row<double>("/frame/u", index, {r.nu}));
      frame.memory = r.row<double>("/forces/memory", index, {r.memory_forces.size()});
    }
    frame.position = to_vectors(r.row<double>("/frame/position", index, {n, 3}));
    frame.velocity = to_vectors(r.row<double>("/frame/velocity", index, {n, 3}));
    frame.angular_velocity = to_vectors(r.row<double>("/frame/angular_velocity", index, {n, 3}));
    const auto rotations = r.row<double>("/frame/orientation", index, {n, 4});
    const auto deformations = r.row<double>("/frame/deformation", index, {r.deforming, 9});
    for (std::size_t b = 0; b < n; ++b) {
      const double* w = &rotations[4 * b];
      frame.orientation.emplace_back(w[0], w[1], w[2], w[3]);
      Mat3 A = frame.orientation.back().toRotationMatrix();
      if (r.bodies[b].deforms) {
        const double* F = &deformations[9 * static_cast<std::size_t>(r.deformation_row[b])];
        A << F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8];
      }
      frame.deformation.push_back(A);
    }
    frame.joint_force = to_vectors(r.row<double>("/joints/force", index, {r.joints.size(), 3}));
    frame.joint_torque = to_vectors(r.row<double>("/joints/torque", index, {r.joints.size(), 3}));
    frame.broken.assign(r.joints.size(), 0);
    if (!r.joints.empty() && has_link(r.file, "/joints/broken"))  // from format 6 on
      frame.broken = r.row<std::uint8_t>("/joints/broken", index, {r.joints.size()});
    frame.joint_coordinate = r.row<double>("/joints/coordinate", index, {r.joint_coordinates.size()});
    frame.law_force = r.row<double>("/joints/law_force", index, {r.coordinate_laws.size()});
    if (parts.contacts) frame.contacts = r.read_contacts(index);
    frame.pull = r.read_pull(index);
    return frame;
  });
}

std::vector<Vec3> Recording::positions(std::size_t index) const {
  const Impl& r = *impl_;
  r.check_frame(index);
  return guarded(r.file.name, [&] {
    return to_vectors(r.row<double>("/frame/position", index, {r.bodies.size(), 3}));
  });
}

std::optional<FramePull> Recording::pull(std::size_t index) const {
  const Impl& r = *impl_;
  r.check_frame(index);
  return guarded(r.file.name, [&] { return r.read_pull(index); });
}

std::size_t Recording::pulled_frames() const { return impl_->pull_frame.size(); }

std::vector<FrameContact> Recording::contacts(std::size_t index, bool brief) const {
  const Impl& r = *impl_;
  r.check_frame(index);
  return guarded(r.file.name, [&] { return r.read_contacts(index, brief); });
}

std::vector<double> Recording::track(Track what, std::size_t index, std::size_t first, std::size_t count) const {
  const Impl& r = *impl_;
  struct Place {
    std::string path;
    std::size_t items;
  };
  const auto place = [&]() -> Place {
    switch (what) {
      case Track::Position: return {"/frame/position", r.bodies.size()};
      case Track::Velocity: return {"/frame/velocity", r.bodies.size()};
      case Track::AngularVelocity: return {"/frame/angular_velocity", r.bodies.size()};
      case Track::JointForce: return {"/joints/force", r.joints.size()};
      case Track::JointTorque: return {"/joints/torque", r.joints.size()};
      case Track::Coordinate: return {"/joints/coordinate", r.joint_coordinates.size()};
      case Track::LawForce: break;
    }
    return {"/joints/law_force", r.coordinate_laws.size()};
  }();
  if (index >= place.items)
    throw Error("{}: {} has {} entries; there is no {}", r.file.name, place.path, place.items, index);
  if (first > r.times.size() || count > r.times.size() - first)
    throw Error("{}: there are no frames {} to {}; it has {}", r.file.name, first, first + count, r.times.size());
  return guarded(r.file.name, [&] {
    std::vector<hsize_t> start{first, index}, block{count, 1};
    if (track_width(what) == 3) start.push_back(0), block.push_back(3);
    return read_block(r.file, place.path, start, block);
  });
}

std::size_t Recording::step_count() const { return impl_->steps; }

std::vector<double> Recording::certificate_field(std::string_view name, std::size_t first, std::size_t count) const {
  const Impl& r = *impl_;
  const auto fields = certificate_fields();
  if (std::none_of(fields.begin(), fields.end(), [&](const CertificateField& f) { return f.name == name; }))
    throw Error("a certificate has no field '{}'", name);
  return guarded(r.file.name,
                 [&] { return read_rows<double>(r.file, "/certificate/" + std::string(name), first, count); });
}

bool Recording::refresh() {
  Impl& r = *impl_;
  if (r.info.complete && r.file.handle.valid()) return false;
  const std::string name = r.file.name;
  return guarded(name, [&] {
    const std::size_t frames = r.times.size(), steps = r.steps;
    // HDF5 keeps what it has read of an open file; only a file that is opened anew is seen as it is now.
    r.file.open_sets.clear();
    r.file.handle.close();
    r.file = open_recording_file(name, r.info.complete);
    r.read_extent();
    return r.info.complete || r.times.size() != frames || r.steps != steps;
  });
}

std::vector<Certificate> Recording::certificates() const {
  const Impl& r = *impl_;
  return guarded(r.file.name, [&] {
    std::vector<Certificate> list;
    for (const CertificateField& field : certificate_fields()) {
      const std::string path = "/certificate/" + std::string(field.name);
      const bool since_6 = field.name == "energy_gain" || field.name == "warnings";
      if (since_6 && !has_link(r.file, path)) continue;
      const auto values = read_rows<double>(r.file, path, 0, r.steps);
      list.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (field.integer && !(values[i] >= 0 && values[i] <= field.largest)) r.damaged(path);
        field.set(list[i], values[i]);
      }
    }
    return list;
  });
}

std::vector<RecordedSwitch> Recording::switches() const {
  const Impl& r = *impl_;
  return guarded(r.file.name, [&] {
    std::vector<RecordedSwitch> list;
    if (!has_link(r.file, "/switches/time") || r.steps == 0) return list;
    // Rows of a flush that was cut off may be missing in one of the three; what is after the last whole step is not
    // believed.
    const hsize_t count = std::min({count_rows(r.file, "/switches/time"), count_rows(r.file, "/switches/law", {4}),
                                    count_rows(r.file, "/switches/modes", {2})});
    const double end = read_rows<double>(r.file, "/certificate/time", r.steps - 1, 1)[0];
    const auto time = read_rows<double>(r.file, "/switches/time", 0, count);
    const auto law = read_rows<std::int32_t>(r.file, "/switches/law", 0, count, {4});
    const auto modes = read_rows<std::uint8_t>(r.file, "/switches/modes", 0, count, {2});
    for (std::size_t i = 0; i < time.size() && (r.info.complete || time[i] <= end); ++i) {
      const std::int32_t* x = law.data() + 4 * i;
      if (x[0] < 0 || x[0] > static_cast<int>(LawOwner::OwnContact) || x[1] < 0 ||
          x[1] > static_cast<int>(LawFacet::Spinning) || modes[2 * i] > static_cast<int>(Mode::Broken) ||
          modes[2 * i + 1] > static_cast<int>(Mode::Broken))
        r.damaged("/switches");
      list.push_back({time[i], static_cast<LawOwner>(x[0]), static_cast<LawFacet>(x[1]), x[2], x[3],
                      static_cast<Mode>(modes[2 * i]), static_cast<Mode>(modes[2 * i + 1])});
    }
    return list;
  });
}

RunSummary summarise(const std::vector<Certificate>& certificates, double start_time) {
  RunSummary summary;
  double before = start_time;
  for (const Certificate& c : certificates) {
    // numerical = end - begin - work, so the energy at the beginning of the step is known.
    summary.add(c, c.energy.total() - c.work.total() - c.numerical, std::max(0.0, c.time - before));
    before = c.time;
    for (const auto& [flag, kind] : {std::pair{RunWarning::energy_flag, RunWarning::Kind::EnergyGain},
                                     std::pair{RunWarning::joint_flag, RunWarning::Kind::OpenJoint}}) {
      if ((c.warnings & flag) == 0) continue;
      auto w = std::find_if(summary.warnings.begin(), summary.warnings.end(), [&](auto& x) { return x.kind == kind; });
      if (w == summary.warnings.end()) w = summary.warnings.insert(w, {.kind = kind, .time = c.time});
      const double amount = kind == RunWarning::Kind::EnergyGain ? c.energy_gain : c.joint_drift;
      if (amount > w->worst) w->worst = amount, w->worst_time = c.time;
    }
  }
  return summary;
}

}  // namespace cairn
