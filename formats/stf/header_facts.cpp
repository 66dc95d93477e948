#include "header_facts.hpp"

#include "io/number_text.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {
namespace {

template <typename... Numbers>
std::string spaced(Numbers... numbers) {
    std::string text;
    ((text.append(text.empty() ? "" : " ").append(std::to_string(numbers))), ...);
    return text;
}

std::string name_or_number(std::string_view name, std::uint64_t number) {
    return name.empty() ? std::string("unknown(").append(std::to_string(number)).append(")") : std::string(name);
}

void describe_trace_info(const RawRecord& record, Schema& schema, Facts& facts) {
    const auto generator = record.at<std::uint8_t>(1);
    const unsigned major = record.at<std::uint8_t>(2), minor = record.at<std::uint8_t>(3),
                   patch = record.at<std::uint8_t>(4);
    const std::string text(record.text(trace_info_head));
    std::string made_by = name_or_number(generator_name(generator), generator) + " " + std::to_string(major) + "." +
                          std::to_string(minor) + "." + std::to_string(patch);
    facts.emplace_back("generator", text.empty() ? made_by : made_by + " " + text);
    schema.describe("stf.trace_info", spaced(unsigned{generator}, major, minor, patch) + " " + text);
}

}  // namespace

void describe_header_record(const RawRecord& record, Schema& schema, Facts& facts) {
    // A value that is a fact under one name and metadata under another one.
    const auto state = [&](std::string_view name, std::string key, std::string value) {
        facts.emplace_back(name, value);
        schema.describe(std::move(key), std::move(value));
    };
    const auto state_number = [&](std::string_view name, std::string key, auto fact, unsigned number) {
        facts.emplace_back(name, std::move(fact));
        schema.describe(std::move(key), std::to_string(number));
    };
    switch (record.descriptor) {
        case Descriptor::version:
            state("version", "stf.version",
                  std::to_string(record.at<std::uint32_t>(1)) + "." + std::to_string(record.at<std::uint32_t>(5)));
            break;
        case Descriptor::comment:
            schema.describe("stf.comment", std::string(record.text(comment_head)));
            break;
        case Descriptor::isa: {
            const auto isa = record.at<std::uint16_t>(1);
            state_number("isa", "stf.isa", name_or_number(isa_name(isa), isa), isa);
            break;
        }
        case Descriptor::inst_iem: {
            const auto mode = record.at<std::uint16_t>(1);
            state_number("encoding_mode", "stf.inst_iem", name_or_number(iem_name(mode), mode), mode);
            break;
        }
        case Descriptor::trace_info:
            describe_trace_info(record, schema, facts);
            break;
        case Descriptor::trace_info_feature:
            state("features", "stf.features", hexadecimal_text(record.at<std::uint64_t>(1), 16));
            break;
        case Descriptor::process_id_ext:
            schema.describe("stf.process_id", spaced(record.at<std::uint32_t>(1), record.at<std::uint32_t>(5),
                                                     record.at<std::uint32_t>(9)));
            break;
        case Descriptor::force_pc:
            state("start_pc", "stf.force_pc", hexadecimal_text(record.at<std::uint64_t>(1), 16));
            break;
        case Descriptor::vlen_config: {
            const auto bits = record.at<std::uint32_t>(1);
            state_number("vlen", "stf.vlen", bits, bits);
            break;
        }
        case Descriptor::isa_extended:
            state("isa_string", "stf.isa_extended", std::string(record.text(comment_head)));
            break;
        case Descriptor::protocol_id: {
            const auto protocol = record.at<std::uint8_t>(1);
            state_number("protocol", "stf.protocol", name_or_number(protocol_name(protocol), protocol), protocol);
            break;
        }
        case Descriptor::clock_id:
            state("clock", "stf.clock",
                  std::to_string(record.at<std::uint8_t>(1)).append(" ").append(record.text(clock_id_head)));
            break;
        default:
            break;  // other records do not occur in the header
    }
}

void add_container_facts(const Scanner& scanner, bool ended, Facts& facts) {
    const Container& container = scanner.container();
    facts.emplace_back("container", std::string(name_of(container.kind())));
    if (container.kind() != ContainerKind::zstf) return;
    if (ended) facts.emplace_back("chunks", scanner.chunks().size());
    facts.emplace_back("chunk_size", container.chunk_size());
}

}  // namespace hwtrace::stf
