#include "support/program.hpp"

#include <array>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

namespace hwtrace::test {

namespace {

constexpr std::uint64_t code_start = 0x1000;
constexpr std::uint64_t handler_start = 0x1100;
constexpr std::uint64_t array = 0x10000;
constexpr std::uint64_t copy = 0x20000;
constexpr std::uint64_t page_bytes = 4096;

constexpr std::uint64_t user_ecall = 8;
constexpr std::uint64_t mode_change = std::uint64_t{1} << 62;
constexpr std::uint64_t user_mode = 0, machine_mode = 3;
constexpr std::uint16_t csr_mepc = 0x341, csr_mcause = 0x342;
constexpr std::uint8_t bus_dma = 3, bus_write = 2;

// Registers by ABI name.
enum Register : std::uint16_t { zero = 0, t0 = 5, t1 = 6, a0 = 10, a1 = 11, a2 = 12, a3 = 13, a4 = 14, a7 = 17 };

/// An instruction: what the simulator does, and an encoding that is only recorded.
struct Step {
    enum class What { lui, addi, add, load, store, branch_not_zero, ecall, read_csr, write_csr, mret } what;
    std::uint32_t encoding;
    std::uint8_t size;
    Register to, from, other;  ///< destination and sources
    std::int64_t immediate;
    std::uint16_t csr = 0;
};
using enum Step::What;

constexpr std::uint32_t type_i(std::uint32_t opcode, std::uint32_t funct, Register to, Register from,
                               std::int64_t imm) {
    return (static_cast<std::uint32_t>(imm) & 0xFFFu) << 20 | std::uint32_t{from} << 15 | funct << 12 |
           std::uint32_t{to} << 7 | opcode;
}
constexpr Step lui_of(Register to, std::uint32_t page) {
    return {lui, page << 12 | std::uint32_t{to} << 7 | 0x37u, 4, to, zero, zero, std::int64_t{page} << 12};
}
constexpr Step addi_of(Register to, Register from, std::int64_t imm) {
    return {addi, type_i(0x13, 0, to, from, imm), 4, to, from, zero, imm};
}
constexpr Step short_addi_of(Register to, std::int64_t imm) {  // c.addi; 0 < imm < 32
    return {addi, 0x0001u | std::uint32_t{to} << 7 | static_cast<std::uint32_t>(imm) << 2, 2, to, to, zero, imm};
}
constexpr Step add_of(Register to, Register from, Register other) {
    return {add,  std::uint32_t{other} << 20 | std::uint32_t{from} << 15 | std::uint32_t{to} << 7 | 0x33u,
            4,    to,
            from, other,
            0};
}
constexpr Step load_of(Register to, Register base) {
    return {load, type_i(0x03, 3, to, base, 0), 4, to, base, zero, 0};
}
constexpr Step store_of(Register value, Register base) {
    return {store, std::uint32_t{value} << 20 | std::uint32_t{base} << 15 | 3u << 12 | 0x23u, 4, zero, base, value, 0};
}
constexpr Step branch_of(Register value, std::int64_t offset) {  // bne value, zero; -4096 <= offset < 0
    const auto bits = static_cast<std::uint32_t>(offset);
    return {branch_not_zero,
            (bits >> 12 & 1u) << 31 | (bits >> 5 & 0x3Fu) << 25 | std::uint32_t{value} << 15 | 1u << 12 |
                (bits >> 1 & 0xFu) << 8 | (bits >> 11 & 1u) << 7 | 0x63u,
            4,
            zero,
            value,
            zero,
            offset};
}
constexpr Step read_csr_of(Register to, std::uint16_t csr) {  // csrrs to, csr, zero
    return {read_csr, type_i(0x73, 2, to, zero, csr), 4, to, zero, zero, 0, csr};
}
constexpr Step write_csr_of(std::uint16_t csr, Register from) {  // csrrw zero, csr, from
    return {write_csr, type_i(0x73, 1, zero, from, csr), 4, zero, from, zero, 0, csr};
}
constexpr Step ecall_step{ecall, 0x73, 4, zero, zero, zero, 0};
constexpr Step mret_step{mret, 0x30200073, 4, zero, zero, zero, 0};

class Simulator {
public:
    Simulator(const RecordedSchema& schema, unsigned elements, Writer& writer) : schema_(schema), writer_(writer) {
        place(code_start, std::array{
                              lui_of(a0, array >> 12),
                              lui_of(a1, copy >> 12),
                              addi_of(a2, zero, elements),
                              addi_of(a3, zero, 0),
                              load_of(a4, a0),  // the loop
                              store_of(a4, a1),
                              add_of(a3, a3, a4),
                              short_addi_of(a0, 8),
                              short_addi_of(a1, 8),
                              addi_of(a2, a2, -1),
                              branch_of(a2, -20),
                              store_of(a3, a1),  // after the loop
                              addi_of(a7, zero, 64),
                              ecall_step,
                          });
        place(handler_start, std::array{read_csr_of(t0, csr_mcause), read_csr_of(t1, csr_mepc), addi_of(t1, t1, 4),
                                        write_csr_of(csr_mepc, t1), mret_step});
        for (unsigned i = 0; i < elements; ++i)
            memory_[array + 8 * i] = 0x9E37'79B9'7F4A'7C15ull * (i + 1);
    }

