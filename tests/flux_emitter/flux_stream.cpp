#include "flux_stream.hpp"

#include <lz4.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

namespace hwtrace::test {

namespace {

using Span = std::span<const std::uint8_t>;

class Cursor {
public:
    explicit Cursor(Span bytes) : bytes_(bytes) {}
    Span left() const { return bytes_; }
    bool ended() const { return bytes_.empty(); }
    std::uint8_t byte() { return take(1)[0]; }
    std::uint64_t pint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t next = byte();
            if (shift > 63) throw std::runtime_error("a number has more than 64 bits");
            value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
            if (next < 0x80) return value;
        }
    }
    Span take(std::uint64_t count) {
        if (count > bytes_.size()) throw std::runtime_error("an entry is cut");
        const Span taken = bytes_.first(static_cast<std::size_t>(count));
        bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
        return taken;
    }
    Span value() { return take(pint()); }

private:
    Span bytes_;
};

std::int64_t integer(Span bytes) {
    std::uint64_t value = !bytes.empty() && bytes.back() >= 0x80 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | bytes[i];
    return static_cast<std::int64_t>(value);
}

std::vector<std::uint8_t> unpack_fastlz(Span packed) {
    std::vector<std::uint8_t> out;
    Cursor in(packed);
    const bool second = !packed.empty() && packed[0] >> 5 == 1;
    for (bool first = true; !in.ended(); first = false) {
        const unsigned opcode = first ? in.byte() & 31U : in.byte();
        if (opcode < 32) {
            const Span literals = in.take(opcode + 1);
            out.insert(out.end(), literals.begin(), literals.end());
            continue;
        }
        std::size_t length = (opcode >> 5) + 2;
        std::size_t distance = (opcode & 31U) << 8;
        if (opcode >> 5 == 7) {
            unsigned more = 0;
            do {
                more = in.byte();
                length += more;
            } while (second && more == 255);
        }
        const unsigned low = in.byte();
        distance += low + 1;
        if (second && low == 255 && (opcode & 31U) == 31) {
            distance = in.byte() * 256U;
            distance += in.byte() + 8192U;
        }
        if (distance > out.size()) throw std::runtime_error("a FastLZ match refers to bytes before the block");
        for (; length > 0; --length)
            out.push_back(out[out.size() - distance]);
    }
    return out;
}

std::vector<std::uint8_t> unpack(unsigned mode, Span packed, std::size_t size) {
    if (mode == 1) return unpack_fastlz(packed);
    std::vector<std::uint8_t> out(size);
    if (mode == 0) {
        const int got =
            LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(out.data()),
                                static_cast<int>(packed.size()), static_cast<int>(size));
        out.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
        return out;
    }
    z_stream stream{};
    if (inflateInit2(&stream, mode == 2 ? 15 : 31) != Z_OK) throw std::runtime_error("zlib");
    std::vector<std::uint8_t> in(packed.begin(), packed.end());
    stream.next_in = in.data();
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    if (result != Z_STREAM_END) throw std::runtime_error("a zlib block is damaged");
    return out;
}

class Reader {
public:
    explicit Reader(FluxStream& found) : found_(found) {}

    void read(Span bytes) {
        Cursor in(bytes);
        while (!in.ended())
            entry(in);
        flush_sections();
    }

private:
    struct Trace {
        unsigned version = 6;
        std::map<std::uint64_t, std::uint64_t> parents;
        std::map<std::uint64_t, std::int64_t> positions;  ///< by opened item
    };
    struct Section {
        unsigned lap = 0;
        Span bytes;
    };

    Trace& trace() { return traces_[current_]; }

    std::int64_t& position_of(std::uint64_t item) {
        for (;; item = trace().parents[item]) {
            const auto found = trace().positions.find(item);
            if (found != trace().positions.end()) return found->second;
            if (item == 0) throw std::runtime_error("a sample of an item that is not open");
        }
    }

    void entry(Cursor& in) {
        const Span before = in.left();
        one_entry(in);
        if (before[0] == 0 && (before[1] == 0x05 || before[1] == 0x06)) return;
        const Span own = before.first(before.size() - in.left().size());
        found_.plain.insert(found_.plain.end(), own.begin(), own.end());
    }

    void one_entry(Cursor& in) {
        const std::uint64_t first = in.pint();
        if (first != 0) {
            flush_sections();
            return sample(in, first);
        }
        const unsigned tag = in.byte();
        if (tag != 0x06) flush_sections();
        found_.tags.push_back(tag);
        switch (tag) {
            case 0x01:
                return head(in);
            case 0x04:
                current_ = in.pint();
                found_.switches.push_back(current_);
                return;
            case 0x05:
                return block(in);
            case 0x06:
                return section(in);
            case 0x20: {
                const std::uint64_t item = in.pint();
                in.value();
                trace().positions[item] = integer(in.value());
                in.value();
                return;
            }
            case 0x21:
                trace().positions.erase(in.pint());
                in.value();
                return;
            case 0x22:
                in.value();
                return;
            case 0x23: {
                const std::uint64_t item = in.pint();
                position_of(item) = integer(in.value());
                return;
            }
            default:
                return tag < 0x20 ? definition(in, tag) : note(in, tag);
        }
    }

