// SPDX-License-Identifier: Apache-2.0
// Recordings for ParaView and other programs that read VTK files (VTK User's Guide, "XML file formats").
#pragma once
#include "cairn/io/recording.h"

namespace cairn {

/// Writes NAME.pvd (the list of times) and beside it the folder NAME_frames with bodies_0000.vtp and contacts_0000.vtp
/// for each frame. Bodies are triangulated shapes where they are; their triangles carry the body's index, speed and
/// kind (0 fixed, 1 prescribed, 2 rigid, 3 affine, 4 another). Contacts are points with force, normal, gap, state and
/// the two bodies. Throws Error when something cannot be written; files made until then are removed.
void write_vtk(const Recording& recording, const std::filesystem::path& pvd);

}  // namespace cairn
