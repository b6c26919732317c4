// SPDX-License-Identifier: Apache-2.0
// VTK's XML files .vtu and .vtp (VTK User's Guide, "XML file formats"): text, base64 and appended data, plain or
// compressed by zlib, both byte orders.
#include "cairn/io/mesh_formats.h"

#include <zlib.h>

#include <algorithm>
#include <map>

namespace cairn {
namespace {

using Attributes = std::map<std::string, std::string, std::less<>>;

/// One tag of the file: <name a="b">, </name> or <name/>.
struct Tag {
  std::string name;
  Attributes attributes;
  bool closing = false, alone = false;
  std::size_t begin = 0, end = 0;  ///< of its text
};

class Reader {
 public:
  explicit Reader(MeshSource& source) : source_(source), text_(source.bytes()) {}

  MeshFile read() {
    find_appended();
    Tag tag;
    while (next_tag(tag)) {
      if (tag.name == "VTKFile" && !tag.closing) begin_file(tag);
      if (tag.name == "AppendedData") break;  // what follows is no XML
      if (tag.name == "Piece" && !tag.closing && !tag.alone) begin_piece();
      if (tag.name == "Piece" && tag.closing) end_piece(tag);
      if (!tag.alone && (tag.name == "Points" || tag.name == "Cells" || tag.name == "Polys" || tag.name == "Strips"))
        section_ = tag.closing ? "" : tag.name;
      if (tag.name == "DataArray" && !tag.closing && !section_.empty()) read_array(tag);
    }
    if (file_.format.empty()) fail(0, "there is no <VTKFile>");
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(std::size_t place, const std::string& message) {
    source_.go_to(std::min(place, text_.size()));
    source_.line();
    source_.fail(message);
  }

  // Raw appended data may hold anything, also what looks like tags; it is left out of the search.
  void find_appended() {
    const std::size_t at = text_.find("<AppendedData");
    if (at == std::string_view::npos) return;
    const std::size_t mark = text_.find('_', text_.find('>', at));
    if (mark == std::string_view::npos) fail(at, "<AppendedData> has no '_' where its data begin");
    appended_ = mark + 1;
    raw_ = text_.substr(at, mark - at).find("raw") != std::string_view::npos;
  }

  bool next_tag(Tag& tag) {
    while (true) {
      const std::size_t begin = text_.find('<', next_);
      if (begin == std::string_view::npos) return false;
      if (text_.substr(begin).starts_with("<!--")) {
        const std::size_t end = text_.find("-->", begin);
        if (end == std::string_view::npos) fail(begin, "a comment does not end");
        next_ = end + 3;
        continue;
      }
      const std::size_t end = text_.find('>', begin);
      if (end == std::string_view::npos) fail(begin, "a tag does not end");
      next_ = end + 1;
      const std::string_view inner = text_.substr(begin + 1, end - begin - 1);
      if (inner.starts_with('?') || inner.starts_with('!')) continue;
      tag = parse_tag(inner, begin);
      tag.begin = begin;
      tag.end = end + 1;
      return true;
    }
  }

  Tag parse_tag(std::string_view inner, std::size_t place) {
    Tag tag;
    if (inner.starts_with('/')) tag.closing = true, inner.remove_prefix(1);
    if (inner.ends_with('/')) tag.alone = true, inner.remove_suffix(1);
    const auto skip_space = [&] {
      while (!inner.empty() && (inner[0] == ' ' || (inner[0] >= '\t' && inner[0] <= '\r'))) inner.remove_prefix(1);
    };
    const std::size_t name_end = std::min(inner.find_first_of(" \t\r\n"), inner.size());
    tag.name = inner.substr(0, name_end);
    inner.remove_prefix(name_end);
    for (skip_space(); !inner.empty(); skip_space()) {
      const std::size_t equals = inner.find('=');
      if (equals == std::string_view::npos) fail(place, "a tag has an attribute without a value");
      std::string key(inner.substr(0, equals));
      while (!key.empty() && key.back() == ' ') key.pop_back();
      inner.remove_prefix(equals + 1);
      skip_space();
      const char quote = inner.empty() ? ' ' : inner[0];
      const std::size_t close = quote == '"' || quote == '\'' ? inner.find(quote, 1) : std::string_view::npos;
      if (close == std::string_view::npos)
        fail(place, fmt::format("attribute '{}' has no value in quotes", shown_word(key)));
      tag.attributes[key] = inner.substr(1, close - 1);
      inner.remove_prefix(close + 1);
    }
    return tag;
  }

  static std::string get(const Tag& tag, std::string_view key, std::string_view otherwise) {
    const auto found = tag.attributes.find(key);
    return found == tag.attributes.end() ? std::string(otherwise) : found->second;
  }

  void begin_file(const Tag& tag) {
    const std::string type = get(tag, "type", "");
    if (type != "UnstructuredGrid" && type != "PolyData")
      fail(tag.begin, fmt::format("type is '{}'; this program reads UnstructuredGrid and PolyData", shown_word(type)));
    file_.format = type == "PolyData" ? "VTP" : "VTU";
    big_ = get(tag, "byte_order", "LittleEndian") == "BigEndian";
    header_bytes_ = get(tag, "header_type", "UInt32") == "UInt64" ? 8 : 4;
    const std::string compressor = get(tag, "compressor", "");
    compressed_ = !compressor.empty();
    if (compressed_ && compressor != "vtkZLibDataCompressor")
      fail(tag.begin,
           fmt::format("compressor is '{}'; this program reads vtkZLibDataCompressor", shown_word(compressor)));
  }

  void begin_piece() {
    arrays_.clear();
    points_.clear();
  }

  // Cells of a piece count its own points.
  void end_piece(const Tag& tag) {
    if (points_.size() % 3 != 0)
      fail(tag.begin, fmt::format("Points has {} numbers; must be three per point", points_.size()));
    const auto first = static_cast<int>(file_.vertices.size());
    for (std::size_t k = 0; k < points_.size(); k += 3) {
      const Vec3 x(points_[k], points_[k + 1], points_[k + 2]);
      if (!x.allFinite()) fail(tag.begin, fmt::format("point {} is not finite", k / 3));
      file_.vertices.push_back(x);
    }
    for (const std::string section : {"Cells", "Polys", "Strips"}) {
      const auto &nodes = arrays_[section + "/connectivity"], &ends = arrays_[section + "/offsets"],
                 &kinds = arrays_[section + "/types"];
      if (section == "Cells" && kinds.size() != ends.size())
        fail(tag.begin, fmt::format("there are {} cells and {} types", ends.size(), kinds.size()));
      double begin = 0;
      for (std::size_t k = 0; k < ends.size(); ++k) {
        if (!(ends[k] >= begin && ends[k] <= static_cast<double>(nodes.size())))
          fail(tag.begin, fmt::format("offset {} of {} is {}; must not fall, and be at most {}", k, section, ends[k],
                                      nodes.size()));
        std::vector<int> cell;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(ends[k]); ++i) {
          if (!(nodes[i] >= 0 && nodes[i] < static_cast<double>(points_.size() / 3)))
            fail(tag.begin, fmt::format("cell {} has node {}; there are {} points", k, nodes[i], points_.size() / 3));
          cell.push_back(first + static_cast<int>(nodes[i]));
        }
        begin = ends[k];
        const int kind = section == "Polys"    ? 7
                         : section == "Strips" ? 6
                                               : static_cast<int>(std::clamp(kinds[k], 0.0, 1e6));
        if (!add_vtk_cell(file_, kind, cell))
          fail(tag.begin, fmt::format("cell {} is of type {} with {} nodes, which is not known", k, kind, cell.size()));
      }
    }
    begin_piece();
  }

