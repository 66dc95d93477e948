// hwtrace_test_flux_read FILE - prints the samples of a flux stream. It shares no code with the emitter.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <vector>

#include "flux_emitter/flux_stream.hpp"
#include "support/corpus.hpp"

int main(int argc, char** argv) {
    using namespace hwtrace::test;
    if (argc != 2) return 2;
    try {
        std::vector<std::uint8_t> bytes;
        for (const std::byte byte : read_file(argv[1]))
            bytes.push_back(std::to_integer<std::uint8_t>(byte));
        const FluxStream stream = read_flux(bytes);
        for (const FluxSample& sample : stream.samples) {
            std::printf("%lld trace %llu item %llu tag %llu nibble %u:", static_cast<long long>(sample.position),
                        static_cast<unsigned long long>(sample.trace), static_cast<unsigned long long>(sample.item),
                        static_cast<unsigned long long>(sample.tag), sample.nibble);
            for (const std::uint8_t byte : sample.value)
                std::printf(" %02x", byte);
            std::printf("\n");
        }
        std::printf("%zu blocks, %zu other entries\n", stream.blocks.size(), stream.tags.size());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
