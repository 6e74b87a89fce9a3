# make install: command, libraries, headers, pkg-config, CMake package, man pages, completions.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kanon)

if(TARGET kanon_command)
  install(TARGETS kanon_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS kanon EXPORT kanonTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS kanon_static EXPORT kanonStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/kanon.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/kanon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

install(EXPORT kanonTargets NAMESPACE kanon:: DESTINATION ${package_dir})
install(EXPORT kanonStaticTargets NAMESPACE kanon:: DESTINATION ${package_dir})
set_target_properties(kanon_static PROPERTIES EXPORT_NAME static)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/kanonConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/kanonConfig.cmake.in kanonConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/kanonConfig.cmake ${CMAKE_BINARY_DIR}/kanonConfigVersion.cmake
  DESTINATION ${package_dir})

# The prefix is found from where the file lies, so the tree can be moved or staged.
file(RELATIVE_PATH KN_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" KN_PC_PREFIX "${KN_PC_PREFIX}")
list(JOIN KN_PC_REQUIRES ", " KN_PC_REQUIRES_TEXT)
configure_file(cmake/kanon.pc.in kanon.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/kanon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${CMAKE_BINARY_DIR}/kanon.cdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR})

foreach(section 1 3 5 7)
  file(GLOB pages CONFIGURE_DEPENDS man/*.${section})
  if(pages)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endif()
endforeach()
install(DIRECTORY ${CMAKE_BINARY_DIR}/pages/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(FILES ${CMAKE_BINARY_DIR}/pages/kanon.bash RENAME kanon OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/pages/_kanon OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
