#include "preamble.hpp"

#include <array>
#include <optional>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "rules.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t most_chunks = 4096;
constexpr std::size_t field_size = 8;
constexpr std::size_t clock_size = 8;
constexpr std::size_t summary_field_size = 8;
constexpr std::size_t enum_entry_size = 4;

struct SchemaCounts {
    std::uint8_t enums, clocks;
    std::uint16_t scopes, storages, events, summary_fields, pool_offset;

    explicit SchemaCounts(Cursor& at)
        : enums(at.le<std::uint8_t>()),
          clocks(at.le<std::uint8_t>()),
          scopes(at.le<std::uint16_t>()),
          storages(at.le<std::uint16_t>()),
          events(at.le<std::uint16_t>()),
          summary_fields(at.le<std::uint16_t>()),
          pool_offset(at.le<std::uint16_t>()) {}
};

/// Returns the end of a schema's structures, assuming storage headers of `storage_header` bytes. Returns nullopt if the
/// structures exceed `payload`.
std::optional<std::size_t> structures_end(std::span<const std::byte> payload, std::size_t storage_header) try {
    Cursor at(payload);
    const SchemaCounts counts(at);
    at.skip(counts.clocks * clock_size + counts.scopes * scope_size);
    for (unsigned i = 0; i < counts.enums; ++i) {
        at.skip(2);
        const auto values = at.le<std::uint8_t>();
        at.skip(1 + values * enum_entry_size);
    }
    for (unsigned i = 0; i < counts.storages; ++i) {
        at.skip(6);
        std::size_t fields = at.le<std::uint16_t>();
        at.skip(4);
        if (storage_header == storage_header_size) {
            fields += at.le<std::uint16_t>();
            at.skip(2);
        }
        at.skip(fields * field_size);
    }
    for (unsigned i = 0; i < counts.events; ++i) {
        at.skip(4);
        const auto fields = at.le<std::uint16_t>();
        at.skip(2 + fields * field_size);
    }
    at.skip(counts.summary_fields * summary_field_size);
    return static_cast<std::size_t>(at.offset());
} catch (const Truncated&) {
    return std::nullopt;
}

/// Resolves offsets into the string pool and reports broken strings.
class PoolReader {
public:
    PoolReader(std::string_view pool, std::uint64_t base, const Limits& limits, Findings& findings) noexcept
        : pool_(pool), base_(base), limits_(limits), findings_(findings) {}

    std::string text(std::uint16_t offset, std::uint64_t named_at, std::string_view what) {
        if (offset >= pool_.size()) {
            report(findings_, Check::pool_string, {named_at, 2}, "an offset below " + std::to_string(pool_.size()),
                   std::to_string(offset), {std::string(what), {}, {}});
            return {};
        }
        const std::string_view rest = pool_.substr(offset);
        const std::size_t end = rest.find('\0');
        const std::string_view found = rest.substr(0, end);
        total_ += found.size();
        check_limit(total_, limits_.record, "the names of a schema", "--max-record");
        if (end == std::string_view::npos)
            report(findings_, Check::pool_string, base_ + offset, "a NUL at the end", "the end of the pool",
                   {std::string(what), {}, {}});
        else if (!is_pool_text(found))
            report(findings_, Check::pool_string, base_ + offset, "UTF-8", "other bytes", {std::string(what), {}, {}});
        return std::string(found);
    }

private:
    std::string_view pool_;
    std::uint64_t base_;
    const Limits& limits_;
    Findings& findings_;
    std::uint64_t total_ = 0;
};

/// Declares the objects of a schema chunk. The structures must have been checked to fit.
class SchemaReader {
public:
    SchemaReader(std::span<const std::byte> payload, std::uint64_t base, PoolReader& pool, Findings& findings,
                 Schema& schema, Preamble& preamble) noexcept
        : at_(payload, base), pool_(pool), findings_(findings), schema_(schema), preamble_(preamble) {}

