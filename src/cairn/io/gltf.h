// SPDX-License-Identifier: Apache-2.0
// Recordings as animated 3D models for browsers, Blender and slides: glTF 2.0 (Khronos, 2021), .glb or .gltf.
#pragma once
#include <filesystem>

#include "cairn/io/recording.h"

namespace cairn {

/// Writes one file: a node per body with its motion as sampled animation, one mesh per shape and colour, z up turned to
/// glTF's y up by the root node. A body that deforms, x = A X + c, has two nodes: with A = R P, P = V S V' (polar and
/// spectral decomposition) the outer one has translation c, rotation R V and scale S, the inner one rotation V', which
/// is exact in every frame. Rods, ropes and
/// struts (distance joints) are thin cylinders between their points. Between frames viewers interpolate. .gltf has the
/// binary data inside as text. Throws Error when the extension is another, there are no frames, or the data exceed 4
/// GB.
void write_gltf(const Recording& recording, const std::filesystem::path& path);

/// The outer rotation R V, scale S and inner rotation V' of a matrix with positive determinant. Of the 24 ways to order
/// and sign the axes the one with V nearest to `before` is taken, so that motions do not jump.
struct AffineParts {
  Quat outer = Quat::Identity();
  Vec3 scale = Vec3::Ones();
  Quat inner = Quat::Identity();
};
AffineParts split_affine(const Mat3& A, const AffineParts& before = {});

}  // namespace cairn
