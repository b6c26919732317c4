// SPDX-License-Identifier: Apache-2.0
// Answers from a recording. Long ones (curves, events) read a piece at a time and let others in between.
#include "cairn/view/recording_source.h"

#include "cairn/io/certificate_fields.h"
#include "cairn/view/bytes.h"
#include "cairn/view/view_frame.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

namespace cairn {
namespace {

constexpr std::size_t kMostFrames = 256, kMostBytes = 32 << 20;  // of one answer
constexpr std::size_t kPiece = 64;                               // frames read in one go by long answers
constexpr std::size_t kStepPiece = 1 << 16;                      // steps

}  // namespace

/// Holds the mutex; long answers call pause() between pieces.
class RecordingSource::Lock {
 public:
  explicit Lock(RecordingSource& source) : source_(source), lock_(source.mutex_, std::defer_lock) { take(); }
  /// Lets others in, if any wait.
  void pause() {
    if (source_.cancelled_) throw Error("the viewer is being closed");
    if (source_.waiting_ == 0) return;
    lock_.unlock();
    // The one that waits may need a moment to wake.
    for (int i = 0; i < 100 && source_.waiting_ > 0; ++i) std::this_thread::sleep_for(std::chrono::microseconds(50));
    take();
  }

 private:
  void take() {
    ++source_.waiting_;
    lock_.lock();
    --source_.waiting_;
  }
  RecordingSource& source_;
  std::unique_lock<std::mutex> lock_;
};

RecordingSource::RecordingSource(std::filesystem::path path) : path_(std::move(path)) {
  const Lock lock(*this);
  open();
}

/// Opens the file if it is not open. What is wrong with it is kept as a text.
void RecordingSource::open() {
  if (recording_) return;
  try {
    std::error_code ignored;
    seen_ = std::filesystem::last_write_time(path_, ignored);
    seen_size_ = std::filesystem::file_size(path_, ignored);
    auto recording = std::make_unique<Recording>(path_);
    model_ = std::make_unique<ViewModel>(make_view_model(*recording, path_.filename().string()));
    recording_ = std::move(recording);
    failure_.clear();
  } catch (const Error& error) {
    failure_ = error.what();
  }
}

void RecordingSource::check_open() {
  open();
  if (!recording_) throw Error(failure_);
}

std::string RecordingSource::failure() {
  const Lock lock(*this);
  open();
  return failure_;
}

Json RecordingSource::model() {
  const Lock lock(*this);
  check_open();
  model_->info.complete = recording_->info().complete;
  return to_json(*model_, "recording");
}

std::string RecordingSource::shape(std::size_t index) {
  const Lock lock(*this);
  check_open();
  if (index >= model_->shapes.size()) throw Error("there is no shape {}; there are {}", index, model_->shapes.size());
  return model_->shapes[index].mesh;
}

std::string RecordingSource::times() {
  const Lock lock(*this);
  check_open();
  Bytes out;
  out.add_u32(recording_->frame_count());
  out.add_u32(recording_->info().complete ? 1 : 0);
  for (const double t : recording_->times()) out.add(t);
  return out.take();
}

std::string RecordingSource::frames(std::size_t from, std::size_t count, bool contacts) {
  Lock lock(*this);
  check_open();
  const std::size_t total = recording_->frame_count();
  if (from >= total) throw Error("there is no frame {}; there are {}", from, total);
  std::string out;
  for (std::size_t i = from; i < std::min({total, from + std::min(count, kMostFrames), from + kMostFrames}); ++i) {
    if (i > from) lock.pause();
    const Frame frame = recording_->frame(i, {.state = false, .contacts = contacts});
    // The first frame is sent however large it is: less than one would be nothing.
    if (i > from && out.size() + encoded_size(frame, model_->bodies, contacts) > kMostBytes) break;
    out += encode_frame(frame, model_->bodies, {.index = static_cast<std::uint32_t>(i), .contacts = contacts});
  }
  return out;
}

Json RecordingSource::body(std::size_t frame, std::size_t index) {
  const Lock lock(*this);
  check_open();
  return body_json(recording_->frame(frame, {.state = false}), model_->bodies, index);
}

Json RecordingSource::joint(std::size_t frame, std::size_t index) {
  const Lock lock(*this);
  check_open();
  return joint_json(recording_->frame(frame, {.state = false, .contacts = false}), model_->joints, model_->coordinates,
                    model_->laws, index);
}

Json RecordingSource::contact(std::size_t frame, std::size_t index) {
  const Lock lock(*this);
  check_open();
  Frame only;
  only.contacts = recording_->contacts(frame);
  only.time = recording_->times()[frame];
  return contact_json(only, index);
}

/// Frames in the asked part of the time, one more on either side.
std::pair<std::size_t, std::size_t> RecordingSource::frame_range(const SeriesRequest& request) {
  const std::vector<double>& t = recording_->times();
  auto first = t.begin(), last = t.end();
  if (request.from) first = std::lower_bound(t.begin(), t.end(), *request.from);
  if (request.to) last = std::upper_bound(t.begin(), t.end(), *request.to);
  if (first > last) first = last;
  if (first != t.begin()) --first;
  if (last != t.end()) ++last;
  return {static_cast<std::size_t>(first - t.begin()), static_cast<std::size_t>(last - t.begin())};
}

TimeSeries RecordingSource::track_series(const SeriesName& name, const SeriesRequest& request) {
  Lock lock(*this);
  check_open();
  const auto [begin, end] = frame_range(request);
  const std::size_t width = track_width(name.track);
  TimeSeries series;
  for (std::size_t i = begin; i < end; i += kPiece) {
    if (i > begin) lock.pause();
    const std::size_t count = std::min(kPiece, end - i);
    const std::vector<double> part = recording_->track(name.track, name.index, i, count);
    for (std::size_t k = 0; k < count; ++k) {
      series.t.push_back(recording_->times()[i + k]);
      const double* x = &part[k * width];
      series.y.push_back(width == 1 ? x[0] : name.component >= 0 ? x[name.component] : Vec3(x[0], x[1], x[2]).norm());
    }
  }
  return series;
}

TimeSeries RecordingSource::contact_series(const SeriesName& name, const SeriesRequest& request) {
  Lock lock(*this);
  check_open();
  if (!recording_->info().contacts) throw Error("{}: contacts were not recorded", model_->file);
  const auto [begin, end] = frame_range(request);
  const auto pair = std::minmax(name.body_a, name.body_b);
  TimeSeries series;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) lock.pause();
    double sum = 0;
    for (const FrameContact& c : recording_->contacts(i, true))
      if (std::minmax(c.body_a, c.body_b) == pair) sum += c.force.dot(c.normal);
    series.t.push_back(recording_->times()[i]);
    series.y.push_back(sum);
  }
  return series;
}

