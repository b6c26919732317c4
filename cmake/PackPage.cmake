# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=viewer -DBINARY=DIR -DPACK=FILE -DNPM=npm -P PackPage.cmake: builds the page into DIR/dist and packs its
# files: lines "SIZE PATH", an empty line, the files. Whatever is missing, there is a page that says so, BINARY/failed holds
# the reason for ./run and the tests to tell, and the build of Cairn goes on.
set(dist ${BINARY}/dist)
set(reason "")
file(REMOVE_RECURSE ${dist})
file(REMOVE ${BINARY}/failed)
file(MAKE_DIRECTORY ${BINARY})

if(NOT EXISTS ${SOURCE}/package.json)
  set(reason "its sources (viewer/) were not there")
elseif(NPM STREQUAL "")
  set(reason "npm was not found; install nodejs and npm")
endif()

# Node's version first: what npm and the bundler say about one that is too old leads nobody to the cause.
if(reason STREQUAL "")
  file(READ ${SOURCE}/package.json package)
  string(JSON oldest ERROR_VARIABLE problem GET "${package}" engines node)
  string(REPLACE ">=" "" oldest "${oldest}")
  execute_process(COMMAND node --version OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "v" "" version "${version}")
  if(NOT status EQUAL 0)
    set(reason "node was not found; install nodejs and npm")
  elseif(NOT problem AND version VERSION_LESS oldest)
    set(reason "it needs Node ${oldest} or newer, and Node here is ${version}")
  endif()
endif()

if(reason STREQUAL "")
  # Packages are fetched when the lock file has changed since.
  set(stamp ${SOURCE}/node_modules/.package-lock.json)
  if(NOT EXISTS ${stamp} OR ${SOURCE}/package-lock.json IS_NEWER_THAN ${stamp})
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_FILE ${BINARY}/npm.log ERROR_FILE ${BINARY}/npm.log RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      # `npm ci` also refuses a lock file that lists no packages of other systems, as a registry without them gives. The
      # versions of the lock file hold here too, and it is left as it is.
      execute_process(COMMAND ${NPM} install --no-save --no-audit --no-fund WORKING_DIRECTORY ${SOURCE}
                      OUTPUT_FILE ${BINARY}/npm.log ERROR_FILE ${BINARY}/npm.log RESULT_VARIABLE status)
    endif()
    if(NOT status EQUAL 0)
      set(reason "npm could not fetch its packages (is the registry reachable? see ${BINARY}/npm.log)")
    else()
      file(TOUCH ${stamp})
    endif()
  endif()
  if(reason STREQUAL "")
    execute_process(COMMAND ${NPM} run build -- --outDir ${dist} --emptyOutDir WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_FILE ${BINARY}/build.log ERROR_FILE ${BINARY}/build.log RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR NOT EXISTS ${dist}/index.html)
      set(reason "its build failed (see ${BINARY}/build.log)")
    endif()
  endif()
endif()

if(NOT reason STREQUAL "")
  message(WARNING "The viewer's page was not built: ${reason}.")
  file(WRITE ${BINARY}/failed "${reason}\n")
  file(REMOVE_RECURSE ${dist})
  file(WRITE ${dist}/index.html "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Cairn</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style></head>
<body><h1>Cairn is running, but its page is not there</h1>
<p>When this program was built, the viewer's page was left out: ${reason}.</p>
<p>The server works: <a href=\"/api/model\">/api/model</a> describes what it shows (docs/viewer-protocol.md).
For pictures without the page: <code>cairn run SCENE --picture x.png</code>.</p></body></html>
")
endif()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${dist} ${dist}/*)
list(SORT files)
set(index "")
set(paths "")
foreach(file ${files})
  file(SIZE ${dist}/${file} size)
  string(APPEND index "${size} /${file}\n")
  list(APPEND paths ${dist}/${file})
endforeach()
file(WRITE ${BINARY}/index.txt "${index}\n")
execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${BINARY}/index.txt ${paths} OUTPUT_FILE ${PACK} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The viewer's page could not be packed.")
endif()