    void run() {
        for (std::uint16_t i = 0; i < registers_.size(); ++i)
            batch_.operand(i, RegisterClass::integer, OperandRole::state, registers_[i]);
        for (const std::uint64_t process : {std::uint64_t{100}, std::uint64_t{200}}) {
            note("process " + std::to_string(process) + " starts");
            event(schema_.process, {0, process, process + 1});
            while (program_.contains(pc_))
                step();
            pc_ = code_start;
        }
        note("the program has ended");
        write();
    }

private:
    void place(std::uint64_t at, std::span<const Step> steps) {
        for (const Step& step : steps) {
            program_.emplace(at, step);
            at += step.size;
        }
    }
    void event(TrackId track, std::initializer_list<std::uint64_t> cells) {
        batch_.event(track, index_, std::span(cells.begin(), cells.size()));
    }
    void note(const std::string& text) { batch_.note(schema_.comments, index_, text); }
    void write() {
        writer_.write(batch_);
        batch_.clear();
    }

    std::uint64_t source(Register from) {
        batch_.operand(from, RegisterClass::integer, OperandRole::source, registers_[from]);
        return registers_[from];
    }
    void destination(Register to, std::uint64_t value) {
        registers_[to] = value;
        batch_.operand(to, RegisterClass::integer, OperandRole::destination, value);
    }
    void access(std::uint64_t address, AccessType type, std::uint64_t value) {
        if (const std::uint64_t page = address & ~(page_bytes - 1); pages_.insert(page).second) {
            const std::uint64_t table = 0x8000'0000 + (page >> 9);
            event(schema_.page_walk, {address, static_cast<std::uint64_t>(index_), page_bytes, 0x8000'0000, 0x2000'0401,
                                      0x8000'1000, 0x2000'0801, table, page >> 2 | 0xC7});
        }
        batch_.access(address, 8, 0, type);
        batch_.access_data(value);
    }

