#include "model/schema_additions.hpp"

#include <span>

namespace hwtrace {

namespace {

template <typename Table>
void copy_from(const Table& table, std::size_t first, std::vector<typename Table::value_type>& out) {
    out.assign(table.begin() + static_cast<std::ptrdiff_t>(first), table.end());
}

}  // namespace

void SchemaAdditions::apply(Schema& copy) const {
    if (is_empty_) return;
    for (const Clock& clock : clocks_)
        copy.declare(clock);
    for (const Scope& scope : scopes_)
        copy.declare(scope);
    for (const Enum& enumeration : enums_)
        copy.declare(enumeration);
    for (const auto& [enumeration, label] : labels_)
        copy.add_label(enumeration, label);
    for (const Track& track : tracks_)
        copy.declare(track);
    for (const auto& [track, field] : attributes_)
        copy.add_attribute(track, field);
    for (const Metadata& fact : metadata_)
        copy.describe(fact.key, fact.value);
    std::size_t begin = 0;
    for (const std::size_t end : text_ends_) {
        copy.append(std::string_view(texts_).substr(begin, end - begin));
        begin = end;
    }
}

void SchemaAdditions::clear() noexcept {
    if (is_empty_) return;
    is_empty_ = true;
    scopes_.clear();
    clocks_.clear();
    enums_.clear();
    tracks_.clear();
    labels_.clear();
    attributes_.clear();
    metadata_.clear();
    texts_.clear();
    text_ends_.clear();
}

bool SchemaFollower::has_news() const noexcept {
    return strings_ != schema_->string_count() || tracks_ != schema_->tracks().size() ||
           attributes_ != schema_->added_attributes().size() || labels_ != schema_->added_labels().size() ||
           scopes_ != schema_->scopes().size() || clocks_ != schema_->clocks().size() ||
           enums_ != schema_->enums().size() || metadata_ != schema_->metadata().size();
}

void SchemaFollower::skip() noexcept {
    scopes_ = schema_->scopes().size();
    clocks_ = schema_->clocks().size();
    enums_ = schema_->enums().size();
    tracks_ = schema_->tracks().size();
    labels_ = schema_->added_labels().size();
    attributes_ = schema_->added_attributes().size();
    metadata_ = schema_->metadata().size();
    strings_ = schema_->string_count();
}

void SchemaFollower::collect(SchemaAdditions& out) {
    out.clear();
    if (!has_news()) return;
    out.is_empty_ = false;
    copy_from(schema_->clocks(), clocks_, out.clocks_);
    copy_from(schema_->scopes(), scopes_, out.scopes_);
    copy_from(schema_->enums(), enums_, out.enums_);
    copy_from(schema_->tracks(), tracks_, out.tracks_);
    copy_from(schema_->metadata(), metadata_, out.metadata_);
    // Labels and attributes come behind those of the declarations, in the order of the logs.
    for (const auto& [id, index] : std::span(schema_->added_labels()).subspan(labels_)) {
        out.labels_.emplace_back(id, schema_->enums()[id].values[index]);
        if (id >= enums_) out.enums_[id - enums_].values.pop_back();
    }
    for (const auto& [id, index] : std::span(schema_->added_attributes()).subspan(attributes_)) {
        out.attributes_.emplace_back(id, schema_->tracks()[id].fields[index]);
        if (id >= tracks_) out.tracks_[id - tracks_].fields.pop_back();
    }
    for (std::size_t id = strings_; id < schema_->string_count(); ++id) {
        out.texts_.append(schema_->text(static_cast<StringId>(id)));
        out.text_ends_.push_back(out.texts_.size());
    }
    skip();
}

}  // namespace hwtrace
