// SPDX-License-Identifier: Apache-2.0
// `cairn solve`: contact problems from files, by any solver, with a residual that is recomputed here.
#include "command.h"

#include "cairn/base/text.h"
#include "cairn/io/fclib.h"
#include "cairn/io/output_file.h"
#include "cairn/io/problem_file.h"
#include "cairn/io/report_json.h"
#include "cairn/solvers/solver.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Of a tolerance that the relative residual meets, how many times the scaled one may be for a file to count as solved,
/// and what it may be at most.
constexpr double fclib_allowance = 100, fclib_most = 1e-6;

struct SolveOptions {
  std::vector<std::string> files, settings;
  std::string solver = "auto", tolerance, max_seconds, start = "zero", kind, solutions;
  int repeat = 1;
  bool json = false, csv = false, history = false;
};

/// A file, read, with what all solvers of it share.
struct Problem {
  std::string name;
  ProblemFile file;
  LocalProblem local;
  std::optional<MassFactor> mass;
};

struct Row {
  std::string file, solver, status, message;
  int contacts = 0, unknowns = 0, iterations = 0;
  std::optional<int> dofs;
  bool converged = false, unsupported = false;
  double residual = 0, residual_relative = 0, seconds = 0;
  std::vector<HistoryPoint> history;
};

double read_positive(std::string_view what, const std::string& text) {
  const double value = read_number(what, text);
  if (!(value > 0)) throw Error("{}: {} is not allowed; must be > 0", what, text);
  return value;
}

/// The solvers asked for, and the parameters each of them gets: those it has.
struct Chosen {
  std::string name;
  ParameterValues parameters;
};

std::vector<Chosen> choose_solvers(const SolveOptions& options) {
  ParameterValues asked;
  if (!options.tolerance.empty()) asked["tolerance"] = fmt::format("{}", read_positive("--tol", options.tolerance));
  if (!options.max_seconds.empty()) {
    asked["max_seconds"] = fmt::format("{}", read_positive("--max-seconds", options.max_seconds));
  }
  std::set<std::string> known{"tolerance", "max_seconds"};
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error("--set: '{}' is not understood; expected KEY=VALUE", setting);
    }
    asked[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  const bool all = options.solver == "all";
  std::vector<Chosen> chosen;
  for (const auto& entry : solvers().entries()) {
    if (!all && entry.name != solvers().find(options.solver).name) continue;
    Chosen c{entry.name, {}};
    for (const ParameterInfo& info : entry.parameters()) {
      known.insert(info.name);
      if (const auto found = asked.find(info.name); found != asked.end()) c.parameters[info.name] = found->second;
    }
    solvers().make(c.name, c.parameters);  // a wrong value is found before any work
    chosen.push_back(std::move(c));
  }
  for (const auto& [name, value] : asked) {
    if (known.contains(name)) continue;
    throw Error("--set: {} has no parameter '{}'{}", all ? "no solver" : "solver '" + options.solver + "'", name,
                did_you_mean(name, {known.begin(), known.end()}));
  }
  return chosen;
}

Problem read(const std::string& name, const SolveOptions& options) {
  Problem p{name, read_problem(name, options.kind), {}, {}};
  try {
    if (p.file.is_global()) {
      const GlobalProblem& global = std::get<GlobalProblem>(p.file.problem);
      p.mass.emplace(global.M);
      p.local = to_local(global, *p.mass);
    } else {
      p.local = std::get<LocalProblem>(p.file.problem);
    }
    check_problem(p.local, "local form");
  } catch (const Error& error) {
    throw Error("{}: {}", name, error.what());
  }
  return p;
}

/// DIR/NAME.hdf5, and with several solvers DIR/NAME-SOLVER.hdf5.
fs::path solution_path(const SolveOptions& options, const std::string& name, const std::string& solver) {
  fs::path stem = fs::path(name).filename();
  while (stem.extension() == ".dat" || stem.extension() == ".txt" || stem.extension() == ".hdf5" ||
         stem.extension() == ".h5") {
    stem = stem.stem();
  }
  return fs::path(options.solutions) / (stem.string() + (options.solver == "all" ? "-" + solver : "") + ".hdf5");
}

/// Folder, names and formats of the solutions, before any work.
void check_solutions(const SolveOptions& options, const std::vector<Problem>& problems,
                     const std::vector<Chosen>& chosen) {
  if (options.solutions.empty()) return;
  for (const Problem& p : problems) check_fclib(p.name, p.file);
  std::error_code failure;
  fs::create_directories(options.solutions, failure);
  if (failure) throw Error("{}: cannot be made: {}", options.solutions, failure.message());
  std::set<fs::path> paths;
  for (const Problem& p : problems)
    for (const Chosen& c : chosen) {
      const fs::path path = solution_path(options, p.name, c.name);
      check_can_write(path);
      if (fs::equivalent(path, p.name, failure)) throw Error("{}: is the problem itself", path.string());
      if (!paths.insert(path).second) throw Error("{}: two problems would be written to this file", path.string());
    }
}

