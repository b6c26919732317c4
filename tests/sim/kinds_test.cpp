// SPDX-License-Identifier: Apache-2.0
// The kinds of bodies, joints and forces: what is described is what the scene schema and the documents say.
#include "cairn/sim/kinds.h"
#include "support/places.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

namespace cairn {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(source_dir() + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> names(const std::vector<ParameterInfo>& infos) {
  std::set<std::string> all;
  for (const ParameterInfo& info : infos) all.insert(info.name);
  return all;
}

std::set<std::string> keys_of(const nlohmann::json& definition) {
  std::set<std::string> all;
  for (const auto& item : definition["properties"].items()) all.insert(item.key());
  for (const char* own : {"kind", "fixed", "type", "repeat", "when"}) all.erase(own);
  return all;
}

TEST(Kinds, schema_has_exactly_the_described_fields) {
  const auto definitions = nlohmann::json::parse(file_text("docs/scene.schema.json"))["$defs"];
  for (const auto kinds : {body_kinds(), joint_kinds(), force_kinds()}) {
    for (const ModelKind& kind : kinds) {
      ASSERT_TRUE(definitions.contains(kind.name)) << kind.name;
      EXPECT_EQ(keys_of(definitions[kind.name]), names(list_fields(kind))) << kind.name;
    }
  }
  for (const ShapeInfo& info : shape_kinds()) {
    ParameterLister lister;
    info.make(lister);
    EXPECT_EQ(keys_of(definitions["shape"]["properties"][info.name]), names(lister.infos)) << info.name;
  }
}

TEST(Kinds, page_of_scenes_names_every_kind_and_field) {
  const std::string page = file_text("docs/scene.md");
  for (const auto kinds : {body_kinds(), joint_kinds(), force_kinds()}) {
    for (const ModelKind& kind : kinds) {
      EXPECT_NE(page.find(kind.name), std::string::npos) << kind.name;
      for (const ParameterInfo& field : list_fields(kind))
        EXPECT_NE(page.find(field.name), std::string::npos) << field.name;
    }
  }
}

TEST(Kinds, every_field_has_help_and_every_number_a_range_or_none) {
  for (const auto kinds : {body_kinds(), joint_kinds(), force_kinds()}) {
    for (const ModelKind& kind : kinds) {
      EXPECT_FALSE(kind.help.empty());
      for (const ParameterInfo& field : list_fields(kind)) EXPECT_FALSE(field.help.empty()) << kind.name << field.name;
    }
  }
  const auto fields = list_fields(body_kinds()[2]);
  const auto poisson = std::find_if(fields.begin(), fields.end(), [](const auto& f) { return f.name == "poisson"; });
  ASSERT_NE(poisson, fields.end());
  EXPECT_EQ(poisson->range, "in (-1, 0.5)");
}

}  // namespace
}  // namespace cairn
