#include "directory_writer.hpp"

#include <algorithm>

#include "model/hash.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::string_view name_without_scope = "trace";
constexpr std::size_t entry_elements = 3;

}  // namespace

DirectoryWriter::DirectoryWriter(const Schema& schema, DictionaryWriter& dictionary, Heads heads, Losses& losses)
    : schema_(schema), dictionary_(dictionary), heads_(heads), losses_(losses) {}

/// Returns the wanted id if it is unused, otherwise the next unused id.
std::uint64_t DirectoryWriter::claim(HashSet<std::uint64_t>& taken, std::optional<std::uint64_t> wanted,
                                     std::string_view name) {
    if (wanted && taken.insert(*wanted).second) return *wanted;
    while (stream_numbers_.contains(next_number_) || generator_numbers_.contains(next_number_))
        ++next_number_;
    if (wanted)
        losses_.count(Loss::name_changed, name, [&] {
            return "id " + std::to_string(*wanted) + " is taken; the new id is " + std::to_string(next_number_);
        });
    taken.insert(next_number_);
    return next_number_++;
}

/// Returns the path of a scope, such as "npu.core0". Viewers show paths as a tree. Extremely deep paths lose their
/// beginning.
std::string DirectoryWriter::path_of(ScopeId id) const {
    constexpr std::size_t deepest = 64;
    std::vector<std::string_view> names;
    for (; id != none && names.size() < deepest; id = schema_.scopes()[id].parent)
        names.push_back(schema_.scopes()[id].name);
    if (names.size() > 1 && (names.back().empty() || names.back() == "/")) names.pop_back();  // an unnamed root
    std::string path(names.back());
    for (std::size_t i = names.size() - 1; i-- > 0;)
        path.append(".").append(names[i]);
    return path;
}

std::uint32_t DirectoryWriter::add_stream(ScopeId scope) {
    const auto index = static_cast<std::uint32_t>(streams_.size());
    streams_.push_back({scope, 0});
    (scope == none ? stream_without_scope_ : stream_of_scope_[scope]) = index;
    return index;
}

void DirectoryWriter::update(ChunkWriter& chunks) {
    const auto& scopes = schema_.scopes();
    const auto& tracks = schema_.tracks();
    const std::size_t first_stream = streams_.size();
    const std::size_t first_scope = stream_of_scope_.size();
    const std::size_t first_track = generators_.size();
    if (first_scope == scopes.size() && first_track == tracks.size()) return;

    // Adds streams in the order of their scopes.
    stream_of_scope_.resize(scopes.size(), none);
    generators_.resize(tracks.size());
    std::vector<ScopeId> wanted;
    for (std::size_t id = first_scope; id < scopes.size(); ++id)
        if (scopes[id].native_id) wanted.push_back(static_cast<ScopeId>(id));
    bool without_scope = false;
    for (std::size_t id = first_track; id < tracks.size(); ++id) {
        if (tracks[id].kind != Track::Kind::stream) continue;
        without_scope = without_scope || tracks[id].scope == none;
        if (tracks[id].scope != none && stream_of_scope_[tracks[id].scope] == none) wanted.push_back(tracks[id].scope);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const ScopeId scope : wanted)
        add_stream(scope);
    if (without_scope && stream_without_scope_ == none) add_stream(none);

    // Assign the source's ids first, so that the counter skips them.
    const auto number_streams = [&](bool stated) {
        for (std::size_t i = first_stream; i < streams_.size(); ++i) {
            Stream& stream = streams_[i];
            const auto number = stream.scope == none ? std::nullopt : scopes[stream.scope].native_id;
            if (number.has_value() == stated)
                stream.number = claim(stream_numbers_, number,
                                      stream.scope == none ? name_without_scope : scopes[stream.scope].name);
        }
    };
    const auto number_generators = [&](bool stated) {
        for (std::size_t id = first_track; id < tracks.size(); ++id) {
            const Track& track = tracks[id];
            if (track.kind != Track::Kind::stream || track.native_id.has_value() != stated) continue;
            generators_[id] = {track.scope == none ? stream_without_scope_ : stream_of_scope_[track.scope],
                               claim(generator_numbers_, track.native_id, track.name)};
        }
    };
    number_streams(true);
    number_generators(true);
    number_streams(false);
    number_generators(false);

    // Write entries in the order of ids, as in recordings with one counter. Three rules take precedence: streams keep
    // their order, generators keep their order, and each generator follows its stream.
    std::size_t next = first_stream;
    const auto append_next_stream = [&] {
        const Stream& stream = streams_[next++];
        if (stream.scope == none)
            append_stream(stream.number, name_without_scope, {});
        else
            append_stream(stream.number, path_of(stream.scope), scopes[stream.scope].protocol);
    };
    for (std::size_t id = first_track; id < tracks.size(); ++id) {
        const Generator& generator = generators_[id];
        if (generator.stream == none) continue;
        while (next < streams_.size() && (next <= generator.stream || streams_[next].number < generator.number))
            append_next_stream();
        append_generator(generator.number, tracks[id].name, streams_[generator.stream].number);
    }
    while (next < streams_.size())
        append_next_stream();
    flush(chunks);
}

DirectoryWriter::Added DirectoryWriter::add(std::string_view name, std::string_view kind, std::string_view generator,
                                            std::optional<std::uint64_t> first, ChunkWriter& chunks) {
    const auto unused_in = [&](HashSet<std::uint64_t>& taken, std::string_view claimed) {
        std::optional<std::uint64_t> wanted = first;
        while (wanted && taken.contains(*wanted))
            ++*wanted;
        return claim(taken, wanted, claimed);
    };
    Added added{};
    added.stream = unused_in(stream_numbers_, name);
    append_stream(added.stream, name, kind);
    added.generator = unused_in(generator_numbers_, generator);
    append_generator(added.generator, generator, added.stream);
    flush(chunks);
    return added;
}

void DirectoryWriter::append_stream(std::uint64_t number, std::string_view name, std::string_view kind) {
    // The order of these calls determines the keys.
    const std::uint64_t name_number = dictionary_.number_of_name(name);
    append_entry(Entry::stream, number, name_number, dictionary_.number_of_name(kind));
}

void DirectoryWriter::append_generator(std::uint64_t number, std::string_view name, std::uint64_t stream) {
    append_entry(Entry::generator, number, dictionary_.number_of_name(name), stream);
}

void DirectoryWriter::append_entry(Entry entry, std::uint64_t number, std::uint64_t name, std::uint64_t other) {
    if (content_.empty()) content_.bytes(std::span(&begin_of_array, 1));
    heads_.append(content_, Major::tag, static_cast<std::uint64_t>(entry));
    heads_.append(content_, Major::array, entry_elements);
    for (const std::uint64_t element : {number, name, other})
        heads_.append(content_, element);
}

void DirectoryWriter::flush(ChunkWriter& chunks) {
    if (content_.empty()) return;
    content_.bytes(std::span(&end_of_array, 1));
    dictionary_.flush(chunks, heads_);
    chunks.put(Chunk::directory, {}, content_.span());
    content_.clear();
}

}  // namespace hwtrace::ftr
