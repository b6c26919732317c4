// SPDX-License-Identifier: Apache-2.0
// The cases of all sections in one list, found by name and run.
#include "book.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"
#include "cases.h"
#include "measure.h"

#include <algorithm>
#include <chrono>

namespace cairn::validation {
namespace {

std::vector<Case> make_cases() {
  std::vector<Case> all;
  for (const auto section :
       {motion_cases, joint_cases, friction_cases, impact_cases, structure_cases, thesis_cases, studer_cases,
        switching_cases, variational_cases, hewlett_cases, scheme_cases, expectation_cases}) {
    for (Case& c : section()) all.push_back(std::move(c));
  }
  return all;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

bool CaseResult::pass() const {
  return !quantities.empty() &&
         std::all_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.pass; });
}

std::span<const Case> cases() {
  static const std::vector<Case> all = make_cases();
  return all;
}

std::vector<const Case*> find_cases(const std::vector<std::string>& names) {
  std::vector<bool> wanted(cases().size(), names.empty());
  std::vector<std::string> known;
  for (const Case& c : cases()) known.push_back(c.name);
  for (const std::string& given : names) {
    const std::string name = upper(given);
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const bool section = name.size() == 1 && known[i].starts_with(name);
      if (known[i] != name && !section) continue;
      wanted[i] = found = true;
    }
    if (!found)
      throw Error("there is no validation case '{}'{}; there are {}", given, did_you_mean(name, known), join(known));
  }
  std::vector<const Case*> chosen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (wanted[i]) chosen.push_back(&cases()[i]);
  }
  return chosen;
}

CaseResult run_case(const Case& c, Effort effort) {
  const auto start = std::chrono::steady_clock::now();
  CaseResult result;
  try {
    result = c.run(effort);
  } catch (const std::exception&
               error) {  // a case that stops is a case that fails, not wrong input of the person who runs it
    result.quantities.push_back(check_holds("runs to its end", false, error.what()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace cairn::validation
