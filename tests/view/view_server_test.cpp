// SPDX-License-Identifier: Apache-2.0
// The server against clients that are wrong, hostile, slow or dead.
#include "cairn/view/view_server.h"

#include <ifaddrs.h>
#include <net/if.h>

#include <thread>

#include "cairn/view/recording_source.h"
#include "view/recording_fixture.h"
#include "view/view_client.h"

namespace cairn {
namespace {

using namespace std::chrono_literals;
using test::Connection;
using test::get;
using test::HttpAnswer;
using test::read_answer;
using test::request_text;
using test::WebSocket;

class ViewServerTest : public test::FolderTest {
 protected:
  ViewServerTest() {
    test::record(test::make_view_scene(), folder / "run.h5", 0.1, 0.01);
    source = std::make_unique<RecordingSource>(folder / "run.h5");
    start({});
  }
  void start(ViewServerSettings settings) {
    server.reset();
    settings.page = files;
    server = std::make_unique<ViewServer>(*source, settings);
    port = server->port();
  }
  /// Whether it still answers.
  bool lives() { return get(port, "/api/model").status == 200; }

  static constexpr PageFile files[] = {{"/index.html", "<p>page"}, {"/assets/a.js", "1"}};
  std::unique_ptr<RecordingSource> source;
  std::unique_ptr<ViewServer> server;
  unsigned short port = 0;
};

TEST_F(ViewServerTest, serves_the_page_and_the_api) {
  EXPECT_EQ(server->address(), fmt::format("http://127.0.0.1:{}/", port));
  EXPECT_EQ(get(port, "/").body, "<p>page");
  EXPECT_NE(get(port, "/").head.find("text/html"), std::string::npos);
  EXPECT_NE(get(port, "/assets/a.js").head.find("text/javascript"), std::string::npos);
  EXPECT_EQ(get(port, "/index.htm").status, 404);
  EXPECT_EQ(get(port, "/api/model").status, 200);
  EXPECT_EQ(get(port, "/ws").status, 426);
}

TEST_F(ViewServerTest, several_questions_on_one_connection) {
  Connection c(port);
  for (int i = 0; i < 5; ++i) {
    c.send(request_text(port, "/api/times"));
    const auto answer = read_answer(c);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  }
  c.send(request_text(port, "/", "", "HEAD"));
  EXPECT_EQ(read_answer(c, false)->status, 200);
  c.send(request_text(port, "/", "", "DELETE"));
  EXPECT_EQ(read_answer(c)->status, 405);
}

TEST_F(ViewServerTest, another_host_or_origin_is_refused) {
  const std::string good = "http://127.0.0.1:" + std::to_string(port),
                    local = "http://localhost:" + std::to_string(port);
  for (const std::string& host : {std::string("evil.example"), std::string("127.0.0.1"), std::string("127.0.0.1:1"),
                                  std::string(), "evil.example:" + std::to_string(port)}) {
    Connection c(port);
    c.send("GET /api/model HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    const auto answer = read_answer(c);
    ASSERT_TRUE(answer) << host;
    EXPECT_EQ(answer->status, 403) << host;
    EXPECT_NE(answer->body.find("error"), std::string::npos);
  }
  EXPECT_EQ(get(port, "/api/model", "Origin: " + good + "\r\n").status, 200);
  EXPECT_EQ(get(port, "/api/model", "Origin: " + local + "\r\n").status, 200);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), std::string("file://"),
        "https://127.0.0.1:" + std::to_string(port), std::string("http://127.0.0.1:1"), good + ".evil.example"}) {
    EXPECT_EQ(get(port, "/api/model", "Origin: " + origin + "\r\n").status, 403) << origin;
    EXPECT_EQ(WebSocket(port, "Origin: " + origin + "\r\n").status(), 403) << origin;
  }
  EXPECT_EQ(WebSocket(port, "Origin: " + good + "\r\n").status(), 101);
}

TEST_F(ViewServerTest, other_addresses_of_this_machine_are_not_listened_on) {
  ifaddrs* list = nullptr;
  ASSERT_EQ(getifaddrs(&list), 0);
  // All of 127.0.0.0/8 is this machine: 127.0.0.2 is an address we do not listen on, wherever the test runs.
  std::vector<std::string> others{"127.0.0.2"};
  for (const ifaddrs* a = list; a; a = a->ifa_next) {
    if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET || (a->ifa_flags & IFF_LOOPBACK)) continue;
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(a->ifa_addr)->sin_addr, text, sizeof text);
    others.emplace_back(text);
  }
  freeifaddrs(list);
  for (const std::string& address : others) EXPECT_FALSE(Connection(port, address.c_str()).connected()) << address;
  EXPECT_TRUE(Connection(port).connected());
}

