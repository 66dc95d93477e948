// Tests the chunks that the writer makes: memory use is bounded, threads do not change the bytes, and files equal those
// of the reference writer.
#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "stf/container_writer.hpp"
#include "support/corpus.hpp"

namespace stf_chunks_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// An index entry of a ZSTF file, with the frame of its chunk.
struct IndexedChunk {
    std::uint64_t offset, start_pc, raw_size;
    Bytes frame;
};

std::uint64_t u64(const Bytes& file, std::size_t at) {
    REQUIRE(at + 8 <= file.size());
    return load_le<std::uint64_t>(file.data() + at);
}

std::vector<IndexedChunk> chunks_of(const Bytes& file) {
    const std::size_t index = static_cast<std::size_t>(u64(file, 12));
    std::vector<IndexedChunk> chunks(static_cast<std::size_t>(u64(file, index)));
    for (std::size_t number = 0; number < chunks.size(); ++number) {
        const std::size_t at = index + 8 + 24 * number;
        chunks[number] = {u64(file, at), u64(file, at + 8), u64(file, at + 16), {}};
    }
    for (std::size_t number = 0; number < chunks.size(); ++number) {
        const std::uint64_t end = number + 1 < chunks.size() ? chunks[number + 1].offset : index;
        chunks[number].frame.assign(file.begin() + static_cast<std::ptrdiff_t>(chunks[number].offset),
                                    file.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return chunks;
}

/// Returns the contents of a frame. The bytes must be exactly one whole frame.
Bytes decompressed(const Bytes& frame) {
    Input input = Input::memory("frame", frame);
    const Limits limits;
    ZstdSource source(input, 0, 0, limits);
    Bytes all, block(mib);
    while (const std::size_t count = source.read(block))
        all.insert(all.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    CHECK(source.state() == ZstdSource::State::ended);
    CHECK(source.frames().size() == 1);
    CHECK(source.file_offset() == frame.size());
    return all;
}

/// Writes records into a container, and checks the container's contents in between.
struct Recording {
    Bytes bytes;
    std::unique_ptr<Output> output = open_memory_output("memory", [this](Bytes whole) { bytes = std::move(whole); });
    stf::ContainerWriter container;
    std::mt19937 random{3};
    std::uint64_t pc = 0x1000;
    std::size_t most_held = 0;

    explicit Recording(stf::Wrapping wrapping) : container(*output, wrapping) { container.stream().bytes(header()); }

    /// Writes a comment of `size` bytes. With `noise`, the bytes are random and hardly compress.
    void comment(std::size_t size, bool noise = false) {
        Appender& stream = container.stream();
        stream.le(std::uint8_t{3});
        stream.le(static_cast<std::uint32_t>(size));
        std::byte* const text = stream.grow(size);
        if (noise)
            std::generate_n(text, size, [this] { return static_cast<std::byte>(random()); });
        else
            std::fill_n(text, size, std::byte{' '});
        container.settle();
        most_held = std::max(most_held, container.stream().size());
    }
    void comments(std::size_t mebibytes) {
        for (std::size_t i = 0; i < mebibytes; ++i)
            comment(mib);
    }
    void instruction() {
        container.stream().bytes(nop());
        container.instruction(pc += 4);
        container.settle();
    }
    const Bytes& finish() {
        container.finish();
        output->commit();
        return bytes;
    }
};

/// Returns the number of records. The trace must be sound.
std::size_t records_of(Input& input) {
    Findings findings;
    const Settings settings;
    const auto reader = stf_format.open(input, settings, findings);
    std::size_t records = 0;
    for (Batch batch; reader->read(batch); batch.clear())
        records += batch.records().size();
    CHECK(finding_lines(findings).empty());
    return records;
}
std::size_t records_of(const Bytes& file) {
    Input input = Input::memory("memory", file);
    return records_of(input);
}

stf::Wrapping zstf(std::uint64_t chunk, unsigned jobs = 1) {
    stf::Wrapping wrapping;
    wrapping.kind = stf::Wrapping::Kind::zstf;
    wrapping.chunk = chunk;
    wrapping.jobs = jobs;
    return wrapping;
}

std::vector<std::uint64_t> raw_sizes(const Bytes& file) {
    std::vector<std::uint64_t> sizes;
    for (const IndexedChunk& chunk : chunks_of(file))
        sizes.push_back(chunk.raw_size);
    return sizes;
}

constexpr std::uint64_t a_comment = 5 + mib, a_nop = 5, a_header = 45;

}  // namespace

TEST_CASE("only small chunks are held in memory as a whole") {
    for (const unsigned jobs : {1u, 3u}) {
        CAPTURE(jobs);
        Recording recording(zstf(2, jobs));
        recording.instruction();
        recording.comments(60);
        recording.instruction();
        recording.instruction();
        const Bytes& file = recording.finish();
        CHECK(recording.most_held < (jobs == 1 ? 3 : 18) * mib);
        CHECK(raw_sizes(file) == std::vector<std::uint64_t>{a_header + 60 * a_comment + 2 * a_nop, a_nop});
        CHECK(records_of(file) == 63);
    }
}

TEST_CASE("records after the last instruction of a full chunk stay in it, unless they are large") {
    using Sizes = std::vector<std::uint64_t>;
    for (const unsigned jobs : {1u, 2u}) {
        for (const std::size_t before : {0u, 20u}) {  // a small full chunk; one compressed before it is full
            for (const bool more : {false, true}) {
                for (const std::size_t tail : {1u, 15u, 16u, 35u}) {
                    CAPTURE(jobs);
                    CAPTURE(before);
                    CAPTURE(more);
                    CAPTURE(tail);
                    Recording recording(zstf(2, jobs));
                    recording.comments(before);
                    recording.instruction();
                    recording.instruction();
                    recording.comments(tail);
                    if (more) recording.instruction();
                    const Bytes& file = recording.finish();
                    const std::uint64_t full = a_header + before * a_comment + 2 * a_nop, behind = tail * a_comment;
                    CHECK(raw_sizes(file) == (more                               ? Sizes{full, behind + a_nop}
                                              : behind > 16 * std::uint64_t{mib} ? Sizes{full, behind}
                                                                                 : Sizes{full + behind}));
                    CHECK(recording.most_held < 19 * mib);
                    CHECK(records_of(file) == before + 2 + tail + (more ? 1 : 0));
                }
            }
        }
    }
}

TEST_CASE("the number of threads does not change the written bytes") {
    const auto write = [](stf::Wrapping wrapping) {
        Recording recording(wrapping);
        std::mt19937 random(11);
        for (int i = 0; i < 400; ++i) {
            // Makes small and large chunks, and chunks that are compressed before they are closed.
            recording.comment(random() % (i % 10 == 0 ? 3 * mib / 2 : 3000), i % 3 == 0);
            if (i % 197 == 50) recording.comments(20);
            recording.instruction();
        }
        return recording.finish();
    };
    for (const auto kind : {stf::Wrapping::Kind::zstf, stf::Wrapping::Kind::zstd}) {
        for (const std::uint64_t chunk : {1u, 20u, 1000u}) {
            CAPTURE(chunk);
            stf::Wrapping wrapping = zstf(chunk);
            wrapping.kind = kind;
            const Bytes alone = write(wrapping);
            CHECK(records_of(alone) == 840);
            for (const unsigned jobs : {2u, 5u}) {
                wrapping.jobs = jobs;
                CHECK(write(wrapping) == alone);
            }
            if (kind != stf::Wrapping::Kind::zstf) break;
            wrapping.growing = true;
            CHECK(write(wrapping) == alone);
        }
    }
}

TEST_CASE("a growing file keeps its index while a chunk is still open") {
    stf::Wrapping wrapping = zstf(1);
    wrapping.growing = true;
    Recording recording(wrapping);
    const auto records_there = [&] {
        std::optional<Input> there = recording.output->reopen();
        REQUIRE(there);
        return records_of(*there);
    };
    recording.instruction();
    recording.instruction();
    CHECK(records_there() == 1);
    for (int i = 0; i < 5; ++i) {
        recording.comments(10);
        CHECK(records_there() == (i == 0 ? 1 : 2));  // the comments end the second chunk
    }
    recording.instruction();
    CHECK(records_there() == 2);
    recording.instruction();
    CHECK(records_there() == 53);
    CHECK(records_of(recording.finish()) == 54);
}

namespace {

/// An output that fails after a given number of bytes.
class FullDisk final : public Output {
public:
    explicit FullDisk(std::uint64_t room) : room_(room) {}
    const std::string& name() const noexcept override { return name_; }
    void append(std::span<const std::byte> bytes) override {
        if (bytes.size() > room_ - size_) fail(Failure::io, "no space left");
        size_ += bytes.size();
    }
    std::uint64_t size() const noexcept override { return size_; }
    void patch(std::uint64_t, std::span<const std::byte>) override {}
    void shift(std::uint64_t, std::uint64_t) override {}
    void sync() override {}
    void commit() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

private:
    std::string name_ = "full";
    std::uint64_t room_, size_ = 0;
};

}  // namespace

TEST_CASE("a writer can be destroyed at any time while threads are running") {
    for (const unsigned jobs : {1u, 2u, 4u}) {
        for (const std::uint64_t room : {20u, 3'000'000u}) {
            FullDisk output(room);
            stf::ContainerWriter container(output, zstf(10, jobs));
            std::mt19937 random(5);
            std::optional<Failure> failure;
            try {
                for (int i = 0; i < 2000; ++i) {
                    container.stream().le(std::uint8_t{3});
                    container.stream().le(std::uint32_t{100'000});
                    for (int word = 0; word < 25'000; ++word)
                        container.stream().le(static_cast<std::uint32_t>(random()));
                    container.stream().bytes(nop());
                    container.instruction(0);
                    container.settle();
                }
            } catch (const Error& error) {
                failure = error.failure();
            }
            CHECK(failure == Failure::io);
        }
    }
}

TEST_CASE("a ZSTF file of the reference writer is rewritten byte for byte") {
    // These files were compressed by another version of zstd. The current version makes other frames at every level.
    const std::map<std::string, std::string> other_frames{
        {"dhry_riscv.zstf", "another zstd"},
        {"dhrystone_opt2.zstf", "another zstd"},
    };
    constexpr unsigned corpus_zstd = 10504;
    // These files have 20 bytes: the reference writer dropped the only chunk, because no instruction ends it.
    const std::map<std::string, std::string> no_chunks{
        {"header_only.zstf", "no instruction at all"},
        {"trailing.zstf", "ends with a comment"},
        {"vlen64.zstf", "writing a vector of 64 bits failed"},
        {"order_err.zstf", "writing the record that is out of order failed"},
        {"event_then_branch_order.zstf", "writing the record that is out of order failed"},
    };
    std::size_t same = 0, other = 0, empty = 0;
    for (const char* folder : {"stf", "stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            if (!name.ends_with(".zstf")) continue;
            CAPTURE(name);
            const Bytes file = read_file(entry.path());
            if (file.size() == 20) {
                CHECK(no_chunks.contains(name));
                CHECK(u64(file, 12) == 0);
                ++empty;
                continue;
            }
            const Settings settings = choose({{"stf-container", "zstf"}, {"stf-chunk", std::to_string(u64(file, 4))}});
            const Written again = rewrite_bytes(file, settings);
            CHECK(again.losses.none());
            const auto before = chunks_of(file), after = chunks_of(again.bytes);
            REQUIRE(after.size() == before.size());
            bool same_frames = true;
            for (std::size_t number = 0; number < before.size(); ++number) {
                CAPTURE(number);
                CHECK(after[number].start_pc == before[number].start_pc);
                CHECK(after[number].raw_size == before[number].raw_size);
                if (after[number].frame == before[number].frame) continue;
                same_frames = false;
                const Bytes raw = decompressed(after[number].frame);
                CHECK(raw.size() == before[number].raw_size);
                CHECK(raw == decompressed(before[number].frame));
                // The frame headers agree: no content size, no checksum, and the same window.
                CHECK(std::equal(after[number].frame.begin(), after[number].frame.begin() + 6,
                                 before[number].frame.begin()));
            }
            if (ZSTD_versionNumber() == corpus_zstd) CHECK(same_frames == !other_frames.contains(name));
            CHECK((again.bytes == file) == same_frames);
            ++(same_frames ? same : other);
        }
    }
    CHECK(empty == no_chunks.size());
    CHECK(same + other == 36);
}

}  // namespace stf_chunks_test