  void read_array(const Tag& tag) {
    const std::string name = get(tag, "Name", ""), format = get(tag, "format", "ascii");
    const bool wanted = section_ == "Points" || name == "connectivity" || name == "offsets" || name == "types";
    if (!wanted) return;
    std::vector<double>& out = section_ == "Points" ? points_ : arrays_[section_ + "/" + name];
    out.clear();
    if (format == "ascii") return read_text(tag, out);
    std::string decoded;
    std::string_view bytes;
    if (format == "appended") {
      if (appended_ == 0) fail(tag.begin, "format is appended; there is no <AppendedData>");
      double offset = -1;
      if (!parse_number(get(tag, "offset", ""), offset) || !(offset >= 0) ||
          offset > static_cast<double>(text_.size() - appended_))
        fail(tag.begin, fmt::format("offset of array '{}' is outside of the file", shown_word(name)));
      bytes = text_.substr(appended_ + static_cast<std::size_t>(offset));
      if (raw_)
        decoded = decode_blocks(bytes, tag);
      else
        decoded = decode_base64_blocks(bytes, tag);
    } else if (format == "binary") {
      if (tag.alone) return;
      bytes = text_.substr(tag.end, text_.find('<', tag.end) - tag.end);
      while (!bytes.empty() && static_cast<unsigned char>(bytes[0]) <= ' ') bytes.remove_prefix(1);
      decoded = decode_base64_blocks(bytes, tag);
    } else {
      fail(tag.begin, fmt::format("format is '{}'; must be ascii, binary or appended", shown_word(format)));
    }
    read_binary(get(tag, "type", ""), decoded, tag, out);
  }

