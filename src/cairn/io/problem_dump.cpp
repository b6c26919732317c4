// SPDX-License-Identifier: Apache-2.0
// Steps as problem files: FCLib where it has a place for all laws, else text (which then holds no solution).
#include "cairn/io/problem_dump.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cairn/io/fclib.h"

#include <algorithm>

namespace cairn {
namespace {

const std::vector<std::string> kQuantities{"residual", "iterations", "contacts", "seconds"};

std::string trimmed(std::string text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_space));
  text.erase(std::find_if_not(text.rbegin(), text.rend(), is_space).base(), text.end());
  return text;
}

double value_of(const Certificate& c, const std::string& quantity) {
  if (quantity == "residual") return c.residual;
  if (quantity == "iterations") return c.iterations;
  if (quantity == "contacts") return c.contacts;
  return c.times.solve;
}

ProblemSolution make_solution(const ProblemFile& file, const LocalProblem& local, const MassFactor* mass,
                              const VecX& r) {
  ProblemSolution s{r, local.velocity(r), {}};
  if (mass) s.v = global_velocity(std::get<GlobalProblem>(file.problem), *mass, r);
  return s;
}

}  // namespace

DumpCondition::DumpCondition(const std::string& text, std::string_view owner) {
  if (trimmed(text).empty()) return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t op = part.find_first_of("<>");
    if (op == std::string::npos) {
      throw Error("{}: '{}' is not understood; expected QUANTITY>NUMBER or QUANTITY<NUMBER, several joined by |", owner,
                  trimmed(part));
    }
    Part parsed{trimmed(part.substr(0, op)), part[op] == '>', 0};
    if (std::find(kQuantities.begin(), kQuantities.end(), parsed.quantity) == kQuantities.end()) {
      throw Error("{}: there is no quantity '{}'{}; there are {}", owner, parsed.quantity,
                  did_you_mean(parsed.quantity, kQuantities), join(kQuantities));
    }
    parsed.limit = parse_real(fmt::format("{}: {}", owner, parsed.quantity), trimmed(part.substr(op + 1)));
    parts_.push_back(parsed);
  }
}

bool DumpCondition::holds(const Certificate& certificate) const {
  if (parts_.empty()) return true;
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    const double x = value_of(certificate, part.quantity);
    // What is not a number is above every limit.
    return part.above ? !(x <= part.limit) : x < part.limit;
  });
}

ProblemDump::ProblemDump(std::filesystem::path folder, std::string scene, DumpCondition condition)
    : folder_(std::move(folder)), scene_(std::move(scene)), condition_(std::move(condition)) {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  if (failure) throw Error("{}: cannot be made: {}", folder_.string(), failure.message());
  if (!std::filesystem::is_directory(folder_, failure)) throw Error("{}: is not a folder", folder_.string());
}

void ProblemDump::after_step(const Simulation& simulation) {
  const Certificate& certificate = simulation.certificate();
  if (!condition_.holds(certificate)) return;
  std::optional<StepProblem> step = simulation.last_problem();
  if (!step) return;
  const bool done = certificate.status == StepStatus::Done;
  const std::int64_t number = simulation.state().step + (done ? 0 : 1);

  ProblemFile file;
  file.problem = std::move(step->problem);
  file.kind = find_kind(file);
  file.title = scene_;
  const RunSettings& run = simulation.model().run;
  file.description =
      fmt::format("step {} of {}, t = {:.9g} s, h = {:.9g} s; stepper {}, solver {}: {}, residual {:.3g}", number,
                  scene_, simulation.state().time(), run.step, run.stepper.name, run.solver.name,
                  to_string(certificate.solve_status), certificate.residual);
  const std::string name = fmt::format("{}-s{:06}-nc{}", scene_, number, file.contacts());
  try {
    check_fclib(name, file);
  } catch (const Error&) {
    write_problem(folder_ / (name + ".dat"), file);
    ++written_;
    return;
  }
  const LocalProblem local = file.local();
  std::optional<MassFactor> mass;
  if (file.is_global()) mass.emplace(std::get<GlobalProblem>(file.problem).M);
  const MassFactor* factor = mass ? &*mass : nullptr;
  if (step->start.allFinite()) file.guesses.push_back(make_solution(file, local, factor, step->start));
  if (step->r.allFinite()) file.solution = make_solution(file, local, factor, step->r);
  write_problem(folder_ / (name + ".hdf5"), file);
  ++written_;
}

}  // namespace cairn
