// SPDX-License-Identifier: Apache-2.0
// Words into a direction of sight and a number of pixels.
#include "picture_options.h"

#include "command.h"

#include "cairn/base/error.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace cairn {

void PictureOptions::add_to(CLI::App& command) {
  command.add_option("--view", view,
                     "of pictures: the direction of sight X,Y,Z; --view=0,1,0 looks along y, --view=0,0,-1 from above");
  command.add_option("--size", size, "of pictures: WIDTHxHEIGHT in pixels (1280x800)");
  command.add_flag("--no-forces", no_forces, "of pictures: without arrows for contact forces");
}

namespace {

/// The numbers between the separators.
std::vector<double> read_numbers(std::string_view what, const std::string& text, char separator) {
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) numbers.push_back(read_number(what, word));
  return numbers;
}

}  // namespace

PictureSettings PictureOptions::settings() const {
  PictureSettings settings;
  settings.forces = !no_forces;
  if (!view.empty()) {
    const std::vector<double> x = read_numbers("--view", view, ',');
    if (x.size() != 3) throw Error("--view: '{}' is not a direction; expected X,Y,Z", view);
    settings.direction = {x[0], x[1], x[2]};
    if (!(settings.direction.norm() > 0)) throw Error("--view: '{}' has no length; expected a direction", view);
    settings.direction.normalize();
  }
  if (!size.empty()) {
    const std::vector<double> x = read_numbers("--size", size, 'x');
    if (x.size() != 2 || std::floor(x[0]) != x[0] || std::floor(x[1]) != x[1] || std::min(x[0], x[1]) < 16 ||
        std::max(x[0], x[1]) > 8192)
      throw Error("--size: '{}' is not a size; expected WIDTHxHEIGHT with 16 to 8192 pixels each", size);
    settings.width = static_cast<int>(x[0]);
    settings.height = static_cast<int>(x[1]);
  }
  return settings;
}

}  // namespace cairn
