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

}  // namespace
}  // namespace cairn
