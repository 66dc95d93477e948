# Shared libraries: the private one of the commands (apps/CMakeLists.txt), and libhwtrace.so (-DHWTRACE_SHARED=ON, or
# BUILD_SHARED_LIBS=ON) with the contents of the archives, for programs of users.

# hwtrace_shared_library(TARGET SYMBOLS PARTS...): makes a shared library of the objects of hwtrace_PARTS that exports
# only the symbols SYMBOLS (patterns of a linker's version script, separated by ";").
function(hwtrace_shared_library target symbols)
  add_library(${target} SHARED)
  foreach(part ${ARGN})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:hwtrace_${part}>)
  endforeach()
  set(script ${PROJECT_BINARY_DIR}/shared/${target}.map)
  file(CONFIGURE OUTPUT ${script} CONTENT "HWTRACE_${PROJECT_VERSION_MAJOR} { global: ${symbols}; local: *; };\n")
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${script} UNITY_BUILD OFF)
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,--gc-sections -Wl,-O1)
  if(NOT HWTRACE_INSTRUMENTATION AND NOT HWTRACE_FUZZ)  # the program provides the run time of sanitizers
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  if(sqlite IN_LIST ARGN)
    target_link_libraries(${target} PRIVATE SQLite::SQLite3)
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:hwtrace_build> PkgConfig::lz4 PkgConfig::zstd PkgConfig::lzma ZLIB::ZLIB Threads::Threads
                                          ${symbols_libraries} ${CMAKE_DL_LIBS})
endfunction()

if(NOT HWTRACE_SHARED)
  return()
endif()

# libhwtrace.so exports only what the public headers declare: everything is compiled as hidden, and the public headers
# are included first as visible. So no declaration needs a mark, and the list of public headers decides.
set(hwtrace_shared_parts hwtrace recording operate compare convert select formats stf_cpp uscope_c transaction_formats stf uscope pccx flux ftr kanata commitlog champsim o3pipeview txlog jsonl perfetto report waveform tables ${sqlite_target} codec domain symbols io model)

# hwtrace_public(FILE HEADERS...): makes FILE, which includes HEADERS as visible.
function(hwtrace_public file)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN ARGN "" includes)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/shared/${file} CONTENT "#pragma GCC visibility push(default)\n${includes}#pragma GCC visibility pop\n")
endfunction()
set(hwtrace_headers ${HWTRACE_PUBLIC_HEADERS})
list(REMOVE_ITEM hwtrace_headers plugin)  # declares nothing that the library defines
list(TRANSFORM hwtrace_headers REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/libs/hwtrace/\\1.hpp")
hwtrace_public(public.hpp ${hwtrace_headers})
hwtrace_public(recording.hpp ${PROJECT_SOURCE_DIR}/libs/recording/include/hwtrace/recording.hpp)
hwtrace_public(stf_cpp.hpp ${PROJECT_SOURCE_DIR}/formats/stf/api/include/hwtrace/stf.hpp)
set(uscope_headers ${PROJECT_SOURCE_DIR}/formats/uscope/api/include/hwtrace)
hwtrace_public(uscope_c.hpp ${uscope_headers}/uscope.h ${uscope_headers}/reference/uscope_dpi.h)

foreach(library ${hwtrace_shared_parts})
  set_target_properties(hwtrace_${library} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(hwtrace_${library} PRIVATE ${PROJECT_SOURCE_DIR}/formats)  # for formats.hpp
  set(preludes public.hpp)
  if(EXISTS ${PROJECT_BINARY_DIR}/shared/${library}.hpp)
    list(APPEND preludes ${library}.hpp)
  endif()
  foreach(prelude ${preludes})
    target_compile_options(hwtrace_${library} PRIVATE "SHELL:-include ${PROJECT_BINARY_DIR}/shared/${prelude}")
  endforeach()
endforeach()

# Does not export templates of other libraries and the core of the emitter, which has its own archive. R stands for a
# member function that takes an lvalue only.
hwtrace_shared_library(hwtrace_shared "uscope_*; _ZN7hwtrace*; _ZNK7hwtrace*; _ZNR7hwtrace*; _ZNKR7hwtrace*; _ZT[ISTV]N7hwtrace*" ${hwtrace_shared_parts} flux_emitter)
set_target_properties(hwtrace_shared PROPERTIES OUTPUT_NAME hwtrace EXPORT_NAME shared VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
