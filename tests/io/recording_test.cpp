// SPDX-License-Identifier: Apache-2.0
// Recordings come back bit by bit, survive the death of their writer, and damage is an Error, never a crash.
#include "cairn/io/recording.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "cairn/io/certificate_fields.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

// HDF5 leaks after refusing a damaged file, and would complain about it when the tests end.
const herr_t no_complaint = H5dont_atexit();

/// A folder of its own for each test, removed at the end.
class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    std::string name = (fs::temp_directory_path() / "cairn_recording_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~RecordingTest() override { fs::remove_all(folder); }
  fs::path folder;
};

/// All kinds of things that are recorded: a resting box, a pendulum, an affine block, a driven plate.
Model make_model() {
  Model model;
  model.title = "A bit of everything: \xC3\xA9";
  model.add_material({"wood", 600});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Box{{0.5, 0.4, 0.3}}, .material = "wood", .position = {0, 0, 0.3}});
  model.add_rigid({.name = "bob", .shape = Box{{0.1, 0.1, 0.1}}, .position = {3, 0, 2}, .velocity = {0, 1, 0}});
  Affine soft;
  soft.name = "soft";
  soft.spec.shape = Box{{0.2, 0.2, 0.2}};
  soft.spec.position = {-3, 0, 0.25};
  soft.spec.velocity = {0.5, 0, -1};
  model.add_affine(soft);
  model.add_rigid({.name = "free", .mass = 2.0, .inertia = Mat3(Mat3::Identity())});
  FixedBody plate{.name = "plate", .shape = Box{{1, 1, 0.1}}, .position = {9, 0, 0}};
  plate.motion = PrescribedMotion{[](double t) { return Vec3(0, 0, t); }, {}};
  model.add_fixed(plate);
  model.add_joint({.name = "hook", .body_a = "bob", .position = {3, 0, 3}});
  model.run.step = 1.0 / 500;
  model.run.solver = {"gauss-seidel"};
  return model;
}

struct Seen {
  double time;
  VecX q, u;
  std::vector<Vec3> position, velocity, spin;
  std::vector<ContactResult> contacts;
  std::vector<JointImpulse> joints;
  Certificate certificate;
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class A, class B>
bool same(const A& a, const B& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST_F(RecordingTest, friction_and_area_come_back_and_format_3_without_them_is_read) {
  const fs::path file = folder / "run.h5";
  Simulation simulation(make_model());
  {
    Recorder recorder(file, simulation, {.interval = 0});
    for (int i = 0; i < 50; ++i) simulation.step(), recorder.record_step(simulation);
    recorder.close();
  }
  {
    const Recording recording(file);
    const auto contacts = recording.contacts(50);
    ASSERT_EQ(contacts.size(), simulation.contacts().size());
    double area = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      EXPECT_EQ(contacts[i].friction, simulation.contacts()[i].friction);
      EXPECT_EQ(contacts[i].area, simulation.contacts()[i].area);
      if (std::max(contacts[i].body_a, contacts[i].body_b) == 1) area += contacts[i].area;
    }
    EXPECT_NEAR(area, 1.0 * 0.8, 1e-9);  // the lower face of the box
    EXPECT_EQ(recording.bodies()[1].inertia, simulation.model().system().bodies.inertia(1));
    EXPECT_TRUE(recording.bodies()[0].inertia.isZero(0));
  }
  // The same file as an older program would have written it.
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(f, 0);
  for (const char* name :
       {"/contacts/friction", "/contacts/area", "/bodies/inertia", "/certificate/energy_gain", "/certificate/warnings"})
    H5Ldelete(f, name, H5P_DEFAULT);
  const auto set_version = [&](std::int64_t version) {
    const hid_t attribute = H5Aopen(f, "version", H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &version), 0);
    H5Aclose(attribute);
    H5Fflush(f, H5F_SCOPE_GLOBAL);
  };
  set_version(3);
  H5Fclose(f);
  const Recording old(file);
  ASSERT_FALSE(old.contacts(50).empty());
  EXPECT_EQ(old.contacts(50)[0].friction, 0);
  EXPECT_EQ(old.contacts(50)[0].force, old.frame(50).contacts[0].force);
  EXPECT_TRUE(old.bodies()[1].inertia.isZero(0));
  EXPECT_EQ(old.certificates().size(), 50u);
  EXPECT_EQ(old.certificates().back().warnings, 0);
}

