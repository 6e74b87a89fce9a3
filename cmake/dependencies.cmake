# What kanon stands on. Required: threads, jansson (JSON), nettle (SHA-256), expat (XML). Optional: zlib, zstd, SQLite, GEOS (maps).
# Sets KN_LIBRARIES, KN_PC_REQUIRES (names for pkg-config) and the definitions KN_HAVE_*.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
# 2.4 is the first that limits by itself what entities may grow to.
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat>=2.4)

set(KN_LIBRARIES PkgConfig::JANSSON PkgConfig::NETTLE PkgConfig::EXPAT Threads::Threads m)
set(KN_PC_REQUIRES jansson nettle expat)
set(KN_PC_TARGETS JANSSON=jansson NETTLE=nettle EXPAT=expat) # PkgConfig::NAME=module

# After these a least version may follow. name: of the definition and the option KN_WITH_<name>; feature: as `kanon --version` says it.
function(kn_optional name pc package feature)
  option(KN_WITH_${name} "use ${pc} when it is there" ON)
  if(KN_WITH_${name})
    pkg_check_modules(${name} IMPORTED_TARGET GLOBAL ${pc}${ARGN})
  endif()
  if(KN_WITH_${name} AND ${name}_FOUND)
    add_compile_definitions(KN_HAVE_${name})
    set(KN_LIBRARIES ${KN_LIBRARIES} PkgConfig::${name} PARENT_SCOPE)
    set(KN_PC_REQUIRES ${KN_PC_REQUIRES} ${pc} PARENT_SCOPE)
    set(KN_PC_TARGETS ${KN_PC_TARGETS} ${name}=${pc} PARENT_SCOPE)
  else()
    message(STATUS "kanon: ${feature} is left out: ${pc} was not found or not wanted "
                   "(package ${package}, option KN_WITH_${name})")
  endif()
endfunction()

kn_optional(ZLIB zlib zlib1g-dev gzip)
kn_optional(ZSTD libzstd libzstd-dev zstd)
kn_optional(SQLITE sqlite3 libsqlite3-dev sqlite)
# 3.11 is the first with GEOSGeom_transformXY.
kn_optional(GEOS geos libgeos-dev geos >=3.11)
# What geos.pc asks a static program to link with is not installed on Debian; its C library is enough.
set(KN_PC_PRIVATE_LIBS "-lpthread -lm")
if(KN_WITH_GEOS AND GEOS_FOUND)
  list(REMOVE_ITEM KN_PC_REQUIRES geos)
  string(APPEND KN_PC_PRIVATE_LIBS " -lgeos_c")
endif()
