#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "preamble.hpp"

namespace hwtrace::uscope {

namespace {

/// Writes structures and collects their names.
class SchemaEncoder {
public:
    SchemaEncoder(StringPool& pool, Appender& out) noexcept : pool_(pool), out_(out) {}

    void run(const Schema& schema, const Preamble& preamble) {
        const std::size_t start = out_.size();
        out_.le(static_cast<std::uint8_t>(schema.enums().size()));
        out_.le(static_cast<std::uint8_t>(schema.clocks().size()));
        count(schema.scopes().size());
        count(preamble.storages);
        count(preamble.events);
        count(preamble.summary_fields.size());
        out_.le(std::uint16_t{0});  // string_pool_offset, patched below

        for (std::size_t i = 0; i < schema.clocks().size(); ++i) {
            name(schema.clocks()[i].name);
            count(i);
            out_.le(static_cast<std::uint32_t>(schema.clocks()[i].period_ps));
        }
        for (std::size_t i = 0; i < schema.scopes().size(); ++i)
            scope(i, schema.scopes()[i]);
        for (const Enum& enumeration : schema.enums()) {
            name(enumeration.name);
            out_.le(static_cast<std::uint8_t>(enumeration.values.size()));
            out_.le(std::uint8_t{0});
            for (const EnumValue& value : enumeration.values) {
                out_.le(static_cast<std::uint8_t>(value.value));
                out_.le(std::uint8_t{0});
                name(value.name);
            }
        }
        for (std::size_t i = 0; i < preamble.storages; ++i)
            storage(i, schema.tracks()[i]);
        for (std::size_t i = 0; i < preamble.events; ++i)
            event(i, schema.tracks()[preamble.storages + i]);
        for (const SummaryField& field : preamble.summary_fields) {
            name(field.name);
            out_.le(field.type);
            out_.le(std::uint8_t{0});
            out_.le(field.scope);
            out_.le(std::uint16_t{0});
        }
        const std::size_t structures = out_.size() - start;
        if (structures > largest_pool)
            fail(Failure::input, "the schema of this trace takes " + counted(structures, "byte") +
                                     "; µScope allows at most 65535 before its string pool; leave out tracks "
                                     "with --select");
        out_.patch(start + schema_header_size - 2, static_cast<std::uint16_t>(structures));
    }

private:
    void name(std::string_view text) { out_.le(pool_.offset(text)); }
    void count(std::size_t value) { out_.le(static_cast<std::uint16_t>(value)); }
    void owner(ScopeId scope) { out_.le(scope == none ? no_scope : static_cast<std::uint16_t>(scope)); }

    void scope(std::size_t index, const Scope& scope) {
        name(scope.name);
        count(index);
        owner(scope.parent);
        out_.le(scope.protocol.empty() ? no_protocol : pool_.offset(scope.protocol));
        out_.le(scope.clock == none ? inherited_clock : static_cast<std::uint8_t>(scope.clock));
        out_.zeros(3);
    }
    void fields(const std::vector<Field>& fields) {
        for (const Field& field : fields) {
            name(field.name);
            out_.le(static_cast<std::uint8_t>(field_type(field.type).value_or(FieldType::u64)));
            out_.le(field.enumeration == none ? std::uint8_t{0} : static_cast<std::uint8_t>(field.enumeration));
            out_.le(field.role);
            out_.le(field.pair);
            out_.le(std::uint16_t{0});
        }
    }
    void storage(std::size_t index, const Track& track) {
        name(track.name);
        count(index);
        count(track.slots);
        count(track.fields.size());
        const unsigned flags = (track.sparse ? storage_sparse : 0u) | (track.buffer ? storage_buffer : 0u);
        out_.le(static_cast<std::uint16_t>(flags));
        owner(track.scope);
        count(track.properties.size());
        out_.le(std::uint16_t{0});
        fields(track.fields);
        fields(track.properties);
    }
    void event(std::size_t index, const Track& track) {
        name(track.name);
        count(index);
        count(track.fields.size());
        owner(track.scope);
        fields(track.fields);
    }

    StringPool& pool_;
    Appender& out_;
};

void append_chunk(Chunk type, std::span<const std::byte> payload, Appender& out) {
    out.le(static_cast<std::uint16_t>(type));
    out.le(std::uint16_t{0});
    out.le(static_cast<std::uint32_t>(payload.size()));
    out.bytes(payload);
    out.pad_to(8);
}

}  // namespace

void add_names(const Schema& schema, const Preamble& preamble, StringPool& pool) {
    Appender unused;
    SchemaEncoder(pool, unused).run(schema, preamble);
}

void encode_preamble(const Schema& schema, const Preamble& preamble, Appender& out) {
    StringPool pool;
    Appender structures;
    SchemaEncoder(pool, structures).run(schema, preamble);

    Appender dut;
    dut.le(static_cast<std::uint16_t>(preamble.properties.size()));
    dut.le(std::uint16_t{0});
    for (const Property& property : preamble.properties) {
        dut.le(pool.offset(property.key));
        dut.le(pool.offset(property.value));
    }
    structures.text(pool.bytes());
    Appender config;
    config.le(preamble.checkpoint_interval);

    append_chunk(Chunk::dut, dut.span(), out);
    append_chunk(Chunk::schema, structures.span(), out);
    append_chunk(Chunk::config, config.span(), out);
    append_chunk(Chunk::end, {}, out);
}

}  // namespace hwtrace::uscope