TEST_F(RecordingTest, pulls_are_in_the_frames_they_were_made_in_and_format_4_has_none) {
  const fs::path file = folder / "run.h5";
  Simulation simulation(make_model());
  // Frames 11 to 15 are pulled at a corner of the bob, by a spring without damping: f = k (target - x).
  const Pull::Spec spec{
      .at = {.body = 2, .local = {0.1, 0, 0.1}}, .target = {3, 1, 2.5}, .stiffness = 50, .limit = 1e9};
  std::vector<Vec3> forces;
  {
    Recorder recorder(file, simulation, {.interval = 0});
    for (int i = 1; i <= 20; ++i) {
      if (i == 11) simulation.set_pull(Pull(spec));
      if (i == 16) simulation.set_pull({});
      simulation.step();
      recorder.record_step(simulation);
      if (!simulation.pull()) continue;
      const Vec3 x = simulation.position(BodyId{2}) + simulation.orientation(BodyId{2}) * spec.at.local;
      forces.push_back(spec.stiffness * (spec.target - x));
    }
    recorder.close();
  }
  Vec3 place;
  {
    const Recording recording(file);
    EXPECT_EQ(recording.pulled_frames(), 5u);
    for (std::size_t i = 0; i <= 20; ++i) {
      const auto pull = recording.pull(i);
      EXPECT_EQ(recording.frame(i).pull.has_value(), pull.has_value()) << i;
      ASSERT_EQ(pull.has_value(), i >= 11 && i <= 15) << i;
      if (!pull) continue;
      EXPECT_EQ(pull->body, 2);
      EXPECT_EQ(pull->point, spec.at.local);
      EXPECT_EQ(pull->target, spec.target);
      EXPECT_LT((pull->force - forces[i - 11]).norm(), 1e-12 * forces[i - 11].norm()) << i;
      EXPECT_EQ(recording.frame(i).pull->force, pull->force);
    }
    EXPECT_THROW(recording.pull(21), Error);
    place = recording.frame(12).position[2];
  }
  // The same file as the program before would have written it.
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(f, 0);
  H5Ldelete(f, "/pulls", H5P_DEFAULT);
  const std::int64_t version = 4;
  const hid_t attribute = H5Aopen(f, "version", H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, &version), 0);
  H5Aclose(attribute);
  H5Fclose(f);
  const Recording old(file);
  EXPECT_EQ(old.pulled_frames(), 0u);
  EXPECT_FALSE(old.frame(12).pull);
  EXPECT_EQ(old.frame(12).position[2], place);
}

TEST_F(RecordingTest, a_pull_at_a_body_that_is_not_there_is_damage) {
  const fs::path file = folder / "run.h5";
  {
    Simulation simulation(make_model());
    Recorder recorder(file, simulation, {.interval = 0});
    simulation.set_pull(Pull({.at = {.body = 2}, .target = {3, 1, 2.5}, .stiffness = 50, .limit = 1e9}));
    simulation.step();
    recorder.record_step(simulation);
    recorder.close();
  }
  const auto put = [&](const char* path, hid_t type, const void* value) {
    const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(f, path, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value), 0);
    H5Dclose(set);
    H5Fclose(f);
  };
  const std::int32_t body = 99;
  put("/pulls/body", H5T_NATIVE_INT32, &body);
  EXPECT_THROW(Recording(file).frame(1), Error);
  const std::int64_t frame = -1;
  put("/pulls/frame", H5T_NATIVE_INT64, &frame);
  EXPECT_THROW(Recording{file}, Error);
}

