// formats/stf/translation.hpp - translates addresses with a trace's page table walks, SATP values and modes
// (formats/stf/README.md#address-translation; The RISC-V Instruction Set Manual, Volume II, "Supervisor-Level ISA").
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/hash.hpp"
#include "scanner.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// The features that announce page table walks: PTE, PTE_ONLY, PTE_HW_AD.
inline constexpr std::uint64_t feature_page_tables = conventions::feature_page_table_walks | 0x800 | 0x20000;

/// Follows a trace record by record. Memory is bounded: at most `most_pages` pages are kept.
class Translation {
public:
    /// `features` are the feature bits of the header. If none announces page table walks, no address is translated.
    Translation(bool rv64, std::uint64_t features, std::uint64_t most_pages);
    /// Takes the encoding mode and the features from the header records.
    Translation(std::span<const HeaderRecord> header, std::uint64_t most_pages);

    /// Updates the state from a record. Most records have no effect.
    void record(const RawRecord& record, bool event64) {
        switch (record.descriptor) {
            case Descriptor::inst_reg:
                register_value(record);
                break;
            case Descriptor::page_table_walk:
                walk(record);
                break;
            case Descriptor::inst_iem:
                set_encoding_mode(record);
                break;
            case Descriptor::event:
                event(record, event64);
                break;
            case Descriptor::inst_opcode16:
            case Descriptor::inst_opcode32:
                end_instruction();
                break;
            default:
                break;
        }
    }

    /// Handles damage: all instructions from the current one up to, but not including, instruction `next` (counted from
    /// 0) are lost. Mode and SATP are unknown until the trace states them again.
    void lose(std::uint64_t next);

    /// The fault that the last call of record() found in a walk.
    enum class WalkFault : std::uint8_t {
        nothing,
        no_satp,  ///< SATP is unknown
        entries,  ///< a walk for this address cannot lead to these entries
        page,     ///< the page size does not belong to the scheme, or the page is not aligned to its size
    };
    WalkFault walk_fault() const noexcept { return fault_; }

    /// Returns true while the mode of the first instruction is unknown. The trace states the mode after the memory
    /// accesses of that instruction, so their physical addresses are unknown until then.
    bool awaits_mode() const noexcept { return active_ && instruction_ == 0 && !begins_in_mode_; }
    /// Returns true if a page table applies: the mode is not machine mode, and SATP names a scheme.
    bool translates() const noexcept { return translates_in(mode_); }
    /// Returns the physical address of `address` for the current instruction. Returns `address` itself if no page table
    /// applies. Returns nullopt if no walk covers the address, or if the mode or SATP is unknown.
    std::optional<std::uint64_t> physical(std::uint64_t address) const;
    /// Like physical(), for the next instruction.
    std::optional<std::uint64_t> physical_next(std::uint64_t address) const;
    unsigned mode() const noexcept { return mode_; }

private:
    /// A paging scheme: Sv32, Sv39, Sv48 or Sv57. 0 levels: no translation.
    struct Scheme {
        unsigned levels = 0;
        unsigned index_bits = 9;
        unsigned entry_size = 8;

        unsigned shift_of(unsigned level) const noexcept { return 12 + index_bits * level; }
        std::uint64_t index_of(std::uint64_t address, unsigned level) const noexcept {
            return address >> shift_of(level) & ((std::uint64_t{1} << index_bits) - 1);
        }
    };
    struct Page {
        std::uint64_t satp;
        std::uint64_t number;  ///< the address without the offset bits
        unsigned shift;        ///< number of offset bits

        friend bool operator==(const Page&, const Page&) = default;
    };
    struct PageHash {
        std::size_t operator()(const Page& page) const noexcept;
    };
    struct Setting {
        std::uint64_t instruction, satp;
    };
    static constexpr unsigned machine_mode = 3;
    static constexpr unsigned contiguous_shift = 16;  ///< offset bits of Svnapot's only page size

    bool translates_in(unsigned mode) const noexcept { return active_ && mode != machine_mode && scheme_.levels != 0; }
    std::optional<std::uint64_t> physical_in(unsigned mode, std::uint64_t address) const;
    void register_value(const RawRecord& record);
    void walk(const RawRecord& record);
    void set_encoding_mode(const RawRecord& record);
    void event(const RawRecord& record, bool event64);
    void end_instruction();
    void set_satp(std::uint64_t satp);
    Scheme scheme_of(std::uint64_t satp) const noexcept;
    std::uint64_t satp_at(std::uint64_t instruction) const noexcept;
    std::uint64_t table_of(std::uint64_t satp) const noexcept;
    std::uint64_t target_of(std::uint64_t entry) const noexcept;

    bool rv64_;
    bool active_;
    std::size_t most_pages_;
    unsigned mode_ = machine_mode;
    bool begins_in_mode_ = false;  ///< the first instruction has stated its mode
    bool mode_known_ = true, satp_known_ = true;
    std::optional<unsigned> next_mode_;       ///< mode after the current instruction
    std::optional<std::uint64_t> next_satp_;  ///< SATP after the current instruction
    std::uint64_t instruction_ = 0;
    std::vector<Setting> settings_;                            ///< values of SATP, oldest first
    Scheme scheme_;                                            ///< scheme of the latest SATP
    std::unordered_map<Page, std::uint64_t, PageHash> pages_;  ///< physical address of each page's first byte
    std::array<bool, 64> shifts_{};                            ///< page sizes in pages_, by offset bits
    WalkFault fault_ = WalkFault::nothing;
};

}  // namespace hwtrace::stf
