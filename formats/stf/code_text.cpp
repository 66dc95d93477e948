#include "code_text.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "domain/utf8.hpp"

namespace hwtrace::stf {

void append_name_or_number(std::string_view name, std::uint64_t number, TextOutput& out) {
    if (!name.empty()) {
        out.put(name);
        return;
    }
    out.put("unknown(");
    out.decimal(number);
    out.put(')');
}

void append_register_name(unsigned type, std::uint16_t number, TextOutput& out) {
    switch (type) {
        case register_integer:
            if (number == register_pc) {
                out.put("PC");
                return;
            }
            out.put("REG_");
            break;
        case register_floating:
            out.put("REG_F");
            break;
        case register_vector:
            out.put("REG_V");
            break;
        case register_csr:
            if (const std::string_view name = csr_name(number); !name.empty()) {
                out.put("REG_CSR_");
                out.put(name);
                return;
            }
            // Ranges that RISC-V reserves for implementations.
            out.put((number & 0xFC0u) == 0x7C0 || (number & 0xFC0u) == 0xBC0 || (number & 0xFC0u) == 0xFC0
                        ? "REG_CSR_NONST_"
                        : "REG_CSR_UNK_");
            out.hex(number, number > 0xFFF ? 4 : number > 0xFF ? 3 : number > 0xF ? 2 : 1);
            return;
        default:
            append_name_or_number({}, type, out);
            out.put('_');
            break;
    }
    out.decimal(number);
}

void append_event_name(std::uint64_t id, bool event64, TextOutput& out) {
    const EventName name = event_name(wide_event_id(id, event64));
    append_name_or_number(name.stem, id, out);
    if (name.numbered) out.decimal(name.number);
}

std::string_view mode_name(std::uint64_t mode) noexcept {
    constexpr std::string_view names[] = {"USER", "SUPERVISOR", "HYPERVISOR", "MACHINE"};
    return mode < std::size(names) ? names[mode] : std::string_view{};
}

void append_one_line(std::string_view text, TextOutput& out) {
    // Terminals treat U+0080 to U+009F as control characters, too.
    const auto is_control = [](std::string_view sequence) {
        return sequence.size() == 2 && sequence[0] == '\xC2' && static_cast<unsigned char>(sequence[1]) < 0xA0;
    };
    std::size_t plain = 0;
    for (std::size_t at = 0; at < text.size();) {
        if ((text[at] >= ' ' && text[at] <= '~') || text[at] == '\t') {
            ++at;
            continue;
        }
        const std::size_t length = utf8_length(text, at);
        if (length >= 2 && !is_control(text.substr(at, length))) {
            at += length;
            continue;
        }
        out.put(text.substr(plain, at - plain));
        out.put("\\x");
        out.hex(static_cast<unsigned char>(text[at]), 2);
        plain = ++at;
    }
    out.put(text.substr(plain));
}

void append_page_table_walk(const RawRecord& record, TextOutput& out) {
    out.hex(record.at<std::uint64_t>(1), 16);
    out.put(" size ");
    out.hex(record.at<std::uint32_t>(17), 8);
    out.put(" first_count ");
    const std::string first = std::to_string(record.at<std::uint64_t>(9));
    for (std::size_t digits = first.size(); digits < 16; ++digits)
        out.put('0');
    out.put(first);
    out.put('\n');
    const unsigned entries = record.at<std::uint8_t>(page_walk_head - 1);
    if (entries > 0) {
        out.put("PTDESC              Num Descriptors: ");
        out.decimal(entries);
        out.put('\n');
    }
    for (unsigned entry = 0; entry < entries; ++entry) {
        const std::size_t at = page_walk_head + page_walk_entry * entry;
        out.put("                    DESC");
        out.decimal(entry);
        out.put("  PA:");
        out.hex(record.at<std::uint64_t>(at), 16);
        out.put(" DESC:");
        out.hex(record.at<std::uint64_t>(at + 8), 16);
        out.put('\n');
    }
}

}  // namespace hwtrace::stf
