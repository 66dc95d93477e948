#include "change_log.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "io/error.hpp"
#include "io/input.hpp"

namespace hwtrace::waveform {
namespace {

/// Reads the spilled bytes, then the ones in memory.
class LogSource final : public Source {
public:
    LogSource(const Descriptor& file, std::uint64_t size, const std::string& folder, std::span<const std::byte> rest)
        : file_(file), size_(size), folder_(folder), rest_(rest) {}

    std::size_t read(std::span<std::byte> into) override {
        if (at_ < size_) {
            into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - at_)));
            if (read_whole_at(file_.get(), at_, into, folder_) != into.size())
                fail(Failure::io, folder_ + ": the temporary file is shorter than what was written to it");
            at_ += into.size();
            return into.size();
        }
        const std::size_t count = std::min(into.size(), rest_.size());
        std::copy_n(rest_.begin(), count, into.begin());
        rest_ = rest_.subspan(count);
        return count;
    }

private:
    const Descriptor& file_;
    std::uint64_t size_, at_ = 0;
    const std::string& folder_;
    std::span<const std::byte> rest_;
};

std::uint64_t take_leb128(const std::byte*& at) noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(*at++);
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if (byte < 0x80) return value;
    }
}

}  // namespace

std::uint32_t ChangeLog::add_node(ScopeNo parent, Node node) {
    check_limit(nodes_.size(), limits_.schema_objects, "the number of scopes and variables", "--max-schema");
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    node.parent = parent;
    nodes_.push_back(std::move(node));
    Node& above = nodes_[parent];
    (above.last == no_number ? above.first : nodes_[above.last].next) = number;
    above.last = number;
    return number;
}

ScopeNo ChangeLog::add_scope(ScopeNo parent, std::string_view name) {
    Node node;
    node.name = name;
    return add_node(parent, std::move(node));
}

VariableNo ChangeLog::add(ScopeNo scope, Variable variable) {
    const auto number = static_cast<VariableNo>(variables_.size());
    Node node;
    node.is_variable = true;
    node.variable = number;
    add_node(scope, std::move(node));
    variables_.push_back(std::move(variable));
    return number;
}

void ChangeLog::real(VariableNo variable, double value) {
    begin(Value::Kind::real, variable);
    buffer_.le(std::bit_cast<std::uint64_t>(value));
}

void ChangeLog::states(VariableNo variable, std::string_view states) {
    std::uint32_t& width = variables_[variable].width;
    width = std::max(width, static_cast<std::uint32_t>(states.size()));
    begin(Value::Kind::states, variable);
    buffer_.leb128(states.size());
    buffer_.text(states);
}

void ChangeLog::text(VariableNo variable, std::string_view text) {
    begin(Value::Kind::text, variable);
    buffer_.leb128(text.size());
    buffer_.text(text);
}

void ChangeLog::spill() {
    if (!file_) file_ = open_unlinked_file(folder_);
    write_whole_at(file_.get(), spilled_, buffer_.span(), folder_);
    spilled_ += buffer_.size();
    buffer_.clear();
}

void ChangeLog::declare(Encoder& encoder) const {
    for (std::uint32_t at = nodes_[root_scope].first; at != no_number;) {
        const Node& node = nodes_[at];
        if (node.is_variable) {
            encoder.declare(node.variable, variables_[node.variable]);
        } else {
            encoder.open_scope(node.name);
            if (node.first != no_number) {
                at = node.first;
                continue;
            }
            encoder.close_scope();
        }
        while (nodes_[at].next == no_number && nodes_[at].parent != root_scope) {
            at = nodes_[at].parent;
            encoder.close_scope();
        }
        at = nodes_[at].next;
    }
}

void ChangeLog::replay_changes(Encoder& encoder) {
    constexpr std::size_t longest_head = 1 + 10 + 10 + 10;
    LogSource source(file_, spilled_, folder_, buffer_.span());
    Window window(source);
    Tick time = 0;
    std::span<const VariableNo> zeros = zeros_;
    while (true) {
        const std::span<const std::byte> bytes = window.peek(longest_head);
        if (bytes.empty()) return;
        const std::byte* at = bytes.data();
        const auto head = static_cast<std::uint8_t>(*at++);
        if ((head & moves) != 0) {
            time += static_cast<Tick>(take_leb128(at));
            encoder.move_to(time);
            for (const VariableNo zero : std::exchange(zeros, {}))
                encoder.change(zero, {Value::Kind::number});
        }
        const auto number = static_cast<VariableNo>(take_leb128(at));
        Value value{static_cast<Value::Kind>(head & ~moves)};
        if (value.kind == Value::Kind::real) {
            value.number = load_le<std::uint64_t>(at);
            at += sizeof value.number;
        } else if (value.kind == Value::Kind::number) {
            value.number = take_leb128(at);
        } else if (value.kind == Value::Kind::states || value.kind == Value::Kind::text) {
            const auto size = static_cast<std::size_t>(take_leb128(at));
            window.consume(static_cast<std::size_t>(at - bytes.data()));
            const std::span<const std::byte> text = window.peek(size);
            value.text = {reinterpret_cast<const char*>(text.data()), size};
            encoder.change(number, value);
            window.consume(size);
            continue;
        }
        window.consume(static_cast<std::size_t>(at - bytes.data()));
        encoder.change(number, value);
    }
}

void ChangeLog::replay(Header header, Encoder& encoder) {
    header.first = first_;
    header.last = now_;
    encoder.begin(header);
    declare(encoder);
    encoder.begin_changes(variables_);
    replay_changes(encoder);
    if (now_ > logged_) encoder.move_to(now_);
    encoder.finish();
}

}  // namespace hwtrace::waveform
