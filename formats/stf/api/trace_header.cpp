#include "trace_header.hpp"

#include <string>

#include "codec/findings.hpp"
#include "codec/losses.hpp"
#include "io/appender.hpp"
#include "io/input.hpp"
#include "io/number_text.hpp"
#include "stf/header_writer.hpp"
#include "stf/transaction_wire.hpp"

namespace hwtrace::stf {

Header header_of(std::span<const HeaderRecord> records) {
    Header header;
    for (const HeaderRecord& kept : records) {
        const RawRecord record = kept.raw();
        switch (record.descriptor) {
            case Descriptor::version:
                header.major = record.at<std::uint32_t>(1);
                header.minor = record.at<std::uint32_t>(5);
                break;
            case Descriptor::comment:
                header.comments.emplace_back(record.text(comment_head));
                break;
            case Descriptor::isa:
                header.isa = record.at<std::uint16_t>(1);
                break;
            case Descriptor::inst_iem:
                header.encoding_mode = record.at<std::uint16_t>(1);
                break;
            case Descriptor::trace_info:
                header.generators.push_back({record.at<std::uint8_t>(1), record.at<std::uint8_t>(2),
                                             record.at<std::uint8_t>(3), record.at<std::uint8_t>(4),
                                             std::string(record.text(trace_info_head))});
                break;
            case Descriptor::trace_info_feature:
                header.features = record.at<std::uint64_t>(1);
                break;
            case Descriptor::process_id_ext:
                header.process =
                    ProcessId{record.at<std::uint32_t>(1), record.at<std::uint32_t>(5), record.at<std::uint32_t>(9)};
                break;
            case Descriptor::force_pc:
                header.pc = record.at<std::uint64_t>(1);
                break;
            case Descriptor::vlen_config:
                header.vector_bits = record.at<std::uint32_t>(1);
                break;
            case Descriptor::isa_extended:
                header.isa_string = std::string(record.text(comment_head));
                break;
            case Descriptor::protocol_id:
                header.protocol = record.at<std::uint8_t>(1);
                break;
            case Descriptor::clock_id:
                header.clocks.push_back({record.at<std::uint8_t>(1), std::string(record.text(clock_id_head))});
                break;
            default:
                break;  // a header contains no other records
        }
    }
    return header;
}

Header header_of(const Schema& schema) {
    Appender bytes;
    Losses made_up;
    append_header(bytes, schema, std::nullopt, made_up);
    Input input = Input::memory("header", bytes.span());
    const Limits limits = Limits::unlimited();
    Findings findings(0);
    return header_of(Scanner(input, limits, findings).read_header());
}

void describe_header(const Header& header, Schema& schema) {
    const auto describe = [&](const char* key, std::string value) { schema.describe(key, std::move(value)); };
    const auto text = [](auto number) { return std::to_string(number); };
    describe("stf.version", text(header.major) + "." + text(header.minor));
    for (const std::string& comment : header.comments)
        describe("stf.comment", comment);
    if (!header.transactions) {
        describe("stf.isa", text(header.isa));
        describe("stf.inst_iem", text(header.encoding_mode));
    }
    for (const Generator& made_by : header.generators)
        describe("stf.trace_info", text(made_by.number) + " " + text(made_by.major) + " " + text(made_by.minor) + " " +
                                       text(made_by.patch) + " " + made_by.comment);
    describe("stf.features", hexadecimal_text(header.features, 16));
    if (header.transactions) {
        describe("stf.protocol", text(header.protocol));
        for (const TransactionClock& clock : header.clocks)
            describe("stf.clock", text(clock.id) + " " + clock.name);
        return;
    }
    if (header.process)
        describe("stf.process_id", text(header.process->hardware_thread) + " " + text(header.process->process) + " " +
                                       text(header.process->thread));
    describe("stf.force_pc", hexadecimal_text(header.pc, 16));
    if (header.vector_bits) describe("stf.vlen", text(*header.vector_bits));
    if (header.isa_string) describe("stf.isa_extended", *header.isa_string);
}

}  // namespace hwtrace::stf