TEST_F(RecordingTest, tracks_and_columns_are_those_of_the_frames) {
  const fs::path file = folder / "run.h5";
  Simulation simulation(make_model());
  {
    Recorder recorder(file, simulation, {.interval = 0});
    for (int i = 0; i < 30; ++i) simulation.step(), recorder.record_step(simulation);
    recorder.close();
  }
  const Recording recording(file);
  const auto v = recording.track(Track::Velocity, 2, 10, 15);
  const auto force = recording.track(Track::JointForce, 0, 10, 15);
  ASSERT_EQ(v.size(), 45u);
  for (std::size_t i = 0; i < 15; ++i) {
    const Frame frame = recording.frame(10 + i, {.state = false, .contacts = false});
    EXPECT_EQ(Vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]), frame.velocity[2]);
    EXPECT_EQ(Vec3(force[3 * i], force[3 * i + 1], force[3 * i + 2]), frame.joint_force[0]);
    EXPECT_TRUE(frame.contacts.empty());
    EXPECT_EQ(frame.q.size(), 0);
  }
  EXPECT_THROW(recording.track(Track::Velocity, 99, 0, 1), Error);
  EXPECT_THROW(recording.track(Track::Velocity, 0, 30, 2), Error);
  const auto certificates = recording.certificates();
  const auto column = recording.certificate_field("residual", 5, 10);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(same_bits(column[i], certificates[5 + i].residual));
  EXPECT_THROW(recording.certificate_field("nothing", 0, 1), Error);
}

TEST_F(RecordingTest, switches_come_back_with_their_bodies_and_modes) {
  Model model;
  model.set_contact({.friction = 0.3, .restitution = 0});
  model.run.stepper = {"augmented", {{"order", "2"}}};
  model.run.step = 0.01;
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.15}});
  Simulation simulation(model);
  Recorder recorder(folder / "run.h5", simulation);
  simulation.run(0.2, [&](const Simulation& s) {
    recorder.record_step(s);
    return true;
  });
  recorder.close();
  const Recording recording(folder / "run.h5");
  const std::vector<RecordedSwitch> switches = recording.switches();
  ASSERT_GE(switches.size(), 1u);
  EXPECT_NEAR(switches[0].time, std::sqrt(2 * 0.05 / 9.81), 1e-5);
  EXPECT_EQ(switches[0].owner, LawOwner::Contact);
  EXPECT_EQ(switches[0].a + switches[0].b, 1);  // the two bodies
  EXPECT_EQ(switches[0].from, Mode::Open);
  EXPECT_EQ(switches[0].to, Mode::Closed);
}

