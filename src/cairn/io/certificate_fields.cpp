// SPDX-License-Identifier: Apache-2.0
// The table of certificate fields; a field is reached through its chain of members.
#include "cairn/io/certificate_fields.h"

#include <array>
#include <limits>
#include <type_traits>

namespace cairn {
namespace {

template <auto... Members>
constexpr CertificateField field(std::string_view name, std::string_view unit, std::string_view help) {
  using Value = std::remove_cvref_t<decltype((std::declval<Certificate&>().*....*Members))>;
  return {name,
          unit,
          help,
          !std::is_same_v<Value, double>,
          std::numeric_limits<std::int32_t>::max(),
          [](const Certificate& c) { return static_cast<double>((c.*....*Members)); },
          [](Certificate& c, double x) { (c.*....*Members) = static_cast<Value>(x); }};
}

/// An enumeration, stored as its number; to_string() knows the words.
template <auto Member>
constexpr CertificateField status_field(std::string_view name, std::string_view help) {
  CertificateField made = field<Member>(name, "", help);
  made.largest = 255;
  return made;
}

using C = Certificate;

}  // namespace

std::span<const CertificateField> certificate_fields() {
  static constexpr std::array fields{
      field<&C::time>("time", "s", "at the end of the step"),
      status_field<&C::status>("status", "how the step ended"),
      status_field<&C::solve_status>("solve_status", "how the solve ended"),
      field<&C::residual>("residual", "", "natural map of the exact laws, scaled"),
      field<&C::residual_relative>("residual_relative", "", "natural map in Siconos' normalisation"),
      field<&C::cone>("cone", "", "cone violation over the largest impulse"),
      field<&C::penetration>("penetration", "m", "deepest overlap"),
      field<&C::compression>("compression", "m", "deepest overlap of contacts that yield"),
      field<&C::joint_drift>("joint_drift", "m", "largest error of a joint's points"),
      field<&C::joint_tilt>("joint_tilt", "rad", "largest error of a joint's directions"),
      field<&C::parts>("parts", "", "into which the step was divided for fast bodies"),
      field<&C::reduction>("reduction", "m", "lever arm lost by leaving out contact points"),
      field<&C::energy, &Energy::kinetic>("energy_kinetic", "J", "at the end of the step"),
      field<&C::energy, &Energy::gravity>("energy_gravity", "J", "potential in the gravity field"),
      field<&C::energy, &Energy::elastic>("energy_elastic", "J", "stored by deformation and springs"),
      field<&C::work, &Work::contact>("work_contact", "J", "of normal impulses, during the step"),
      field<&C::work, &Work::friction>("work_friction", "J", "of tangential impulses"),
      field<&C::work, &Work::joints>("work_joints", "J", "of joint impulses"),
      field<&C::work, &Work::damping>("work_damping", "J", "of damping"),
      field<&C::work, &Work::loads>("work_loads", "J", "of given forces and dampers of springs"),
      field<&C::work, &Work::drive>("work_drive", "J", "of bodies with prescribed motion"),
      field<&C::numerical>("numerical", "J", "change of energy minus all work"),
      field<&C::energy_gain>("energy_gain", "J", "gained without a cause since the start of the run"),
      field<&C::warnings>("warnings", "", "1: energy gained without a cause; 2: a joint came apart; 3: both"),
      field<&C::contacts>("contacts", "", "contact points in the problem"),
      field<&C::iterations>("iterations", "", "of the solver"),
      field<&C::times, &StepTimes::detection>("seconds_detection", "s", "wall clock: collision detection"),
      field<&C::times, &StepTimes::assembly>("seconds_assembly", "s", "wall clock: forming the problem"),
      field<&C::times, &StepTimes::solve>("seconds_solve", "s", "wall clock: the solver"),
      field<&C::times, &StepTimes::total>("seconds_total", "s", "wall clock: the whole step"),
  };
  return fields;
}

}  // namespace cairn
