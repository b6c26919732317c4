// SPDX-License-Identifier: Apache-2.0
// A recording as the viewer shows it: nothing is read before it is asked for; one that is still written grows.
#pragma once
#include "cairn/view/view_events.h"
#include "cairn/view/view_model.h"
#include "cairn/view/view_source.h"

#include <atomic>
#include <filesystem>
#include <mutex>

namespace cairn {

class RecordingSource final : public ViewSource {
 public:
  /// A file that is damaged is no reason to end: every answer says so, until it can be read.
  explicit RecordingSource(std::filesystem::path path);

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
  void on_news(std::function<void()> tell) override;
  void cancel() override { cancelled_ = true; }

  /// Looks whether a recording that is being written has grown, and tells. Call it about once a second.
  void poll();
  /// Why it cannot be read; empty: it can.
  std::string failure();

 private:
  class Lock;
  void open();
  void check_open();
  TimeSeries track_series(const SeriesName& name, const SeriesRequest& request);
  TimeSeries contact_series(const SeriesName& name, const SeriesRequest& request);
  TimeSeries pull_series(const SeriesName& name, const SeriesRequest& request);
  std::pair<std::size_t, std::size_t> frame_range(const SeriesRequest& request);
  void tell(const Json& document);
  bool scan(Lock& lock, double seconds);

  std::filesystem::path path_;
  std::mutex mutex_;              ///< guards all below: HDF5 takes one caller at a time
  std::atomic<int> waiting_ = 0;  ///< callers that want the mutex: long answers make way for them
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<ViewModel> model_;
  std::string failure_;
  std::filesystem::file_time_type seen_ = {};
  std::uintmax_t seen_size_ = 0;
  std::mutex news_mutex_;  ///< guards the next two: the network never waits for a file
  ViewNews news_;
  std::function<void()> tell_;
  std::mutex events_mutex_;  ///< one scan at a time; taken before mutex_
  std::unique_ptr<EventScanner> scanner_;
  std::size_t scanned_frames_ = 0, scanned_steps_ = 0, scanned_switches_ = 0;
  std::size_t switches_until_ = 0;  ///< steps whose switches are known
};

}  // namespace cairn
