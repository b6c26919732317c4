// SPDX-License-Identifier: Apache-2.0
// This project is compiled without the library's -march; the layouts that cross the border must not depend on it.
#include "cairn/math/types.h"

static_assert(EIGEN_MAX_STATIC_ALIGN_BYTES == 16, "fixed-size types: one alignment in every program");
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 64, "heap: one alignment, so one allocator, in every program");
static_assert(alignof(cairn::Quat) == 16 && sizeof(cairn::Quat) == 32);
static_assert(alignof(cairn::Vec3) == 8 && sizeof(cairn::Vec3) == 24);
