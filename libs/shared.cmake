# libhwtrace.so: what the archives hold, in one library (-DHWTRACE_SHARED=ON, or BUILD_SHARED_LIBS=ON). Of it can be seen what
# the public headers declare, and nothing else: everything is compiled as hidden, with the public headers in front as
# visible. So nobody has to mark a declaration, a header that becomes public is exported, and one that no longer is, is not.
# The commands, and programs that have this project in a folder, are linked with the archives all the same.
set(hwtrace_shared_parts recording pipeline formats stf_cpp uscope_c transaction_formats stf uscope pccx flux ftr kanata txlog jsonl codec io model)

# hwtrace_public(FILE HEADERS...): FILE includes HEADERS as visible.
function(hwtrace_public file)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN ARGN "" includes)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared/${file} CONTENT "#pragma GCC visibility push(default)\n${includes}#pragma GCC visibility pop\n")
endfunction()
set(hwtrace_headers ${HWTRACE_PUBLIC_HEADERS})
list(TRANSFORM hwtrace_headers PREPEND ${PROJECT_SOURCE_DIR}/libs/)
list(TRANSFORM hwtrace_headers APPEND .hpp)
list(TRANSFORM hwtrace_headers REPLACE "/libs/formats.hpp" "/formats/formats.hpp")
hwtrace_public(public.hpp ${hwtrace_headers})
hwtrace_public(recording.hpp ${PROJECT_SOURCE_DIR}/libs/recording/include/hwtrace/recording.hpp)
hwtrace_public(stf_cpp.hpp ${PROJECT_SOURCE_DIR}/formats/stf/api/include/hwtrace/stf.hpp)
hwtrace_public(uscope_c.hpp ${PROJECT_SOURCE_DIR}/formats/uscope/api/include/hwtrace/uscope.h)

foreach(library ${hwtrace_shared_parts})
  set_target_properties(hwtrace_${library} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  set(preludes public.hpp)
  if(EXISTS ${PROJECT_BINARY_DIR}/shared/${library}.hpp)
    list(APPEND preludes ${library}.hpp)
  endif()
  foreach(prelude ${preludes})
    target_compile_options(hwtrace_${library} PRIVATE "SHELL:-include ${PROJECT_BINARY_DIR}/shared/${prelude}")
  endforeach()
endforeach()
# What is not part of it, but may be linked into libraries of other people.
set_target_properties(hwtrace_flux_emitter hwtrace_flux_emitter_hosted hwtrace_uscope_dpi PROPERTIES POSITION_INDEPENDENT_CODE ON)

add_library(hwtrace_shared SHARED)
foreach(library ${hwtrace_shared_parts} flux_emitter)
  target_sources(hwtrace_shared PRIVATE $<TARGET_OBJECTS:hwtrace_${library}>)
endforeach()
# Templates of other libraries, and the core of the emitter, which has an archive of its own, are nobody's interface.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared/symbols.map CONTENT
     "HWTRACE_${PROJECT_VERSION_MAJOR} { global: uscope_*; _ZN7hwtrace*; _ZNK7hwtrace*; _ZT[ISTV]N7hwtrace*; local: *; };\n")
set_target_properties(hwtrace_shared PROPERTIES OUTPUT_NAME hwtrace EXPORT_NAME hwtrace VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      LINKER_LANGUAGE CXX LINK_DEPENDS ${PROJECT_BINARY_DIR}/shared/symbols.map)
target_compile_features(hwtrace_shared INTERFACE cxx_std_20)
target_link_options(hwtrace_shared PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/shared/symbols.map)
if(NOT HWTRACE_INSTRUMENTATION)  # the run time of sanitizers comes with the program
  target_link_options(hwtrace_shared PRIVATE -Wl,--no-undefined)
endif()
target_link_libraries(hwtrace_shared PRIVATE $<BUILD_INTERFACE:hwtrace_build> PkgConfig::lz4 PkgConfig::zstd PkgConfig::lzma ZLIB::ZLIB Threads::Threads)
if(hwtrace_llvm_libraries)
  target_link_libraries(hwtrace_shared PRIVATE -Wl,--push-state,--as-needed ${hwtrace_llvm_libraries} -Wl,--pop-state)
endif()
