// SPDX-License-Identifier: Apache-2.0
// A recording with a bit of everything, for the tests of pictures, plots and exports.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cairn/io/recording.h"

namespace cairn {

/// A folder of its own for each test, with run.h5 in it: a box at rest on the ground, a ball that falls, a pendulum on
/// a hinge, an affine block that is thrown, a plate that is driven upwards.
class SampleTest : public testing::Test {
 protected:
  SampleTest() {
    std::string name = (std::filesystem::temp_directory_path() / "cairn_sample_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~SampleTest() override { std::filesystem::remove_all(folder); }

  static Model make_model() {
    Model model;
    model.title = "A bit of everything";
    model.add_material({"wood", 600});
    model.add_fixed({.name = "ground", .shape = HalfSpace{}});
    model.add_rigid({.name = "box", .shape = Box{{0.5, 0.4, 0.3}}, .material = "wood", .position = {0, 0, 0.3}});
    model.add_rigid({.name = "ball", .shape = Sphere{0.2}, .position = {1.5, 0, 2}});
    model.add_rigid({.name = "bob", .shape = Box{{0.1, 0.1, 0.1}}, .position = {3, 0, 2}, .velocity = {0, 1, 0}});
    Affine soft;
    soft.name = "soft";
    soft.spec.shape = Box{{0.2, 0.2, 0.2}};
    soft.spec.position = {-3, 0, 0.25};
    soft.spec.velocity = {0.5, 0, -1};
    soft.spec.deformation_rate << 0.1, -3, 2, 3, 0, -1, -2, 1.5, 0;
    model.add_affine(soft);
    FixedBody plate{.name = "plate", .shape = Box{{0.5, 0.5, 0.1}}, .position = {-1.5, 2, 0.2}};
    plate.motion = PrescribedMotion{[](double t) { return Vec3(0, 0, t); }, {}};
    model.add_fixed(plate);
    model.add_joint({.name = "hook", .body_a = "bob", .position = {3, 0, 3}});
    model.run.step = 1.0 / 500;
    model.run.solver = {"gauss-seidel"};
    return model;
  }

  std::filesystem::path record(double duration = 0.2, bool contacts = true) const {
    Simulation simulation(make_model());
    OutputSettings output;
    output.interval = 0.02;
    output.contacts = contacts;
    Recorder recorder(folder / "run.h5", simulation, output);
    simulation.run(duration, [&](const Simulation& s) {
      recorder.record_step(s);
      return true;
    });
    recorder.close();
    return folder / "run.h5";
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  std::filesystem::path folder;
};

}  // namespace cairn
