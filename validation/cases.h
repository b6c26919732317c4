// SPDX-License-Identifier: Apache-2.0
// The sections of the book, and the functions behind their cases.
#pragma once
#include "book.h"

namespace cairn::validation {

/// Names, texts and sources of the cases of a section.
std::vector<Case> motion_cases();
std::vector<Case> joint_cases();
std::vector<Case> friction_cases();
std::vector<Case> impact_cases();
std::vector<Case> structure_cases();
std::vector<Case> thesis_cases();
std::vector<Case> variational_cases();
std::vector<Case> expectation_cases();

CaseResult run_projectile(Effort effort);       // S1
CaseResult run_pendulum(Effort effort);         // S2
CaseResult run_pendulum_period(Effort effort);  // S3
CaseResult run_free_rotation(Effort effort);    // S5
CaseResult run_heavy_top(Effort effort);        // S6
CaseResult run_momentum(Effort effort);         // S8
CaseResult run_falling_drag(Effort effort);     // S9
CaseResult run_bushing(Effort effort);          // S10
CaseResult run_incline(Effort effort);          // F1
CaseResult run_driven_block(Effort effort);     // F3
CaseResult run_sliding_sphere(Effort effort);   // F6
CaseResult run_pushed_block(Effort effort);     // F11
CaseResult run_tippe_top(Effort effort);        // F15
CaseResult run_rattleback(Effort effort);       // F16
CaseResult run_bouncing_ball(Effort effort);    // I1
CaseResult run_oblique_impact(Effort effort);   // I2
CaseResult run_three_balls(Effort effort);      // I4
CaseResult run_hertz_impact(Effort effort);     // I15
CaseResult run_oscillator(Effort effort);       // I16
CaseResult run_stack(Effort effort);            // L1
CaseResult run_uneven_stack(Effort effort);     // L2
CaseResult run_card_house(Effort effort);       // L8
CaseResult run_arch_thickness(Effort effort);   // L10
CaseResult run_arch_friction(Effort effort);    // L11
CaseResult run_masonry_arch(Effort effort);     // M7
CaseResult run_spheres_at_rest(Effort effort);  // G6
CaseResult run_rocks_at_rest(Effort effort);    // G7
CaseResult run_slot(Effort effort);             // U2
CaseResult run_four_bar(Effort effort);         // J1
CaseResult run_wedge(Effort effort);            // F12
CaseResult run_struck_pendulum(Effort effort);  // I8
CaseResult run_catenary(Effort effort);         // C3
CaseResult run_rod_pendulum(Effort effort);     // M1
CaseResult run_cradle(Effort effort);           // M6
CaseResult run_kaufman_bounce(Effort effort);   // K1
CaseResult run_kaufman_wells(Effort effort);    // K2
CaseResult run_projection_maps(Effort effort);  // K3
CaseResult run_painleve(Effort effort);         // K4
CaseResult run_leaning_cards(Effort effort);    // K5
CaseResult run_two_step_lcp(Effort effort);     // K6
CaseResult run_static_cubes(Effort effort);     // Q1
CaseResult run_static_walls(Effort effort);     // Q2
CaseResult run_static_domes(Effort effort);     // Q3
CaseResult run_units(Effort effort);            // U3
CaseResult run_turned_frame(Effort effort);     // U4
CaseResult run_body_order(Effort effort);       // U5
CaseResult run_threads(Effort effort);          // U6
CaseResult run_restart(Effort effort);          // U7
CaseResult run_tunnelling(Effort effort);       // U8
CaseResult run_internal_edges(Effort effort);   // U9
CaseResult run_concave_shapes(Effort effort);   // U10
CaseResult run_bad_input(Effort effort);        // U11
CaseResult run_passive_energy(Effort effort);   // U13
CaseResult run_split_faces(Effort effort);      // U14

}  // namespace cairn::validation
