// codec/trace_index.hpp - the index of a trace in a file beside it: its counts, and checkpoints from which a slice can
// be read (apps/index/README.md#the-file).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/schema_state.hpp"
#include "codec/settings.hpp"
#include "io/compression.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "model/time.hpp"

namespace hwtrace {

struct Format;

/// Returns the path of the index of the trace at `path`: "core.zstf.hwtidx".
std::string index_path(std::string_view path);

/// The bytes of a trace, as far as an index states them.
struct TraceIdentity {
    std::uint64_t size = 0;     ///< in bytes
    std::uint64_t samples = 0;  ///< checksum of the head, the tail and blocks in between; see samples_of()
    std::uint64_t whole = 0;    ///< checksum of all bytes

    friend bool operator==(const TraceIdentity&, const TraceIdentity&) = default;
};
/// Returns the checksum of at most 64 KiB at both ends of a seekable input and of 62 blocks of 4 KiB in between.
std::uint64_t samples_of(const Input& input);

/// The counts and times of a whole trace, as an index states them.
struct IndexTotals {
    std::uint64_t positions = 0;          ///< see position_kind()
    std::uint64_t records = 0;            ///< all records of the reader
    std::optional<Tick> first_time = {};  ///< in ticks of the records
    std::optional<Tick> last_time = {};   ///< the end of the last interval included
    bool has_texts = false;               ///< runtime strings appear while reading
    bool has_relations = false;           ///< the states hold the relations that lead behind their checkpoints
    bool has_one_time = false;            ///< all tracks have one time base, so Checkpoint::latest is comparable
    std::uint64_t every = 0;              ///< the distance that the user chose; 0: chosen by the size of the states

    friend bool operator==(const IndexTotals&, const IndexTotals&) = default;
};

/// A compressed part of an index.
struct IndexPart {
    std::uint64_t offset = 0;    ///< in the index
    std::uint32_t size = 0;      ///< compressed; 0: the index lacks the part
    std::uint32_t raw_size = 0;  ///< of the content
    std::uint64_t checksum = 0;  ///< of the compressed bytes

    friend bool operator==(const IndexPart&, const IndexPart&) = default;
};
/// The parts of an index besides counts and checkpoints.
enum class IndexExtra : std::uint8_t {
    survey,   ///< so that a reader need not survey the whole trace: see Resumable::save_survey()
    outline,  ///< so that a conversion need not read the trace in advance: see TraceOutline
};

/// A place in a trace from which it can be read.
struct Checkpoint {
    std::uint64_t position = 0;   ///< the position of the next record
    std::uint64_t records = 0;    ///< the number of records before it
    Tick latest = 0;              ///< no record before it is later or ends later
    std::uint64_t ids_below = 0;  ///< all ids of intervals before it are less than this
    IndexPart state{};

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// The state of a trace at a checkpoint.
struct CheckpointState {
    std::vector<std::byte> bytes;
    std::size_t reader_size = 0;  ///< the first bytes are the reader's state (Resumable::save_state)

    /// Returns the state that Resumable::save_state() appended.
    std::span<const std::byte> reader() const noexcept { return std::span(bytes).first(reader_size); }
    /// Returns the state that Stage::save_state() appended.
    std::span<const std::byte> stage() const noexcept { return std::span(bytes).subspan(reader_size); }
};

/// An index that belongs to a trace: its version, its checksums and the samples of the trace have been checked.
class TraceIndex {
public:
    static constexpr std::uint32_t newest_version = 3;

    /// The reasons why an index is not used.
    enum class Fault : std::uint8_t { damaged, newer, older, other_trace, other_format };

    /// Reads the index `file` of `trace`, a seekable input in the format `format`. Returns null if the index cannot be
    /// used, and sets `fault` to the reason. `file` is kept open.
    static std::shared_ptr<TraceIndex> open(Input file, const Input& trace, std::string_view format, Fault& fault);
    /// Does the same with an index in memory.
    static std::shared_ptr<TraceIndex> open(std::vector<std::byte> bytes, const Input& trace, std::string_view format,
                                            Fault& fault);