Row solve_one(const SolveOptions& options, const Problem& p, const Chosen& chosen, VecX& best) {
  Row row;
  row.file = p.name;
  row.solver = chosen.name;
  row.contacts = p.file.contacts();
  row.unknowns = p.file.unknowns();
  row.dofs = p.file.dofs;
  // Among all solvers some do not know the laws of a problem; one asked for by name says which do.
  if (options.solver == "all") {
    const auto solver = solvers().make(chosen.name, chosen.parameters);
    if (const ConstraintLaw* law = find_unsupported(*solver, p.local.law)) {
      best = VecX::Zero(row.unknowns);
      row.unsupported = true;
      row.status = to_string(SolveStatus::Unsupported);
      row.message = fmt::format("does not know the law {}", law_name(law->kind));
      row.residual = compute_residual(p.local, best).scaled;
      row.residual_relative = compute_residual(p.local, best).relative;
      return row;
    }
  }
  const bool guessed = options.start == "guess" && !p.file.guesses.empty();
  SolveReport report;
  double tolerance = 0;
  for (int run = 0; run < options.repeat; ++run) {
    const auto solver = solvers().make(chosen.name, chosen.parameters);
    tolerance = solver->limits().tolerance;
    row.history.clear();
    if (options.history) solver->set_history(&row.history);
    VecX r = guessed ? p.file.guesses[0].r : VecX::Zero(row.unknowns);
    report = p.file.is_global() ? solver->solve(std::get<GlobalProblem>(p.file.problem), r)
                                : solver->solve(std::get<LocalProblem>(p.file.problem), r);
    row.seconds = run == 0 ? report.seconds : std::min(row.seconds, report.seconds);
    best = r;
  }
  const Residual residual = compute_residual(p.local, best);
  row.residual = residual.scaled;
  row.residual_relative = residual.relative;
  row.iterations = report.iterations;
  row.status = to_string(report.status);
  row.message = report.message;
  // The forms of a problem differ by rounding, and so do residuals near the tolerance.
  row.converged = report.status == SolveStatus::Converged && row.residual <= 1.01 * tolerance + 1e-15;
  const auto say = [&](const std::string& text) { row.message += (row.message.empty() ? "" : "; ") + text; };
  // FCLib's own measure: files whose last digits no method finds count as solved by it, if the scaled one is near too.
  const bool ended = report.status == SolveStatus::IterationLimit || report.status == SolveStatus::TimeLimit ||
                     report.status == SolveStatus::Stalled;
  if (ended && row.residual_relative <= tolerance &&
      row.residual <= std::min(fclib_allowance * tolerance, fclib_most)) {
    row.converged = true;
    say(fmt::format("by FCLib's measure: relative {:.3g} meets {:g}, scaled {:.3g} is within {:g} times it ({})",
                    row.residual_relative, tolerance, row.residual, fclib_allowance, row.status));
    row.status = to_string(SolveStatus::Converged);
  }
  if (report.status == SolveStatus::Converged && !row.converged) {
    say(fmt::format("the recomputed residual {:.3g} is above the tolerance {:g}", row.residual, tolerance));
  }
  if (options.start == "guess" && !guessed) say("no guess in the file: started from zero");
  return row;
}

void write_solution(const SolveOptions& options, const Problem& p, const std::string& solver, const Row& row,
                    const VecX& r) {
  ProblemFile out = p.file;
  out.solution = ProblemSolution{r, p.local.velocity(r), {}};
  if (p.mass) out.solution->v = global_velocity(std::get<GlobalProblem>(out.problem), *p.mass, r);
  if (!out.math_info.empty()) out.math_info += "\n";
  out.math_info +=
      fmt::format("solution by Cairn, solver {}: {}, scaled residual {:.3g}", solver, row.status, row.residual);
  write_problem(solution_path(options, p.name, solver), out);
}

