// SPDX-License-Identifier: Apache-2.0
// Writing recordings: all data sets first, then HDF5's single-writer mode, then rows. See docs/recording.md.
//
// A reader of an unfinished file must not see half a frame. So a flush has two acts: first all rows, then the numbers
// of frames and steps that are whole (/committed). HDF5's own rules keep its metadata readable at any moment.
#include "cairn/io/certificate_fields.h"
#include "cairn/io/recording.h"
#include "cairn/io/recording_layout.h"
#include "cairn/io/version.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;
/// Between flushes: one second at first, later 1 % of the time so far, but never more than five seconds. Each flush
/// costs some space (see hdf5_table.cpp), so a long run should not have too many.
constexpr Clock::duration kFlushLeast = std::chrono::seconds(1), kFlushMost = std::chrono::seconds(5);

/// "tolerance=1e-6, symmetric=true".
std::string parameters_text(const ParameterValues& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

/// The words of an enumeration in the order of its numbers.
template <class Enum>
std::string values_text() {
  std::string text;
  for (int i = 0; to_string(static_cast<Enum>(i)) != "?"; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, to_string(static_cast<Enum>(i)));
  }
  return text;
}

/// Refuses to take the place of anything that is not a recording; an empty file is nothing.
void check_replaceable(const std::filesystem::path& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status)) {
    throw Error("{}: is not a regular file; a recording cannot be written there", path.string());
  }
  if (std::filesystem::file_size(path, problem) == 0 && !problem) return;
  try {
    bool complete = false;
    open_recording_file(path, complete);
  } catch (const Error&) {
    throw Error(
        "{}: is there already and is not a recording of Cairn; it is left as it is (remove it, or choose another "
        "name)",
        path.string());
  }
}

Hdf5File create_file(const std::filesystem::path& path) {
  Hdf5File file;
  file.name = path.string();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);  // what single-writer mode needs, and no newer
  H5Pset_file_locking(access.id(), true, true);
  file.handle = {H5Fcreate(file.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
  file.check(file.handle.valid(), "cannot be created");
  return file;
}

/// After a failed write the file is whole up to the last flush. HDF5 would still write its caches when it closes, and
/// the pieces that happen to fit would spoil that; so what it writes from now on goes nowhere.
void disconnect(const Hdf5File& file) {
  void* descriptor = nullptr;
  if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0 || !descriptor) return;
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, *static_cast<int*>(descriptor));
  ::close(nowhere);
}

}  // namespace

struct Recorder::Impl {
  Hdf5File file;
  OutputSettings output;
  const Simulation* last = nullptr;  ///< given to the last record_step()
  double step = 0;                   ///< of the model [s]
  double last_time = 0;              ///< of the last step seen
  double next_time = 0;              ///< when the next frame is due
  double frame_time = 0;             ///< of the last frame
  std::int64_t frames = 0;
  bool broken = false;  ///< a write failed: nothing more is written
  Clock::time_point begin = Clock::now(), last_flush = begin;
  std::vector<std::size_t> deforming;

  Hdf5Table time, q, u, position, orientation, velocity, angular_velocity, deformation;
  Hdf5Table offset, contact_bodies, point, normal, force, gap, contact_state, friction, area;
  Hdf5Table joint_force, joint_torque, joint_broken, joint_coordinate, law_force, memory;
  Hdf5Table switch_time, switch_law, switch_modes;
  Hdf5Table pull_frame, pull_body, pull_point, pull_target, pull_force;
  std::vector<Hdf5Table> certificate;  ///< one per field
  Hdf5Handle committed;
  Frame frame;  ///< scratch, as is `row`
  std::vector<double> row;

  void create_fixed_sets(const Simulation& simulation);
  void create_tables(const Simulation& simulation);
  void record_frame(const Simulation& simulation);
  void append_contacts();
  template <class Get>
  void append_rows(Hdf5Table& table, std::size_t count, Get&& get);
  std::vector<Hdf5Table*> tables();
  void flush();
  void schedule(double now);
};

