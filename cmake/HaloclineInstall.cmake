# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Makes the installed tree a CMake package: find_package(halocline) gives halocline::halocline.

include(CMakePackageConfigHelpers)
set(halocline_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/halocline")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/halocline-config.cmake.in"
    "${PROJECT_BINARY_DIR}/halocline-config.cmake" INSTALL_DESTINATION "${halocline_package_dir}")
# Before 1.0 any minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/halocline-config-version.cmake"
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)

install(TARGETS halocline halocline_compile_options EXPORT halocline_targets)
install(EXPORT halocline_targets NAMESPACE halocline:: FILE halocline-targets.cmake
        DESTINATION "${halocline_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/halocline-config.cmake"
              "${PROJECT_BINARY_DIR}/halocline-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/HaloclineCuda.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/HaloclineDependencies.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/HaloclineDevices.cmake"
        DESTINATION "${halocline_package_dir}")
install(PROGRAMS "${PROJECT_SOURCE_DIR}/cmake/close_device_image.sh" DESTINATION "${halocline_package_dir}")
install(FILES "${HALOCLINE_GENERATED_DIR}/halocline/core/build_info.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/halocline/core")
install(FILES "${PROJECT_SOURCE_DIR}/src/halocline/halocline.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/halocline")
