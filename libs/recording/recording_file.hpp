// recording/recording_file.hpp - the file of a recording, in any format.
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

/// Returns the message of an error in the words of the library interface, which has no command line.
std::string words_of(const hwtrace::Error& error);

/// Reserves the path of a file for one database of this program during its lifetime. Throws Failure::usage if another
/// one has it.
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

/// Writes batches of intervals and relations as they are recorded. If the format's writer accepts batches while
/// recording, it gets them at once. Otherwise they go to an FTR file in the temporary folder, which finish() converts.
/// After a failure, the data so far is kept, the error's message names its file, and no function may be called any
/// more.
class RecordingFile {
public:
    /// Throws hwtrace::Error if the format is unknown, an option does not belong to it, or the file cannot be created.
    RecordingFile(const std::string& path, const Options& options);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    /// Every call gets the same `schema`, which outlives this object.
    void write(const Schema& schema, const Batch& batch);
    /// Writes all records to the disk. In a growing file, they can then be read.
    void flush(const Schema& schema);
    /// Completes the file. Returns one line for each thing that the format cannot represent.
    std::vector<std::string> finish(const Schema& schema);

private:
    Writer& writer(const Schema& schema);
    Output& recording() { return temporary_ ? *temporary_ : *output_; }
    void convert_recorded();

    const PathClaim claim_;
    const Format* format_;        ///< of the file
    const Format* recorded_;      ///< written during the recording: the same, or FTR
    bool has_epoch_;              ///< the program gave a time of creation
    Settings settings_;           ///< of the final writer
    Settings recorded_settings_;  ///< of the writer during the recording
    Losses losses_;
    std::unique_ptr<Output> output_;     ///< the file
    std::unique_ptr<Output> temporary_;  ///< the file to convert; null if nothing is converted
    std::string temporary_path_;
    std::unique_ptr<Writer> writer_;
};

}  // namespace hwtrace::recording::detail
