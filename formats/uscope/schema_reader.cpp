#include "schema_reader.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/error.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t field_size = 8;
constexpr std::size_t clock_size = 8;
constexpr std::size_t summary_field_size = 8;

/// Declares the objects of a schema chunk. The structures must have been checked to fit.
class SchemaReader {
public:
    SchemaReader(std::span<const std::byte> payload, std::uint64_t base, PoolReader& pool, Findings& findings,
                 Schema& schema, Preamble& preamble) noexcept
        : at_(payload, base), pool_(pool), findings_(findings), schema_(schema), preamble_(preamble) {}

    void run() {
        const SchemaCounts counts(at_);
        if (counts.clocks == 0) report(findings_, Check::clocks, at_.offset() - 11, "at least one clock", "none");
        for (unsigned i = 0; i < counts.clocks; ++i)
            clock(i);
        if (counts.scopes == 0) report(findings_, Check::scopes, at_.offset(), "at least the root scope", "none");
        preamble_.first_scope = at_.offset();
        for (unsigned i = 0; i < counts.scopes; ++i)
            scope(i, counts);
        declare_scopes();
        for (unsigned i = 0; i < counts.enums; ++i)
            enumeration();
        for (unsigned i = 0; i < counts.storages; ++i) {
            preamble_.track_offsets.push_back(at_.offset());
            storage(i, counts);
        }
        for (unsigned i = 0; i < counts.events; ++i) {
            preamble_.track_offsets.push_back(at_.offset());
            event(i, counts);
        }
        for (unsigned i = 0; i < counts.summary_fields; ++i)
            summary_field();
        preamble_.storages = counts.storages;
        preamble_.events = counts.events;
    }

private:
    std::string text(std::string_view what) {
        const std::uint64_t named_at = at_.offset();
        return pool_.text(at_.le<std::uint16_t>(), named_at, what);
    }
    void check_id(std::string_view what, unsigned index) {
        const std::uint64_t offset = at_.offset();
        const auto id = at_.le<std::uint16_t>();
        if (id != index)
            report(findings_, Check::object_id, {offset, sizeof id}, std::string(what) + ' ' + std::to_string(index),
                   std::to_string(id));
    }
    template <std::integral T>
    void reserved(std::string_view what) {
        const std::uint64_t offset = at_.offset();
        const T value = at_.le<T>();
        if (value != 0)
            report(findings_, Check::reserved, {offset, sizeof value}, "0", std::to_string(value),
                   {std::string(what), {}, {}});
    }

    void clock(unsigned index) {
        Clock clock;
        clock.name = text("clock name");
        check_id("clock", index);
        clock.period_ps = at_.le<std::uint32_t>();
        if (clock.period_ps == 0)
            report(findings_, Check::clock_period, {at_.offset() - 4, 4}, "a period", "0",
                   {"clock " + clock.name, {}, {}});
        schema_.declare(std::move(clock));
    }

    void scope(unsigned index, const SchemaCounts& counts) {
        Scope scope;
        scope.name = text("scope name");
        check_id("scope", index);
        const auto parent = at_.le<std::uint16_t>();
        const std::uint64_t parent_at = at_.offset() - 2;
        const std::uint64_t protocol_at = at_.offset();
        if (const auto protocol = at_.le<std::uint16_t>(); protocol != no_protocol)
            scope.protocol = pool_.text(protocol, protocol_at, "protocol");
        const auto clock = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("scope");
        reserved<std::uint16_t>("scope");
        if (parent < counts.scopes && index != 0) scope.parent = parent;
        if ((index == 0) != (parent == no_scope) || (parent != no_scope && parent >= counts.scopes))
            report(findings_, Check::scopes, {parent_at, 2},
                   index == 0 ? "parent 65535" : "a scope of the file as parent", std::to_string(parent),
                   {"scope " + scope.name, {}, {}});
        if (clock < counts.clocks)
            scope.clock = clock;
        else if (clock != inherited_clock)
            report(findings_, Check::scopes, parent_at + 4, "a clock of the file, or 255", std::to_string(clock),
                   {"scope " + scope.name, {}, {}});
        scopes_.push_back(std::move(scope));
    }

    /// Declares all scopes. A parent is declared before its children, even if the file has another order. Breaks cycles
    /// of parents.
    void declare_scopes() {
        preamble_.scope_ids.assign(scopes_.size(), none);
        std::vector<bool> is_followed(scopes_.size());
        std::vector<std::uint16_t> way;  // a scope and its undeclared ancestors
        for (unsigned start = 0; start < scopes_.size(); ++start) {
            ScopeId number = start;
            for (; number != none && !is_followed[number]; number = scopes_[number].parent) {
                is_followed[number] = true;
                way.push_back(static_cast<std::uint16_t>(number));
            }
            if (number != none && preamble_.scope_ids[number] == none) {
                report(findings_, Check::scopes,
                       {preamble_.first_scope + std::uint64_t{start} * scope_size, scope_size}, "a path up to the root",
                       "a cycle", {"scope " + scopes_[start].name, {}, {}});
                scopes_[way.back()].parent = none;
            }
            for (; !way.empty(); way.pop_back()) {
                Scope& scope = scopes_[way.back()];
                if (scope.parent != none) scope.parent = preamble_.scope_ids[scope.parent];
                preamble_.scope_ids[way.back()] = schema_.declare(std::move(scope));
                preamble_.scope_numbers.push_back(way.back());
            }
        }
    }