TEST_F(ViewServerTest, what_is_not_http_is_answered_or_dropped_and_the_server_lives) {
  start({.idle = 1s});
  const std::string head = "Host: 127.0.0.1:" + std::to_string(port) + "\r\n";
  const std::vector<std::string> bad{"hello\r\n\r\n",
                                     std::string(100, '\0'),
                                     "GET\r\n\r\n",
                                     "GET / HTTP/9.9\r\n" + head + "\r\n",
                                     "GET " + std::string(100000, 'a') + " HTTP/1.1\r\n" + head + "\r\n",
                                     "GET / HTTP/1.1\r\n" + head + "X: " + std::string(100000, 'b') + "\r\n\r\n",
                                     "POST / HTTP/1.1\r\n" + head + "Content-Length: 999999999999\r\n\r\n",
                                     "POST / HTTP/1.1\r\n" + head + "Content-Length: -1\r\n\r\n",
                                     "\x16\x03\x01\x02\x01\x01"};
  for (const std::string& text : bad) {
    Connection c(port);
    c.send(text);
    if (const auto answer = read_answer(c)) {
      EXPECT_GE(answer->status, 400) << text.substr(0, 40);
      EXPECT_LT(answer->status, 500) << text.substr(0, 40);
    }
  }
  EXPECT_TRUE(lives());
}

TEST_F(ViewServerTest, silent_connections_are_closed_and_only_so_many_are_let_in) {
  start({.connections = 4, .idle = 1s});
  std::vector<std::unique_ptr<Connection>> silent;
  for (int i = 0; i < 4; ++i) {
    silent.push_back(std::make_unique<Connection>(port));
    silent.back()->send("GET / HT");  // half a request
  }
  std::this_thread::sleep_for(200ms);
  Connection fifth(port);
  EXPECT_TRUE(fifth.is_closed_within(2s));
  for (const auto& c : silent) EXPECT_TRUE(c->is_closed_within(4s));
  EXPECT_TRUE(lives());
}

TEST_F(ViewServerTest, messages_that_are_wrong_are_answered_in_words) {
  WebSocket ws(port);
  ASSERT_EQ(ws.status(), 101);
  // The key and its answer are those of RFC 6455, section 1.3.
  EXPECT_NE(ws.head().find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);
  for (const char* text : {"", "not json", "[1,2]", "{}", "{\"command\": 5}", "{\"command\": \"play\"}", "\xff\xfe"}) {
    const bool is_text = std::string_view(text) != "\xff\xfe";
    ws.send(text, is_text ? 1 : 2);
    const auto answer = ws.receive(5s);
    ASSERT_TRUE(answer) << text;
    EXPECT_NE(answer->text.find("\"error\""), std::string::npos) << text;
  }
  std::string deep(2000, '[');
  ws.send(deep);
  EXPECT_NE(ws.receive(5s)->text.find("nested"), std::string::npos);
  ws.send(R"({"ack": 3})");
  EXPECT_FALSE(ws.receive(300ms));
}

TEST_F(ViewServerTest, messages_too_long_and_broken_frames_end_the_connection_only) {
  {
    WebSocket ws(port);
    ws.send(std::string(65536 + 1, ' '));
    EXPECT_TRUE(ws.connection().is_closed_within(5s));
  }
  {
    WebSocket ws(port);  // claims 2^62 bytes
    ws.connection().send(std::string("\x81\xff\x40\0\0\0\0\0\0\0abcd", 14));
    EXPECT_TRUE(ws.connection().is_closed_within(5s));
  }
  {
    WebSocket ws(port);  // not masked, reserved opcode
    ws.connection().send(
        std::string("\x8b\x03"
                    "abc",
                    5));
    EXPECT_TRUE(ws.connection().is_closed_within(5s));
  }
  {
    WebSocket ws(port);  // text that is not UTF-8
    ws.send("\xff\xff\xff");
    EXPECT_TRUE(ws.connection().is_closed_within(5s));
  }
  EXPECT_TRUE(lives());
}

TEST_F(ViewServerTest, a_client_killed_while_it_is_sent_to_harms_nobody) {
  for (int i = 0; i < 20; ++i) {
    Connection c(port);
    c.send(request_text(port, "/api/frames?from=0&count=256"));
    c.abort();
    WebSocket ws(port);
    ws.connection().abort();
  }
  EXPECT_TRUE(lives());
}

TEST_F(ViewServerTest, a_port_in_use_is_an_error_that_names_it) {
  try {
    const ViewServer second(*source, {.port = port});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(port)), std::string::npos);
  }
}

TEST_F(ViewServerTest, ends_at_once_with_connections_open) {
  Connection half(port);
  half.send("GET /api");
  WebSocket ws(port);
  const auto begin = std::chrono::steady_clock::now();
  server.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  EXPECT_TRUE(ws.connection().is_closed_within(2s));
}

}  // namespace
}  // namespace cairn
