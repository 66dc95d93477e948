#include "codec/spilled_runs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <utility>

#include "io/error.hpp"
#include "io/input.hpp"
#include "io/leb128.hpp"
#include "io/zigzag.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t merge_bytes = std::size_t{16} << 20;  // read buffers of all runs together
constexpr std::size_t smallest_window = std::size_t{4} << 10, largest_window = std::size_t{1} << 20;

/// Returns the bytes that a record refers to in its batch.
std::span<const std::byte> payload_of(const Batch& batch, const Record& record) {
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
            return std::as_bytes(batch.cells(record));
        case Kind::interval:
        case Kind::change:
            return std::as_bytes(batch.attributes(record));
        case Kind::note:
        case Kind::native:
            return batch.bytes(record);
        case Kind::set:
        case Kind::clear:
        case Kind::add:
        case Kind::instruction:  // see append_instruction
            break;
    }
    return {};
}

std::size_t payload_size(const Record& record) noexcept {
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
        case Kind::instruction:  // count is the number of words in the file
            return std::size_t{record.count} * sizeof(std::uint64_t);
        case Kind::interval:
        case Kind::change:
            return std::size_t{record.count} * sizeof(Attribute);
        case Kind::note:
        case Kind::native:
            return record.count;
        default:
            return 0;
    }
}

/// Sets `words` to the words that represent an instruction in the file. Their number is the `count` of the
/// instruction's record in the file.
void append_instruction(const Batch& batch, const Record& record, std::vector<std::uint64_t>& words) {
    const Instruction& instruction = batch.instruction(record);
    const std::span<const Operand> operands = batch.operands(instruction);
    const std::span<const Access> accesses = batch.accesses(instruction);
    const std::span<const Part> order = batch.order(instruction);
    words.assign({instruction.encoding, instruction.target,
                  std::uint64_t{instruction.size} | std::uint64_t{instruction.has_target} << 8, operands.size(),
                  accesses.size(), order.size()});
    const auto append = [&](Slice slice) {
        const std::span<const std::uint64_t> cells = batch.cells(slice);
        words.push_back(cells.size());
        words.insert(words.end(), cells.begin(), cells.end());
    };
    for (const Operand& operand : operands) {
        words.push_back(std::uint64_t{operand.number} | static_cast<std::uint64_t>(operand.register_class) << 16 |
                        static_cast<std::uint64_t>(operand.role) << 24);
        words.push_back(operand.value);
        append(operand.words);
    }
    for (const Access& access : accesses) {
        words.push_back(access.address);
        words.push_back(std::uint64_t{access.size} | std::uint64_t{access.attributes} << 16 |
                        static_cast<std::uint64_t>(access.type) << 32);
        append(access.data);
    }
    for (const Part part : order)
        words.push_back(static_cast<std::uint64_t>(part));
}

/// Appends the instruction that `words` represent to `out`.
Record& take_instruction(const Record& record, std::span<const std::uint64_t> words, Batch& out) {
    const auto next = [&words] {
        const std::uint64_t word = words.front();
        words = words.subspan(1);
        return word;
    };
    Instruction made;
    made.encoding = next();
    made.target = next();
    const std::uint64_t facts = next(), operands = next(), accesses = next(), parts = next();
    for (std::uint64_t i = 0; i < operands; ++i) {
        const std::uint64_t what = next(), value = next(), count = next();
        const auto number = static_cast<std::uint16_t>(what);
        const auto register_class = static_cast<RegisterClass>(what >> 16 & 0xFF);
        const auto role = static_cast<OperandRole>(what >> 24);
        if (register_class == RegisterClass::vector)
            out.vector_operand(number, role, words.first(count));
        else
            out.operand(number, register_class, role, value);
        words = words.subspan(count);
    }
    for (std::uint64_t i = 0; i < accesses; ++i) {
        const std::uint64_t address = next(), what = next();
        out.access(address, static_cast<std::uint16_t>(what), static_cast<std::uint16_t>(what >> 16),
                   static_cast<AccessType>(what >> 32));
        for (std::uint64_t left = next(); left != 0; --left)
            out.access_data(next());
    }
    Instruction& instruction = out.instruction(record.track, record.time, record.value);
    instruction.encoding = made.encoding;
    instruction.target = made.target;
    instruction.size = static_cast<std::uint8_t>(facts);
    instruction.has_target = (facts >> 8) != 0;
    std::vector<Part> order;
    for (std::uint64_t i = 0; i < parts; ++i)
        order.push_back(static_cast<Part>(next()));
    if (!order.empty()) out.set_order(instruction, order);
    return out.mutable_records().back();
}

