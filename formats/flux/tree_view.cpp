// formats/flux/tree_view.cpp - the view "tree": the definitions of a stream.
#include <array>
#include <optional>
#include <string>

#include "codec.hpp"
#include "codec/findings.hpp"
#include "codec/rows.hpp"
#include "domain/value_text.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "scan.hpp"
#include "shown_part.hpp"

namespace hwtrace::flux {

namespace {

using Chosen = HashMap<std::uint64_t, IdSet>;  ///< items by trace

/// Returns the items of which the slice in Settings::part has a sample, relation or label, or nullopt for all.
std::optional<Chosen> chosen_items(Input& input, const Settings& settings) {
    if (!settings.part) return std::nullopt;
    input.spool(settings.temporary_folder);
    Chosen chosen;
    std::uint64_t bytes = 0;
    Findings reported_later(0);
    show_part(input, settings, reported_later, [&](const Place& place, const Entry& entry) {
        if (entry.tag != Tag::sample && entry.tag != Tag::relation && entry.tag != Tag::label) return;
        IdSet& items = chosen[place.trace];
        const std::size_t before = items.bytes();
        items.insert(entry.item);
        if (items.bytes() == before) return;
        bytes += items.bytes() - before;
        check_limit(bytes, settings.limits.block, "the items in the slice", "--max-block");
    });
    input.seek(0);
    return chosen;
}

/// Returns the items of a trace that a tree shows: with `chosen`, these and the scopes around them.
std::vector<const Item*> shown_items(Trace& trace, const std::optional<Chosen>& chosen) {
    IdSet shown;
    if (chosen) {
        const auto found = chosen->find(trace.id());
        if (found == chosen->end()) return {};
        for (const Item& item : trace.items()) {
            if (!found->second.contains(item.id)) continue;
            // The loop ends at a known scope, and therefore also if scopes of a broken stream contain each other.
            for (const Item* at = &item; at != nullptr && shown.insert(at->id);)
                at = at->definition.parent == 0 ? nullptr : trace.find(at->definition.parent);
        }
    }
    std::vector<const Item*> items;
    for (const Item& item : trace.items())
        if (!chosen || shown.contains(item.id)) items.push_back(&item);
    return items;
}

class Tree {
public:
    Tree(const Schema& schema, TextOutput& out) : schema_(schema), out_(out) {}

    void put(Trace& trace, const std::vector<const Item*>& items) {
        out_.put("trace ");
        out_.decimal(trace.id());
        if (trace.scope != none && !schema_.scopes()[trace.scope].name.empty())
            word(schema_.scopes()[trace.scope].name);
        if (trace.has_head) {
            out_.put(", version ");
            out_.decimal(trace.version);
            if (trace.layout == Layout::impulse_3) out_.put(" of impulse 3");
        }
        out_.put('\n');
        HashMap<std::uint64_t, std::vector<const Item*>> children;
        for (const Item* const item : items) {
            const Item* const parent = item->definition.parent == 0 ? nullptr : trace.find(item->definition.parent);
            const bool is_scope = parent != nullptr && parent->definition.form == Definition::Form::scope;
            children[is_scope ? parent->id : 0].push_back(item);
        }
        append_children(children, 0, 1);
    }

private:
    using Children = HashMap<std::uint64_t, std::vector<const Item*>>;
    static constexpr std::size_t deepest = 1000;

    void word(std::string_view name) {
        out_.put(' ');
        append_name(name, out_);
    }
    void indent(std::size_t depth) {
        for (std::size_t i = 0; i < depth; ++i)
            out_.put("  ");
    }

    void append_children(const Children& children, std::uint64_t parent, std::size_t depth) {
        const auto found = children.find(parent);
        if (found == children.end() || depth > deepest) return;
        for (const Item* const item : found->second) {
            indent(depth);
            append_item(*item);
            append_members(*item, depth + 1);
            append_labels(*item, depth + 1);
            if (item->definition.form == Definition::Form::scope && item->id != parent)
                append_children(children, item->id, depth + 1);
        }
    }

