// SPDX-License-Identifier: Apache-2.0
// What a viewer shows: a recording or a run in progress, asked the same questions (docs/viewer-protocol.md).
//
// Questions come from several threads at once. Each answer is whole: JSON, or bytes as the protocol lays them out. What
// cannot be answered is an Error in words.
#pragma once
#include "cairn/io/report_json.h"
#include "cairn/view/view_series.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace cairn {

/// Something a client should be told; every one is sent only in its newest form.
struct ViewNews {
  std::shared_ptr<const std::string> frame;                       ///< binary; null: none
  std::uint64_t frame_number = 0;                                 ///< grows with every frame
  std::shared_ptr<const std::string> status, notice, parameters;  ///< JSON; null: none
  std::uint64_t status_number = 0, notice_number = 0, parameters_number = 0;
};

/// On one line; bytes that are not UTF-8 become a replacement character.
inline std::string to_line(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class ViewSource {
 public:
  virtual ~ViewSource() = default;
  virtual Json model() = 0;
  virtual std::string shape(std::size_t index) = 0;
  virtual std::string times() = 0;
  virtual std::string frames(std::size_t from, std::size_t count, bool contacts) = 0;
  virtual Json body(std::size_t frame, std::size_t index) = 0;
  virtual Json joint(std::size_t frame, std::size_t index) = 0;
  virtual Json contact(std::size_t frame, std::size_t index) = 0;
  virtual TimeSeries series(const SeriesRequest& request) = 0;
  virtual Json events() = 0;
  /// What is found within so many seconds, going on where the last one stopped: {events, until, complete}.
  virtual Json events_within(double seconds) = 0;

  /// A message of a client. Throws Error when it is not understood.
  virtual void command(const Json& message) = 0;
  /// What is new; cheap.
  virtual ViewNews news() = 0;
  /// A client can take a frame: the next one is worth making.
  virtual void want_frame() {}
  /// `tell` is called, from any thread, when there is news; an empty function ends that.
  virtual void on_news(std::function<void()> tell) = 0;
  /// Ends long answers.
  virtual void cancel() {}
};

}  // namespace cairn
