# SPDX-License-Identifier: Apache-2.0
# Compiler settings shared by every target, and the two helpers that declare rooms and their tests.
include(CheckCXXSourceRuns)
include(GNUInstallDirs)
enable_language(C)  # CMake's search for HDF5 compiles a C file

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE)
  # PCH and ccache work together only with these sloppiness settings. Paths below the project count relative to it and the
  # folder of the build not at all, so that another checkout is served too where it got the same precompiled header from
  # the cache: one that was compiled again has other bits, and then nothing behind it is found.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CAIRN_CCACHE})
  add_compile_options(-fpch-preprocess)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
# GCC 12 sees overruns that are not there where Eigen writes a run-time number of entries into a fixed vector.
# -Wrestrict of GCC 12 is wrong about std::string + (GCC bug 105651).
add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
if(CAIRN_WERROR)
  add_compile_options(-Werror)
endif()
# sqrt without errno vectorises; NaN and infinity keep their IEEE meaning (checks for them must work).
add_compile_options(-fno-math-errno)

# AVX2 and FMA where the building machine has them. Eigen's alignment is pinned in cairn_room() below,
# so a consumer compiled without this flag still agrees on every layout.
if(CAIRN_ARCH STREQUAL "auto")
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs("#include <immintrin.h>
    int main(){ volatile double x=2; __m256d a=_mm256_set1_pd(x); a=_mm256_fmadd_pd(a,a,a);
                double b[4]; _mm256_storeu_pd(b,a); return b[0]==6?0:1; }" CAIRN_HAS_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(CAIRN_HAS_V3)
    add_compile_options(-march=x86-64-v3)
  endif()
elseif(NOT CAIRN_ARCH STREQUAL "none")
  add_compile_options(-march=${CAIRN_ARCH})
endif()

if(CAIRN_SANITIZE)
  add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CAIRN_SANITIZE})
endif()

# What nearly every source of the library includes, or instantiates over and over.
set(CAIRN_PRECOMPILED <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span> <string> <variant> <vector>
    <Eigen/Dense> <Eigen/SparseCore> <fmt/format.h> <cairn/math/types.h>)

# cairn_room(name USES room... LINKS target...): src/cairn/<name>/*.cpp and <name>/study/*.cpp (what repeats published
# comparisons) as the library Cairn::<name>.
function(cairn_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${name}/study/*.cpp)
  set(scope PUBLIC)
  if(sources AND name IN_LIST CAIRN_PREBUILT_ROOMS)
    add_library(cairn_${name} STATIC IMPORTED GLOBAL)
    set_target_properties(cairn_${name} PROPERTIES IMPORTED_LOCATION
      ${CAIRN_PREBUILT}/src/cairn/${CMAKE_STATIC_LIBRARY_PREFIX}cairn_${name}${CMAKE_STATIC_LIBRARY_SUFFIX})
    set(scope INTERFACE)
  elseif(sources)
    add_library(cairn_${name} STATIC ${sources})
    if(name STREQUAL "base")
      target_precompile_headers(cairn_base PRIVATE ${CAIRN_PRECOMPILED})
    else()
      target_precompile_headers(cairn_${name} REUSE_FROM cairn_base)
    endif()
  else()
    add_library(cairn_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(Cairn::${name} ALIAS cairn_${name})
  if(NOT name IN_LIST CAIRN_PREBUILT_ROOMS)
    set_target_properties(cairn_${name} PROPERTIES EXPORT_NAME ${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY CAIRN_ROOMS ${name})  # for CairnInstall
  target_compile_features(cairn_${name} ${scope} cxx_std_20)
  target_include_directories(cairn_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # One layout of fixed-size Eigen types and one heap alignment whatever the consumer's -march: without the second,
  # a vector made here (AVX: 32 bytes, Eigen's own allocator) would be freed there with plain free().
  target_compile_definitions(cairn_${name} ${scope} EIGEN_MAX_STATIC_ALIGN_BYTES=16 EIGEN_MAX_ALIGN_BYTES=64)
  target_link_libraries(cairn_${name} ${scope} Eigen3::Eigen fmt::fmt ${ROOM_LINKS})
  foreach(other ${ROOM_USES})
    target_link_libraries(cairn_${name} ${scope} Cairn::${other})
  endforeach()
endfunction()
