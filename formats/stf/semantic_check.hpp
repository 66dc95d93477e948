// formats/stf/semantic_check.hpp - compares records with their instructions and feature bits with the trace's contents.
// Also checks the order of records (formats/stf/README.md#semantic-checks).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "domain/riscv.hpp"
#include "io/limits.hpp"
#include "rules.hpp"
#include "scanner.hpp"
#include "translation.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// Checks a trace record by record. A fault that may occur on every instruction is reported once per file: at the first
/// occurrence, with the count. Encodings are decoded only for RISC-V. Memory is bounded: see Translation.
class SemanticCheck {
public:
    /// Reports the faults of `header`. `scanner` must outlive the check.
    SemanticCheck(Scanner& scanner, std::span<const HeaderRecord> header, const Limits& limits);

    /// Checks a record of the body. Call for every record, directly after the scanner has returned it.
    void record(const RawRecord& record);
    /// Reports the faults that are known only at the end. Call once after the scan has ended, even after damage.
    void finish();

private:
    /// A fault that is counted during the scan and reported at the end.
    struct Tally {
        std::uint64_t total = 0;
        Scanner::Place first;
        std::string expected, got;
    };
    /// The memory accesses of a group in one direction: reads or writes.
    struct Accesses {
        std::uint64_t count = 0;
        std::uint16_t size = 0;  ///< size of the first access
        Scanner::Place first;
    };
    /// The group of records of one instruction.
    struct Group {
        Scanner::Place first;
        bool begun = false;      ///< true: `first` is valid
        bool own_part = false;   ///< true: has a register, access or target. The reader reports such a group.
        bool belonging = false;  ///< true: has another record that belongs to an instruction
        bool event = false;      ///< true: has an event other than MODE_CHANGE, which explains missing accesses
        bool fetch_fault = false, access_fault = false;
        bool event_target = false;
        bool forced = false;  ///< true: FORCE_PC or another process makes the pc independent of earlier records
        std::optional<std::uint64_t> mode;
        Scanner::Place mode_place;
        std::optional<std::uint64_t> target;
        Scanner::Place target_place;
        Accesses reads, writes;
        std::optional<Scanner::Place> zero;  ///< an access at address 0
        std::optional<Scanner::Place>
            physical_zero;  ///< an access that the page tables translate to physical address 0
    };
    enum class Content : std::uint8_t { microops, vectors, processes, attributes };
    static constexpr std::size_t contents = 4;

    void check_header(std::span<const HeaderRecord> header);
    void check_order(Descriptor descriptor);
    void check_content(Descriptor descriptor);
    void memory_access(const RawRecord& record);
    void register_value(const RawRecord& record);
    void event(const RawRecord& record);
    void page_walk();
    void instruction(std::uint64_t bits, unsigned size);
    void check_accesses(const riscv::Encoding& encoding);
    void check_sizes(const Accesses& accesses, const riscv::Encoding& encoding);
    void check_open_jump();
    void check_target(const riscv::Encoding& encoding, unsigned size);
    void check_mode(const riscv::Encoding& encoding);
    void check_physical();
    void translate_access(std::uint64_t address, const Scanner::Place& place);
    void meet(Content content);
    void finish_sizes();
    void finish_features();
    void finish_group();
    bool has_feature(std::uint64_t feature) const noexcept { return (features_ & feature) != 0; }

    /// Counts a fault at `place`. `text` returns the expected and the actual value as strings. Called once per check.
    template <typename Text>
    void count(Check check, const Scanner::Place& place, Text text) {
        Tally& tally = tallies_[static_cast<std::size_t>(check)];
        if (tally.total++ != 0) return;
        tally.first = place;
        std::tie(tally.expected, tally.got) = text();
    }
    void report(Check check, const Scanner::Place& place, std::string expected, std::string got) {
        scanner_.report_at(place, check, std::move(expected), std::move(got));
    }
    /// Returns "encoding 0x… at pc 0x…" for the instruction that the scanner returned last.
    std::string at_instruction() const;

    Scanner& scanner_;
    // Values from the header.
    std::uint64_t features_ = 0;
    bool riscv_ = false, has_mode_ = false, by_spike_ = false, by_dromajo_ = false;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    Translation translation_;

    Group group_;
    Descriptor last_ = Descriptor::reserved;  ///< last record of this group; reserved: none yet
    /// Accesses of the first instruction, whose mode is not yet known.
    std::vector<std::pair<std::uint64_t, Scanner::Place>> waiting_accesses_;
    std::optional<Scanner::Place> open_access_;  ///< an access whose content must follow
    std::uint64_t bits_ = 0;                     ///< encoding of the last instruction
    /// A jump, or a return from a trap, in the previous group that has no target.
    struct OpenJump {
        Check check = Check::jump_without_target;
        Scanner::Place place;
        std::string got;
    };
    std::optional<OpenJump> open_jump_;

    std::uint64_t walks_ = 0, virtual_accesses_ = 0, physical_pcs_ = 0, physical_accesses_ = 0;
    Scanner::Place first_walk_, last_place_;
    // Accesses whose size is the instruction's size in bytes, in bits, or in neither unit.
    Accesses in_bytes_, in_bits_, in_neither_;
    std::array<std::optional<Scanner::Place>, contents> met_;
    std::array<Tally, static_cast<std::size_t>(Check::count)> tallies_;
};

}  // namespace hwtrace::stf
