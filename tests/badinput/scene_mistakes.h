// SPDX-License-Identifier: Apache-2.0
// Wrong scenes with the place and the words of the complaint: how they are written, and those about joints and laws on
// their coordinates.
#pragma once
#include <string>
#include <vector>

namespace cairn {

/// A wrong text with the mark » in front of the place to be reported (the mark itself is not part of the text).
struct Mistake {
  std::string text;
  std::string phrase;  ///< part of the message
};

inline const std::string kMark = "»";

/// Two bodies to speak of: line 2 of the text.
inline std::string scene(const std::string& sections) {
  return "cairn: 1\nbodies: [{name: ball, shape: {sphere: {radius: 1}}}, {name: ground, fixed: true}]\n" + sections +
         "\n";
}
/// One body described by this table: line 2 of the text.
inline std::string body(const std::string& keys) { return "cairn: 1\nbodies: [" + keys + "]\n"; }
/// One rigid ball with these further keys.
inline std::string ball(const std::string& keys) { return body("{shape: {sphere: {radius: 1}}, " + keys + "}"); }
/// One joint of the ball with the world, of this type and with these further keys.
inline std::string joint(const std::string& type_and_keys) {
  return scene("joints: [{type: " + type_and_keys + ", between: [ball, world]}]");
}
/// A hinge, a rail, a knot (without coordinates) and a wire (a length), and after them this law: line 4 of the text.
inline std::string law(const std::string& table) {
  return scene(
      "joints: [{type: revolute, name: hinge, between: [ball, world], position: [0, 0, 0]}, {type: prismatic, name: "
      "rail, "
      "between: [ball, world], position: [0, 0, 0]}, {type: ball, name: knot, between: [ball, world], position: [0, 0, "
      "0]}, {type: distance, name: wire, between: [ball, world], position: [0, 0, 0], second_position: [0, 0, 3]},\n "
      " " +
      table + "]");
}

inline const std::vector<Mistake> kJoints{
    {joint("»hinge, position: [0, 0, 0]"), "type is 'hinge'; expected one of ball, revolute"},
    {joint("»revolut, position: [0, 0, 0]"), "did you mean 'revolute'"},
    {joint("revolute, position: [0, 0, ».nan]"), "formula \".nan\""},
    {joint("revolute, position: »[0, 0]"), "position has 2 entries; expected a list of three numbers"},
    {joint("revolute, position: [0, 0, 0], axis: »[0, 0, 0]"), "length 0; expected a unit vector"},
    {joint("revolute, position: [0, 0, 0], axis: »[0, 1, 1]"), "length 1.41421; expected a unit vector"},
    {joint("revolute, position: [0, 0, 0], axis: [0, »0/0, 1]"), "expected a finite number"},
    {joint("revolute, position: [0, 0, 0], »pitch: 1"), "unknown key 'pitch' of a revolute joint"},
    {joint("ball, position: [0, 0, 0], »axis: [0, 0, 1]"), "unknown key 'axis' of a ball joint"},
    {joint("revolute, position: [0, 0, 0], »length: 1"), "unknown key 'length' of a revolute joint"},
    {joint("revolute, position: [0, 0, 0], »angle: 1"), "unknown key 'angle' of a revolute joint"},
    {scene("joints: [»{type: universal, position: [0, 0, 0], between: [ball, world]}]"),
     "'second_axis' is missing; a universal joint needs it"},
    {joint("universal, position: [0, 0, 0], axis: [0, 0, 1], second_axis: »[0, 0, 1]"),
     "second_axis is 0 degrees from axis; must be 90, the arms of a universal joint are perpendicular"},
    {joint("universal, position: [0, 0, 0], axis: [0, 0, 1], second_axis: »[0, 0.6, 0.8]"),
     "second_axis is 36.87 degrees from axis; must be 90"},
    {scene("joints: [»{type: screw, position: [0, 0, 0], between: [ball, world]}]"), "'pitch' is missing"},
    {joint("screw, position: [0, 0, 0], pitch: »0"), "pitch is 0 m; must be finite and not 0"},
    {joint("screw, position: [0, 0, 0], pitch: ».inf"), "expected"},
    {scene("joints: [»{type: distance, position: [0, 0, 0], between: [ball, world]}]"), "'second_position' is missing"},
    {scene("joints: [{type: distance, position: [0, 0, 0], second_position: [0, 0, 0], between: »[ball, world]}]"),
     "length is 0 m; must be > 0 (position and second_position are its two ends)"},
    {joint("distance, position: [0, 0, 0], second_position: [0, 0, 1], length: »-1"),
     "length is -1; expected a number > 0"},
    {joint("distance, position: [0, 0, 0], second_position: [0, 0, 1], sense: »string"),
     "sense is 'string'; expected one of rod, rope, strut, measure"},
    {joint("distance, position: [0, 0, 0], second_position: [0, 0, 1], sense: rope, restitution: »2"),
     "restitution is 2; expected a number in [0, 1]"},
    {joint("distance, position: [0, 0, 0], second_position: [0, 0, 1], sense: rope, stiffness: »10"),
     "stiffness of a rope, strut or measure; only a rod can yield"},
    {joint("weld, position: [0, 0, 0], damping: »10"), "damping is 10 without stiffness; must be given with it"},
    {joint("weld, position: [0, 0, 0], stiffness: »0"), "stiffness is 0; expected a number > 0"},
    {joint("weld, position: [0, 0, 0], stiffness: 1, damping: »-1"), "damping is -1; expected a number >= 0"},
    {joint("weld, position: [0, 0, 0], break_force: »0"), "break_force is 0; expected a number > 0"},
    {joint("weld, position: [0, 0, 0], break_torque: »-2"), "break_torque is -2; expected a number > 0"},
    {joint("weld, position: [0, 0, 0], collide: »maybe"), "collide is 'maybe'; expected true or false"},
};

inline const std::vector<Mistake> kLaws{
    {law("{type: motor, joint: »hing, speed: 1}"), "there is no joint 'hing' (did you mean 'hinge'?)"},
    {scene("joints: [{type: motor, joint: »late, speed: 1},\n  {type: revolute, name: late, between: [ball, world], "
           "position: [0, 0, 0]}]"),
     "there is no joint 'late'"},
    {law("{type: motor, joint: »knot, speed: 1}"), "joint 'knot' is a ball joint, which has no coordinates"},
    {law("{type: motor, joint: hinge, coordinate: »slide, speed: 1}"),
     "coordinate 'slide' is none of joint 'hinge'; a revolute joint has angle"},
    {law("{type: motor, joint: hinge, coordinate: »[angle], speed: 1}"), "coordinate is a list; expected a name"},
    {law("»{type: motor, speed: 1}"), "'joint' is missing; a motor needs it"},
    {law("»{type: servo, joint: hinge}"), "'target' is missing; a servo needs it"},
    {law("»{type: joint_friction, joint: hinge}"), "'force' is missing; friction in a joint needs it"},
    {law("»{type: joint_force, joint: hinge}"), "'force' is missing; a joint force needs it"},
    {law("»{type: prestressed_spring, joint: hinge}"), "'preload' is missing; a pre-stressed spring needs it"},
    {law("{type: prestressed_spring, joint: hinge, preload: »0}"), "preload is 0; expected a number > 0"},
    {law("»{type: joint_spring, joint: hinge}"), "a joint spring without stiffness and damping"},
    {law("{type: joint_spring, joint: hinge, stiffness: »-1}"), "stiffness is -1; expected a number >= 0"},
    {law("{type: one_way_clutch, joint: hinge, free: »up}"), "free is 'up'"},
    {law("{type: servo, joint: hinge, target: {table: [»[0, 1, 2]]}}"), "two numbers [t, x]"},
    {law("»{type: limit, joint: hinge}"), "a limit without lower and upper; expected at least one of them"},
    {law("»{type: gear, joints: [hinge, rail]}"), "'ratio' is missing; a gear needs it"},
    {law("»{type: coupling, joints: [hinge, rail]}"), "'factors' is missing; a coupling needs it"},
    {law("{type: motor, joint: »[hinge], speed: 1}"), "joint is a list; expected a name"},
    {law("{type: motor, joint: hinge, speed: »\"sin(u)\"}"), "unknown name 'u'"},
    {law("{type: motor, joint: hinge, speed: »1/t}"), "speed is inf at t = 0; expected a finite number"},
    {law("{type: motor, joint: hinge, speed: »sqrt(-1 - t)}"), "at t = 0; expected a finite number"},
    {law("{type: motor, joint: hinge, speed: »[1]}"), "speed is a list; expected a number or a formula in t"},
    {law("{type: motor, joint: hinge, speed: 1, force: »-1}"), "force is -1; expected a number >= 0"},
    {law("{type: motor, joint: hinge, speed: 1, »torque: 1}"), "unknown key 'torque' of a motor"},
    {law("{type: motor, joint: hinge, »target: 1}"), "unknown key 'target' of a motor"},
    {law("{type: servo, joint: hinge, »speed: 1}"), "unknown key 'speed' of a servo"},
    {law("{type: servo, joint: hinge, target: 1, force: »0/0}"), "expected a finite number"},
    {law("{type: limit, joint: hinge, lower: »1, upper: -1}"), "lower is 1 and upper -1; must be lower < upper"},
    {law("{type: limit, joint: hinge, lower: »1, upper: 1}"), "lower is 1 and upper 1; must be lower < upper"},
    {law("{type: limit, joint: hinge, lower: ».nan}"), "expected"},
    {law("{type: limit, joint: hinge, upper: 1, restitution: »1.5}"),
     "restitution is 1.5; expected a number in [0, 1]"},
    {law("{type: joint_friction, joint: hinge, force: »-0.1}"), "force is -0.1; must be >= 0"},
    {law("{type: joint_friction, joint: hinge, force: 1, stribeck_speed: »0}"), "stribeck_speed is 0; expected"},
    {law("{type: gear, joints: »[hinge], ratio: 2}"), "joints has 1 entry; expected a list of 2 joints"},
    {law("{type: gear, joints: »hinge, ratio: 2}"), "joints is 'hinge'; expected a list"},
    {law("{type: gear, joints: [hinge, »axle], ratio: 2}"), "there is no joint 'axle'"},
    {law("{type: gear, joints: »[hinge, rail], ratio: 2}"),
     "coordinate 'angle' is none of joint 'rail'; a prismatic joint has slide"},
    {law("{type: gear, joints: »[hinge, hinge], ratio: 2}"), "joints names 'hinge' twice with the same coordinate"},
    {law("{type: gear, joints: »[hinge, knot], ratio: 2}"), "a ball joint, which has no coordinates"},
    {law("{type: rack_and_pinion, joints: »[hinge, rail], radius: 1}"), "coordinate 'slide' is none of joint 'hinge'"},
    {law("{type: rack_and_pinion, joints: [rail, hinge], radius: »0}"), "radius is 0; must not be 0"},
    {law("{type: belt, joints: [rail, hinge], radius: 1, second_radius: »0}"),
     "second_radius is 0; expected a number > 0"},
    {law("{type: belt, joints: »[rail, hinge], radius: 1, second_radius: 2}"),
     "coordinate 'angle' is none of joint 'rail'"},
    {law("{type: pulley, joints: »[wire, rail]}"), "coordinate 'length' is none of joint 'rail'"},
    {law("{type: pulley, joints: [wire, rail], ratio: »-1}"), "ratio is -1; expected a number > 0"},
    {law("{type: coupling, joints: »[hinge], factors: [1]}"), "joints has 1 entry; expected a list of 2 to 3 joints"},
    {law("{type: coupling, joints: »[hinge, rail, wire, knot], factors: [1, 1, 1, 1]}"), "joints has 4 entries"},
    {law("{type: coupling, joints: [hinge, rail], factors: »[1]}"),
     "factors has 1 entries; must be one for each of 2 joints"},
    {law("{type: coupling, joints: [hinge, rail], factors: »[1, 2, 3]}"), "factors has 3 entries"},
    {law("{type: coupling, joints: [hinge, rail], factors: »[]}"), "factors is empty"},
    {law("{type: coupling, joints: [hinge, rail], factors: »[1, 0]}"), "factors: one is 0; must not be 0"},
    {law("{type: coupling, joints: [hinge, rail], factors: [1, ».nan]}"), "expected"},
    {law("{type: coupling, joints: [hinge, rail], factors: [1, 2], coordinates: »[angle]}"),
     "coordinates has 1 entries"},
    {law("{type: coupling, joints: [hinge, rail], factors: [1, 2], coordinates: »[angle, angle]}"),
     "coordinate 'angle' is none of joint 'rail'"},
};

}  // namespace cairn
