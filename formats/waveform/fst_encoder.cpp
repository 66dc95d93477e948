#include "fst_encoder.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>

#include "fst_section.hpp"
#include "fst_wire.hpp"
#include "names.hpp"
#include "states.hpp"

namespace hwtrace::waveform {
namespace {

/// Returns the type of signed integers of that many bits. Types of other widths have no sign.
fst::VariableType sv_type(std::uint32_t width) noexcept {
    using enum fst::VariableType;
    return width == 8 ? sv_byte : width == 16 ? sv_shortint : width == 32 ? sv_int : width == 64 ? sv_longint : wire;
}

class FstEncoder final : public Encoder {
public:
    FstEncoder(Output& output, Losses& losses) : output_(output), losses_(losses) {}

    void begin(const Header& header) override;
    void open_scope(std::string_view name) override;
    void close_scope() override { hierarchy_.le(std::uint8_t{fst::scope_end}); }
    void declare(VariableNo number, const Variable& variable) override;
    void begin_changes(std::span<const Variable> variables) override;
    void move_to(Tick time) override {
        if (section_->is_full()) write_section();
        section_->move_to(time);
        is_open_ = true;
    }
    void change(VariableNo number, const Value& value) override;
    void finish() override;

private:
    void put_name(std::string_view name) {
        hierarchy_.text(name);
        hierarchy_.zeros(1);
    }
    void put_states(VariableNo number, std::string_view states);
    void put_none(VariableNo number);
    void write_header();
    void write_hierarchy();
    void write_geometry();
    void write_section() {
        section_->write(output_);
        ++sections_;
        is_open_ = false;
    }

