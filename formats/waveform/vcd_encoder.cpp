#include "vcd_encoder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "io/appender.hpp"
#include "names.hpp"
#include "presentation.hpp"
#include "states.hpp"
#include "timescale.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::size_t block = 256u << 10;
constexpr unsigned code_letters = 94;  ///< printable characters without the blank

/// The identifier code of a variable, with the line end.
struct Code {
    std::array<char, 7> text{};
    std::uint8_t size = 0;
};

Code code_of(VariableNo number) noexcept {
    Code code;
    while (true) {
        code.text[code.size++] = static_cast<char>('!' + number % code_letters);
        if (number < code_letters) break;
        number = number / code_letters - 1;
    }
    code.text[code.size++] = '\n';
    return code;
}

/// Returns the text of a comment, which must not contain the word that ends it.
std::string comment_text(std::string_view text) {
    std::string safe(text);
    for (std::size_t at = safe.find("$end"); at != std::string::npos; at = safe.find("$end", at))
        safe.replace(at, 1, "\\x24");
    return safe;
}

/// Returns the type of signed integers of that many bits, with a blank. Types of other widths have no sign.
std::string_view vcd_integer_type(std::uint32_t width) noexcept {
    return width == 8 ? "byte " : width == 16 ? "shortint " : width == 32 ? "int " : width == 64 ? "longint " : "wire ";
}

class VcdEncoder final : public Encoder {
public:
    VcdEncoder(Output& output, Losses& losses) : output_(output), losses_(losses) {}

    void begin(const Header& header) override;
    void open_scope(std::string_view name) override {
        put("$scope module " + written_name(name) + " $end\n");
        flush_full();
    }
    void close_scope() override { put("$upscope $end\n"); }
    void declare(VariableNo number, const Variable& variable) override;
    void begin_changes(std::span<const Variable> variables) override;
    void move_to(Tick time) override;
    void change(VariableNo number, const Value& value) override;
    void finish() override { flush(); }

private:
    void put(std::string_view text) { buffer_.text(text); }
    void put(char c) { buffer_.le(static_cast<std::uint8_t>(c)); }
    void put_code(VariableNo number) {
        const Code& code = codes_[number];
        buffer_.text({code.text.data(), code.size});
    }
    void put_number(VariableNo number, std::uint64_t value);
    void put_states(VariableNo number, std::string_view states);
    void put_real(VariableNo number, double value);
    void put_none(VariableNo number);
    void flush_full() {
        if (buffer_.size() >= block) [[unlikely]]
            flush();
    }
    void flush() {
        output_.append(buffer_.span());
        buffer_.clear();
    }

    Output& output_;
    Losses& losses_;
    Appender buffer_;
    std::vector<Code> codes_;
    std::span<const Variable> variables_;
    std::string text_;
};

void VcdEncoder::begin(const Header& header) {
    if (!header.date.empty()) put("$date\n    " + comment_text(header.date) + "\n$end\n");
    put("$version\n    hwtrace\n$end\n");
    for (const std::string& comment : header.comments) {
        put("$comment\n    " + comment_text(comment) + "\n$end\n");
        flush_full();
    }
    put("$timescale\n    " + timescale_text(header.exponent) + "\n$end\n");
    if (header.time_zero != 0) put("$timezero\n    " + std::to_string(header.time_zero) + "\n$end\n");
}

void VcdEncoder::declare(VariableNo number, const Variable& variable) {
    std::string line = "$var ";
    switch (variable.kind) {
        case Variable::Kind::bits:
            line += "wire " + std::to_string(variable.width);
            break;
        case Variable::Kind::integer:
            line += vcd_integer_type(variable.width);
            line += std::to_string(variable.width);
            break;
        case Variable::Kind::real:
            line += "real 64";
            break;
        case Variable::Kind::text:
            line += "string 1";
            break;
        case Variable::Kind::event:
            line += "event 1";
            break;
    }
    if (codes_.size() <= number) codes_.resize(std::size_t{number} + 1);
    codes_[number] = code_of(number);
    const Code& code = codes_[number];
    line += ' ';
    line.append(code.text.data(), code.size - 1u).append(" ");
    put(line + written_name(variable.name) + " $end\n");
    flush_full();
}

void VcdEncoder::begin_changes(std::span<const Variable> variables) {
    variables_ = variables;
    put("$enddefinitions $end\n");
}

void VcdEncoder::move_to(Tick time) {
    std::array<char, 24> digits{};
    digits[0] = '#';
    char* const end = std::to_chars(digits.data() + 1, digits.data() + digits.size() - 1, time).ptr;
    *end = '\n';
    put({digits.data(), static_cast<std::size_t>(end - digits.data()) + 1});
    flush_full();
}

void VcdEncoder::put_number(VariableNo number, std::uint64_t value) {
    if (variables_[number].width == 1) {
        put((value & 1u) != 0 ? '1' : '0');
        return put_code(number);
    }
    const auto digits = static_cast<std::size_t>(std::max<int>(static_cast<int>(std::bit_width(value)), 1));
    auto* const place = reinterpret_cast<char*>(buffer_.grow(digits + 2));
    place[0] = 'b';
    for (std::size_t at = digits; at != 0; --at, value >>= 1)
        place[at] = static_cast<char>('0' + (value & 1u));
    place[digits + 1] = ' ';
    put_code(number);
}

void VcdEncoder::put_states(VariableNo number, std::string_view states) {
    if (states.empty()) return put_none(number);
    const Variable& variable = variables_[number];
    bool is_exact = true;
    text_.clear();
    if (variable.width != 1) text_ += 'b';
    if (states.size() < variable.width && vcd_state(states.front(), is_exact) != '0' && states.front() != '1')
        text_ += '0';  // otherwise readers would repeat the first state
    for (const char state : states)
        text_ += vcd_state(state, is_exact);
    if (!is_exact)
        losses_.count(Loss::value_narrowed, Subject::general("states"),
                      [&] { return variable.name + ": " + std::string(states); });
    if (variable.width != 1) text_ += ' ';
    put(text_);
    put_code(number);
}

void VcdEncoder::put_real(VariableNo number, double value) {
    std::array<char, 40> text{};
    text[0] = 'r';
    char* end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, value).ptr;
    *end++ = ' ';
    put({text.data(), static_cast<std::size_t>(end - text.data())});
    put_code(number);
}

void VcdEncoder::put_none(VariableNo number) {
    switch (variables_[number].kind) {
        case Variable::Kind::real:
            put("rnan ");
            break;
        case Variable::Kind::text:
            put("s ");
            break;
        default:
            put(variables_[number].width == 1 ? "x" : "bx ");
            break;
    }
    put_code(number);
}

void VcdEncoder::change(VariableNo number, const Value& value) {
    switch (value.kind) {
        case Value::Kind::number:
            put_number(number, value.number);
            break;
        case Value::Kind::states:
            put_states(number, value.text);
            break;
        case Value::Kind::real:
            put_real(number, std::bit_cast<double>(value.number));
            break;
        case Value::Kind::text:
            text_ = 's';
            append_escaped(value.text, text_);
            text_ += ' ';
            put(text_);
            put_code(number);
            break;
        case Value::Kind::none:
            put_none(number);
            break;
        case Value::Kind::happened:
            put('1');
            put_code(number);
            break;
    }
    flush_full();
}

}  // namespace

std::unique_ptr<Encoder> encode_vcd(Output& output, Losses& losses) {
    return std::make_unique<VcdEncoder>(output, losses);
}

}  // namespace hwtrace::waveform
