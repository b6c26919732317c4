// SPDX-License-Identifier: Apache-2.0
// The frame layout, byte by byte as docs/viewer-protocol.md lays it out; JSON keeps every bit.
#include "cairn/view/view_frame.h"

#include <cstring>

#include "cairn/view/view_source.h"
#include "view/recording_fixture.h"
#include "view/view_client.h"

namespace cairn {
namespace {

using test::number_at;

/// Two bodies (the second deforms), one joint with two coordinates, one contact; every number different.
struct Sample {
  Frame frame;
  std::vector<FrameBody> bodies{2};
  Sample() {
    bodies[0].mass = 2;
    bodies[1].deforms = true;
    frame.time = 1.25;
    frame.position = {{1, 2, 3}, {4, 5, 6}};
    frame.orientation = {Quat(0.5, -0.5, 0.5, -0.5), Quat(1, 0, 0, 0)};
    frame.velocity = {{7, 8, 9}, {10, 11, 12}};
    frame.angular_velocity = {{13, 14, 15}, {16, 17, 18}};
    frame.deformation = {Mat3::Identity(), Mat3{{20, 21, 22}, {23, 24, 25}, {26, 27, 28}}};
    frame.joint_force = {{30, 31, 32}};
    frame.joint_torque = {{33, 34, 35}};
    frame.broken = {0};
    frame.joint_coordinate = {36, 37};
    frame.contacts = {{0, -1, {40, 41, 42}, {0, 0, 1}, {43, 44, 45}, -0.5, ContactState::Slip, 0.25, 0.125}};
  }
};

TEST(ViewFrame, layout_is_the_one_of_the_protocol) {
  const Sample s;
  const std::string bytes = encode_frame(s.frame, s.bodies, {.index = 7, .contacts = true, .paused = true});
  EXPECT_EQ(bytes.substr(0, 4), "CRNF");
  // 48 of the head, then floats: 13 per body, index and 9 of the deformation, 6 of the joint, 2 coordinates, 14 of the
  // contact; its state in 4 bytes; all to a multiple of 8.
  const std::size_t size = 48 + 4 * (2 * 13 + 1 + 9 + 6 + 2 + 14) + 4;
  EXPECT_EQ(bytes.size(), (size + 7) / 8 * 8);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 4), bytes.size());
  EXPECT_EQ(number_at<double>(bytes, 8), 1.25);
  const std::uint32_t head[] = {7, 2, 1, 1, 1, 2, 3, 0};  // index, nb, nd, nc, nj, ncoord, flags, reserved
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(number_at<std::uint32_t>(bytes, 16 + 4 * i), head[i]) << i;
  std::size_t at = 48;
  const auto expect_floats = [&](std::initializer_list<float> values) {
    for (const float value : values) {
      EXPECT_EQ(number_at<float>(bytes, at), value) << "at " << at;
      at += 4;
    }
  };
  expect_floats({1, 2, 3, 4, 5, 6});
  expect_floats({0.5, -0.5, 0.5, -0.5, 1, 0, 0, 0});
  expect_floats({7, 8, 9, 10, 11, 12});
  expect_floats({13, 14, 15, 16, 17, 18});
  EXPECT_EQ(number_at<std::uint32_t>(bytes, at), 1u);  // the body that deforms
  at += 4;
  expect_floats({20, 21, 22, 23, 24, 25, 26, 27, 28});
  expect_floats({30, 31, 32, 33, 34, 35, 36, 37});
  EXPECT_EQ(number_at<std::int32_t>(bytes, at), 0);
  EXPECT_EQ(number_at<std::int32_t>(bytes, at + 4), -1);
  at += 8;
  expect_floats({40, 41, 42, 0, 0, 1, 43, 44, 45, -0.5, 0.25, 0.125});
  EXPECT_EQ(bytes[at], 2);
}

TEST(ViewFrame, a_pull_follows_the_contacts_and_is_told_of_its_body) {
  Sample s;
  const std::size_t without = encode_frame(s.frame, s.bodies, {}).size();
  s.frame.pull = FramePull{1, {50, 51, 52}, {53, 54, 55}, {56, 57, 58}};
  for (const bool contacts : {true, false}) {
    const std::string bytes = encode_frame(s.frame, s.bodies, {.index = 0, .contacts = contacts});
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 40), contacts ? 5u : 4u);
    EXPECT_EQ(bytes.size(), encoded_size(s.frame, s.bodies, contacts));
    std::size_t at = 48 + 4 * (2 * 13 + 1 + 9 + 6 + 2 + (contacts ? 14 + 1 : 0));
    EXPECT_EQ(number_at<std::int32_t>(bytes, at), 1);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(number_at<float>(bytes, at += 4), 50.0f + static_cast<float>(i));
    if (contacts) {
      EXPECT_EQ(bytes.size(), (without + 40 + 7) / 8 * 8);
    }
  }
  EXPECT_TRUE(body_json(s.frame, s.bodies, 0)["pull"].is_null());
  const Json pull = body_json(s.frame, s.bodies, 1)["pull"];
  EXPECT_EQ(pull["point"], Json({50.0, 51.0, 52.0}));
  EXPECT_EQ(pull["target"], Json({53.0, 54.0, 55.0}));
  EXPECT_EQ(pull["force"], Json({56.0, 57.0, 58.0}));
}