TEST_F(RecordingTest, what_is_written_is_read_back_bit_by_bit) {
  Simulation simulation(make_model());
  const fs::path path = folder / "run.h5";
  std::vector<Seen> seen;
  Recorder recorder(path, simulation, {.interval = 0});
  for (int i = 0; i < 40; ++i) {
    simulation.step();
    recorder.record_step(simulation);
    Seen s{simulation.state().time(), simulation.state().motion.q, simulation.state().motion.u, {}, {}, {}, {}, {}, {}};
    for (int b = 0; b < simulation.model().body_count(); ++b) {
      s.position.push_back(simulation.position({b}));
      s.velocity.push_back(simulation.velocity({b}));
      s.spin.push_back(simulation.angular_velocity({b}));
    }
    s.contacts = simulation.contacts();
    s.joints.assign(simulation.joint_impulses().begin(), simulation.joint_impulses().end());
    s.certificate = simulation.certificate();
    seen.push_back(s);
  }
  recorder.close();

  const Recording recording(path);
  EXPECT_TRUE(recording.info().complete);
  EXPECT_EQ(recording.info().title, simulation.model().title);
  EXPECT_EQ(recording.info().stepper, "moreau");
  EXPECT_EQ(recording.info().solver, "gauss-seidel");
  EXPECT_TRUE(same_bits(recording.info().step, 1.0 / 500));
  ASSERT_EQ(recording.frame_count(), 41u);
  EXPECT_EQ(recording.times()[0], 0);
  const double h = 1.0 / 500;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Frame frame = recording.frame(i + 1);
    const Seen& s = seen[i];
    EXPECT_TRUE(same_bits(frame.time, s.time));
    EXPECT_TRUE(same(frame.q, s.q));
    EXPECT_TRUE(same(frame.u, s.u));
    ASSERT_EQ(frame.position.size(), s.position.size());
    for (std::size_t b = 0; b < s.position.size(); ++b) {
      EXPECT_TRUE(same(frame.position[b], s.position[b]));
      EXPECT_TRUE(same(frame.velocity[b], s.velocity[b]));
      EXPECT_TRUE(same(frame.angular_velocity[b], s.spin[b]));
    }
    ASSERT_EQ(frame.contacts.size(), s.contacts.size());
    for (std::size_t k = 0; k < s.contacts.size(); ++k) {
      EXPECT_EQ(frame.contacts[k].body_a, s.contacts[k].body_a);
      EXPECT_EQ(frame.contacts[k].body_b, s.contacts[k].body_b);
      EXPECT_EQ(frame.contacts[k].state, s.contacts[k].state);
      EXPECT_TRUE(same_bits(frame.contacts[k].gap, s.contacts[k].gap));
      EXPECT_TRUE(same(frame.contacts[k].point, s.contacts[k].point));
      EXPECT_TRUE(same(frame.contacts[k].normal, s.contacts[k].normal));
      EXPECT_TRUE(same(frame.contacts[k].force, Vec3(s.contacts[k].impulse / h)));
    }
    ASSERT_EQ(frame.joint_force.size(), 1u);
    EXPECT_TRUE(same(frame.joint_force[0], Vec3(s.joints[0].force / h)));
  }
  const std::vector<Certificate> certificates = recording.certificates();
  ASSERT_EQ(certificates.size(), seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (const CertificateField& field : certificate_fields()) {
      EXPECT_TRUE(same_bits(field.get(certificates[i]), field.get(seen[i].certificate))) << field.name;
    }
  }
}

TEST_F(RecordingTest, bodies_come_back_with_names_shapes_and_placements) {
  Simulation simulation(make_model());
  Recorder recorder(folder / "run.h5", simulation);
  simulation.run(0.1, [&](const Simulation& s) { return recorder.record_step(s), true; });
  recorder.close();
  const Recording recording(folder / "run.h5");
  ASSERT_EQ(recording.bodies().size(), 6u);
  const std::vector<FrameBody>& b = recording.bodies();
  EXPECT_EQ(b[0].kind, "fixed");
  EXPECT_EQ(std::get<HalfSpace>(*b[0].shape).normal, Vec3(0, 0, 1));
  EXPECT_EQ(b[1].name, "box");
  EXPECT_EQ(b[1].material, "wood");
  EXPECT_EQ(std::get<Box>(*b[1].shape).half_extents, Vec3(0.5, 0.4, 0.3));
  EXPECT_DOUBLE_EQ(b[1].mass, 600 * 1.0 * 0.8 * 0.6);
  EXPECT_TRUE(b[3].deforms);
  EXPECT_EQ(b[3].kind, "affine");
  EXPECT_FALSE(b[4].shape);
  EXPECT_EQ(b[5].kind, "prescribed");
  ASSERT_EQ(recording.joints().size(), 1u);
  EXPECT_EQ(recording.joints()[0].name, "hook");
  EXPECT_EQ(recording.joints()[0].body_a, 2);
  EXPECT_EQ(recording.joints()[0].body_b, -1);
  const Frame last = recording.frame(recording.frame_count() - 1);
  for (int body = 0; body < 6; ++body) {
    const Placement p = simulation.model().system().bodies.placement(body, simulation.state().motion.q);
    const Placement read = last.placement(static_cast<std::size_t>(body));
    EXPECT_LT((read.A - p.A).norm(), 1e-14);
    EXPECT_EQ(read.c, p.c);
  }
}

