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

/// Returns the message of an error without advice about command-line options, which library users do not have.
std::string words_of(const hwtrace::Error& error);

/// Reserves the path of a file for one database during the lifetime of this object. Throws Failure::usage if another
/// database of the program has reserved it.
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

/// Writes batches of intervals and relations as they are recorded. A format whose writer cannot accept them during the
/// recording is written in two steps: to an FTR file in the temporary folder, which finish() then converts. After a
/// failure, the data so far is kept in a file that the error's message names. After that, no function may be called.
class RecordingFile {
public:
    /// Throws hwtrace::Error if the format is unknown, an option does not belong to it, or the file cannot be created.
    RecordingFile(const std::string& path, const Options& options);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    /// Writes a batch. `schema` is the same in every call and must outlive this object.
    void write(const Schema& schema, const Batch& batch);
    /// Writes all records to the disk. Other programs can then read them in a growing file.
    void flush(const Schema& schema);
    /// Completes the file. Returns one line for each loss of the conversion to the format.
    std::vector<std::string> finish(const Schema& schema);

private:
    Writer& writer(const Schema& schema);
    Output& recording() { return temporary_ ? *temporary_ : *output_; }
    void convert_recorded();

    const PathClaim claim_;
    const Format* format_;        ///< format of the file
    const Format* recorded_;      ///< format during the recording: the same, or FTR
    bool has_epoch_;              ///< the program has set a time of creation
    Settings settings_;           ///< settings of the final writer
    Settings recorded_settings_;  ///< settings of the writer during the recording
    Losses losses_;
    std::unique_ptr<Output> output_;     ///< the file
    std::unique_ptr<Output> temporary_;  ///< the file to convert; null if nothing is converted
    std::string temporary_path_;
    std::unique_ptr<Writer> writer_;
};

}  // namespace hwtrace::recording::detail