// The file format of a record is the kind and the flags, then varints, then the data of the record. The varints are:
// key and tag as differences to the previous record; the time as a difference to the time that corresponds to the key;
// track, value, count and field; `ref`, unless it is a place in the batch. Most records need 10 to 15 bytes instead of
// 48. The size matters because the system copies each record twice.
constexpr std::size_t largest_head = 2 + 8 * longest_leb128;

const std::byte* take_varint(const std::byte* at, std::uint64_t& value) noexcept {
    value = std::to_integer<std::uint64_t>(*at & std::byte{0x7F});
    for (unsigned shift = 7; (*at++ & std::byte{0x80}) != std::byte{}; shift += 7)
        value |= std::to_integer<std::uint64_t>(*at & std::byte{0x7F}) << shift;
    return at;
}

bool ref_is_its_own(Kind kind) noexcept {
    return kind != Kind::event && kind != Kind::relation && kind != Kind::interval && kind != Kind::note &&
           kind != Kind::native && kind != Kind::instruction;
}

std::byte* append_head(std::byte* at, const Record& record, const SortPlace& place, const SortPlace& before) noexcept {
    *at++ = static_cast<std::byte>(record.kind);
    *at++ = static_cast<std::byte>(record.flags);
    at = store_leb128(at, place.key - before.key);
    at = store_leb128(at, zigzag(static_cast<std::int64_t>(place.tag - before.tag)));
    at = store_leb128(at, zigzag(static_cast<std::int64_t>(ascending(record.time) - place.key)));
    at = store_leb128(at, record.track);
    at = store_leb128(at, record.value);
    at = store_leb128(at, record.count);
    at = store_leb128(at, record.field);
    return ref_is_its_own(record.kind) ? store_leb128(at, record.ref) : at;
}

/// Decodes the head of a record. On entry, `place` has the key and tag of the previous record. On return, it has the
/// key and tag of this record.
const std::byte* take_head(const std::byte* at, Record& record, SortPlace& place) noexcept {
    const auto next = [&at] {
        std::uint64_t value = 0;
        at = take_varint(at, value);
        return value;
    };
    record.kind = static_cast<Kind>(*at++);
    record.flags = std::to_integer<std::uint8_t>(*at++);
    place.key += next();
    place.tag += static_cast<std::uint64_t>(unzigzag(next()));
    record.time =
        static_cast<Tick>(ascending(static_cast<Tick>(place.key + static_cast<std::uint64_t>(unzigzag(next())))));
    record.track = static_cast<TrackId>(next());
    record.value = next();
    record.count = static_cast<std::uint32_t>(next());
    record.field = static_cast<std::uint16_t>(next());
    record.ref = ref_is_its_own(record.kind) ? static_cast<std::uint32_t>(next()) : 0;
    return at;
}

[[noreturn]] void name_the_option(const Error& error) {
    throw Error(error.failure(), std::string(error.what()).append("; use --tmpdir to choose another folder"));
}

}  // namespace
struct SpilledRuns::Merge {
    /// One run, read through a window.
    struct Run final : Source {
        Run(const Descriptor& spill, const std::string& name, Extent extent, std::size_t window_bytes)
            : file(spill), folder(name), at(extent.begin), end(extent.end), window(*this, window_bytes) {}

