// formats/ftr/scan.hpp - iterates over the items of a .ftr file, even a damaged one. The reader, the views and
// validation share it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chunks.hpp"
#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "dictionary.hpp"
#include "identities.hpp"
#include "io/cbor.hpp"
#include "model/hash.hpp"
#include "model/number_table.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "rules.hpp"
#include "schema_mark.hpp"
#include "time_window.hpp"
#include "wire.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::ftr {

/// One transaction or one relation.
struct Item {
    enum class Kind : std::uint8_t { transaction, relation };
    Kind kind = Kind::transaction;
    TrackId track = none;  ///< track of the generator, or of relations with this name

    // --- transactions ---
    std::uint64_t start = 0, end = 0;       ///< as the file states them
    std::span<const Attribute> attributes;  ///< fields of the track; the first is the transaction's id
    // --- relations ---
    std::span<const std::uint64_t> cells;  ///< fields of the track
};

class Scan {
public:
    /// Reads the file once, so that `schema` holds everything except transactions and relations. Throws Failure::input,
    /// after a finding, if the file is not FTR. The arguments must outlive the scan. Only the scan may add strings to
    /// `schema`. A time window in `settings` applies only to files without metadata. Transactions outside the
    /// window are neither returned nor declared. Blocks whose stated times are outside the window are skipped, unless a
    /// sample of them states wrong times (FTR044).
    Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema);

    /// Reads the next item in file order. Returns false at the end, after all findings were reported. Also returns
    /// false before each dictionary chunk if stop_at_texts() was called.
    bool next(Item& item);
    /// From now on, adds strings to the schema chunk by chunk, in file order. next() stops before each dictionary
    /// chunk. Items before a stop use strings of earlier chunks only.
    void stop_at_texts() noexcept { stops_at_texts_ = true; }
    /// Continues after next() has stopped. Returns false at the end.
    bool next_part() noexcept { return !ended_; }

    /// Returns false if a scan of this input cannot continue where another one has been, because it leaves out
    /// transactions or checks all of them.
    bool can_resume() const noexcept { return !window_ && !identities_; }
    /// Appends the place before the next item and what the items so far have added to the schema. Returns false and
    /// appends nothing if names are missing. Requires stop_at_texts() and can_resume().
    bool save_place(Appender& out) const;
    /// Continues where another scan of the same file called save_place(). Returns false if the file lacks this place.
    /// Throws Truncated or Failure::input if the bytes are wrong.
    bool restore_place(Cursor& in);

    std::uint64_t position() const noexcept { return walk_.position(); }
    /// Returns the strings of the file by key.
    const Dictionary& dictionary() const noexcept { return dictionary_; }
    std::int64_t exponent() const noexcept { return exponent_; }
    /// Moves the schema mark out of the scan. Returns nothing if the file has no readable mark.
    std::optional<SchemaMark> take_schema_mark() noexcept { return std::exchange(schema_mark_, std::nullopt); }
    Facts facts() const;

