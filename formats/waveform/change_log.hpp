// formats/waveform/change_log.hpp - keeps variables and their changes until all variables are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/appender.hpp"
#include "io/descriptor.hpp"
#include "io/limits.hpp"
#include "variables.hpp"

namespace hwtrace::waveform {

/// Collects a waveform. Both formats need all variables before the first change, but lanes and cells of tables appear
/// late. Changes therefore wait in a temporary file; only the variables stay in memory.
class ChangeLog {
public:
    /// Changes beyond a few MiB are spilled to `folder`.
    ChangeLog(std::string folder, const Limits& limits) : folder_(std::move(folder)), limits_(limits) {}

    /// Adds a scope. `parent` is an earlier scope or root_scope.
    ScopeNo add_scope(ScopeNo parent, std::string_view name);
    /// Adds a variable. Bits get wider if they take a value with more states.
    VariableNo add(ScopeNo scope, Variable variable);

    /// Moves on to `time`. Returns false and changes nothing if `time` is earlier than the time so far.
    bool move_to(Tick time) noexcept {
        if (time < now_) return false;
        now_ = time;
        return true;
    }
    Tick now() const noexcept { return now_; }

    void number(VariableNo variable, std::uint64_t value) {
        begin(Value::Kind::number, variable);
        buffer_.leb128(value);
    }
    void real(VariableNo variable, double value);
    void states(VariableNo variable, std::string_view states);
    void text(VariableNo variable, std::string_view text);
    void none(VariableNo variable) { begin(Value::Kind::none, variable); }
    void happened(VariableNo variable) { begin(Value::Kind::happened, variable); }

    /// States that bits are 0 until their first change. They are set at the time of the first change of all.
    void begins_as_zero(VariableNo variable) {
        if (!is_empty_ && now_ != first_) zeros_.push_back(variable);
    }

    Variable::Kind kind(VariableNo variable) const noexcept { return variables_[variable].kind; }
    std::uint32_t width(VariableNo variable) const noexcept { return variables_[variable].width; }

    /// Passes everything to an encoder. `header` lacks the times.
    void replay(Header header, Encoder& encoder);

private:
    struct Node {
        std::string name = {};
        std::uint32_t first = no_number, last = no_number;  ///< children: indexes into links_
        std::uint32_t next = no_number, parent = no_number;
        bool is_variable = false;
        std::uint32_t variable = no_number;
    };

    void begin(Value::Kind kind, VariableNo variable) {
        if (buffer_.size() >= most_buffered) [[unlikely]]
            spill();
        const Tick passed = now_ - logged_;
        buffer_.le(static_cast<std::uint8_t>(static_cast<unsigned>(kind) | (passed != 0 || is_empty_ ? moves : 0)));
        if (passed != 0 || is_empty_) {
            if (is_empty_) first_ = now_;
            is_empty_ = false;
            buffer_.leb128(static_cast<std::uint64_t>(passed));
            logged_ = now_;
        }
        buffer_.leb128(variable);
    }
    std::uint32_t add_node(ScopeNo parent, Node node);
    void spill();
    void declare(Encoder& encoder) const;
    void replay_changes(Encoder& encoder);

    static constexpr std::size_t most_buffered = 4u << 20;
    static constexpr unsigned moves = 0x80;  ///< flag of a change that is later than the one before it

    std::string folder_;
    const Limits& limits_;
    std::vector<Node> nodes_ = std::vector<Node>(1);  ///< the root, scopes and variables
    std::vector<Variable> variables_;
    std::vector<VariableNo> zeros_;  ///< variables that are 0 at first
    Appender buffer_;
    Descriptor file_;
    std::uint64_t spilled_ = 0;  ///< bytes in the file
    bool is_empty_ = true;
    Tick now_ = 0, logged_ = 0, first_ = 0;
};

}  // namespace hwtrace::waveform