    void append_item(const Item& item) {
        const Definition& definition = item.definition;
        out_.decimal(item.id);
        word(definition.form == Definition::Form::undefined ? "(not defined)" : std::string_view(definition.name));
        if (definition.form == Definition::Form::scope) out_.put('/');
        if (definition.form == Definition::Form::signal || definition.form == Definition::Form::part) {
            out_.put(": ");
            out_.put(name_of(definition.type));
        }
        if (definition.form == Definition::Form::part) {
            out_.put(", bits ");
            out_.decimal(definition.from);
            out_.put("..");
            out_.decimal(definition.to);
        }
        append_display(definition.display);
        out_.put('\n');
    }

    /// Appends how values are displayed, and what the user is told about them.
    void append_display(const Display& display) {
        if (!display.descriptor.empty()) {
            out_.put(", ");
            append_quoted(display.descriptor, out_);
        }
        if (display.scale != no_scale) {
            out_.put(", scale ");
            out_.decimal_signed(display.scale);
        }
        if (!display.tags.empty()) {
            out_.put(", tags ");
            append_quoted(display.tags, out_);
        }
        if (display.description.empty()) return;
        out_.put(" - ");
        append_quoted(display.description, out_);
    }

    void append_members(const Item& item, std::size_t depth) {
        for (const MemberDefinition& member : item.members) {
            indent(depth);
            const auto type = static_cast<MemberType>(member.type & member_type_mask);
            out_.put(type == MemberType::unknown ? "index " : "member ");
            out_.decimal(member.number);
            word(member.label);
            if (type != MemberType::unknown) {
                out_.put(": ");
                out_.put(name_of(type));
            }
            if (member.parent != 0) {
                out_.put(", in ");
                out_.decimal(member.parent - 1);
            }
            if ((member.type & member_hidden) != 0) out_.put(", hidden");
            if ((member.type & member_valid_until_change) != 0) out_.put(", valid until it changes");
            append_display(member.display);
            out_.put('\n');
        }
    }

    void append_labels(const Item& item, std::size_t depth) {
        for (const auto& [domain, labels] : item.labels) {
            indent(depth);
            out_.put(name_of_domain(domain));
            if (domain >= of_member) out_.decimal(domain - of_member);
            out_.put(':');
            for (const EnumValue& value : labels.values()) {
                out_.put(' ');
                out_.decimal(value.value);
                out_.put('=');
                append_name(value.name, out_);
            }
            out_.put('\n');
        }
    }

    static std::string_view name_of_domain(std::uint64_t domain) noexcept {
        if (domain >= of_member) return "labels of member ";
        switch (static_cast<EnumDomain>(domain)) {
            case EnumDomain::signal:
                return "labels";
            case EnumDomain::relation_target:
                return "targets of relations";
            case EnumDomain::relation_style:
                return "styles of relations";
            case EnumDomain::label_style:
                return "styles of labels";
            case EnumDomain::relation_domain:
                return "domains of relations";
        }
        return "labels of an unknown use";
    }

    const Schema& schema_;
    TextOutput& out_;
};

constexpr auto tree_columns =
    columns_of("type", "trace", "item", "parent", "member", "in", "name", "version", "of", "value", "value_type",
               "hidden", "until_change", "descriptor", "description", "from", "to", "layout", "tags", "scale");

/// Writes the tree as JSON or CSV: one object or row per trace, item, member and label.
class TreeRows {
public:
    TreeRows(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out)
        : schema_(schema), rows_(form, settings, out, CellOrder::any) {
        rows_.begin("hwtrace-flux-tree/1", settings);
        rows_.begin_rows(",\"items\":[");
    }

