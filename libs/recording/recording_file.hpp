// recording/recording_file.hpp - the file that a recording goes to, of whatever format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "hwtrace/recording.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "model/record.hpp"

namespace hwtrace::recording::detail {

/// What an error says, for a program that has no command line.
std::string words_of(const hwtrace::Error& error);

/// The name of a file that a database of this program writes, for as long as this lives. Throws Failure::usage where
/// another one does.
class PathClaim {
public:
    explicit PathClaim(const std::string& path);
    ~PathClaim();
    PathClaim(const PathClaim&) = delete;
    PathClaim& operator=(const PathClaim&) = delete;

private:
    std::string path_;
    PathClaim* next_;
};

/// Takes batches of intervals and relations as they are recorded. A format whose writer takes them so gets them at
/// once; for any other one they go to an FTR file in the temporary folder, which finish() converts. Where one of its
/// functions fails, what was recorded until then is kept, and the error's message says in which file; nothing may be
/// called then.
class RecordingFile {
public:
    /// Throws hwtrace::Error: the format is not known, an option is not its own, the file cannot be made.
    RecordingFile(const std::string& path, const Options& options);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    /// `schema` is the same in every call, and outlives this object.
    void write(const Schema& schema, const Batch& batch);
    /// Everything that was written is readable then in a growing file, and on the disk.
    void flush(const Schema& schema);
    /// Makes the file whole; what was recorded and its format has no place for, a line each.
    std::vector<std::string> finish(const Schema& schema);

private:
    Writer& writer(const Schema& schema);
    Output& recording() { return temporary_ ? *temporary_ : *output_; }
    void convert_recorded();

    const PathClaim claim_;
    const Format* format_;        ///< of the file
    const Format* recorded_;      ///< what is written while recording; the same, or FTR
    bool has_epoch_;              ///< the program gave a time of creation
    Settings settings_;           ///< of its writer
    Settings recorded_settings_;  ///< of the writer of what is recorded
    Losses losses_;
    std::unique_ptr<Output> output_;     ///< the file
    std::unique_ptr<Output> temporary_;  ///< what is converted; null where nothing is
    std::string temporary_path_;
    std::unique_ptr<Writer> writer_;
};

}  // namespace hwtrace::recording::detail
