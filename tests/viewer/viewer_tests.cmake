# SPDX-License-Identifier: Apache-2.0
# Registers the tests of the viewer's page: its units (vitest) and the page in headless Chromium, with the program built here.
# Where Node, the packages of viewer/ or Chromium are missing they are skipped, and say so.

find_program(CAIRN_NPM npm)
find_program(CAIRN_NODE node)
if(CAIRN_NPM AND CAIRN_NODE AND EXISTS ${PROJECT_SOURCE_DIR}/viewer/package.json)
  set(packages "[ -d node_modules ] || { echo 'skipped: the packages of viewer/ are not installed (npm ci)'; exit 77; }")
  add_test(NAME viewer.unit COMMAND sh -c "${packages}; exec '${CAIRN_NPM}' test" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/viewer)
  add_test(NAME viewer.page COMMAND sh -c "${packages}; exec '${CAIRN_NODE}' e2e/run.mjs" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/viewer)
  set_tests_properties(viewer.unit viewer.page PROPERTIES LABELS viewer TIMEOUT 400 SKIP_RETURN_CODE 77
    ENVIRONMENT "CAIRN=$<TARGET_FILE:cairn>;CAIRN_DIST=${PROJECT_BINARY_DIR}/viewer/dist")
  set_tests_properties(viewer.page PROPERTIES RUN_SERIAL ON)
endif()
