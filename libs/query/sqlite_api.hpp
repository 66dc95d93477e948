// query/sqlite_api.hpp - the functions of SQLite: those of the library, or in an extension those of the host program.
#pragma once

#ifdef HWTRACE_SQLITE_EXTENSION
// A host may have its own copy of SQLite. It passes the functions to use to the extension.
#include <sqlite3ext.h>
extern "C" const sqlite3_api_routines* sqlite3_api;  // NOLINT: its name is SQLite's
#else
#include <sqlite3.h>
#endif
