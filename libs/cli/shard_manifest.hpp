// cli/shard_manifest.hpp - manifests: what the shards of a trace are, and whether they are complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/messages.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "select/positions.hpp"
#include "select/range.hpp"

namespace hwtrace::cli {

/// The size and checksum of a file, or of the files of a folder.
struct Checksum {
    std::uint64_t bytes = 0;
    std::string sha256;  ///< hexadecimal; for a folder: of the names, sizes and contents of its files, by name
};
/// Reads a file or folder. Throws Failure::io.
Checksum checksum_of(const std::string& path);

/// A shard that was written.
struct ShardEntry {
    Shard shard;
    std::string file;  ///< path as the user gave it; a manifest states it relative to its own folder
    Range range;       ///< positions in the source
    std::uint64_t records = 0;
    Checksum checksum;
};

/// The contents of a manifest: all shards (hwtrace-split), or one (hwtrace-convert --manifest).
struct ShardManifest {
    std::string path;           ///< of the manifest
    std::string source;         ///< name of the source, as the user gave it
    std::string source_format;  ///< name of its format; empty: not stated, as in manifests of older versions
    std::optional<std::uint64_t> source_size;
    std::string source_sha256;  ///< empty: not computed, because each shard would read the whole source for it
    std::vector<ShardEntry> shards;
};

/// Writes the manifest to its path atomically, in the schema hwtrace-manifest/1. The shards' files must be complete.
/// Throws as open_file_output() does.
void write_manifest(const ShardManifest& manifest, std::string_view tool, JsonIntegers integers, Existing existing,
                    const std::vector<std::optional<Input::Identity>>& inputs);

/// Warns that shards of `file` in the format `to` cannot be put together: see lacks_mark().
void warn_of_shards(Messages& messages, const std::string& file, const Format& to);

/// Returns the path "NAME.manifest.json" for pieces whose paths have the pattern `pattern`, see piece_paths().
std::string manifest_path(std::string_view pattern);

/// Returns true if one of the files is a manifest, or looks like one. Files that cannot be read are none.
bool has_manifest(const std::vector<std::string>& paths);

/// The result of a check of manifests.
struct CheckedShards {
    Exit exit = Exit::done;          ///< Exit::no if a shard is missing or damaged
    std::vector<std::string> files;  ///< paths of the shards in order; only if none is missing
    std::string source_format;       ///< ShardManifest::source_format
};
/// Reads the manifests at `paths` and checks that they state every shard of one source once, and that every file
/// exists with the stated size and checksum. Reports each fault as an error with the command that repairs it. Throws
/// Failure::input for a file that is no manifest. Manifests that do not exist count as missing shards.
CheckedShards check_manifests(const std::vector<std::string>& paths, Messages& messages);

}  // namespace hwtrace::cli