        std::size_t read(std::span<std::byte> into) override {
            into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - at)));
            if (read_whole_at(file.get(), at, into, folder) != into.size())
                fail(Failure::io, folder + ": the temporary file is shorter than what was written to it");
            at += into.size();
            return into.size();
        }
        /// Reads the next head. Returns false at the end.
        bool advance() {
            const std::span<const std::byte> head = window.peek(largest_head);
            if (head.empty()) return false;
            window.consume(static_cast<std::size_t>(take_head(head.data(), record, place) - head.data()));
            return true;
        }
        /// Copies the payload of the current record in blocks, so that the window does not grow.
        void take(void* into, std::size_t size) {
            auto* to = static_cast<std::byte*>(into);
            while (size != 0) {
                const std::span<const std::byte> piece = window.peek(1);
                const std::size_t count = std::min(size, piece.size());
                if (count == 0) fail(Failure::internal, "a sorted run ends inside a record");
                std::memcpy(to, piece.data(), count);
                window.consume(count);
                to += count;
                size -= count;
            }
        }

        const Descriptor& file;
        const std::string& folder;
        std::uint64_t at, end;
        Window window;
        SortPlace place{};
        Record record{};
    };
    struct Head {
        std::uint64_t key;
        std::uint32_t run;
        bool operator<(const Head& other) const noexcept {
            return key != other.key ? key < other.key : run < other.run;
        }
    };

    Merge(const Descriptor& file, const std::string& folder, const std::vector<Extent>& extents) {
        const std::size_t window = std::clamp(merge_bytes / extents.size(), smallest_window, largest_window);
        for (const Extent& extent : extents) {
            Run& run = runs.emplace_back(file, folder, extent, window);
            const auto number = static_cast<std::uint32_t>(runs.size() - 1);
            if (run.advance()) heads.push_back({run.place.key, number});
        }
        std::sort(heads.begin(), heads.end());  // a sorted array is a heap
    }

    /// Restores the heap after the key of the first element has grown.
    void sink_first() noexcept {
        const Head head = heads.front();
        std::size_t at = 0;
        for (std::size_t child = 1; child < heads.size(); child = 2 * at + 1) {
            if (child + 1 < heads.size() && heads[child + 1] < heads[child]) ++child;
            if (!(heads[child] < head)) break;
            heads[at] = heads[child];
            at = child;
        }
        heads[at] = head;
    }

    /// Appends the current record of a run to `out`.
    void restore(Run& run, Batch& out) {
        const Record& record = run.record;
        Record* restored = nullptr;
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                restored = &out.event(record.track, record.time, record.count);
                restored->kind = record.kind;
                run.take(out.mutable_cells(*restored).data(), payload_size(record));
                break;
            case Kind::interval:
            case Kind::change:
                attributes.resize(record.count);
                run.take(attributes.data(), payload_size(record));
                restored = &out.interval(record.track, record.time, record.value, attributes);
                restored->kind = record.kind;
                break;
            case Kind::note:
            case Kind::native:
                bytes.resize(record.count);
                run.take(bytes.data(), bytes.size());
                restored = &out.native(record.track, record.time, bytes);
                restored->kind = record.kind;
                break;
            case Kind::instruction:
                words.resize(record.count);
                run.take(words.data(), payload_size(record));
                restored = &take_instruction(record, words, out);
                break;
            default:
                out.copy(nothing, record, record.track);  // the record refers to nothing in its batch
                return;
        }
        restored->flags = record.flags;
    }

    bool give(Batch& out, std::vector<SortPlace>& places) {
        while (!heads.empty() && !out.full()) {
            Run& run = runs[heads.front().run];
            places.push_back(run.place);
            restore(run, out);
            if (run.advance()) {
                heads.front().key = run.place.key;
            } else {
                heads.front() = heads.back();
                heads.pop_back();
                if (heads.empty()) break;
            }
            sink_first();
        }
        return !heads.empty();
    }

    std::deque<Run> runs;  // a deque, because runs must not move: each refers to itself
    std::vector<Head> heads;
    std::vector<Attribute> attributes;  // attributes of the record being restored
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> words;
    Batch nothing;
};

SpilledRuns::SpilledRuns(std::string folder) : folder_(std::move(folder)) {}

SpilledRuns::~SpilledRuns() = default;

void SpilledRuns::begin_run() {
    if (!file_) {
        try {
            file_ = open_unlinked_file(folder_);
        } catch (const Error& error) {
            name_the_option(error);
        }
    }
    run_begin_ = file_size_;
    before_ = {};
}

void SpilledRuns::append(const Batch& batch, const Record& record, const SortPlace& place) {
    Record written = record;
    std::span<const std::byte> payload = payload_of(batch, record);
    if (record.kind == Kind::instruction) {
        append_instruction(batch, record, words_);
        payload = std::as_bytes(std::span(words_));
        written.count = static_cast<std::uint32_t>(words_.size());
    }
    std::array<std::byte, largest_head> head;
    std::byte* const end = append_head(head.data(), written, place, before_);
    write(std::span(head.data(), end));
    if (!payload.empty()) write(payload);
    before_ = place;
}

void SpilledRuns::end_run() {
    flush();
    runs_.push_back({run_begin_, file_size_});
}

void SpilledRuns::write(std::span<const std::byte> bytes) {
    if (bytes.size() > buffer_bytes - buffer_.size()) flush();
    if (bytes.size() > buffer_bytes) {
        write_to_file(bytes);
        return;
    }
    buffer_.bytes(bytes);
}

void SpilledRuns::flush() {
    write_to_file(buffer_.span());
    buffer_.clear();
}

void SpilledRuns::write_to_file(std::span<const std::byte> bytes) try {
    write_whole_at(file_.get(), file_size_, bytes, folder_);
    file_size_ += bytes.size();
} catch (const Error& error) {
    name_the_option(error);
}

bool SpilledRuns::give(Batch& out, std::vector<SortPlace>& places) {
    if (!merge_) {
        buffer_ = {};
        merge_ = std::make_unique<Merge>(file_, folder_, runs_);
    }
    return merge_->give(out, places);
}

}  // namespace hwtrace
