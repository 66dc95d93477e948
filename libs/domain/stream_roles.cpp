#include "domain/stream_roles.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr char small(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Returns true if the names are equal, ignoring case. `known` must be in lower case.
bool is_called(std::string_view name, std::string_view known) noexcept {
    return std::ranges::equal(name, known, {}, small);
}

template <typename Value, std::size_t count>
std::optional<Value> find_name(const std::array<std::pair<std::string_view, Value>, count>& table,
                               std::string_view name) noexcept {
    for (const auto& [known, value] : table)
        if (is_called(name, known)) return value;
    return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, AttributeRole>, 31> attribute_names{{
    {names::pc, AttributeRole::pc},
    {names::inst_bits, AttributeRole::encoding},
    {"encoding", AttributeRole::encoding},
    {"instr", AttributeRole::encoding},
    {"insn", AttributeRole::encoding},
    {"instruction", AttributeRole::encoding},
    {"opcode", AttributeRole::encoding},
    {"target", AttributeRole::target},
    {names::flushed, AttributeRole::discarded},
    {names::unfinished, AttributeRole::discarded},
    {"addr", AttributeRole::address},
    {names::access_address, AttributeRole::address},
    {"size", AttributeRole::size},
    {"length", AttributeRole::size},
    {"len", AttributeRole::size},
    {"bytes", AttributeRole::size},
    {"command", AttributeRole::command},
    {"cmd", AttributeRole::command},
    {"direction", AttributeRole::command},
    {"rw", AttributeRole::command},
    {"access", AttributeRole::command},
    {names::access_type, AttributeRole::command},
    {"type", AttributeRole::command},
    {"kind", AttributeRole::command},
    {"op", AttributeRole::command},
    {"data", AttributeRole::data},
    {"wdata", AttributeRole::data},
    {"rdata", AttributeRole::data},
    {"master", AttributeRole::master},
    {"initiator", AttributeRole::master},
    {"index", AttributeRole::index},
}};

constexpr std::array<std::pair<std::string_view, AccessType>, 13> commands{{
    {"read", AccessType::read},
    {"rd", AccessType::read},
    {"r", AccessType::read},
    {"load", AccessType::read},
    {"get", AccessType::read},
    {"tlm_read_command", AccessType::read},
    {"dma_read", AccessType::read},
    {"write", AccessType::write},
    {"wr", AccessType::write},
    {"w", AccessType::write},
    {"store", AccessType::write},
    {"tlm_write_command", AccessType::write},
    {"dma_write", AccessType::write},
}};

constexpr std::array<std::pair<std::string_view, std::uint8_t>, 8> masters{{
    {"core", std::uint8_t{1}},
    {"cpu", std::uint8_t{1}},
    {"gpu", std::uint8_t{2}},
    {"dma", std::uint8_t{3}},
    {"pcie", std::uint8_t{4}},
    {"srio", std::uint8_t{5}},
    {"icn", interconnect_master},
    {"interconnect", interconnect_master},
}};

bool is_number(Type type) noexcept {
    switch (type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::pointer:
            return true;
        default:
            return false;
    }
}

bool is_name(Type type) noexcept {
    return type == Type::text || type == Type::label || type == Type::enumeration;
}

/// The presence of the attributes that identify a track's role.
struct Known {
    bool pc = false, encoding = false, address = false, size = false, command = false;

    explicit Known(const Track& track) noexcept : command(command_of(track.name).has_value()) {
        for (const Field& field : track.fields) {
            const AttributeRole role = role_of(field);
            pc = pc || role == AttributeRole::pc;
            encoding = encoding || role == AttributeRole::encoding;
            address = address || role == AttributeRole::address;
            size = size || role == AttributeRole::size;
            command = command || role == AttributeRole::command;
        }
    }
};

}  // namespace

AttributeRole role_of(const Field& field) noexcept {
    if (field.name == names::interval_id && field.type == Type::u64 && field.phase == Phase::unknown)
        return AttributeRole::number;
    const AttributeRole role = find_name(attribute_names, field.name).value_or(AttributeRole::other);
    const bool number = is_number(field.type), name = is_name(field.type);
    switch (role) {
        case AttributeRole::pc:
        case AttributeRole::encoding:
        case AttributeRole::target:
        case AttributeRole::address:
        case AttributeRole::size:
        case AttributeRole::data:
        case AttributeRole::index:
            return number ? role : AttributeRole::other;
        case AttributeRole::discarded:
            return number || field.type == Type::boolean ? role : AttributeRole::other;
        case AttributeRole::command:
            return name ? role : AttributeRole::other;
        case AttributeRole::master:
            return number || name ? role : AttributeRole::other;
        case AttributeRole::other:
        case AttributeRole::number:
            break;
    }
    return AttributeRole::other;
}

StreamRole role_of(const Track& track) noexcept {
    if (track.kind != Track::Kind::stream || track.name.ends_with(names::events_suffix)) return StreamRole::other;
    const Known known(track);
    if (known.pc && known.encoding) return StreamRole::instructions;
    return known.address && known.size && known.command ? StreamRole::accesses : StreamRole::other;
}

std::string missing_facts(const Track& track) {
    if (track.kind != Track::Kind::stream || track.name.ends_with(names::events_suffix) ||
        role_of(track) != StreamRole::other)
        return {};
    const Known known(track);
    std::vector<std::string_view> missing;
    if (known.pc || known.encoding) {
        if (!known.pc) missing.emplace_back("a pc");
        if (!known.encoding) missing.emplace_back("an encoding");
    } else if (known.address || known.command) {
        if (!known.address) missing.emplace_back("an address");
        if (!known.size) missing.emplace_back("a size");
        if (!known.command) missing.emplace_back("a direction");
    }
    std::string text;
    for (std::size_t i = 0; i < missing.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ").append(missing[i]);
    return text;
}

std::optional<AccessType> command_of(std::string_view name) noexcept {
    return find_name(commands, name);
}

std::optional<std::uint8_t> master_of(std::string_view name) noexcept {
    return find_name(masters, name);
}

std::vector<Field> bus_access_fields() {
    return {Field{"address", Type::u64},         Field{"size", Type::u16},
            Field{"master", Type::u8},           Field{"index", Type::u8},
            Field{"attributes", Type::u32},      Field{"type", Type::u8},
            Field{"data", Type::u64, none, true}};
}

}  // namespace hwtrace
