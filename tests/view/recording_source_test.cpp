// SPDX-License-Identifier: Apache-2.0
// What the viewer is told about a recording, compared with what HDF5 itself reads from the file; damage and growth.
#include "cairn/view/recording_source.h"

#include <sys/wait.h>

#include "cairn/view/view_api.h"
#include "view/recording_fixture.h"
#include "view/view_client.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::number_at;

class RecordingSourceTest : public test::FolderTest {
 protected:
  RecordingSourceTest() {
    file = folder / "run.h5";
    test::record(test::make_view_scene(), file, 0.6, 0.02);
  }
  fs::path file;
};

/// Numbers of a data set, by HDF5's own calls: not by our reader.
std::vector<double> read_set(const fs::path& file, const char* path, std::vector<hsize_t>& shape) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(f, path, H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(f);
  return values;
}

ViewReply ask(ViewSource& source, const std::string& target) { return answer_request(source, {}, target); }
Json ask_json(ViewSource& source, const std::string& target) {
  const ViewReply reply = ask(source, target);
  EXPECT_EQ(reply.status, 200) << target << ": " << reply.body;
  return Json::parse(reply.body);
}

TEST_F(RecordingSourceTest, model_tells_bodies_shapes_joints_and_fields) {
  RecordingSource source(file);
  const Json m = ask_json(source, "/api/model");
  EXPECT_EQ(m["protocol"], 1);
  EXPECT_EQ(m["mode"], "recording");
  EXPECT_EQ(m["title"], "Viewer \xC3\xA9");
  EXPECT_EQ(m["file"], "run.h5");
  EXPECT_EQ(m["complete"], true);
  ASSERT_EQ(m["bodies"].size(), 5u);
  EXPECT_TRUE(m["bodies"][0]["mass"].is_null());
  EXPECT_EQ(m["bodies"][0]["kind"], "fixed");
  EXPECT_EQ(m["bodies"][2]["material"], "wood");
  EXPECT_EQ(m["bodies"][4]["deforms"], true);
  // Ball and bob share their sphere; the half-space has no bounds.
  ASSERT_EQ(m["shapes"].size(), 4u);
  EXPECT_EQ(m["bodies"][1]["shape"], m["bodies"][3]["shape"]);
  EXPECT_EQ(m["shapes"][0]["kind"], "half-space");
  EXPECT_TRUE(m["shapes"][0]["bounds"].is_null());
  EXPECT_EQ(m["shapes"][1]["numbers"], Json({0.1}));
  EXPECT_EQ(m["shapes"][1]["bounds"], Json({{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}));
  EXPECT_EQ(m["joints"][0]["name"], "hinge");
  EXPECT_EQ(m["joints"][0]["body_b"], -1);
  EXPECT_EQ(m["coordinates"], Json::parse(R"([{"joint": 0, "name": "angle", "unit": "rad"}])"));
  EXPECT_EQ(m["certificate_fields"][0]["name"], "time");
  EXPECT_LT(m["bounds"][0][0].get<double>(), -6);
  EXPECT_GT(m["bounds"][1][0].get<double>(), 3);
}

TEST_F(RecordingSourceTest, numbers_of_a_body_are_those_of_the_file_to_the_last_bit) {
  std::vector<hsize_t> shape;
  const auto position = read_set(file, "/frame/position", shape);
  ASSERT_EQ(shape.size(), 3u);
  const std::size_t n = shape[0], nb = shape[1];
  const auto velocity = read_set(file, "/frame/velocity", shape),
             rotation = read_set(file, "/frame/orientation", shape), time = read_set(file, "/time", shape);
  RecordingSource source(file);
  for (const std::size_t frame : {std::size_t{0}, n / 2, n - 1})
    for (std::size_t b = 0; b < nb; ++b) {
      const Json j = ask_json(source, fmt::format("/api/body?frame={}&index={}", frame, b));
      EXPECT_EQ(j["time"].get<double>(), time[frame]);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(j["position"][i].get<double>(), position[(frame * nb + b) * 3 + i]);
        EXPECT_EQ(j["velocity"][i].get<double>(), velocity[(frame * nb + b) * 3 + i]);
      }
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(j["orientation"][i].get<double>(), rotation[(frame * nb + b) * 4 + i]);
    }
}

