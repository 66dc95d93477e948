# Makes OUTPUT, a C++ source with the files of the folder PAGE and their SHA-256 in base 64.
# usage: cmake -D PAGE=folder -D OUTPUT=file -P embed.cmake

# base64(RESULT HEX): converts 64 hexadecimal digits to base 64.
function(base64 result hex)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(APPEND hex 00) # 33 bytes are 44 letters; the last letter is the padding
  set(text)
  foreach(start RANGE 0 60 6)
    string(SUBSTRING ${hex} ${start} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${index} 1 letter)
      string(APPEND text ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${text} 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

set(source "// Made of the files of formats/report/page by embed.cmake.\n#include \"page_files.hpp\"\n\nnamespace hwtrace::report {\n")
set(files_html page.html)
set(files_style report.css)
set(files_script base.js painting.js items.js timeline.js overview.js utilisation.js durations.js calls.js report.js) # joined in this order
foreach(name html style script)
  set(hex)
  set(text)
  foreach(file ${files_${name}})
    file(READ ${PAGE}/${file} part HEX)
    string(APPEND hex ${part})
    file(READ ${PAGE}/${file} part)
    string(APPEND text "${part}")
  endforeach()
  string(SHA256 hash "${text}")
  base64(hash ${hash})
  string(REPEAT . 48 line) # 24 bytes
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND source "namespace {\nconstexpr unsigned char ${name}_bytes[] = {\n${bytes}};\n}  // namespace\n"
    "std::string_view page_${name}() noexcept {\n    return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n}\n")
  if(NOT name STREQUAL html)
    string(APPEND source "std::string_view page_${name}_hash() noexcept {\n    return \"${hash}\";\n}\n")
  endif()
endforeach()
string(APPEND source "}  // namespace hwtrace::report\n")
file(WRITE ${OUTPUT} "${source}")
