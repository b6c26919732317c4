// SPDX-License-Identifier: Apache-2.0
// A live run: bit for bit the run nobody watches, until somebody acts; nobody's slowness slows it.
#include "cairn/view/live_source.h"

#include <atomic>
#include <cstring>
#include <thread>

#include "cairn/view/view_server.h"
#include "view/recording_fixture.h"
#include "view/view_client.h"

namespace cairn {
namespace {

using namespace std::chrono_literals;
using test::get;
using test::number_at;
using test::WebSocket;

/// A simulation that runs in a thread of its own behind a server, as `cairn view SCENE` does it.
class LiveRun {
 public:
  explicit LiveRun(const Model& model, LiveSource::Settings settings = {})
      : simulation_(model), source_(simulation_, settings), server_(source_, {}) {
    thread_ = std::thread([this] {
      while (source_.before_step(simulation_, [this] { return stop_.load(); })) {
        simulation_.step();
        source_.after_step(simulation_);
        ++steps_;
      }
    });
  }
  ~LiveRun() { end(); }
  void end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  /// After end().
  Simulation& simulation() { return simulation_; }
  LiveSource& source() { return source_; }
  unsigned short port() const { return server_.port(); }
  long steps() const { return steps_; }

 private:
  Simulation simulation_;
  LiveSource source_;
  ViewServer server_;
  std::thread thread_;
  std::atomic<bool> stop_ = false;
  std::atomic<long> steps_ = 0;
};

Model make_table(double friction = 0.5) {
  Model model;
  model.set_contact({.friction = friction});
  model.add_fixed({.name = "ground", .shape = HalfSpace{}});
  model.add_rigid({.name = "box", .shape = Box{{0.1, 0.1, 0.1}}, .position = {0, 0, 0.1}});
  model.run.step = 1.0 / 500;
  return model;
}

/// The next status, with the frames on the way taken.
Json status(WebSocket& ws, const std::function<bool(const Json&)>& wanted = {}, std::chrono::seconds wait = 10s) {
  const auto end = std::chrono::steady_clock::now() + wait;
  while (std::chrono::steady_clock::now() < end) {
    const auto message = ws.receive(500ms);
    if (!message) continue;
    if (message->opcode == 2) ws.send(R"({"ack":0})");
    if (message->opcode != 1 || !message->text.starts_with("{\"status\"")) continue;
    Json j = Json::parse(message->text)["status"];
    if (!wanted || wanted(j)) return j;
  }
  ADD_FAILURE() << "no such status";
  return {};
}

TEST(LiveSource, a_run_that_is_watched_has_the_bits_of_one_that_is_not) {
  const Model model = test::make_view_scene();
  Simulation alone(model);
  LiveRun live(model, {.speed = 0});
  WebSocket ws(live.port());
  int frames = 0;
  while (live.steps() < 1000 || (frames < 10 && live.steps() < 1000000)) {
    if (const auto message = ws.receive(100ms); message && message->opcode == 2) {
      ++frames;
      ws.send(R"({"ack":0})");
    }
  }
  live.end();
  EXPECT_GT(frames, 3);
  const State& seen = live.simulation().state();
  for (std::int64_t i = 0; i < seen.step; ++i) alone.step();
  ASSERT_EQ(seen.motion.q.size(), alone.state().motion.q.size());
  EXPECT_EQ(std::memcmp(seen.motion.q.data(), alone.state().motion.q.data(),
                        8 * static_cast<std::size_t>(seen.motion.q.size())),
            0);
  EXPECT_EQ(std::memcmp(seen.motion.u.data(), alone.state().motion.u.data(),
                        8 * static_cast<std::size_t>(seen.motion.u.size())),
            0);
}

TEST(LiveSource, pause_step_play_and_reset_do_what_they_say) {
  LiveRun live(make_table(), {.speed = 1});
  WebSocket ws(live.port());
  ws.send(R"({"command":"pause"})");
  Json s = status(ws, [](const Json& j) { return j["paused"] == true; });
  const std::int64_t at = s["step"];
  EXPECT_EQ(s["time"].get<double>(), static_cast<double>(at) == 0 ? 0.0 : s["time"].get<double>());
  ws.send(R"({"command":"step"})");
  s = status(ws, [&](const Json& j) { return j["step"] == at + 1; });
  EXPECT_EQ(s["paused"], true);
  const auto body = Json::parse(get(live.port(), "/api/body?frame=0&index=1").body);
  EXPECT_EQ(body["time"], s["time"]);
  std::this_thread::sleep_for(100ms);
  ws.send(R"({"command":"reset"})");
  s = status(ws, [](const Json& j) { return j["step"] == 0; });
  EXPECT_EQ(s["time"], 0.0);
  ws.send(R"({"command":"play"})");
  status(ws, [](const Json& j) { return j["step"] > 20 && j["paused"] == false; });
}

TEST(LiveSource, pace_is_that_of_the_clock_times_the_factor) {
  LiveRun live(make_table(), {.speed = 1});
  WebSocket ws(live.port());
  ws.send(R"({"command":"speed","factor":0.5})");
  std::this_thread::sleep_for(200ms);
  const long before = live.steps();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(1s);
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // Half of 500 steps a second; a busy machine may do less, never more.
  const double steps = static_cast<double>(live.steps() - before);
  EXPECT_LE(steps, 250 * passed * 1.1 + 5);
  EXPECT_GE(steps, 250 * passed * 0.5);
}

TEST(LiveSource, drag_moves_the_body_and_its_work_is_counted) {
  LiveRun live(make_table(0.3), {.speed = 0});
  WebSocket ws(live.port());
  ws.send(R"({"command":"drag","body":1,"point":[0,0,0],"target":[0.8,0,0.5]})");
  const Json pulled = status(ws, [](const Json& j) { return !j["drag"].is_null() && j["step"] > 200; });
  EXPECT_EQ(pulled["drag"]["body"], 1);
  status(ws, [&](const Json& j) { return j["step"] > pulled["step"].get<std::int64_t>() + 2000; });
  const Json body = Json::parse(get(live.port(), "/api/body?frame=0&index=1").body);
  // The spring carries the weight at k x = m g with k = m (2 pi 2 Hz)^2: it hangs g/omega^2 = 0.0621 m below.
  EXPECT_NEAR(body["position"][0].get<double>(), 0.8, 0.02);
  EXPECT_NEAR(body["position"][2].get<double>(), 0.5 - 9.81 / (16 * M_PI * M_PI), 0.02);
  ws.send(R"({"command":"release"})");
  const Json free = status(ws, [](const Json& j) { return j["drag"].is_null(); });
  live.end();
  // Energy: the box was lifted by about 0.34 m; all of it came from the hand, and the balance of every step is closed.
  const RunSummary& sum = live.simulation().summary();
  const double mass = 8.0;  // 0.2^3 m^3 of 1000 kg/m^3
  EXPECT_GT(free["work"]["loads"].get<double>(), 0.9 * mass * 9.81 * 0.33);
  EXPECT_LT(std::abs(sum.numerical), 0.02 * sum.energy_scale);
}

TEST(LiveSource, dragging_what_does_not_move_is_refused) {
  LiveRun live(make_table());
  WebSocket ws(live.port());
  for (const char* text :
       {R"({"command":"drag","body":0,"point":[0,0,0],"target":[0,0,1]})",
        R"({"command":"drag","body":7,"point":[0,0,0],"target":[0,0,1]})",
        R"({"command":"drag","body":1,"point":[0,0],"target":[0,0,1]})",
        R"({"command":"drag","body":1,"point":[0,0,0],"target":[0,0,1e300]})",
        R"({"command":"drag","body":1.5,"point":[0,0,0],"target":[0,0,1]})", R"({"command":"speed","factor":-1})",
        R"({"command":"speed"})", R"({"command":"set","name":"gravity.z","value":1e9})",
        R"({"command":"set","name":"nothing","value":1})", R"({"command":"explode"})"}) {
    ws.send(text);
    EXPECT_TRUE(ws.receive(1, "\"error\"", 5s)) << text;
  }
}

TEST(LiveSource, gravity_and_friction_can_be_turned) {
  LiveRun live(make_table(0.8), {.speed = 0});
  WebSocket ws(live.port());
  const Json model = Json::parse(get(live.port(), "/api/model").body);
  ASSERT_EQ(model["parameters"].size(), 4u);  // gravity has three, and there is one pair of materials
  EXPECT_EQ(model["parameters"][3]["name"], "friction.default.default");
  EXPECT_EQ(model["parameters"][3]["value"], 0.8);
  ws.send(R"({"command":"set","name":"gravity.x","value":5})");  // 5 < 0.8 * 9.81: it stays
  ASSERT_TRUE(ws.receive(1, "\"parameters\"", 5s));
  Json s = status(ws);
  const auto more = [&](std::int64_t n) {
    const std::int64_t goal = s["step"].get<std::int64_t>() + n;
    s = status(ws, [&](const Json& j) { return j["step"] > goal; });
  };
  more(500);
  EXPECT_LT(s["energy"]["kinetic"].get<double>(), 1e-6);
  ws.send(R"({"command":"set","name":"friction.default.default","value":0.2})");  // 5 > 0.2 * 9.81: it slides
  ASSERT_TRUE(ws.receive(1, "\"parameters\"", 5s));  // steps count from when the run has taken it
  s = status(ws);
  more(500);
  EXPECT_GT(s["energy"]["kinetic"].get<double>(), 1);
  live.end();
  EXPECT_LT(std::abs(live.simulation().certificate().numerical), 1e-6 * live.simulation().summary().energy_scale);
}

TEST(LiveSource, motors_can_be_turned) {
  Model model;
  model.add_rigid({.name = "rotor", .shape = Cylinder{0.2, 0.05}});
  model.add_joint({.kind = JointKind::Revolute, .name = "axle", .body_a = "rotor"});
  model.add_coordinate_law({.kind = CoordinateLawKind::Motor,
                            .name = "drive",
                            .terms = {{.joint = "axle"}},
                            .target = [](double) { return 1.0; },
                            .force = 1000.0});
  LiveRun live(model, {.speed = 0});
  WebSocket ws(live.port());
  ws.send(R"({"command":"set","name":"motor.drive","value":-3})");
  const Json s = status(ws, [](const Json& j) { return j["step"] > 50; });
  status(ws, [&](const Json& j) { return j["step"] > s["step"].get<std::int64_t>() + 100; });
  const Json body = Json::parse(get(live.port(), "/api/body?frame=0&index=0").body);
  EXPECT_NEAR(body["angular_velocity"][2].get<double>(), -3, 1e-6);
}

TEST(LiveSource, a_client_that_never_reads_does_not_slow_the_run) {
  Model model = make_table();
  for (int i = 0; i < 300; ++i)
    model.add_rigid({.shape = Sphere{0.05}, .position = {1.0 + 0.2 * (i % 20), 0.2 * (i / 20), 0.05}});
  LiveRun live(model, {.speed = 0});
  const auto pace = [&] {
    const long before = live.steps();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(1500ms);
    return static_cast<double>(live.steps() - before) /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::this_thread::sleep_for(300ms);
  const double alone = pace();
  // They take the smallest buffers there are, ask for frames all the time and never read one.
  std::vector<std::unique_ptr<WebSocket>> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(std::make_unique<WebSocket>(live.port(), "", 2048));
    ASSERT_EQ(slow.back()->status(), 101);
    for (int k = 0; k < 50; ++k) slow.back()->send(R"({"ack":0})");
  }
  const double watched = pace();
  EXPECT_GT(watched, 0.5 * alone) << "alone " << alone << " steps/s, watched " << watched;
  EXPECT_EQ(get(live.port(), "/api/model").status, 200);
}

TEST(LiveSource, clients_killed_in_the_middle_of_a_frame_harm_nobody) {
  LiveRun live(test::make_view_scene(), {.speed = 0});
  for (int i = 0; i < 30; ++i) {
    WebSocket ws(live.port());
    ws.receive(100ms);
    ws.send(R"({"ack":0})");
    ws.connection().abort();
  }
  const long before = live.steps();
  std::this_thread::sleep_for(100ms);
  EXPECT_GT(live.steps(), before);
  EXPECT_EQ(get(live.port(), "/api/model").status, 200);
}

TEST(LiveSource, one_frame_is_in_flight_until_it_is_acknowledged) {
  LiveRun live(make_table(), {.speed = 1});
  WebSocket ws(live.port());
  int frames = 0;
  for (const auto end = std::chrono::steady_clock::now() + 500ms; std::chrono::steady_clock::now() < end;)
    if (const auto message = ws.receive(50ms); message && message->opcode == 2) ++frames;
  EXPECT_EQ(frames, 1);
  ws.send(R"({"ack":0})");
  ASSERT_TRUE(ws.receive(2, "CRNF", 2s));
}

TEST(LiveSource, certificates_are_kept_for_the_plots) {
  LiveRun live(make_table(), {.speed = 0});
  while (live.steps() < 300) std::this_thread::sleep_for(5ms);
  WebSocket ws(live.port());
  ws.send(R"({"command":"pause"})");
  const Json s = status(ws, [](const Json& j) { return j["paused"] == true; });
  const std::string bytes = get(live.port(), "/api/series?name=energy.total&points=100000").body;
  const std::size_t n = number_at<std::uint32_t>(bytes, 0);
  EXPECT_EQ(n, s["step"].get<std::size_t>());
  EXPECT_EQ(number_at<double>(bytes, 8 + 8 * (2 * n - 1)), s["energy"]["total"].get<double>());
  EXPECT_EQ(get(live.port(), "/api/series?name=body.1.position.z").status, 404);
}

TEST(LiveSource, a_recorded_run_cannot_be_reset) {
  LiveRun live(make_table(), {.may_reset = false});
  WebSocket ws(live.port());
  ws.send(R"({"command":"reset"})");
  EXPECT_TRUE(ws.receive(1, "cannot be reset", 5s));
}

}  // namespace
}  // namespace cairn
