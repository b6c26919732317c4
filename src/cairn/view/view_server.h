// SPDX-License-Identifier: Apache-2.0
// The viewer's server: HTTP for questions, a WebSocket for what happens by itself (Boost.Beast; RFC 9112, RFC 6455).
//
// It listens on loopback unless told otherwise, answers only for its own name, and trusts nobody: requests, messages,
// connections and the time they take are all bounded. One thread does the network, two answer questions. A client gets
// the newest frame when it has taken the last one; what it is too slow for is dropped, never queued.
#pragma once
#include "cairn/view/view_api.h"

#include <chrono>
#include <memory>
#include <string>

namespace cairn {

struct ViewServerSettings {
  std::string host = "127.0.0.1";
  unsigned short port = 0;  ///< 0: any that is free
  PageFiles page = {};
  std::size_t connections = 64;                          ///< at most at a time
  std::chrono::seconds idle = std::chrono::seconds(30);  ///< after which a silent connection is closed
};

class ViewServer {
 public:
  /// Listens and answers from now on. Throws Error when the address cannot be had. The source must live longer.
  ViewServer(ViewSource& source, const ViewServerSettings& settings);
  ~ViewServer();  ///< closes all connections
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  unsigned short port() const;
  std::string address() const;  ///< "http://127.0.0.1:8123/"

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
