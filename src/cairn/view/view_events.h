// SPDX-License-Identifier: Apache-2.0
// Moments worth jumping to: bodies that meet, part, stick or slip, laws that switch, certificates that are bad.
//
// A recording of a heap has millions of them. Of each kind of contact event the strongest are kept (by force), so the
// list stays short and what is left out is the least.
#pragma once
#include "cairn/io/recording.h"
#include "cairn/io/report_json.h"
#include "cairn/view/view_model.h"

#include <map>

namespace cairn {

enum class ViewEventKind { Impact, Separation, StickSlip, Switch, Alarm };

struct ViewEvent {
  double time = 0;
  ViewEventKind kind = ViewEventKind::Alarm;
  std::string text;
  int body_a = -1, body_b = -1;
  double strength = 0;  ///< force [N] or how far beyond the limit; decides what is kept
};

/// Follows the frames and steps of one run, in order.
class EventScanner {
 public:
  EventScanner(std::vector<std::string> names, AlarmLimits limits, std::size_t most = 500);
  void add_contacts(double time, const std::vector<FrameContact>& contacts);
  void add_step(const Certificate& certificate);
  void add_switch(const RecordedSwitch& change, const std::vector<FrameJoint>& joints,
                  const std::vector<std::string>& laws);
  /// Sorted by time.
  std::vector<ViewEvent> events() const;

 private:
  struct Pair {
    double force = 0;  ///< sum of the normal forces [N]
    bool slips = true;
  };
  void keep(ViewEvent event);
  std::string name(int body) const;

  std::vector<std::string> names_;
  AlarmLimits limits_;
  std::size_t most_;
  std::map<std::pair<int, int>, Pair> pairs_;  ///< in contact in the last frame
  bool begun_ = false, alarmed_ = false;
  std::map<ViewEventKind, std::vector<ViewEvent>> kept_;
};

Json to_json(const std::vector<ViewEvent>& events);

}  // namespace cairn
