// SPDX-License-Identifier: Apache-2.0
// The two sides of a live run.
#include "cairn/view/live_source.h"

#include "cairn/io/certificate_fields.h"
#include "cairn/view/bytes.h"
#include "cairn/view/view_frame.h"

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using namespace std::chrono_literals;

constexpr auto kFrameGap = 16ms, kStatusGap = 50ms;  // at least between two of them
constexpr auto kLook = 100ms;                        // how often a waiting run asks whether it should stop
constexpr std::size_t kMostCommands = 256, kMostHistory = 1 << 16;

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }
Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

std::unique_ptr<EventScanner> make_scanner(const ViewModel& model) {
  std::vector<std::string> names;
  for (const FrameBody& body : model.bodies) names.push_back(body.name);
  return std::make_unique<EventScanner>(std::move(names), model.alarm);
}

}  // namespace

LiveSource::LiveSource(const Simulation& simulation, const Settings& settings)
    : model_(make_view_model(simulation, settings.file)),
      settings_(settings),
      start_(simulation.state()),
      speed_(settings.speed),
      paused_(settings.paused),
      parameters_(live_parameters(simulation)),
      events_(make_scanner(model_)) {
  news_.parameters = make_parameters();
  begin_clock(simulation.state().time());
  publish(simulation, Clock::now(), true);
}

void LiveSource::begin_clock(double time) {
  clock_time_ = factor_time_ = time;
  clock_start_ = factor_start_ = Clock::now();
}

bool LiveSource::before_step(Simulation& simulation, const std::function<bool()>& stopped) {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::deque<LiveCommand> asked;
    asked.swap(commands_);
    if (!asked.empty()) {
      lock.unlock();
      for (const LiveCommand& command : asked) apply(command, simulation);
      publish(simulation, Clock::now(), true);
      lock.lock();
    }
    if (stopped()) return false;
    if (!failed_ && steps_asked_ > 0) {
      --steps_asked_;
      return true;
    }
    const Clock::time_point now = Clock::now();
    if (wanted_ && moment_->step != static_cast<std::uint32_t>(simulation.state().step) &&
        now - last_publish_ >= kFrameGap) {
      lock.unlock();
      publish(simulation, now, false);
      lock.lock();
    }
    Clock::time_point until = now + kLook;
    if (!failed_ && !paused_) {
      if (!(speed_ > 0)) return true;
      const double due = (simulation.state().time() - clock_time_) / speed_, passed = seconds(now - clock_start_);
      if (passed >= due) {
        // A run that cannot keep up does not hurry later on.
        if (passed > due + 0.1) clock_time_ = simulation.state().time(), clock_start_ = now;
        return true;
      }
      until = std::min(until,
                       now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(due - passed)));
    }
    wake_.wait_until(lock, until, [&] { return !commands_.empty(); });
  }
}

void LiveSource::apply(const LiveCommand& command, Simulation& simulation) {
  using Kind = LiveCommand::Kind;
  try {
    if (failed_ && (command.kind == Kind::Play || command.kind == Kind::Step))
      throw Error("the last step failed ({}); reset the run", failure_);
    switch (command.kind) {
      case Kind::Play:
        paused_ = false;
        begin_clock(simulation.state().time());
        break;
      case Kind::Pause: paused_ = true; break;
      case Kind::Step:
        paused_ = true;
        ++steps_asked_;
        break;
      case Kind::Reset: reset(simulation); break;
      case Kind::Speed:
        speed_ = command.value;
        begin_clock(simulation.state().time());
        break;
      case Kind::Drag:
        simulation.set_pull(
            make_pull(simulation.model().system(), simulation.state().motion, simulation.model().run.step,
                      simulation.model().system().bodies.reference_point(command.body, command.point), command.target));
        break;
      case Kind::Release: simulation.set_pull({}); break;
      case Kind::Set: {
        set_live_parameter(simulation, command.name, command.value);
        const std::scoped_lock lock(mutex_);
        for (LiveParameter& p : parameters_)
          if (p.name == command.name) p.value = command.value;
        news_.parameters = make_parameters();
        ++news_.parameters_number;
        break;
      }
    }
  } catch (const Error& error) {
    Json j;
    j["error"] = error.what();
    const std::scoped_lock lock(mutex_);
    news_.notice = std::make_shared<const std::string>(to_line(j));
    ++news_.notice_number;
    if (tell_) tell_();
  }
}

void LiveSource::reset(Simulation& simulation) {
  simulation.set_pull({});
  simulation.restore(start_);
  failed_ = false;
  failure_.clear();
  steps_asked_ = 0;
  work_ = {};
  numerical_ = 0;
  begin_clock(start_.time());
  const std::scoped_lock lock(mutex_);
  history_.clear();
  events_ = make_scanner(model_);
}