TEST_F(RecordingTest, frames_are_at_multiples_of_the_interval_and_at_the_last_step) {
  Model model;
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}});
  model.run.step = 1e-3;
  Simulation simulation(model);
  Recorder recorder(folder / "run.h5", simulation, {.interval = 0.01});
  for (int i = 0; i < 1234; ++i) simulation.step(), recorder.record_step(simulation);
  recorder.close();
  const Recording recording(folder / "run.h5");
  ASSERT_EQ(recording.frame_count(), 125u);  // 0, 0.01, ... 1.23 and 1.234
  for (std::size_t i = 0; i < 124; ++i) EXPECT_NEAR(recording.times()[i], 0.01 * double(i), 1e-9);
  EXPECT_NEAR(recording.times().back(), 1.234, 1e-9);
  EXPECT_EQ(recording.certificates().size(), 1234u);
}

TEST_F(RecordingTest, recorded_forces_on_a_resting_box_carry_its_weight) {
  Model model;
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Box{{0.5, 0.5, 0.5}}, .position = {0, 0, 0.5}, .mass = 7.0});
  Simulation simulation(model);
  Recorder recorder(folder / "run.h5", simulation);
  simulation.run(0.05, [&](const Simulation& s) { return recorder.record_step(s), true; });
  recorder.close();
  const Recording recording(folder / "run.h5");
  Vec3 sum = Vec3::Zero();
  for (const FrameContact& c : recording.frame(recording.frame_count() - 1).contacts) {
    sum += c.body_a == 1 ? c.force : Vec3(-c.force);
  }
  EXPECT_NEAR(sum.z(), 7 * 9.81, 1e-5);
  const RunSummary summary = summarise(recording.certificates(), recording.times()[0]);
  EXPECT_EQ(summary.steps, simulation.summary().steps);
  EXPECT_NEAR(summary.simulated, 0.05, 1e-12);
  EXPECT_EQ(summary.residual, simulation.summary().residual);
}