    void run() {
        const SchemaCounts counts(at_);
        if (counts.clocks == 0) report(findings_, Check::clocks, at_.offset() - 11, "at least one clock", "none");
        for (unsigned i = 0; i < counts.clocks; ++i)
            clock(i);
        if (counts.scopes == 0) report(findings_, Check::scopes, at_.offset(), "at least the root scope", "none");
        preamble_.first_scope = at_.offset();
        for (unsigned i = 0; i < counts.scopes; ++i)
            scope(i, counts);
        declare_scopes();
        for (unsigned i = 0; i < counts.enums; ++i)
            enumeration();
        for (unsigned i = 0; i < counts.storages; ++i) {
            preamble_.track_offsets.push_back(at_.offset());
            storage(i, counts);
        }
        for (unsigned i = 0; i < counts.events; ++i) {
            preamble_.track_offsets.push_back(at_.offset());
            event(i, counts);
        }
        for (unsigned i = 0; i < counts.summary_fields; ++i)
            summary_field();
        preamble_.storages = counts.storages;
        preamble_.events = counts.events;
    }

private:
    std::string text(std::string_view what) {
        const std::uint64_t named_at = at_.offset();
        return pool_.text(at_.le<std::uint16_t>(), named_at, what);
    }
    void check_id(std::string_view what, unsigned index) {
        const std::uint64_t offset = at_.offset();
        const auto id = at_.le<std::uint16_t>();
        if (id != index)
            report(findings_, Check::object_id, {offset, sizeof id}, std::string(what) + ' ' + std::to_string(index),
                   std::to_string(id));
    }
    template <std::integral T>
    void reserved(std::string_view what) {
        const std::uint64_t offset = at_.offset();
        const T value = at_.le<T>();
        if (value != 0)
            report(findings_, Check::reserved, {offset, sizeof value}, "0", std::to_string(value),
                   {std::string(what), {}, {}});
    }

    void clock(unsigned index) {
        Clock clock;
        clock.name = text("clock name");
        check_id("clock", index);
        clock.period_ps = at_.le<std::uint32_t>();
        if (clock.period_ps == 0)
            report(findings_, Check::clock_period, {at_.offset() - 4, 4}, "a period", "0",
                   {"clock " + clock.name, {}, {}});
        schema_.declare(std::move(clock));
    }

    void scope(unsigned index, const SchemaCounts& counts) {
        Scope scope;
        scope.name = text("scope name");
        check_id("scope", index);
        const auto parent = at_.le<std::uint16_t>();
        const std::uint64_t parent_at = at_.offset() - 2;
        const std::uint64_t protocol_at = at_.offset();
        if (const auto protocol = at_.le<std::uint16_t>(); protocol != no_protocol)
            scope.protocol = pool_.text(protocol, protocol_at, "protocol");
        const auto clock = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("scope");
        reserved<std::uint16_t>("scope");
        if (parent < counts.scopes && index != 0) scope.parent = parent;
        if ((index == 0) != (parent == no_scope) || (parent != no_scope && parent >= counts.scopes))
            report(findings_, Check::scopes, {parent_at, 2},
                   index == 0 ? "parent 65535" : "a scope of the file as parent", std::to_string(parent),
                   {"scope " + scope.name, {}, {}});
        if (clock < counts.clocks)
            scope.clock = clock;
        else if (clock != inherited_clock)
            report(findings_, Check::scopes, parent_at + 4, "a clock of the file, or 255", std::to_string(clock),
                   {"scope " + scope.name, {}, {}});
        scopes_.push_back(std::move(scope));
    }

    /// Declares all scopes. A parent is declared before its children, even if the file has another order. Breaks cycles
    /// of parents.
    void declare_scopes() {
        preamble_.scope_ids.assign(scopes_.size(), none);
        std::vector<bool> is_followed(scopes_.size());
        std::vector<std::uint16_t> way;  // a scope and its undeclared ancestors
        for (unsigned start = 0; start < scopes_.size(); ++start) {
            ScopeId number = start;
            for (; number != none && !is_followed[number]; number = scopes_[number].parent) {
                is_followed[number] = true;
                way.push_back(static_cast<std::uint16_t>(number));
            }
            if (number != none && preamble_.scope_ids[number] == none) {
                report(findings_, Check::scopes,
                       {preamble_.first_scope + std::uint64_t{start} * scope_size, scope_size}, "a path up to the root",
                       "a cycle", {"scope " + scopes_[start].name, {}, {}});
                scopes_[way.back()].parent = none;
            }
            for (; !way.empty(); way.pop_back()) {
                Scope& scope = scopes_[way.back()];
                if (scope.parent != none) scope.parent = preamble_.scope_ids[scope.parent];
                preamble_.scope_ids[way.back()] = schema_.declare(std::move(scope));
                preamble_.scope_numbers.push_back(way.back());
            }
        }
    }

