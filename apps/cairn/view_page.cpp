// SPDX-License-Identifier: Apache-2.0
// The page inside the program: one block of bytes, made by cmake/PackPage.cmake, that begins with a list of its files.
#include "view_page.h"

#include "cairn/base/error.h"

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

extern char** environ;

// "SIZE PATH" lines, an empty line, then the files one after the other.
asm(".section .rodata\n"
    ".global cairn_page_begin\n"
    ".global cairn_page_end\n"
    ".balign 16\n"
    "cairn_page_begin:\n"
    ".incbin \"" CAIRN_PAGE_PACK
    "\"\n"
    "cairn_page_end:\n"
    ".byte 0\n"
    ".text\n");
extern "C" {
extern const char cairn_page_begin[];
extern const char cairn_page_end[];
}

namespace cairn {
namespace {

/// Asks the desktop to show an address, and does not wait for it.
void open_browser(const std::string& address) {
  const std::string program = "xdg-open";
  std::vector<char*> arguments{const_cast<char*>(program.c_str()), const_cast<char*>(address.c_str()), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // What the browser prints is not ours.
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0)
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void ServeOptions::add_to(Command& command) {
  command.option("--port", &port, "port of the page; 0: any that is free", {.from = 0, .to = 65535});
  command.option("--host", &host, "address to listen on; anything but the default lets other machines in");
  command.flag("--no-open", no_open, "do not open a browser");
  command.option("--page", &page, "serve the page in this folder instead of the one inside the program");
}

Page::Page(const std::string& folder) {
  if (folder.empty()) {
    std::string_view list(cairn_page_begin, static_cast<std::size_t>(cairn_page_end - cairn_page_begin));
    const std::size_t head = list.find("\n\n");
    if (head == std::string_view::npos) return;
    std::string_view rest = list.substr(head + 2);
    list = list.substr(0, head + 1);
    while (!list.empty()) {
      const std::string_view line = list.substr(0, list.find('\n'));
      list.remove_prefix(line.size() + 1);
      std::size_t size = 0;
      std::from_chars(line.data(), line.data() + line.size(), size);
      files_.push_back({line.substr(line.find(' ') + 1), rest.substr(0, size)});
      rest.remove_prefix(std::min(size, rest.size()));
    }
    return;
  }
  const std::filesystem::path root(folder);
  std::error_code problem;
  if (!std::filesystem::is_regular_file(root / "index.html", problem))
    throw Error("--page: '{}' has no index.html", folder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    names_.push_back("/" + entry.path().lexically_relative(root).generic_string());
    contents_.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  for (std::size_t i = 0; i < names_.size(); ++i) files_.push_back({names_[i], contents_[i]});
}

PageServer::PageServer(ViewSource& source, const ServeOptions& options)
    : options_(options),
      page_(options.page),
      server_(source,
              {.host = options.host, .port = static_cast<unsigned short>(options.port), .page = page_.files()}) {}

void PageServer::announce(std::FILE* where) const {
  std::fputs(("Cairn's page is at " + server_.address() + "\n").c_str(), where);
  std::fflush(where);
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  if (!options_.no_open && ((display && *display) || (wayland && *wayland))) open_browser(server_.address());
}

}  // namespace cairn