  void read_text(const Tag& tag, std::vector<double>& out) {
    if (tag.alone) return;
    const std::size_t end = text_.find('<', tag.end);
    if (end == std::string_view::npos) fail(tag.begin, "an array does not end");
    MeshSource numbers(source_.name(), text_.substr(0, end));
    numbers.go_to(tag.end);
    while (!numbers.at_end()) out.push_back(numbers.real("a number"));
  }

  void read_binary(const std::string& type, const std::string& bytes, const Tag& tag, std::vector<double>& out) {
    MeshSource numbers(source_.name(), bytes);
    const auto read_all = [&](auto zero) {
      using T = decltype(zero);
      out.reserve(bytes.size() / sizeof(T));
      while (numbers.left() >= sizeof(T)) out.push_back(static_cast<double>(numbers.binary<T>(big_, "a number")));
    };
    if (type == "Float32") return read_all(float{});
    if (type == "Float64") return read_all(double{});
    if (type == "Int8") return read_all(std::int8_t{});
    if (type == "UInt8") return read_all(std::uint8_t{});
    if (type == "Int16") return read_all(std::int16_t{});
    if (type == "UInt16") return read_all(std::uint16_t{});
    if (type == "Int32") return read_all(std::int32_t{});
    if (type == "UInt32") return read_all(std::uint32_t{});
    if (type == "Int64") return read_all(std::int64_t{});
    if (type == "UInt64") return read_all(std::uint64_t{});
    fail(tag.begin, fmt::format("type of an array is '{}'; must be Float64, Int32, ...", shown_word(type)));
  }

  std::uint64_t header_word(std::string_view bytes, std::size_t index, const Tag& tag) {
    if (bytes.size() < header_bytes_ * (index + 1)) fail(tag.begin, "the data of an array are cut off");
    MeshSource word(source_.name(), bytes.substr(header_bytes_ * index, header_bytes_));
    return header_bytes_ == 8 ? word.binary<std::uint64_t>(big_, "a size") : word.binary<std::uint32_t>(big_, "a size");
  }

  /// Bytes of the head: one size, or for compressed data the number of blocks, two sizes and the size of each block.
  std::size_t head_size(std::string_view bytes, const Tag& tag) {
    if (!compressed_) return header_bytes_;
    const std::uint64_t blocks = header_word(bytes, 0, tag);
    if (blocks > text_.size()) fail(tag.begin, "an array has more blocks than the file has bytes");
    return header_bytes_ * (3 + static_cast<std::size_t>(blocks));
  }

  std::uint64_t body_size(std::string_view head, const Tag& tag) {
    if (!compressed_) return header_word(head, 0, tag);
    std::uint64_t sum = 0;
    for (std::uint64_t b = 0; b < header_word(head, 0, tag); ++b) {
      const std::uint64_t one = header_word(head, 3 + static_cast<std::size_t>(b), tag);
      if (one > text_.size()) fail(tag.begin, "a block of an array is larger than the file");
      sum += one;
    }
    return sum;
  }

