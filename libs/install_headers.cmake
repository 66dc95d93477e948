# Installs `headers` of `sources` under `prefix`, and adapts their includes of each other to that place. `made` is a
# folder for the adapted files.
foreach(header ${headers})
  set(source ${sources}/libs/${header}.hpp)
  if(NOT EXISTS ${source})
    set(source ${sources}/formats/${header}.hpp)
  endif()
  file(READ ${source} text)
  string(REGEX REPLACE "#include \"(model|io|domain|codec|select|convert|operate)/" "#include \"hwtrace/\\1/" text "${text}")
  file(WRITE ${made}/${header}.hpp "${text}")
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL DESTINATION ${prefix}/${folder} TYPE FILE FILES ${made}/${header}.hpp)
endforeach()
