// SPDX-License-Identifier: Apache-2.0
// VTK files are taken apart again: well-formed XML, arrays of the announced sizes, and the numbers that were recorded.
#include "cairn/io/vtk.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace cairn {
namespace {

namespace fs = std::filesystem;

struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;

  const Element& child(const std::string& wanted) const {
    for (const Element& c : children) {
      if (c.name == wanted) return c;
    }
    throw Error("<{}> has no <{}>", name, wanted);
  }
  const Element& array(const std::string& wanted) const {
    for (const Element& c : children) {
      if (c.name == "DataArray" && c.attributes.at("Name") == wanted) return c;
    }
    throw Error("<{}> has no array {}", name, wanted);
  }
};

/// Elements, attributes in double quotes and text: all of XML that these files use. Throws when it is not well-formed.
class Parser {
 public:
  explicit Parser(const std::string& text) : s_(text) {}
  Element parse() {
    if (s_.rfind("<?xml", 0) == 0) p_ = s_.find("?>") + 2;
    skip();
    Element root = element();
    skip();
    if (p_ != s_.size()) throw Error("text after the root element");
    return root;
  }

 private:
  char at() const { return p_ < s_.size() ? s_[p_] : throw Error("ends early"); }
  void skip() {
    while (p_ < s_.size() && std::isspace(static_cast<unsigned char>(s_[p_]))) ++p_;
  }
  void expect(char c) {
    if (at() != c) throw Error("expected '{}' at byte {}, found '{}'", c, p_, at());
    ++p_;
  }
  std::string word() {
    const std::size_t begin = p_;
    while (std::isalnum(static_cast<unsigned char>(at())) || at() == '_') ++p_;
    if (p_ == begin) throw Error("expected a name at byte {}", p_);
    return s_.substr(begin, p_ - begin);
  }
  Element element() {
    Element e;
    expect('<');
    e.name = word();
    for (skip(); at() != '>' && at() != '/'; skip()) {
      const std::string key = word();
      expect('=');
      expect('"');
      const std::size_t end = s_.find_first_of("\"<", p_);
      if (end == std::string::npos || s_[end] == '<') throw Error("attribute {} does not end", key);
      e.attributes[key] = s_.substr(p_, end - p_);
      p_ = end + 1;
    }
    if (at() == '/') {
      ++p_;
      expect('>');
      return e;
    }
    expect('>');
    for (;;) {
      const std::size_t next = s_.find('<', p_);
      if (next == std::string::npos) throw Error("<{}> does not end", e.name);
      e.text += s_.substr(p_, next - p_);
      p_ = next;
      if (s_[p_ + 1] != '/') {
        e.children.push_back(element());
        continue;
      }
      p_ += 2;
      if (word() != e.name) throw Error("<{}> is closed by another tag", e.name);
      expect('>');
      return e;
    }
  }
  const std::string& s_;
  std::size_t p_ = 0;
};

std::string decode_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const auto digit = digits.find(c);
    if (digit == std::string::npos) throw Error("'{}' is no base64 digit", c);
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) >= 8) out.push_back(static_cast<char>(bits >> (count -= 8) & 255));
  }
  return out;
}

template <class T>
std::vector<T> values(const Element& array, const std::string& type) {
  EXPECT_EQ(array.attributes.at("type"), type);
  EXPECT_EQ(array.attributes.at("format"), "binary");
  const std::string bytes = decode_base64(array.text);
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size + sizeof size, bytes.size());
  std::vector<T> out(size / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data() + sizeof size, size);
  return out;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

class VtkTest : public testing::Test {
 protected:
  VtkTest() {
    std::string name = (fs::temp_directory_path() / "cairn_vtk_XXXXXX").string();
    folder = mkdtemp(name.data());
    Model model;
    model.add_fixed({.name = "ground", .shape = HalfSpace{}});
    model.add_rigid({.name = "box, \"big\"", .shape = Box{{0.5, 0.4, 0.3}}, .position = {1, 2, 0.3}});
    model.add_rigid({.name = "ball", .shape = Sphere{0.25}, .position = {-3, 0, 2}});
    model.add_rigid({.name = "point", .mass = 1.0, .inertia = Mat3(Mat3::Identity())});
    Simulation simulation(model);
    Recorder recorder(folder / "run.h5", simulation, {.interval = 0.01});
    simulation.run(0.03, [&](const Simulation& s) { return recorder.record_step(s), true; });
    recorder.close();
  }
  ~VtkTest() override { fs::remove_all(folder); }
  Element read(const fs::path& path) const {
    const std::string text = text_of(path);
    return Parser(text).parse();
  }
  fs::path folder;
};

TEST_F(VtkTest, the_list_names_every_frame_with_its_time) {
  const Recording recording(folder / "run.h5");
  write_vtk(recording, folder / "a&b.pvd");
  const Element list = read(folder / "a&b.pvd");
  EXPECT_EQ(list.attributes.at("type"), "Collection");
  const auto& entries = list.child("Collection").children;
  ASSERT_EQ(entries.size(), 2 * recording.frame_count());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(std::strtod(entries[i].attributes.at("timestep").c_str(), nullptr), recording.times()[i / 2]);
    std::string file = entries[i].attributes.at("file");
    file.replace(file.find("&amp;"), 5, "&");
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  }
}

