// SPDX-License-Identifier: Apache-2.0
// Poses of every_pair_test.cpp in which a property once failed: sharp features 1e-9 to 1e-8 apart, and edges across
// discs. Placements are written out, since every_shape.h makes them with the routines under test.
#include <gtest/gtest.h>

#include "collision/every_shape.h"
#include "collision/pair_oracle.h"

namespace cairn {
namespace {

using namespace test;

/// Row by row.
Mat3 rows(double xx, double xy, double xz, double yx, double yy, double yz, double zx, double zy, double zz) {
  Mat3 A;
  A << xx, xy, xz, yx, yy, yz, zx, zy, zz;
  return A;
}

/// Two of make_every_shape(), by their places in it.
struct Pose {
  std::size_t a, b;
  Placement pa, pb;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = make_every_shape();
  return all;
}

const Pose kApart[] = {
    // convex and cone, pose 17669
    {7,
     5,
     {rows(-0.6870872713990237, 0.57321208682180513, 0.50443342085914333, -0.70841233949762017, -0.64838120668605004,
           -0.40732878617774704, -0.25595099575489538, -0.89901765339012274, 0.67154272009019522),
      {0.75078278444115476, 0.26387611129773897, 0.68894146205589168}},
     {rows(0.078560936208437487, -1.2604732291990812, -0.43330581549981928, -0.36575062308296474, 0.50518496007853686,
           -0.87489441706115756, 1.1766224898128272, 0.19023226909641758, -0.56290099462372023),
      {-0.038989548753327621, -0.089462207482931502, 0.094745212915628818}}},
    // cells and cone, pose 2980
    {10,
     5,
     {rows(-0.99355389513562997, -0.024513201020741372, -0.11067863586317876, 0.095117484253943396,
           -0.71142466274208616, -0.69629563651620663, -0.061671076283929302, -0.70233471523058377,
           0.70917037877505607),
      {-0.48167246546919995, -0.55943996847611999, 0.38205355042919842}},
     {rows(-0.29793926261076398, 0.24886721112660051, 0.92157327816133083, 0.8882963036649979, -0.28120209172799981,
           0.36311852128870931, 0.34951662720113258, 0.92681740102021448, -0.1372866798931307),
      {-0.0039342742336404444, -0.0078175289094532981, 0.055299511832453921}}},
    // compound and convex, pose 12484
    {11,
     7,
     {rows(-0.42077984417388303, -0.66414662436344563, -0.61794302656769429, -0.30081981128859692, -0.54048573644137243,
           0.78573698515452317, -0.8558339581211386, 0.51651179081417553, 0.027637041749037361),
      {-0.47145765752983887, -0.65170852974789473, -0.051444864068550269}},
     {rows(0.013288416015232118, 0.68925553820430541, -0.72439645295549293, 0.96420981593031219, -0.20069213706770306,
           -0.17326885751003376, -0.26480719186502483, -0.69616770190370947, -0.66725383622926326),
      {0.073489573672515615, 0.060506360559344996, -0.06445191180621232}}},
    // two boxes, pose 6293
    {1,
     1,
     {rows(0.75451927832941001, 0.68364377012571775, 0.43647742978359411, 0.35758198400044705, -0.80382866331734171,
           -0.52440060292203594, -0.04149074984205102, 0.50545366899021094, -0.86265775998726779),
      {0.40878157583014774, 0.51635613375323819, 0.435587502320891}},
     {rows(0.40140423063994002, 0.50800915213303632, 0.58675846717870528, 0.39618205433847892, -1.0491339716609098,
           0.09618408280367037, 0.57302121302185816, 0.13309349040632742, -1.1157448326612911),
      {0.00048796698280457741, -0.066494381991134596, 0.0268649297416097}}},
    // compound and box, pose 6172
    {11,
     1,
     {rows(0.88447606076085927, 0.1354356982259794, 0.4464966624589643, 0.062573745661729949, -0.98273118695165462,
           0.17413770569998346, 0.46237065682719741, -0.12608166337193671, -0.87767692795615426),
      {0.27078179190811563, 0.43801098967831598, -0.54009989161363881}},
     {rows(0.31217328764675178, -0.73265557960812588, 0.60478396155065106, -0.66379168402297306, -0.62363762164627934,
           -0.41286404189432313, 0.67965317530470182, -0.2725654389985146, -0.68101368764642523),
      {-0.014590076404765485, -0.089942187808340249, 0.024381179614482985}}},
};

// The foot of the origin in a sliver of the difference of two shapes was off by 1e-9 of its longest side; a face or an
// edge was taken for nearest that ends 1e-9 before the nearest point.
TEST(CloseFeatures, have_the_distance_of_the_oracle_and_points_on_both_shapes) {
  for (const Pose& p : kApart) {
    const Shape &a = shapes()[p.a], &b = shapes()[p.b];
    const Bounds truth = bound_distance(a, p.pa, b, p.pb, 0.11);
    const auto contacts = find_contacts(a, p.pa, b, p.pb, 0.1);
    EXPECT_GE(least_gap(contacts), truth.lower - 1e-13) << shape_name(a) << " and " << shape_name(b);
    EXPECT_LE(least_gap(contacts), truth.upper + 1e-13) << shape_name(a) << " and " << shape_name(b);
    for (const ContactPoint& x : contacts) {
      EXPECT_LE(outside_any(a, p.pa, x.point + x.gap / 2 * x.normal), 1e-13) << shape_name(a);
      EXPECT_LE(outside_any(b, p.pb, x.point - x.gap / 2 * x.normal), 1e-13) << shape_name(b);
    }
  }
}

const Pose kAcross[] = {
    // cells and cone, pose 7465
    {10,
     5,
     {rows(0.67972303523688204, -0.80380651106271217, -0.54652683739365682, 0.9812832132106919, 0.24533049805255241,
           0.87303862000937515, -0.52606395479872514, -0.92194354535137002, 0.87908194855049515),
      {-0.19285985335429723, -0.72674666686322587, -0.51817778363383926}},
     {rows(-0.56445030029942223, 1.0279167137449177, -0.14813753776108049, -0.71449963070213307, -0.20888249993812077,
           0.79954323733392529, 0.57962925790306052, 0.46829263041146069, 0.61979385803101095),
      {-0.037633003124636057, -0.017955101253492433, -0.099743490436942459}}},
    // cone and mesh, pose 12320
    {5,
     8,
     {rows(0.71295292578901792, -0.70121029621698838, -0.0014986954869456832, 0.42293132009776213, 0.42830708615801538,
           0.79855002249526907, -0.55930959592093843, -0.56996242018760657, 0.60192658645771968),
      {-0.54513376194802721, -0.058443808376080666, 0.29938685015915634}},
     {rows(0.87434149777171155, 0.10406474798093275, 0.4740226508321993, 0.20429777944747907, 0.80705530841135109,
           -0.55400735236807841, -0.44021513216511465, 0.58123339321887202, 0.68438175020972514),
      {-0.029210243530341341, 0.032601124603987786, -0.0082883895643227623}}},
    // mesh and cone, pose 16505
    {8,
     5,
     {rows(-0.68988125464445249, 0.25579298835349423, -0.96501929503944561, 0.7075462721356367, -0.021434470630469639,
           -0.4449852080379878, -0.41791016058357139, -1.0933284444908513, -0.36035355757379589),
      {-0.20886603479915888, 0.27367095027077298, 0.60538512970102165}},
     {rows(-0.37871361462911834, 0.4728788973314984, 0.88454319881273413, -0.53277282355055344, 0.67792753193807642,
           -0.71369187044954097, -0.90373675922483043, -0.75246762944254231, -0.020771834987798329),
      {0.029296251676671582, 0.072439708883825032, -0.043543781080419224}}},
};

// An edge through the base of a cone enters it at an end that touches nothing, since the surface goes on there: where
// the edge leaves the base again there is a gap, but that says nothing of the two bodies.
TEST(CloseFeatures, do_not_set_apart_what_overlaps_by_the_far_end_of_an_edge_across_a_disc) {
  for (const Pose& p : kAcross) {
    const Shape &a = shapes()[p.a], &b = shapes()[p.b];
    ASSERT_TRUE(overlap(a, p.pa, b, p.pb, bound_distance(a, p.pa, b, p.pb, 0.11), 1));
    const auto contacts = find_contacts(a, p.pa, b, p.pb, 0.1);
    EXPECT_TRUE(contacts.empty() || least_gap(contacts) <= 0) << shape_name(a) << " and " << shape_name(b);
  }
}

const Pose kPeaks[] = {
    // cone and height field, pose 15000
    {5,
     9,
     {rows(-0.86249321856155126, -0.19076211467456827, 0.46873794762129412, -0.42211592297264511, -0.23972970770977486,
           -0.87426987527555688, 0.27914798137956892, -0.95191359001028708, 0.12624152108335474),
      {0.045356239619631582, -0.21008505401430816, -0.064118537002374229}},
     {rows(0.5946382898909679, -0.72932468392726102, 0.33836490599639046, 0.37869175722825277, -0.11717665958187995,
           -0.91807526023557073, 0.70922341839713909, 0.6740587035738308, 0.20651151767744913),
      {-0.06010093589203138, 0.036747499118228347, -0.02850295753849863}}},
    // cylinder and height field, pose 4189
    {4,
     9,
     {rows(-0.10488814000630212, 1.1449821757679015, -0.71262451698745666, -0.079634958899198791, 0.53580399902799369,
           0.93042633753515025, 1.3727270852137767, 0.18353125798967829, 0.038079471445732614),
      {0.84563426079154058, -0.20045503475835613, -1.0604450406869141}},
     {rows(0.07867347185293716, -0.76790587823167167, 0.63571302252183781, 0.020097207152742484, -0.63633827362459483,
           -0.77114830206979712, 0.99669784141998885, 0.073444970540646082, -0.034630177750321067),
      {0.093587443952566421, 0.077004493815022085, -0.079551379504843991}}},
};

// A peak that is a little more than a tenth of the body deep in a disc: its edges leave the disc within reach, and the
// peak counts with them. d gap / dt = n.v of a body that moves by v.
TEST(CloseFeatures, of_a_peak_through_a_disc_have_the_gap_of_the_peak) {
  for (const Pose& p : kPeaks) {
    const Shape &a = shapes()[p.a], &b = shapes()[p.b];
    const auto contacts = find_contacts(a, p.pa, b, p.pb, 0.1);
    ASSERT_FALSE(contacts.empty());
    const ContactPoint x =
        *std::min_element(contacts.begin(), contacts.end(), [](const auto& c, const auto& d) { return c.gap < d.gap; });
    for (int i = 0; i < 3; ++i) {
      const double h = 1e-6;
      const auto gap_at = [&](double t) {
        return least_gap(find_contacts(a, {p.pa.A, p.pa.c + t * Vec3::Unit(i)}, b, p.pb, 0.1));
      };
      EXPECT_NEAR((gap_at(h) - gap_at(-h)) / (2 * h), x.normal[i], 1e-8) << shape_name(a) << " and " << shape_name(b);
    }
  }
}

// box and cone, pose 1082
const Pose kRim{
    1,
    5,
    {rows(-0.24757656300076672, -0.8317712896682028, 0.49685246012918372, -0.36788210428571971, 0.55511519644969809,
          0.74599589544241063, -0.89630831905044717, 0.0019079712544505325, -0.44342728473409709),
     {0.48806107164979684, -0.66672898262786873, 0.44336599051117609}},
    {rows(0.95391091841831621, 0.039174270642270081, -0.29752199287106612, 0.2956330798645751, -0.29291202579386577,
          0.90928742828388409, -0.051527097842885422, -0.95533654890042807, -0.29099318982221867),
     {-0.060485712918556409, 0.0052614127205487639, 0.046675960236487415}}};

// The lowest point of a nearly level rim over the end of a steep face: its place is known to 1e-12 only, and the height
// of the face under it no better, but the gap is that of the supporting planes.
TEST(CloseFeatures, of_a_rim_over_the_end_of_a_steep_face_have_the_gap_of_the_supporting_planes) {
  const Shape &a = shapes()[kRim.a], &b = shapes()[kRim.b];
  const auto contacts = find_contacts(a, kRim.pa, b, kRim.pb, 0.1);
  ASSERT_FALSE(contacts.empty());
  EXPECT_NEAR(least_gap(contacts), separation(a, kRim.pa, b, kRim.pb, contacts[0].normal), 2e-14);
}

}  // namespace
}  // namespace cairn
