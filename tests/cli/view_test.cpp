// SPDX-License-Identifier: Apache-2.0
// `cairn view` and `cairn run --live` as programs: address, page, Ctrl-C, wrong input, damage, and no change of a run.
#include "program.h"

#include <nlohmann/json.hpp>

#include "view/view_client.h"

namespace cairn {
namespace {

using namespace testing_program;
using namespace std::chrono_literals;
using nlohmann::json;

class ViewTest : public ProgramTest {
 protected:
  /// Waits for the address in one of the outputs; 0: none came.
  unsigned short port_in(const std::string& file) {
    unsigned short port = 0;
    eventually([&] {
      const std::string text = text_of(folder / file), mark = "http://127.0.0.1:";
      const std::size_t at = text.find(mark);
      if (at == std::string::npos || text.find('/', at + mark.size()) == std::string::npos) return false;
      port = static_cast<unsigned short>(std::stoi(text.substr(at + mark.size())));
      return true;
    });
    return port;
  }
  int stop(pid_t child) {
    kill(child, SIGINT);
    return wait_for(child).status;
  }
};

TEST_F(ViewTest, a_recording_is_served_until_ctrl_c) {
  write("scene.yaml", stack_scene());
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  const pid_t child = start({"view", "run.h5", "--no-open"});
  const unsigned short port = port_in(".out");
  ASSERT_NE(port, 0);
  const auto page = test::get(port, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.head.find("text/html"), std::string::npos);
  EXPECT_NE(page.body.find("Cairn"), std::string::npos);
  const auto model = json::parse(test::get(port, "/api/model").body);
  EXPECT_EQ(model["title"], "A small stack");
  EXPECT_EQ(model["bodies"].size(), 4u);
  test::WebSocket ws(port);
  EXPECT_EQ(ws.status(), 101);
  EXPECT_EQ(stop(child), 0);
}

TEST_F(ViewTest, a_scene_runs_live_and_can_be_stopped) {
  write("scene.yaml", stack_scene());
  const pid_t child = start({"view", "scene.yaml", "--no-open", "--paused"});
  const unsigned short port = port_in(".out");
  ASSERT_NE(port, 0);
  EXPECT_EQ(json::parse(test::get(port, "/api/model").body)["mode"], "live");
  test::WebSocket ws(port);
  ASSERT_TRUE(ws.receive(1, "\"step\":0,\"paused\":true", 5s));
  ws.send(R"({"command":"play"})");
  EXPECT_TRUE(ws.receive(1, "\"paused\":false", 5s));
  EXPECT_EQ(stop(child), 0);
}

TEST_F(ViewTest, wrong_input_is_exit_2_and_damage_is_served_in_words) {
  EXPECT_EQ(run({"view", "nothing.h5"}).status, 2);
  EXPECT_EQ(run({"view", "."}).status, 2);
  write("bad.yaml", "cairn: 1\nbodies: 7\n");
  const Result bad = run({"view", "bad.yaml", "--no-open"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_NE(bad.err.find("bad.yaml:2"), std::string::npos) << bad.err;
  write("scene.yaml", stack_scene());
  const Result hurry = run({"run", "scene.yaml", "--speed", "1"});
  EXPECT_EQ(hurry.status, 2);
  EXPECT_NE(hurry.err.find("--speed: only with --live"), std::string::npos) << hurry.err;
  ASSERT_EQ(run({"run", "scene.yaml", "-o", "run.h5", "--quiet"}).status, 0);
  fs::resize_file(folder / "run.h5", 4000);
  const pid_t child = start({"view", "run.h5", "--no-open"});
  const unsigned short port = port_in(".out");
  ASSERT_NE(port, 0);
  const auto model = test::get(port, "/api/model");
  EXPECT_EQ(model.status, 500);
  EXPECT_NE(json::parse(model.body)["error"].get<std::string>().find("run.h5"), std::string::npos);
  EXPECT_EQ(test::get(port, "/").status, 200);
  EXPECT_EQ(stop(child), 0);
}

TEST_F(ViewTest, a_port_that_is_taken_is_exit_2) {
  write("scene.yaml", stack_scene());
  const pid_t child = start({"view", "scene.yaml", "--no-open"});
  const unsigned short port = port_in(".out");
  const Result second = shell("$CAIRN view scene.yaml --no-open --port " + std::to_string(port) + " 2>second.err");
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(text_of(folder / "second.err").find(std::to_string(port)), std::string::npos);
  EXPECT_EQ(stop(child), 0);
}

TEST_F(ViewTest, a_run_that_is_watched_records_the_same_bits) {
  write("scene.yaml", stack_scene(30, "3"));
  ASSERT_EQ(run({"run", "scene.yaml", "--checkpoint", "alone.ck", "--quiet"}).status, 0);
  const pid_t child =
      start({"run", "scene.yaml", "--live", "--no-open", "-o", "live.h5", "--checkpoint", "live.ck", "--json"});
  const unsigned short port = port_in(".err");
  ASSERT_NE(port, 0);
  {
    test::WebSocket ws(port);
    int frames = 0;
    for (int i = 0; i < 20; ++i)
      if (const auto message = ws.receive(100ms); message && message->opcode == 2) {
        ++frames;
        ws.send(R"({"ack":0})");
      }
    EXPECT_GT(frames, 0);
  }
  const Result live = wait_for(child);
  EXPECT_EQ(live.status, 0);
  EXPECT_EQ(json::parse(live.out)["certificate"]["steps"], 600);  // standard output has the document alone
  EXPECT_EQ(text_of(folder / "alone.ck"), text_of(folder / "live.ck"));
  EXPECT_EQ(run({"info", "live.h5"}).status, 0);
}

}  // namespace
}  // namespace cairn
