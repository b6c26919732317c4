// SPDX-License-Identifier: Apache-2.0
// A run in progress as the viewer shows it, and what a person does to it.
//
// The simulation stays with the thread that steps it: before each step that thread does what was asked for, after it it
// leaves a picture of the moment for others to take. One mutex guards what both sides see; neither waits for the other
// longer than it takes to swap a pointer. Without commands the run is bit for bit the one that nobody watches.
#pragma once
#include "cairn/sim/live_parameters.h"
#include "cairn/view/live_command.h"
#include "cairn/view/view_events.h"
#include "cairn/view/view_model.h"
#include "cairn/view/view_source.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace cairn {

class LiveSource final : public ViewSource {
 public:
  struct Settings {
    std::string file = {};  ///< base name of the scene
    double speed = 1;       ///< simulated over real time; 0: as fast as it can
    bool paused = false;    ///< at the start
    bool may_reset = true;  ///< whether the run may begin anew (not while it is recorded)
  };
  LiveSource(const Simulation& simulation, const Settings& settings);

  // For the thread that steps the simulation.

  /// Does what was asked for, and waits while the run is paused or ahead of the clock. False: `stopped` said so (it is
  /// asked about ten times a second), and there is no step to take.
  bool before_step(Simulation& simulation, const std::function<bool()>& stopped);
  void after_step(const Simulation& simulation);

  // For the server.

  Json model() override;
  std::string shape(std::size_t index) override;
  std::string times() override;
  std::string frames(std::size_t from, std::size_t count, bool contacts) override;
  Json body(std::size_t frame, std::size_t index) override;
  Json joint(std::size_t frame, std::size_t index) override;
  Json contact(std::size_t frame, std::size_t index) override;
  TimeSeries series(const SeriesRequest& request) override;
  Json events() override;
  Json events_within(double seconds) override;
  void command(const Json& message) override;
  ViewNews news() override;
  void want_frame() override;
  void on_news(std::function<void()> tell) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Frame frame;
    std::uint32_t step = 0;
    bool paused = false;
  };
  void apply(const LiveCommand& command, Simulation& simulation);
  void reset(Simulation& simulation);
  void publish(const Simulation& simulation, Clock::time_point now, bool force);
  std::string make_status(const Simulation& simulation) const;
  std::shared_ptr<const std::string> make_parameters() const;
  void begin_clock(double time);
  std::shared_ptr<const Moment> newest();

  // Never changes.
  ViewModel model_;
  Settings settings_;
  State start_;

  // Of the stepping thread alone.
  double speed_ = 1;
  bool paused_ = false, failed_ = false;
  std::string failure_;
  int steps_asked_ = 0;
  Work work_;  ///< sums since the start
  double numerical_ = 0;
  double clock_time_ = 0;  ///< simulated time at clock_start_: where the pace is measured from
  Clock::time_point clock_start_;
  Clock::time_point last_publish_ = {}, last_status_ = {};
  double seconds_per_step_ = 0;  ///< of late
  double factor_ = 0, factor_time_ = 0;
  Clock::time_point factor_start_;

  // Of both.
  std::mutex mutex_;
  std::condition_variable wake_, published_;
  std::deque<LiveCommand> commands_;
  bool wanted_ = false;  ///< a client can take a frame
  ViewNews news_;
  std::shared_ptr<const Moment> moment_;
  std::vector<LiveParameter> parameters_;
  std::deque<Certificate> history_;  ///< of the latest steps
  std::unique_ptr<EventScanner> events_;
  std::function<void()> tell_;
};

}  // namespace cairn
