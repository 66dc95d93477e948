// tests/fuzz/decoders.cpp - fuzz targets that decode smaller units than a trace.
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/convert_command.hpp"
#include "cli/time_options.hpp"
#include "cli/validation_report.hpp"
#include "codec/findings.hpp"
#include "formats.hpp"
#include "fuzz/targets.hpp"
#include "io/appender.hpp"
#include "io/cbor.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/fastlz.hpp"
#include "io/input.hpp"
#include "io/unpacked.hpp"
#include "operate/pieces.hpp"
#include "pccx/header.hpp"
#include "select/clock.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"

namespace hwtrace::fuzz {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t most_unpacked = std::size_t{1} << 20;

/// Decodes CBOR items one by one, and also skips each one as a whole. Both ways must end at the same byte or fail.
void cbor(Bytes bytes) {
    CborCursor cursor(bytes, 7);
    std::vector<std::byte> store;
    while (!cursor.at_end() && !cursor.failed()) {
        const std::uint64_t before = cursor.offset();
        CborCursor items(bytes.subspan(static_cast<std::size_t>(before - 7)), before);
        CborHead head;
        if (!cursor.peek(head)) break;
        if (cursor.describe().empty()) broken("an item without a description");
        bool is_whole = true;
        Bytes text;
        switch (head.major) {
            case CborMajor::bytes:
            case CborMajor::text:
                is_whole = items.string(head.major, store, text);
                break;
            case CborMajor::array: {
                CborItems left;
                is_whole = items.array(left);
                while (is_whole && items.more(left))
                    is_whole = items.skip(63);
                is_whole = is_whole && !items.failed();
                break;
            }
            case CborMajor::map: {
                CborItems left;
                is_whole = items.map(left);
                while (is_whole && items.more(left))
                    is_whole = items.skip(63) && items.skip(63);
                is_whole = is_whole && !items.failed();
                break;
            }
            default:
                is_whole = items.skip(64);
        }
        const bool skipped = cursor.skip(64);
        if (skipped != is_whole) broken("an item can be skipped but not decoded, or decoded but not skipped");
        if (skipped && cursor.offset() != items.offset())
            broken("skipping and decoding an item end at different places");
        if (skipped && cursor.offset() <= before) broken("an item without bytes");
    }
    if (!cursor.failed()) return;
    const CborFault fault = cursor.fault();
    if (fault.expected.empty() || fault.offset < 7 || fault.offset > 7 + bytes.size())
        broken("a fault without a valid position");
    std::uint64_t number = 0;
    if (cursor.unsigned_integer(number) || cursor.skip(1)) broken("a cursor that continues after a fault");
}

/// Decodes LEB128 bit by bit, like the definition. Returns nullopt if the number is too long, too large, or truncated.
std::optional<std::uint64_t> plain_leb128(Bytes& bytes) {
    __extension__ using Wide = unsigned __int128;
    Wide value = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
        const auto byte = std::to_integer<unsigned>(bytes[i]);
        value |= static_cast<Wide>(byte & 0x7Fu) << (7 * i);
        if ((byte & 0x80u) != 0) continue;
        if (value > UINT64_MAX) return std::nullopt;
        bytes = bytes.subspan(i + 1);
        return static_cast<std::uint64_t>(value);
    }
    return std::nullopt;
}

void leb128(Bytes bytes) {
    Cursor cursor(bytes);
    while (true) {
        const std::optional<std::uint64_t> expected = plain_leb128(bytes);
        try {
            const std::uint64_t value = cursor.leb128();
            if (!expected || *expected != value) broken("LEB128 decoded to another number");
        } catch (const Error& error) {
            if (error.failure() != Failure::input || expected) broken("valid LEB128 refused");
            return;
        }
    }
}