    void enumeration() {
        Enum enumeration;
        enumeration.name = text("enum name");
        const auto values = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("enum");
        for (unsigned i = 0; i < values; ++i) {
            EnumValue value;
            value.value = at_.le<std::uint8_t>();
            reserved<std::uint8_t>("enum value");
            value.name = text("enum value name");
            enumeration.values.push_back(std::move(value));
        }
        schema_.declare(std::move(enumeration));
    }

    Field field(std::string_view what) {
        const std::uint64_t offset = at_.offset();
        Field field;
        field.name = text(what);
        const auto code = at_.le<std::uint8_t>();
        const auto enumeration = at_.le<std::uint8_t>();
        field.role = at_.le<std::uint8_t>();
        field.pair = at_.le<std::uint8_t>();
        reserved<std::uint16_t>("field");
        const std::optional<Type> type = type_of(code);
        field.type = type.value_or(Type::u8);
        if (!type)
            report(findings_, Check::field_type, offset + 2, "a type from 1 to 11", std::to_string(code),
                   {"field " + field.name, {}, {}});
        if (field.type != Type::enumeration) return field;
        if (enumeration < schema_.enums().size())
            field.enumeration = enumeration;
        else
            report(findings_, Check::field_type, offset + 3, "an enum below " + std::to_string(schema_.enums().size()),
                   std::to_string(enumeration), {"field " + field.name, {}, {}});
        return field;
    }

    ScopeId owner(const SchemaCounts& counts) {
        const std::uint64_t offset = at_.offset();
        const auto scope = at_.le<std::uint16_t>();
        if (scope < counts.scopes) return preamble_.scope_ids[scope];
        if (scope != no_scope)
            report(findings_, Check::scopes, offset, "a scope of the file, or 65535", std::to_string(scope));
        return none;
    }

    void storage(unsigned index, const SchemaCounts& counts) {
        Track track;
        track.kind = Track::Kind::storage;
        track.time = picoseconds;
        track.name = text("storage name");
        check_id("storage", index);
        track.slots = at_.le<std::uint16_t>();
        const auto fields = at_.le<std::uint16_t>();
        const auto flags = at_.le<std::uint16_t>();
        track.sparse = (flags & storage_sparse) != 0;
        track.buffer = (flags & storage_buffer) != 0;
        if ((flags & ~(storage_sparse | storage_buffer)) != 0)
            report(findings_, Check::reserved, {at_.offset() - 2, 2}, "flags 0 to 3", std::to_string(flags),
                   {"storage " + track.name, {}, {}});
        track.scope = owner(counts);
        std::uint16_t properties = 0;
        if (!preamble_.old_structures) {
            properties = at_.le<std::uint16_t>();
            reserved<std::uint16_t>("storage");
        }
        for (unsigned i = 0; i < fields; ++i)
            track.fields.push_back(field("field name"));
        for (unsigned i = 0; i < properties; ++i)
            track.properties.push_back(field("property name"));
        schema_.declare(std::move(track));
    }

    void event(unsigned index, const SchemaCounts& counts) {
        Track track;
        track.kind = Track::Kind::event_type;
        track.time = picoseconds;
        track.name = text("event name");
        check_id("event type", index);
        const auto fields = at_.le<std::uint16_t>();
        track.scope = owner(counts);
        for (unsigned i = 0; i < fields; ++i)
            track.fields.push_back(field("field name"));
        schema_.declare(std::move(track));
    }

    void summary_field() {
        SummaryField field;
        field.name = text("summary field name");
        field.type = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("summary field");
        field.scope = at_.le<std::uint16_t>();
        reserved<std::uint16_t>("summary field");
        if (field.scope < preamble_.scope_ids.size())
            field.scope = static_cast<std::uint16_t>(preamble_.scope_ids[field.scope]);
        preamble_.summary_fields.push_back(std::move(field));
    }