    void enumeration() {
        Enum enumeration;
        enumeration.name = text("enum name");
        const auto values = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("enum");
        for (unsigned i = 0; i < values; ++i) {
            EnumValue value;
            value.value = at_.le<std::uint8_t>();
            reserved<std::uint8_t>("enum value");
            value.name = text("enum value name");
            enumeration.values.push_back(std::move(value));
        }
        schema_.declare(std::move(enumeration));
    }

    Field field(std::string_view what) {
        const std::uint64_t offset = at_.offset();
        Field field;
        field.name = text(what);
        const auto code = at_.le<std::uint8_t>();
        const auto enumeration = at_.le<std::uint8_t>();
        field.role = at_.le<std::uint8_t>();
        field.pair = at_.le<std::uint8_t>();
        reserved<std::uint16_t>("field");
        const std::optional<Type> type = type_of(code);
        field.type = type.value_or(Type::u8);
        if (!type)
            report(findings_, Check::field_type, offset + 2, "a type from 1 to 11", std::to_string(code),
                   {"field " + field.name, {}, {}});
        if (field.type != Type::enumeration) return field;
        if (enumeration < schema_.enums().size())
            field.enumeration = enumeration;
        else
            report(findings_, Check::field_type, offset + 3, "an enum below " + std::to_string(schema_.enums().size()),
                   std::to_string(enumeration), {"field " + field.name, {}, {}});
        return field;
    }

    ScopeId owner(const SchemaCounts& counts) {
        const std::uint64_t offset = at_.offset();
        const auto scope = at_.le<std::uint16_t>();
        if (scope < counts.scopes) return preamble_.scope_ids[scope];
        if (scope != no_scope)
            report(findings_, Check::scopes, offset, "a scope of the file, or 65535", std::to_string(scope));
        return none;
    }

    void storage(unsigned index, const SchemaCounts& counts) {
        Track track;
        track.kind = Track::Kind::storage;
        track.time = picoseconds;
        track.name = text("storage name");
        check_id("storage", index);
        track.slots = at_.le<std::uint16_t>();
        const auto fields = at_.le<std::uint16_t>();
        const auto flags = at_.le<std::uint16_t>();
        track.sparse = (flags & storage_sparse) != 0;
        track.buffer = (flags & storage_buffer) != 0;
        if ((flags & ~(storage_sparse | storage_buffer)) != 0)
            report(findings_, Check::reserved, {at_.offset() - 2, 2}, "flags 0 to 3", std::to_string(flags),
                   {"storage " + track.name, {}, {}});
        track.scope = owner(counts);
        std::uint16_t properties = 0;
        if (!preamble_.old_structures) {
            properties = at_.le<std::uint16_t>();
            reserved<std::uint16_t>("storage");
        }
        for (unsigned i = 0; i < fields; ++i)
            track.fields.push_back(field("field name"));
        for (unsigned i = 0; i < properties; ++i)
            track.properties.push_back(field("property name"));
        schema_.declare(std::move(track));
    }

    void event(unsigned index, const SchemaCounts& counts) {
        Track track;
        track.kind = Track::Kind::event_type;
        track.time = picoseconds;
        track.name = text("event name");
        check_id("event type", index);
        const auto fields = at_.le<std::uint16_t>();
        track.scope = owner(counts);
        for (unsigned i = 0; i < fields; ++i)
            track.fields.push_back(field("field name"));
        schema_.declare(std::move(track));
    }

    void summary_field() {
        SummaryField field;
        field.name = text("summary field name");
        field.type = at_.le<std::uint8_t>();
        reserved<std::uint8_t>("summary field");
        field.scope = at_.le<std::uint16_t>();
        reserved<std::uint16_t>("summary field");
        if (field.scope < preamble_.scope_ids.size())
            field.scope = static_cast<std::uint16_t>(preamble_.scope_ids[field.scope]);
        preamble_.summary_fields.push_back(std::move(field));
    }

    Cursor at_;
    PoolReader& pool_;
    Findings& findings_;
    Schema& schema_;
    Preamble& preamble_;
    std::vector<Scope> scopes_;  // in file order
};

}  // namespace

std::optional<std::size_t> structures_end(std::span<const std::byte> payload, std::size_t storage_header) try {
    Cursor at(payload);
    const SchemaCounts counts(at);
    at.skip(counts.clocks * clock_size + counts.scopes * scope_size);
    for (unsigned i = 0; i < counts.enums; ++i) {
        at.skip(2);
        const auto values = at.le<std::uint8_t>();
        at.skip(1 + values * enum_entry_size);
    }
    for (unsigned i = 0; i < counts.storages; ++i) {
        at.skip(6);
        std::size_t fields = at.le<std::uint16_t>();
        at.skip(4);
        if (storage_header == storage_header_size) {
            fields += at.le<std::uint16_t>();
            at.skip(2);
        }
        at.skip(fields * field_size);
    }
    for (unsigned i = 0; i < counts.events; ++i) {
        at.skip(4);
        const auto fields = at.le<std::uint16_t>();
        at.skip(2 + fields * field_size);
    }
    at.skip(counts.summary_fields * summary_field_size);
    return static_cast<std::size_t>(at.offset());
} catch (const Truncated&) {
    return std::nullopt;
}

void read_structures(std::span<const std::byte> structures, std::uint64_t base, PoolReader& pool, Findings& findings,
                     Schema& schema, Preamble& preamble) {
    SchemaReader(structures, base, pool, findings, schema, preamble).run();
}

}  // namespace hwtrace::uscope