TEST_F(VtkTest, bodies_are_triangles_of_their_shapes_where_they_are) {
  const Recording recording(folder / "run.h5");
  write_vtk(recording, folder / "run.pvd");
  for (std::size_t i = 0; i < recording.frame_count(); ++i) {
    const Frame frame = recording.frame(i);
    const Element file = read(folder / "run_frames" / fmt::format("bodies_{:04}.vtp", i));
    EXPECT_EQ(file.attributes.at("header_type"), "UInt64");
    const Element& piece = file.child("PolyData").child("Piece");
    const std::size_t points = std::stoul(piece.attributes.at("NumberOfPoints"));
    const std::size_t polys = std::stoul(piece.attributes.at("NumberOfPolys"));
    const auto x = values<double>(piece.child("Points").array("Points"), "Float64");
    const auto corners = values<std::int64_t>(piece.child("Polys").array("connectivity"), "Int64");
    const auto ends = values<std::int64_t>(piece.child("Polys").array("offsets"), "Int64");
    const auto body = values<std::int32_t>(piece.child("CellData").array("body"), "Int32");
    const auto kind = values<std::uint8_t>(piece.child("CellData").array("kind"), "UInt8");
    const auto speed = values<double>(piece.child("CellData").array("speed"), "Float64");
    ASSERT_EQ(x.size(), 3 * points);
    ASSERT_EQ(corners.size(), 3 * polys);
    ASSERT_EQ(ends.size(), polys);
    ASSERT_EQ(body.size(), polys);
    ASSERT_EQ(speed.size(), polys);
    for (std::size_t k = 0; k < polys; ++k) {
      EXPECT_EQ(ends[k], static_cast<std::int64_t>(3 * k + 3));
      const auto b = static_cast<std::size_t>(body[k]);
      EXPECT_EQ(kind[k], b == 0 ? 0 : 2);
      EXPECT_EQ(speed[k], frame.velocity[b].norm());
      for (std::size_t c = 3 * k; c < 3 * k + 3; ++c) {
        ASSERT_GE(corners[c], 0);
        ASSERT_LT(corners[c], static_cast<std::int64_t>(points));
        const Vec3 p = Eigen::Map<const Vec3>(&x[3 * static_cast<std::size_t>(corners[c])]);
        const Vec3 local = frame.orientation[b].conjugate() * (p - frame.position[b]);
        if (b == 0) {
          EXPECT_EQ(p.z(), 0);
        }
        if (b == 1) {
          EXPECT_LT((local.cwiseAbs() - Vec3(0.5, 0.4, 0.3)).norm(), 1e-12);
        }
        if (b == 2) {
          EXPECT_NEAR(local.norm(), 0.25, 1e-12);
        }
      }
    }
    EXPECT_EQ(std::count(body.begin(), body.end(), 1), 12);  // two triangles per side of the box
    EXPECT_EQ(std::count(body.begin(), body.end(), 3), 0);   // no shape
  }
}

TEST_F(VtkTest, contacts_carry_what_was_recorded) {
  const Recording recording(folder / "run.h5");
  write_vtk(recording, folder / "run.pvd");
  const std::size_t last = recording.frame_count() - 1;
  const Frame frame = recording.frame(last);
  ASSERT_EQ(frame.contacts.size(), 4u);  // the corners of the box
  const Element file = read(folder / "run_frames" / fmt::format("contacts_{:04}.vtp", last));
  const Element& piece = file.child("PolyData").child("Piece");
  EXPECT_EQ(piece.attributes.at("NumberOfPoints"), "4");
  EXPECT_EQ(piece.attributes.at("NumberOfVerts"), "4");
  const Element& data = piece.child("PointData");
  const auto force = values<double>(data.array("force"), "Float64");
  const auto gap = values<double>(data.array("gap"), "Float64");
  const auto state = values<std::uint8_t>(data.array("state"), "UInt8");
  const auto point = values<double>(piece.child("Points").array("Points"), "Float64");
  ASSERT_EQ(force.size(), 12u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(Vec3(force[3 * k], force[3 * k + 1], force[3 * k + 2]), frame.contacts[k].force);
    EXPECT_EQ(Vec3(point[3 * k], point[3 * k + 1], point[3 * k + 2]), frame.contacts[k].point);
    EXPECT_EQ(gap[k], frame.contacts[k].gap);
    EXPECT_EQ(state[k], static_cast<std::uint8_t>(frame.contacts[k].state));
  }
  // Before the first step there are none, and the file is still one that can be read.
  const Element first = read(folder / "run_frames" / "contacts_0000.vtp");
  EXPECT_EQ(first.child("PolyData").child("Piece").attributes.at("NumberOfPoints"), "0");
}

TEST_F(VtkTest, nothing_is_left_behind_where_nothing_can_be_written) {
  const Recording recording(folder / "run.h5");
  EXPECT_THROW(write_vtk(recording, folder / "none" / "run.pvd"), Error);
  std::ofstream(folder / "taken_frames") << "a file where the folder should be";
  EXPECT_THROW(write_vtk(recording, folder / "taken.pvd"), Error);
  EXPECT_FALSE(fs::exists(folder / "taken.pvd"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
}

}  // namespace
}  // namespace cairn
