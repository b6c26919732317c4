// SPDX-License-Identifier: Apache-2.0
// Islands of bodies by union-find: see the header.
#include "cairn/assembly/fast_contacts.h"

#include "cairn/assembly/contact_blocks.h"

#include <numeric>

namespace cairn {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_plain(const Constraint& c) {
  return !needs_block(c) && c.holding == 0 && (!c.contact || c.contact->stiffness == 0);
}

}  // namespace

int FastContacts::root(int body) {
  while (parent_[at(body)] != body) body = parent_[at(body)] = parent_[at(parent_[at(body)])];
  return body;
}

void FastContacts::join(int a, int b) {
  a = root(a), b = root(b);
  if (a == b) return;
  parent_[at(std::max(a, b))] = std::min(a, b);
  if (general_[at(std::max(a, b))]) general_[at(std::min(a, b))] = 1;
}

void FastContacts::find(const Bodies& bodies, std::span<const RowBlock> joints, std::span<const Constraint> contacts,
                        const CoupledMass& coupled) {
  parent_.resize(at(bodies.size()));
  std::iota(parent_.begin(), parent_.end(), 0);
  general_.assign(at(bodies.size()), 0);
  for (int body = 0; body < bodies.size(); ++body)
    general_[at(body)] = bodies.can_move(body) && (!bodies.slot(body).rigid || coupled.island_of(body) >= 0);
  for (const RowBlock& block : joints)
    for (int k = 0; k < block.side_count; ++k)
      if (const int body = block.sides[at(k)].body; bodies.can_move(body)) general_[at(body)] = 1;
  for (const Constraint& c : contacts) {
    const bool a = bodies.can_move(c.body_a), b = bodies.can_move(c.body_b);
    if (a && b) join(c.body_a, c.body_b);
    if (!is_plain(c)) general_[at(root(a ? c.body_a : c.body_b))] = 1;
  }
  fast_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int body = bodies.can_move(contacts[i].body_a) ? contacts[i].body_a : contacts[i].body_b;
    fast_[i] = !general_[at(root(body))];
  }
}

}  // namespace cairn
