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

}  // namespace

void describe_header_record(const RawRecord& record, Schema& schema, Facts& facts) {
    const auto fact = [&](std::string_view key, auto value) { facts.emplace_back(key, std::move(value)); };
    switch (record.descriptor) {
        case Descriptor::version: {
            std::string version =
                std::to_string(record.at<std::uint32_t>(1)) + "." + std::to_string(record.at<std::uint32_t>(5));
            fact("version", version);
            schema.describe("stf.version", std::move(version));
            break;
        }
        case Descriptor::comment:
            schema.describe("stf.comment", std::string(record.text(comment_head)));
            break;
        case Descriptor::isa: {
            const auto isa = record.at<std::uint16_t>(1);
            fact("isa", name_or_number(isa_name(isa), isa));
            schema.describe("stf.isa", std::to_string(isa));
            break;
        }
        case Descriptor::inst_iem: {
            const auto mode = record.at<std::uint16_t>(1);
            fact("encoding_mode", name_or_number(iem_name(mode), mode));
            schema.describe("stf.inst_iem", std::to_string(mode));
            break;
        }
        case Descriptor::trace_info: {
            const auto generator = record.at<std::uint8_t>(1);
            const unsigned major = record.at<std::uint8_t>(2), minor = record.at<std::uint8_t>(3),
                           patch = record.at<std::uint8_t>(4);
            const std::string text(record.text(trace_info_head));
            std::string made_by = name_or_number(generator_name(generator), generator) + " " + std::to_string(major) +
                                  "." + std::to_string(minor) + "." + std::to_string(patch);
            fact("generator", text.empty() ? made_by : made_by + " " + text);
            schema.describe("stf.trace_info", spaced(unsigned{generator}, major, minor, patch) + " " + text);
            break;
        }
        case Descriptor::trace_info_feature: {
            const std::string features = hexadecimal_text(record.at<std::uint64_t>(1), 16);
            fact("features", features);
            schema.describe("stf.features", features);
            break;
        }
        case Descriptor::process_id_ext:
            schema.describe("stf.process_id", spaced(record.at<std::uint32_t>(1), record.at<std::uint32_t>(5),
                                                     record.at<std::uint32_t>(9)));
            break;
        case Descriptor::force_pc: {
            const std::string pc = hexadecimal_text(record.at<std::uint64_t>(1), 16);
            fact("start_pc", pc);
            schema.describe("stf.force_pc", pc);
            break;
        }
        case Descriptor::vlen_config: {
            const auto bits = record.at<std::uint32_t>(1);
            fact("vlen", bits);
            schema.describe("stf.vlen", std::to_string(bits));
            break;
        }
        case Descriptor::isa_extended: {
            const std::string text(record.text(comment_head));
            fact("isa_string", text);
            schema.describe("stf.isa_extended", text);
            break;
        }
        case Descriptor::protocol_id: {
            const auto protocol = record.at<std::uint8_t>(1);
            fact("protocol", name_or_number(protocol_name(protocol), protocol));
            schema.describe("stf.protocol", std::to_string(protocol));
            break;
        }
        case Descriptor::clock_id: {
            std::string clock = std::to_string(record.at<std::uint8_t>(1)) + " ";
            clock.append(record.text(clock_id_head));
            fact("clock", clock);
            schema.describe("stf.clock", std::move(clock));
            break;
        }
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
