// Adds a format to the installed commands: HWTRACE_PLUGINS=./spans_plugin.so hwtrace-dump FILE
#include <hwtrace/plugin.hpp>

#include "spans_format.hpp"

HWTRACE_PLUGIN(&spans::format)