TEST(ViewFrame, joints_that_broke_are_marked) {
  Sample s;
  const std::string before = encode_frame(s.frame, s.bodies, {.index = 0, .contacts = false});
  s.frame.broken = {1};
  const std::string bytes = encode_frame(s.frame, s.bodies, {.index = 0, .contacts = false});
  EXPECT_EQ(number_at<std::uint32_t>(before, 40), 0u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 40), 8u);
  EXPECT_EQ(bytes.size(), encoded_size(s.frame, s.bodies, false));
  EXPECT_EQ(bytes[48 + 4 * (2 * 13 + 1 + 9 + 6 + 2)], 1);
  EXPECT_TRUE(joint_json(s.frame, {{"j", "ball", 0, 1, {}, {}}}, {}, {}, 0)["broken"].get<bool>());
}

TEST(ViewFrame, contacts_are_left_out_when_not_wanted) {
  const Sample s;
  const std::string bytes = encode_frame(s.frame, s.bodies, {.index = 0, .contacts = false});
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 28), 0u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 40), 0u);
  EXPECT_EQ(bytes.size(), encoded_size(s.frame, s.bodies, false));
  EXPECT_EQ(bytes.size() % 8, 0u);
}

TEST(ViewFrame, json_of_a_body_keeps_every_bit_and_sums_its_contact_forces) {
  Sample s;
  s.frame.position[0] = {0.1, 1.0 / 3, -1e-300};
  s.frame.contacts.push_back({1, 0, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0, ContactState::Stick, 0, 0});
  s.bodies[0].inertia = Vec3(1, 2, 3).asDiagonal();
  const Json j = Json::parse(to_line(body_json(s.frame, s.bodies, 0)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(j["position"][i].get<double>(), s.frame.position[0][i]);
  EXPECT_EQ(j["contacts"], 2);
  EXPECT_EQ(j["contact_force"], Json({42.0, 44.0, 45.0}));  // on A, and against the one on B
  // v^2 = 49 + 64 + 81 = 194; the quaternion turns x to z, y to -x, z to -y or the like: a cyclic change of axes, so
  // omega in body axes is some order of (+-13, +-14, +-15).
  const Vec3 omega = s.frame.orientation[0].toRotationMatrix().transpose() * s.frame.angular_velocity[0];
  EXPECT_DOUBLE_EQ(
      j["kinetic_energy"].get<double>(),
      0.5 * 2 * 194 + 0.5 * (omega.x() * omega.x() + 2 * omega.y() * omega.y() + 3 * omega.z() * omega.z()));
  EXPECT_TRUE(body_json(s.frame, s.bodies, 1)["kinetic_energy"].is_null());
  EXPECT_EQ(body_json(s.frame, s.bodies, 1)["deformation"],
            Json({20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0}));
  EXPECT_THROW(body_json(s.frame, s.bodies, 2), Error);
}

TEST(ViewFrame, captured_moment_is_the_recorded_one) {
  Model model = test::make_view_scene();
  Simulation simulation(model);
  simulation.run(0.3);
  const Frame frame = take_frame(simulation);
  EXPECT_EQ(frame.time, simulation.state().time());
  ASSERT_EQ(frame.position.size(), 5u);
  for (int b = 0; b < 5; ++b) {
    EXPECT_EQ(frame.position[static_cast<std::size_t>(b)], simulation.position(BodyId{b}));
    EXPECT_EQ(frame.angular_velocity[static_cast<std::size_t>(b)], simulation.angular_velocity(BodyId{b}));
  }
  ASSERT_EQ(frame.contacts.size(), simulation.contacts().size());
  ASSERT_FALSE(frame.contacts.empty());
  // The box slides on the ground with the friction of its materials, and its contacts share the face's area.
  double area = 0, normal = 0;
  for (const FrameContact& c : frame.contacts)
    if (std::max(c.body_a, c.body_b) == 2) {
      area += c.area;
      normal += c.force.dot(c.normal);
      EXPECT_EQ(c.friction, 0.5);
    }
  EXPECT_NEAR(area, 1.0 * 0.8, 1e-9);                                // its lower face
  EXPECT_NEAR(normal, 600 * 1.0 * 0.8 * 0.6 * 9.81, 1e-3 * normal);  // its weight
}

}  // namespace
}  // namespace cairn