    void step() {
        const Step& step = program_.at(pc_);
        const std::uint64_t pc = pc_;
        std::uint64_t next = pc + step.size;
        bool taken = false;
        switch (step.what) {
            case lui:
                destination(step.to, static_cast<std::uint64_t>(step.immediate));
                break;
            case addi: {
                const std::uint64_t value = source(step.from);
                destination(step.to, value + static_cast<std::uint64_t>(step.immediate));
                break;
            }
            case add: {
                const std::uint64_t value = source(step.from);
                destination(step.to, value + source(step.other));
                break;
            }
            case load: {
                const std::uint64_t address = source(step.from);
                access(address, AccessType::read, memory_[address]);
                destination(step.to, memory_[address]);
                break;
            }
            case store: {
                const std::uint64_t address = source(step.from);
                memory_[address] = source(step.other);
                access(address, AccessType::write, memory_[address]);
                break;
            }
            case branch_not_zero:
                taken = source(step.from) != 0;
                if (taken) next = pc + static_cast<std::uint64_t>(step.immediate);
                break;
            case ecall:
                csrs_[csr_mcause] = user_ecall;
                csrs_[csr_mepc] = pc;
                event(schema_.event, {user_ecall, registers_[a7]});
                event(schema_.event, {mode_change, machine_mode});
                next = handler_start;
                event(schema_.event_target, {next});
                break;
            case read_csr:
                batch_.operand(step.csr, RegisterClass::csr, OperandRole::source, csrs_[step.csr]);
                destination(step.to, csrs_[step.csr]);
                break;
            case write_csr:
                csrs_[step.csr] = source(step.from);
                batch_.operand(step.csr, RegisterClass::csr, OperandRole::destination, csrs_[step.csr]);
                event(schema_.bus, {copy, 16, bus_dma, 0, 0, bus_write, memory_[copy], memory_[copy + 8]});
                break;
            case mret:
                event(schema_.event, {mode_change, user_mode});
                next = csrs_[csr_mepc];
                // After the system call, the next process starts the program again.
                if (!program_.contains(next)) next = code_start;
                taken = true;
                break;
        }
        Instruction& instruction = batch_.instruction(schema_.hart, index_, pc);
        instruction.encoding = step.encoding;
        instruction.size = step.size;
        instruction.has_target = taken;
        instruction.target = taken ? next : 0;
        ++index_;
        pc_ = step.what == mret ? 0 : next;
        if (batch_.full()) write();
    }

    const RecordedSchema& schema_;
    Writer& writer_;
    std::unordered_map<std::uint64_t, Step> program_;
    std::unordered_map<std::uint64_t, std::uint64_t> memory_;
    std::unordered_map<std::uint16_t, std::uint64_t> csrs_;
    std::set<std::uint64_t> pages_;
    std::array<std::uint64_t, 32> registers_{};
    std::uint64_t pc_ = code_start;
    Tick index_ = 0;
    Batch batch_;
};

}  // namespace

RecordedSchema::RecordedSchema() {
    for (const auto& [key, value] : {std::pair{"stf.version", "1.6"},
                                     {"stf.comment", "copies and sums an array; recorded by hwtrace's own simulator"},
                                     {"stf.isa", "1"},
                                     {"stf.inst_iem", "2"},
                                     {"stf.trace_info", "255 0 1 0 hwtrace test program"},
                                     {"stf.features", "0x000000000008252c"},
                                     {"stf.process_id", "0 100 101"},
                                     {"stf.force_pc", "0x0000000000001000"},
                                     {"stf.isa_extended", "rv64ic_zicsr"}})
        schema.describe(key, value);
    const ScopeId root = schema.declare(Scope{"/", none, {}, none});
    const ScopeId core = schema.declare(Scope{"core0", root, {}, none});
    const auto declare = [&](Track::Kind kind, std::string name, std::vector<Field> fields) {
        Track track;
        track.kind = kind;
        track.scope = core;
        track.name = std::move(name);
        track.time = ordinals;
        track.fields = std::move(fields);
        return schema.declare(std::move(track));
    };
    hart = declare(Track::Kind::hart, "core0", {});
    process = declare(Track::Kind::event_type, "stf.process_id",
                      {{"hw_thread", Type::u32}, {"pid", Type::u32}, {"tid", Type::u32}});
    page_walk = declare(Track::Kind::event_type, "stf.page_table_walk",
                        {{"address", Type::u64},
                         {"first_access", Type::u64},
                         {"page_size", Type::u32},
                         {"pte_address", Type::u64, none, true},
                         {"pte", Type::u64, none, true}});
    bus = declare(Track::Kind::event_type, "stf.bus_access",
                  {{"address", Type::u64},
                   {"size", Type::u16},
                   {"master", Type::u8},
                   {"index", Type::u8},
                   {"attributes", Type::u32},
                   {"type", Type::u8},
                   {"data", Type::u64, none, true}});
    event = declare(Track::Kind::event_type, "stf.event", {{"id", Type::u64}, {"field", Type::u64, none, true}});
    event_target = declare(Track::Kind::event_type, "stf.event_target", {{"pc", Type::u64}});
    comments = declare(Track::Kind::notes, "stf.comment", {});
}

void record_program(const RecordedSchema& schema, unsigned elements, Writer& writer) {
    Simulator(schema, elements, writer).run();
}

}  // namespace hwtrace::test
