# The headers that a program may use, in addition to the interfaces in */include: for reading, writing and converting
# traces, and for adding a format. <hwtrace/codec/format.hpp> is libs/codec/format.hpp. Headers that are not here may
# change at any time.
set(HWTRACE_PUBLIC_HEADERS
    domain/conventions model/hash model/pool model/record model/record_kinds model/schema model/state model/time
    io/appender io/compression io/counted io/cursor io/descriptor io/error io/gzip_writer io/input io/libraries io/limits io/little_endian io/lz4_frame io/number_text io/output
    io/packed_output io/text_cursor io/text_lines io/text_output io/unpacked io/xz
    codec/findings codec/format codec/losses codec/reader codec/record_sorter codec/settings codec/shapes domain/utf8 domain/value_text codec/writer
    convert/convert select/criteria convert/model_dump convert/part_losses convert/plan convert/prescan select/range operate/scan select/stage convert/verify
    formats)

# A project that contains this one in a folder includes them by the same names.
if(NOT PROJECT_IS_TOP_LEVEL)
  foreach(header ${HWTRACE_PUBLIC_HEADERS})
    set(source ${PROJECT_SOURCE_DIR}/libs/${header}.hpp)
    if(NOT EXISTS ${source})
      set(source ${PROJECT_SOURCE_DIR}/formats/${header}.hpp)
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/hwtrace/${header}.hpp CONTENT "#include \"${source}\"\n")
  endforeach()
  target_include_directories(hwtrace_model INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
endif()