    void put(Trace& trace, const std::vector<const Item*>& items) {
        rows_.begin_row();
        rows_.text("type", "trace");
        rows_.number("trace", trace.id());
        if (trace.scope != none) text("name", schema_.scopes()[trace.scope].name);
        if (trace.has_head) rows_.number("version", std::uint64_t{trace.version});
        if (trace.layout == Layout::impulse_3) rows_.text("layout", flux::name_of(trace.layout));
        rows_.end_row();
        for (const Item* const item : items) {
            append_item(trace.id(), *item);
            for (const MemberDefinition& member : item->members)
                append_member(trace.id(), *item, member);
            for (const auto& [domain, labels] : item->labels)
                for (const EnumValue& value : labels.values())
                    append_label(trace.id(), *item, domain, value);
        }
    }
    void finish() { rows_.end(); }

private:
    void begin(std::string_view type, std::uint64_t trace, const Item& item) {
        rows_.begin_row();
        rows_.text("type", type);
        rows_.number("trace", trace);
        rows_.number("item", item.id);
    }
    void text(Rows<tree_columns>::At at, std::string_view value) {
        if (!value.empty()) rows_.text(at, value);
    }

    void append_display(const Display& display) {
        text("descriptor", display.descriptor);
        text("tags", display.tags);
        if (display.scale != no_scale) rows_.number("scale", display.scale);
        text("description", display.description);
    }

    static std::string_view name_of(Definition::Form form) noexcept {
        switch (form) {
            case Definition::Form::undefined:
                return "undefined";
            case Definition::Form::scope:
                return "scope";
            case Definition::Form::signal:
                return "signal";
            case Definition::Form::part:
                return "part";
        }
        return "undefined";
    }

    void append_item(std::uint64_t trace, const Item& item) {
        const Definition& definition = item.definition;
        begin(name_of(definition.form), trace, item);
        if (definition.parent != 0) rows_.number("parent", definition.parent);
        text("name", definition.name);
        if (definition.form == Definition::Form::signal || definition.form == Definition::Form::part)
            rows_.text("value_type", flux::name_of(definition.type));
        append_display(definition.display);
        if (definition.form == Definition::Form::part) {
            rows_.number("from", definition.from);
            rows_.number("to", definition.to);
        }
        rows_.end_row();
    }

    void append_member(std::uint64_t trace, const Item& item, const MemberDefinition& member) {
        const auto type = static_cast<MemberType>(member.type & member_type_mask);
        begin(type == MemberType::unknown ? "index" : "member", trace, item);
        rows_.number("member", member.number);
        if (member.parent != 0) rows_.number("in", member.parent - 1);
        text("name", member.label);
        if (type != MemberType::unknown) rows_.text("value_type", flux::name_of(type));
        if ((member.type & member_hidden) != 0) rows_.flag("hidden");
        if ((member.type & member_valid_until_change) != 0) rows_.flag("until_change");
        append_display(member.display);
        rows_.end_row();
    }

    void append_label(std::uint64_t trace, const Item& item, std::uint64_t domain, const EnumValue& value) {
        begin("label", trace, item);
        rows_.number("of", domain);
        rows_.number("value", value.value);
        text("name", value.name);
        rows_.end_row();
    }

    const Schema& schema_;
    Rows<tree_columns> rows_;
};

template <typename Put>
void append_traces(Input& input, const Settings& settings, Findings& findings, Schema& schema, Put&& put) {
    const std::optional<Chosen> chosen = chosen_items(input, settings);
    Scan scan(input, settings, findings, schema);
    for (Batch batch; scan.read(batch);)
        batch.clear();
    for (const auto& [id, trace] : scan.traces()) {
        const std::vector<const Item*> items = shown_items(*trace, chosen);
        if (!chosen || !items.empty()) put(*trace, items);
    }
}

}  // namespace

void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Schema schema;
    append_traces(input, settings, findings, schema,
                  [&](Trace& trace, const std::vector<const Item*>& items) { Tree(schema, out).put(trace, items); });
}

void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    Schema schema;
    std::optional<TreeRows> rows;  // created late: no document is begun if the input is not flux
    append_traces(input, settings, findings, schema, [&](Trace& trace, const std::vector<const Item*>& items) {
        if (!rows) rows.emplace(schema, form, settings, out);
        rows->put(trace, items);
    });
    if (!rows) rows.emplace(schema, form, settings, out);
    rows->finish();
}

}  // namespace hwtrace::flux
