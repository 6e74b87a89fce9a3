# The list of what libkanon and the command are made of and linked with, in CycloneDX's form (JSON),
# from what this configuration found. It holds no time and no random number, so that builds stay
# reproducible. Installed beside the documentation.
function(kn_sbom file)
  set(components "")
  set(references "")
  foreach(pair ${KN_PC_TARGETS})
    string(REGEX REPLACE "=.*" "" prefix ${pair})
    string(REGEX REPLACE ".*=(lib)?" "" name ${pair})
    set(license_jansson MIT)
    set(license_nettle "LGPL-3.0-or-later OR GPL-2.0-or-later")
    set(license_expat MIT)
    set(license_zlib Zlib)
    set(license_zstd BSD-3-Clause)
    set(license_geos LGPL-2.1-or-later)
    set(license_sqlite3 blessing)
    set(licenses "")
    if(license_${name})
      set(licenses ",\n      \"licenses\": [{ \"expression\": \"${license_${name}}\" }]")
    endif()
    list(APPEND components "    {
      \"type\": \"library\",
      \"bom-ref\": \"${name}\",
      \"name\": \"${name}\",
      \"version\": \"${${prefix}_VERSION}\",
      \"scope\": \"required\"${licenses}
    }")
    list(APPEND references "\"${name}\"")
  endforeach()
  list(JOIN components ",\n" components)
  list(JOIN references ", " references)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.5\",
  \"version\": 1,
  \"metadata\": {
    \"component\": {
      \"type\": \"application\",
      \"bom-ref\": \"kanon\",
      \"name\": \"kanon\",
      \"version\": \"@PROJECT_VERSION@\",
      \"licenses\": [{ \"expression\": \"Apache-2.0\" }]
    }
  },
  \"components\": [
${components}
  ],
  \"dependencies\": [{ \"ref\": \"kanon\", \"dependsOn\": [${references}] }]
}
")
endfunction()

kn_sbom(${CMAKE_BINARY_DIR}/kanon.cdx.json)