void Recorder::Impl::create_fixed_sets(const Simulation& simulation) {
  const Model& model = simulation.model();
  const System& system = model.system();
  write_attribute(file, "format", kRecordingFormat);
  write_attribute(file, "version", std::int64_t{kRecordingVersion});
  write_attribute(file, "cairn", kVersion);
  write_attribute(file, "title", model.title);
  write_attribute(file, "step", std::span(&model.run.step, 1));
  write_attribute(file, "interval", std::span(&output.interval, 1));
  write_attribute(file, "gravity", std::span(system.gravity.data(), 3));
  write_attribute(file, "stepper", model.run.stepper.name);
  write_attribute(file, "stepper_parameters", parameters_text(model.run.stepper.parameters));
  write_attribute(file, "solver", model.run.solver.name);
  write_attribute(file, "solver_parameters", parameters_text(model.run.solver.parameters));
  write_attribute(file, "status_values", values_text<StepStatus>());
  write_attribute(file, "solve_status_values", values_text<SolveStatus>());
  write_attribute(file, "contact_state_values", "0 open, 1 stick, 2 slip");
  write_attribute(file, "law_owner_values", "0 contact, 1 joint, 2 law on a coordinate, 3 own contact");
  write_attribute(file, "law_facet_values", values_text<LawFacet>());
  write_attribute(file, "mode_values", values_text<Mode>());

  const FrameModel parts = make_frame_model(model);
  std::vector<std::string> names, kinds, materials, shapes;
  std::vector<double> mass, inertia, numbers;
  std::vector<std::int64_t> number_offset{0};
  std::vector<std::int32_t> deformation_row;
  for (const FrameBody& body : parts.bodies) {
    names.push_back(body.name);
    kinds.push_back(body.kind);
    mass.push_back(body.mass);
    inertia.insert(inertia.end(), body.inertia.data(), body.inertia.data() + 9);
    materials.push_back(body.material);
    shapes.emplace_back(body.shape ? shape_name(*body.shape) : "");
    if (body.shape) {
      for (const double x : shape_numbers(*body.shape)) numbers.push_back(x);
    }
    number_offset.push_back(static_cast<std::int64_t>(numbers.size()));
    deformation_row.push_back(body.deforms ? static_cast<std::int32_t>(deforming.size()) : -1);
    if (body.deforms) deforming.push_back(names.size() - 1);
  }
  const auto n = static_cast<hsize_t>(names.size());
  write_texts(file, "/bodies/name", names);
  write_texts(file, "/bodies/kind", kinds);
  write_texts(file, "/bodies/material", materials);
  write_texts(file, "/bodies/shape", shapes);
  write_set<double>(file, "/bodies/mass", mass, {n});
  write_set<double>(file, "/bodies/inertia", inertia, {n, 9});
  write_set<double>(file, "/bodies/shape_numbers", numbers, {numbers.size()});
  write_set<std::int64_t>(file, "/bodies/shape_offset", number_offset, {n + 1});
  write_set<std::int32_t>(file, "/bodies/deformation_row", deformation_row, {n});

  std::vector<std::string> joint_names, joint_types, coordinates;
  std::vector<std::int32_t> joint_bodies, coordinate_joints;
  std::vector<double> anchors_a, anchors_b;
  for (const FrameJoint& joint : parts.joints) {
    joint_names.push_back(joint.name);
    joint_types.push_back(joint.type);
    joint_bodies.insert(joint_bodies.end(), {joint.body_a, joint.body_b});
    anchors_a.insert(anchors_a.end(), joint.anchor_a.begin(), joint.anchor_a.end());
    anchors_b.insert(anchors_b.end(), joint.anchor_b.begin(), joint.anchor_b.end());
  }
  for (const FrameCoordinate& coordinate : parts.coordinates) {
    coordinates.push_back(coordinate.name);
    coordinate_joints.push_back(coordinate.joint);
  }
  const auto nj = static_cast<hsize_t>(joint_names.size());
  write_texts(file, "/joints/name", joint_names);
  write_texts(file, "/joints/type", joint_types);
  write_texts(file, "/joints/coordinate_name", coordinates);
  write_set<std::int32_t>(file, "/joints/coordinate_joint", coordinate_joints, {coordinate_joints.size()});
  write_texts(file, "/joints/law_name", parts.laws);
  write_texts(file, "/forces/memory_force", parts.memory_forces);
  write_set<std::int32_t>(file, "/joints/bodies", joint_bodies, {nj, 2});
  write_set<double>(file, "/joints/anchor_a", anchors_a, {nj, 3});
  write_set<double>(file, "/joints/anchor_b", anchors_b, {nj, 3});
}