TEST_F(RecordingSourceTest, frames_come_one_after_the_other_with_the_files_numbers) {
  std::vector<hsize_t> shape;
  const auto position = read_set(file, "/frame/position", shape);
  RecordingSource source(file);
  const std::string bytes = ask(source, "/api/frames?from=3&count=4").body;
  std::size_t at = 0;
  for (std::uint32_t frame = 3; frame < 7; ++frame) {
    ASSERT_LT(at + 48, bytes.size());
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at), 0x464E5243u);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 16), frame);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 20), 5u);
    for (std::size_t i = 0; i < 15; ++i)
      EXPECT_EQ(number_at<float>(bytes, at + 48 + 4 * i), static_cast<float>(position[frame * 15 + i]));
    at += number_at<std::uint32_t>(bytes, at + 4);
  }
  EXPECT_EQ(at, bytes.size());
  const std::string times = ask(source, "/api/times").body;
  EXPECT_EQ(number_at<std::uint32_t>(times, 0), shape[0]);
  EXPECT_EQ(number_at<std::uint32_t>(times, 4), 1u);
  EXPECT_EQ(times.size(), 8 + 8 * shape[0]);
}

TEST_F(RecordingSourceTest, series_are_the_columns_of_the_file) {
  std::vector<hsize_t> shape;
  const auto velocity = read_set(file, "/frame/velocity", shape);
  const std::size_t n = shape[0];
  const auto angle = read_set(file, "/joints/coordinate", shape);
  const auto penetration = read_set(file, "/certificate/penetration", shape);
  const std::size_t s = shape[0];
  RecordingSource source(file);
  const std::string v = ask(source, "/api/series?name=body.1.velocity.z").body;
  ASSERT_EQ(number_at<std::uint32_t>(v, 0), n);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(number_at<double>(v, 8 + 8 * (n + i)), velocity[(i * 5 + 1) * 3 + 2]);
  const std::string p = ask(source, "/api/series?name=certificate.penetration").body;
  ASSERT_EQ(number_at<std::uint32_t>(p, 0), s);
  for (std::size_t i = 0; i < s; ++i) EXPECT_EQ(number_at<double>(p, 8 + 8 * (s + i)), penetration[i]);
  const std::string c = ask(source, "/api/series?name=coordinate.0").body;
  EXPECT_EQ(number_at<double>(c, 8 + 8 * (2 * n - 1)), angle.back());
  // Weight of the box on the ground.
  const std::string f = ask(source, "/api/series?name=contact.2.0.normal_force&from=0.4").body;
  const std::size_t k = number_at<std::uint32_t>(f, 0);
  EXPECT_NEAR(number_at<double>(f, 8 + 8 * (2 * k - 1)), 600 * 0.48 * 9.81, 1);
  EXPECT_EQ(ask(source, "/api/series?name=body.9.position.x").status, 404);
  EXPECT_EQ(ask(source, "/api/series?name=nothing").status, 404);
}

TEST_F(RecordingSourceTest, a_recorded_pull_is_in_frames_numbers_and_series) {
  const fs::path pulled = folder / "pulled.h5";
  Simulation simulation(test::make_view_scene());
  {
    Recorder recorder(pulled, simulation, {.interval = 0});
    for (int i = 1; i <= 6; ++i) {
      if (i == 3) simulation.set_pull(Pull({.at = {.body = 1}, .target = {0, 0, 9}, .stiffness = 1e6, .limit = 12}));
      if (i == 5) simulation.set_pull({});
      simulation.step();
      recorder.record_step(simulation);
    }
    recorder.close();
  }
  RecordingSource source(pulled);
  for (int i = 0; i <= 6; ++i) {
    const bool is = i == 3 || i == 4;
    const Json j = Json::parse(ask(source, fmt::format("/api/body?frame={}&index=1", i)).body);
    EXPECT_EQ(j["pull"].is_null(), !is) << i;
    const std::string bytes = ask(source, fmt::format("/api/frames?from={}&count=1", i)).body;
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 40), is ? 5u : 1u) << i;
    if (!is) continue;
    EXPECT_NEAR(j["pull"]["force"][2].get<double>(), 12, 1e-9);  // straight up, at its limit
  }
  const std::string f = ask(source, "/api/series?name=pull.force").body;
  ASSERT_EQ(number_at<std::uint32_t>(f, 0), 7u);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(number_at<double>(f, 8 + 8 * (7 + i)), i == 3 || i == 4 ? 12 : 0, 1e-9) << i;
  EXPECT_EQ(ask(source, "/api/series?name=pull.colour").status, 404);
}

