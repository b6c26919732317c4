// SPDX-License-Identifier: Apache-2.0
// A tiny blocking client of HTTP and WebSocket, written from the RFCs (9112, 6455) and not with the server's library:
// what both agree on is then the protocol.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::test {

/// A connection to 127.0.0.1, or to another address of this machine.
class Connection {
 public:
  explicit Connection(unsigned short port, const char* address = "127.0.0.1", int receive_buffer = 0) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    if (receive_buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    ::inet_pton(AF_INET, address, &to.sin_addr);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  /// Ends with RST, as a killed process does.
  void abort() {
    const linger now{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(socket_);
    socket_ = -1;
  }
  /// Exactly n bytes; nothing when the other side ends or the time is over first.
  std::optional<std::string> read(std::size_t n, std::chrono::milliseconds wait = std::chrono::seconds(10)) {
    while (buffer_.size() < n)
      if (!fill(wait)) return {};
    std::string out = buffer_.substr(0, n);
    buffer_.erase(0, n);
    return out;
  }
  /// Up to and with the mark.
  std::optional<std::string> read_until(std::string_view mark,
                                        std::chrono::milliseconds wait = std::chrono::seconds(10)) {
    std::size_t found = 0;
    while ((found = buffer_.find(mark)) == std::string::npos)
      if (!fill(wait)) return {};
    return read(found + mark.size());
  }
  /// Whether the other side closes within the time; what it still sends is dropped.
  bool is_closed_within(std::chrono::milliseconds wait) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (std::chrono::steady_clock::now() < end) {
      closed_ = false;
      if (!fill(std::chrono::milliseconds(100)) && closed_) return true;
    }
    return false;
  }

 private:
  bool fill(std::chrono::milliseconds wait) {
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(wait.count())) <= 0) return false;
    char bytes[65536];
    const ssize_t n = ::recv(socket_, bytes, sizeof bytes, 0);
    closed_ = n <= 0;
    if (n <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(n));
    return true;
  }
  int socket_ = -1;
  bool connected_ = false, closed_ = false;
  std::string buffer_;
};

struct HttpAnswer {
  int status = 0;
  std::string head, body;
};

/// Reads one answer with a Content-Length.
inline std::optional<HttpAnswer> read_answer(Connection& connection, bool with_body = true) {
  const auto head = connection.read_until("\r\n\r\n");
  if (!head || head->size() < 12) return {};
  HttpAnswer answer{std::stoi(head->substr(9, 3)), *head, ""};
  std::string lower = *head;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t length = lower.find("content-length: ");
  if (length != std::string::npos && with_body) {
    const auto body = connection.read(std::stoul(lower.substr(length + 16)));
    if (!body) return {};
    answer.body = *body;
  }
  return answer;
}

inline std::string request_text(unsigned short port, const std::string& target, const std::string& more = "",
                                const std::string& method = "GET") {
  return method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + more + "\r\n";
}

/// One GET on a connection of its own; status 0: no answer.
inline HttpAnswer get(unsigned short port, const std::string& target, const std::string& more = "") {
  Connection connection(port);
  connection.send(request_text(port, target, more));
  return read_answer(connection).value_or(HttpAnswer{});
}

struct Message {
  int opcode = 0;  ///< 1 text, 2 binary, 8 close
  std::string text;
};

class WebSocket {
 public:
  explicit WebSocket(unsigned short port, const std::string& more = "", int receive_buffer = 0)
      : connection_(port, "127.0.0.1", receive_buffer) {
    connection_.send(request_text(port, "/ws",
                                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                                      more));
    if (const auto answer = read_answer(connection_, false)) status_ = answer->status, head_ = answer->head;
  }
  int status() const { return status_; }
  const std::string& head() const { return head_; }
  Connection& connection() { return connection_; }

  bool send(std::string_view text, int opcode = 1) { return connection_.send(frame(text, opcode)); }
  /// A whole message, masked as clients must.
  static std::string frame(std::string_view text, int opcode = 1) {
    std::string out(1, static_cast<char>(0x80 | opcode));
    if (text.size() < 126) {
      out += static_cast<char>(0x80 | text.size());
    } else if (text.size() < 65536) {
      out += static_cast<char>(0x80 | 126);
      out += static_cast<char>(text.size() >> 8);
      out += static_cast<char>(text.size() & 255);
    } else {
      out += static_cast<char>(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(text.size() >> shift & 255);
    }
    const char mask[4] = {0x12, 0x34, 0x56, 0x78};
    out.append(mask, 4);
    for (std::size_t i = 0; i < text.size(); ++i) out += static_cast<char>(text[i] ^ mask[i % 4]);
    return out;
  }

  /// The next message; pings are answered on the way. Nothing when there is none in time.
  std::optional<Message> receive(std::chrono::milliseconds wait = std::chrono::seconds(10)) {
    for (;;) {
      const auto head = connection_.read(2, wait);
      if (!head) return {};
      const int opcode = (*head)[0] & 15;
      std::uint64_t size = static_cast<unsigned char>((*head)[1]) & 127;
      if (size >= 126) {
        const auto more = connection_.read(size == 126 ? 2 : 8, wait);
        if (!more) return {};
        size = 0;
        for (const char c : *more) size = size << 8 | static_cast<unsigned char>(c);
      }
      auto text = connection_.read(size, wait);
      if (!text) return {};
      if (opcode == 9) {
        send(*text, 10);
        continue;
      }
      return Message{opcode, std::move(*text)};
    }
  }
  /// The next message of that opcode whose text contains `part`.
  std::optional<Message> receive(int opcode, std::string_view part, std::chrono::milliseconds wait) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (std::chrono::steady_clock::now() < end) {
      auto message = receive(std::chrono::milliseconds(200));
      if (message && message->opcode == opcode && message->text.find(part) != std::string::npos) return message;
    }
    return {};
  }

 private:
  Connection connection_;
  int status_ = 0;
  std::string head_;
};

/// Numbers in bytes.
template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

}  // namespace cairn::test
