// SPDX-License-Identifier: Apache-2.0
// Connections of the viewer's server. The only file that includes Boost.Beast, which takes long to compile.
//
// All objects here belong to the network thread; the two others only compute answers and post them back.
#include "cairn/view/view_server.h"

#include "cairn/base/error.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <deque>
#include <set>
#include <thread>

namespace cairn {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;

constexpr std::size_t kHeaderBytes = 16 << 10, kBodyBytes = 4 << 10, kMessageBytes = 64 << 10;
constexpr std::size_t kErrorsWaiting = 8;  // of one client
constexpr const char* kName = "Cairn";

class WebSocketSession;

/// What all connections share.
struct Hub {
  ViewSource& source;
  ViewServerSettings settings;
  AllowedHosts hosts;
  net::io_context& network;
  net::thread_pool& workers;
  std::size_t open = 0;  ///< connections
  std::set<WebSocketSession*> listeners = {};
};

/// Counts a connection while it lives.
class Place {
 public:
  explicit Place(Hub& hub) : hub_(hub) { ++hub_.open; }
  ~Place() { --hub_.open; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Hub& hub_;
};

/// One client that listens. At most one frame is on its way to it, and of everything else only the newest.
class WebSocketSession : public std::enable_shared_from_this<WebSocketSession> {
 public:
  WebSocketSession(Hub& hub, std::shared_ptr<Place> place, beast::tcp_stream&& stream)
      : hub_(hub), place_(std::move(place)), stream_(std::move(stream)) {}
  ~WebSocketSession() { hub_.listeners.erase(this); }
  WebSocketSession(const WebSocketSession&) = delete;
  WebSocketSession& operator=(const WebSocketSession&) = delete;

  void start(const http::request<http::string_body>& request) {
    beast::get_lowest_layer(stream_).expires_never();
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = hub_.settings.idle;
    limits.idle_timeout = hub_.settings.idle;
    limits.keep_alive_pings = true;
    stream_.set_option(limits);
    stream_.read_message_max(kMessageBytes);
    stream_.set_option(
        websocket::stream_base::decorator([](websocket::response_type& r) { r.set(http::field::server, kName); }));
    stream_.async_accept(request, [self = shared_from_this()](beast::error_code problem) {
      if (problem) return;
      self->hub_.listeners.insert(self.get());
      // What went wrong before it came is not its affair.
      const ViewNews news = self->hub_.source.news();
      if (news.notice && news.notice->starts_with("{\"error\"")) self->sent_.notice_number = news.notice_number;
      self->hub_.source.want_frame();
      self->update();
      self->read();
    });
  }

  /// There is news.
  void update() {
    const ViewNews news = hub_.source.news();
    news_ = news;
    write();
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code problem, std::size_t) {
      // A message that is too long ends the connection too: the rest of it is not worth waiting for.
      if (problem) return self->leave();
      self->receive(beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void receive(const std::string& text) {
    try {
      if (!stream_.got_text()) throw Error("a binary message was not expected");
      const Json message = parse_message(text);
      if (message.contains("ack")) {
        in_flight_ = false;
        hub_.source.want_frame();
        update();
        return;
      }
      hub_.source.command(message);
    } catch (const std::exception& error) {
      if (errors_.size() < kErrorsWaiting) {
        Json j;
        j["error"] = error.what();
        errors_.push_back(to_line(j));
      }
      write();
    }
  }

  /// Sends what is due, one message at a time.
  void write() {
    if (writing_ || left_) return;
    const auto newer = [](const std::shared_ptr<const std::string>& text, std::uint64_t number, std::uint64_t& sent) {
      if (!text || number == sent) return false;
      sent = number;
      return true;
    };
    if (!errors_.empty()) {
      auto text = std::make_shared<const std::string>(std::move(errors_.front()));
      errors_.pop_front();
      send(std::move(text), false);
    } else if (newer(news_.parameters, news_.parameters_number, sent_.parameters_number)) {
      send(news_.parameters, false);
    } else if (newer(news_.notice, news_.notice_number, sent_.notice_number)) {
      send(news_.notice, false);
    } else if (newer(news_.status, news_.status_number, sent_.status_number)) {
      send(news_.status, false);
    } else if (!in_flight_ && newer(news_.frame, news_.frame_number, sent_.frame_number)) {
      in_flight_ = true;
      send(news_.frame, true);
    }
  }

  void send(std::shared_ptr<const std::string> text, bool binary) {
    writing_ = true;
    stream_.binary(binary);
    const net::const_buffer bytes(text->data(), text->size());
    stream_.async_write(bytes,
                        [self = shared_from_this(), text = std::move(text)](beast::error_code problem, std::size_t) {
                          self->writing_ = false;
                          if (problem) return self->leave();
                          self->write();
                        });
  }

  void leave() {
    left_ = true;
    hub_.listeners.erase(this);
    beast::get_lowest_layer(stream_).close();
  }

  Hub& hub_;
  std::shared_ptr<Place> place_;
  websocket::stream<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_{kMessageBytes};
  ViewNews news_, sent_;
  std::deque<std::string> errors_;
  bool writing_ = false, in_flight_ = false, left_ = false;
};

/// One connection that asks.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(Hub& hub, tcp::socket&& socket)
      : hub_(hub), place_(std::make_shared<Place>(hub)), stream_(std::move(socket)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(kHeaderBytes);
    parser_->body_limit(kBodyBytes);
    stream_.expires_after(hub_.settings.idle);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code problem, std::size_t) { self->on_read(problem); });
  }

 private:
  using Response = http::response<http::string_body>;

