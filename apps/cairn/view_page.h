// SPDX-License-Identifier: Apache-2.0
// The built page and its server, the same for `cairn view` and `cairn run --live`: --port, --host, --no-open.
#pragma once
#include "apps/command_line/command_line.h"
#include "cairn/view/view_server.h"

#include <cstdio>
#include <string>
#include <vector>

namespace cairn {

struct ServeOptions {
  int port = 0;
  std::string host = "127.0.0.1";
  bool no_open = false;
  std::string page;  ///< a folder with the page, instead of the one inside the program

  void add_to(Command& command);
};

/// Files of the page, from inside the program or from a folder.
class Page {
 public:
  /// Throws Error when the folder has no index.html.
  explicit Page(const std::string& folder);
  PageFiles files() const { return files_; }

 private:
  std::vector<std::string> names_, contents_;
  std::vector<PageFile> files_;
};

class PageServer {
 public:
  PageServer(ViewSource& source, const ServeOptions& options);
  /// Says where the page is, and opens a browser when there is a display and it was not forbidden.
  void announce(std::FILE* where) const;

 private:
  ServeOptions options_;
  Page page_;
  ViewServer server_;
};

}  // namespace cairn
