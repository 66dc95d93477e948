// formats/waveform/vcd_reader.cpp - reads value change dumps (IEEE Std 1364-2005, clause 18).
#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <string>

#include "codec.hpp"
#include "codec/line_findings.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "names.hpp"
#include "states.hpp"
#include "vcd_header.hpp"

namespace hwtrace::waveform {
namespace {

class VcdReader final : public Reader {
public:
    VcdReader(Input& input, const Settings& settings, Findings& findings)
        : limits_(settings.limits),
          all_findings_(findings),
          bytes_(input, limits_),
          words_(bytes_, limits_.string),
          findings_(words_, bytes_, findings),
          tracks_(schema_, limits_) {
        const auto result = VcdHeader(words_, findings_, schema_, tracks_, codes_).read();
        if (result == VcdHeader::Result::complete) return;
        check_packing();
        ended_ = true;
        if (result == VcdHeader::Result::no_magic) fail(Failure::input, input.name() + ": not a value change dump");
    }

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override {
        Facts facts;
        facts.emplace_back("variables", static_cast<std::uint64_t>(tracks_.size()));
        facts.emplace_back("compression", std::string(name_of(bytes_.packing())));
        return facts;
    }
    std::uint64_t position() const override { return bytes_.file_offset(); }

private:
    void take(Batch& batch);
    void take_time(std::string_view digits);
    void take_scalar(Batch& batch, std::string_view word);
    void take_value(Batch& batch, std::string_view word);
    void take_command(std::string_view word);
    /// Returns the first variable of a code; reports and returns no_number if there is none.
    std::uint32_t variable_of(std::string_view code);
    bool put(Batch& batch, std::uint32_t signal, char type, std::string_view value);
    void check_packing() {
        report_packing(bytes_, rule(VcdCheck::packing_cut), rule(VcdCheck::packing_damaged), all_findings_);
    }

    Limits limits_;
    Findings& all_findings_;
    Unpacked bytes_;
    Words words_;
    VcdFindings findings_;
    Schema schema_;
    SignalTracks tracks_;
    Codes codes_;
    Tick now_ = 0;
    Tick last_ = 0;         ///< of the latest change that was delivered
    bool is_dump_ = false;  ///< inside $dumpvars, $dumpall, $dumpon or $dumpoff
    std::string value_;
    bool ended_ = false;
};

bool VcdReader::read(Batch& batch) {
    while (!ended_ && !batch.full()) {
        if (words_.next()) [[likely]] {
            take(batch);
            continue;
        }
        ended_ = true;
        check_packing();
        if (!batch.empty()) last_ = batch.records().back().time;
        if (now_ > last_) schema_.describe("vcd.end", std::to_string(now_));
    }
    if (!batch.empty()) last_ = batch.records().back().time;
    return !batch.empty();
}

void VcdReader::take(Batch& batch) {
    const std::string_view word = words_.word();
    if (!words_.is_ended() && std::string_view("bBrRsS").find(word.front()) == std::string_view::npos) [[unlikely]]
        findings_.report(VcdCheck::word_not_ended, "a line end", std::string(word));
    switch (word.front()) {
        case '#':
            return take_time(word.substr(1));
        case 'b':
        case 'B':
        case 'r':
        case 'R':
        case 's':
        case 'S':
            return take_value(batch, word);
        case '$':
            return take_command(word);
        case 'p':
        case 'P':
            findings_.report(VcdCheck::port_value, {}, std::string(word));
            for (int part = 0; part < 3 && words_.is_ended(); ++part)  // two strengths and a code
                if (!words_.next()) return;
            return;
        default:
            return take_scalar(batch, word);
    }
}

void VcdReader::take_time(std::string_view digits) {
    if (!words_.is_ended()) return;  // digits may be missing
    Tick time = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), time);
    if (error != std::errc() || end != digits.data() + digits.size() || time < 0)
        return findings_.report(VcdCheck::time_wrong, "a decimal number below 2^63", std::string(digits));
    if (time < now_)
        return findings_.report(VcdCheck::goes_back, std::to_string(now_) + " or later", std::string(digits));
    now_ = time;
    is_dump_ = false;  // even if its $end is missing
}

std::uint32_t VcdReader::variable_of(std::string_view code) {
    const std::uint32_t signal = codes_.find(code);
    if (signal == no_number) {
        if (words_.is_ended())
            findings_.report(VcdCheck::code_unknown, "a declared code", std::string(code));
        else
            findings_.report(VcdCheck::change_cut, "a declared code", std::string(code));
    }
    return signal;
}