  std::string decode_blocks(std::string_view bytes, const Tag& tag) {
    const std::size_t head = head_size(bytes, tag);
    if (bytes.size() < head) fail(tag.begin, "the data of an array are cut off");
    const std::uint64_t body = body_size(bytes.substr(0, head), tag);
    if (body > bytes.size() - head) fail(tag.begin, "the data of an array are cut off");
    return unpack(bytes.substr(0, head), bytes.substr(head, static_cast<std::size_t>(body)), tag);
  }

  // Head and body are encoded one by one, each padded; uncompressed data are encoded in one piece.
  std::string decode_base64_blocks(std::string_view text, const Tag& tag) {
    const auto encoded = [](std::size_t n) { return (n + 2) / 3 * 4; };
    if (!compressed_) {
      const std::string first = decode(text.substr(0, encoded(header_bytes_)), tag);
      const std::uint64_t body = header_word(first, 0, tag);
      if (body > text.size()) fail(tag.begin, "the data of an array are cut off");
      const std::size_t all = encoded(header_bytes_ + static_cast<std::size_t>(body));
      if (all > text.size()) fail(tag.begin, "the data of an array are cut off");
      return decode(text.substr(0, all), tag).substr(header_bytes_, static_cast<std::size_t>(body));
    }
    const std::string count = decode(text.substr(0, encoded(header_bytes_)), tag);
    const std::size_t head = head_size(count, tag);
    if (encoded(head) > text.size()) fail(tag.begin, "the data of an array are cut off");
    const std::string header = decode(text.substr(0, encoded(head)), tag);
    const std::uint64_t body = body_size(header, tag);
    text.remove_prefix(encoded(head));
    if (body > text.size() || encoded(static_cast<std::size_t>(body)) > text.size())
      fail(tag.begin, "the data of an array are cut off");
    return unpack(header, decode(text.substr(0, encoded(static_cast<std::size_t>(body))), tag), tag);
  }

  std::string unpack(std::string_view head, std::string_view body, const Tag& tag) {
    if (!compressed_) return std::string(body);
    const std::uint64_t blocks = header_word(head, 0, tag), block = header_word(head, 1, tag),
                        last = header_word(head, 2, tag);
    std::string out;
    for (std::uint64_t b = 0; b < blocks; ++b) {
      const auto packed = static_cast<std::size_t>(header_word(head, 3 + static_cast<std::size_t>(b), tag));
      std::uint64_t size = b + 1 == blocks && last != 0 ? last : block;
      // zlib makes at most about a thousand bytes of one.
      if (packed > body.size() || size > 2000 * static_cast<std::uint64_t>(packed) + 64)
        fail(tag.begin, "a compressed block has an impossible size");
      std::string piece(static_cast<std::size_t>(size), '\0');
      uLongf got = static_cast<uLongf>(size);
      if (uncompress(reinterpret_cast<Bytef*>(piece.data()), &got, reinterpret_cast<const Bytef*>(body.data()),
                     static_cast<uLong>(packed)) != Z_OK ||
          got != size)
        fail(tag.begin, "a compressed block is damaged");
      out += piece;
      body.remove_prefix(packed);
    }
    return out;
  }

  std::string decode(std::string_view text, const Tag& tag) {
    std::string out;
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
      int value = -1;
      if (c >= 'A' && c <= 'Z') value = c - 'A';
      if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
      if (c >= '0' && c <= '9') value = c - '0' + 52;
      if (c == '+') value = 62;
      if (c == '/') value = 63;
      if (c == '=') continue;
      if (value < 0) fail(tag.begin, "the data of an array are not base64");
      bits = bits << 6 | static_cast<std::uint32_t>(value);
      have += 6;
      if (have >= 8) {
        have -= 8;
        out.push_back(static_cast<char>(bits >> have & 0xff));
      }
    }
    return out;
  }

  MeshSource& source_;
  std::string_view text_;
  std::size_t next_ = 0, appended_ = 0;
  bool raw_ = false, big_ = false, compressed_ = false;
  std::size_t header_bytes_ = 4;
  std::string section_;
  std::vector<double> points_;
  std::map<std::string, std::vector<double>> arrays_;
  MeshFile file_;
};

}  // namespace

MeshFile parse_vtk_xml(MeshSource& source) { return Reader(source).read(); }

}  // namespace cairn
