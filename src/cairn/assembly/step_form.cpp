// SPDX-License-Identifier: Apache-2.0
// Accounts of a solved step, whatever the form of its problem.
#include "cairn/assembly/step_form.h"

#include "cairn/assembly/step_accounts.h"

namespace cairn {

void StepForm::account(const FormParts& parts, std::span<const Vec3> impacts, StepReport& report, WarmStart& warm) {
  const std::span<const Constraint> contacts = parts.contacts.contacts();
  const std::span<const Vec3> r = impulses(), U_end = end_velocities();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Constraint& c = contacts[i];
    const Vec3 all = impacts.empty() ? r[i] : Vec3(r[i] + impacts[i]);
    add_row_work(RowWork::Contact, 3, c.U_begin.data(), U_end[i].data(), r[i].data(), report.work);
    add_drive_work(parts.system.bodies, parts.q, parts.u_begin, c, all, report.work);
  }
  account_moments(parts, report.work);
  parts.contacts.report_depths(false, report);
  finish_joints(parts, report, warm);
  parts.contacts.keep(r, warm);
}

}  // namespace cairn