  void on_read(beast::error_code problem) {
    if (problem == http::error::end_of_stream || problem == beast::error::timeout ||
        (problem && problem.category() == boost::system::system_category()))
      return close();
    if (problem) {  // not HTTP, or too long
      keep_alive_ = false;
      return reply(error_reply(problem == http::error::header_limit ? 431
                               : problem == http::error::body_limit ? 413
                                                                    : 400,
                               "the request is not understood: " + problem.message()));
    }
    request_ = parser_->release();
    keep_alive_ = request_.keep_alive();
    const auto text = [](beast::string_view s) { return std::string_view(s.data(), s.size()); };
    if (!hub_.hosts.accepts_host(text(request_[http::field::host])))
      return refuse(403,
                    fmt::format("this server does not answer for the host '{}'", text(request_[http::field::host])));
    if (request_.count(http::field::origin) > 0 && !hub_.hosts.accepts_origin(text(request_[http::field::origin])))
      return refuse(403, fmt::format("pages of '{}' may not ask this server", text(request_[http::field::origin])));
    const std::string_view target = text(request_.target());
    if (websocket::is_upgrade(request_)) {
      if (target != "/ws") return refuse(404, "the WebSocket is at /ws");
      std::make_shared<WebSocketSession>(hub_, std::move(place_), std::move(stream_))->start(request_);
      return;
    }
    if (target == "/ws") return refuse(426, "/ws is a WebSocket");
    if (request_.method() != http::verb::get && request_.method() != http::verb::head)
      return refuse(405, "only GET is understood");
    // Reading a large file takes a while; the network must not wait for it.
    stream_.expires_never();
    net::post(hub_.workers, [self = shared_from_this(), asked = std::string(target)]() mutable {
      Hub& hub = self->hub_;
      auto answer = answer_request(hub.source, hub.settings.page, asked);
      // Moved, so that the connection never ends in this thread.
      net::post(hub.network,
                [self = std::move(self), answer = std::move(answer)]() mutable { self->reply(std::move(answer)); });
    });
  }

  void refuse(int status, std::string_view words) {
    keep_alive_ = false;
    reply(error_reply(status, words));
  }

  void reply(ViewReply answer) {
    auto response = std::make_shared<Response>(static_cast<http::status>(answer.status), 11);
    response->set(http::field::server, kName);
    response->set(http::field::content_type, answer.type);
    response->set(http::field::cache_control, "no-store");
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Cross-Origin-Resource-Policy", "same-origin");
    response->set("Content-Security-Policy",
                  "default-src 'self'; connect-src 'self' ws:; img-src 'self' data: blob:; worker-src 'self' blob:; "
                  "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    response->keep_alive(keep_alive_);
    const std::size_t size = answer.body.size();
    if (request_.method() != http::verb::head) response->body() = std::move(answer.body);
    response->content_length(size);
    stream_.expires_after(hub_.settings.idle + std::chrono::seconds(size >> 20));  // at least 1 MiB/s
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response](beast::error_code problem, std::size_t) {
                        if (problem || !self->keep_alive_) return self->close();
                        self->read();
                      });
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  Hub& hub_;
  std::shared_ptr<Place> place_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kHeaderBytes + kBodyBytes};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::request<http::string_body> request_;
  bool keep_alive_ = false;
};

}  // namespace

struct ViewServer::Impl {
  std::unique_ptr<Hub> hub;  // first, so that it goes last: connections that end with the network know it
  net::io_context network{1};
  net::thread_pool workers{2};
  tcp::acceptor acceptor{network};
  net::steady_timer pause{network};
  std::thread thread;

  void accept() {
    acceptor.async_accept([this](beast::error_code problem, tcp::socket socket) {
      if (problem == net::error::operation_aborted) return;
      if (problem) {  // no more file descriptors, most likely: asked again at once it would fail again
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](beast::error_code) { accept(); });
        return;
      }
      // One too many is closed at once.
      if (hub->open < hub->settings.connections) std::make_shared<HttpSession>(*hub, std::move(socket))->read();
      accept();
    });
  }
};

ViewServer::ViewServer(ViewSource& source, const ViewServerSettings& settings) : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  try {
    tcp::resolver resolver(s.network);
    const auto found = resolver.resolve(settings.host, std::to_string(settings.port), tcp::resolver::passive);
    const tcp::endpoint endpoint = *found.begin();
    s.acceptor.open(endpoint.protocol());
    s.acceptor.set_option(net::socket_base::reuse_address(true));
    s.acceptor.bind(endpoint);
    s.acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw Error("cannot listen on {} port {}: {}", settings.host, settings.port, error.code().message());
  }
  s.hub.reset(new Hub{source, settings, AllowedHosts(settings.host, port()), s.network, s.workers});
  source.on_news([&s] {
    net::post(s.network, [&s] {
      // update() may remove a listener.
      const std::vector<WebSocketSession*> all(s.hub->listeners.begin(), s.hub->listeners.end());
      for (WebSocketSession* listener : all)
        if (s.hub->listeners.contains(listener)) listener->update();
    });
  });
  s.accept();
  s.thread = std::thread([&s] { s.network.run(); });
}

ViewServer::~ViewServer() {
  Impl& s = *impl_;
  s.hub->source.on_news({});
  s.hub->source.cancel();
  s.network.stop();
  if (s.thread.joinable()) s.thread.join();
  s.workers.stop();
  s.workers.join();
}

unsigned short ViewServer::port() const { return impl_->acceptor.local_endpoint().port(); }

std::string ViewServer::address() const {
  const std::string& host = impl_->hub->settings.host;
  const std::string name = host == "0.0.0.0" || host == "::"     ? "127.0.0.1"
                           : host.find(':') != std::string::npos ? fmt::format("[{}]", host)
                                                                 : host;
  return fmt::format("http://{}:{}/", name, port());
}

}  // namespace cairn