TimeSeries RecordingSource::pull_series(const SeriesName& name, const SeriesRequest& request) {
  Lock lock(*this);
  check_open();
  const auto [begin, end] = frame_range(request);
  TimeSeries series;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) lock.pause();
    const auto pull = recording_->pull(i);
    const Vec3 force = pull ? pull->force : Vec3::Zero();
    series.t.push_back(recording_->times()[i]);
    series.y.push_back(name.component >= 0 ? force[name.component] : force.norm());
  }
  return series;
}

TimeSeries RecordingSource::series(const SeriesRequest& request) {
  const SeriesName name = parse_series_name(request.name);
  if (name.kind == SeriesName::Kind::Track) return reduce_series(track_series(name, request), request.points);
  if (name.kind == SeriesName::Kind::Pull) return reduce_series(pull_series(name, request), request.points);
  if (name.kind == SeriesName::Kind::Contact) return reduce_series(contact_series(name, request), request.points);
  Lock lock(*this);
  check_open();
  // As long as now: the file may grow between the columns.
  const std::size_t steps = recording_->step_count();
  TimeSeries series = make_certificate_series(name, [&](std::string_view field) {
    std::vector<double> all;
    for (std::size_t i = 0; i < steps; i += kStepPiece) {
      if (i > 0) lock.pause();
      const auto part = recording_->certificate_field(field, i, std::min(kStepPiece, steps - i));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  });
  return reduce_series(cut_series(std::move(series), request), request.points);
}

/// Goes on looking for events; true when all frames and steps are known. Steps come first: they are few bytes.
bool RecordingSource::scan(Lock& lock, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto late = [&] { return std::chrono::duration<double>(Clock::now() - begin).count() > seconds; };
  if (!scanner_) {
    std::vector<std::string> names;
    for (const FrameBody& body : model_->bodies) names.push_back(body.name);
    scanner_ = std::make_unique<EventScanner>(std::move(names), model_->alarm);
  }
  while (scanned_steps_ < recording_->step_count()) {
    lock.pause();
    const std::size_t count = std::min(kStepPiece, recording_->step_count() - scanned_steps_);
    std::vector<Certificate> steps(count);
    for (const CertificateField& field : certificate_fields())
      if (field.name == "time" || field.name == "status" || field.name == "residual" || field.name == "penetration") {
        const auto values = recording_->certificate_field(field.name, scanned_steps_, count);
        for (std::size_t i = 0; i < count; ++i) field.set(steps[i], values[i]);
      }
    for (const Certificate& step : steps) scanner_->add_step(step);
    scanned_steps_ += count;
    if (late()) return false;
  }
  // All of them are read at once, so only when there can be new ones.
  if (switches_until_ != scanned_steps_) {
    switches_until_ = scanned_steps_;
    const std::vector<RecordedSwitch> switches = recording_->switches();
    for (; scanned_switches_ < switches.size(); ++scanned_switches_)
      scanner_->add_switch(switches[scanned_switches_], model_->joints, model_->laws);
  }
  while (scanned_frames_ < recording_->frame_count()) {
    lock.pause();
    scanner_->add_contacts(recording_->times()[scanned_frames_], recording_->contacts(scanned_frames_, true));
    ++scanned_frames_;
    if (late()) break;
  }
  return scanned_frames_ == recording_->frame_count();
}

Json RecordingSource::events() {
  const std::scoped_lock one(events_mutex_);
  Lock lock(*this);
  check_open();
  scan(lock, std::numeric_limits<double>::infinity());
  return to_json(scanner_->events());
}

Json RecordingSource::events_within(double seconds) {
  const std::scoped_lock one(events_mutex_);
  Lock lock(*this);
  check_open();
  Json j;
  j["complete"] = scan(lock, seconds);
  j["until"] = scanned_frames_ > 0 ? recording_->times()[scanned_frames_ - 1] : recording_->times().front();
  j["events"] = to_json(scanner_->events());
  return j;
}

void RecordingSource::command(const Json& message) {
  if (!message.contains("ack")) throw Error("this is a recording: it takes no commands");
}

ViewNews RecordingSource::news() {
  const std::scoped_lock lock(news_mutex_);
  return news_;
}

void RecordingSource::on_news(std::function<void()> tell) {
  const std::scoped_lock lock(news_mutex_);
  tell_ = std::move(tell);
}

void RecordingSource::tell(const Json& document) {
  const std::scoped_lock lock(news_mutex_);
  news_.notice = std::make_shared<const std::string>(to_line(document));
  ++news_.notice_number;
  if (tell_) tell_();
}

void RecordingSource::poll() {
  const Lock lock(*this);
  std::error_code problem;
  const auto changed = std::filesystem::last_write_time(path_, problem);
  const auto size = std::filesystem::file_size(path_, problem);
  if (problem || (changed == seen_ && size == seen_size_)) return;
  const bool was_open = recording_ != nullptr;
  if (was_open && recording_->info().complete) return;
  open();
  if (!recording_) return;
  seen_ = changed;
  seen_size_ = size;
  Json j;
  try {
    if (!recording_->refresh() && was_open) return;
    j["times"] = {{"frames", recording_->frame_count()}, {"complete", recording_->info().complete}};
  } catch (const Error& error) {
    j["error"] = error.what();
  }
  tell(j);
}

}  // namespace cairn
