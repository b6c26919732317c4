// SPDX-License-Identifier: Apache-2.0
// The contacts of a step, whatever its scheme: found at one configuration, chosen, given rows, kept and told.
//
//   detect()    contact points at q (detection.h)
//   choose()    those that take part, with U_begin = H u_B, U_free = H u_free and the friction of the speed they have
//   shift       what a law asks of U besides is the scheme's affair: Constraint::shift, zero here
//   keep()      impulses for the next step;   results()  stick or slip from r and mu
// A contact takes part when its gap is at most the slack, when cohesion or adhesion holds it, or when the rules let
// open contacts in. One with restitution waits until it is closed, so that its bounce is not lost, unless it carried an
// impulse in the last step: then it rests.
#pragma once
#include "cairn/assembly/detection.h"
#include "cairn/assembly/law_mode.h"
#include "cairn/assembly/step_report.h"
#include "cairn/constraints/warm_start.h"

#include <limits>

namespace cairn {

/// Gaps of resting contacts below this fraction of the bodies' size are rounding and solver noise.
constexpr double resting_noise = 5e-10;

/// Which contacts take part though they are open: none, those in reach without restitution, or all in reach.
enum class OpenContacts { None, Inelastic, All };

struct ContactRules {
  OpenContacts open = OpenContacts::Inelastic;
  bool hold_closed = false;  ///< with None: contacts that carried an impulse stay until they pull, whatever their gap
  double gap_tolerance = 0;  ///< with None: gaps up to this fraction of the size are closed
  double slack = 0;          ///< [m]
  double reach = std::numeric_limits<double>::infinity();  ///< contacts with larger gaps take no part [m]
  int contact_points = 0;                                  ///< at most so many per face of a pair; 0: all
  bool single_point = false;  ///< one contact per pair of faces, at the middle of its points; none at edges and corners
};

/// Where rows of contacts are taken, and what they start from.
struct ContactPlace {
  const System& system;
  const VecX &q, &u_begin;
  const FreeMotion& free;  ///< its u_free
  double h;
  const WarmStart& warm;
  Threads threads;
};

/// The contact of a detected point: bodies, points, frame, law and gap. False where neither body can move.
bool make_contact(const System& system, const Detection& found, const VecX& q, std::size_t point, Constraint& contact);
/// The identity of a contact's law.
LawId contact_id(const ContactPoint& point);
/// Stick or slip of a contact with the impulse r in its frame, held by `holding` [N s] besides, in a step h.
ContactState contact_state(const Constraint& contact, const Vec3& r, double holding, double h);

class ContactStage {
 public:
  /// Contact points at q of surfaces that move with u for h, and those nearer than `reach` [m] besides. Returns the
  /// lever arm that is lost by leaving out points [m].
  double detect(const ContactRules& rules, const System& system, const VecX& q, const VecX& u, double h, double reach,
                Threads threads);
  void choose(const ContactRules& rules, const ContactPlace& at);
  /// Rows of contacts that are about to close look straight along their normals. Where the free motion takes the bodies
  /// past each other instead, the rows go, or are taken from where the bodies are after h.
  void look_ahead(const ContactPlace& at);
  /// Non-local impact laws: shifts of contacts whose impacts act on each other.
  void couple_impacts(const System& system);

  std::span<Constraint> contacts() { return contacts_; }
  std::span<const Constraint> contacts() const { return contacts_; }
  std::size_t size() const { return contacts_.size(); }
  std::size_t point_count() const { return found_.points().size(); }
  const ContactPoint& point(const Constraint& c) const { return found_.points()[static_cast<std::size_t>(c.source)]; }
  LawId id(const Constraint& c) const { return contact_id(point(c)); }
  /// A gap without noise: zero below `resting_noise` of the bodies' size.
  double clean_gap(const System& system, const Constraint& c) const;
  /// Rows of all contacts for a step h, with their shifts.
  void make_blocks(double h, std::vector<RowBlock>& blocks) const;

  /// Impulse of the last step in the frame of a contact, within its friction cone.
  Vec3 warm_impulse(const Constraint& c, const WarmStart& warm) const;
  /// Whether cohesion or adhesion holds some contact.
  bool is_any_held() const;
  /// Cohesion of a contact is used up.
  void break_cohesion(std::size_t i) {
    contacts_[i].holding -= contacts_[i].cohesion;
    contacts_[i].cohesion = 0;
  }
  /// Number of contacts and deepest overlaps; `compliant`: all are, whatever their law.
  void report_depths(bool compliant, StepReport& report) const;
  /// Keeps impulses (in the frames of the contacts) for the next step.
  void keep(std::span<const Vec3> r, WarmStart& warm) const;
  /// With the impulses of the step and those of impacts before it (in the frames; none: empty).
  void results(std::span<const Vec3> r, std::span<const Vec3> impacts, std::vector<ContactResult>& out) const;

  /// Contact points at q_end, within the same margins.
  std::span<const ContactPoint> find_at_end(const System& system, const VecX& q_end, Threads threads);
  /// Where the contacts of this step are at q_end: the same features, or the nearest of the pair; null: out of reach.
  void find_again(const System& system, const VecX& q_end, Threads threads, std::vector<const ContactPoint*>& found);

 private:
  bool takes_part(const ContactRules& rules, const ContactPlace& at, std::size_t point, Constraint& c) const;
  bool acts(const ContactPlace& at, const Constraint& c) const;
  void look_at_pair(const ContactPlace& at, std::size_t begin, std::size_t end);

  Detection found_;               ///< with points that look_ahead() added at the end
  std::size_t detected_ = 0;      ///< points without those
  Detection end_;                 ///< at the end of the step
  std::vector<int> match_;        ///< of each point: its contact in the last step
  std::vector<char> taken_;       ///< scratch of matching
  std::vector<int> end_match_;    ///< the same of points at the end of the step
  std::vector<KeptContact> now_;  ///< contacts of this step, to be found again there
  std::vector<Constraint> contacts_, ahead_;
  std::vector<ContactPoint> later_;  ///< contacts of one pair, a step on
  VecX q_later_;
  double h_ = 0;
};

}  // namespace cairn
