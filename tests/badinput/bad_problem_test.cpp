// SPDX-License-Identifier: Apache-2.0
// Damaged and wrong problem files: an Error that names the file and the place, never a crash, never much memory.
#include "cairn/base/error.h"
#include "cairn/io/problem_file.h"
#include "cli/program.h"
#include "support/places.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <sys/resource.h>

#include <fstream>

// What HDF5 itself keeps or forgets when files are damaged is not a leak of ours; the leak sanitizer asks here.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Damaged files leave things open inside HDF5, about which it would complain at the end.
const herr_t no_complaint = H5dont_atexit();

const fs::path kProblems = fs::path(source_dir()) / "tests/data/problems";

class BadProblem : public testing_program::ProgramTest {
 protected:
  /// The message with the folder taken out; empty when the file is read.
  std::string message(const std::string& name, const std::string& kind = "") const {
    try {
      read_problem(folder / name, kind);
    } catch (const Error& error) {
      std::string text = error.what();
      const std::string prefix = folder.string() + "/";
      if (text.starts_with(prefix)) text.erase(0, prefix.size());
      return text;
    }
    return {};
  }
};

struct Mistake {
  const char *from, *to;  ///< in the text of a good file
  const char* begin;      ///< of the message
  const char* phrase;     ///< in it
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(BadProblem, a_wrong_number_is_reported_at_its_line) {
  const std::vector<std::pair<const char*, std::vector<Mistake>>> cases{
      {"sliding_block.dat",
       {{"3\n1\n0", "7\n1\n0", "bad.dat:1:", "must be in [2, 5]"},
        {"3\n1\n0", "4\n1\n0", "bad.dat:1:", "expected 3 in a fc3d problem"},
        {"3\n1\n0", "3\n2\n0", "bad.dat:9:", "expected 6 x 6 for 2 contacts of 3 rows"},
        {"3\n1\n0", "3\n-1\n0", "bad.dat:2:", "number of contacts is -1"},
        {"3\n1\n0", "3\n1\n5", "bad.dat:3:", "type of W"},
        {"3 3\n1 0 0", "3 4\n1 0 0", "bad.dat:6:", "3 x 4 here and 3 x 3 before"},
        {"0 1 0", "0 x 0", "bad.dat:8:", "found 'x'"},
        {"0 1 0", "0 nan 0", "bad.dat:8:", "must be finite"},
        {"0 1 0", "0 1e999 0", "bad.dat:8:", "must be finite"},
        {"-1 1 0", "-1 inf 0", "bad.dat:10:", "must be finite"},
        {"\n0.5", "\n-0.5", "bad.dat:11:", "mu of contact 0 is -0.5; must be >= 0"},
        {"\n0.5", "", "bad.dat:10:", "mu needs 1 numbers"},
        {"\n0.5", "\n0.5 1 2 3 4 5 6 7 8", "bad.dat:11:", "8 more numbers follow"}}},
      {"two_contacts.dat",
       {{"2 4\n2 4\n3", "2 5\n2 4\n3", "bad.dat:9:", "must be in [3, 4]"},
        {"2 4\n2 4\n3", "4 2\n2 4\n3", "bad.dat:9:", "must be in [5, 4]"},
        {"\n3\n4\n0 2 4", "\n9\n4\n0 2 4", "bad.dat:11:", "row pointers"},
        {"\n3\n4\n0 2 4", "\n3\n3\n0 2 4", "bad.dat:12:", "must be in [4, 4]"},
        {"0 2 4", "0 9 4", "bad.dat:13:", "row pointer"},
        {"0 2 4", "0 2 3", "bad.dat:13:", "end with 3; expected 4"},
        {"0 1 0 1", "0 1 0 7", "bad.dat:14:", "block column"},
        {"1\n1 0 0 -1", "2\n1 0 0 -1", "bad.dat:17:", "number of a block"}}},
      {"two_balls.dat",
       {{"6-by-6, nzmax: 6", "6-by-5, nzmax: 6", "bad.dat:8:", "6 x 5 here and 6 x 6 before"},
        {"nnz: 6", "nnz: 99999", "bad.dat:", "needs 199998 numbers"},
        {"nnz: 6", "nnz: x", "bad.dat:8:", "nnz"},
        {"5 5 : 1", "6 5 : 1", "bad.dat:14:", "row of an entry of M is 6"},
        {"5 5 : 1", "5 5 = 1", "bad.dat:14:", "expected ':'"},
        {"locations 3 to 4", "locations 3 to 90", "bad.dat:27:", "must be in"},
        {"col 4", "col 3", "bad.dat:30:", "must be in [4, 4]"},
        {"0.5 0.25", "0.5 -0.25", "bad.dat:38:", "mu of contact 1"}}},
      {"rolling_ball.dat", {{"\n0.1", "\n-0.1", "bad.dat:14:", "mu_r of contact 0 is -0.1"}}},
      {"relay.dat", {{"1 1 1", "1 -2 1", "bad.dat:11:", "row 1: bounds [-1, -2] hold nothing"}}},
      {"mlcp.dat",
       {{"1\n1\n1\n2", "0\n0\n1\n2", "bad.dat:2:", "both flags are 0"},
        {"0 1 3", "0 2 3", "bad.dat:6:", "the blocks have 2 equations; expected 1"},
        {"\n-1\n1 -3", "\n-1\n1 -4", "bad.dat:22:", "the two storages differ by 1"}}},
      {"gmp.dat",
       {{"\n4\n0.5", "\n9\n0.5", "bad.dat:24:", "no place for its bounds"},
        {"\n4\n0.5", "\n7\n0.5", "bad.dat:24:", "must be 0 (lcp), 2 (equality) or 4"},
        {"2\n0\n4", "4\n0\n4", "bad.dat:22:", "a 3D contact has 3 rows; this block has 2"}}},
  };
  for (const auto& [file, mistakes] : cases) {
    const std::string good = testing_program::text_of(kProblems / file), kind = read_problem(kProblems / file).kind;
    for (const Mistake& mistake : mistakes) {
      write("bad.dat", replaced(good, mistake.from, mistake.to));
      const std::string text = message("bad.dat", kind);
      EXPECT_TRUE(text.starts_with(mistake.begin)) << file << ": " << mistake.to << "\n" << text;
      EXPECT_NE(text.find(mistake.phrase), std::string::npos) << file << ": " << mistake.to << "\n" << text;
    }
  }
}

TEST_F(BadProblem, without_a_kind_the_layout_that_fits_furthest_speaks) {
  const std::string good = testing_program::text_of(kProblems / "sliding_block.dat");
  write("bad.dat", replaced(good, "0 1 0", "0 x 0"));
  EXPECT_EQ(message("bad.dat"),
            "bad.dat:8: expected W, a number; found 'x' (read as local, the layout that fits furthest; --kind asks for "
            "another)");
  write("bad.dat", replaced(good, "3\n1\n0", "3\n2\n0"));
  EXPECT_TRUE(message("bad.dat").starts_with("bad.dat:9: W is 3 x 3; expected 6 x 6 for 2 contacts of 3 rows"));
}

TEST_F(BadProblem, every_beginning_of_a_text_file_is_refused_until_its_last_number) {
  for (const char* file : {"sliding_block.dat", "two_contacts.dat", "two_balls.dat", "rolling_ball.dat", "lcp.dat",
                           "relay.dat", "gmp.dat"}) {
    const std::string good = testing_program::text_of(kProblems / file);
    const std::string kind = read_problem(kProblems / file).kind;
    // The last number; a comment may follow.
    const std::size_t comment = std::min(good.find("\nSolution"), good.size());
    const std::size_t end = good.find_last_of("0123456789", comment), last = good.find_last_of(" \n", end) + 1;
    for (std::size_t size = 0; size <= good.size(); ++size) {
      write("cut.dat", good.substr(0, size));
      const std::string text = message("cut.dat", kind);
      if (size <= last) {
        EXPECT_NE(text, "") << file << " cut at " << size;
        EXPECT_TRUE(text.starts_with("cut.dat:")) << text;
      }
      if (size > end) {
        EXPECT_EQ(text, "") << file << " cut at " << size;
      }
    }
  }
}

TEST_F(BadProblem, sizes_that_the_file_cannot_hold_take_no_memory) {
  struct rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  for (const char* text :
       {"3 2000000000 0 6000000000 6000000000 1", "3 1000000000 1 3 3 1 1 1 3 3 2 1", "5 99999999999999999999 0",
        "2000000000 0 2000000000 2000000000 2000000000 2000000000 1", "3 1 0 100000 100000 100000 100000 1 2 3",
        "3 1 1 3 3 2000000000 1 1 3 3", "3 1 2 3 3 2\ntext\n3-by-3, nzmax: 1 nnz: 2000000000, 1-norm: 1\n",
        "1 0 2000000000 2000000000 0", "0 1 2147483647 2147483647 1", "1 2000000000 2000000000 1 1 1 1 1"}) {
    write("huge.dat", text);
    EXPECT_TRUE(message("huge.dat").starts_with("huge.dat:")) << text;
  }
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // kB
}

TEST_F(BadProblem, what_is_no_problem_says_what_was_expected) {
  write("empty.dat", "");
  write("space.dat", " \n\n");
  write("words.dat", "hello world\n");
  write("binary.dat", std::string("3 1 \0\1\2", 7));
  EXPECT_NE(message("empty.dat").find("is empty"), std::string::npos);
  EXPECT_NE(message("space.dat").find("is empty"), std::string::npos);
  EXPECT_NE(message("words.dat").find("found 'hello'"), std::string::npos);
  EXPECT_NE(message("binary.dat").find("neither an HDF5 file nor text"), std::string::npos);
  EXPECT_NE(message("none.dat").find("no such file"), std::string::npos);
  EXPECT_NE(message("").find("is a directory"), std::string::npos);
}

// ---- HDF5

/// A small file of ours, with everything that a file can have.
std::string good_hdf5(const fs::path& path) {
  ProblemFile file = read_problem(kProblems / "two_balls.dat");
  auto& problem = std::get<GlobalProblem>(file.problem);
  problem.law.push_back({.kind = LawKind::Bilateral});
  problem.offset.push_back(7);
  problem.H.conservativeResize(6, 7);
  problem.H.coeffRef(4, 6) = 1;
  problem.w.conservativeResize(7);
  problem.w[6] = 0;
  file.title = "Two balls";
  file.solution = ProblemSolution{VecX::Ones(7), VecX::Ones(7), VecX::Ones(6)};
  file.guesses = {*file.solution};
  write_problem(path, file);
  return testing_program::text_of(path);
}

TEST_F(BadProblem, an_hdf5_file_with_changed_or_missing_bytes_is_read_or_refused) {
  const std::string good = good_hdf5(folder / "good.hdf5");
  ASSERT_EQ(message("good.hdf5"), "");
  int refused = 0, count = 0;
  std::uint64_t random = 88172645463325252ull;
  const auto next = [&] {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    return random >> 11;
  };
  for (int i = 0; i < 400; ++i, ++count) {
    std::string bad = good;
    for (int k = 0; k <= i % 3; ++k) bad[next() % bad.size()] ^= static_cast<char>(1u << next() % 8);
    write("bad.hdf5", bad);
    const std::string text = message("bad.hdf5");
    if (!text.empty()) {
      ++refused;
      EXPECT_TRUE(text.starts_with("bad.hdf5:")) << text;
    }
  }
  EXPECT_GT(refused, count / 10);
  for (std::size_t size = 0; size < good.size(); size += 97) {
    write("cut.hdf5", good.substr(0, size));
    EXPECT_NE(message("cut.hdf5"), "") << size;
  }
}

TEST_F(BadProblem, wrong_data_sets_are_named) {
  const auto broken = [&](const std::function<void(ProblemFile&)>& change) {
    ProblemFile file = read_problem(kProblems / "two_balls.dat");
    change(file);
    write_problem(folder / "bad.hdf5", file);
    return message("bad.hdf5");
  };
  using G = GlobalProblem;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(
      broken([&](ProblemFile& f) { std::get<G>(f.problem).f[2] = nan; }).find("/fclib_global/vectors/f[2] is nan"),
      std::string::npos);
  EXPECT_NE(broken([&](ProblemFile& f) {
              std::get<G>(f.problem).law[1].mu = -1;
            }).find("/fclib_global/vectors/mu[1] is -1; must be >= 0"),
            std::string::npos);
  EXPECT_NE(broken([&](ProblemFile& f) {
              std::get<G>(f.problem).H.coeffRef(2, 0) = nan;
            }).find("/fclib_global/H/x[0] is nan"),
            std::string::npos);
  EXPECT_NE(broken([&](ProblemFile& f) {
              std::get<G>(f.problem).f.conservativeResize(5);
            }).find("/fclib_global/vectors/f has 5 values; expected 6"),
            std::string::npos);
  EXPECT_NE(broken([&](ProblemFile& f) {
              std::get<G>(f.problem).M.resize(6, 5);
            }).find("/fclib_global/M is 6 x 5; expected 6 x 6"),
            std::string::npos);
  EXPECT_EQ(broken([](ProblemFile&) {}), "");
}

// ---- the program

TEST_F(BadProblem, the_program_ends_with_2_and_writes_nothing) {
  write("bad.dat", replaced(testing_program::text_of(kProblems / "sliding_block.dat"), "\n0.5", "\n-0.5"));
  fs::copy(kProblems / "lcp.dat", folder / "lcp.dat");
  for (const std::vector<std::string>& args : {std::vector<std::string>{"solve", "bad.dat"},
                                               {"info", "bad.dat"},
                                               {"convert", "bad.dat", "out.hdf5"},
                                               {"solve", "bad.dat", "--json"},
                                               {"solve", "lcp.dat", "bad.dat", "--csv"}}) {
    const testing_program::Result result = run(args);
    EXPECT_EQ(result.status, 2) << args[0] << result.err;
    EXPECT_TRUE(result.err.starts_with("bad.dat:11: mu of contact 0 is -0.5")) << result.err;
    EXPECT_EQ(result.out, "");
  }
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"solve"},
        {"solve", "none.dat"},
        {"solve", "lcp.dat", "--solver", "magic"},
        {"solve", "lcp.dat", "--tol", "-1"},
        {"solve", "lcp.dat", "--set", "nonsense=1"},
        {"solve", "lcp.dat", "--set", "nonsense"},
        {"solve", "lcp.dat", "--kind", "lpc"},
        {"solve", "lcp.dat", "--kind", "mlcp"},
        {"solve", "lcp.dat", "--start", "one"},
        {"solve", "lcp.dat", "--repeat", "0"},
        {"solve", "lcp.dat", "--json", "--csv"},
        {"solve", "lcp.dat", "--write-solution", "solved"},  // FCLib has no place for it
        {"convert", "lcp.dat", "out.hdf5"},
        {"convert", "lcp.dat", "out.stl"},
        {"convert", "lcp.dat", "lcp.dat"},
        {"convert", "lcp.dat", "out.dat", "--storage", "paper"}}) {
    const testing_program::Result result = run(args);
    EXPECT_EQ(result.status, 2) << args.back() << result.err;
    EXPECT_EQ(result.out, "") << args.back();
    EXPECT_NE(result.err, "") << args.back();
  }
  EXPECT_EQ(files().size(), 2u);
}

}  // namespace
}  // namespace cairn
