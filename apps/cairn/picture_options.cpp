// SPDX-License-Identifier: Apache-2.0
// Words into a camera, a number of pixels, layers and colours.
#include "picture_options.h"

#include "command.h"

#include "cairn/base/error.h"
#include "cairn/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <thread>
#include <vector>

namespace cairn {
namespace {

/// Standard directions of sight, for z up.
struct NamedView {
  std::string_view name;
  double x, y, z;
};
constexpr std::array<NamedView, 7> kViews{{{"front", 0, 1, 0},
                                           {"back", 0, -1, 0},
                                           {"left", 1, 0, 0},
                                           {"right", -1, 0, 0},
                                           {"top", 0, 0, -1},
                                           {"bottom", 0, 0, 1},
                                           {"corner", -0.55, 1, -0.42}}};

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.emplace_back(item.name);
  return names;
}

/// The numbers between the separators.
std::vector<double> read_numbers(std::string_view what, const std::string& text, char separator) {
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) numbers.push_back(read_number(what, word));
  return numbers;
}

Vec3 read_view(const std::string& text) {
  for (const NamedView& view : kViews)
    if (view.name == text) return Vec3(view.x, view.y, view.z).normalized();
  const bool word = !text.empty() && text.find(',') == std::string::npos;
  if (word)
    throw Error("--view: there is no view '{}'{}; expected X,Y,Z or one of {}", text,
                did_you_mean(text, names_of(kViews)), join(names_of(kViews)));
  const std::vector<double> x = read_numbers("--view", text, ',');
  if (x.size() != 3) throw Error("--view: '{}' is not a direction; expected X,Y,Z", text);
  const Vec3 direction(x[0], x[1], x[2]);
  if (!(direction.norm() > 0)) throw Error("--view: '{}' has no length; expected a direction", text);
  return direction.normalized();
}

PictureLayers read_layers(const std::vector<std::string>& words) {
  PictureLayers layers;
  layers.forces = false;
  for (const std::string& word : words) {
    if (word == "none") continue;
    const auto found = std::find_if(picture_layers().begin(), picture_layers().end(),
                                    [&](const PictureLayerInfo& info) { return info.name == word; });
    if (found == picture_layers().end())
      throw Error("--layers: there is no layer '{}'{}; there are {}, and none", word,
                  did_you_mean(word, names_of(picture_layers())), join(names_of(picture_layers())));
    layers.*(found->shown) = true;
  }
  return layers;
}

}  // namespace

void PictureOptions::add_to(Command& command) {
  command.option("--view", &view,
                 "of pictures: the direction of sight X,Y,Z (--view=0,1,0 looks along y) or " + join(names_of(kViews)));
  command.option("--look-at", &look_at, "of pictures: the point X,Y,Z or the body in the middle");
  command.option("--distance", &distance, "of pictures: of the camera from there [m]; default: all that moves is seen");
  command.option("--fit", &fit, "of pictures: the bodies to be shown, by name, with commas", {.commas = true});
  command.option("--hide", &hide, "of pictures: bodies that are not drawn, by name, with commas", {.commas = true});
  command.option("--follow", &follow, "of pictures: the body the camera moves with");
  command.flag("--orthographic", orthographic, "of pictures: parallel projection");
  command.option("--size", &size, "of pictures: WIDTHxHEIGHT in pixels (1280x800)");
  command.option("--layers", &layers,
                 "of pictures: what is drawn over the bodies, with commas: " + join(names_of(picture_layers())) +
                     ", or none (forces)",
                 {.commas = true});
  command.option("--color,--colour", &colour, "of pictures: bodies by " + join(names_of(body_colourings())));
  command.flag("--no-forces", no_forces, "of pictures: without arrows for contact forces");
  command.flag("--no-legend", no_legend, "of pictures: without the panel that says what colours mean");
  command.flag("--no-caption", no_caption, "of pictures: without title and time");
}

bool PictureOptions::given() const {
  return !view.empty() || !size.empty() || !look_at.empty() || !distance.empty() || !follow.empty() || !fit.empty() ||
         !hide.empty() || !layers.empty() || !colour.empty() || no_forces || orthographic || no_legend || no_caption;
}

PictureSettings PictureOptions::settings() const {
  PictureSettings settings;
  if (!layers.empty()) settings.layers = read_layers(layers);
  if (no_forces) settings.layers.forces = false;
  if (!view.empty()) settings.direction = read_view(view);
  if (!colour.empty()) {
    const auto found = std::find_if(body_colourings().begin(), body_colourings().end(),
                                    [&](const BodyColouringInfo& info) { return info.name == colour; });
    if (found == body_colourings().end())
      throw Error("--color: bodies cannot be coloured by '{}'{}; expected {}", colour,
                  did_you_mean(colour, names_of(body_colourings())), join(names_of(body_colourings())));
    settings.colouring = found->colouring;
  }
  if (!size.empty()) {
    const std::vector<double> x = read_numbers("--size", size, 'x');
    if (x.size() != 2 || std::floor(x[0]) != x[0] || std::floor(x[1]) != x[1] || std::min(x[0], x[1]) < 16 ||
        std::max(x[0], x[1]) > 8192)
      throw Error("--size: '{}' is not a size; expected WIDTHxHEIGHT with 16 to 8192 pixels each", size);
    settings.width = static_cast<int>(x[0]);
    settings.height = static_cast<int>(x[1]);
  }
  if (!look_at.empty()) {
    // Three numbers are a point; everything else is the name of a body.
    std::vector<double> x;
    try {
      x = read_numbers("--look-at", look_at, ',');
    } catch (const Error&) {
      x.clear();
    }
    if (x.size() == 3) {
      settings.look_at = Vec3(x[0], x[1], x[2]);
    } else {
      settings.look_at_body = look_at;
    }
  }
  if (!distance.empty()) {
    settings.distance = read_number("--distance", distance);
    if (!(*settings.distance > 0)) throw Error("--distance: {} is not allowed; must be > 0", distance);
  }
  settings.fit = fit;
  settings.hide = hide;
  settings.follow = follow;
  settings.orthographic = orthographic;
  settings.legend = !no_legend;
  settings.caption = !no_caption;
  settings.threads.count = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
  return settings;
}

}  // namespace cairn