TEST_F(RecordingSourceTest, meshes_are_closed_outward_and_of_unit_normals) {
  RecordingSource source(file);
  const Json m = ask_json(source, "/api/model");
  for (std::size_t k = 1; k < m["shapes"].size(); ++k) {
    const std::string mesh = ask(source, fmt::format("/api/shape?index={}", k)).body;
    const std::size_t v = number_at<std::uint32_t>(mesh, 0), t = number_at<std::uint32_t>(mesh, 4);
    ASSERT_EQ(mesh.size(), 8 + 24 * v + 12 * t);
    EXPECT_EQ(m["shapes"][k]["triangles"], t);
    const auto vector = [&](std::size_t at) {
      return Vec3(number_at<float>(mesh, at), number_at<float>(mesh, at + 4), number_at<float>(mesh, at + 8));
    };
    double volume = 0;
    for (std::size_t i = 0; i < t; ++i) {
      Vec3 x[3];
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t index = number_at<std::uint32_t>(mesh, 8 + 24 * v + 12 * i + 4 * c);
        ASSERT_LT(index, v);
        x[c] = vector(8 + 12 * index);
        const Vec3 n = vector(8 + 12 * v + 12 * index);
        EXPECT_NEAR(n.norm(), 1, 1e-6);
        EXPECT_GT(n.dot(x[c]), 0);  // the origin is inside
      }
      volume += x[0].dot(x[1].cross(x[2])) / 6;
    }
    const double wanted = k == 1 ? 4.18879e-3 : k == 2 ? 0.48 : 0.064;  // sphere, box, soft block
    EXPECT_NEAR(volume, wanted, 0.03 * wanted) << k;
  }
  EXPECT_EQ(ask(source, "/api/shape?index=99").status, 400);
}

TEST_F(RecordingSourceTest, the_ball_is_seen_to_meet_the_ground) {
  RecordingSource source(file);
  const Json events = ask_json(source, "/api/events");
  bool met = false;
  for (const Json& e : events)
    if (e["kind"] == "impact" && e["bodies"] == Json({0, 1})) {
      met = true;
      // It falls 0.2 m: t = sqrt(2 * 0.2/9.81) = 0.2019; frames are 0.02 apart.
      EXPECT_NEAR(e["time"].get<double>(), 0.2019, 0.0205);
    }
  EXPECT_TRUE(met) << events.dump();
}

TEST_F(RecordingSourceTest, events_in_pieces_are_the_same_events) {
  RecordingSource whole(file), pieces(file);
  const Json all = Json::parse(ask(whole, "/api/events").body);
  ASSERT_FALSE(all.empty());
  // With no time at all one frame is looked at for each question.
  Json part;
  double until = -1;
  int questions = 0;
  do {
    const ViewReply reply = ask(pieces, "/api/events?within=0");
    ASSERT_EQ(reply.status, 200);
    part = Json::parse(reply.body);
    EXPECT_GE(part["until"].get<double>(), until);
    until = part["until"].get<double>();
    ASSERT_LT(++questions, 10000);
  } while (!part["complete"].get<bool>());
  EXPECT_GT(questions, 20);
  EXPECT_EQ(part["events"], all);
  EXPECT_EQ(until, Recording(file).times().back());
  EXPECT_EQ(ask(pieces, "/api/events?within=-1").status, 400);
  EXPECT_EQ(ask(pieces, "/api/events?within=soon").status, 400);
}

