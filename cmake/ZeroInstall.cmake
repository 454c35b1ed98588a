# What `cmake --install` puts into a prefix: the compiler for host programs, its runtime,
# two headers, the tools, and the package file by which find_package(Zero) finds them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS zero zrt EXPORT ZeroTargets)
install(TARGETS zero-run zero-opt)
install(FILES include/zero/Compiler.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zero)
install(FILES runtime/include/zrt.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Zero)
install(EXPORT ZeroTargets NAMESPACE Zero:: DESTINATION ${package_dir})
configure_package_config_file(cmake/ZeroConfig.cmake.in ZeroConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ZeroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ZeroConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ZeroConfigVersion.cmake DESTINATION ${package_dir})
