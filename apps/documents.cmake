# Generates man pages and completions by running the binaries. A man page contains the page of its command. Generates none if the binaries cannot run on this machine.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Man pages and completions: none, because binaries for ${CMAKE_SYSTEM_NAME} cannot be run here")
  return()
endif()

set(documents ${PROJECT_BINARY_DIR}/documents)
set(made_documents)
# hwtrace_document(TOOL FILE FOLDER OPTIONS...): writes the output of TOOL with OPTIONS to FILE and installs it in FOLDER.
function(hwtrace_document tool file folder)
  set(pages ${ARGN})
  list(FILTER pages INCLUDE REGEX "README.md$")
  add_custom_command(OUTPUT ${documents}/${file} VERBATIM COMMENT ""
                     COMMAND ${CMAKE_COMMAND} -E env --unset=HWTRACE_PLUGINS ${PROJECT_BINARY_DIR}/bin/${tool} ${ARGN} > ${documents}/${file}.new
                     COMMAND ${CMAKE_COMMAND} -E rename ${documents}/${file}.new ${documents}/${file} DEPENDS $<IF:$<BOOL:${HWTRACE_STATIC}>,hwtrace,${tool}> ${pages})
  install(FILES ${documents}/${file} DESTINATION ${folder} COMPONENT tools)
  set(made_documents ${made_documents} ${documents}/${file} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${documents}/bash)
list(TRANSFORM verbs PREPEND hwtrace- OUTPUT_VARIABLE tools)
foreach(tool hwtrace ${tools})
  string(REPLACE hwtrace- "" room ${tool})
  hwtrace_document(${tool} ${tool}.1 ${CMAKE_INSTALL_MANDIR}/man1 --help-man --help-guide ${PROJECT_SOURCE_DIR}/apps/${room}/README.md)
  hwtrace_document(${tool} bash/${tool} ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --help-completion bash)
  hwtrace_document(${tool} _${tool} ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --help-completion zsh)
  hwtrace_document(${tool} ${tool}.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --help-completion fish)
endforeach()
add_custom_target(hwtrace_documents ALL DEPENDS ${made_documents})
