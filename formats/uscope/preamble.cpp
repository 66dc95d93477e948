#include "preamble.hpp"

#include <array>
#include <optional>

#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "rules.hpp"
#include "schema_reader.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t most_chunks = 4096;

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
        read_structures(payload.first(pool_at), schema_chunk_->offset, pool, findings_, schema_, preamble_);
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

}  // namespace hwtrace::uscope