    void head(Cursor& in) {
        in.take(4);
        const unsigned version = in.byte();
        current_ = in.pint();
        trace().version = version;
        in.value();
        in.value();
        in.byte();
        in.pint();
        in.pint();
    }

    void definition(Cursor& in, unsigned tag) {
        if (tag < 0x10 || tag > 0x15) throw std::runtime_error("no such entry");
        const std::uint64_t item = in.pint();
        const std::uint64_t last = tag == 0x12 ? in.pint() : item;
        const std::uint64_t parent = in.pint();
        in.value();
        in.value();
        if (tag == 0x11 || tag == 0x12 || tag == 0x14) {
            in.byte();
            in.value();
        }
        if (tag >= 0x14) {
            in.pint();
            in.pint();
        }
        if (tag != 0x13 && tag != 0x15)
            for (std::uint64_t i = item; i <= last; ++i)
                trace().parents[i] = parent;
    }

    void note(Cursor& in, unsigned tag) {
        const bool newer = trace().version >= 6;
        in.pint();
        in.pint();
        switch (tag) {
            case 0x30:
                in.value();
                in.pint();
                return;
            case 0x31:
                if (newer) in.pint();
                in.value();
                in.byte();
                in.value();
                return;
            case 0x40:  // a small type is encoded like an integer
                in.pint();
                if (newer) in.pint();
                in.value();
                if (newer) in.pint();
                return;
            case 0x41:
                in.value();
                in.value();
                return;
            case 0x80:
            case 0x81:
                for (std::uint64_t count = in.pint(); count > 0; --count) {
                    in.pint();
                    in.byte();
                    in.value();
                }
                return;
            default:
                throw std::runtime_error("no such entry");
        }
    }

    void block(Cursor& in) {
        const unsigned mode = in.byte();
        const std::uint64_t size = in.pint();
        found_.blocks.push_back(static_cast<std::size_t>(size));
        const std::vector<std::uint8_t> raw = unpack(mode, in.value(), static_cast<std::size_t>(size));
        if (raw.size() != size) throw std::runtime_error("a block has another size than stated");
        Cursor inner(raw);
        while (!inner.ended())
            entry(inner);
    }

    void section(Cursor& in) {
        Section next;
        next.lap = in.byte();
        const std::size_t size = in.byte() | static_cast<std::size_t>(in.byte()) << 8;
        const std::size_t used = in.byte() | static_cast<std::size_t>(in.byte()) << 8;
        if (used > size) throw std::runtime_error("a section states more bytes than it has");
        next.bytes = in.take(size).first(used);
        sections_.push_back(next);
        if ((next.lap & 0x80U) != 0) flush_sections();
    }

    /// Reads the sections, oldest first. The oldest section follows the last section of the newest lap.
    void flush_sections() {
        if (sections_.empty()) return;
        std::vector<Section> all = std::move(sections_);
        sections_.clear();
        for (Section& one : all)
            one.lap &= 0x7FU;
        std::size_t oldest = 0;
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i].lap != all[0].lap && oldest == 0) oldest = i;
        std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(oldest), all.end());
        for (const Section& one : all) {
            if (one.lap == 0) continue;
            Cursor inner(one.bytes);
            while (!inner.ended())
                entry(inner);
        }
    }

    void sample(Cursor& in, std::uint64_t first) {
        FluxSample next;
        next.trace = current_;
        next.item = first >> 3;
        next.tag = first & 1U;
        if ((first & 4U) != 0) next.tag = in.byte();
        std::int64_t& position = position_of(next.item);
        if ((first & 2U) != 0) position += static_cast<std::int64_t>(in.pint());
        next.position = position;
        const std::uint64_t header = in.pint();
        next.nibble = header & 15U;
        const Span bytes = in.take(header >> 4);
        next.value.assign(bytes.begin(), bytes.end());
        found_.samples.push_back(std::move(next));
    }

    FluxStream& found_;
    std::map<std::uint64_t, Trace> traces_;
    std::uint64_t current_ = 0;
    std::vector<Section> sections_;
};

}  // namespace

std::int64_t FluxSample::number() const {
    return integer(value);
}

FluxStream read_flux(const std::vector<std::uint8_t>& bytes) {
    FluxStream found;
    Reader(found).read(bytes);
    return found;
}

}  // namespace hwtrace::test