    Output& output_;
    Losses& losses_;
    Header header_;
    Appender hierarchy_, geometry_, block_;
    std::vector<FstSection::Shape> shapes_;  ///< by handle
    std::vector<std::uint32_t> handles_;     ///< by variable
    std::span<const Variable> variables_;
    std::optional<FstSection> section_;
    std::uint64_t scopes_ = 0, sections_ = 0;
    bool is_open_ = false;  ///< the section has times or changes that are not written
    std::string text_;
};

void FstEncoder::begin(const Header& header) {
    header_ = header;
    for (std::string comment : header.comments) {
        std::ranges::replace_if(
            comment, [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
        hierarchy_.le(std::uint8_t{fst::attribute_begin});
        hierarchy_.le(fst::attribute_misc);
        hierarchy_.le(fst::misc_comment);
        put_name(comment);
        hierarchy_.leb128(0);
    }
}

void FstEncoder::open_scope(std::string_view name) {
    constexpr std::uint8_t module = 0;
    ++scopes_;
    hierarchy_.le(std::uint8_t{fst::scope_begin});
    hierarchy_.le(module);
    put_name(written_name(name));
    put_name({});
}

void FstEncoder::declare(VariableNo number, const Variable& variable) {
    using Type = fst::VariableType;
    Type type = Type::wire;
    FstSection::Shape shape{variable.width, false};
    std::uint64_t geometry = variable.width;
    switch (variable.kind) {
        case Variable::Kind::bits:
            break;
        case Variable::Kind::integer:
            type = sv_type(variable.width);
            break;
        case Variable::Kind::real:
            type = Type::real;
            shape = {sizeof(double), true};
            geometry = 0;
            break;
        case Variable::Kind::text:
            type = Type::text;
            shape.size = 0;
            geometry = fst::any_length;
            break;
        case Variable::Kind::event:
            type = Type::event;
            shape.size = 1;
            geometry = 1;
            break;
    }
    if (handles_.size() <= number) handles_.resize(std::size_t{number} + 1);
    handles_[number] = static_cast<std::uint32_t>(shapes_.size());
    shapes_.push_back(shape);
    geometry_.leb128(geometry);
    hierarchy_.le(static_cast<std::uint8_t>(type));
    hierarchy_.le(std::uint8_t{0});  // direction
    put_name(written_name(variable.name));
    hierarchy_.leb128(shape.size);
    hierarchy_.leb128(0);  // no alias
}

void FstEncoder::write_header() {
    block_.clear();
    block_.zeros(fst::header_size);
    const auto patch = [&](std::size_t at, std::uint64_t value) { block_.patch(at, __builtin_bswap64(value)); };
    const auto patch_text = [&](std::size_t at, std::string_view text, std::size_t room) {
        text = text.substr(0, std::min(text.size(), room - 1));
        std::ranges::copy(text, reinterpret_cast<char*>(block_.data()) + at);
    };
    patch(1, fst::header_size - 1);
    patch(fst::at_start, static_cast<std::uint64_t>(header_.first));
    patch(fst::at_end, static_cast<std::uint64_t>(header_.last));
    block_.patch(fst::at_endian, std::bit_cast<std::uint64_t>(fst::endian_test));
    patch(fst::at_scopes, scopes_);
    patch(fst::at_variables, shapes_.size());
    patch(fst::at_handles, shapes_.size());
    block_.patch(fst::at_timescale, static_cast<std::uint8_t>(header_.exponent));
    patch(fst::at_time_zero, static_cast<std::uint64_t>(header_.time_zero));
    patch_text(fst::at_version, fst::own_version, fst::version_size);
    patch_text(fst::at_date, header_.date, fst::date_size);
    output_.append(block_.span());
}

void FstEncoder::write_hierarchy() {
    block_.clear();
    block_.le(static_cast<std::uint8_t>(fst::Block::hierarchy));
    fst::append_be(block_, 0);
    fst::append_be(block_, hierarchy_.size());
    deflate_whole(hierarchy_.span(), Deflate::gzip, block_);
    block_.patch(1, __builtin_bswap64(static_cast<std::uint64_t>(block_.size() - 1)));
    output_.append(block_.span());
}

void FstEncoder::write_geometry() {
    Appender packed;
    deflate_whole(geometry_.span(), Deflate::zlib, packed);
    const bool is_packed_shorter = packed.size() < geometry_.size();
    block_.clear();
    block_.le(static_cast<std::uint8_t>(fst::Block::geometry));
    fst::append_be(block_, 0);
    fst::append_be(block_, geometry_.size());
    fst::append_be(block_, shapes_.size());
    block_.bytes(is_packed_shorter ? packed.span() : geometry_.span());
    block_.patch(1, __builtin_bswap64(static_cast<std::uint64_t>(block_.size() - 1)));
    output_.append(block_.span());
}

void FstEncoder::begin_changes(std::span<const Variable> variables) {
    variables_ = variables;
    write_header();
    write_hierarchy();  // in front of the changes, so that the changes of a cut file have names
    write_geometry();
    section_.emplace(shapes_);
}

void FstEncoder::put_states(VariableNo number, std::string_view states) {
    if (states.empty()) return put_none(number);
    const Variable& variable = variables_[number];
    text_.assign(variable.width - states.size(), '0');
    for (const char state : states) {
        const char known = fst_state(state);
        if (known == 0)
            losses_.count(Loss::value_narrowed, Subject::general("states"),
                          [&] { return variable.name + ": " + std::string(states); });
        text_ += known == 0 ? 'x' : known;
    }
    section_->put_states(handles_[number], text_);
}

void FstEncoder::put_none(VariableNo number) {
    const Variable& variable = variables_[number];
    switch (variable.kind) {
        case Variable::Kind::real:
            return section_->put_real(handles_[number],
                                      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()));
        case Variable::Kind::text:
            return section_->put_text(handles_[number], {});
        default:
            text_.assign(variable.width, 'x');
            return section_->put_states(handles_[number], text_);
    }
}

void FstEncoder::change(VariableNo number, const Value& value) {
    if (section_->is_full()) write_section();
    is_open_ = true;
    switch (value.kind) {
        case Value::Kind::number:
            return section_->put_number(handles_[number], value.number);
        case Value::Kind::states:
            return put_states(number, value.text);
        case Value::Kind::real:
            return section_->put_real(handles_[number], value.number);
        case Value::Kind::text:
            return section_->put_text(handles_[number], value.text);
        case Value::Kind::none:
            return put_none(number);
        case Value::Kind::happened:
            return section_->put_state(handles_[number], '1');
    }
}

void FstEncoder::finish() {
    if (sections_ == 0 && !is_open_) move_to(header_.last);  // readers refuse a file without a block of changes
    if (is_open_) write_section();
    Appender count;
    fst::append_be(count, sections_);
    output_.patch(fst::at_sections, count.span());
}

}  // namespace

std::unique_ptr<Encoder> encode_fst(Output& output, Losses& losses) {
    return std::make_unique<FstEncoder>(output, losses);
}

}  // namespace hwtrace::waveform
