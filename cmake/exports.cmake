# Writes the linker's version script from the public headers: what they declare is exported.
# Sets KN_EXPORTS (the script) and KN_EXPORTS_LIST (one name a line, for the test of it).
file(GLOB public_headers CONFIGURE_DEPENDS include/kanon/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})

# A declaration starts in the first column and its name comes before the first parenthesis; typedefs
# of functions have "(*" there, so they do not match.
set(names)
foreach(header ${public_headers})
  file(READ ${header} text)
  string(REGEX MATCHALL "\n[a-z][a-z0-9_ *\n]*[ *]kn_[a-z0-9_]+\\(" declarations "${text}")
  foreach(declaration IN LISTS declarations)
    string(REGEX MATCH "kn_[a-z0-9_]+\\($" name "${declaration}")
    string(REPLACE "(" "" name "${name}")
    list(APPEND names ${name})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)

set(KN_EXPORTS ${CMAKE_BINARY_DIR}/kanon.map)
set(KN_EXPORTS_LIST ${CMAKE_BINARY_DIR}/kanon.exports)
list(JOIN names ";\n        " joined)
file(CONFIGURE OUTPUT ${KN_EXPORTS} @ONLY
  CONTENT "KANON_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ {\n    global:\n        @joined@;\n    local:\n        *;\n};\n")
list(JOIN names "\n" joined)
file(CONFIGURE OUTPUT ${KN_EXPORTS_LIST} CONTENT "@joined@\n" @ONLY)
