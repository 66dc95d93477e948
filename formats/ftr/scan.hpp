// formats/ftr/scan.hpp - the one tolerant walk over a .ftr file that reading, dumping and validating share.
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

namespace hwtrace::ftr {

/// A transaction, or one relation.
struct Item {
    enum class Kind : std::uint8_t { transaction, relation };
    Kind kind = Kind::transaction;
    TrackId track = none;  ///< of the generator, or of the relation's name

    // --- of a transaction ---
    std::uint64_t start = 0, end = 0;       ///< as the file states them
    std::span<const Attribute> attributes;  ///< of the track, the transaction's number first
    // --- of a relation ---
    std::span<const std::uint64_t> cells;  ///< of the track
};

class Scan {
public:
    /// Goes over the file once: everything but transactions and relations is known then, and `schema` has it. Throws
    /// Failure::input, after the finding, when the file is none of this format. The arguments outlive the scan, and
    /// nobody else interns texts in `schema`. Of a file without marks a Settings::window of time is kept to: of
    /// transactions outside of it nothing is handed out, nor declared, and blocks that state times outside of it are
    /// not read, unless some of them are found to state wrong ones (FTR044).
    Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema);

    /// The next transaction or relation, in the order of the file; false at the end, when everything has been reported,
    /// and where next_part() would go on.
    bool next(Item& item);
    /// From now on every text gets into the schema where its chunk stands, in the order of the file, and next() stops
    /// in front of such a chunk: what was written before it knew no more texts.
    void stop_at_texts() noexcept { stops_at_texts_ = true; }
    /// Goes on behind a stop; false at the end.
    bool next_part() noexcept { return !ended_; }

    std::uint64_t position() const noexcept { return walk_.position(); }
    /// The texts of the file by their keys.
    const Dictionary& dictionary() const noexcept { return dictionary_; }
    std::int64_t exponent() const noexcept { return exponent_; }
    /// What the file notes of the schema that it was made of, once; none where it notes nothing that can be.
    std::optional<SchemaMark> take_schema_mark() noexcept { return std::exchange(schema_mark_, std::nullopt); }
    Facts facts() const;

private:
    struct Stream {
        std::uint64_t id = 0;
        ScopeId scope = none;
        std::uint64_t declared = 0;  ///< offset of the chunk
        bool marks = false;          ///< holds what the writer of this program keeps there, no transactions
        bool late = false;           ///< it has blocks in front of its declaration, which has been said
    };
    /// How the value of an attribute is decoded.
    enum class Decode : std::uint8_t { boolean, number, integer, floating, text };
    struct Decoded {
        Type type = Type::u64;
        Decode decode = Decode::number;
        std::uint64_t cell = 0;
        bool plain = true;  ///< every value behind the same bytes is of this type
    };
    /// An attribute that transactions of a generator have: the one of the same index in its track's fields.
    struct Column {
        std::uint64_t prefix = 1, mask = 0;  ///< of the bytes in front of its value, as they stood last
        std::uint8_t prefix_size = 0;
        Decode decode = Decode::number;
        std::uint32_t next = 0;  ///< the column that came behind it last
    };
    struct Generator {
        std::uint64_t id = 0;
        std::uint32_t stream = none;
        TrackId track = none;         ///< none: of a stream of marks
        std::vector<Column> columns;  // the first one is the transaction's number
        HashMap<std::uint64_t, std::uint32_t> by_key;
    };
    /// An entry of a directory.
    struct Declaration {
        bool generator = false;
        std::uint64_t id = 0, name = 0, other = 0;  ///< `other`: key of a stream's kind, id of a generator's stream
        std::uint64_t chunk = 0, offset = 0;
        bool in_file = true;
    };
    /// A fault that many items may have: reported once, with their number.
    struct Tally {
        std::uint64_t count = 0;
        Finding first{};
    };

    // --- the first pass ---
    void survey();
    void read_info(const ChunkHead& chunk);
    void read_dictionary(const ChunkHead& chunk);
    void read_directory(const ChunkHead& chunk);
    void declare();
    void declare_stream(const Declaration& entry);
    void declare_generator(const Declaration& entry);
    std::uint32_t add_stream(std::uint64_t id, std::string name, std::string kind, std::uint64_t chunk);
    std::uint32_t add_generator(std::uint64_t id, std::string name, std::uint32_t stream);
    std::string name_of(std::uint64_t key, const Declaration& entry);
    std::vector<Metadata> read_marks();
    void parse_schema_mark(const std::vector<Metadata>& marks);
    void read_marks_of(CborCursor& cursor, std::vector<Metadata>& marks);
    void check_schema_size(std::size_t objects) const;
    void check_schema_size() const;

    // --- a window ---
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
    StringId text_value(std::uint64_t key, std::uint64_t at);
    std::uint32_t column_of(Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded,
                            std::uint64_t at);
    std::uint64_t number_without_name(std::uint64_t key);
    TrackId relation_track(std::uint64_t name, bool streams, std::uint64_t at);
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
    const bool check_;                      ///< more than delivering needs
    std::optional<Identities> identities_;  ///< where even what the records say is checked
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
    } last_relation_;
    std::size_t fields_ = 0;  ///< attributes that have been met

    std::int64_t exponent_ = default_exponent;
    TimeBase time_ = picoseconds;
    std::optional<std::string> epoch_;
    HashMap<std::uint64_t, std::uint64_t> without_names_;  ///< keys of names that the dictionary has not
    bool has_info_ = false;
    std::uint64_t marks_at_ = 0;  ///< the first block of marks
    std::optional<TimeWindow> window_;
    bool leaves_out_blocks_ = false;  ///< what they state of their times is believed
    std::optional<SchemaMark> schema_mark_;
    std::vector<std::byte> piece_;  // of a text in pieces
    std::uint64_t replaced_ = 0;    ///< texts of keys that stand twice

    ChunkHead chunk_;
    Content content_;
    std::optional<CborCursor> cursor_;  ///< over the content of the chunk that is read
    CborItems items_;                   ///< what is left of it
    std::uint32_t stream_ = none;       ///< of the block
    bool outside_ = false;              ///< the window does not have the transaction
    Pool<Attribute> attributes_;
    std::array<std::uint64_t, 4> cells_{};
    std::uint64_t least_ = 0, greatest_ = 0, last_end_ = 0;  ///< times of the block
    bool any_ = false;
    std::uint64_t transactions_ = 0, relations_ = 0;

    std::array<Tally, static_cast<std::size_t>(Check::count)> tallies_;
    std::uint64_t chunks_ = 0, blocks_ = 0, compressed_ = 0, plain_ = 0;
    bool ended_ = false;
    bool stops_at_texts_ = false;
    bool stopped_ = false;         ///< in front of the chunk that was looked at last
    bool any_since_stop_ = false;  ///< something was handed out
    std::size_t next_text_ = 0;    ///< of the dictionary's entries: the first one that is not in the schema
};

}  // namespace hwtrace::ftr