private:
    struct Stream {
        std::uint64_t id = 0;
        ScopeId scope = none;
        std::uint64_t declared = 0;  ///< offset of the chunk that declares it
        bool marks = false;          ///< the metadata stream; its transactions are not records
        bool late = false;           ///< blocks before the declaration have been reported
    };
    /// Selects how the value of an attribute is decoded.
    enum class Decode : std::uint8_t { boolean, number, integer, floating, text };
    struct Decoded {
        Type type = Type::u64;
        Decode decode = Decode::number;
        std::uint64_t cell = 0;
        bool plain = true;  ///< all values after the same leading bytes have this type
    };
    /// An attribute of a generator. It has the same index as the field in the generator's track.
    struct Column {
        std::uint64_t prefix = 1, mask = 0;  ///< the bytes before the latest value
        std::uint8_t prefix_size = 0;
        Decode decode = Decode::number;
        std::uint32_t next = 0;  ///< column of the attribute that followed the latest value
    };
    struct Generator {
        std::uint64_t id = 0;
        std::uint32_t stream = none;
        TrackId track = none;         ///< none: a generator of the metadata stream
        std::vector<Column> columns;  // column 0 is the transaction's id
        HashMap<std::uint64_t, std::uint32_t> by_key;
    };
    /// An attribute or a track of relations that appeared while reading, in order of appearance.
    struct Growth {
        std::uint32_t generator = none;  ///< none: relations
        std::uint64_t name = 0;
        bool states_streams = false;  ///< relations only; the next members are for attributes only
        Phase phase = Phase::unknown;
        Type type = Type::u64;
        Decode decode = Decode::number;
    };
    /// An entry of a directory.
    struct Declaration {
        bool generator = false;
        std::uint64_t id = 0, name = 0, other = 0;  ///< `other`: key of a stream's kind, or id of a generator's stream
        std::uint64_t chunk = 0, offset = 0;
        bool in_file = true;
    };
    /// A fault that many items may share. It becomes one finding with a count.
    struct Tally {
        std::uint64_t count = 0;
        Finding first{};
    };

    // --- first pass ---
    void survey();
    void read_info(const ChunkHead& chunk);
    void read_dictionary(const ChunkHead& chunk);
    void read_directory(const ChunkHead& chunk);
    bool begins_with_old_relation(const ChunkHead& relations);
    void declare();
    void declare_stream(const Declaration& entry);
    void declare_generator(const Declaration& entry);
    std::uint32_t add_stream(std::uint64_t id, std::string name, std::string kind, std::uint64_t chunk);
    std::uint32_t add_generator(std::uint64_t id, std::string name, std::uint32_t stream);
    std::string name_of(std::uint64_t key, const Declaration& entry);
    std::vector<Metadata> read_marks();
    void parse_schema_mark(const std::vector<Metadata>& marks);
    void take_digits_fact(std::vector<Metadata>& marks);
    void take_relation_facts(std::vector<Metadata>& marks);
    void read_marks_of(CborCursor& cursor, std::vector<Metadata>& marks);
    void check_schema_size(std::size_t objects) const;
    void check_schema_size() const;

    // --- time window ---
    void look_at_block_times();
    bool states_its_times(const ChunkHead& block);
    bool is_outside(const Item& transaction) const noexcept;
    bool pass_elements(CborItems items);
    std::size_t pass_usual_elements(std::uint64_t& left) const noexcept;

    // --- transactions and relations ---
    bool open_next_chunk();
    void take_texts(std::uint64_t chunk);
    void close_chunk();
    bool next_transaction(Item& item);
    bool next_relation(Item& item);
    bool transaction(std::uint64_t at, CborItems items, std::uint64_t& id, std::uint32_t& generator, Item& item);
    bool event(std::uint64_t& id, std::uint32_t& generator, Item& item);
    std::uint32_t find_generator(std::uint64_t id, std::uint64_t at);
    bool elements(CborItems items, std::uint32_t number, bool with_event = false);
    std::size_t fast_attributes(Generator& generator, std::uint64_t& left, std::uint32_t& previous);
    bool element(Generator& generator, std::uint32_t& previous, bool with_event);
    std::optional<Decoded> value(std::uint64_t type);
    double float_value(const CborHead& head, std::uint64_t at);
    bool is_digits_name(std::uint64_t name);
    bool take_digits(const Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded);
    StringId text_value(std::uint64_t key, std::uint64_t at);
    std::uint32_t column_of(Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded,
                            std::uint64_t at);
    void add_column(std::uint32_t generator, std::uint64_t name, Phase phase, Type type, Decode decode);
    static std::uint64_t column_key(std::uint64_t name_number, Phase phase, Type type) noexcept {
        return name_number << 16 | static_cast<std::uint64_t>(phase) << 8 | static_cast<std::uint64_t>(type);
    }
    TrackId add_relations(std::uint64_t name, bool states_streams);
    void grow_again(Cursor& in);
    static bool is_decoded_so(Type type, Decode decode) noexcept;
    std::uint64_t number_without_name(std::uint64_t key);
    void find_relation_track(std::uint64_t name, bool streams, std::uint64_t at);
    void check_transaction(Item& item, const Generator& generator, std::uint64_t at);

    void check_relation(std::span<const std::uint64_t> cells, std::uint64_t at);
    void check_end(const RelationEnd& end, bool last);

    // --- findings ---
    Finding finding(Check check, std::uint64_t at) const;
    std::uint64_t length_at(std::uint64_t at) const;
    void report(Check check, std::uint64_t at, std::string expected, std::string got);
    void tally(Check check, std::uint64_t at, std::string_view expected, std::string_view got);
    void tally(Check check, Finding finding, std::string_view expected, std::string_view got);
    void report_tallies();

    Input& input_;
    const Limits limits_;
    Findings& findings_;
    Schema& schema_;
    const bool check_;                      ///< runs checks that are not needed to deliver records
    std::optional<Identities> identities_;  ///< set if the consistency of records is checked
    ChunkWalk walk_;
    ContentSource contents_;
    Dictionary dictionary_{limits_};
    std::vector<Declaration> declarations_;
    std::vector<Stream> streams_;
    std::deque<Generator> generators_;
    NumberTable stream_by_id_, generator_by_id_;
    HashMap<std::uint64_t, TrackId> relation_tracks_;
    struct {
        std::uint64_t name = 0;
        bool streams = false;
        TrackId track = none;
        std::size_t cells = 0;    ///< fields of the track
        bool is_defined = false;  ///< the name is in the dictionary; otherwise each relation counts
    } last_relation_;
    HashSet<std::string> without_streams_;  ///< names of relations whose streams are not part of the trace
    std::size_t fields_ = 0;                ///< number of attributes found so far
    std::uint32_t digits_name_ = none;      ///< Dictionary::name_number() of digits_name
    bool folds_digits_ = false;             ///< attributes of that name behind numbers are marks
    std::size_t marked_ = 0;                ///< attributes of the transaction before the latest mark

    std::int64_t exponent_ = default_exponent;
    TimeBase time_ = picoseconds;
    std::optional<std::string> epoch_;
    HashMap<std::uint64_t, std::uint64_t> without_names_;  ///< name ids of undefined keys
    bool has_info_ = false;
    std::uint64_t marks_at_ = 0;  ///< offset of the first metadata block
    bool has_metadata_ = false;   ///< the metadata stream holds more than the fact about digits
    std::optional<TimeWindow> window_;
    bool leaves_out_blocks_ = false;  ///< blocks are skipped by their stated times
    std::optional<SchemaMark> schema_mark_;
    std::vector<std::byte> piece_;  // a piece of a string
    std::uint64_t replaced_ = 0;    ///< number of redefined keys

    std::vector<Growth> growth_;
    ChunkWalk::Place chunk_place_;  ///< from which the walk has found the current chunk
    ChunkHead chunk_;
    Content content_;
    std::optional<CborCursor> cursor_;  ///< reads the content of the current chunk
    CborItems items_;                   ///< the items left in the chunk
    std::uint32_t stream_ = none;       ///< stream of the current block
    bool outside_ = false;              ///< the current transaction is outside the window
    Pool<Attribute> attributes_;
    std::array<std::uint64_t, 4> cells_{};
    std::uint64_t least_ = 0, greatest_ = 0, last_end_ = 0;  ///< times of the current block
    bool any_ = false;
    std::uint64_t transactions_ = 0, relations_ = 0;
    bool has_old_relations_ = false;  ///< relations of the trace do not state streams, as far as is known in advance

    std::array<Tally, static_cast<std::size_t>(Check::count)> tallies_;
    std::uint64_t chunks_ = 0, blocks_ = 0, compressed_ = 0, plain_ = 0;
    bool ended_ = false;
    bool stops_at_texts_ = false;
    bool stopped_ = false;         ///< next() has stopped before the latest chunk
    bool any_since_stop_ = false;  ///< an item was returned since the latest stop
    std::size_t next_text_ = 0;    ///< index of the first dictionary entry that is not in the schema
};

}  // namespace hwtrace::ftr