    const std::string& name() const noexcept { return file_.name(); }
    const IndexTotals& totals() const noexcept { return totals_; }
    const TraceIdentity& identity() const noexcept { return identity_; }
    /// Returns the checkpoints in the order of the trace.
    std::span<const Checkpoint> checkpoints() const noexcept { return checkpoints_; }
    /// Returns the last checkpoint at or before `position`, or nullptr.
    const Checkpoint* before_position(std::uint64_t position) const noexcept;
    /// Returns the last checkpoint before which every record ends before `time`, or nullptr. Also returns nullptr if
    /// the times of the trace have several bases.
    const Checkpoint* before_time(Tick time) const noexcept;
    /// Returns the last checkpoint before which no interval has the id `id`, or nullptr. Requires ids that ascend.
    const Checkpoint* before_id(std::uint64_t id) const noexcept;
    /// Returns the state at `checkpoint`, one of checkpoints(). If it is damaged, calls `on_damage` once and returns
    /// nullopt.
    std::optional<CheckpointState> state_of(const Checkpoint& checkpoint) const;
    /// Returns the content of a part, or nullopt if the index lacks it. If it is damaged, likewise as state_of().
    std::optional<std::vector<std::byte>> extra(IndexExtra which) const;

    /// Receives a message about damage that is found while the index is in use. Null: nobody is told.
    std::function<void(std::string_view)> on_damage;

private:
    explicit TraceIndex(Input file) : file_(std::move(file)) {}
    std::optional<Fault> read(std::string_view format);
    std::optional<std::vector<std::byte>> content_of(const IndexPart& part) const;

    std::vector<std::byte> memory_;  // of an index in memory
    Input file_;
    IndexTotals totals_;
    TraceIdentity identity_;
    std::vector<Checkpoint> checkpoints_;
    std::array<IndexPart, 2> extras_;  // by IndexExtra
    mutable bool told_ = false;
};

/// Throws Failure::input, which says that an index was made for another trace.
[[noreturn]] void refuse_index(const TraceIndex& index);
/// Makes readers that are opened with `settings` use what `index` (null: none) states: see set_survey().
void use_survey(const TraceIndex* index, Settings& settings);
/// Returns the outline that an index states, or nullopt.
std::optional<TraceOutline> outline_in(const TraceIndex& index);

/// Returns `index` (null: none), or null if slices in the format `to`, written with `settings`, need all texts before
/// them: the format keeps all texts of the source, and those of this source appear while it is read.
std::shared_ptr<const TraceIndex> index_for(const Format& to, const Settings& settings,
                                            std::shared_ptr<const TraceIndex> index);

/// Writes an index: first the checkpoints in order, then the totals.
class TraceIndexWriter {
public:
    /// `output` must outlive the writer.
    explicit TraceIndexWriter(Output& output);

    /// Appends a checkpoint. Its state is set here.
    void add(Checkpoint checkpoint, std::span<const std::byte> reader, std::span<const std::byte> stage);
    /// Returns the number of checkpoints.
    std::size_t size() const noexcept { return checkpoints_.size(); }
    /// Appends a part; at most one of each kind. An empty part is left out.
    void add(IndexExtra which, std::span<const std::byte> content);
    /// Drops all checkpoints. Their states remain in the output, where nothing refers to them.
    void drop_checkpoints() { checkpoints_.clear(); }
    /// Ends the index. The caller commits the output.
    void finish(const TraceIdentity& identity, std::string_view format, const IndexTotals& totals);

private:
    IndexPart part_of(std::span<const std::byte> content);

    Output& output_;
    ZstdBlock zstd_;
    Appender raw_, packed_;
    std::vector<Checkpoint> checkpoints_;
    std::array<IndexPart, 2> extras_;  // by IndexExtra
};

}  // namespace hwtrace
