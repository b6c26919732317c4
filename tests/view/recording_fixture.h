// SPDX-License-Identifier: Apache-2.0
// A folder of its own, a small model with every kind of thing the viewer shows, and its recording.
#pragma once
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "cairn/io/recording.h"

namespace cairn::test {

namespace fs = std::filesystem;

class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    H5dont_atexit();
    std::string name = (fs::temp_directory_path() / "cairn_view_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~FolderTest() override { fs::remove_all(folder); }
  fs::path folder;
};

/// A ball that falls on the ground and a box that slides to rest there; a bob on a hinge; a soft block; two bodies with
/// one shape.
inline Model make_view_scene() {
  Model model;
  model.title = "Viewer \xC3\xA9";
  model.add_material({"wood", 600});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "ball", .shape = Sphere{0.1}, .position = {0, 0, 0.3}, .angular_velocity = {1, 2, 3}});
  model.add_rigid({.name = "box",
                   .shape = Box{{0.5, 0.4, 0.3}},
                   .material = "wood",
                   .position = {3, 0, 0.3},
                   .velocity = {1, 0, 0}});
  model.add_rigid({.name = "bob", .shape = Sphere{0.1}, .position = {-3, 0, 2}, .velocity = {0, 1, 0}});
  Affine soft;
  soft.name = "soft";
  soft.spec.shape = Box{{0.2, 0.2, 0.2}};
  soft.spec.position = {-6, 0, 0.5};
  model.add_affine(soft);
  model.add_joint(
      {.kind = JointKind::Revolute, .name = "hinge", .body_a = "bob", .position = {-3, 0, 3}, .axis = {1, 0, 0}});
  model.run.step = 1.0 / 500;
  return model;
}

/// Runs it and records every `interval`.
inline void record(const Model& model, const fs::path& file, double duration, double interval) {
  Simulation simulation(model);
  Recorder recorder(file, simulation, {.interval = interval});
  simulation.run(duration, [&](const Simulation& s) {
    recorder.record_step(s);
    return true;
  });
  recorder.close();
}

}  // namespace cairn::test
