// formats/stf/scanner_header.cpp - the functions of Scanner that read and check the header of a trace.
#include "scanner.hpp"

#include <algorithm>
#include <array>
#include <bitset>

#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace::stf {

namespace {

std::string version_text(const RawRecord& version) {
    return std::to_string(version.at<std::uint32_t>(1)) + "." + std::to_string(version.at<std::uint32_t>(5));
}

constexpr std::uint32_t only_major = 1, oldest_minor = 2, newest_minor = 6;
constexpr std::uint32_t shortest_vector = 64;

}  // namespace

std::uint64_t features_of(std::span<const HeaderRecord> header) noexcept {
    std::uint64_t features = 0;
    for (const HeaderRecord& record : header)
        if (record.descriptor == Descriptor::trace_info_feature) features = record.raw().at<std::uint64_t>(1);
    return features;
}

bool is_rv64(std::span<const HeaderRecord> header) noexcept {
    const auto mode = [](const HeaderRecord& record) { return record.descriptor == Descriptor::inst_iem; };
    const auto found = std::find_if(header.begin(), header.end(), mode);
    return found == header.end() || found->raw().at<std::uint16_t>(1) == iem_rv64;
}

std::vector<HeaderRecord> Scanner::read_header() {
    static constexpr std::string_view identifier{"\x01STF"};
    std::vector<HeaderRecord> header;
    RawRecord record;
    const std::size_t got = have(identifier.size());
    enter_chunks();
    const bool identified =
        got >= identifier.size() && std::equal(identifier.begin(), identifier.end(), at_,
                                               [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
    if (!identified) {
        if (got < identifier.size()) finish();
        if (got == 0 && container_.kind() == ContainerKind::zstf)
            fail(Failure::input, input_.name() + ": the ZSTF file holds no chunk");
        if (got < identifier.size() && !container_.sound())  // already reported as a fault of the container
            fail(Failure::input, input_.name() + ": the compressed data ends inside the trace's identifier");
        report_next(Check::no_identifier, "01 'S' 'T' 'F'", got == 0 ? "nothing" : "other bytes");
        fail(Failure::input, input_.name() + ": the stream does not begin with the STF identifier");
    }
    next(record);

    std::bitset<256> seen;
    std::uint64_t total = 0;
    for (bool first = true;; first = false) {
        if (have(1) == 0) {
            next(record);
            if (container_.sound()) report_next(Check::header_cut, "END_HEADER", "the end of the trace");
            break;
        }
        const auto descriptor = static_cast<Descriptor>(*at_);
        choose_kind(header, descriptor);
        const bool known = fixed_sizes[static_cast<std::size_t>(descriptor)] != 0 || descriptor == Descriptor::event ||
                           descriptor == Descriptor::page_table_walk || (transactions_ && is_transaction(descriptor));
        if (known && !is_header_record(descriptor)) {
            report_next(Check::header_not_ended, "END_HEADER", std::string(name_of(descriptor)));
            check_mandatory(header);
            break;
        }
        if (!next(record)) break;
        if (descriptor == Descriptor::end_header) {
            check_mandatory(header);
            break;
        }
        if (first && descriptor != Descriptor::version)
            report(Check::version_not_second, "VERSION", std::string(name_of(descriptor)));
        const bool repeats = descriptor == Descriptor::comment || descriptor == Descriptor::trace_info ||
                             descriptor == Descriptor::clock_id;
        const auto code = static_cast<std::size_t>(descriptor);
        if ((seen[code] && !repeats) || descriptor == Descriptor::identifier)
            report(Check::header_duplicate, "one " + std::string(name_of(descriptor)), "another");
        seen[code] = true;
        check_header_code(record);
        if (descriptor == Descriptor::identifier) continue;
        total += record.size;
        check_limit(total, limits_.record, "the header", "--max-record");
        check_limit(header.size() + 1, limits_.schema_objects, "a number of header records", "--max-schema");
        header.push_back({descriptor, {record.bytes().begin(), record.bytes().end()}});
    }
    header_whole_ = !ended_;
    header_end_ = offset();
    header_records_ = records_;
    header_vector_words_ = vector_words_;
    header_event64_ = event64_;
    return header;
}

/// Decides from the header so far and the next record whether the trace has instructions or transactions. Without
/// header records for instructions, the feature bit suffices for transactions. A missing PROTOCOL_ID is then reported
/// as missing, not as damage of an instruction trace.
void Scanner::choose_kind(std::span<const HeaderRecord> header, Descriptor next) {
    if (next == Descriptor::protocol_id || next == Descriptor::clock_id) transactions_ = true;
    if (next != Descriptor::end_header && !is_transaction(next)) return;
    bool features = false;
    for (const HeaderRecord& record : header) {
        if (record.descriptor == Descriptor::isa || record.descriptor == Descriptor::inst_iem) return;
        if (record.descriptor == Descriptor::trace_info_feature)
            features = (record.raw().at<std::uint64_t>(1) & feature_transactions) != 0;
    }
    transactions_ = transactions_ || features;
}

std::string Scanner::markers_text(std::uint64_t count) const {
    return hwtrace::counted(count, transactions_ ? "transaction" : "instruction");
}

void Scanner::check_header_code(const RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::version:
            check_version(record);
            break;
        case Descriptor::isa:
            if (isa_name(record.at<std::uint16_t>(1)).empty())
                report(Check::header_code_unknown, "an ISA from 1 to 4", std::to_string(record.at<std::uint16_t>(1)));
            break;
        case Descriptor::inst_iem:
            if (iem_name(record.at<std::uint16_t>(1)).empty())
                report(Check::header_code_unknown, "encoding mode 1 or 2", std::to_string(record.at<std::uint16_t>(1)));
            break;
        case Descriptor::trace_info:
            if (const auto generator = record.at<std::uint8_t>(1); generator == 0 || generator_name(generator).empty())
                report(Check::generator_unknown, "a known generator", std::to_string(generator));
            break;
        case Descriptor::vlen_config:
            if (record.at<std::uint32_t>(1) < shortest_vector)
                report(Check::vlen_invalid, "at least 64 bits", std::to_string(record.at<std::uint32_t>(1)));
            break;
        case Descriptor::force_pc:
            header_pc_ = record.at<std::uint64_t>(1);
            break;
        default:
            break;
    }
}

void Scanner::check_version(const RawRecord& version) {
    const auto major = version.at<std::uint32_t>(1);
    const auto minor = version.at<std::uint32_t>(5);
    if (major != only_major || minor < oldest_minor) {
        report(Check::version_unsupported, "1.2 to 1.6", version_text(version));
        fail(Failure::input, input_.name() + ": unsupported version " + version_text(version) + " of STF");
    }
    if (minor > newest_minor) report(Check::version_newer, "1.2 to 1.6", version_text(version));
}

void Scanner::check_mandatory(std::span<const HeaderRecord> header) {
    using enum Descriptor;
    constexpr std::array of_instructions{version, isa, inst_iem, trace_info, trace_info_feature, force_pc};
    constexpr std::array of_transactions{version, trace_info, trace_info_feature, protocol_id, clock_id};
    const auto has = [&](Descriptor wanted) {
        return std::any_of(header.begin(), header.end(),
                           [wanted](const HeaderRecord& record) { return record.descriptor == wanted; });
    };
    for (const Descriptor needed :
         transactions_ ? std::span<const Descriptor>(of_transactions) : std::span<const Descriptor>(of_instructions))
        if (!has(needed)) report_next(Check::header_missing, std::string(name_of(needed)), "none");
    if (!transactions_) return;
    for (const Descriptor foreign : {isa, inst_iem, process_id_ext, force_pc, vlen_config, isa_extended})
        if (has(foreign))
            report_next(Check::instruction_record, "a header of a transaction trace", std::string(name_of(foreign)));
    std::bitset<256> clocks;
    for (const HeaderRecord& record : header) {
        if (record.descriptor != clock_id) continue;
        const auto id = record.raw().at<std::uint8_t>(1);
        if (id == 0 || clocks[id]) report_next(Check::clock_id, "a unique clock id above 0", std::to_string(id));
        clocks[id] = true;
    }
}

}  // namespace hwtrace::stf
