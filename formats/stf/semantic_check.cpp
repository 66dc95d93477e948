#include "semantic_check.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "io/number_text.hpp"

namespace hwtrace::stf {
namespace {

using Text = std::pair<std::string, std::string>;

using conventions::feature_data_attributes;
using conventions::feature_microops;
using conventions::feature_physical_addresses;
using conventions::feature_process_ids;
using conventions::feature_vectors;
constexpr std::uint8_t generator_spike = 6, generator_dromajo = 12;

/// Returns true for a trap cause that reports a failed fetch.
constexpr bool is_fetch_fault(std::uint64_t id) noexcept {
    return id <= 1 || id == 12 || id == 20;
}
/// Returns true for a trap cause that reports a failed memory access.
constexpr bool is_access_fault(std::uint64_t id) noexcept {
    return (id >= 4 && id <= 7) || id == 13 || id == 15 || id == 21 || id == 23;
}

/// Returns true if a record may follow `last` in the same group although its descriptor is lower
/// (formats/stf/README.md#order-of-records).
constexpr bool may_follow(Descriptor descriptor, Descriptor last) noexcept {
    using enum Descriptor;
    switch (descriptor) {
        case comment:
        case process_id_ext:
        case force_pc:
            return true;
        case inst_mem_access:
            return last == inst_mem_content;
        case bus_master_access:
            return last == bus_master_content;
        case event:
            return last == event_pc_target;
        case inst_reg:
            return last == page_table_walk || last == inst_mem_content || last == bus_master_content;
        case inst_pc_target:
            return last == page_table_walk || last == inst_reg;
        default:
            return false;
    }
}

}  // namespace

SemanticCheck::SemanticCheck(Scanner& scanner, std::span<const HeaderRecord> header, const Limits& limits)
    : scanner_(scanner),
      features_(features_of(header)),
      xlen_(is_rv64(header) ? riscv::Xlen::rv64 : riscv::Xlen::rv32),
      translation_(header, limits.schema_objects) {
    check_header(header);
}

std::string SemanticCheck::at_instruction() const {
    return "encoding " + hexadecimal_text(bits_) + " at pc " + hexadecimal_text(scanner_.pc());
}

// --- the header ------------------------------------------------------------------------------------------------------

void SemanticCheck::check_header(std::span<const HeaderRecord> header) {
    // The records of read_header() directly follow the identifier, back to back.
    Scanner::Place place{identifier_size, 1, 0};
    std::optional<std::uint32_t> minor_version;  // none: missing, which is already reported
    for (const HeaderRecord& kept : header)
        if (kept.descriptor == Descriptor::version) minor_version = kept.raw().at<std::uint32_t>(5);
    const auto newer = [&](const std::string& what, std::uint32_t since) {
        if (!minor_version || *minor_version >= since) return;
        report(Check::newer_than_version, place, "version 1." + std::to_string(since) + " or later for " + what,
               "1." + std::to_string(*minor_version));
    };
    Scanner::Place features_at;
    bool has_features = false;
    for (const HeaderRecord& kept : header) {
        const RawRecord record = kept.raw();
        switch (record.descriptor) {
            case Descriptor::isa: {
                const auto isa = record.at<std::uint16_t>(1);
                riscv_ = isa == isa_riscv;
                if (!riscv_) report(Check::not_understood, place, "ISA 1, RISC-V", std::to_string(isa));
                break;
            }
            case Descriptor::inst_iem:
                has_mode_ = !iem_name(record.at<std::uint16_t>(1)).empty();
                break;
            case Descriptor::trace_info:
                by_spike_ = by_spike_ || record.at<std::uint8_t>(1) == generator_spike;
                by_dromajo_ = by_dromajo_ || record.at<std::uint8_t>(1) == generator_dromajo;
                break;
            case Descriptor::trace_info_feature:
                has_features = true;
                features_at = place;
                if (has_feature(feature_transactions))
                    report(Check::transactions_feature, place, "no feature TRANSACTIONS",
                           "the feature in an instruction trace");
                if (has_feature(feature_event64)) newer("events with 64-bit ids", 5);
                break;
            case Descriptor::vlen_config:
                newer("VLEN_CONFIG", 4);
                break;
            case Descriptor::isa_extended:
                newer("ISA_EXTENDED", 6);
                break;
            default:
                break;
        }
        place.offset += record.size;
        ++*place.record;
    }
    const bool wide = xlen_ == riscv::Xlen::rv64;
    if (riscv_ && has_mode_ && has_features && !by_spike_ && has_feature(feature_rv64) != wide)
        report(Check::rv64_feature, features_at, wide ? "the feature RV64" : "no feature RV64",
               wide ? "RV64 instructions without the feature" : "RV32 instructions with the feature");
}

// --- records ---------------------------------------------------------------------------------------------------------

void SemanticCheck::record(const RawRecord& record) {
    if (is_header_only(record.descriptor)) return;  // reported by the reader
    last_place_ = scanner_.place();
    if (!group_.begun) {
        group_.begun = true;
        group_.first = last_place_;
    }
    check_order(record.descriptor);
    check_content(record.descriptor);
    switch (record.descriptor) {
        case Descriptor::inst_opcode32:
            instruction(record.at<std::uint32_t>(1), 4);
            break;
        case Descriptor::inst_opcode16:
            instruction(record.at<std::uint16_t>(1), 2);
            break;
        case Descriptor::inst_mem_access:
            memory_access(record);
            break;
        case Descriptor::inst_reg:
            register_value(record);
            break;
        case Descriptor::inst_pc_target:
            group_.own_part = true;
            group_.target = record.at<std::uint64_t>(1);
            group_.target_place = last_place_;
            break;
        case Descriptor::event:
            event(record);
            break;
        case Descriptor::process_id_ext:
            group_.forced = true;
            meet(Content::processes);
            break;
        case Descriptor::force_pc:
            group_.forced = true;
            break;
        case Descriptor::inst_iem:
            if (const auto mode = record.at<std::uint16_t>(1); !iem_name(mode).empty())
                xlen_ = mode == iem_rv64 ? riscv::Xlen::rv64 : riscv::Xlen::rv32;
            break;
        case Descriptor::inst_microop:
            meet(Content::microops);
            [[fallthrough]];
        case Descriptor::inst_ready_reg:
            group_.belonging = true;
            break;
        case Descriptor::event_pc_target:
            group_.belonging = true;
            group_.event_target = true;
            break;
        default:
            break;
    }
    translation_.record(record, scanner_.event64());
    if (record.descriptor == Descriptor::page_table_walk) page_walk();
    if (is_marker(record.descriptor)) {
        group_ = {};
        last_ = Descriptor::reserved;
    }
}

void SemanticCheck::check_order(Descriptor descriptor) {
    if (descriptor < last_ && !may_follow(descriptor, last_)) {
        report(Check::group_order, last_place_,
               std::string(name_of(descriptor)) + " before " + std::string(name_of(last_)), "the reverse order");
    }
    last_ = descriptor;
}

void SemanticCheck::check_content(Descriptor descriptor) {
    if (open_access_ && descriptor != Descriptor::inst_mem_content && descriptor != Descriptor::bus_master_content)
        count(Check::content_missing, *open_access_, [&] {
            return Text{"content after the access", std::string(name_of(descriptor))};
        });
    open_access_.reset();
    if (descriptor == Descriptor::inst_mem_access || descriptor == Descriptor::bus_master_access)
        open_access_ = last_place_;
}

void SemanticCheck::memory_access(const RawRecord& record) {
    group_.own_part = true;
    const auto address = record.at<std::uint64_t>(1);
    const auto type = record.at<std::uint8_t>(13);
    if (record.at<std::uint16_t>(11) != 0) meet(Content::attributes);
    if (address == 0) group_.zero = last_place_;
    if (translation_.awaits_mode()) [[unlikely]]
        waiting_accesses_.emplace_back(address, last_place_);
    else
        translate_access(address, last_place_);
    Accesses& accesses = type == 1 ? group_.reads : group_.writes;
    if (type != 1 && type != 2) return;
    if (accesses.count++ == 0) {
        accesses.size = record.at<std::uint16_t>(9);
        accesses.first = last_place_;
    }
}

void SemanticCheck::translate_access(std::uint64_t address, const Scanner::Place& place) {
    if (!translation_.translates()) return;
    ++virtual_accesses_;
    const auto physical = translation_.physical(address);
    if (!physical) return;
    ++physical_accesses_;
    if (*physical == 0) group_.physical_zero = place;
}

void SemanticCheck::register_value(const RawRecord& record) {
    group_.own_part = true;
    const unsigned type = record.at<std::uint8_t>(3) & 0xFu;
    if (type == register_vector) meet(Content::vectors);
    if (type != register_integer || record.at<std::uint16_t>(1) != 0) return;
    if (const auto value = record.at<std::uint64_t>(vector_head); value != 0)
        count(Check::x0_value, last_place_, [&] { return Text{"0 in x0", hexadecimal_text(value)}; });
}

void SemanticCheck::event(const RawRecord& record) {
    group_.belonging = true;
    const EventHead head = head_of_event(record, scanner_.event64());
    const std::uint64_t id = head.wide_id;
    if (id == event_mode_change) {
        if (record.size < head.size + 8) return;  // reported by the reader
        group_.mode = record.at<std::uint64_t>(head.size);
        group_.mode_place = last_place_;
        return;
    }
    group_.event = true;
    group_.fetch_fault = group_.fetch_fault || is_fetch_fault(id);
    group_.access_fault = group_.access_fault || is_access_fault(id);
    if (record.size == head.size)
        count(Check::event_without_fields, last_place_, [&] {
            return Text{"fields that describe the event", "none with event " + hexadecimal_text(id)};
        });
}

void SemanticCheck::page_walk() {
    group_.belonging = true;
    if (walks_++ == 0) first_walk_ = last_place_;
    switch (translation_.walk_fault()) {
        case Translation::WalkFault::nothing:
            break;
        case Translation::WalkFault::no_satp:
            count(Check::walk_without_satp, last_place_, [] {
                return Text{"an INST_REG of SATP before the walk", "none"};
            });
            break;
        case Translation::WalkFault::entries:
            count(Check::walk_entries, last_place_, [] {
                return Text{"the entries that the address leads to", "other entries"};
            });
            break;
        case Translation::WalkFault::page:
            count(Check::walk_page, last_place_, [] {
                return Text{"a page size of the scheme, and an aligned page", "another size or alignment"};
            });
            break;
    }
}

void SemanticCheck::meet(Content content) {
    auto& met = met_[static_cast<std::size_t>(content)];
    if (!met) met = last_place_;
}

// --- instructions ----------------------------------------------------------------------------------------------------

void SemanticCheck::instruction(std::uint64_t bits, unsigned size) {
    bits_ = bits;
    if (open_jump_) check_open_jump();
    if (group_.zero)
        count(Check::access_at_zero, *group_.zero, [&] {
            return Text{"an address other than 0", "0, for " + at_instruction()};
        });
    check_physical();
    if (!riscv_) return;
    if (scanner_.pc() % 2 != 0)
        count(Check::pc_odd, last_place_, [&] { return Text{"an even pc", hexadecimal_text(scanner_.pc())}; });
    const riscv::Encoding encoding = riscv::decode(bits, size, xlen_);
    if (encoding.instruction_class == riscv::Class::illegal) {
        if (!group_.event)
            count(Check::encoding_illegal, last_place_, [&] {
                return Text{"an instruction, or the event of its fault", at_instruction()};
            });
        return;
    }
    if (encoding.instruction_class == riscv::Class::custom) return;
    check_accesses(encoding);
    check_target(encoding, size);
    check_mode(encoding);
}

void SemanticCheck::check_accesses(const riscv::Encoding& encoding) {
    using riscv::Use;
    const bool atomic = encoding.instruction_class == riscv::Class::atomic;
    const bool any = group_.reads.count + group_.writes.count != 0;
    if (!group_.event) {
        if (encoding.reads == Use::always && group_.reads.count == 0 && !(atomic && any))
            count(Check::load_without_read, last_place_, [&] {
                return Text{"a read access", "none for " + at_instruction()};
            });
        if (encoding.writes == Use::always && group_.writes.count == 0 && !atomic)
            count(Check::store_without_write, last_place_, [&] {
                return Text{"a write access", "none for " + at_instruction()};
            });
    }
    for (const auto& [accesses, use, what] : {std::tuple(&group_.reads, encoding.reads, "a read"),
                                              std::tuple(&group_.writes, encoding.writes, "a write")}) {
        if (accesses->count == 0) continue;
        if (use == Use::never) {
            count(Check::access_unfounded, accesses->first, [&, what = what] {
                return Text{"only accesses that the instruction makes", what + (" by " + at_instruction())};
            });
        } else {
            check_sizes(*accesses, encoding);
        }
    }
}

void SemanticCheck::check_sizes(const Accesses& accesses, const riscv::Encoding& encoding) {
    if (accesses.count != 1 || encoding.access_size == 0) return;
    const unsigned bytes = encoding.access_size;
    Accesses& sizes = accesses.size == bytes ? in_bytes_ : accesses.size == 8 * bytes ? in_bits_ : in_neither_;
    if (sizes.count++ == 0) {
        sizes.first = accesses.first;
        sizes.size = accesses.size;
    }
}

/// Checks a jump without a target. Call when the next instruction is known.
void SemanticCheck::check_open_jump() {
    constexpr const char* expected = "INST_PC_TARGET or an event";
    if (group_.forced) {
        // A FORCE_PC or another process explains the pc.
    } else if (open_jump_->check == Check::jump_without_target) {
        report(open_jump_->check, open_jump_->place, expected, std::move(open_jump_->got));
    } else {
        count(open_jump_->check, open_jump_->place, [&] { return Text{expected, open_jump_->got}; });
    }
    open_jump_.reset();
}

void SemanticCheck::check_target(const riscv::Encoding& encoding, unsigned size) {
    const std::uint64_t mask = xlen_ == riscv::Xlen::rv64 ? ~std::uint64_t{0} : 0xFFFF'FFFF;
    if (!group_.target) {
        const bool stays = encoding.has_offset && encoding.offset == static_cast<std::int32_t>(size);
        if (group_.event || group_.event_target || stays) return;
        if (!encoding.jumps() && !encoding.returns_from_trap()) return;
        const Check check = encoding.jumps() ? Check::jump_without_target : Check::return_without_target;
        open_jump_ = OpenJump{check, last_place_, "neither for " + at_instruction()};
        return;
    }
    if (!encoding.transfers()) {
        if (encoding.returns_from_trap() || group_.event) return;
        const auto found = [&] { return hexadecimal_text(*group_.target) + " for " + at_instruction(); };
        if (encoding.system == riscv::SystemCall::ecall || encoding.system == riscv::SystemCall::ebreak)
            count(Check::call_without_event, group_.target_place, [&] {
                return Text{"the event of the trap, with its target", found()};
            });
        else
            report(Check::target_unfounded, group_.target_place, "no target for an instruction that does not branch",
                   found());
        return;
    }
    if (group_.event && !group_.event_target) return;  // the target may be the handler of the event
    const std::uint64_t encoded = scanner_.pc() + static_cast<std::uint64_t>(std::int64_t{encoding.offset});
    if (encoding.has_offset && ((*group_.target ^ encoded) & mask) != 0)
        report(Check::target_not_encoded, group_.target_place,
               hexadecimal_text(encoded & mask) + " by " + at_instruction(), hexadecimal_text(*group_.target));
}

void SemanticCheck::check_mode(const riscv::Encoding& encoding) {
    const bool is_first = scanner_.instructions() == 1;
    if (group_.mode != traps::user_mode || translation_.mode() == traps::user_mode || is_first || group_.forced) return;
    if (!encoding.returns_from_trap())
        report(Check::user_mode_entered, group_.mode_place, "a return from a trap, such as sret or mret",
               at_instruction());
}

void SemanticCheck::check_physical() {
    for (const auto& [address, place] : waiting_accesses_)
        translate_access(address, place);
    waiting_accesses_.clear();
    if (group_.physical_zero && !group_.access_fault)
        count(Check::physical_access_zero, *group_.physical_zero, [&] {
            return Text{"an address in memory", "0, for " + at_instruction()};
        });
    if (!translation_.translates()) return;
    const auto physical = translation_.physical(scanner_.pc());
    if (!physical) return;
    ++physical_pcs_;
    if (*physical == 0 && !group_.fetch_fault)
        count(Check::physical_pc_zero, last_place_, [&] {
            return Text{"an address in memory", "0, for " + at_instruction()};
        });
}

// --- the end ---------------------------------------------------------------------------------------------------------

void SemanticCheck::finish() {
    finish_group();
    finish_sizes();
    finish_features();
    for (std::size_t code = 0; code < tallies_.size(); ++code) {
        Tally& tally = tallies_[code];
        if (tally.total == 0) continue;
        if (tally.total > 1) tally.got += ", the first of " + std::to_string(tally.total);
        report(static_cast<Check>(code), tally.first, std::move(tally.expected), std::move(tally.got));
    }
}

/// Reports records after the last instruction if they belong to a missing instruction.
void SemanticCheck::finish_group() {
    if (!scanner_.ended_whole() || !group_.belonging || group_.own_part) return;
    report(Check::group_unfinished, group_.first, "an instruction that ends the group", "the end of the trace");
}

void SemanticCheck::finish_sizes() {
    const bool bits = in_bits_.count > in_bytes_.count || (by_dromajo_ && in_bits_.count > 0 && in_bytes_.count == 0);
    const Accesses& usual = bits ? in_bits_ : in_bytes_;
    const Accesses& unusual = bits ? in_bytes_ : in_bits_;
    const std::uint64_t all = usual.count + unusual.count + in_neither_.count;
    if (bits)
        report(Check::sizes_in_bits, in_bits_.first, "sizes in bytes",
               "sizes in bits for " + std::to_string(in_bits_.count) + " of " + std::to_string(all) + " accesses");
    const std::uint64_t odd = unusual.count + in_neither_.count;
    if (odd == 0) return;
    const bool first_is_neither =
        in_neither_.count != 0 && (unusual.count == 0 || in_neither_.first.offset < unusual.first.offset);
    const Accesses& first = first_is_neither ? in_neither_ : unusual;
    report(Check::access_size, first.first, std::string("the instruction's size, in ") + (bits ? "bits" : "bytes"),
           std::to_string(first.size) + (odd > 1 ? ", the first of " + std::to_string(odd) : ""));
}

void SemanticCheck::finish_features() {
    constexpr struct {
        Content content;
        std::uint64_t feature;
        const char* text;
    } needed[] = {
        {Content::microops, feature_microops, "INST_MICROOP without the feature MICROOP"},
        {Content::vectors, feature_vectors, "vector registers without the feature VEC"},
        {Content::processes, feature_process_ids, "PROCESS_ID_EXT without the feature PROCESS_ID"},
        {Content::attributes, feature_data_attributes, "memory attributes without the feature DATA_ATTRIBUTE"}};
    static_assert(std::size(needed) == contents);
    for (const auto& [content, feature, text] : needed) {
        const auto& met = met_[static_cast<std::size_t>(content)];
        if (met && !has_feature(feature))
            report(Check::feature_unset, *met, "features that announce the contents", text);
    }

    const bool page_tables = has_feature(feature_page_tables);
    if (walks_ != 0 && !page_tables)
        report(Check::page_table_feature, first_walk_, "the feature PTE",
               std::to_string(walks_) + " page table walks without the feature");
    if (!scanner_.ended_whole() || scanner_.instructions() == 0) return;
    if (page_tables && walks_ == 0)
        report(Check::page_table_feature, last_place_, "a page table walk, as the feature PTE announces", "none");
    const bool physical = physical_pcs_ != 0 && (virtual_accesses_ == 0 || physical_accesses_ != 0);
    if (has_feature(feature_physical_addresses) && !physical)
        report(Check::physical_feature, last_place_, "physical addresses, as the feature PHYSICAL_ADDRESS announces",
               physical_pcs_ == 0 ? "page table walks for no instruction" : "page table walks for no access");
    if (!has_feature(feature_physical_addresses) && physical_pcs_ + physical_accesses_ != 0)
        report(Check::physical_feature, last_place_, "the feature PHYSICAL_ADDRESS",
               "physical addresses without the feature");
}

}  // namespace hwtrace::stf
