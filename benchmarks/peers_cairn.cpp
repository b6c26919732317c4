// SPDX-License-Identifier: Apache-2.0
// Cairn as one more engine of the peers harness (peers.hpp), so that the same code measures it and the others.
// Presets: def (solver auto, tolerance 1e-8), fast (Gauss-Seidel, tolerance 1e-4, at most 60 sweeps).
#include "cairn/sim/simulation.h"

#include <peers.hpp>

namespace {

/// Body i of the harness is body i of the model.
class CairnEngine final : public peers::Engine {
 public:
  std::string name() override { return "cairn"; }

  bool init(const peers::Scene& scene, const std::string& preset, double dt, int threads) override {
    const bool fast = preset == "fast";
    if (!fast && preset != "def") throw cairn::Error("there is no preset '{}'; there are def, fast", preset);
    cairn::Model model;
    model.run.step = dt;
    model.run.threads = threads;
    model.run.solver.parameters["tolerance"] = fast ? "1e-4" : "1e-8";
    if (fast) {
      model.run.solver.name = "gauss-seidel";
      model.run.solver.parameters["max_iterations"] = "60";
    }
    model.set_gravity(scene.g);
    model.set_contact({.friction = scene.mu, .restitution = 0});
    for (const peers::Body& body : scene.bodies) {
      const peers::Shape& shape = scene.shapes[static_cast<std::size_t>(body.s)];
      if (shape.t == peers::Shape::HULL) return false;
      std::optional<cairn::Shape> collider;
      if (scene.collide && shape.t == peers::Shape::BOX) collider = cairn::Box{shape.h};
      if (scene.collide && shape.t == peers::Shape::SPHERE) collider = cairn::Sphere{shape.r};
      if (body.fixed) {
        model.add_fixed({.shape = collider, .position = body.p, .orientation = body.q});
      } else {
        model.add_rigid({.shape = collider,
                         .position = body.p,
                         .orientation = body.q,
                         .mass = body.m,
                         .inertia = cairn::Mat3(body.I.asDiagonal())});
      }
    }
    for (const peers::Joint& joint : scene.joints) {
      const peers::Body& b = scene.bodies[static_cast<std::size_t>(joint.b)];
      model.add_joint({.body_a = joint.a < 0 ? std::string() : model.body_name(joint.a),
                       .body_b = model.body_name(joint.b),
                       .position = b.p + b.q * joint.pb});
    }
    simulation_ = std::make_unique<cairn::Simulation>(std::move(model));
    return true;
  }

  void step() override {
    const cairn::Certificate& c = simulation_->step();
    if (c.status == cairn::StepStatus::Done) return;
    throw cairn::Error("step at {} s: {}", c.time, cairn::to_string(c.status));
  }

  void state(int i, peers::V& p, peers::Q& q, peers::V& v, peers::V& w) override {
    const cairn::BodyId body{i};
    p = simulation_->position(body);
    q = simulation_->orientation(body);
    v = simulation_->velocity(body);
    w = simulation_->angular_velocity(body);
  }

  int contacts() override { return simulation_->certificate().contacts; }

  void forces(std::vector<std::pair<double, double>>& out) override {
    for (const cairn::ContactResult& c : simulation_->contacts()) {
      const double normal = c.normal.dot(c.impulse);
      out.emplace_back(normal, (c.impulse - normal * c.normal).norm());
    }
  }

 private:
  std::unique_ptr<cairn::Simulation> simulation_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return peers::peers_main(argc, argv, [] { return std::make_unique<CairnEngine>(); });
  } catch (const cairn::Error& error) {
    fmt::print(stderr, "peers_cairn: {}\n", error.what());
    return 2;
  }
}