TEST_F(RecordingSourceTest, wrong_questions_are_answered_in_words) {
  RecordingSource source(file);
  for (const auto& [target, status] :
       std::vector<std::pair<std::string, int>>{{"/api/frames?from=99999", 400},
                                                {"/api/frames?from=-1", 400},
                                                {"/api/frames?from=0&count=x", 400},
                                                {"/api/frames", 400},
                                                {"/api/body?frame=0&index=77", 400},
                                                {"/api/body?frame=88888&index=0", 400},
                                                {"/api/joint?frame=0&index=5", 400},
                                                {"/api/contact?frame=0&index=0", 400},
                                                {"/api/series?name=certificate.residual&from=nan", 404},
                                                {"/api/nothing", 404},
                                                {"/../etc/passwd", 404},
                                                {"", 404}}) {
    const ViewReply reply = ask(source, target);
    EXPECT_EQ(reply.status, status) << target;
    EXPECT_FALSE(Json::parse(reply.body)["error"].get<std::string>().empty());
  }
}

TEST_F(RecordingSourceTest, a_truncated_file_is_an_answer_in_words_until_it_can_be_read) {
  const auto size = fs::file_size(file);
  const fs::path whole = folder / "whole.h5";
  fs::copy_file(file, whole);
  for (const double part : {0.05, 0.5, 0.9}) {
    fs::copy_file(whole, file, fs::copy_options::overwrite_existing);
    fs::resize_file(file, static_cast<std::uintmax_t>(part * static_cast<double>(size)));
    RecordingSource source(file);
    const ViewReply model = ask(source, "/api/model");
    if (model.status == 200) {  // cut beyond what the description needs: then a frame may fail
      ask(source, "/api/frames?from=0&count=256");
      ask(source, "/api/events");
      continue;
    }
    EXPECT_EQ(model.status, 500);
    EXPECT_NE(model.body.find("run.h5"), std::string::npos) << model.body;
    EXPECT_EQ(ask(source, "/api/frames?from=0").status, 400);
    fs::copy_file(whole, file, fs::copy_options::overwrite_existing);
    EXPECT_EQ(ask(source, "/api/model").status, 200);
  }
}

TEST_F(RecordingSourceTest, a_recording_that_is_written_grows_and_is_finished) {
  // A writer in a process of its own, as HDF5 wants it: two frames, then on command more.
  const fs::path growing = folder / "growing.h5";
  int go[2], done[2];
  ASSERT_EQ(pipe(go), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    char c = 0;
    Simulation simulation(test::make_view_scene());
    Recorder recorder(growing, simulation, {.interval = 0});
    const auto steps = [&](int n) {
      for (int i = 0; i < n; ++i) simulation.step(), recorder.record_step(simulation);
      recorder.flush();
      (void)!write(done[1], "x", 1);
      (void)!read(go[0], &c, 1);
    };
    steps(2);
    steps(5);
    recorder.close();
    (void)!write(done[1], "x", 1);
    _exit(0);
  }
  char c = 0;
  ASSERT_EQ(read(done[0], &c, 1), 1);
  RecordingSource source(growing);
  int told = 0;
  source.on_news([&] { ++told; });
  EXPECT_EQ(ask_json(source, "/api/model")["complete"], false);
  EXPECT_EQ(number_at<std::uint32_t>(ask(source, "/api/times").body, 0), 3u);
  source.poll();
  ASSERT_EQ(write(go[1], "x", 1), 1);
  ASSERT_EQ(read(done[0], &c, 1), 1);
  source.poll();
  EXPECT_GE(told, 1);
  EXPECT_EQ(number_at<std::uint32_t>(ask(source, "/api/times").body, 0), 8u);
  EXPECT_EQ(*source.news().notice, R"({"times":{"frames":8,"complete":false}})");
  EXPECT_EQ(ask(source, "/api/frames?from=7").status, 200);
  ASSERT_EQ(write(go[1], "x", 1), 1);
  ASSERT_EQ(read(done[0], &c, 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  source.poll();
  EXPECT_EQ(ask_json(source, "/api/model")["complete"], true);
  EXPECT_EQ(number_at<std::uint32_t>(ask(source, "/api/times").body, 4), 1u);
  source.on_news({});
}

}  // namespace
}  // namespace cairn
