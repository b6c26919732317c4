// SPDX-License-Identifier: Apache-2.0
// Problem files: every storage gives the same numbers, every kind its laws, and what is written is read back bit for
// bit.
#include "cairn/io/problem_file.h"

#include "cairn/base/error.h"
#include "cairn/io/fclib.h"
#include "cairn/io/hdf5_table.h"
#include "cairn/io/problem_dump.h"
#include "cairn/io/problem_facts.h"
#include "cairn/io/scene.h"
#include "cairn/io/siconos_text.h"
#include "cairn/problem/residual.h"
#include "support/places.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace cairn {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(source_dir()) / "tests/data/problems";
const fs::path kShared = fs::path(source_dir() + "/../shared/data/fclib");

class ProblemFileTest : public ::testing::Test {
 protected:
  ProblemFileTest() {
    std::string name = (fs::temp_directory_path() / "cairn_problem_XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ProblemFileTest() override { fs::remove_all(folder); }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  fs::path folder;
};

VecX vec(std::initializer_list<double> values) {
  return Eigen::Map<const VecX>(values.begin(), static_cast<int>(values.size()));
}

MatX dense(const ProblemFile& file) { return MatX(to_sparse(file.local())); }

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// The matrix of two_contacts.dat.
MatX two_contacts() {
  MatX W(4, 4);
  W << 4, 0.5, 1, 0, 0.25, 3, 0, -1, 2, 0, 5, 0.125, 0, -0.75, 0, 6;
  return W;
}

// ---- reading text

TEST_F(ProblemFileTest, every_text_storage_gives_the_same_matrix) {
  const std::string head = "2 2 ", tail = "\n-1 0.5 -2 -0.25\n0.5 0.25\n";
  const std::string dense_text = "0 4 4 4 4  4 0.25 2 0  0.5 3 0 -0.75  1 0 5 0  0 -1 0.125 6";
  const std::string triplets =
      "2 4 4 1\nCSparse Version 3\ntriplet: 4-by-4, nzmax: 20 nnz: 11\n"
      "0 0 : 4\n1 0 : 0.25\n2 0 : 2\n0 1 : 0.5\n1 1 : 3\n3 1 : -0.75\n0 2 : 1\n2 2 : 5\n1 3 : -1\n2 3 : 0.125\n3 3 : "
      "6\n";
  const std::string columns =
      "2 4 4 2\nCSparse Version 3\n4-by-4, nzmax: 11 nnz: 11, 1-norm: 7.125\n"
      "col 0 : locations 0 to 2\n0 : 4\n1 : 0.25\n2 : 2\ncol 1 : locations 3 to 5\n0 : 0.5\n1 : 3\n3 : -0.75\n"
      "col 2 : locations 6 to 7\n0 : 1\n2 : 5\ncol 3 : locations 8 to 10\n1 : -1\n2 : 0.125\n3 : 6\n";
  const std::string rows =
      "2 4 4 3\nCSparse Version 3\n4-by-4, nzmax: 11 nnz: 11, 1-norm: 6.25\n"
      "col 0 : locations 0 to 2\n0 : 4\n1 : 0.5\n2 : 1\ncol 1 : locations 3 to 5\n0 : 0.25\n1 : 3\n3 : -1\n"
      "col 2 : locations 6 to 8\n0 : 2\n2 : 5\n3 : 0.125\ncol 3 : locations 9 to 10\n1 : -0.75\n3 : 6\n";
  const ProblemFile blocks = read_problem(kData / "two_contacts.dat");
  EXPECT_EQ(blocks.kind, "fc2d");
  EXPECT_EQ(blocks.storage, "blocks");
  EXPECT_EQ(dense(blocks), two_contacts());
  for (const auto& [name, text] :
       {std::pair{"dense", dense_text}, {"triplets", triplets}, {"columns", columns}, {"rows", rows}}) {
    const ProblemFile file = read_problem(write("w.dat", head + text + tail));
    EXPECT_EQ(file.storage, name);
    EXPECT_EQ(dense(file), two_contacts()) << name;
    EXPECT_EQ(std::get<LocalProblem>(file.problem).b, vec({-1, 0.5, -2, -0.25})) << name;
    EXPECT_EQ(file.law()[1], (ConstraintLaw{.kind = LawKind::Coulomb, .mu = 0.25})) << name;
  }
}

TEST_F(ProblemFileTest, every_kind_has_its_laws_and_its_known_solution) {
  struct Case {
    const char *file, *kind;
    std::vector<LawKind> laws;
    std::vector<int> offset;
    VecX r;
  };
  const LawKind coulomb = LawKind::Coulomb, push = LawKind::Frictionless, equation = LawKind::Bilateral;
  // Derivations in tests/data/problems/README.md.
  const std::vector<Case> cases{
      {"sliding_block.dat", "fc3d", {coulomb}, {0, 3}, vec({1, -0.5, 0})},
      {"sliding_block.hdf5", "fc3d", {coulomb}, {0, 3}, vec({1, -0.5, 0})},
      {"two_balls.dat", "gfc3d", {coulomb, coulomb}, {0, 3, 6}, vec({3, 0, 0, 1, 0, 0})},
      {"rolling_ball.dat", "rolling", {LawKind::Rolling}, {0, 5}, vec({1, 0, 0, -0.1, 0})},
      {"lcp.dat", "lcp", {push, push}, {0, 1, 2}, vec({4.0 / 3, 7.0 / 3})},
      {"mlcp.dat", "mlcp", {equation, push, push}, {0, 1, 2, 3}, vec({1, 0, 3})},
      {"relay.dat", "relay", {3, LawKind::Interval}, {0, 1, 2, 3}, vec({-1, 0.5, 1})},
      {"gmp.dat", "gmp", {equation, push, coulomb}, {0, 2, 3, 6}, vec({2, 3, 1, 1, -0.5, 0})},
  };
  for (const Case& c : cases) {
    const ProblemFile file = read_problem(kData / c.file);
    EXPECT_EQ(file.kind, c.kind) << c.file;
    EXPECT_EQ(file.offset(), c.offset) << c.file;
    std::vector<LawKind> laws;
    for (const ConstraintLaw& law : file.law()) laws.push_back(law.kind);
    EXPECT_EQ(laws, c.laws) << c.file;
    EXPECT_LT(compute_residual(file.local(), c.r).scaled, 1e-15) << c.file;
    EXPECT_GT(compute_residual(file.local(), 1.01 * c.r).scaled, 1e-4) << c.file;
  }
}

TEST_F(ProblemFileTest, the_content_decides_and_where_it_cannot_the_name_or_the_caller) {
  // One row: "M q", then two numbers that are bounds, or a flag and something else.
  const std::string text = "1 0 1 1 1 1  1  0.5  0 1\n";
  EXPECT_EQ(read_problem(write("some.dat", text)).kind, "relay");
  EXPECT_EQ(read_problem(write("an_lcp.dat", text)).kind, "lcp");
  EXPECT_EQ(read_problem(folder / "some.dat", "lcp").kind, "lcp");
  EXPECT_NE(read_problem(folder / "some.dat").decided.find("relay, lcp"), std::string::npos);
  // The layout of gmp.dat is no other, whatever its name says.
  fs::copy(kData / "gmp.dat", folder / "mlcp.dat");
  EXPECT_EQ(read_problem(folder / "mlcp.dat").kind, "gmp");
  EXPECT_THROW(read_problem(folder / "mlcp.dat", "mlcp"), Error);
  EXPECT_NE(message_of([&] { read_problem(folder / "mlcp.dat", "rely"); }).find("did you mean 'relay'"),
            std::string::npos);
  // A local problem is not read as a global one that ends early, nor the other way round.
  EXPECT_EQ(read_problem(kData / "two_balls.dat").decided, "by its content");
}

TEST_F(ProblemFileTest, parts_of_an_mlcp_are_put_together) {
  const std::string parts = "0 1 1 2\n1\n1 1\n0 1\n2 0\n0\n0\n-1\n1 -3\n";  // the second storage of mlcp.dat alone
  const ProblemFile file = read_problem(write("p.dat", parts)), whole = read_problem(kData / "mlcp.dat");
  EXPECT_EQ(dense(file), dense(whole));
  EXPECT_EQ(file.local().b, whole.local().b);
  EXPECT_EQ(file.law(), whole.law());
}

// ---- FCLib

TEST_F(ProblemFileTest, a_file_written_by_the_high_level_interface_of_hdf5_is_read) {
  const ProblemFile file = read_problem(kData / "sliding_block.hdf5");
  EXPECT_EQ(file.format, "FCLib");
  EXPECT_EQ(file.storage, "columns");
  EXPECT_EQ(file.title, "Sliding block");
  EXPECT_EQ(file.description, "one contact");
  EXPECT_EQ(file.math_info, "unique");
  EXPECT_EQ(file.dofs, 3);
  ASSERT_EQ(file.guesses.size(), 1u);
  EXPECT_EQ(file.guesses[0].u, vec({-1, 1, 0}));
  ASSERT_TRUE(file.solution);
  EXPECT_EQ(file.solution->r, vec({1, -0.5, 0}));
  EXPECT_EQ(file.solution->u, vec({0, 0.5, 0}));
}

/// Numbers with all their digits.
double number(int i) { return std::sin(1.0 + i) / 3; }

ProblemFile make_problem(bool global, int d, int contacts, int equations) {
  ProblemFile file;
  std::vector<int> offset{0};
  std::vector<ConstraintLaw> law;
  // Equations between the contacts, so that the writer has to sort them out.
  for (int i = 0; i < std::max(contacts, equations); ++i) {
    if (i < equations) law.push_back({.kind = LawKind::Bilateral}), offset.push_back(offset.back() + 1);
    if (i < contacts) {
      law.push_back({.kind = d == 5 ? LawKind::Rolling : LawKind::Coulomb,
                     .mu = 0.1 + i / 3.0,
                     .mu_rolling = d == 5 ? i / 7.0 : 0});
      offset.push_back(offset.back() + d);
    }
  }
  const int m = offset.back(), n = 7;
  int count = 0;
  ProblemSolution s;
  s.r = VecX::NullaryExpr(m, [&] { return number(++count); });
  s.u = VecX::NullaryExpr(m, [&] { return number(++count); });
  for (std::size_t i = 0; i < law.size(); ++i)
    if (law[i].kind == LawKind::Bilateral) s.u[offset[i]] = 0;
  if (global) {
    GlobalProblem problem;
    problem.M = MatX(MatX::NullaryExpr(n, n, [&] { return number(++count); })).sparseView();
    problem.H = MatX(MatX::NullaryExpr(n, m, [&] { return number(++count); })).sparseView();
    problem.f = VecX::NullaryExpr(n, [&] { return number(++count); });
    problem.w = VecX::NullaryExpr(m, [&] { return number(++count); });
    s.v = problem.f;
    problem.offset = offset, problem.law = law;
    file.problem = problem;
    file.dofs = n;
  } else {
    LocalProblem problem;
    MatX W = MatX::NullaryExpr(m, m, [&] { return number(++count); });
    for (std::size_t i = 0; i < law.size(); ++i)  // FCLib stores the coupling with equations once
      if (law[i].kind == LawKind::Bilateral) W.col(offset[i]) = W.row(offset[i]).transpose().eval();
    BlockMatrixBuilder builder(offset);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) builder.add(i, j, W(i, j));
    problem.W = builder.finish();
    problem.b = VecX::NullaryExpr(m, [&] { return number(++count); });
    problem.offset = offset, problem.law = law;
    file.problem = problem;
  }
  file.title = "A title";
  file.description = "Two\nlines";
  file.math_info = "none";
  file.guesses = {s, s};
  file.guesses[1].r *= 0.5;
  file.solution = s;
  file.kind = find_kind(file);
  return file;
}

/// Rows in the order FCLib keeps: contacts, then equations.
std::vector<int> fclib_rows(const ProblemFile& file) {
  std::vector<int> rows;
  for (const bool equations : {false, true})
    for (std::size_t i = 0; i < file.law().size(); ++i)
      for (int l = file.offset()[i]; l < file.offset()[i + 1]; ++l)
        if ((file.law()[i].kind == LawKind::Bilateral) == equations) rows.push_back(l);
  return rows;
}

TEST_F(ProblemFileTest, fclib_files_come_back_bit_for_bit) {
  for (const bool global : {false, true})
    for (const int d : {2, 3, 5})
      for (const int contacts : {0, 1, 4})
        for (const int equations : {0, 3}) {
          const std::string name = fmt::format("{} d{} nc{} eq{}", global ? "global" : "local", d, contacts, equations);
          if (contacts == 0 && d != 3) continue;  // nothing tells the rows of no contact
          const ProblemFile a = make_problem(global, d, contacts, equations);
          write_problem(folder / "a.hdf5", a);
          const ProblemFile b = read_problem(folder / "a.hdf5");
          const std::vector<int> rows = fclib_rows(a);
          const std::string kind = d == 5 ? "rolling" : fmt::format("fc{}d", d);
          EXPECT_EQ(b.kind, (global ? (d == 5 ? "global-" : "g") : "") + kind) << name;
          EXPECT_EQ(b.contacts(), contacts) << name;
          EXPECT_EQ(b.unknowns(), a.unknowns()) << name;
          EXPECT_EQ(b.title, a.title) << name;
          EXPECT_EQ(b.description, a.description) << name;
          EXPECT_EQ(b.math_info, a.math_info) << name;
          for (int i = 0, k = 0; i < a.constraints(); ++i)
            if (a.law()[static_cast<std::size_t>(i)].is_cone()) {
              EXPECT_EQ(b.law()[static_cast<std::size_t>(k++)], a.law()[static_cast<std::size_t>(i)]) << name;
            }
          if (global) {
            const auto &p = std::get<GlobalProblem>(a.problem), &q = std::get<GlobalProblem>(b.problem);
            EXPECT_EQ(MatX(q.M), MatX(p.M)) << name;
            EXPECT_EQ(MatX(q.H), MatX(MatX(p.H)(Eigen::all, rows))) << name;
            EXPECT_EQ(q.f, p.f) << name;
            EXPECT_EQ(q.w, VecX(p.w(rows))) << name;
          } else {
            EXPECT_EQ(dense(b), MatX(dense(a)(rows, rows))) << name;
            EXPECT_EQ(b.local().b, VecX(a.local().b(rows))) << name;
          }
          ASSERT_EQ(b.guesses.size(), 2u) << name;
          ASSERT_TRUE(b.solution) << name;
          EXPECT_EQ(b.guesses[1].r, VecX(a.guesses[1].r(rows))) << name;
          EXPECT_EQ(b.solution->u, VecX(a.solution->u(rows))) << name;
          EXPECT_EQ(b.solution->v, a.solution->v) << name;
        }
}

TEST_F(ProblemFileTest, fclib_files_have_the_documented_data_sets) {
  write_problem(folder / "g.hdf5", make_problem(true, 5, 2, 1));
  write_problem(folder / "l.hdf5", make_problem(false, 3, 2, 1));
  for (const auto& [name, root, matrices, vectors] :
       {std::tuple{"g.hdf5", "/fclib_global_rolling", "MHG", std::vector<std::string>{"f", "w", "b", "mu", "mu_r"}},
        {"l.hdf5", "/fclib_local", "WVR", std::vector<std::string>{"q", "s", "mu"}}}) {
    Hdf5File file;
    file.name = name;
    file.bytes = 1 << 20;
    file.handle = {H5Fopen((folder / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    const std::string prefix = root;
    EXPECT_EQ(read_array<std::int32_t>(file, prefix + "/spacedim").size(), 1u);
    for (const char matrix : std::string(matrices)) {
      const std::string path = prefix + "/" + matrix;
      const auto scalar = [&](const char* what) { return read_array<std::int32_t>(file, path + what).at(0); };
      const std::size_t entries = static_cast<std::size_t>(scalar("/nzmax"));
      const int nz = scalar("/nz");
      EXPECT_EQ(read_array<double>(file, path + "/x").size(), entries) << path;
      EXPECT_EQ(read_array<std::int32_t>(file, path + "/i").size(), entries) << path;
      EXPECT_EQ(read_array<std::int32_t>(file, path + "/p").size(),
                nz >= 0 ? static_cast<std::size_t>(nz) : static_cast<std::size_t>(scalar("/m") + 1))
          << path;
      // 32-bit integers and doubles, as FCLib's C structures have them.
      const Hdf5Handle set(H5Dopen2(file.id(), (path + "/i").c_str(), H5P_DEFAULT), H5Dclose);
      const Hdf5Handle type(H5Dget_type(set.id()), H5Tclose);
      EXPECT_EQ(H5Tget_size(type.id()), 4u);
      EXPECT_EQ(H5Tget_class(type.id()), H5T_INTEGER);
    }
    for (const std::string& vector : vectors) EXPECT_TRUE(has_link(file, prefix + "/vectors/" + vector)) << vector;
    for (const char* text : {"title", "description", "math_info"})
      EXPECT_TRUE(has_link(file, prefix + "/info/" + text));
    for (const char* what : {"r", "u", "l"}) {
      EXPECT_TRUE(has_link(file, std::string("/solution/") + what)) << what;
      EXPECT_TRUE(has_link(file, std::string("/guesses/2/") + what)) << what;
    }
    EXPECT_EQ(has_link(file, "/solution/v"), prefix == "/fclib_global_rolling");
    EXPECT_EQ(read_array<std::int32_t>(file, "/guesses/number_of_guesses").at(0), 2);
  }
}

TEST_F(ProblemFileTest, equations_that_belong_together_stay_one_constraint) {
  // Two bodies of three degrees of freedom, a contact on the first, a ball joint between them.
  GlobalProblem problem;
  MatX M = MatX::Identity(6, 6), H = MatX::Zero(6, 6);
  H.block(0, 0, 3, 3).setIdentity();
  H.block(0, 3, 3, 3).setIdentity();
  H.block(3, 3, 3, 3) = -MatX::Identity(3, 3);
  problem.H = H.sparseView();
  problem.f = VecX::Ones(6);
  problem.w = VecX::Zero(6);
  problem.offset = {0, 3, 6};
  problem.law = {{.kind = LawKind::Bilateral}, {.kind = LawKind::Coulomb, .mu = 0.5}};
  // In M of the second file the degrees of freedom of a body are coupled.
  for (const bool coupled : {false, true}) {
    for (int i = 0; i < 3 && coupled; ++i) M(i, (i + 1) % 3) = M(3 + i, 3 + (i + 1) % 3) = 0.1;
    problem.M = M.sparseView();
    ProblemFile file;
    file.problem = problem;
    write_problem(folder / "joint.hdf5", file);
    EXPECT_EQ(read_problem(folder / "joint.hdf5").offset(), (std::vector<int>{0, 3, 6}));
    // Another program does not write the attribute: then bodies tell, where M shows them.
    Hdf5Handle other(H5Fopen((folder / "joint.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Adelete_by_name(other.id(), "/fclib_global/G", kRowsAttribute, H5P_DEFAULT), 0);
    ASSERT_TRUE(other.close());
    EXPECT_EQ(read_problem(folder / "joint.hdf5").offset(),
              coupled ? (std::vector<int>{0, 3, 6}) : (std::vector<int>{0, 3, 4, 5, 6}));
  }
}

TEST_F(ProblemFileTest, fclib_refuses_what_it_has_no_place_for) {
  const auto refusal = [&](const ProblemFile& file) {
    const std::string message = message_of([&] { write_problem(folder / "no.hdf5", file); });
    EXPECT_TRUE(fs::is_empty(folder)) << message;
    return message;
  };
  EXPECT_NE(refusal(read_problem(kData / "relay.dat")).find("interval"), std::string::npos);
  EXPECT_NE(refusal(read_problem(kData / "lcp.dat")).find("frictionless law with 1 row"), std::string::npos);
  ProblemFile mixed = make_problem(false, 3, 2, 0);
  std::get<LocalProblem>(mixed.problem).law[1] = {.kind = LawKind::Rolling};
  std::get<LocalProblem>(mixed.problem).offset = {0, 3, 8};
  EXPECT_NE(refusal(mixed).find("constraint 1 (rolling) has 5 rows, others have 3"), std::string::npos);
  ProblemFile compliant = make_problem(true, 3, 2, 0);
  std::get<GlobalProblem>(compliant.problem).compliance = VecX::Ones(6);
  EXPECT_NE(refusal(compliant).find("compliance"), std::string::npos);
}

// ---- writing text

TEST_F(ProblemFileTest, text_files_come_back_bit_for_bit_in_every_storage) {
  std::vector<ProblemFile> files;
  for (const char* name : {"lcp.dat", "mlcp.dat", "relay.dat", "gmp.dat"}) files.push_back(read_problem(kData / name));
  for (const int d : {2, 3, 5})
    for (const bool global : {false, true}) files.push_back(make_problem(global, d, 3, 0));
  for (const ProblemFile& a : files)
    for (const TextStorage storage :
         {TextStorage::Automatic, TextStorage::Dense, TextStorage::Blocks, TextStorage::Sparse}) {
      write_problem(folder / "a.dat", a, storage);
      const ProblemFile b = read_problem(folder / "a.dat");
      EXPECT_EQ(b.kind, a.kind);
      EXPECT_EQ(b.offset(), a.offset()) << a.kind;
      EXPECT_EQ(b.law(), a.law()) << a.kind;
      ASSERT_EQ(b.is_global(), a.is_global()) << a.kind;
      if (a.is_global()) {
        const auto &p = std::get<GlobalProblem>(a.problem), &q = std::get<GlobalProblem>(b.problem);
        EXPECT_EQ(MatX(q.M), MatX(p.M)) << a.kind;
        EXPECT_EQ(MatX(q.H), MatX(p.H)) << a.kind;
        EXPECT_EQ(q.f, p.f) << a.kind;
        EXPECT_EQ(q.w, p.w) << a.kind;
      } else {
        EXPECT_EQ(dense(b), dense(a)) << a.kind;
        EXPECT_EQ(b.local().b, a.local().b) << a.kind;
      }
    }
}

TEST_F(ProblemFileTest, text_refuses_mixed_laws_and_unknown_extensions) {
  ProblemFile mixed = read_problem(kData / "gmp.dat");
  std::get<LocalProblem>(mixed.problem).law[1].kind = LawKind::Interval;
  EXPECT_NE(message_of([&] { write_problem(folder / "no.dat", mixed); }).find("mix of laws"), std::string::npos);
  const ProblemFile equations = make_problem(true, 3, 2, 1);
  EXPECT_NE(message_of([&] { write_problem(folder / "no.dat", equations); }).find("equations"), std::string::npos);
  EXPECT_NE(message_of([&] { write_problem(folder / "no.stl", equations); }).find(".hdf5"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder));
}

// ---- facts and dumps

TEST_F(ProblemFileTest, facts_of_a_problem_that_can_be_counted_by_hand) {
  // Two balls: W = H' M^-1 H couples both contacts (one island), has full rank 6 and is symmetric.
  const ProblemFacts balls = find_facts(read_problem(kData / "two_balls.dat"));
  EXPECT_EQ(balls.contacts, 2);
  EXPECT_EQ(balls.dofs, 6);
  EXPECT_EQ(balls.rank, 6);
  EXPECT_EQ(balls.islands, 1);
  EXPECT_EQ(balls.blocks, 4);
  EXPECT_LT(balls.asymmetry, 1e-15);
  EXPECT_EQ(balls.friction_low, 0.25);
  EXPECT_EQ(balls.friction_high, 0.5);
  // W - W' of two_contacts.dat: the largest entry is |1 - 2| = 1, that of W is 6.
  EXPECT_DOUBLE_EQ(find_facts(read_problem(kData / "two_contacts.dat")).asymmetry, 1.0 / 6);
  // In gmp.dat the equations feed the lcp row; the contact is alone. Blocks: three on the diagonal, one beside.
  const ProblemFacts gmp = find_facts(read_problem(kData / "gmp.dat"));
  EXPECT_EQ(gmp.islands, 2);
  EXPECT_EQ(gmp.blocks, 4);
  EXPECT_DOUBLE_EQ(gmp.density, 4.0 / 9);
  EXPECT_EQ(gmp.equations, 1);
  EXPECT_FALSE(find_facts(read_problem(kData / "gmp.dat"), 5).rank);
  const ProblemFacts block = find_facts(read_problem(kData / "sliding_block.hdf5"));
  EXPECT_LT(*block.solution_residual, 1e-15);
  EXPECT_GT(*block.guess_residual, 0.1);
}

TEST_F(ProblemFileTest, conditions_of_a_dump_are_joined_by_or) {
  Certificate c;
  c.residual = 1e-5, c.iterations = 10, c.contacts = 50, c.times.solve = 0.5;
  const auto holds = [&](const char* text) { return DumpCondition(text, "if").holds(c); };
  EXPECT_TRUE(holds(""));
  EXPECT_TRUE(holds("residual>1e-6"));
  EXPECT_FALSE(holds("residual>1e-4"));
  EXPECT_TRUE(holds("residual>1e-4 | iterations < 11"));
  EXPECT_FALSE(holds("contacts>50|iterations>10|seconds>0.5"));
  c.residual = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(holds("residual>1"));
  for (const char* wrong : {"residual", "residual=1", "force>1", "residual>", "residual>x", "residual>1|", ">1"}) {
    EXPECT_TRUE(message_of([&] { holds(wrong); }).starts_with("if: ")) << wrong;
  }
}

TEST_F(ProblemFileTest, the_problem_of_a_step_is_what_the_step_solved) {
  const fs::path path =
      write("scene.yaml",
            "cairn: 1\nbodies:\n  - {name: ground, fixed: true, shape: {half-space: {}}}\n"
            "  - {name: \"box {i}\", repeat: {i: 3}, shape: {box: {size: [1, 1, 1]}}, "
            "position: [\"0.1 * i\", 0, \"0.5 + i\"], velocity: [0.1, 0, 0]}\n"
            "  - {name: bob, shape: {sphere: {radius: 0.2}}, position: [1, 0, 3]}\n"
            "joints:\n  - {type: ball, name: hook, between: [\"box 2\", bob], position: [0.6, 0, 3]}\n"
            "run: {duration: 0.1, step: 1/200}\n");
  Scene scene = read_scene(path);
  Simulation simulation(scene.model);
  EXPECT_FALSE(simulation.last_problem());
  ProblemDump dump(folder / "steps", "stack", DumpCondition("contacts>4", "if"));
  simulation.keep_problem(true);
  for (int i = 0; i < 5; ++i) {
    const Certificate& certificate = simulation.step();
    dump.after_step(simulation);
    ASSERT_GT(certificate.contacts, 4);
    const ProblemFile file =
        read_problem(folder / "steps" / fmt::format("stack-s{:06}-nc{}.hdf5", i + 1, certificate.contacts));
    EXPECT_EQ(file.kind, "gfc3d");
    EXPECT_EQ(file.dofs, 24);                                 // three boxes and the bob
    EXPECT_EQ(file.constraints(), certificate.contacts + 1);  // the joint is one constraint
    ASSERT_TRUE(file.solution);
    const LocalProblem local = file.local();
    // The residual of the step is recomputed from the file alone. Both are rounding where the step is exact.
    EXPECT_NEAR(compute_residual(local, file.solution->r).scaled, certificate.residual, 1e-13);
    // FCLib keeps the velocities of contacts only; that of the joint is what the residual leaves of it.
    const int contact_rows = 3 * certificate.contacts;
    const VecX difference = local.velocity(file.solution->r) - file.solution->u;
    EXPECT_LT(difference.head(contact_rows).norm(), 1e-12);
    EXPECT_LE(difference.tail(3).norm(), 1.01 * certificate.residual * local.b.norm() + 1e-12);
    // M v = f + H r with the velocities in the file.
    const GlobalProblem& global = std::get<GlobalProblem>(file.problem);
    EXPECT_LT((global.M * file.solution->v - global.f - global.H * file.solution->r).norm(), 1e-10 * global.f.norm());
    ASSERT_EQ(file.guesses.size(), 1u);
    EXPECT_EQ(file.guesses[0].r.isZero(0), i == 0);  // the first step starts cold
  }
  EXPECT_EQ(dump.written(), 5);
}

// ---- the collection, where it is at hand

TEST(ProblemCollection, every_file_is_read_with_the_sizes_of_its_table) {
  std::ifstream table(kShared / "README.md");
  if (!table) GTEST_SKIP() << "no collection of problems beside the sources";
  int count = 0;
  for (std::string line; std::getline(table, line);) {
    // | file | storage | contacts | unknowns | dof | ...
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    if (cells.size() < 6 || cells[1].find('/') == std::string::npos || !fs::is_regular_file(kShared / cells[1]))
      continue;
    ++count;
    if (cells[1].find("Rectangular") != std::string::npos) {
      const std::string message = message_of([&] { read_problem(kShared / cells[1]); });
      EXPECT_NE(message.find("3 x 2"), std::string::npos) << message;
      EXPECT_NE(message.find("over-determined"), std::string::npos) << message;
      continue;
    }
    const ProblemFile file = read_problem(kShared / cells[1]);
    std::visit([&](const auto& p) { check_problem(p, cells[1]); }, file.problem);
    const std::string folder = cells[1].substr(0, cells[1].find('/'));
    if (folder.find("fc") != std::string::npos || folder == "rolling" || folder == "generated") {
      EXPECT_EQ(file.contacts(), std::stoi(cells[3])) << cells[1];
      EXPECT_EQ(file.unknowns(), std::stoi(cells[4])) << cells[1];
      if (cells[5] != "-") {
        EXPECT_EQ(file.dofs, std::stoi(cells[5])) << cells[1];
      }
    } else {
      EXPECT_EQ(file.kind, folder) << cells[1];
      if (folder != "mlcp") {
        EXPECT_EQ(file.unknowns(), std::stoi(cells[4])) << cells[1];
      }
    }
  }
  EXPECT_GE(count, 80);
}

TEST(ProblemCollection, twins_in_two_formats_are_the_same_problem) {
  if (!fs::exists(kShared)) GTEST_SKIP() << "no collection of problems beside the sources";
  const auto read = [](const char* name) { return read_problem(kShared / name); };
  EXPECT_EQ(dense(read("fc3d/FC3D_Example1.dat")), dense(read("fc3d/FC3D_Example1_SBM.dat")));
  EXPECT_EQ(dense(read("lcp/lcp_trivial.dat")), dense(read("lcp/lcp_trivial_block.dat")));
  // Six digits in the text file.
  const MatX chute = dense(read("rolling/Chute-ndof-768-nc-4-3.hdf5"));
  EXPECT_LT((chute - dense(read("rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat"))).norm(), 1e-4 * chute.norm());
  // The local form of a global problem, condensed by another program.
  const ProblemFile rods = read("gfc3d/GFC3D_TwoRods1.dat"), condensed = read("fc3d/GFC3D_TwoRods1-condensed.dat");
  const MatX W = dense(condensed);
  EXPECT_LT((dense(rods) - W).norm(), 1e-6 * W.norm());
  EXPECT_LT((rods.local().b - condensed.local().b).norm(), 1e-6 * condensed.local().b.norm());
}

}  // namespace
}  // namespace cairn
