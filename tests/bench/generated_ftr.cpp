#include "generated_ftr.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "cbor.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"

namespace hwtrace::bench {

namespace {

constexpr std::uint64_t streams = 8, generators = 24, attributes = 5, types = 12;
constexpr std::uint64_t texts = 50'000;
constexpr std::size_t block_size = 65'536;

class Generator {
public:
    Generator(const std::string& path, bool compressed)
        : output_(open_file_output(path, Existing::replace)), compressed_(compressed) {}

    void run(std::uint64_t transactions, std::uint64_t relations) {
        begin();
        std::vector<std::uint64_t> clocks(streams);
        for (std::uint64_t id = 1; id <= transactions; ++id) {
            const std::uint64_t generator = random_() % generators;
            const std::uint64_t stream = generator % streams;
            const std::uint64_t start = clocks[stream];
            const std::uint64_t end = start + 1000 * (1 + random_() % 500);
            clocks[stream] = start + 1000 * (random_() % 300);
            latest_[stream] = std::max(latest_[stream], end);
            transaction(blocks_[stream], id, generator, start, end);
            if (id * relations / transactions != (id - 1) * relations / transactions) relation(id);
            if (blocks_[stream].size() > block_size) flush_block(stream);
            if (relations_.size() > block_size) flush_relations();
        }
        for (std::uint64_t stream = 0; stream < streams; ++stream)
            flush_block(stream);
        flush_relations();
        constexpr std::array end{std::byte{0xFF}};
        output_->append(end);
        output_->commit();
    }

private:
    static constexpr std::uint64_t first_name = 1 + streams + generators, first_text = first_name + attributes * types;

    void begin() {
        Cbor frame;
        for (const unsigned byte :
             {0xD9u, 0xD9u, 0xF7u, 0x9Fu, 0xC6u, 0x48u, 0x82u, 0x2Bu, 0xC1u, 0x1Au, 0x65u, 0x53u, 0xF1u, 0u})
            frame.byte(static_cast<std::uint8_t>(byte));
        output_->append(frame.span());
        Cbor dictionary;
        dictionary.head(5, first_text + texts);
        for (std::uint64_t key = 0; key < first_text + texts; ++key) {
            dictionary.number(key);
            dictionary.text(key == 0 ? std::string() : "text_" + std::to_string(key * 7919));
        }
        chunk(8, dictionary);
        Cbor directory;
        directory.byte(0x9F);
        for (std::uint64_t stream = 0; stream < streams; ++stream)
            entry(directory, 16, stream + 1, 1 + stream, 0);
        for (std::uint64_t generator = 0; generator < generators; ++generator)
            entry(directory, 17, 1 + streams + generator, 1 + streams + generator, 1 + generator % streams);
        directory.byte(0xFF);
        chunk(10, directory);
    }

    static void entry(Cbor& to, std::uint64_t tag, std::uint64_t id, std::uint64_t name, std::uint64_t other) {
        to.tag(tag);
        to.array(3);
        to.number(id);
        to.number(name);
        to.number(other);
    }

    std::uint64_t text() { return first_text + random_() % texts; }

    void transaction(Cbor& block, std::uint64_t id, std::uint64_t generator, std::uint64_t start, std::uint64_t end) {
        if (block.size() == 0) block.byte(0x9F);
        block.array(1 + attributes);
        block.tag(6);
        block.array(4);
        block.number(id);
        block.number(1 + streams + generator);
        block.number(start);
        block.number(end);
        for (std::uint64_t i = 0; i < attributes; ++i) {
            const std::uint64_t type = (generator * attributes + i) % types;
            block.tag(i < 2 ? 7 : i < 4 ? 8 : 9);
            block.array(3);
            block.number(first_name + i * types + type);
            block.number(type);
            value(block, type);
        }
    }

    void value(Cbor& block, std::uint64_t type) {
        const std::uint64_t number = random_() >> random_() % 64;
        switch (type) {
            case 0:
                return block.byte(number % 2 == 0 ? 0xF4 : 0xF5);
            case 2:
                return block.integer(static_cast<std::int64_t>(number));
            case 4:
            case 7:
            case 8:
                return block.wide_float(static_cast<double>(number) / 1000);
            case 1:
            case 5:
            case 6:
            case 10:
                return block.number(text());
            default:
                return block.number(number);
        }
    }

    void relation(std::uint64_t id) {
        if (relations_.size() == 0) relations_.byte(0x9F);
        relations_.array(5);
        relations_.number(first_name);
        relations_.number(id - 1);
        relations_.number(id);
        relations_.number(1 + random_() % streams);
        relations_.number(1 + random_() % streams);
    }

    void flush_block(std::uint64_t stream) {
        Cbor& block = blocks_[stream];
        if (block.size() == 0) return;
        block.byte(0xFF);
        Cbor head;
        head.tag(compressed_ ? 13 : 12);
        head.array(compressed_ ? 5 : 4);
        head.number(1 + stream);
        head.number(0);  // the stream's lowest time, then its highest time so far
        head.number(latest_[stream]);
        put(head, block);
        block.clear();
    }

    void flush_relations() {
        if (relations_.size() == 0) return;
        relations_.byte(0xFF);
        chunk(14, relations_);
        relations_.clear();
    }

    void chunk(std::uint64_t tag, const Cbor& content) {
        Cbor head;
        head.tag(tag + (compressed_ ? 1 : 0));
        if (compressed_) head.array(2);
        put(head, content);
    }

    void put(Cbor& head, const Cbor& content) {
        if (compressed_) {
            head.number(content.size());
            packed_.clear();
            lz4_.compress(content.span(), packed_);
            head.bytes(packed_.span());
        } else {
            head.bytes(content.span());
        }
        output_->append(head.span());
    }

    std::unique_ptr<Output> output_;
    bool compressed_;
    std::mt19937_64 random_{1};
    std::array<Cbor, streams> blocks_;
    std::array<std::uint64_t, streams> latest_{};
    Cbor relations_;
    Appender packed_;
    Lz4 lz4_;
};

}  // namespace

void generate_ftr(const std::string& path, std::uint64_t transactions, std::uint64_t relations, bool compressed) {
    Generator(path, compressed).run(transactions, relations);
}

}  // namespace hwtrace::bench