void Recorder::Impl::create_tables(const Simulation& simulation) {
  const System& system = simulation.model().system();
  const Hdf5Type f64 = hdf5_type(static_cast<double*>(nullptr)), i32 = hdf5_type(static_cast<std::int32_t*>(nullptr)),
                 i64 = hdf5_type(static_cast<std::int64_t*>(nullptr)),
                 u8 = hdf5_type(static_cast<std::uint8_t*>(nullptr));
  const auto count = [](auto n) { return static_cast<hsize_t>(n); };
  // A data set whose rows would be empty is not made; append_rows() passes over it.
  const auto make = [&](Hdf5Table& table, const std::string& path, Hdf5Type type, std::vector<hsize_t> shape) {
    if (shape.empty() || shape[0] > 0) table = Hdf5Table(file, path, type, std::move(shape));
  };
  const hsize_t nb = count(system.bodies.size());
  make(time, "/time", f64, {});
  make(q, "/frame/q", f64, {count(system.bodies.nq())});
  make(u, "/frame/u", f64, {count(system.bodies.nu())});
  make(position, "/frame/position", f64, {nb, 3});
  make(orientation, "/frame/orientation", f64, {nb, 4});
  make(velocity, "/frame/velocity", f64, {nb, 3});
  make(angular_velocity, "/frame/angular_velocity", f64, {nb, 3});
  make(deformation, "/frame/deformation", f64, {count(deforming.size()), 9});
  make(joint_force, "/joints/force", f64, {count(system.joints.size()), 3});
  make(joint_torque, "/joints/torque", f64, {count(system.joints.size()), 3});
  make(joint_broken, "/joints/broken", u8, {count(system.joints.size())});
  make(joint_coordinate, "/joints/coordinate", f64, {count(simulation.state().motion.s.size())});
  make(memory, "/forces/memory", f64, {count(simulation.state().motion.memory.size())});
  make(law_force, "/joints/law_force", f64, {count(system.coordinate_laws.size())});
  if (output.contacts) {
    make(offset, "/contacts/offset", i64, {});
    make(contact_bodies, "/contacts/bodies", i32, {2});
    make(point, "/contacts/point", f64, {3});
    make(normal, "/contacts/normal", f64, {3});
    make(force, "/contacts/force", f64, {3});
    make(gap, "/contacts/gap", f64, {});
    make(contact_state, "/contacts/state", u8, {});
    make(friction, "/contacts/friction", f64, {});
    make(area, "/contacts/area", f64, {});
    offset.append(std::int64_t{0});
  }
  if (simulation.stepper().locates_switches()) {
    make(switch_time, "/switches/time", f64, {});
    make(switch_law, "/switches/law", i32, {4});
    make(switch_modes, "/switches/modes", u8, {2});
  }
  make(pull_frame, "/pulls/frame", i64, {});
  make(pull_body, "/pulls/body", i32, {});
  make(pull_point, "/pulls/point", f64, {3});
  make(pull_target, "/pulls/target", f64, {3});
  make(pull_force, "/pulls/force", f64, {3});
  for (const CertificateField& field : certificate_fields()) {
    certificate.emplace_back(file, "/certificate/" + std::string(field.name), field.integer ? i32 : f64);
  }
  const std::array<std::int64_t, 2> none{0, 0};
  committed = write_set<std::int64_t>(file, "/committed", none, {2});
}

/// One row made of `count` items, each a list of numbers.
template <class Get>
void Recorder::Impl::append_rows(Hdf5Table& table, std::size_t count, Get&& get) {
  if (!table.exists()) return;
  row.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const auto item = get(i);
    row.insert(row.end(), item.begin(), item.end());
  }
  table.append(std::span<const double>(row));
}

