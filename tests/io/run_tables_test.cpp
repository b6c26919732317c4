// SPDX-License-Identifier: Apache-2.0
// Tables of recordings, as text and as columns, against the recording; archives are opened by a reader of our own and,
// where it is installed, by NumPy.
#include "cairn/io/run_tables.h"

#include <zlib.h>

#include <cstring>
#include <map>
#include <sstream>

#include "cairn/base/error.h"
#include "cairn/io/certificate_fields.h"
#include "cairn/io/npz.h"
#include "io/sample_recording.h"

namespace cairn {
namespace {

using TableTest = SampleTest;

std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line + ",");
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

TEST_F(TableTest, the_bodies_have_one_line_per_frame_and_body) {
  const Recording recording(record());
  write_table_csv(recording, RunTable::Bodies, folder / "x.csv");
  const auto rows = read_csv(text_of("x.csv"));
  EXPECT_EQ(text_of("x.csv").substr(0, 45), "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  const std::size_t n = recording.bodies().size();
  ASSERT_EQ(rows.size(), 1 + n * recording.frame_count());
  const std::vector<std::string>& ball = rows[1 + 5 * n + 2];
  EXPECT_EQ(ball[1], "ball");
  EXPECT_EQ(std::stod(ball[0]), recording.times()[5]);
  EXPECT_EQ(std::stod(ball[4]), recording.frame(5).position[2].z());
}

TEST_F(TableTest, the_contacts_name_their_bodies_and_carry_the_weight) {
  const Recording recording(record());
  write_table_csv(recording, RunTable::Contacts, folder / "x.csv");
  const auto rows = read_csv(text_of("x.csv"));
  ASSERT_EQ(rows[0].size(), 14u);
  double carried = 0;  // by the ground under the box, at the end
  for (const auto& row : rows) {
    if (row[0] == "time" || std::stod(row[0]) != recording.times().back()) continue;
    if (row[1] == "box" && row[2] == "ground") carried += std::stod(row[11]);
    if (row[1] == "ground" && row[2] == "box") carried -= std::stod(row[11]);
  }
  EXPECT_NEAR(carried, 600 * 1.0 * 0.8 * 0.6 * 9.81, 1e-2);
}

TEST_F(TableTest, pulls_have_a_row_per_frame_with_one) {
  Model model;
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}});
  Simulation simulation(model);
  const std::filesystem::path file = folder / "pulled.h5";
  {
    Recorder recorder(file, simulation, {.interval = 0});
    simulation.set_pull(
        Pull({.at = {.body = 0, .local = {0.1, 0, 0}}, .target = {2, 0, 0}, .stiffness = 3, .limit = 4}));
    for (int i = 0; i < 3; ++i) simulation.step(), recorder.record_step(simulation);
    simulation.set_pull({});
    for (int i = 0; i < 3; ++i) simulation.step(), recorder.record_step(simulation);
    recorder.close();
  }
  const Recording recording(file);
  write_table_csv(recording, RunTable::Pulls, folder / "p.csv");
  const auto rows = read_csv(text_of("p.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(text_of("p.csv").substr(0, 37), "time,body,px,py,pz,tx,ty,tz,fx,fy,fz\n");
  EXPECT_EQ(std::stod(rows[1][0]), recording.times()[1]);
  EXPECT_EQ(rows[1][1], "ball");
  EXPECT_EQ(rows[1][2], "0.1");
  EXPECT_EQ(rows[1][5], "2");
  // 3 N/m over 1.9 m would be more than the limit.
  EXPECT_NEAR(std::hypot(std::stod(rows[1][8]), std::stod(rows[1][9]), std::stod(rows[1][10])), 4, 1e-12);
}

TEST_F(TableTest, joints_and_certificate_have_their_rows) {
  const Recording recording(record());
  write_table_csv(recording, RunTable::Joints, folder / "j.csv");
  const auto joints = read_csv(text_of("j.csv"));
  ASSERT_EQ(joints.size(), 1 + recording.frame_count());
  EXPECT_EQ(joints[3][1], "hook");
  EXPECT_EQ(std::stod(joints[3][4]), recording.frame(2).joint_force[0].z());
  write_table_csv(recording, RunTable::Certificate, folder / "c.csv");
  const auto steps = read_csv(text_of("c.csv"));
  ASSERT_EQ(steps.size(), 1 + recording.certificates().size());
  ASSERT_EQ(steps[0].size(), certificate_fields().size());
  for (std::size_t k = 0; k < steps[0].size(); ++k) {
    EXPECT_EQ(steps[0][k], certificate_fields()[k].name);
    EXPECT_EQ(std::stod(steps[50][k]), certificate_fields()[k].get(recording.certificates()[49])) << steps[0][k];
  }
}

/// Member by member from the directory at the end, as the specification of zip says.
std::map<std::string, std::string> unzip(const std::string& bytes) {
  std::map<std::string, std::string> members;
  const auto number = [&](std::size_t at, std::size_t size) {
    std::size_t value = 0;
    for (std::size_t k = 0; k < size; ++k) value |= std::size_t(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
    return value;
  };
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(bytes.substr(end, 4), "PK\x05\x06");
  std::size_t at = number(end + 16, 4);
  EXPECT_EQ(at + number(end + 12, 4), end);
  for (std::size_t k = 0; k < number(end + 10, 2); ++k) {
    EXPECT_EQ(bytes.substr(at, 4), "PK\x01\x02");
    const std::size_t crc = number(at + 16, 4), packed = number(at + 20, 4), size = number(at + 24, 4),
                      name = number(at + 28, 2);
    const std::size_t local = number(at + 42, 4);
    EXPECT_EQ(bytes.substr(local, 4), "PK\x03\x04");
    EXPECT_EQ(bytes.substr(local + 30, name), bytes.substr(at + 46, name));
    EXPECT_EQ(number(local + 14, 4), crc);
    std::string out(size, '\0');
    z_stream stream{};
    inflateInit2(&stream, -15);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + local + 30 + name));
    stream.avail_in = uInt(packed);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(size);
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(out.data()), uInt(size)), crc);
    members[bytes.substr(at + 46, name)] = out;
    at += 46 + name;
  }
  return members;
}