Json to_json(const Row& row, bool history) {
  Json j;
  j["file"] = row.file;
  j["solver"] = row.solver;
  j["contacts"] = row.contacts;
  j["dofs"] = row.dofs ? Json(*row.dofs) : Json();
  j["unknowns"] = row.unknowns;
  j["converged"] = row.converged;
  j["status"] = row.status;
  j["residual"] = row.residual;
  j["residual_relative"] = row.residual_relative;
  j["iterations"] = row.iterations;
  j["seconds"] = row.seconds;
  j["message"] = row.message;
  if (!history) return j;
  j["history"] = Json::array();
  for (const HistoryPoint& point : row.history) {
    j["history"].push_back({{"iteration", point.iteration}, {"seconds", point.seconds}, {"residual", point.residual}});
  }
  return j;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

void print_csv_row(const Row& row) {
  print(fmt::format("{},{},{},{},{},{},{},{:.17g},{:.17g},{},{:.9g},{}\n", quoted(row.file), row.solver, row.contacts,
                    row.dofs ? fmt::format("{}", *row.dofs) : "", row.unknowns, row.converged ? "true" : "false",
                    row.status, row.residual, row.residual_relative, row.iterations, row.seconds, quoted(row.message)));
}

void print_table_row(const Row& row, std::size_t width, std::size_t solver_width) {
  print(fmt::format("{:<{}}  {:<{}}  {:>8}  {:>8}  {:<15}  {:>8.2e}  {:>8.2e}  {:>10}  {:>9.3g}  {}\n", row.file, width,
                    row.solver, solver_width, row.contacts, row.unknowns, row.status, row.residual,
                    row.residual_relative, row.iterations, row.seconds, row.message));
}

void solve(const SolveOptions& options) {
  if (options.repeat < 1) throw Error("--repeat: {} is not allowed; must be >= 1", options.repeat);
  if (options.json && options.csv) throw Error("--json and --csv exclude each other");
  const std::vector<Chosen> chosen = choose_solvers(options);
  std::vector<Problem> problems;
  for (const std::string& name : options.files) problems.push_back(read(name, options));
  check_solutions(options, problems, chosen);

  std::size_t width = 4, solver_width = 6;
  for (const Problem& p : problems) width = std::max(width, p.name.size());
  for (const Chosen& c : chosen) solver_width = std::max(solver_width, c.name.size());
  if (options.csv) {
    print(
        "file,solver,contacts,dofs,unknowns,converged,status,residual,residual_relative,iterations,seconds,message\n");
  } else if (!options.json) {
    print(fmt::format("{:<{}}  {:<{}}  {:>8}  {:>8}  {:<15}  {:>8}  {:>8}  {:>10}  {:>9}  {}\n", "file", width,
                      "solver", solver_width, "contacts", "unknowns", "status", "residual", "relative", "iterations",
                      "seconds", "message"));
  }
  Json document = Json::array();
  int count = 0, converged = 0, unsupported = 0;
  double seconds = 0;
  for (const Problem& p : problems)
    for (const Chosen& c : chosen) {
      VecX r;
      Row row;
      try {
        row = solve_one(options, p, c, r);
      } catch (const Error& error) {
        throw Error("{}: {}", p.name, error.what());
      }
      if (!options.solutions.empty() && !row.unsupported) write_solution(options, p, c.name, row, r);
      ++count;
      converged += row.converged;
      unsupported += row.unsupported;
      seconds += row.seconds;
      if (options.json) {
        document.push_back(to_json(row, options.history));
      } else if (options.csv) {
        print_csv_row(row);
      } else {
        print_table_row(row, width, solver_width);
      }
    }
  if (options.json) {
    print(to_text(document));
  } else if (!options.csv && count > 1) {
    print(fmt::format("{} of {} converged{}, {:.3g} s\n", converged, count,
                      unsupported > 0 ? fmt::format(", {} not supported", unsupported) : "", seconds));
  }
  // Solvers that do not know the laws of a problem do not count.
  if (converged + (options.solver == "all" ? unsupported : 0) != count) fall_short();
}

}  // namespace

void add_solve_command(CommandLine& line) {
  Command command = line.add("solve", "Solve contact problems from files with any solver");
  const auto options = std::make_shared<SolveOptions>();
  SolveOptions& o = *options;
  command.option("PROBLEM", &o.files, "problem files: FCLib (.hdf5) or Siconos text (.dat)", {.required = true});
  command.option("--solver", &o.solver, "one of 'cairn list solvers', or all", {.show_default = true});
  command.option("--tol", &o.tolerance, "scaled residual at which a problem counts as solved");
  command.option("--max-seconds", &o.max_seconds, "time limit of each solve [s]");
  command.option("--set", &o.settings, "a parameter of the solver: KEY=VALUE; may be repeated", {.repeated = true});
  command.option("--start", &o.start, "start from the first guess in the file, or from zero",
                 {.show_default = true, .choices = {"guess", "zero"}});
  command.option("--kind", &o.kind, "what a text file holds: " + join(problem_kinds()));
  command.option("--repeat", &o.repeat, "solve this often; the seconds are those of the fastest",
                 {.show_default = true});
  command.option("--write-solution", &o.solutions, "write problem and solution (r, u, v) as FCLib into this folder");
  command.flag("--json", o.json, "print one JSON document");
  command.flag("--csv", o.csv, "print comma-separated values");
  command.flag("--history", o.history, "with --json: the residual of each iteration, as the solver saw it");
  command.footer(
      "\nExamples:\n  cairn solve problem.hdf5\n  cairn solve problems/*.dat --solver all --tol 1e-6 --max-seconds 10 "
      "--csv\n"
      "  cairn solve step.hdf5 --start guess --write-solution solved");
  command.action([options] { solve(*options); });
}

}  // namespace cairn