void LiveSource::after_step(const Simulation& simulation) {
  const Certificate& c = simulation.certificate();
  if (c.status != StepStatus::Done) {
    failed_ = true;
    failure_ = to_string(c.status);
    steps_asked_ = 0;
  }
  work_ += c.work;
  numerical_ += c.numerical;
  seconds_per_step_ = seconds_per_step_ > 0 ? 0.95 * seconds_per_step_ + 0.05 * c.times.total : c.times.total;
  const Clock::time_point now = Clock::now();
  if (const double passed = seconds(now - factor_start_); passed > 0.5) {
    factor_ = (simulation.state().time() - factor_time_) / passed;
    factor_time_ = simulation.state().time();
    factor_start_ = now;
  }
  bool wanted = false;
  {
    const std::scoped_lock lock(mutex_);
    history_.push_back(c);
    if (history_.size() > kMostHistory) history_.pop_front();
    events_->add_step(c);
    wanted = wanted_;
  }
  // Nobody sees a run that computes faster than a screen shows.
  const bool last = paused_ && steps_asked_ == 0;
  if (failed_ || last || (wanted && now - last_publish_ >= kFrameGap) || now - last_status_ >= kStatusGap)
    publish(simulation, now, false);
}

/// A frame when one is wanted or the run stands still, and a status when one is due; with `force` both.
void LiveSource::publish(const Simulation& simulation, Clock::time_point now, bool force) {
  const bool still = failed_ || (paused_ && steps_asked_ == 0);
  bool wanted = force || still;
  if (!wanted) {
    const std::scoped_lock lock(mutex_);
    wanted = wanted_;
  }
  std::shared_ptr<const Moment> moment;
  std::shared_ptr<const std::string> frame, status;
  if (wanted) {
    moment = std::make_shared<const Moment>(
        Moment{take_frame(simulation), static_cast<std::uint32_t>(simulation.state().step), still});
    frame = std::make_shared<const std::string>(
        encode_frame(moment->frame, model_.bodies, {.index = moment->step, .contacts = true, .paused = still}));
    last_publish_ = now;
  }
  if (force || still || now - last_status_ >= kStatusGap) {
    status = std::make_shared<const std::string>(make_status(simulation));
    last_status_ = now;
  }
  if (!frame && !status) return;
  const std::scoped_lock lock(mutex_);
  if (frame) {
    events_->add_contacts(moment->frame.time, moment->frame.contacts);
    moment_ = std::move(moment);
    news_.frame = std::move(frame);
    ++news_.frame_number;
    wanted_ = false;
    published_.notify_all();
  }
  if (status) {
    news_.status = std::move(status);
    ++news_.status_number;
  }
  if (tell_) tell_();
}

std::string LiveSource::make_status(const Simulation& simulation) const {
  const Certificate& c = simulation.certificate();
  const Energy energy = simulation.energy();
  Json s;
  s["time"] = simulation.state().time();
  s["step"] = simulation.state().step;
  s["paused"] = paused_;
  s["speed"] = speed_;
  s["seconds_per_step"] = seconds_per_step_;
  s["budget"] = speed_ > 0 ? Json(simulation.model().run.step / speed_) : Json(nullptr);
  s["real_time_factor"] = paused_ ? 0 : factor_;
  s["residual"] = c.residual;
  s["penetration"] = c.penetration;
  s["contacts"] = c.contacts;
  s["iterations"] = c.iterations;
  s["energy"] = {
      {"kinetic", energy.kinetic}, {"gravity", energy.gravity}, {"elastic", energy.elastic}, {"total", energy.total()}};
  s["work"] = {{"contact", work_.contact}, {"friction", work_.friction}, {"joints", work_.joints},
               {"damping", work_.damping}, {"loads", work_.loads},       {"drive", work_.drive},
               {"numerical", numerical_}};
  s["failed"] = failed_ ? Json(failure_) : Json(nullptr);
  s["warnings"] = Json::array();
  for (const RunWarning& w : simulation.summary().warnings) s["warnings"].push_back(describe(w));
  s["drag"] = nullptr;
  if (const auto pull = present_pull(simulation))
    s["drag"] = {{"body", pull->body},
                 {"point", to_json(pull->point)},
                 {"target", to_json(pull->target)},
                 {"force", to_json(pull->force)}};
  Json j;
  j["status"] = std::move(s);
  return to_line(j);
}

/// With the mutex held, or before there are other threads.
std::shared_ptr<const std::string> LiveSource::make_parameters() const {
  Json j;
  Json& list = j["parameters"] = Json::array();
  for (const LiveParameter& p : parameters_)
    list.push_back(
        {{"name", p.name}, {"label", p.label}, {"value", p.value}, {"unit", p.unit}, {"min", p.min}, {"max", p.max}});
  return std::make_shared<const std::string>(to_line(j));
}

