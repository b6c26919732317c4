// SPDX-License-Identifier: Apache-2.0
// Curves of a recording by name: the recording's own numbers, and clear words for names that are none.
#include "cairn/io/run_quantities.h"

#include "cairn/base/error.h"
#include "cairn/io/certificate_fields.h"
#include "io/sample_recording.h"

namespace cairn {
namespace {

using QuantityTest = SampleTest;

std::string complaint(const Recording& recording, const std::string& name) {
  try {
    read_curves(recording, {name});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(QuantityTest, every_field_of_the_certificate_is_a_curve_over_steps) {
  const Recording recording(record());
  const std::vector<Certificate> steps = recording.certificates();
  for (const CertificateField& field : certificate_fields()) {
    const std::vector<Curve> curves = read_curves(recording, {std::string(field.name)});
    ASSERT_EQ(curves.size(), 1u);
    ASSERT_EQ(curves[0].value.size(), steps.size());
    EXPECT_EQ(curves[0].unit, field.unit);
    EXPECT_EQ(curves[0].value[17], field.get(steps[17])) << field.name;
    EXPECT_EQ(curves[0].time[17], steps[17].time);
  }
}

TEST_F(QuantityTest, a_falling_ball_follows_the_law_of_fall) {
  const Recording recording(record());
  const std::vector<Curve> c =
      read_curves(recording, {"body.ball.position.z", "body.ball.speed", "body.ball.displacement"});
  ASSERT_EQ(c.size(), 3u);
  ASSERT_EQ(c[0].time.size(), recording.frame_count());
  for (std::size_t i = 0; i < c[0].time.size(); ++i) {
    const double t = c[0].time[i];
    EXPECT_NEAR(c[0].value[i], 2 - 0.5 * 9.81 * t * t, 1e-9);
    EXPECT_NEAR(c[1].value[i], 9.81 * t, 1e-9);
    EXPECT_NEAR(c[2].value[i], 0.5 * 9.81 * t * t, 1e-9);
  }
  EXPECT_EQ(c[1].unit, "m/s");
}

TEST_F(QuantityTest, a_name_without_its_last_part_stands_for_all_of_them) {
  const Recording recording(record());
  const std::vector<Curve> c = read_curves(recording, {"body.box.position"});
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[2].name, "body.box.position.z");
  EXPECT_EQ(read_curves(recording, {"joint.hook.force"}).size(), 1u);  // its length, which is a curve itself
}

TEST_F(QuantityTest, contacts_and_joints_carry_what_they_must) {
  const Recording recording(record());
  const std::vector<Curve> c = read_curves(recording, {"contact.box/ground.normal_force", "contact.ground/box.force.z",
                                                       "contact.box/ground.points", "joint.hook.force"});
  const double weight = 600 * 1.0 * 0.8 * 0.6 * 9.81;
  EXPECT_NEAR(c[0].value.back(), weight, 1e-2);
  EXPECT_NEAR(c[1].value.back(), -weight, 1e-2);  // on the ground, downwards
  EXPECT_EQ(c[2].value.back(), 4);
  const Vec3 force = recording.frame(10).joint_force[0];
  EXPECT_EQ(c[3].value.back(), force.norm());
}

TEST_F(QuantityTest, the_parts_of_the_energy_reach_what_was_there_and_was_put_in) {
  const Recording recording(record(0.8));  // the ball and the block land
  const std::vector<Certificate> steps = recording.certificates();
  const std::vector<Curve> c = energy_balance(steps);
  double numerical = 0;
  std::size_t stacked = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    numerical += steps[i].numerical;
    double sum = 0, bound = 0;
    stacked = 0;
    for (const Curve& curve : c) {
      if (curve.stacked) sum += curve.value[i], ++stacked;
      if (curve.bound) bound = curve.value[i];
    }
    EXPECT_NEAR(sum - bound, numerical, 1e-6 * bound) << steps[i].time;
  }
  EXPECT_GE(stacked, 4u);  // kinetic, gravity, elastic, lost to contact
}

TEST_F(QuantityTest, unknown_names_are_told_with_the_one_that_was_meant) {
  const Recording recording(record(0.05));
  EXPECT_NE(complaint(recording, "residul").find("did you mean 'residual'"), std::string::npos);
  EXPECT_NE(complaint(recording, "body.bal.speed").find("did you mean 'ball'"), std::string::npos);
  EXPECT_NE(complaint(recording, "body.ball.sped").find("did you mean 'speed'"), std::string::npos);
  EXPECT_NE(complaint(recording, "body.ball").find("it has position.x"), std::string::npos);
  EXPECT_NE(complaint(recording, "joint.hock.force").find("did you mean 'hook'"), std::string::npos);
  EXPECT_NE(complaint(recording, "contact.box/grund.normal_force").find("did you mean 'ground'"), std::string::npos);
  EXPECT_NE(complaint(recording, "contact.bix/ground.normal_force").find("did you mean 'box'"), std::string::npos);
  EXPECT_NE(complaint(recording, "contact.box.gap").find("contact.A/B"), std::string::npos);
  EXPECT_NE(complaint(recording, "").find("there is no quantity"), std::string::npos);
}

TEST_F(QuantityTest, every_name_on_the_list_can_be_read) {
  const Recording recording(record(0.05));
  const std::vector<QuantityInfo> list = list_quantities(recording);
  EXPECT_GT(list.size(), 80u);
  for (const QuantityInfo& q : list) {
    const std::vector<Curve> curves = read_curves(recording, {q.name});
    ASSERT_FALSE(curves.empty()) << q.name;
    if (q.name != "energy") {
      EXPECT_EQ(curves[0].name, q.name);
      EXPECT_EQ(curves[0].unit, q.unit);
    }
  }
}

TEST_F(QuantityTest, a_table_of_steps_and_frames_leaves_out_what_is_not_there) {
  const Recording recording(record(0.05));
  const std::string table = to_csv(read_curves(recording, {"residual", "body.ball.position.z"}));
  EXPECT_EQ(table.substr(0, table.find('\n')), "time,residual,body.ball.position.z [m]");
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')),
            2 + recording.certificates().size());        // head, start, steps
  EXPECT_NE(table.find("\n0,,2\n"), std::string::npos);  // the start is a frame and no step
}

}  // namespace
}  // namespace cairn
