// SPDX-License-Identifier: Apache-2.0
// Every case of the validation book passes in its short form, and the book's own tools tell right from wrong.
#include "validation/measure.h"
#include "validation/report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace cairn::validation;

class Book : public testing::TestWithParam<std::size_t> {};

TEST_P(Book, case_passes) {
  const Entry entry{&cases()[GetParam()], run_case(cases()[GetParam()], Effort::Short)};
  EXPECT_FALSE(entry.result.quantities.empty());
  EXPECT_TRUE(entry.result.pass()) << to_text(entry) << entry.result.notes;
}

INSTANTIATE_TEST_SUITE_P(, Book, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& test) { return cases()[test.param].name; });

TEST(BookTable, names_are_unique_and_every_case_says_what_it_is) {
  std::set<std::string> names;
  for (const Case& c : cases()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    for (const std::string* text : {&c.title, &c.source, &c.problem, &c.reference})
      EXPECT_FALSE(text->empty()) << c.name;
  }
}

TEST(BookTable, cases_are_found_by_name_in_any_case_and_by_section) {
  ASSERT_EQ(find_cases({"s1"}).size(), 1u);
  EXPECT_EQ(find_cases({"s1"})[0]->name, "S1");
  for (const Case* c : find_cases({"F"})) EXPECT_EQ(c->name[0], 'F');
  EXPECT_EQ(find_cases({}).size(), cases().size());
}

TEST(BookTable, unknown_name_is_refused_with_a_suggestion) {
  try {
    find_cases({"U33"});
    FAIL() << "accepted";
  } catch (const cairn::Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'U3'"), std::string::npos) << error.what();
  }
}

TEST(Measure, error_above_tolerance_fails_and_so_does_nan) {
  EXPECT_TRUE(check("x", 1.009, {.expected = 1, .tolerance = 0.01}).pass);
  EXPECT_FALSE(check("x", 1.011, {.expected = 1, .tolerance = 0.01}).pass);
  EXPECT_TRUE(check("x", 100.9, {.expected = 100, .tolerance = 0.01, .relative = true}).pass);
  EXPECT_FALSE(check("x", NAN, {.expected = 1, .tolerance = 0.01}).pass);
  EXPECT_FALSE(check_holds("x", false).pass);
}

TEST(Measure, order_is_seen_and_one_below_the_expected_fails) {
  const auto study_of = [](double order) {
    Study study(0.1);
    for (const double h : study.steps()) study.add("x", 1 + std::pow(h, order));
    return study.check("x", {.expected = 1, .tolerance = 1, .order = 2.0});
  };
  EXPECT_NEAR(*study_of(2).order, 2, 1e-9);
  EXPECT_TRUE(study_of(2).pass);
  EXPECT_NEAR(*study_of(1).order, 1, 1e-9);
  EXPECT_FALSE(study_of(1).pass);
}

TEST(Measure, rounding_errors_show_no_order) {
  Study study(0.1);
  for (const double x : {1e-13, -2e-13, 3e-13}) study.add("x", 1 + x);
  const Quantity q = study.check("x", {.expected = 1, .tolerance = 1e-10, .order = 2.0});
  EXPECT_FALSE(q.order.has_value());
  EXPECT_TRUE(q.pass);
}

TEST(Measure, events_between_samples_are_those_of_the_sine) {
  Track track;
  for (int i = 0; i <= 100; ++i) track.add(0.1 * i, std::sin(0.1 * i), std::cos(0.1 * i));
  const double pi = std::acos(-1.0);
  const std::vector<double> down = track.crossings(0, -1);
  ASSERT_EQ(down.size(), 2u);  // pi and 3 pi
  EXPECT_NEAR(down[0], pi, 1e-6);
  EXPECT_NEAR(track.extremes().at(0).t, pi / 2, 1e-5);
  EXPECT_NEAR(track.extremes().at(0).x, 1, 1e-6);
  EXPECT_NEAR(track.at(2.345), std::sin(2.345), 1e-6);
}

TEST(Report, page_holds_every_quantity_and_says_when_one_fails) {
  const Case problem{"X1", "A case", "Nobody", "Problem <1>", "None", {}};
  CaseResult result;
  result.quantities = {check("good & small", 0, {0, 1e-9}), check("wrong", 2, {1, 1e-9})};
  const auto folder = std::filesystem::path(testing::TempDir()) / "cairn-validation-report";
  write_report(folder, {{&problem, result}}, "a test");
  std::ifstream file(folder / "index.html");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  for (const char* text :
       {"X1", "good &amp; small", "Problem &lt;1&gt;", "<td class=\"bad\">fail</td>", "0 of 1 cases"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  const auto json = to_json({{&problem, result}});
  ASSERT_EQ(json.size(), 2u);
  for (const char* key : {"name", "source", "quantity", "expected", "got", "tolerance", "pass", "seconds"}) {
    EXPECT_TRUE(json[1].contains(key)) << key;
  }
  EXPECT_FALSE(json[1]["pass"].get<bool>());
  std::filesystem::remove_all(folder);
}
