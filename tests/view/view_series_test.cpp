// SPDX-License-Identifier: Apache-2.0
// Curves: names, running sums, and fewer points that keep every extreme.
#include "cairn/view/view_series.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn {
namespace {

TEST(ViewSeries, buckets_keep_a_spike_of_one_sample) {
  TimeSeries all;
  for (int i = 0; i < 100000; ++i) {
    all.t.push_back(0.001 * i);
    all.y.push_back(std::sin(0.01 * i));
  }
  all.y[54321] = 50;
  all.y[777] = -40;
  const TimeSeries few = reduce_series(all, 500);
  EXPECT_LE(few.t.size(), 500u);
  EXPECT_EQ(few.t.size(), few.y.size());
  EXPECT_TRUE(std::is_sorted(few.t.begin(), few.t.end()));
  EXPECT_EQ(*std::max_element(few.y.begin(), few.y.end()), 50);
  EXPECT_EQ(*std::min_element(few.y.begin(), few.y.end()), -40);
  // Every sample that is left is one of the curve.
  for (std::size_t i = 0; i < few.t.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::lround(few.t[i] / 0.001));
    EXPECT_EQ(few.y[i], all.y[at]);
  }
}

TEST(ViewSeries, short_series_stay_as_they_are) {
  const TimeSeries all{{0, 1, 2}, {5, 4, 6}};
  EXPECT_EQ(reduce_series(all, 4).y, all.y);
  EXPECT_TRUE(reduce_series({}, 100).t.empty());
}

TEST(ViewSeries, window_has_one_more_sample_on_either_side) {
  const TimeSeries all{{0, 1, 2, 3, 4}, {0, 10, 20, 30, 40}};
  SeriesRequest request;
  request.from = 1.5;
  request.to = 2.5;
  const TimeSeries part = cut_series(all, request);
  EXPECT_EQ(part.t, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(part.y, (std::vector<double>{10, 20, 30}));
  request.from = 9;
  request.to = 8;
  EXPECT_LE(cut_series(all, request).t.size(), 2u);
}

TEST(ViewSeries, work_is_a_running_sum_and_total_energy_a_sum_of_parts) {
  const auto read = [](std::string_view field) -> std::vector<double> {
    if (field == "time") return {1, 2, 3};
    if (field == "work_friction") return {-1, -2, -3};
    if (field == "energy_kinetic") return {1, 1, 1};
    if (field == "energy_gravity") return {10, 20, 30};
    if (field == "energy_elastic") return {100, 200, 300};
    ADD_FAILURE() << field;
    return {};
  };
  EXPECT_EQ(make_certificate_series(parse_series_name("work.friction"), read).y, (std::vector<double>{-1, -3, -6}));
  EXPECT_EQ(make_certificate_series(parse_series_name("energy.total"), read).y, (std::vector<double>{111, 221, 331}));
}

TEST(ViewSeries, names_of_the_protocol_are_understood) {
  EXPECT_EQ(parse_series_name("body.12.position.y").index, 12u);
  EXPECT_EQ(parse_series_name("body.12.position.y").component, 1);
  EXPECT_EQ(parse_series_name("body.0.velocity.speed").component, -1);
  EXPECT_EQ(parse_series_name("joint.3.torque").track, Track::JointTorque);
  EXPECT_EQ(parse_series_name("law.3").track, Track::LawForce);
  EXPECT_EQ(parse_series_name("contact.-1.4.normal_force").body_a, -1);
  EXPECT_EQ(parse_series_name("certificate.residual").field, "residual");
}

TEST(ViewSeries, other_names_are_refused_with_those_there_are) {
  for (const char* name : {"", ".", "body", "body.x.position.x", "body.-1.position.x", "body.1.position.w", "energy.x",
                           "certificate.nothing", "contact.1.normal_force", "law.1.2", "body.99999999999999.speed"}) {
    try {
      parse_series_name(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("certificate.FIELD"), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace cairn
