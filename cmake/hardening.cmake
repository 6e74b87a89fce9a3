# Hardened builds: position independent executables, read-only relocations resolved at start, stack
# protector, stack clash protection, checked string functions, control-flow protection, each where the
# compiler knows it. A sanitizer brings its own checks and does not go with some of these.
option(KN_HARDEN "build with the compiler's and the linker's protections" ON)

if(KN_HARDEN AND NOT KN_SANITIZE AND NOT KN_FUZZ)
  include(CheckCCompilerFlag)
  include(CheckCSourceCompiles)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C)

  # name: of the cached answer; the flags after it are added when the compiler takes them.
  function(kn_harden name)
    string(REPLACE ";" " " flags "${ARGN}")
    check_c_compiler_flag("-Werror ${flags}" KN_HAS_${name})
    if(KN_HAS_${name})
      add_compile_options(${ARGN})
    endif()
  endfunction()

  kn_harden(STACK_PROTECTOR -fstack-protector-strong)
  kn_harden(STACK_CLASH -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
    kn_harden(CONTROL_FLOW -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
    kn_harden(CONTROL_FLOW -mbranch-protection=standard)
  endif()

  # The C library warns about level 3 where it or the compiler knows 2 only. Needs an optimised build.
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("#include <string.h>\nint main(void) { return 0; }" KN_HAS_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(level 2)
  if(KN_HAS_FORTIFY_3)
    set(level 3)
  endif()
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})

  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
