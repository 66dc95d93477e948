#include "call_log.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "support/corpus.hpp"

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

flux_result receive(void* user, const flux_chunk* chunk, std::uint32_t* taken) {
    auto& received = *static_cast<Bytes*>(user);
    received.insert(received.end(), chunk->bytes, chunk->bytes + chunk->size);
    *taken = chunk->size;
    return FLUX_OK;
}

/// A string from a log; NULL for null.
class Text {
public:
    explicit Text(const Json& value) : null_(value.is_null()) {
        if (!null_) text_ = value.get<std::string>();
    }
    const char* get() const { return null_ ? nullptr : text_.c_str(); }

private:
    bool null_;
    std::string text_;
};

Bytes from_hex(const std::string& text) {
    Bytes bytes;
    for (std::size_t at = 0; at + 1 < text.size(); at += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(at, 2), nullptr, 16)));
    return bytes;
}

double real_of(const Json& value) {
    return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

flux_when when_of(const Json& call) {
    const auto position = call.at("position").get<std::int64_t>();
    const flux_when when = call.at("isDelta").get<int>() != 0 ? flux_after(position) : flux_at(position);
    return flux_tagged(when, call.at("conflict").get<std::uint8_t>());
}

}  // namespace

Bytes bytes_of(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path);
    Bytes all(bytes.size());
    std::ranges::transform(bytes, all.begin(), [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
    return all;
}

Sink::Sink(std::uint32_t size) : memory_(size) {
    const flux_handler handler{receive, &received, nullptr};
    flux_buffer_init(&buffer, memory_.data(), size, &handler);
}

Replay::Replay(std::uint8_t version, bool several) : version_(version), several_(several) {}

void Replay::write_into(flux_buffer& buffer) {
    buffer_ = &buffer;
    if (trace_ != nullptr) flux_trace_attach(trace_, &buffer);
}

flux_trace& Replay::begin_trace(std::uint32_t id, std::uint32_t max_item, std::uint32_t max_entry) {
    for (const auto& state : traces_)
        if (state->trace.id == id) return state->trace;
    State& state = *traces_.emplace_back(std::make_unique<State>());
    if (several_) state.items.resize(max_item + 1);
    flux_trace_init(&state.trace, id, version_, max_item, max_entry, several_ ? state.items.data() : nullptr);
    flux_trace_attach(&state.trace, buffer_);
    return state.trace;
}

flux_result Replay::perform(const Json& call, bool& can_say) {
    const auto name = call.at("fn").get<std::string>();
    can_say = true;
    const auto number = [&](const char* key) { return call.at(key).get<std::uint32_t>(); };
    if (name == "flxAddHead" || name == "flxAddModeHead" || name == "flxAddHeadDerived") {
        const std::uint32_t max_item = call.contains("maxItemId") ? number("maxItemId") : 4;
        const std::uint32_t max_entry = call.contains("maxEntrySize") ? number("maxEntrySize") : 4096;
        trace_ = &begin_trace(call.contains("traceId") ? number("traceId") : 0, max_item, max_entry);
        const Text title(call.at("name"));
        const Text description(call.at("description"));
        if (name == "flxAddHeadDerived")
            return flux_write_derived_head(trace_, Text(call.at("format4")).get(), title.get(), description.get());
        if (call.contains("mode") && number("mode") == 1)
            return flux_write_sync_head(trace_, title.get(), description.get());
        return flux_write_head(trace_, title.get(), description.get());
    }
    if (name == "flxFlush") return flux_flush(buffer_);
    if (name == "flxWriteSwitchEntry") {
        trace_ = &begin_trace(number("traceId"), 4, 0);
        return FLUX_EXIT;
    }
    if (name == "flxOpen") {
        const Text domain(call.at("domainBase"));
        open_domain_ = domain.get() ? domain.get() : "";
        open_rate_ = number("rate");
        return flux_open(trace_, number("itemId"), domain.get(), call.at("start").get<std::int64_t>(), open_rate_);
    }
    if (name == "raw flxWriteOpenEntry")
        return flux_repeat_open(trace_, number("itemId"), open_domain_.c_str(), open_rate_);
    if (name == "flxClose") return flux_close(trace_, number("itemId"), call.at("end").get<std::int64_t>());
    if (name == "flxSetDefaultOpenDomain") return flux_set_default_domain(trace_, Text(call.at("domainBase")).get());
    if (name == "flxWriteCurrent")
        return flux_set_current(trace_, number("itemId"), call.at("position").get<std::int64_t>());
    if (name.starts_with("flxAdd")) return define(call, name);
    return write(call, name, can_say);
}

flux_result Replay::define(const Json& call, std::string_view name) {
    const auto number = [&](const char* key) { return call.at(key).get<std::uint32_t>(); };
    const Text title(call.at("name"));
    const Text description(call.at("description"));
    const Text descriptor(call.contains("descriptor") ? call.at("descriptor") : Json());
    const std::uint32_t parent = number("parentId");
    const auto type = static_cast<flux_type>(call.contains("signalType") ? number("signalType") : 0);
    if (name == "flxAddScope") return flux_add_scope(trace_, number("itemId"), parent, title.get(), description.get());
    if (name == "flxAddSignal")
        return flux_add_signal(trace_, number("itemId"), parent, title.get(), description.get(), type,
                               descriptor.get());
    if (name == "flxAddSignals")
        return flux_add_signals(trace_, number("itemIdFrom"), number("itemIdTo"), parent, title.get(),
                                description.get(), type, descriptor.get());
    if (name == "flxAddSignalReference")
        return flux_add_reference(trace_, number("referenceId"), parent, title.get(), description.get());
    if (name == "flxAddScatteredSignal")
        return flux_add_scattered(trace_, number("itemId"), parent, title.get(), description.get(), type,
                                  descriptor.get(), number("from"), number("to"));
    if (name == "flxAddScatteredSignalReference")
        return flux_add_scattered_reference(trace_, number("referenceId"), parent, title.get(), description.get(),
                                            number("from"), number("to"));
    throw std::runtime_error("no such call: " + std::string(name));
}

flux_result Replay::write_array(const Json& call, std::string_view name) {
    const Json& values = call.at("value");
    const bool is_signed = call.contains("signed") && call.at("signed").get<int>() != 0;
    const bool wide = call.contains("intsize")     ? call.at("intsize").get<int>() == 8
                      : call.contains("floatsize") ? call.at("floatsize").get<int>() == 8
                                                   : false;
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> large;
    std::vector<float> reals;
    std::vector<double> reals64;
    flux_array array{};
    array.count = static_cast<std::uint32_t>(values.size());
    array.dynamic = call.at("dynamicSize").get<int>() != 0;
    if (name == "flxWriteFloatArrayAt") {
        for (const Json& value : values) {
            reals64.push_back(real_of(value));
            reals.push_back(static_cast<float>(real_of(value)));
        }
        array.element = wide ? FLUX_FLOAT64 : FLUX_FLOAT32;
        array.values = wide ? static_cast<const void*>(reals64.data()) : reals.data();
    } else {
        for (const Json& value : values) {
            large.push_back(is_signed ? static_cast<std::uint64_t>(value.get<std::int64_t>())
                                      : value.get<std::uint64_t>());
            narrow.push_back(static_cast<std::uint32_t>(large.back()));
        }
        array.element = name == "flxWriteEventArrayAt" ? FLUX_EVENTS
                        : wide                         ? (is_signed ? FLUX_INT64 : FLUX_UINT64)
                                                       : (is_signed ? FLUX_INT32 : FLUX_UINT32);
        array.values = wide ? static_cast<const void*>(large.data()) : narrow.data();
    }
    return flux_write_array(trace_, call.at("itemId").get<std::uint32_t>(), when_of(call), &array);
}

flux_result Replay::write_members(const Json& call, std::string_view name) {
    // The log does not state the width of members. Members with these ids have 8 bytes.
    constexpr std::uint32_t wide_integer = 300;
    constexpr std::uint32_t wide_float = 8;
    std::vector<flux_member> members;
    std::vector<std::unique_ptr<std::string>> texts;
    std::vector<std::unique_ptr<Bytes>> blobs;
    for (const Json& entry : call.at("members")) {
        const auto id = entry.at("id").get<std::uint32_t>();
        const auto type = entry.at("type").get<std::uint8_t>();
        const Json& value = entry.at("value");
        switch (type & 0x0F) {
            case FLUX_MEMBER_TEXT:
                members.push_back(flux_member_text(
                    id, texts.emplace_back(std::make_unique<std::string>(value.get<std::string>()))->c_str()));
                break;
            case FLUX_MEMBER_BINARY: {
                const Bytes& bytes = *blobs.emplace_back(std::make_unique<Bytes>(from_hex(value.get<std::string>())));
                members.push_back(flux_member_binary(id, bytes.data(), static_cast<std::uint32_t>(bytes.size())));
                break;
            }
            case FLUX_MEMBER_FLOAT:
                members.push_back(id == wide_float ? flux_member_double(id, real_of(value))
                                                   : flux_member_float(id, static_cast<float>(real_of(value))));
                break;
            case FLUX_MEMBER_INTEGER: {
                const auto number = value.get<std::int64_t>();
                if (id == wide_integer)
                    members.push_back(flux_member_integer64(id, number));
                else if (number > INT32_MAX)
                    members.push_back(flux_member_unsigned(id, static_cast<std::uint32_t>(number)));
                else
                    members.push_back(flux_member_integer(id, static_cast<std::int32_t>(number)));
                break;
            }
            default:
                members.push_back(
                    flux_member_enum(id, static_cast<flux_member_type>(type), value.get<std::uint32_t>()));
        }
        members.back().type = type;
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    if (name == "flxWriteMembersAt")
        return flux_write_struct(trace_, call.at("itemId").get<std::uint32_t>(), when_of(call), members.data(), count);
    const auto control = call.at("controlId").get<std::uint32_t>();
    const auto message = call.at("messageId").get<std::uint32_t>();
    return name == "flxWriteControlRequest" ? flux_write_request(trace_, control, message, members.data(), count)
                                            : flux_write_answer(trace_, control, message, members.data(), count);
}

flux_result Replay::write(const Json& call, std::string_view name, bool& can_say) {
    const auto number = [&](const char* key) { return call.at(key).get<std::uint32_t>(); };
    if (name.starts_with("flxWriteControl")) return write_members(call, name);
    const std::uint32_t item = number("itemId");
    if (name == "flxWriteEnumDef")
        return flux_define_enum(trace_, item, number("enumeration"), Text(call.at("label")).get(), number("value"));
    if (name == "flxWriteMemberDef")
        return flux_define_member(trace_, item, number("memberId"), FLUX_NO_PARENT, Text(call.at("label")).get(),
                                  call.at("memberType").get<std::uint8_t>(), Text(call.at("descriptor")).get());
    if (name == "flxWriteMemberDefs")  // the log states only that there is one member; the file has the details
        return flux_define_member(trace_, item, 300, FLUX_NO_PARENT, "wideId", FLUX_MEMBER_INTEGER, nullptr);
    if (name == "flxWriteArrayDef")
        return flux_define_index(trace_, item, number("index"), Text(call.at("label")).get());
    if (name == "flxWriteRelation")
        return flux_write_relation(trace_, item, static_cast<flux_relation>(call.contains("type") ? number("type") : 0),
                                   number("target"), number("style"), call.at("delta").get<std::int64_t>(),
                                   call.contains("targetBase") ? number("targetBase") : 0);
    if (name == "flxWriteLabel")
        return flux_write_label(trace_, item, number("style"),
                                call.contains("x") ? call.at("x").get<std::int32_t>() : 0,
                                call.contains("y") ? call.at("y").get<std::int32_t>() : 0);
    const flux_when when = when_of(call);
    if (name == "flxWriteMembersAt") return write_members(call, name);
    if (name == "flxWriteNoneAt") return flux_write_none(trace_, item, when);
    if (name == "flxWriteEventAt") return flux_write_event(trace_, item, when, number("value"));
    if (name == "flxWriteTextAt") return flux_write_text(trace_, item, when, Text(call.at("value")).get());
    if (name == "flxWriteBinaryAt") {
        const Bytes bytes = from_hex(call.at("value").get<std::string>());
        return flux_write_binary(trace_, item, when, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
    }
    if (name == "flxWriteIntAt") {
        const Json& value = call.at("value");
        const bool is_signed = call.at("signed").get<int>() != 0;
        if (value.is_string()) {
            const Bytes bytes = from_hex(value.get<std::string>().substr(3));
            return flux_write_big_integer(trace_, item, when, bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                                          is_signed);
        }
        if (is_signed) return flux_write_integer(trace_, item, when, value.get<std::int64_t>());
        return flux_write_unsigned(trace_, item, when, value.get<std::uint64_t>());
    }
    if (name == "flxWriteFloatAt") {
        can_say = number("size") == 4 || number("size") == 8;
        const double value = real_of(call.at("value"));
        if (number("size") == 8) return flux_write_double(trace_, item, when, value);
        return can_say ? flux_write_float(trace_, item, when, static_cast<float>(value)) : FLUX_ERROR_SIZE;
    }
    if (name == "flxWriteLogicTextAt")
        return flux_write_logic(trace_, item, when, static_cast<char>(number("precedingChar")), number("totalBitWidth"),
                                Text(call.at("text")).get());
    if (name == "flxWriteLogicStatesAt") {
        Bytes states;
        for (const char digit : call.at("states").get<std::string>())
            states.push_back(static_cast<std::uint8_t>(std::stoul(std::string(1, digit), nullptr, 16)));
        return flux_write_states(trace_, item, when, static_cast<std::uint8_t>(number("precedingStates")),
                                 number("totalBitWidth"), states.data(), static_cast<std::uint32_t>(states.size()));
    }
    if (name == "flxWriteIntArrayAt" || name == "flxWriteFloatArrayAt" || name == "flxWriteEventArrayAt") {
        const char* const width = call.contains("intsize") ? "intsize" : "floatsize";
        can_say = !call.contains(width) || number(width) == 4 || number(width) == 8;
        return can_say ? write_array(call, name) : FLUX_ERROR_SIZE;
    }
    throw std::runtime_error("no such call: " + std::string(name));
}

}  // namespace hwtrace::test
