// formats/sqlite/database_writer.hpp - writes a trace as a database of SQLite: a table per track.
#pragma once

#include <memory>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"

namespace hwtrace::sqlite {

/// Returns a writer of databases. SQLite builds the database in Settings::temporary_folder; finish() copies it to
/// `output`.
std::unique_ptr<Writer> make_database(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

}  // namespace hwtrace::sqlite
