# The gate as a library for other programs, and what `cmake --install` puts where.
# The archive holds the objects of the modules that the gate consists of.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)

add_library(agentlock_package STATIC
  $<TARGET_OBJECTS:agentlock> $<TARGET_OBJECTS:url> $<TARGET_OBJECTS:gate_base>)
add_library(agentlock::agentlock ALIAS agentlock_package)
set_target_properties(agentlock_package PROPERTIES
  LINKER_LANGUAGE CXX
  EXPORT_NAME agentlock
  OUTPUT_NAME agentlock
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package)
target_compile_features(agentlock_package INTERFACE cxx_std_20)
target_include_directories(agentlock_package INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(agentlock_package INTERFACE
  tl::expected nlohmann_json::nlohmann_json
  sodium::sodium stemmer::stemmer OpenSSL::Crypto ICU::i18n ICU::uc ICU::data)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/agentlock)
configure_package_config_file(cmake/agentlock-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/agentlock-config.cmake
  INSTALL_DESTINATION ${package_folder})
# Below 1.0 a minor version may change anything.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/agentlock-config-version.cmake
  COMPATIBILITY SameMinorVersion)

install(TARGETS agentlock-browser)
install(TARGETS agentlock_package EXPORT agentlock)
install(DIRECTORY include/agentlock DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT agentlock NAMESPACE agentlock:: FILE agentlock-targets.cmake
  DESTINATION ${package_folder})
install(FILES
  ${PROJECT_BINARY_DIR}/package/agentlock-config.cmake
  ${PROJECT_BINARY_DIR}/package/agentlock-config-version.cmake
  cmake/Findsodium.cmake
  cmake/Findstemmer.cmake
  DESTINATION ${package_folder})
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
