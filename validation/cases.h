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
std::vector<Case> studer_cases();
std::vector<Case> switching_cases();
std::vector<Case> scheme_cases();
std::vector<Case> expectation_cases();
std::vector<Case> variational_cases();
std::vector<Case> hewlett_cases();

CaseResult run_projectile(Effort effort);           // S1
CaseResult run_pendulum(Effort effort);             // S2
CaseResult run_pendulum_period(Effort effort);      // S3
CaseResult run_free_rotation(Effort effort);        // S5
CaseResult run_heavy_top(Effort effort);            // S6
CaseResult run_momentum(Effort effort);             // S8
CaseResult run_falling_drag(Effort effort);         // S9
CaseResult run_bushing(Effort effort);              // S10
CaseResult run_incline(Effort effort);              // F1
CaseResult run_driven_block(Effort effort);         // F3
CaseResult run_sliding_sphere(Effort effort);       // F6
CaseResult run_pushed_block(Effort effort);         // F11
CaseResult run_tippe_top(Effort effort);            // F15
CaseResult run_rattleback(Effort effort);           // F16
CaseResult run_bouncing_ball(Effort effort);        // I1
CaseResult run_oblique_impact(Effort effort);       // I2
CaseResult run_three_balls(Effort effort);          // I4
CaseResult run_hertz_impact(Effort effort);         // I15
CaseResult run_oscillator(Effort effort);           // I16
CaseResult run_stack(Effort effort);                // L1
CaseResult run_uneven_stack(Effort effort);         // L2
CaseResult run_card_house(Effort effort);           // L8
CaseResult run_arch_thickness(Effort effort);       // L10
CaseResult run_arch_friction(Effort effort);        // L11
CaseResult run_masonry_arch(Effort effort);         // M7
CaseResult run_spheres_at_rest(Effort effort);      // G6
CaseResult run_rocks_at_rest(Effort effort);        // G7
CaseResult run_slot(Effort effort);                 // U2
CaseResult run_four_bar(Effort effort);             // J1
CaseResult run_wedge(Effort effort);                // F12
CaseResult run_struck_pendulum(Effort effort);      // I8
CaseResult run_catenary(Effort effort);             // C3
CaseResult run_rod_pendulum(Effort effort);         // M1
CaseResult run_rotating_plate(Effort effort);       // R4
CaseResult run_joint_levels(Effort effort);         // B4
CaseResult run_cradle(Effort effort);               // M6
CaseResult run_scheme_orders(Effort effort);        // T1
CaseResult run_scheme_comparison(Effort effort);    // T2
CaseResult run_units(Effort effort);                // U3
CaseResult run_turned_frame(Effort effort);         // U4
CaseResult run_body_order(Effort effort);           // U5
CaseResult run_threads(Effort effort);              // U6
CaseResult run_restart(Effort effort);              // U7
CaseResult run_tunnelling(Effort effort);           // U8
CaseResult run_internal_edges(Effort effort);       // U9
CaseResult run_concave_shapes(Effort effort);       // U10
CaseResult run_bad_input(Effort effort);            // U11
CaseResult run_passive_energy(Effort effort);       // U13
CaseResult run_split_faces(Effort effort);          // U14
CaseResult run_belt_block(Effort effort);           // F5
CaseResult run_roll_resistance(Effort effort);      // F9
CaseResult run_spin_resistance(Effort effort);      // F10
CaseResult run_grip(Effort effort);                 // L9
CaseResult run_bricard(Effort effort);              // J2
CaseResult run_squeezer(Effort effort);             // J3
CaseResult run_governor(Effort effort);             // J4
CaseResult run_doubled_hinges(Effort effort);       // J6
CaseResult run_ball_bearing(Effort effort);         // J7
CaseResult run_couplings(Effort effort);            // J8
CaseResult run_capstan(Effort effort);              // C1
CaseResult run_capstan_corners(Effort effort);      // C2
CaseResult run_folded_chain(Effort effort);         // C5
CaseResult run_belt_drive(Effort effort);           // C6
CaseResult run_sphere_on_plate(Effort effort);      // M2
CaseResult run_cube_on_plate(Effort effort);        // M3
CaseResult run_thesis_pendulum(Effort effort);      // M4
CaseResult run_thesis_block(Effort effort);         // M5
CaseResult run_incline_sizes(Effort effort);        // F2
CaseResult run_spinning_disc(Effort effort);        // F8
CaseResult run_euler_disc(Effort effort);           // F14
CaseResult run_five_balls(Effort effort);           // I5
CaseResult run_shaking_table(Effort effort);        // I7
CaseResult run_painleve_rod(Effort effort);         // I11
CaseResult run_woodpecker(Effort effort);           // I12
CaseResult run_clearance(Effort effort);            // I13
CaseResult run_bar_on_bearings(Effort effort);      // B1
CaseResult run_block_on_corners(Effort effort);     // B2
CaseResult run_bouncing_point(Effort effort);       // B12
CaseResult run_falling_point(Effort effort);        // B16
CaseResult run_point_lands(Effort effort);          // B13
CaseResult run_rope_pendulum(Effort effort);        // B14
CaseResult run_friction_switch(Effort effort);      // B15
CaseResult run_drilling_ball(Effort effort);        // B22
CaseResult run_two_balls(Effort effort);            // B23
CaseResult run_studer_rattleback(Effort effort);    // B24
CaseResult run_two_waggons(Effort effort);          // B27
CaseResult run_six_waggons(Effort effort);          // B28
CaseResult run_prestressed_spring(Effort effort);   // B29
CaseResult run_remote_action(Effort effort);        // B30
CaseResult run_elevator(Effort effort);             // B34
CaseResult run_sliding_point(Effort effort);        // B17
CaseResult run_averaged_oscillator(Effort effort);  // B18
CaseResult run_woodpecker_events(Effort effort);    // B19
CaseResult run_yardstick(Effort effort);            // Y1
CaseResult run_woodpecker_order(Effort effort);     // B20
CaseResult run_natural(Effort effort);              // V1
CaseResult run_kaufman_bounce(Effort effort);       // K1
CaseResult run_kaufman_wells(Effort effort);        // K2
CaseResult run_projection_maps(Effort effort);      // K3
CaseResult run_painleve(Effort effort);             // K4
CaseResult run_leaning_cards(Effort effort);        // K5
CaseResult run_two_step_lcp(Effort effort);         // K6
CaseResult run_fixed_share(Effort effort);          // H1
CaseResult run_energy_feedback(Effort effort);      // H2
CaseResult run_damped_pendulum(Effort effort);      // H3
CaseResult run_stiff_chain(Effort effort);          // H4
CaseResult run_penalty_maps(Effort effort);         // H5
CaseResult run_penalty_stiffness(Effort effort);    // H6
CaseResult run_penalty_chains(Effort effort);       // H7
CaseResult run_static_cubes(Effort effort);         // Q1
CaseResult run_static_walls(Effort effort);         // Q2
CaseResult run_static_domes(Effort effort);         // Q3

}  // namespace cairn::validation
