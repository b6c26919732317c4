// SPDX-License-Identifier: Apache-2.0
// What is wrong with a triangulated surface, in counts with the first offender, and its repair when asked.
#pragma once
#include <string>

#include "cairn/geometry/surface_mesh.h"

namespace cairn {

/// How often a fault occurs and where first: a face, and for faults of edges the edge's two vertices.
struct MeshFault {
  int count = 0;
  int face = -1;
  int v0 = -1, v1 = -1;
};

struct MeshReport {
  int vertices = 0, triangles = 0;
  MeshFault not_finite;          ///< vertices (v0) with a NaN or an infinity
  MeshFault wrong_index;         ///< corners that name no vertex
  MeshFault degenerate;          ///< faces without area: height below 1e-12 of their longest edge, or a repeated corner
  MeshFault open_edges;          ///< edges with one face
  MeshFault non_manifold;        ///< edges with three faces or more
  MeshFault flipped;             ///< edges whose two faces run along it the same way
  MeshFault duplicate_vertices;  ///< vertices (v1) at the very place of an earlier one (v0)
  MeshFault duplicate_faces;     ///< faces with the corners of an earlier one
  MeshFault unreferenced;        ///< vertices (v0) of no face
  MeshFault self_intersections;  ///< pairs of faces that cross; v0 is the other face. Only when asked for
  bool intersections_checked = false;
  double volume = 0;  ///< enclosed, when closed and oriented; < 0: inside out

  bool is_closed() const { return triangles > 0 && open_edges.count == 0 && non_manifold.count == 0; }
  bool is_oriented() const { return flipped.count == 0 && non_manifold.count == 0; }
  bool is_inside_out() const { return is_closed() && is_oriented() && volume < 0; }
  /// Fit for contact, perhaps as an open surface. Unused and duplicate vertices that hurt nobody are let pass.
  bool is_usable() const {
    return triangles > 0 && not_finite.count == 0 && wrong_index.count == 0 && degenerate.count == 0 &&
           non_manifold.count == 0 && flipped.count == 0 && duplicate_faces.count == 0 && !is_inside_out() &&
           self_intersections.count == 0 && !(is_closed() && !(volume > 0));
  }
  /// Usable, closed, and nothing at all to remark.
  bool is_clean() const {
    return is_usable() && is_closed() && duplicate_vertices.count == 0 && unreferenced.count == 0;
  }
};

/// `self_intersections` costs a walk of the surface's box tree against itself.
MeshReport check_mesh(const SurfaceMesh& mesh, bool self_intersections = false);

/// "12 open edges, first at face 7 (edge 3-4); inside out (volume -1 m^3)"; "closed, oriented, no faults".
std::string describe(const MeshReport& report);

struct MeshRepair {
  bool weld = true;             ///< vertices at the same place become one
  double weld_distance = 0;     ///< metres; 0: only exactly the same place
  bool drop_degenerate = true;  ///< faces without area, duplicate faces and unused vertices go
  bool orient = true;           ///< neighbours are made to agree
  bool turn_outward = true;     ///< a closed surface that is inside out is turned
};

/// What was done, for the user: "welded 24 vertices, turned 3 faces".
struct MeshRepairResult {
  SurfaceMesh mesh;
  int welded = 0, dropped_faces = 0, dropped_vertices = 0, turned = 0;
  std::string done;
};

/// Closes nothing and cuts nothing.
MeshRepairResult repair_mesh(const SurfaceMesh& mesh, const MeshRepair& options = {});

}  // namespace cairn