TEST_F(TableTest, the_archive_holds_every_column_with_its_type) {
  const Recording recording(record());
  const std::array tables{RunTable::Bodies, RunTable::Contacts, RunTable::Joints, RunTable::Pulls,
                          RunTable::Certificate};
  write_tables_npz(recording, tables, folder / "x.npz");
  const std::map<std::string, std::string> members = unzip(text_of("x.npz"));
  const auto head = [&](const std::string& name) { return members.at(name).substr(10, 60); };
  for (const auto& [name, bytes] : members) {
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8)) << name;
    EXPECT_EQ((10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9])) % 64, 0) << name;
  }
  EXPECT_NE(head("bodies/x.npy").find("'<f8'"), std::string::npos);
  EXPECT_NE(head("bodies/body.npy").find("'<i4'"), std::string::npos);
  EXPECT_NE(head("contacts/state.npy").find("'|u1'"), std::string::npos);
  EXPECT_NE(head("names/body.npy").find("'<U6'"), std::string::npos);  // the longest is "ground"
  const std::size_t n = recording.bodies().size(), rows = n * recording.frame_count();
  EXPECT_NE(head("bodies/z.npy").find("(" + std::to_string(rows) + ",)"), std::string::npos);
  double z = 0;
  const std::string& column = members.at("bodies/z.npy");
  std::memcpy(&z, column.data() + column.size() - 8 * rows + 8 * (5 * n + 2), 8);
  EXPECT_EQ(z, recording.frame(5).position[2].z());
  EXPECT_EQ(members.size(), 2 + 15 + 14 + 8 + 11 + certificate_fields().size());
  // The same again gives the same bytes.
  const std::string first = text_of("x.npz");
  write_tables_npz(recording, tables, folder / "x.npz");
  EXPECT_EQ(text_of("x.npz"), first);
}

TEST_F(TableTest, numpy_reads_the_archive) {
  const Recording recording(record());
  const std::array tables{RunTable::Bodies, RunTable::Certificate};
  write_tables_npz(recording, tables, folder / "x.npz");
  if (std::system("/usr/bin/env -i /usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
    GTEST_SKIP() << "NumPy is not installed";
  const std::string script =
      "import numpy,sys\n"
      "z=numpy.load(sys.argv[1])\n"
      "b=z['names/body'].tolist().index('ball')\n"
      "m=z['bodies/body']==b\n"
      "print(repr(float(z['bodies/z'][m][-1])), len(z['certificate/residual']), z['certificate/contacts'].dtype)\n";
  std::ofstream(folder / "read.py") << script;
  const std::string command = "/usr/bin/python3 '" + (folder / "read.py").string() + "' '" +
                              (folder / "x.npz").string() + "' > '" + (folder / "out").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::istringstream out(text_of("out"));
  double z = 0;
  std::size_t steps = 0;
  std::string type;
  out >> z >> steps >> type;
  EXPECT_EQ(z, recording.frame(recording.frame_count() - 1).position[2].z());
  EXPECT_EQ(steps, recording.certificates().size());
  EXPECT_EQ(type, "int32");
}

TEST_F(TableTest, text_that_is_no_utf8_and_empty_lists_are_written_all_the_same) {
  NpzWriter npz(folder / "x.npz");
  npz.add("a", std::vector<std::string>{"\xC3\xA9t\xC3\xA9", "bad \xFF", ""});
  npz.add("b", std::vector<std::string>{});
  npz.add("c", std::span<const double>{});
  npz.finish();
  const auto members = unzip(text_of("x.npz"));
  const std::string& a = members.at("a.npy");
  EXPECT_NE(a.find("'<U5', 'fortran_order': False, 'shape': (3,)"), std::string::npos);
  std::uint32_t code = 0;
  std::memcpy(&code, a.data() + a.size() - 3 * 5 * 4, 4);
  EXPECT_EQ(code, 0xE9u);
  EXPECT_NE(members.at("c.npy").find("(0,)"), std::string::npos);
}

TEST_F(TableTest, what_cannot_be_written_is_an_error_and_leaves_nothing) {
  const Recording recording(record(0.05, false));
  EXPECT_THROW(write_table_csv(recording, RunTable::Contacts, folder / "x.csv"), Error);
  EXPECT_THROW(write_table_csv(recording, RunTable::Bodies, folder / "none" / "x.csv"), Error);
  const std::array tables{RunTable::Bodies, RunTable::Contacts};
  EXPECT_THROW(write_tables_npz(recording, tables, folder / "x.npz"), Error);
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace cairn