void VcdReader::take_scalar(Batch& batch, std::string_view word) {
    if (model_states[static_cast<unsigned char>(word.front())] == 0)
        return findings_.report(words_.is_ended() ? VcdCheck::word_unknown : VcdCheck::change_cut, {},
                                std::string(word));
    if (word.size() == 1)
        return findings_.report(words_.is_ended() ? VcdCheck::word_unknown : VcdCheck::change_cut, "an identifier code",
                                {});
    std::uint32_t signal = variable_of(word.substr(1));
    for (; signal != no_number; signal = codes_.next(signal)) {
        if (tracks_.kind(signal) == Variable::Kind::event) {
            if (word.front() == '1' && !is_dump_) tracks_.put_event(batch, signal, now_);
        } else if (!put(batch, signal, 'b', word.substr(0, 1))) {
            return;
        }
    }
}

void VcdReader::take_value(Batch& batch, std::string_view word) {
    const char type = static_cast<char>(word.front() | 0x20);
    value_.assign(word.substr(1));
    const std::uint64_t begin = words_.offset();
    if (!words_.is_ended() || !words_.next())
        return findings_.report_at(begin, value_.size() + 1, VcdCheck::change_cut, "an identifier code",
                                   "the end of the file");
    if (!words_.is_ended() && codes_.find(words_.word()) != no_number)
        findings_.report(VcdCheck::word_not_ended, "a line end", std::string(words_.word()));
    for (std::uint32_t signal = variable_of(words_.word()); signal != no_number; signal = codes_.next(signal))
        if (!put(batch, signal, type, value_)) return;
}

bool VcdReader::put(Batch& batch, std::uint32_t signal, char type, std::string_view value) {
    const Variable::Kind kind = tracks_.kind(signal);
    const bool is_states = kind == Variable::Kind::bits || kind == Variable::Kind::integer;
    if (type == 'b' && is_states) [[likely]] {
        const SignalTracks::Fit fit = tracks_.put_states(batch, signal, now_, value);
        if (fit == SignalTracks::Fit::good) [[likely]]
            return true;
        if (fit == SignalTracks::Fit::too_long) {
            findings_.report(VcdCheck::value_too_long, std::to_string(tracks_.width(signal)) + " bits",
                             std::to_string(value.size()));
            return true;
        }
        findings_.report(VcdCheck::value_wrong, "0, 1, x and z", std::string(value));
        return false;
    }
    if (type == 'r' && kind == Variable::Kind::real) {
        double number = 0;
        const std::string_view digits = value.starts_with('+') ? value.substr(1) : value;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (end == digits.data() + digits.size() && (error == std::errc() || error == std::errc::result_out_of_range)) {
            tracks_.put_real(batch, signal, now_, number);
            return true;
        }
        findings_.report(VcdCheck::value_wrong, "a number", std::string(value));
        return false;
    }
    if (type == 's' && kind == Variable::Kind::text) {
        tracks_.put_text(batch, signal, now_, unescaped(value));
        return true;
    }
    findings_.report(VcdCheck::kind_wrong, {}, type + std::string(value));
    return false;
}

void VcdReader::take_command(std::string_view word) {
    constexpr std::array<std::string_view, 6> groups{"$dumpvars", "$dumpall", "$dumpoff",
                                                     "$dumpon",   "$end",     "$vcdclose"};
    if (std::ranges::find(groups, word) != groups.end()) {
        is_dump_ = word.starts_with("$dump");
        return;
    }
    const bool is_comment = word == "$comment";
    if (!is_comment && words_.is_ended()) findings_.report(VcdCheck::command_unknown, {}, std::string(word));
    while (words_.next())
        if (words_.word() == "$end") return;
    if (is_comment) findings_.report(VcdCheck::change_cut, "$end", "the end of the file");
}

}  // namespace

bool recognise_vcd(std::span<const std::byte> head) {
    constexpr std::array<std::string_view, 9> keywords{"$timezero", "$date", "$version", "$comment",       "$timescale",
                                                       "$scope",    "$var",  "$upscope", "$enddefinitions"};
    std::array<std::byte, 4096> front{};
    std::string_view text = as_text(std::span(front).first(unpack_head(head, front)));
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return false;
    const std::size_t end = text.find_first_of(blanks, begin);
    if (end == std::string_view::npos) return false;
    return std::ranges::find(keywords, text.substr(begin, end - begin)) != keywords.end();
}

std::unique_ptr<Reader> open_vcd(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<VcdReader>(input, settings, findings);
}

}  // namespace hwtrace::waveform