void pccx_header(Bytes bytes) {
    Findings findings;
    pccx::Header header;
    try {
        pccx::parse_header(as_text(bytes), 16, Limits{}, findings, header);
    } catch (const Error& error) {
        const bool is_told =
            error.failure() == Failure::limit || (error.failure() == Failure::input && !findings.kept().empty());
        if (!is_told) broken(std::string("a header refused without a finding: ") + error.what());
        return;
    }
    // Writing and parsing the header again must give the same header.
    const std::string text = pccx::header_text(header);
    Findings again;
    pccx::Header reread;
    pccx::parse_header(text, 16, Limits{}, again, reread);
    if (pccx::header_text(reread) != text) broken("a header that changes when it is rewritten");
}

/// Decompresses a FastLZ block. The first two bytes of the input are its decompressed size.
void fastlz(Bytes bytes) {
    if (bytes.size() < 2) return;
    const std::size_t size = std::to_integer<std::size_t>(bytes[0]) * 256 + std::to_integer<std::size_t>(bytes[1]);
    std::vector<std::byte> raw(size);
    static_cast<void>(decompress_fastlz(bytes.subspan(2), raw));
}

/// Decompresses the input as a block. Then compresses the input and decompresses the result.
void blocks(Bytes bytes) {
    std::vector<std::byte> raw(std::min<std::size_t>(bytes.size() * 4 + 64, most_unpacked));
    static_cast<void>(Lz4::decompress(bytes, raw));
    static_cast<void>(Lz4::decompress_any(bytes, raw));
    static_cast<void>(ZstdBlock().decompress(bytes, raw));
    static_cast<void>(inflate_whole(bytes, raw));

    raw.resize(bytes.size());
    const auto comes_back = [&](std::string_view name, auto&& pack, auto&& unpack) {
        Appender packed;
        pack(packed);
        std::fill(raw.begin(), raw.end(), std::byte{0x5A});
        if (!unpack(packed.span()) || !std::equal(raw.begin(), raw.end(), bytes.begin()))
            broken(std::string(name) + ": another block");
    };
    comes_back(
        "lz4", [&](Appender& to) { Lz4().compress(bytes, to); },
        [&](Bytes packed) { return Lz4::decompress(packed, raw); });
    comes_back(
        "zstd", [&](Appender& to) { ZstdBlock(1).compress(bytes, to); },
        [&](Bytes packed) { return ZstdBlock().decompress(packed, raw); });
    for (const Deflate around : {Deflate::zlib, Deflate::gzip})
        comes_back(
            "deflate", [&](Appender& to) { deflate_whole(bytes, around, to); },
            [&](Bytes packed) { return inflate_whole(packed, raw); });
}

/// Reads the input as a file in gzip, LZ4 frames, zstd or xz. unpack_head() must return the beginning of its contents.
void unpacked(Bytes bytes) {
    Limits limits;
    limits.zstd_window = 8u << 20;
    std::array<std::byte, 256> head{};
    const std::size_t head_size = unpack_head(bytes.first(std::min<std::size_t>(bytes.size(), 4096)), head);
    Input input = Input::memory("fuzz", bytes);
    Unpacked source(input, limits);
    std::vector<std::byte> piece(4096), first;
    for (std::size_t total = 0; total < most_unpacked;) {
        const std::size_t size = source.read(piece);
        if (size == 0) {
            if (source.state() == Unpacked::State::reading) broken("a source at its end is still in the state reading");
            if (source.file_offset() > bytes.size()) broken("an offset after the end of the file");
            break;
        }
        if (first.size() < head.size())
            first.insert(first.end(), piece.begin(),
                         piece.begin() + static_cast<std::ptrdiff_t>(std::min(size, head.size() - first.size())));
        total += size;
    }
    const std::size_t both = std::min(head_size, first.size());
    if (!std::equal(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(both), first.begin()))
        broken("unpack_head() disagrees with the file");
}

