// SPDX-License-Identifier: Apache-2.0
// What the page must know before the first frame: bodies, shapes, joints, fields of the certificate, bounds.
#pragma once
#include "cairn/io/recording.h"
#include "cairn/io/report_json.h"

namespace cairn {

/// One shape, shared by all bodies that have it.
struct ViewShape {
  std::string kind;
  std::vector<double> numbers;  ///< empty where the mesh tells more than numbers would
  std::optional<Aabb> bounds;   ///< none: a half-space
  std::size_t triangles = 0;
  std::string mesh;  ///< the answer of /api/shape
};

/// From these numbers on a step is an alarm.
struct AlarmLimits {
  double residual = 1e-3;
  double penetration = 0;  ///< [m]; a hundredth of the smallest moving body's thickness; 0: no limit
};

/// Does not change while the page is open, but for `info.complete`.
struct ViewModel : FrameModel {
  RecordingInfo info;
  std::string file;             ///< base name
  std::vector<int> body_shape;  ///< per body; -1: none
  std::vector<ViewShape> shapes;
  Aabb bounds;  ///< of all bounded bodies at the first frame
  Aabb focus;   ///< of those that move, and of those that are not much larger than all of them
  AlarmLimits alarm;
};

ViewModel make_view_model(const Recording& recording, const std::string& file);
ViewModel make_view_model(const Simulation& simulation, const std::string& file);

/// The answer of /api/model; mode: "recording" or "live".
Json to_json(const ViewModel& model, std::string_view mode);

}  // namespace cairn
