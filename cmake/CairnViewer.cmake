# SPDX-License-Identifier: Apache-2.0
# The viewer's page as one file to put into the program: viewer/ built by npm where Node is there, else a page that says
# what is missing. Made again only when a source of the page changes.
set(CAIRN_PAGE_PACK ${PROJECT_BINARY_DIR}/viewer/page.pack)
option(CAIRN_BUILD_VIEWER "Build the viewer's page with npm" ON)
find_program(CAIRN_NPM npm)
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
file(GLOB page_sources CONFIGURE_DEPENDS ${viewer}/*.json ${viewer}/*.html ${viewer}/*.ts ${viewer}/*.js ${viewer}/*.mjs)
file(GLOB_RECURSE page_tree CONFIGURE_DEPENDS ${viewer}/src/* ${viewer}/public/*)
# A page that could not be built is tried again when the build is configured again.
if(EXISTS ${PROJECT_BINARY_DIR}/viewer/failed)
  file(REMOVE ${CAIRN_PAGE_PACK})
endif()
set(npm "")
if(CAIRN_BUILD_VIEWER AND CAIRN_NPM)
  set(npm ${CAIRN_NPM})
endif()
add_custom_command(
  OUTPUT ${CAIRN_PAGE_PACK}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${viewer} -DBINARY=${PROJECT_BINARY_DIR}/viewer -DPACK=${CAIRN_PAGE_PACK} "-DNPM=${npm}"
          -P ${PROJECT_SOURCE_DIR}/cmake/PackPage.cmake
  DEPENDS ${page_sources} ${page_tree} ${PROJECT_SOURCE_DIR}/cmake/PackPage.cmake
  COMMENT "Viewer's page"
  VERBATIM)
add_custom_target(viewer DEPENDS ${CAIRN_PAGE_PACK})