/// Parses option values. The parsers must accept each value or refuse it with a reason.
void options(Bytes bytes) {
    const std::string text(as_text(bytes));
    const auto takes = [](auto&& parse) {
        try {
            parse();
        } catch (const Error& error) {
            if (error.failure() != Failure::usage || std::string_view(error.what()).empty())
                broken(std::string("a value refused with another failure than usage: ") + error.what());
        }
    };
    takes([&] { parse_range(text); });
    takes([&] { parse_moment(text, "--at"); });
    takes([&] { parse_piece_length(text); });
    takes([&] { parse_criteria(text); });
    takes([&] { parse_clock(text); });
    takes([&] { parse_ipc(text); });
    takes([&] { cli::parse_report(text); });
    static_cast<void>(parse_count(text));
    static_cast<void>(parse_time_ps(text));
    const std::size_t half = text.size() / 2;
    static_cast<void>(fits_pattern(std::string_view(text).substr(0, half), std::string_view(text).substr(half)));
    if (!fits_pattern(text, "*")) broken("a text that does not match *");
}

/// Captures the output of a stream for its lifetime.
class Kept {
public:
    explicit Kept(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() { stream_.rdbuf(before_); }
    std::string text() const { return text_.str(); }

private:
    std::ostringstream text_;
    std::ostream& stream_;
    std::streambuf* before_;
};

/// Parses a hwtrace-convert command line, one word per line. The command line must be refused with a reason,
/// answered (like --help), or accepted with valid values.
void command_line(Bytes bytes) {
    constexpr std::size_t most_words = 64;
    std::vector<std::string> words{"hwtrace-convert", ""};
    for (const char c : as_text(bytes)) {
        if (c == '\n' && words.size() == most_words) break;
        if (c == '\n')
            words.emplace_back();
        else if (c != '\0')
            words.back().push_back(c);
    }
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());

    cli::ConvertOptions options(formats());
    cli::CommandLine line(words.front(), "What it does.", "Examples:\n  hwtrace-convert\n\nExit codes: 0 done.");
    line.positional("IN", options.input, "The trace to read");
    options.target.add_output_to(line);
    options.target.add_to(line);
    line.option("--range", "A:B", options.part.range, "From A up to but without B");
    options.part.add_to(line);
    options.time.add_to(line);
    options.target.add_losses_to(line);
    options.common.add_to(line, cli::FormatOptions::of_writers);

    try {
        std::string answer, refusal;
        std::optional<cli::Exit> exit;
        {
            const Kept out(std::cout), errors(std::cerr);
            exit = line.parse(static_cast<int>(arguments.size()), arguments.data());
            answer = out.text();
            refusal = errors.text();
        }
        if (refusal.empty() == (exit == cli::Exit::usage))
            broken("a usage error without a reason, or a reason without a usage error");
        if (answer.empty() == (exit == cli::Exit::done)) broken("an empty answer, or an answer without a request");
        if (exit) return;
        static_cast<void>(options.common.settings());
        static_cast<void>(options.time.model());
        static_cast<void>(options.part.criteria());
        static_cast<void>(options.part.last_count());
        static_cast<void>(options.part.chosen_range());
        static_cast<void>(options.common.source_format());
    } catch (const Error& error) {
        if (error.failure() != Failure::usage || std::string_view(error.what()).empty())
            broken(std::string("a command line refused with another failure than usage: ") + error.what());
    }
}

}  // namespace

void add_decoders(std::vector<Target>& targets) {
    const auto add = [&](const char* name, Seeds seeds, void (*decode)(Bytes)) {
        targets.push_back({name, seeds, [decode](Bytes bytes, std::size_t) { decode(bytes); }});
    };
    add("cbor", Seeds::traces, cbor);
    add("leb128", Seeds::traces, leb128);
    add("pccx-header", Seeds::headers, pccx_header);
    add("fastlz", Seeds::blocks, fastlz);
    add("blocks", Seeds::blocks, blocks);
    add("unpacked", Seeds::blocks, unpacked);
    add("options", Seeds::texts, options);
    add("command-line", Seeds::command_lines, command_line);
}

}  // namespace hwtrace::fuzz