void Recorder::Impl::record_frame(const Simulation& simulation) {
  take_frame(simulation, frame);
  const auto whole = [](Hdf5Table& table, const auto& numbers) {
    if (table.exists()) table.append(std::span(numbers.data(), static_cast<std::size_t>(numbers.size())));
  };
  const auto rows = [&](Hdf5Table& table, const std::vector<Vec3>& vectors) {
    append_rows(table, vectors.size(), [&](std::size_t i) -> const Vec3& { return vectors[i]; });
  };
  time.append(frame.time);
  whole(q, frame.q);
  whole(u, frame.u);
  rows(position, frame.position);
  append_rows(orientation, frame.orientation.size(), [&](std::size_t b) {
    const Quat& r = frame.orientation[b];
    return std::array<double, 4>{r.w(), r.x(), r.y(), r.z()};
  });
  rows(velocity, frame.velocity);
  rows(angular_velocity, frame.angular_velocity);
  append_rows(deformation, deforming.size(), [&](std::size_t k) {
    const Mat3& A = frame.deformation[deforming[k]];
    return std::array<double, 9>{A(0, 0), A(0, 1), A(0, 2), A(1, 0), A(1, 1), A(1, 2), A(2, 0), A(2, 1), A(2, 2)};
  });
  rows(joint_force, frame.joint_force);
  rows(joint_torque, frame.joint_torque);
  whole(joint_broken, frame.broken);
  whole(joint_coordinate, frame.joint_coordinate);
  whole(memory, frame.memory);
  whole(law_force, frame.law_force);
  if (output.contacts) append_contacts();
  if (frame.pull) {
    pull_frame.append(frames);
    pull_body.append(static_cast<std::int32_t>(frame.pull->body));
    pull_point.append(std::span<const double>(frame.pull->point.data(), 3));
    pull_target.append(std::span<const double>(frame.pull->target.data(), 3));
    pull_force.append(std::span<const double>(frame.pull->force.data(), 3));
  }
  frame_time = frame.time;
  ++frames;
}

void Recorder::Impl::append_contacts() {
  for (const FrameContact& c : frame.contacts) {
    const std::array<std::int32_t, 2> pair{c.body_a, c.body_b};
    contact_bodies.append(std::span<const std::int32_t>(pair));
    point.append(std::span<const double>(c.point.data(), 3));
    normal.append(std::span<const double>(c.normal.data(), 3));
    force.append(std::span<const double>(c.force.data(), 3));
    gap.append(c.gap);
    contact_state.append(static_cast<std::uint8_t>(c.state));
    friction.append(c.friction);
    area.append(c.area);
  }
  offset.append(static_cast<std::int64_t>(gap.rows()));
}

std::vector<Hdf5Table*> Recorder::Impl::tables() {
  std::vector<Hdf5Table*> all{&time,
                              &q,
                              &u,
                              &position,
                              &orientation,
                              &velocity,
                              &angular_velocity,
                              &deformation,
                              &offset,
                              &contact_bodies,
                              &point,
                              &normal,
                              &force,
                              &gap,
                              &contact_state,
                              &friction,
                              &area,
                              &joint_force,
                              &joint_torque,
                              &joint_broken,
                              &joint_coordinate,
                              &law_force,
                              &memory,
                              &switch_time,
                              &switch_law,
                              &switch_modes,
                              &pull_frame,
                              &pull_body,
                              &pull_point,
                              &pull_target,
                              &pull_force};
  for (Hdf5Table& table : certificate) all.push_back(&table);
  return all;
}

void Recorder::Impl::flush() {
  broken = true;  // until all has gone well
  for (Hdf5Table* table : tables()) {
    if (table->exists()) table->write();
  }
  file.check(H5Fflush(file.id(), H5F_SCOPE_LOCAL) >= 0, "cannot be written");
  const std::array<std::int64_t, 2> whole{frames, static_cast<std::int64_t>(certificate.front().rows())};
  const bool good = H5Dwrite(committed.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole.data()) >= 0 &&
                    H5Dflush(committed.id()) >= 0;
  file.check(good, "cannot be written");
  broken = false;
  last_flush = Clock::now();
}

void Recorder::Impl::schedule(double now) {
  // The sum of many steps is not exactly a multiple of them.
  const double slack = 1e-6 * step;
  if (output.interval > 0) next_time = output.interval * (std::floor((now + slack) / output.interval) + 1) - slack;
}

