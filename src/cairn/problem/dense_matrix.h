// SPDX-License-Identifier: Apache-2.0
// W of a local problem as one dense matrix, for problems small enough and for tests.
#pragma once
#include "cairn/problem/local_problem.h"

namespace cairn {

MatX to_dense(const LocalProblem& problem);

}  // namespace cairn