    Cursor at_;
    PoolReader& pool_;
    Findings& findings_;
    Schema& schema_;
    Preamble& preamble_;
    std::vector<Scope> scopes_;  // in file order
};

/// The payload of a chunk and its file offset.
struct ChunkBytes {
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
};

class PreambleReader {
public:
    PreambleReader(const Input& input, const Settings& settings, Findings& findings, FileHeader& header, Schema& schema)
        : input_(input),
          limits_(settings.limits),
          findings_(findings),
          header_(header),
          schema_(schema),
          size_(input.size().value_or(0)) {}

    Preamble run() {
        read_header();
        read_chunks();
        read_schema();
        return std::move(preamble_);
    }

private:
    [[noreturn]] void give_up(const std::string& why) const { fail(Failure::input, input_.name() + ": " + why); }

    void read_header() {
        std::array<std::byte, file_header_size> bytes{};
        const std::size_t got = input_.read_at(0, bytes);
        const auto magic_there = static_cast<std::ptrdiff_t>(std::min(got, file_magic.size()));
        const bool is_ours = std::equal(file_magic.begin(), file_magic.begin() + magic_there, bytes.begin());
        if (is_ours && got != 0 && got < bytes.size()) {
            report(findings_, Check::truncated, {got, 0}, "a file header of 48 bytes", counted(got, "byte"));
            give_up("the file ends inside its header");
        }
        if (got < bytes.size() || !is_ours) {
            const std::string expected = "48 bytes that begin with uSCP";
            const std::string found = got < bytes.size() ? counted(got, "byte") : std::string("another magic");
            report(findings_, Check::file_header, {0, 4}, expected, found);
            give_up("not a µScope file: expected " + expected + ", found " + found);
        }
        header_ = FileHeader::decode(bytes);
        if (header_.major != version_major) {
            const std::string found = std::to_string(header_.major) + '.' + std::to_string(header_.minor);
            report(findings_, Check::version, {4, 4}, "version 0.1, 0.2 or 0.3", found);
            give_up("µScope version " + found + " is not supported; 0.1 to 0.3 are");
        }
        if (header_.compressed() && header_.method() > method_zstd) {
            report(findings_, Check::method, {8, 8}, "0 (LZ4) or 1 (ZSTD)", std::to_string(header_.method()));
            give_up("compression method " + std::to_string(header_.method()) + " is unknown");
        }
        const bool stray_method = !header_.compressed() && header_.method() != 0;
        if ((header_.flags & ~known_flags) != 0 || stray_method)
            report(findings_, Check::reserved, {8, 8}, "reserved flags 0", std::to_string(header_.flags),
                   {"file header", {}, {}});
    }

    void read_chunks() {
        std::uint64_t at = file_header_size;
        for (std::size_t count = 0;; ++count) {
            std::array<std::byte, chunk_header_size> head{};
            if (count == most_chunks || input_.read_at(at, head) < head.size()) {
                if (count != most_chunks && is_cut()) return;
                report(findings_, Check::preamble, at, "an END chunk",
                       count == most_chunks ? "no end after 4096 chunks" : "the end of the file");
                preamble_.end = header_.preamble_end;
                return;
            }
            const auto type = load_le<std::uint16_t>(head.data());
            const auto flags = load_le<std::uint16_t>(head.data() + 2);
            const auto size = load_le<std::uint32_t>(head.data() + 4);
            if (flags != 0)
                report(findings_, Check::reserved, {at + 2, 2}, "0", std::to_string(flags), {"chunk", {}, {}});
            const std::uint64_t payload = at + chunk_header_size;
            if (size > size_ - payload) {
                if (is_cut()) return;
                report(findings_, Check::preamble, {at + 4, 4}, "at most " + counted(size_ - payload, "byte"),
                       counted(size, "byte"), {"chunk of type " + std::to_string(type), {}, {}});
                preamble_.end = header_.preamble_end;
                return;
            }
            at = payload + (std::uint64_t{size} + 7) / 8 * 8;
            if (!take_chunk(type, payload, size)) break;
        }
        preamble_.end = at;
        if (at != header_.preamble_end)
            report(findings_, Check::preamble, {0x1C, 4}, "preamble_end " + std::to_string(at),
                   std::to_string(header_.preamble_end));
    }