Recorder::Recorder(const std::filesystem::path& path, const Simulation& simulation, const OutputSettings& output)
    : impl_(std::make_unique<Impl>()) {
  const Hdf5Quiet quiet;
  if (!(std::isfinite(output.interval) && output.interval >= 0)) {
    throw Error("output: interval is {} s; must be >= 0", output.interval);
  }
  check_replaceable(path);
  Impl& r = *impl_;
  r.output = output;
  r.step = simulation.model().run.step;
  r.last_time = simulation.state().time();
  r.file = create_file(path);
  try {
    r.create_fixed_sets(simulation);
    r.create_tables(simulation);
    r.file.check(H5Fstart_swmr_write(r.file.id()) >= 0, "cannot begin to record");
    r.record_frame(simulation);
    r.schedule(r.last_time);
    r.flush();
  } catch (...) {
    impl_.reset();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw;
  }
}

Recorder::~Recorder() {
  try {
    close();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): a destructor has nobody to tell
  }
}

void Recorder::record_step(const Simulation& simulation) {
  Impl& r = *impl_;
  if (!r.file.handle.valid()) throw Error("{}: the recording is closed already", r.file.name);
  if (r.broken) return;
  const Hdf5Quiet quiet;
  const Certificate& c = simulation.certificate();
  const std::span<const CertificateField> fields = certificate_fields();
  r.last = &simulation;
  r.broken = true;  // until all has gone well
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const double value = fields[i].get(c);
    if (fields[i].integer) {
      r.certificate[i].append(static_cast<std::int32_t>(value));
    } else {
      r.certificate[i].append(value);
    }
  }
  for (const ModeSwitch& s : simulation.switches()) {
    // Contacts are told by their bodies, all others by their index.
    const auto& colliders = simulation.model().system().colliders;
    const bool contact = s.law.owner == LawOwner::Contact;
    const std::array<std::int32_t, 4> law{static_cast<std::int32_t>(s.law.owner),
                                          static_cast<std::int32_t>(s.law.facet),
                                          contact ? colliders[static_cast<std::size_t>(s.law.a)].body : s.law.a,
                                          contact ? colliders[static_cast<std::size_t>(s.law.b)].body : s.law.b};
    const std::array<std::uint8_t, 2> modes{static_cast<std::uint8_t>(s.from), static_cast<std::uint8_t>(s.to)};
    r.switch_time.append(s.time);
    r.switch_law.append(std::span<const std::int32_t>(law));
    r.switch_modes.append(std::span<const std::uint8_t>(modes));
  }
  const double now = simulation.state().time();
  if (now > r.last_time) {  // else the step failed and the state is the old one
    r.last_time = now;
    if (r.output.interval == 0 || now >= r.next_time) {
      r.record_frame(simulation);
      r.schedule(now);
    }
  }
  r.broken = false;
  const Clock::time_point clock = Clock::now();
  if (clock - r.last_flush >= std::clamp((clock - r.begin) / 100, kFlushLeast, kFlushMost)) r.flush();
}

void Recorder::flush() {
  const Hdf5Quiet quiet;
  if (!impl_->broken && impl_->file.handle.valid()) impl_->flush();
}

std::int64_t Recorder::frame_count() const { return impl_->frames; }

void Recorder::close() {
  Impl& r = *impl_;
  if (!r.file.handle.valid()) return;
  const Hdf5Quiet quiet;
  std::string failure;
  if (!r.broken) {
    try {
      if (r.last && r.frame_time != r.last_time) r.record_frame(*r.last);
      r.flush();
    } catch (const Error& error) {
      failure = error.what();
    }
  }
  const bool was_broken = r.broken;
  if (was_broken) disconnect(r.file);
  r.committed.close();
  for (Hdf5Table* table : r.tables()) *table = Hdf5Table();
  r.certificate.clear();
  const bool closed = r.file.handle.close();
  if (!failure.empty()) throw Error(failure);
  if (!closed && !was_broken) throw Error("{}: cannot be finished: {}", r.file.name, hdf5_reason());
}

}  // namespace cairn
