// SPDX-License-Identifier: Apache-2.0
// The same two tetrahedra (or their surface) in every mesh format, as bytes: what readers are tested and fuzzed with.
#pragma once
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace cairn::testing_meshes {

/// A corner of the unit cube on both sides of the plane z = 0; surface: 6 triangles, 5 vertices, volume 1/3.
inline const std::vector<std::array<double, 3>> kPoints{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
inline const std::vector<std::array<int, 4>> kCells{{0, 1, 2, 3}, {0, 2, 1, 4}};
inline const std::vector<std::array<int, 3>> kFaces{{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};

template <class T>
std::string raw(T value, bool big = false) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

inline std::string base64(const std::string& bytes) {
  static const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (k + i < bytes.size() ? static_cast<std::uint8_t>(bytes[k + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= std::min<std::size_t>(3, bytes.size() - k) ? letters[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

inline std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
           static_cast<uLong>(bytes.size()));
  out.resize(size);
  return out;
}

inline std::string number(double x) {
  std::string text = std::to_string(x);
  return text.substr(0, text.find('.') + 2);
}

inline std::string points_text() {
  std::string out;
  for (const auto& p : kPoints) out += number(p[0]) + " " + number(p[1]) + " " + number(p[2]) + "\n";
  return out;
}

template <class T>
std::string points_raw(bool big) {
  std::string out;
  for (const auto& p : kPoints)
    for (const double x : p) out += raw(static_cast<T>(x), big);
  return out;
}

inline std::string stl_binary(const std::string& head) {
  std::string out = head + std::string(80 - head.size(), ' ') + raw<std::uint32_t>(6);
  for (const auto& f : kFaces) {
    out += std::string(12, '\0');
    for (const int v : f)
      for (const double x : kPoints[v]) out += raw(static_cast<float>(x));
    out += std::string(2, '\0');
  }
  return out;
}

inline std::string stl_text() {
  std::string out = "solid two tetrahedra\n";
  for (const auto& f : kFaces) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (const int v : f)
      out += "vertex " + number(kPoints[v][0]) + " " + number(kPoints[v][1]) + " " + number(kPoints[v][2]) + "\n";
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid two tetrahedra\n";
}

inline std::string ply(const std::string& format) {
  const bool text = format == "ascii", big = format == "binary_big_endian";
  std::string out =
      "ply\nformat " + format +
      " 1.0\ncomment by hand\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nproperty "
      "uchar red\nelement face 6\nproperty list uchar int vertex_indices\nelement other 1\nproperty short "
      "s\nend_header\n";
  for (const auto& p : kPoints) {
    for (const double x : p) out += text ? number(x) + " " : raw(static_cast<float>(x), big);
    out += text ? "255\n" : "\xff";
  }
  for (const auto& f : kFaces) {
    out += text ? "3" : "\3";
    for (const int v : f) out += text ? " " + std::to_string(v) : raw<std::int32_t>(v, big);
    if (text) out += "\n";
  }
  return out + (text ? "7\n" : raw<std::int16_t>(7, big));
}

inline std::string vtk_polydata(bool text) {
  std::string out = std::string("# vtk DataFile Version 3.0\nby hand\n") + (text ? "ASCII" : "BINARY") +
                    "\nDATASET POLYDATA\nPOINTS 5 double\n" + (text ? points_text() : points_raw<double>(true) + "\n") +
                    "POLYGONS 6 24\n";
  for (const auto& f : kFaces) {
    out += text ? "3" : raw<std::int32_t>(3, true);
    for (const int v : f) out += text ? " " + std::to_string(v) : raw<std::int32_t>(v, true);
    if (text) out += "\n";
  }
  return out + "\nPOINT_DATA 5\nSCALARS s float\n";
}

inline std::string vtk_grid(bool modern) {
  std::string out =
      "# vtk DataFile Version 5.1\nby hand\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n" + points_text();
  if (modern) {
    out += "CELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 2 1 4\n";
  } else {
    out += "CELLS 2 10\n4 0 1 2 3\n4 0 2 1 4\n";
  }
  return out + "CELL_TYPES 2\n10\n10\n";
}

/// `how`: ascii, binary, zlib, appended-raw or appended-base64.
inline std::string vtu(const std::string& how) {
  const bool zlib = how == "zlib", appended = how.starts_with("appended"), raw_data = how == "appended-raw";
  std::string out = std::string(
                        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\" header_type=\"UInt32\"") +
                    (zlib ? " compressor=\"vtkZLibDataCompressor\"" : "") +
                    ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n";
  std::string blob;
  const auto array = [&](const std::string& name, const std::string& type, const std::string& text,
                         const std::string& bytes) {
    out += "<DataArray type=\"" + type + "\" Name=\"" + name + "\" ";
    if (how == "ascii") {
      out += "format=\"ascii\">" + text + "</DataArray>\n";
    } else if (appended) {
      out += "format=\"appended\" offset=\"" + std::to_string(blob.size()) + "\"/>\n";
      const std::string all = raw(static_cast<std::uint32_t>(bytes.size())) + bytes;
      blob += raw_data ? all : base64(all);
    } else if (zlib) {
      const std::string packed = deflated(bytes);
      const std::string head = raw<std::uint32_t>(1) + raw(static_cast<std::uint32_t>(bytes.size())) +
                               raw(static_cast<std::uint32_t>(bytes.size())) +
                               raw(static_cast<std::uint32_t>(packed.size()));
      out += "format=\"binary\">\n" + base64(head) + base64(packed) + "\n</DataArray>\n";
    } else {
      out +=
          "format=\"binary\">\n" + base64(raw(static_cast<std::uint32_t>(bytes.size())) + bytes) + "\n</DataArray>\n";
    }
  };
  out += "<Points>\n";
  array("Points", "Float64", points_text(), points_raw<double>(false));
  out += "</Points>\n<Cells>\n";
  std::string nodes, offsets;
  for (const auto& c : kCells)
    for (const int v : c) nodes += raw<std::int64_t>(v);
  array("connectivity", "Int64", "0 1 2 3 0 2 1 4", nodes);
  array("offsets", "Int32", "4 8", raw<std::int32_t>(4) + raw<std::int32_t>(8));
  array("types", "UInt8", "10 10", "\n\n");
  out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (appended)
    out += std::string("<AppendedData encoding=\"") + (raw_data ? "raw" : "base64") + "\">\n_" + blob +
           "\n</AppendedData>\n";
  return out + "</VTKFile>\n";
}

/// Version 2.2 or 4.1, text or binary: six triangles and two tetrahedra.
inline std::string gmsh(bool v4, bool text) {
  const auto i32 = [&](std::int32_t x) { return text ? std::to_string(x) + " " : raw(x); };
  const auto i64 = [&](std::uint64_t x) { return text ? std::to_string(x) + " " : raw(x); };
  const auto f64 = [&](double x) { return text ? number(x) + " " : raw(x); };
  const std::string end = text ? "\n" : "";
  std::string out = std::string("$MeshFormat\n") + (v4 ? "4.1 " : "2.2 ") + (text ? "0" : "1") + " 8\n";
  if (!text) out += raw<std::int32_t>(1) + "\n";
  out += "$EndMeshFormat\n$Comments\nby hand\n$EndComments\n$Nodes\n";
  if (v4) {
    out += i64(1) + i64(5) + i64(10) + i64(50) + end + i32(3) + i32(1) + i32(0) + i64(5) + end;
    for (int k = 1; k <= 5; ++k) out += i64(10 * k) + end;
    for (const auto& p : kPoints) out += f64(p[0]) + f64(p[1]) + f64(p[2]) + end;
  } else {
    out += "5\n";
    for (int k = 0; k < 5; ++k)
      out += i32(10 * (k + 1)) + f64(kPoints[k][0]) + f64(kPoints[k][1]) + f64(kPoints[k][2]) + end;
  }
  out += "\n$EndNodes\n$Elements\n";
  if (v4) {
    out += i64(2) + i64(8) + i64(1) + i64(8) + end + i32(2) + i32(1) + i32(2) + i64(6) + end;
    int tag = 1;
    for (const auto& f : kFaces) {
      out += i64(tag++);
      for (const int v : f) out += i64(10 * (v + 1));
      out += end;
    }
    out += i32(3) + i32(1) + i32(4) + i64(2) + end;
    for (const auto& c : kCells) {
      out += i64(tag++);
      for (const int v : c) out += i64(10 * (v + 1));
      out += end;
    }
  } else {
    out += "8\n";
    int tag = 1;
    if (!text) out += raw<std::int32_t>(2) + raw<std::int32_t>(6) + raw<std::int32_t>(2);
    for (const auto& f : kFaces) {
      out += i32(tag++) + (text ? "2 2 " : "") + i32(1) + i32(1);
      for (const int v : f) out += i32(10 * (v + 1));
      out += end;
    }
    if (!text) out += raw<std::int32_t>(4) + raw<std::int32_t>(2) + raw<std::int32_t>(2);
    for (const auto& c : kCells) {
      out += i32(tag++) + (text ? "4 2 " : "") + i32(1) + i32(1);
      for (const int v : c) out += i32(10 * (v + 1));
      out += end;
    }
  }
  return out + "\n$EndElements\n";
}

struct Sample {
  std::string name, bytes, format;
};

inline std::vector<Sample> all_samples() {
  return {
      {"a.obj",
       "# by hand\no two\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nv 0 0 1\nv 0 0 -1\nusemtl stone\nf 1 2 4\nf "
       "2/1 "
       "3/1 4/1\nf 3//1 1//1 4//1\nf 2/1/1 1/1/1 5/1/1\nf -3 -4 \\\n-1\nf 1 3 5\n",
       "OBJ"},
      {"a.stl", stl_text(), "STL (text)"},
      {"b.stl", stl_binary("made by hand"), "STL (binary)"},
      {"c.stl", stl_binary("solid by its name only"), "STL (binary)"},
      {"a.ply", ply("ascii"), "PLY (text)"},
      {"b.ply", ply("binary_little_endian"), "PLY (binary, little-endian)"},
      {"c.ply", ply("binary_big_endian"), "PLY (binary, big-endian)"},
      {"a.vtk", vtk_polydata(true), "VTK (legacy, text)"},
      {"b.vtk", vtk_polydata(false), "VTK (legacy, binary)"},
      {"c.vtk", vtk_grid(false), "VTK (legacy, text)"},
      {"d.vtk", vtk_grid(true), "VTK (legacy, text)"},
      {"a.vtu", vtu("ascii"), "VTU"},
      {"b.vtu", vtu("binary"), "VTU"},
      {"c.vtu", vtu("zlib"), "VTU"},
      {"d.vtu", vtu("appended-raw"), "VTU"},
      {"e.vtu", vtu("appended-base64"), "VTU"},
      {"a.msh", gmsh(false, true), "Gmsh 2.2 (text)"},
      {"b.msh", gmsh(false, false), "Gmsh 2.2 (binary)"},
      {"c.msh", gmsh(true, true), "Gmsh 4.1 (text)"},
      {"d.msh", gmsh(true, false), "Gmsh 4.1 (binary)"},
  };
}

}  // namespace cairn::testing_meshes