TEST_F(RecordingTest, without_contacts_only_the_motion_is_there) {
  Simulation simulation(make_model());
  Recorder recorder(folder / "run.h5", simulation, {.interval = 0, .contacts = false});
  simulation.run(0.01, [&](const Simulation& s) { return recorder.record_step(s), true; });
  recorder.close();
  const Recording recording(folder / "run.h5");
  EXPECT_FALSE(recording.info().contacts);
  EXPECT_TRUE(recording.frame(3).contacts.empty());
  EXPECT_EQ(recording.frame(3).position.size(), 6u);
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(RecordingTest, only_recordings_are_replaced) {
  const Simulation simulation(make_model());
  const fs::path notes = folder / "notes.h5", run = folder / "run.h5";
  std::ofstream(notes) << "my notes";
  EXPECT_NE(error_of([&] { Recorder r(notes, simulation); }).find("notes.h5: is there already"), std::string::npos);
  EXPECT_EQ(fs::file_size(notes), 8u);
  { Recorder first(run, simulation); }
  { Recorder second(run, simulation); }
  EXPECT_EQ(Recording(run).frame_count(), 1u);
  EXPECT_NE(error_of([&] { Recorder r("/dev/full", simulation); }).find("/dev/full: "), std::string::npos);
  EXPECT_NE(error_of([&] { Recorder r(folder / "none" / "run.h5", simulation); }).find("run.h5: "), std::string::npos);
  EXPECT_NE(error_of([&] { Recorder r(folder, simulation); }).find(folder.string() + ": "), std::string::npos);
}

TEST_F(RecordingTest, foreign_files_are_named_as_such) {
  const fs::path other = folder / "other.h5";
  for (const bool latest : {false, true}) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Fclose(H5Fcreate(other.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
    EXPECT_NE(error_of([&] { Recording r(other); }).find("not a recording of Cairn"), std::string::npos);
  }
  std::ofstream(folder / "text") << "cairn: 1";
  EXPECT_NE(error_of([&] { Recording r(folder / "text"); }).find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(error_of([&] { Recording r(folder / "none"); }).find("there is no such file"), std::string::npos);
  EXPECT_NE(error_of([&] { Recording r(folder); }).find("is a directory"), std::string::npos);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Reads all there is; true when that worked.
bool reads(const fs::path& path) {
  const std::string message = error_of([&] {
    const Recording recording(path);
    for (std::size_t i = 0; i < recording.frame_count(); ++i) recording.frame(i);
    recording.certificates();
  });
  if (!message.empty()) {
    EXPECT_EQ(message.rfind(path.string() + ": ", 0), 0u) << message;
  }
  return message.empty();
}

TEST_F(RecordingTest, damaged_and_cut_files_are_errors) {
  Simulation simulation(make_model());
  const fs::path path = folder / "run.h5", copy = folder / "copy.h5";
  Recorder recorder(path, simulation, {.interval = 0});
  simulation.run(0.02, [&](const Simulation& s) { return recorder.record_step(s), true; });
  recorder.close();
  const std::string good = bytes_of(path);
  ASSERT_TRUE(reads(path));
  for (int k = 0; k < 20; ++k) {
    std::ofstream(copy, std::ios::binary) << good.substr(0, good.size() * static_cast<std::size_t>(k) / 20);
    EXPECT_FALSE(reads(copy)) << "cut at " << k << "/20";
  }
  int refused = 0;
  std::uint64_t state = 1;  // Knuth's linear congruential generator
  for (int k = 0; k < 60; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::string bad = good;
    // Mostly in the head of the file, where the metadata are.
    const std::size_t where = (state >> 33) % (k % 3 == 0 ? good.size() : 4000);
    bad[where] = static_cast<char>(bad[where] ^ (1 << (k % 8)));
    std::ofstream(copy, std::ios::binary) << bad;
    refused += reads(copy) ? 0 : 1;
  }
  EXPECT_GT(refused, 15);  // metadata carry checksums, so most of these are noticed
}

/// Runs `work` in a process of its own and returns its id.
pid_t start(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

TEST_F(RecordingTest, a_killed_run_stays_readable_and_a_running_one_is_readable) {
  const fs::path path = folder / "run.h5";
  const pid_t child = start([&] {
    Simulation simulation(make_model());
    Recorder recorder(path, simulation, {.interval = 0.004});
    for (int i = 0;; ++i) {
      simulation.step();
      recorder.record_step(simulation);
      if (i % 50 == 0) recorder.flush();
    }
  });
  ASSERT_GT(child, 0);
  // While it runs.
  std::size_t frames = 0;
  for (int attempt = 0; attempt < 500 && frames < 100; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    error_of([&] { frames = Recording(path).frame_count(); });
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_GE(frames, 100u);

  {
    const Recording recording(path);
    EXPECT_FALSE(recording.info().complete);
    EXPECT_GE(recording.frame_count(), frames);
    for (std::size_t i = 0; i < recording.frame_count(); ++i) {
      const Frame frame = recording.frame(i);
      EXPECT_NEAR(frame.time, 0.004 * static_cast<double>(i), 1e-6);
      EXPECT_TRUE(frame.q.allFinite());
      EXPECT_NEAR(frame.orientation[1].norm(), 1, 1e-9);  // not a row of zeros
      if (i > 0) {
        EXPECT_FALSE(frame.contacts.empty());  // the box rests on the ground
      }
    }
    const std::vector<Certificate> certificates = recording.certificates();
    ASSERT_GE(certificates.size(), 2 * (recording.frame_count() - 1));
    for (std::size_t i = 1; i < certificates.size(); ++i) EXPECT_GT(certificates[i].time, certificates[i - 1].time);
  }
  // And such a file may be replaced.
  const Simulation simulation(make_model());
  { Recorder again(path, simulation); }
  EXPECT_TRUE(Recording(path).info().complete);
}

TEST_F(RecordingTest, a_full_disk_is_an_error_that_names_the_file) {
  const fs::path path = folder / "run.h5";
  const pid_t child = start([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Simulation simulation(make_model());
    Recorder recorder(path, simulation, {.interval = 0});
    const std::string message = error_of([&] {
      for (int i = 0; i < 5000; ++i) {
        simulation.step();
        recorder.record_step(simulation);
        if (i % 100 == 99) recorder.flush();
      }
    });
    error_of([&] { recorder.close(); });
    _exit(message.rfind(path.string() + ": ", 0) == 0 && message.find("File too large") != std::string::npos ? 7 : 8);
  });
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(reads(path));  // what had been flushed before
}

}  // namespace
}  // namespace cairn
