// formats/stf/translation.hpp - physical addresses, as far as a trace's page table walks, SATP and modes tell them
// (README.md, "Address translation"; The RISC-V Instruction Set Manual, Volume II, "Supervisor-Level ISA").
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

/// The features that promise page table walks: PTE, PTE_ONLY, PTE_HW_AD.
inline constexpr std::uint64_t feature_page_tables = conventions::feature_page_table_walks | 0x800 | 0x20000;

/// Follows a trace record by record. Memory is bounded: walks beyond `most_pages` pages are not learned.
class Translation {
public:
    /// `features` are those of the header: without one that promises page tables, nothing is ever translated.
    Translation(bool rv64, std::uint64_t features, std::uint64_t most_pages);
    /// The same by a trace's header.
    Translation(std::span<const HeaderRecord> header, std::uint64_t most_pages);

    /// Takes in what a record says about translation; most records say nothing.
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

    /// Damage has taken the instruction of the group being read and all up to `next`, the number (from 0) of the one
    /// to come: until the trace says them again, mode and SATP are not known.
    void lose(std::uint64_t next);

    /// What is wrong with the walk that record() was given last.
    enum class WalkFault : std::uint8_t {
        nothing,
        no_satp,  ///< no value of SATP is known
        entries,  ///< its entries are not those that the address leads to
        page,     ///< the page has no size of the scheme, or begins at no multiple of its size
    };
    WalkFault walk_fault() const noexcept { return fault_; }

    /// The mode of a trace's first instruction is stated behind its memory accesses: until then, or until the
    /// instruction, nobody knows where they are.
    bool awaits_mode() const noexcept { return active_ && instruction_ == 0 && !begins_in_mode_; }
    /// Addresses pass page tables: the mode is not machine mode, and SATP names a scheme.
    bool translates() const noexcept { return translates_in(mode_); }
    /// Where `address` is in memory, for the instruction whose group is being read: itself where nothing translates;
    /// none where a page table does and no walk has told how, or where nobody knows.
    std::optional<std::uint64_t> physical(std::uint64_t address) const;
    /// The same for the instruction behind that one.
    std::optional<std::uint64_t> physical_next(std::uint64_t address) const;
    unsigned mode() const noexcept { return mode_; }

private:
    /// Sv32, Sv39, Sv48, Sv57; no levels: none.
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
        std::uint64_t number;  ///< the address above its offset
        unsigned shift;        ///< bits of the offset

        friend bool operator==(const Page&, const Page&) = default;
    };
    struct PageHash {
        std::size_t operator()(const Page& page) const noexcept;
    };
    struct Setting {
        std::uint64_t instruction, satp;
    };
    static constexpr unsigned machine_mode = 3;
    static constexpr unsigned contiguous_shift = 16;  ///< of Svnapot's only size

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
    bool begins_in_mode_ = false;  ///< the first instruction states its mode
    bool mode_known_ = true, satp_known_ = true;
    std::optional<unsigned> next_mode_;       ///< behind the instruction of this group
    std::optional<std::uint64_t> next_satp_;  ///< likewise
    std::uint64_t instruction_ = 0;
    std::vector<Setting> settings_;                            ///< values of SATP, oldest first
    Scheme scheme_;                                            ///< of the latest
    std::unordered_map<Page, std::uint64_t, PageHash> pages_;  ///< to the physical address of their first byte
    std::array<bool, 64> shifts_{};                            ///< sizes of pages that there are
    WalkFault fault_ = WalkFault::nothing;
};

}  // namespace hwtrace::stf
