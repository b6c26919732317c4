// SPDX-License-Identifier: Apache-2.0
// The comparison of steppers: who wins, and that rows survive being written and read.
#include "validation/scheme_page.h"

#include <gtest/gtest.h>

#include <fstream>

#include "cairn/base/error.h"

namespace cairn::validation {
namespace {

/// Order 2 at 1 ms per step of 1 ms; order 1 at half the cost, with one error that is small by chance.
std::vector<SchemeCost> sample_rows() {
  std::vector<SchemeCost> rows;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
    rows.push_back({"free", "moreau", h, 1e2 * h * h, 1e-3 / h});
    rows.push_back({"free", "foerg", h, h == 2e-3 ? 1e-9 : 0.1 * h, 0.5e-3 / h});
  }
  return rows;
}

TEST(SchemePage, an_error_that_is_small_by_chance_does_not_count) {
  const std::vector<SchemeCost> rows = sample_rows();
  // Errors of foerg: 4e-4, 1e-9 (chance), 1e-4, 5e-5.
  EXPECT_DOUBLE_EQ(cost_of(rows, "free", "foerg", 1e-4).value(), 0.25);
  EXPECT_FALSE(cost_of(rows, "free", "foerg", 1e-6));
  // Errors of moreau: 1.6e-3, 4e-4, 1e-4, 2.5e-5.
  EXPECT_DOUBLE_EQ(cost_of(rows, "free", "moreau", 1e-4 * (1 + 1e-9)).value(), 1);
  EXPECT_FALSE(cost_of(rows, "free", "nscd", 1));
}

TEST(SchemePage, the_cheapest_comes_first_and_depends_on_the_error) {
  const std::vector<SchemeCost> rows = sample_rows();
  const std::vector<Ranked> loose = ranking(rows, "free", 1e-2), tight = ranking(rows, "free", 3e-5);
  ASSERT_EQ(loose.size(), 2u);
  EXPECT_EQ(loose[0].stepper, "foerg");
  ASSERT_EQ(tight.size(), 1u);
  EXPECT_EQ(tight[0].stepper, "moreau");
  EXPECT_NE(comparison_tables(rows).find("**`foerg`** 125"), std::string::npos) << comparison_tables(rows);
}

TEST(SchemePage, schemes_without_restitution_do_not_compete_where_blows_bounce) {
  std::vector<SchemeCost> rows = sample_rows();
  for (SchemeCost& row : rows) row.scene = "bouncing";
  const std::vector<Ranked> ranked = ranking(rows, "bouncing", 1e-2);
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].stepper, "moreau");
}

TEST(SchemePage, rows_are_read_as_they_were_written_and_bad_lines_are_named) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "scheme_page.csv";
  const std::vector<SchemeCost> rows = sample_rows();
  std::ofstream(file) << to_csv(rows);
  const std::vector<SchemeCost> read = read_csv(file);
  ASSERT_EQ(read.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(read[i].stepper, rows[i].stepper);
    EXPECT_DOUBLE_EQ(read[i].step, rows[i].step);
    EXPECT_NEAR(read[i].error / rows[i].error, 1, 1e-4);
    EXPECT_NEAR(read[i].seconds / rows[i].seconds, 1, 1e-4);
  }
  std::ofstream(file, std::ios::app) << "free,moreau,0.1;2,3\n";
  try {
    read_csv(file);
    FAIL() << "a bad line was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("scheme_page.csv:10: expected"), std::string::npos) << error.what();
  }
}

TEST(SchemePage, a_folder_that_is_not_the_documentation_is_refused_and_images_are_made) {
  const std::filesystem::path docs = std::filesystem::path(testing::TempDir()) / "scheme_page_docs";
  std::filesystem::remove_all(docs);
  std::filesystem::create_directories(docs);
  EXPECT_THROW(check_page(docs / "nowhere"), Error);
  EXPECT_THROW(check_page(docs), Error);
  std::ofstream(docs / "stepper-comparison.md") << "no place for tables\n";
  EXPECT_THROW(write_page(docs, sample_rows()), Error);
  EXPECT_FALSE(std::filesystem::exists(docs / "images"));

  std::ofstream(docs / "stepper-comparison.md") << "before\n<!-- comparison: begin -->\nold\n"
                                                   "<!-- comparison: end -->\nafter\n";
  write_page(docs, sample_rows());
  std::ifstream in(docs / "stepper-comparison.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text.find("old"), std::string::npos);
  EXPECT_EQ(text.rfind("before\n", 0), 0u);
  EXPECT_NE(text.find("**`foerg`**"), std::string::npos);
  EXPECT_NE(text.find("after\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(docs / "images" / "steppers_free.svg"));
  EXPECT_EQ(read_csv(docs / "stepper-comparison.csv").size(), sample_rows().size());
}

}  // namespace
}  // namespace cairn::validation
