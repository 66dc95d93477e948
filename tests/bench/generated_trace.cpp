#include "generated_trace.hpp"

#include <array>
#include <memory>

#include "formats.hpp"
#include "io/output.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::bench {

namespace {

/// A machine with plausible values: pointers that advance, counters, mixed data.
class Machine {
public:
    explicit Machine(TraceShape shape) : shape_(shape) {
        for (std::size_t i = 0; i < registers_.size(); ++i)
            registers_[i] = i == 0 ? 0 : 0x8000'0000 + i * 0x1000;
    }

    void step(Batch& batch, TrackId hart) {
        const std::uint64_t place = index_ % body;  // position in the loop's body
        const auto destination = static_cast<std::uint16_t>(1 + place % 29);
        const auto first = static_cast<std::uint16_t>(1 + (place * 7) % 31);
        const auto second = static_cast<std::uint16_t>(1 + (place * 11) % 31);
        const bool memory = place % 10 < 3;
        const bool store = memory && place % 10 == 2;
        const bool last = place == body - 1;

        const bool shows = shape_ == TraceShape::with_registers;
        if (shows) {
            batch.operand(first, RegisterClass::integer, OperandRole::source, registers_[first]);
            batch.operand(second, RegisterClass::integer, OperandRole::source, registers_[second]);
        }
        if (!store && !last) {
            std::uint64_t& value = registers_[destination];
            value = place % 5 == 0 ? mixed(value ^ registers_[second]) : value + 8;
            if (shows) batch.operand(destination, RegisterClass::integer, OperandRole::destination, value);
        }
        if (memory) {
            batch.access(0x8010'0000 + (index_ * 8) % (1u << 20), 8, 0, store ? AccessType::write : AccessType::read);
            batch.access_data(registers_[second]);
        }
        const std::uint64_t pc = code + place * 4;
        Instruction& instruction = batch.instruction(hart, static_cast<Tick>(index_), pc);
        instruction.size = 4;
        instruction.encoding = (std::uint64_t{second} << 20 | std::uint64_t{first} << 15 |
                                std::uint64_t{destination} << 7 | (memory ? 0x3003u : 0x33u)) &
                               0xFFFF'FFFFu;
        instruction.has_target = last;
        instruction.target = last ? code : 0;
        ++index_;
    }

private:
    static constexpr std::uint64_t body = 57;
    static constexpr std::uint64_t code = 0x8000'0000;

    static std::uint64_t mixed(std::uint64_t x) noexcept {
        x ^= x >> 33;
        x *= 0xFF51'AFD7'ED55'8CCDu;
        return x ^ x >> 29;
    }

    TraceShape shape_;
    std::array<std::uint64_t, 32> registers_{};
    std::uint64_t index_ = 0;
};

}  // namespace

Schema generated_schema() {
    Schema schema;
    const ScopeId root = schema.declare(Scope{"/", none, "", none});
    const ScopeId core = schema.declare(Scope{"core0", root, "", none});
    Track track;
    track.kind = Track::Kind::hart;
    track.scope = core;
    track.name = "core0";
    schema.declare(track);
    schema.describe("stf.version", "1.6");
    schema.describe("stf.isa", "1");
    schema.describe("stf.inst_iem", "2");
    schema.describe("stf.trace_info", "12 1 0 0 generated for the benchmark");
    schema.describe("stf.features", "0x0000000000080025");
    schema.describe("stf.force_pc", "0x0000000080000000");
    return schema;
}

void generate_instructions(TraceShape shape, std::uint64_t instructions, const std::function<void(const Batch&)>& use) {
    constexpr TrackId hart = 0;  // the only track
    Machine machine(shape);
    Batch batch;
    for (std::uint64_t i = 0; i < instructions; ++i) {
        machine.step(batch, hart);
        if (!batch.full() && i + 1 < instructions) continue;
        use(batch);
        batch.clear();
    }
}

void generate_trace(TraceShape shape, std::uint64_t instructions, const std::string& path) {
    const Schema schema = generated_schema();
    const Format& stf = *find_format(formats(), "stf");
    const std::unique_ptr<Output> output = open_file_output(path, Existing::replace);
    Settings settings;
    settings.output_name = path;
    Losses losses;
    const std::unique_ptr<Writer> writer = stf.create(*output, schema, settings, losses);
    generate_instructions(shape, instructions, [&](const Batch& batch) { writer->write(batch); });
    writer->finish();
    output->commit();
}

}  // namespace hwtrace::bench
