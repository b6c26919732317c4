// SPDX-License-Identifier: Apache-2.0
// Requests of the page turned into questions to a ViewSource, without a network: what GET answers, and who may ask.
#pragma once
#include "cairn/view/view_source.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace cairn {

/// A file of the page.
struct PageFile {
  std::string_view path;  ///< "/index.html"
  std::string_view content;
};
/// The files of the built page; the content must live as long as the server.
using PageFiles = std::span<const PageFile>;

struct ViewReply {
  int status = 200;
  std::string type;  ///< media type
  std::string body;
};

/// Answers one GET. Never throws: what goes wrong is an answer too.
ViewReply answer_request(ViewSource& source, PageFiles page, std::string_view target);

/// The same for refusals: {"error": words}.
ViewReply error_reply(int status, std::string_view words);

/// Which hosts a server on this address answers for: a request that names another one was sent here by a trick (DNS
/// rebinding), and one whose Origin is another site by a page of that site.
class AllowedHosts {
 public:
  AllowedHosts(std::string_view host, unsigned short port);
  bool accepts_host(std::string_view host) const;      ///< value of the Host field
  bool accepts_origin(std::string_view origin) const;  ///< value of the Origin field
  const std::vector<std::string>& hosts() const { return hosts_; }

 private:
  std::vector<std::string> hosts_;
};

/// A message of the page: JSON, checked for size and form. Throws Error.
Json parse_message(std::string_view text);

}  // namespace cairn