    /// Handles an incomplete chunk. If the file ends before preamble_end, reports that and returns true. Otherwise
    /// returns false.
    bool is_cut() {
        cut_ = header_.preamble_end > size_;
        preamble_.end = header_.preamble_end;
        if (cut_)
            report(findings_, Check::truncated, {size_, 0},
                   "a preamble that ends at byte " + std::to_string(header_.preamble_end), counted(size_, "byte"));
        return cut_;
    }

    /// Stores the place of a chunk of known type; reports other chunks. Returns false if the chunk is END.
    bool take_chunk(std::uint16_t type, std::uint64_t payload, std::uint32_t size) {
        switch (Chunk{type}) {
            case Chunk::end:
                return false;
            case Chunk::dut:
                keep(dut_, "DUT", payload, size);
                return true;
            case Chunk::schema:
                keep(schema_chunk_, "SCHEMA", payload, size);
                return true;
            case Chunk::config:
                keep(config_, "CONFIG", payload, size);
                return true;
        }
        report(findings_, Check::unknown_part, {payload - chunk_header_size, chunk_header_size + size},
               "a chunk of type 0 to 3", "type " + std::to_string(type) + ", " + counted(size, "byte"));
        return true;
    }

    void keep(std::optional<ChunkBytes>& chunk, std::string_view name, std::uint64_t payload, std::uint32_t size) {
        if (chunk) {
            report(findings_, Check::mandatory_chunk, {payload - chunk_header_size, chunk_header_size + size},
                   "one chunk " + std::string(name), "another one");
            return;
        }
        check_limit(size, limits_.record, "a preamble chunk", "--max-record");
        chunk = ChunkBytes{payload, input_.read_all_at(payload, size)};
    }

    void read_schema() {
        require(dut_, "DUT", 4);
        require(config_, "CONFIG", 8);
        require(schema_chunk_, "SCHEMA", schema_header_size);
        if (cut_ && !schema_chunk_) give_up("the file ends inside its preamble");
        if (!schema_chunk_ || schema_chunk_->bytes.size() < schema_header_size)
            give_up("there is no schema; frames cannot be decoded without it");
        if (config_ && config_->bytes.size() >= 8) {
            preamble_.checkpoint_interval = load_le<std::uint64_t>(config_->bytes.data());
            preamble_.config_at = config_->offset;
        }

        const std::span<const std::byte> payload = schema_chunk_->bytes;
        const std::size_t pool_at = checked_structures(payload);
        PoolReader pool(as_text(payload.subspan(pool_at)), schema_chunk_->offset + pool_at, limits_, findings_);
        SchemaReader(payload.first(pool_at), schema_chunk_->offset, pool, findings_, schema_, preamble_).run();
        read_properties(pool);
    }

    void require(const std::optional<ChunkBytes>& chunk, std::string_view name, std::size_t least) {
        if (chunk ? chunk->bytes.size() >= least : cut_) return;
        report(findings_, Check::mandatory_chunk, chunk ? chunk->offset : file_header_size,
               "a chunk " + std::string(name) + " of at least " + counted(least, "byte"),
               chunk ? counted(chunk->bytes.size(), "byte") : "none");
    }

    /// Returns the size of the schema's structures, which the string pool follows. Parses them with both sizes of
    /// storage headers and chooses the size that agrees with the offset of the pool. Ignores the version in the file
    /// header (README.md#versions-and-dialects).
    std::size_t checked_structures(std::span<const std::byte> payload) {
        Cursor at(payload);
        const SchemaCounts counts(at);
        const std::optional<std::size_t> end = structures_end(payload, storage_header_size);
        const std::optional<std::size_t> old = structures_end(payload, old_storage_header_size);
        const bool is_old = old && (*old + old_pool_offset_excess == counts.pool_offset || *old == counts.pool_offset);
        preamble_.old_structures = end != counts.pool_offset && (is_old || (!end && old));
        const std::optional<std::size_t> found = preamble_.old_structures ? old : end;
        if (found != counts.pool_offset && !is_old)
            report(findings_, Check::schema_structure, {schema_chunk_->offset + schema_header_size - 2, 2},
                   found ? "string_pool_offset " + std::to_string(*found)
                         : "structures that fit " + counted(payload.size(), "byte"),
                   std::to_string(counts.pool_offset));
        if (!found) give_up("the schema's structures are longer than its chunk of " + counted(payload.size(), "byte"));
        const std::uint64_t objects = (*found - schema_header_size) / enum_entry_size;
        check_limit((objects + 1) / 2, limits_.schema_objects, "the objects of a schema", "--max-schema");
        return *found;
    }

