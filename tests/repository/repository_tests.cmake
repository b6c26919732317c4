# SPDX-License-Identifier: Apache-2.0
# Registers the tests of the repository itself: layering, headers, map, format, names, install, scripts.

# Debian's Python first: its packages (python3-yaml, python3-jsonschema) belong to it and not to another one on the PATH.
find_program(CAIRN_PYTHON NAMES python3 HINTS /usr/bin NO_CMAKE_ENVIRONMENT_PATH REQUIRED)
set(here ${CMAKE_CURRENT_LIST_DIR})

function(cairn_repository_test name)
  add_test(NAME repository.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(repository.${name} PROPERTIES LABELS repository TIMEOUT 120 SKIP_RETURN_CODE 77
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endfunction()

foreach(name layering headers architecture format names run_script schema viewer_packages)
  cairn_repository_test(${name} ${CAIRN_PYTHON} ${here}/${name}_test.py)
endforeach()

cairn_repository_test(install_and_consume ${CAIRN_PYTHON} ${here}/install_and_consume.py
  ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
set_tests_properties(repository.install_and_consume PROPERTIES TIMEOUT 300 RUN_SERIAL ON)

# The target header_check, for ./test --full: every header compiles alone, one source per header that includes nothing
# else (the test `headers` above reads the text only). Parsing Eigen is nearly all of the
# cost, so a header that includes cairn/math/types.h (itself or through others) gets exactly that file precompiled: it is
# what the compiler would have read anyway. The others are compiled with nothing.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/cairn/*/*.h)
set(with_types cairn/math/types.h)
set(waiting ${headers})
list(REMOVE_ITEM waiting cairn/math/types.h)
set(grown TRUE)
while(grown)
  set(grown FALSE)
  foreach(header ${waiting})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} lines REGEX "^#include \"cairn/")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      if(included IN_LIST with_types)
        list(APPEND with_types ${header})
        list(REMOVE_ITEM waiting ${header})
        set(grown TRUE)
        break()
      endif()
    endforeach()
  endforeach()
endwhile()
list(REMOVE_ITEM with_types cairn/math/types.h)
list(APPEND waiting cairn/math/types.h)

function(cairn_header_check target)
  set(sources)
  foreach(header ${ARGN})
    set(source ${PROJECT_BINARY_DIR}/header_check/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${target} PRIVATE Cairn::cairn)
  target_compile_options(${target} PRIVATE -O0)  # nothing is run: only the parsing counts
  # Ninja repeats only what changed, so no ccache; headers need no library to be built first.
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "" OPTIMIZE_DEPENDENCIES ON)
endfunction()
cairn_header_check(header_check_plain ${waiting})
add_custom_target(header_check DEPENDS header_check_plain)
if(with_types)
  cairn_header_check(header_check_math ${with_types})
  target_precompile_headers(header_check_math PRIVATE ${PROJECT_SOURCE_DIR}/src/cairn/math/types.h)
  add_dependencies(header_check header_check_math)
endif()

# Static analysis of the room everything rests on; scripts/tidy.sh alone, or ./test --full, analyses the whole library
# (minutes: a source that includes Eigen takes clang-tidy about ten seconds).
file(GLOB base_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cairn/base/*.cpp)
cairn_repository_test(tidy_base ${PROJECT_SOURCE_DIR}/scripts/tidy.sh --quick ${base_sources})
set_tests_properties(repository.tidy_base PROPERTIES TIMEOUT 600 RUN_SERIAL ON
  ENVIRONMENT "CAIRN_BUILD_DIR=${PROJECT_BINARY_DIR}")
