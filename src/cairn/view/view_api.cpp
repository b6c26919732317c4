// SPDX-License-Identifier: Apache-2.0
// Paths, queries, media types and errors of the viewer's server.
#include "cairn/view/view_api.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace cairn {
namespace {

constexpr std::string_view kJson = "application/json; charset=utf-8", kBinary = "application/octet-stream";

/// What was asked for is not there: 404, where Error is 400.
struct NotFound : Error {
  using Error::Error;
};

using Query = std::map<std::string, std::string>;

std::string decode_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

Query parse_query(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size()), equals = std::min(text.find('='), end);
    query[decode_percent(text.substr(0, equals))] =
        equals < end ? decode_percent(text.substr(equals + 1, end - equals - 1)) : "";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return query;
}

template <class T>
T read(const Query& query, const std::string& name, std::optional<T> otherwise = {}) {
  const auto found = query.find(name);
  if (found == query.end()) {
    if (otherwise) return *otherwise;
    throw Error("{} is missing", name);
  }
  const std::string& text = found->second;
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = problem == std::errc() && end == text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
  if (!good) throw Error("{} is '{}'; expected a number", name, text);
  return value;
}

std::string_view media_type(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                                      {".js", "text/javascript; charset=utf-8"},
                                                                      {".css", "text/css; charset=utf-8"},
                                                                      {".svg", "image/svg+xml"},
                                                                      {".png", "image/png"},
                                                                      {".ico", "image/x-icon"},
                                                                      {".json", kJson},
                                                                      {".map", kJson},
                                                                      {".wasm", "application/wasm"},
                                                                      {".woff2", "font/woff2"},
                                                                      {".txt", "text/plain; charset=utf-8"}};
  for (const auto& [end, type] : kTypes)
    if (path.ends_with(end)) return type;
  return kBinary;
}

ViewReply json_reply(const Json& document) { return {200, std::string(kJson), to_line(document)}; }
ViewReply binary_reply(std::string bytes) { return {200, std::string(kBinary), std::move(bytes)}; }

ViewReply answer_api(ViewSource& source, std::string_view path, const Query& query) {
  const auto index = [&](const char* name) { return read<std::size_t>(query, name); };
  if (path == "/api/model") return json_reply(source.model());
  if (path == "/api/shape") return binary_reply(source.shape(index("index")));
  if (path == "/api/times") return binary_reply(source.times());
  if (path == "/api/frames")
    return binary_reply(
        source.frames(index("from"), read<std::size_t>(query, "count", 1), read<int>(query, "contacts", 1) != 0));
  if (path == "/api/body") return json_reply(source.body(index("frame"), index("index")));
  if (path == "/api/joint") return json_reply(source.joint(index("frame"), index("index")));
  if (path == "/api/contact") return json_reply(source.contact(index("frame"), index("index")));
  if (path == "/api/events") {
    if (!query.contains("within")) return json_reply(source.events());
    const double seconds = read<double>(query, "within");
    if (!(seconds >= 0)) throw Error("within is {} s; must be >= 0", seconds);
    return json_reply(source.events_within(seconds));
  }
  if (path == "/api/series") {
    SeriesRequest request;
    const auto name = query.find("name");
    if (name == query.end()) throw Error("name is missing");
    request.name = name->second;
    if (query.contains("from")) request.from = read<double>(query, "from");
    if (query.contains("to")) request.to = read<double>(query, "to");
    request.points = std::min<std::size_t>(read<std::size_t>(query, "points", request.points), 1 << 20);
    return binary_reply(encode_series(source.series(request)));
  }
  throw NotFound("there is no {}", path);
}

ViewReply answer_page(PageFiles page, std::string_view path) {
  if (path == "/") path = "/index.html";
  for (const PageFile& file : page)
    if (file.path == path) return {200, std::string(media_type(path)), std::string(file.content)};
  throw NotFound("there is no {}", path);
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

}  // namespace

ViewReply error_reply(int status, std::string_view words) {
  Json j;
  j["error"] = words;
  return {status, std::string(kJson), to_line(j)};
}

ViewReply answer_request(ViewSource& source, PageFiles page, std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string path = decode_percent(target.substr(0, mark));
  try {
    if (path.starts_with("/api/"))
      return answer_api(source, path, parse_query(target.substr(std::min(mark + 1, target.size()))));
    return answer_page(page, path);
  } catch (const NotFound& error) {
    return error_reply(404, error.what());
  } catch (const Error& error) {
    // A model that cannot be had is our side's trouble (a damaged file), a curve nobody knows is not there, all else is
    // the question's.
    return error_reply(path == "/api/model" ? 500 : path == "/api/series" ? 404 : 400, error.what());
  } catch (const std::exception& error) {
    return error_reply(500, error.what());
  }
}

AllowedHosts::AllowedHosts(std::string_view host, unsigned short port) {
  std::vector<std::string> names{"127.0.0.1", "localhost"};
  if (host == "::1" || host == "::") names.emplace_back("[::1]");
  // An address that means all of them has no name of its own; --host is then given by name.
  if (host != "127.0.0.1" && host != "localhost" && host != "0.0.0.0" && host != "::")
    names.push_back(host.find(':') == std::string_view::npos ? std::string(host) : fmt::format("[{}]", host));
  for (const std::string& name : names) {
    hosts_.push_back(fmt::format("{}:{}", name, port));
    if (port == 80) hosts_.push_back(name);
  }
}

bool AllowedHosts::accepts_host(std::string_view host) const {
  return std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& known) { return same(known, host); });
}

bool AllowedHosts::accepts_origin(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.size() > kScheme.size() && same(origin.substr(0, kScheme.size()), kScheme) &&
         accepts_host(origin.substr(kScheme.size()));
}

Json parse_message(std::string_view text) {
  constexpr std::size_t kMost = 64 << 10;
  if (text.size() > kMost) throw Error("the message has {} bytes; at most {}", text.size(), kMost);
  // Depth first: a thousand brackets must not become a thousand calls.
  int depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  if (deepest > 16) throw Error("the message is nested {} deep; at most 16", deepest);
  Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded()) throw Error("the message is not JSON");
  if (!message.is_object()) throw Error("the message is not an object");
  return message;
}

}  // namespace cairn
