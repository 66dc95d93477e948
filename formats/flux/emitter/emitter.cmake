# Libraries that write flux traces from programs and targets. <hwtrace/flux_emitter.h> needs only C99.
function(hwtrace_c99_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  add_library(hwtrace_${name} STATIC ${sources})
  add_library(hwtrace::${name} ALIAS hwtrace_${name})
  set_target_properties(hwtrace_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  target_include_directories(hwtrace_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/formats/flux/emitter/include>)
  target_link_libraries(hwtrace_${name} PRIVATE $<BUILD_INTERFACE:hwtrace_build>)
endfunction()

hwtrace_c99_library(flux_emitter ${CMAKE_CURRENT_LIST_DIR}/*.c)
target_compile_options(hwtrace_flux_emitter PRIVATE -ffreestanding)
# <hwtrace/flux_emitter_hosted.h> needs files, LZ4 and zlib.
hwtrace_c99_library(flux_emitter_hosted ${CMAKE_CURRENT_LIST_DIR}/hosted/*.c)
target_link_libraries(hwtrace_flux_emitter_hosted PUBLIC hwtrace::flux_emitter PRIVATE PkgConfig::lz4 ZLIB::ZLIB)
