// SPDX-License-Identifier: Apache-2.0
// One function per mesh format, for mesh_file.cpp to choose from.
#pragma once
#include "cairn/io/mesh_file.h"
#include "cairn/io/mesh_source.h"

namespace cairn {

MeshFile parse_obj(MeshSource& source);
MeshFile parse_stl(MeshSource& source);
MeshFile parse_ply(MeshSource& source);
MeshFile parse_vtk_legacy(MeshSource& source);
MeshFile parse_vtk_xml(MeshSource& source);
MeshFile parse_gmsh(MeshSource& source);

/// Adds a cell of VTK's numbering of kinds to the file: polygons or cells; points and lines are passed over. Cells of
/// second order keep their corners. False for kinds that are not known.
bool add_vtk_cell(MeshFile& file, int kind, const std::vector<int>& nodes);

/// Corners of a polygon as triangles.
void triangulate(const std::vector<Vec3>& vertices, const std::vector<int>& polygon,
                 std::vector<std::array<int, 3>>& triangles);

}  // namespace cairn
