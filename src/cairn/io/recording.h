// SPDX-License-Identifier: Apache-2.0
// Recordings: what happened in a run, frame by frame, with the certificate of every step, in one HDF5 file. The layout
// is in docs/recording.md. The file is in HDF5's single-writer mode from the first frame on: a run that is killed
// leaves everything up to its last flush, and a recording can be read while it is written.
#pragma once
#include "cairn/io/scene.h"
#include "cairn/sim/frame.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// Writes a recording. The simulation given to the last record_step() must live until close().
class Recorder {
 public:
  /// Creates the file and records the present state as its first frame. Throws Error when the file cannot be written
  /// or is there already and is not a recording of Cairn.
  Recorder(const std::filesystem::path& path, const Simulation& simulation, const OutputSettings& output = {});
  ~Recorder();  ///< closes; what goes wrong then is lost, so call close() to know
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// After each step: keeps its certificate, and the state when it is the first at or after a multiple of the interval.
  void record_step(const Simulation& simulation);
  /// Makes all so far readable to others. Done by itself once a second.
  void flush();
  /// Records the last step as a frame, whatever the interval, and ends the file.
  void close();

  std::int64_t frame_count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A law that changed its mode; contacts have bodies in a and b, others an index in a.
struct RecordedSwitch {
  double time = 0;
  LawOwner owner = LawOwner::Contact;
  LawFacet facet = LawFacet::Normal;
  int a = -1, b = -1;
  Mode from = Mode::Open, to = Mode::Open;
};

/// What the whole recording has in common.
struct RecordingInfo {
  std::string title, stepper, solver, cairn;  ///< cairn: the version that wrote it
  double step = 0, interval = 0;              ///< [s]
  Vec3 gravity = Vec3::Zero();
  bool contacts = false;  ///< whether contact points were recorded
  bool complete = true;   ///< false: its writer was killed, or is still at work
};

/// What can be followed over the frames without reading all of them, with the numbers it has per frame.
enum class Track { Position, Velocity, AngularVelocity, JointForce, JointTorque, Coordinate, LawForce };
inline std::size_t track_width(Track track) { return track == Track::Coordinate || track == Track::LawForce ? 1 : 3; }

/// What of a frame is wanted: leaving something out saves time.
struct FrameParts {
  bool state = true;  ///< q, u and memory
  bool contacts = true;
};

/// Reads a recording. Every function throws Error "FILE: ..." when the file turns out to be damaged.
class Recording {
 public:
  explicit Recording(const std::filesystem::path& path);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const RecordingInfo& info() const;
  const std::vector<double>& times() const;  ///< of the frames
  std::size_t frame_count() const { return times().size(); }
  /// Lives as long as the recording, or longer where somebody keeps it.
  const std::shared_ptr<const FrameModel>& model() const;
  const std::vector<FrameBody>& bodies() const;
  const std::vector<FrameJoint>& joints() const;
  const std::vector<FrameCoordinate>& joint_coordinates() const;
  const std::vector<std::string>& coordinate_laws() const;  ///< names
  const std::vector<std::string>& memory_forces() const;    ///< name of the force of every number of Frame::memory
  Frame frame(std::size_t index, FrameParts parts = {}) const;
  /// Positions of one frame only: much faster than all of it.
  std::vector<Vec3> positions(std::size_t index) const;
  /// Who pulled in one frame; nothing in recordings before format 5.
  std::optional<FramePull> pull(std::size_t index) const;
  std::size_t pulled_frames() const;  ///< how many frames have a pull
  /// Contacts of one frame only. Brief: bodies, normal, force and state; the rest is zero.
  std::vector<FrameContact> contacts(std::size_t index, bool brief = false) const;
  /// One thing (body, joint, coordinate or law) over frames [first, first + count), one after the other.
  std::vector<double> track(Track what, std::size_t index, std::size_t first, std::size_t count) const;
  std::vector<Certificate> certificates() const;
  std::size_t step_count() const;  ///< certificates
  /// One field of the certificates of steps [first, first + count).
  std::vector<double> certificate_field(std::string_view field, std::size_t first, std::size_t count) const;
  /// Of steppers that locate switches.
  std::vector<RecordedSwitch> switches() const;

  /// Looks again at a recording that was not complete: true when it has grown or was finished since.
  bool refresh();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sums and worst values of recorded certificates.
RunSummary summarise(const std::vector<Certificate>& certificates, double start_time);

/// Whether a file begins like an HDF5 file.
bool looks_like_hdf5(const std::filesystem::path& path);

}  // namespace cairn