Json LiveSource::model() {
  Json j = to_json(model_, "live");
  const std::scoped_lock lock(mutex_);
  j["parameters"] = Json::parse(*make_parameters())["parameters"];
  return j;
}

std::string LiveSource::shape(std::size_t index) {
  if (index >= model_.shapes.size()) throw Error("there is no shape {}; there are {}", index, model_.shapes.size());
  return model_.shapes[index].mesh;
}

/// The present moment; while the run goes on, a new picture of it.
std::shared_ptr<const LiveSource::Moment> LiveSource::newest() {
  std::unique_lock lock(mutex_);
  if (!moment_->paused) {
    wanted_ = true;
    const std::uint64_t before = news_.frame_number;
    published_.wait_for(lock, 200ms, [&] { return news_.frame_number != before; });
  }
  return moment_;
}

std::string LiveSource::times() {
  Bytes out;
  out.add_u32(1);
  out.add_u32(0);
  out.add(newest()->frame.time);
  return out.take();
}

std::string LiveSource::frames(std::size_t, std::size_t, bool contacts) {
  const auto moment = newest();
  return encode_frame(moment->frame, model_.bodies,
                      {.index = moment->step, .contacts = contacts, .paused = moment->paused});
}

Json LiveSource::body(std::size_t, std::size_t index) {
  const auto moment = newest();
  Json j = body_json(moment->frame, model_.bodies, index);
  j["step"] = moment->step;
  return j;
}

Json LiveSource::joint(std::size_t, std::size_t index) {
  const auto moment = newest();
  Json j = joint_json(moment->frame, model_.joints, model_.coordinates, model_.laws, index);
  j["step"] = moment->step;
  return j;
}

Json LiveSource::contact(std::size_t, std::size_t index) {
  const auto moment = newest();
  Json j = contact_json(moment->frame, index);
  j["step"] = moment->step;
  return j;
}

TimeSeries LiveSource::series(const SeriesRequest& request) {
  const SeriesName name = parse_series_name(request.name);
  if (name.kind == SeriesName::Kind::Track || name.kind == SeriesName::Kind::Contact)
    throw Error("a live run keeps no history of '{}'; record it (cairn run SCENE -o RUN.h5)", request.name);
  TimeSeries all;
  {
    const std::scoped_lock lock(mutex_);
    all = make_certificate_series(name, [&](std::string_view wanted) {
      std::vector<double> column;
      for (const CertificateField& field : certificate_fields())
        if (field.name == wanted)
          for (const Certificate& c : history_) column.push_back(field.get(c));
      return column;
    });
  }
  return reduce_series(cut_series(std::move(all), request), request.points);
}

Json LiveSource::events() {
  const std::scoped_lock lock(mutex_);
  return to_json(events_->events());
}

Json LiveSource::events_within(double) {
  Json j;
  j["complete"] = true;
  j["events"] = events();
  const std::scoped_lock lock(mutex_);
  j["until"] = moment_->frame.time;
  return j;
}

void LiveSource::command(const Json& message) {
  if (message.contains("ack")) return;
  const LiveCommand command = parse_command(message);
  using Kind = LiveCommand::Kind;
  if (command.kind == Kind::Reset && !settings_.may_reset)
    throw Error("a run that is recorded cannot be reset; use 'cairn view SCENE'");
  if (command.kind == Kind::Drag) {
    const auto body = static_cast<std::size_t>(command.body);
    if (body >= model_.bodies.size()) throw Error("there is no body {}; there are {}", body, model_.bodies.size());
    const FrameBody& b = model_.bodies[body];
    if (b.kind == "fixed" || b.kind == "prescribed") throw Error("'{}' is {}; it cannot be dragged", b.name, b.kind);
  }
  const std::scoped_lock lock(mutex_);
  if (command.kind == Kind::Set) {
    const auto p = std::find_if(parameters_.begin(), parameters_.end(),
                                [&](const LiveParameter& known) { return known.name == command.name; });
    if (p == parameters_.end()) throw Error("there is no parameter '{}'", command.name.substr(0, 80));
    if (!(command.value >= p->min && command.value <= p->max))
      throw Error("{} is {}; must be in [{}, {}]", p->label, command.value, p->min, p->max);
  }
  // A mouse tells its place more often than a step is done.
  if (command.kind == Kind::Drag && !commands_.empty() && commands_.back().kind == Kind::Drag) {
    commands_.back() = command;
  } else {
    if (commands_.size() >= kMostCommands) throw Error("too many commands at once");
    commands_.push_back(command);
  }
  wake_.notify_all();
}

ViewNews LiveSource::news() {
  const std::scoped_lock lock(mutex_);
  return news_;
}

void LiveSource::want_frame() {
  const std::scoped_lock lock(mutex_);
  wanted_ = true;
}

void LiveSource::on_news(std::function<void()> tell) {
  const std::scoped_lock lock(mutex_);
  tell_ = std::move(tell);
}

}  // namespace cairn