    void read_properties(PoolReader& pool) try {
        if (!dut_) return;
        Cursor at(dut_->bytes, dut_->offset);
        const auto count = at.le<std::uint16_t>();
        at.skip(2);
        for (unsigned i = 0; i < count; ++i) {
            const std::uint64_t offset = at.offset();
            const auto key = at.le<std::uint16_t>();
            const auto value = at.le<std::uint16_t>();
            preamble_.properties.push_back(
                {pool.text(key, offset, "DUT key"), pool.text(value, offset + 2, "DUT value")});
        }
    } catch (const Truncated& end) {
        report(findings_, Check::mandatory_chunk, {end.offset(), end.left()}, "another DUT property",
               counted(end.left(), "byte"));
    }

    const Input& input_;
    const Limits& limits_;
    Findings& findings_;
    FileHeader& header_;
    Schema& schema_;
    std::uint64_t size_;
    Preamble preamble_;
    bool cut_ = false;  ///< the file ends inside the preamble
    std::optional<ChunkBytes> dut_, schema_chunk_, config_;
};

}  // namespace

bool is_too_young(const Input& input) {
    std::array<std::byte, file_header_size> bytes{};
    const std::size_t got = input.read_at(0, bytes);
    const std::size_t magic_there = std::min(got, file_magic.size());
    if (!std::equal(file_magic.begin(), file_magic.begin() + static_cast<std::ptrdiff_t>(magic_there), bytes.begin()))
        return false;
    if (got < bytes.size()) return true;
    const FileHeader header = FileHeader::decode(bytes);
    const bool begun = header.preamble_end != 0 && input.size().value_or(0) >= header.preamble_end;
    return !header.complete() && !begun;
}

Preamble read_preamble(const Input& input, const Settings& settings, Findings& findings, FileHeader& header,
                       Schema& schema) {
    return PreambleReader(input, settings, findings, header, schema).run();
}

