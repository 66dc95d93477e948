// tests/formats/uscope_encoder.hpp - makes µScope files of every dialect
// (formats/uscope/README.md#versions-and-dialects) without the product's writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/uscope_support.hpp"
#include "io/appender.hpp"

namespace hwtrace::test {

enum class Packing : std::uint8_t { plain, lz4, bare_lz4, zstd, sized_zstd };
enum class Snapshot : std::uint8_t { at_start, at_end };

struct Dialect {
    std::uint16_t minor = 3;
    bool old_structures = false;  ///< storage headers have 12 bytes, and string_pool_offset is 2 too large
    bool old_frames = false;      ///< operations come before events
    Packing packing = Packing::plain;
    Snapshot snapshot = Snapshot::at_start;
    bool compact_allowed = true;  ///< bit 6 of the header's flags, for old frames
};

/// A field as in the file: type code and index of the enum.
struct HandField {
    std::string name;
    std::uint8_t type = 4;
    std::uint8_t enumeration = 0;
    std::uint8_t role = 0, pair = 0;
};

/// An item of a frame.
struct HandItem {
    std::uint8_t action = 0;  ///< 0: an event
    std::uint16_t target = 0;
    std::uint16_t slot = 0, field = 0;
    std::uint64_t value = 0;
    bool wide = false;
    Bytes payload;
};
HandItem set(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value);
HandItem clear(std::uint16_t storage, std::uint16_t slot);
HandItem add(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value);
HandItem set_property(std::uint16_t storage, std::uint16_t field, std::uint64_t value);
HandItem happens(std::uint16_t event, Bytes payload);
HandItem wide(HandItem item);
/// Encodes integers of the given widths, little-endian.
Bytes payload(const std::vector<std::pair<unsigned, std::uint64_t>>& widths_and_values);

/// Collects a schema and frames, then makes the file.
class HandMade {
public:
    explicit HandMade(Dialect dialect);

    void property(const std::string& key, const std::string& value);
    void clock(const std::string& name, std::uint32_t period);
    void scope(const std::string& name, std::uint16_t parent, const std::string& protocol, std::uint8_t clock);
    void enumeration(const std::string& name, const std::vector<std::string>& labels);
    void storage(const std::string& name, std::uint16_t slots, std::uint16_t flags, std::uint16_t scope,
                 const std::vector<HandField>& fields, const std::vector<HandField>& properties = {});
    void event(const std::string& name, std::uint16_t scope, const std::vector<HandField>& fields);
    void string(const std::string& text) { strings_.push_back(text); }
    void chunk(std::uint16_t type, const Bytes& payload) { chunks_.emplace_back(type, payload); }
    void section(std::uint16_t type, const Bytes& payload) { sections_.emplace_back(type, payload); }
    void interval(std::uint64_t ps) { interval_ = ps; }

    /// Adds a frame `delta` ps after the previous one.
    void frame(std::uint64_t delta, const std::vector<HandItem>& items);
    /// Ends a segment. file() ends the last segment.
    void end_segment();
    /// Returns the file. A file that is not closed has no sections and no complete flag.
    Bytes file(bool closed = true);

private:
    struct Storage {
        std::size_t slots = 0;
        bool sparse = false;
        std::vector<std::size_t> fields, properties;  ///< widths in bytes
    };
    std::uint16_t name(const std::string& text);
    void fields(const std::vector<HandField>& fields);
    void apply(const HandItem& item);
    Bytes checkpoint() const;
    Bytes schema() const;
    void encode(const HandItem& item);

    Dialect dialect_;
    std::string pool_;
    std::map<std::string, std::uint16_t> names_;
    std::vector<std::pair<std::uint16_t, std::uint16_t>> properties_;
    Appender clocks_, scopes_, enums_, storage_structures_, events_;
    std::uint8_t clock_count_ = 0, enum_count_ = 0;
    std::uint16_t scope_count_ = 0, event_count_ = 0;
    std::vector<Storage> storages_;
    std::vector<std::string> strings_;
    std::vector<std::pair<std::uint16_t, Bytes>> chunks_, sections_;
    std::uint64_t interval_ = 1'000'000;

    // The state: values of fields by storage and slot, and of properties by storage.
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint64_t>> slots_;
    std::map<std::size_t, std::vector<std::uint64_t>> property_values_;

    struct Segment {
        std::uint64_t start = 0, end = 0;
        std::uint32_t frames = 0, active = 0;
        Bytes checkpoint, raw;
    };
    std::vector<Segment> segments_;
    Segment open_;
    Bytes start_checkpoint_;
    Appender raw_;
    bool begun_ = false;
};

/// Returns the six dialects with their names.
const std::vector<std::pair<std::string, Dialect>>& dialects();

}  // namespace hwtrace::test
