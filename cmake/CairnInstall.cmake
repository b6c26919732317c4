# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the program, the headers, one library per room, and a package for find_package(Cairn).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Cairn)

get_property(rooms GLOBAL PROPERTY CAIRN_ROOMS)
list(TRANSFORM rooms PREPEND cairn_ OUTPUT_VARIABLE room_targets)
install(TARGETS ${room_targets} cairn_all EXPORT CairnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT CairnTargets NAMESPACE Cairn:: DESTINATION ${package_dir})
foreach(room ${rooms})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/cairn/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cairn
          FILES_MATCHING PATTERN "*.h")
endforeach()
if(TARGET cairn)
  install(TARGETS cairn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS cairn-validate RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)  # where it was built
endif()

# The find_dependency() lines of the configuration mirror the find_package() lines of the root CMakeLists.txt, for
# every target that a room links (LINKS in src/cairn/CMakeLists.txt); the test install_and_consume notices a missing one.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/CairnConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/CairnConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/CairnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/CairnConfig.cmake ${PROJECT_BINARY_DIR}/cmake/CairnConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