bool is_pool_text(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == '\0' ? 0 : utf8_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------

void fail_pool_full() {
    fail(Failure::input,
         "the names of this trace exceed the 65535 bytes of µScope's string pool; "
         "leave out tracks with --select");
}

std::uint16_t StringPool::offset(std::string_view text) {
    const auto [found, is_new] = offsets_.try_emplace(std::string(text), static_cast<std::uint16_t>(bytes_.size()));
    if (is_new) {
        if (bytes_.size() + text.size() + 1 > largest_pool) fail_pool_full();
        bytes_ += text;
        bytes_ += '\0';
    }
    return found->second;
}

bool StringPool::fits(std::string_view text) const {
    return bytes_.size() + text.size() + 1 <= largest_pool || offsets_.contains(std::string(text));
}

namespace {

/// Writes structures and collects their names.
class SchemaEncoder {
public:
    SchemaEncoder(StringPool& pool, Appender& out) noexcept : pool_(pool), out_(out) {}

    void run(const Schema& schema, const Preamble& preamble) {
        const std::size_t start = out_.size();
        out_.le(static_cast<std::uint8_t>(schema.enums().size()));
        out_.le(static_cast<std::uint8_t>(schema.clocks().size()));
        count(schema.scopes().size());
        count(preamble.storages);
        count(preamble.events);
        count(preamble.summary_fields.size());
        out_.le(std::uint16_t{0});  // string_pool_offset, patched below

        for (std::size_t i = 0; i < schema.clocks().size(); ++i) {
            name(schema.clocks()[i].name);
            count(i);
            out_.le(static_cast<std::uint32_t>(schema.clocks()[i].period_ps));
        }
        for (std::size_t i = 0; i < schema.scopes().size(); ++i)
            scope(i, schema.scopes()[i]);
        for (const Enum& enumeration : schema.enums()) {
            name(enumeration.name);
            out_.le(static_cast<std::uint8_t>(enumeration.values.size()));
            out_.le(std::uint8_t{0});
            for (const EnumValue& value : enumeration.values) {
                out_.le(static_cast<std::uint8_t>(value.value));
                out_.le(std::uint8_t{0});
                name(value.name);
            }
        }
        for (std::size_t i = 0; i < preamble.storages; ++i)
            storage(i, schema.tracks()[i]);
        for (std::size_t i = 0; i < preamble.events; ++i)
            event(i, schema.tracks()[preamble.storages + i]);
        for (const SummaryField& field : preamble.summary_fields) {
            name(field.name);
            out_.le(field.type);
            out_.le(std::uint8_t{0});
            out_.le(field.scope);
            out_.le(std::uint16_t{0});
        }
        const std::size_t structures = out_.size() - start;
        if (structures > largest_pool)
            fail(Failure::input, "the schema of this trace takes " + counted(structures, "byte") +
                                     "; µScope allows at most 65535 before its string pool; leave out tracks "
                                     "with --select");
        out_.patch(start + schema_header_size - 2, static_cast<std::uint16_t>(structures));
    }

private:
    void name(std::string_view text) { out_.le(pool_.offset(text)); }
    void count(std::size_t value) { out_.le(static_cast<std::uint16_t>(value)); }
    void owner(ScopeId scope) { out_.le(scope == none ? no_scope : static_cast<std::uint16_t>(scope)); }

    void scope(std::size_t index, const Scope& scope) {
        name(scope.name);
        count(index);
        owner(scope.parent);
        out_.le(scope.protocol.empty() ? no_protocol : pool_.offset(scope.protocol));
        out_.le(scope.clock == none ? inherited_clock : static_cast<std::uint8_t>(scope.clock));
        out_.zeros(3);
    }
    void fields(const std::vector<Field>& fields) {
        for (const Field& field : fields) {
            name(field.name);
            out_.le(static_cast<std::uint8_t>(field_type(field.type).value_or(FieldType::u64)));
            out_.le(field.enumeration == none ? std::uint8_t{0} : static_cast<std::uint8_t>(field.enumeration));
            out_.le(field.role);
            out_.le(field.pair);
            out_.le(std::uint16_t{0});
        }
    }
    void storage(std::size_t index, const Track& track) {
        name(track.name);
        count(index);
        count(track.slots);
        count(track.fields.size());
        const unsigned flags = (track.sparse ? storage_sparse : 0u) | (track.buffer ? storage_buffer : 0u);
        out_.le(static_cast<std::uint16_t>(flags));
        owner(track.scope);
        count(track.properties.size());
        out_.le(std::uint16_t{0});
        fields(track.fields);
        fields(track.properties);
    }
    void event(std::size_t index, const Track& track) {
        name(track.name);
        count(index);
        count(track.fields.size());
        owner(track.scope);
        fields(track.fields);
    }

    StringPool& pool_;
    Appender& out_;
};

void append_chunk(Chunk type, std::span<const std::byte> payload, Appender& out) {
    out.le(static_cast<std::uint16_t>(type));
    out.le(std::uint16_t{0});
    out.le(static_cast<std::uint32_t>(payload.size()));
    out.bytes(payload);
    out.pad_to(8);
}

}  // namespace

void add_names(const Schema& schema, const Preamble& preamble, StringPool& pool) {
    Appender unused;
    SchemaEncoder(pool, unused).run(schema, preamble);
}

void encode_preamble(const Schema& schema, const Preamble& preamble, Appender& out) {
    StringPool pool;
    Appender structures;
    SchemaEncoder(pool, structures).run(schema, preamble);

    Appender dut;
    dut.le(static_cast<std::uint16_t>(preamble.properties.size()));
    dut.le(std::uint16_t{0});
    for (const Property& property : preamble.properties) {
        dut.le(pool.offset(property.key));
        dut.le(pool.offset(property.value));
    }
    structures.text(pool.bytes());
    Appender config;
    config.le(preamble.checkpoint_interval);

    append_chunk(Chunk::dut, dut.span(), out);
    append_chunk(Chunk::schema, structures.span(), out);
    append_chunk(Chunk::config, config.span(), out);
    append_chunk(Chunk::end, {}, out);
}

}  // namespace hwtrace::uscope
