# zero_add_library(NAME SOURCES ... [DEPENDS ...] [LINK ...])
# A static library of the compiler. LLVM and MLIR come from their shared
# libraries, once, through ZeroMLIR.
add_library(ZeroMLIR INTERFACE)
target_link_libraries(ZeroMLIR INTERFACE MLIR LLVM)

function(zero_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} ZeroMLIR)
endfunction()

# zero_add_tool(NAME SOURCES ... LINK ...): a program in build/bin.
function(zero_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()

# zero_add_unit_test(NAME SOURCES ... LINK ...): a GoogleTest program in
# build/bin/unit, run by ctest and so by scripts/test.
function(zero_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_property(GLOBAL APPEND PROPERTY ZERO_UNIT_TESTS ${name})
endfunction()
