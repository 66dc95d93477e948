#include "io/packed_output.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "io/cursor.hpp"
#include "io/error.hpp"

namespace packed_output_test {

using namespace hwtrace;

constexpr std::array packings{Packing::plain, Packing::gzip, Packing::lz4, Packing::xz, Packing::zstd};

/// Returns `pieces` texts of any size below `most`.
std::vector<std::string> texts(int pieces, unsigned most) {
    std::mt19937 random(7);
    std::vector<std::string> result;
    for (int i = 0; i < pieces; ++i) {
        std::string& text = result.emplace_back();
        for (const std::size_t size = random() % most; text.size() < size;)
            text += std::to_string(random() % 1000);
    }
    return result;
}

std::vector<std::byte> packed(const std::vector<std::string>& texts, Container container) {
    std::vector<std::byte> bytes;
    const auto output = open_memory_output("test", [&](std::vector<std::byte> made) { bytes = std::move(made); });
    PackedOutput packer(*output, container);
    CHECK(packer.has_thread() == (container.packing != Packing::plain && container.jobs > 1));
    for (const std::string& text : texts)
        packer.write(as_bytes(text));
    packer.finish();
    output->commit();
    return bytes;
}

TEST_CASE("a packed output has the same bytes, whatever the number of threads") {
    for (const Packing packing : packings) {
        CAPTURE(packing);
        for (const auto& written : {texts(0, 1), texts(3, 10), texts(300, 20'000), texts(3, 3'000'000)})
            CHECK(packed(written, {packing, 2}) == packed(written, {packing, 1}));
    }
}

/// An output on a full disk.
class FullOutput final : public Output {
public:
    const std::string& name() const noexcept override { return name_; }
    void append(std::span<const std::byte>) override { fail(Failure::io, "disk full"); }
    std::uint64_t size() const noexcept override { return 0; }
    void patch(std::uint64_t, std::span<const std::byte>) override {}
    void shift(std::uint64_t, std::uint64_t) override {}
    void sync() override {}
    void commit() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

private:
    std::string name_ = "full";
};

TEST_CASE("a packed output passes on an error of its output") {
    for (const Packing packing : packings) {
        for (const unsigned jobs : {1U, 2U}) {
            CAPTURE(packing);
            CAPTURE(jobs);
            FullOutput output;
            const auto write_all = [&] {
                PackedOutput packer(output, {packing, jobs});
                for (const std::string& text : texts(100, 100'000))
                    packer.write(as_bytes(text));
                packer.finish();
            };
            CHECK_THROWS_AS(write_all(), Error);
        }
    }
}

}  // namespace packed_output_test
