// SPDX-License-Identifier: Apache-2.0
// Parameters described once: listing, reading, complaints.
#include <gtest/gtest.h>

#include "cairn/base/registry.h"

namespace cairn {
namespace {

struct Method {
  struct Settings {
    double tolerance = 1e-8;
    int sweeps = 10;
    bool symmetric = true;
    enum class Kind { Soft, Hard } kind = Kind::Soft;
    void describe(ParameterVisitor& v) {
      static constexpr std::string_view kinds[] = {"soft", "hard"};
      v.real("tolerance", tolerance, "m", positive, "how exact");
      v.integer("sweeps", sweeps, {1, 100, false}, "how often");
      v.boolean("symmetric", symmetric, "both ways");
      v.choice("kind", kind, kinds, "which");
    }
  };
  explicit Method(const Settings& s) : settings(s) {}
  virtual ~Method() = default;
  Settings settings;
};

std::string complaint(const ParameterValues& values) {
  try {
    read_parameters<Method::Settings>("method 'm'", values);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Parameters, are_listed_with_type_unit_default_and_range) {
  const auto infos = list_parameters<Method::Settings>();
  ASSERT_EQ(infos.size(), 4u);
  EXPECT_EQ(infos[0].name, "tolerance");
  EXPECT_EQ(infos[0].unit, "m");
  EXPECT_EQ(infos[0].default_value, "1e-08");
  EXPECT_EQ(infos[0].range, "> 0");
  EXPECT_EQ(infos[1].range, "in [1, 100]");
  EXPECT_EQ(infos[3].choices, (std::vector<std::string>{"soft", "hard"}));
}

TEST(Parameters, are_read_into_the_settings) {
  const auto s = read_parameters<Method::Settings>("m", {{"tolerance", "1e-3"}, {"kind", "hard"}, {"symmetric", "no"}});
  EXPECT_EQ(s.tolerance, 1e-3);
  EXPECT_EQ(s.kind, Method::Settings::Kind::Hard);
  EXPECT_FALSE(s.symmetric);
  EXPECT_EQ(s.sweeps, 10);
}

TEST(Parameters, complaints_name_owner_parameter_value_and_what_would_be_right) {
  EXPECT_EQ(complaint({{"tolerance", "-1"}}), "method 'm': tolerance is -1 m; must be > 0");
  EXPECT_EQ(complaint({{"tolerance", "nan"}}), "method 'm': tolerance: 'nan' is not a finite number");
  EXPECT_EQ(complaint({{"sweeps", "2.5"}}), "method 'm': sweeps is 2.5; must be a whole number");
  EXPECT_EQ(complaint({{"sweeps", "1000"}}), "method 'm': sweeps is 1000; must be in [1, 100]");
  EXPECT_EQ(complaint({{"symmetric", "maybe"}}), "method 'm': symmetric is 'maybe'; must be true or false");
  EXPECT_EQ(complaint({{"kind", "soggy"}}), "method 'm': kind is 'soggy'; must be one of soft, hard");
  EXPECT_NE(complaint({{"tolerence", "1"}}).find("did you mean 'tolerance'?"), std::string::npos);
}

TEST(Registry, makes_by_name_and_suggests_the_nearest) {
  Registry<Method> registry("method");
  registry.add<Method>("gauss", "a method");
  EXPECT_EQ(registry.make("gauss", {{"sweeps", "7"}})->settings.sweeps, 7);
  try {
    registry.make("guass");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'gauss'?"), std::string::npos);
  }
}

struct Place {
  double size = 1;
  double at[3] = {0, 0, 0}, normal[3] = {0, 0, 1};
  void describe(ParameterVisitor& v) {
    v.real("size", size, "m", positive, "how large", Presence::Required);
    v.vector("at", at, "m", {-1, 1, true, true}, Presence::Optional, "where");
    v.direction("normal", normal, "which way");
  }
};

std::string refusal(const ParameterValues& values) {
  try {
    read_parameters<Place>("place", values);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Parameters, vectors_are_read_from_text) {
  const Place place = read_parameters<Place>("place", {{"size", "2"}, {"at", "[0.5, -0.25,0]"}, {"normal", "1, 0, 0"}});
  EXPECT_EQ(place.at[0], 0.5);
  EXPECT_EQ(place.at[1], -0.25);
  EXPECT_EQ(place.normal[0], 1);
  EXPECT_EQ(refusal({}), "place: needs a value for size");
  EXPECT_EQ(refusal({{"size", "1"}, {"at", "[1, 0, 0]"}}), "place: at has 1; must be in (-1, 1)");
  EXPECT_NE(refusal({{"size", "1"}, {"at", "[0, 0]"}}).find("must be [x, y, z]"), std::string::npos);
  EXPECT_NE(refusal({{"size", "1"}, {"at", "[0, 0, 0, 0]"}}).find("not a finite number"), std::string::npos);
  EXPECT_NE(refusal({{"size", "1"}, {"normal", "[0, 0, 2]"}}).find("must be a unit vector"), std::string::npos);
}

TEST(Parameters, values_set_by_programs_are_checked_by_the_same_description) {
  EXPECT_NO_THROW(check_parameters("place", Place{}));
  const auto complaint_of = [](const Place& place) {
    try {
      check_parameters("place", place);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint_of({.size = -1}), "place: size is -1 m; must be > 0");
  EXPECT_EQ(complaint_of({.size = std::numeric_limits<double>::infinity()}), "place: size is inf m; must be > 0");
  EXPECT_EQ(complaint_of({.at = {0, 1, 0}}), "place: at is 1 m; must be in (-1, 1)");
  EXPECT_NE(complaint_of({.normal = {0, 0, 0}}), "none");
  EXPECT_EQ(list_parameters<Place>()[0].default_value, "");
}

}  // namespace
}  // namespace cairn
