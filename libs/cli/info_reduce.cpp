// The part of info_partial.hpp that joins the statistics of shards.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/info_meters.hpp"
#include "cli/info_partial.hpp"
#include "domain/saved_schema.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"

namespace hwtrace::cli {

namespace {

/// A file with partial statistics, of which only the head is kept. A file that can be opened again is closed meanwhile,
/// because a process can have fewer open files than a trace has shards.
struct PartialFile {
    std::optional<Input> input{};
    std::string path{};
    PartialInfo head{};
};

/// Checks that these are all shards of one trace, in order.
void check_shards(const std::deque<PartialFile>& files) {
    const PartialInfo& first = files.front().head;
    const std::uint64_t count = first.shard.count;
    for (const PartialFile& file : files) {
        const PartialInfo& one = file.head;
        if (one.shard.count != count)
            fail(Failure::usage, fmt::format("{} is shard {}, but {} is shard {}: all must be of one division",
                                             one.path, name_of(one.shard), first.path, name_of(first.shard)));
        if (one.info.format != first.info.format || one.info.size != first.info.size ||
            one.info.of_shard->sample != first.info.of_shard->sample)
            fail(Failure::usage, fmt::format("{} ({}) and {} ({}) are statistics of different traces", first.path,
                                             first.info.file, one.path, one.info.file));
    }
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < files.size(); ++i, ++expected) {
        const Shard& shard = files[i].head.shard;
        if (i > 0 && shard == files[i - 1].head.shard)
            fail(Failure::usage, fmt::format("{} and {} are both shard {}", files[i - 1].head.path, files[i].head.path,
                                             name_of(shard)));
        if (shard.number != expected) break;
    }
    if (expected <= count)
        fail(Failure::usage, fmt::format("shard {0} is missing; make it: hwtrace-info {1} --shard {0} --partial",
                                         name_of(Shard{expected, count}), first.info.file));
    for (std::size_t i = 1; i < files.size(); ++i)
        if (files[i - 1].head.info.of_shard->range.end != files[i].head.info.of_shard->range.begin)
            fail(Failure::usage, fmt::format("{} does not begin where {} ends: they are statistics of different traces",
                                             files[i].head.path, files[i - 1].head.path));
}

/// Returns the heads of all shards, in order.
std::deque<PartialFile> opened(const std::vector<std::string>& paths, FormatList formats, const Settings& settings) {
    std::deque<PartialFile> files;
    for (const std::string& path : paths) {
        Input input = Input::open(path);
        const bool opens_again = path != "-" && input.seekable();
        input.spool(settings.temporary_folder);
        PartialFile& file = files.emplace_back();
        file.path = path;
        file.head = read_partial(input, PartialContent::head, formats, settings.limits);
        if (!opens_again) file.input = std::move(input);
    }
    std::ranges::stable_sort(files, {}, [](const PartialFile& file) { return file.head.shard.number; });
    check_shards(files);
    return files;
}

/// Runs `work`, which reads a section. Says how to make the statistics again if they are damaged.
template <typename Work>
void reading(std::string_view section, const PartialInfo& partial, Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
        fail(Failure::input,
             fmt::format("the section {} is damaged ({}); make the file again: hwtrace-info {} --shard {} "
                         "--partial",
                         section, error.what(), partial.info.file, name_of(partial.shard)));
    }
}

/// Reads the schema of a shard.
void read_schema(const PartialInfo& partial, const Limits& limits, Schema& schema) {
    const auto& sections = partial.info.of_shard->sections;
    const auto section = std::ranges::find(sections, "schema", &SavedSection::name);
    reading("schema", partial, [&] {
        StateIn::require(section != sections.end());
        Cursor bytes(section->bytes);
        StateIn in(bytes, limits);
        restore_schema(in, schema);
    });
}

/// Joins the statistics of `count` shards of a trace, in order: `head_of(i)` returns what is known about shard i, and
/// `read(i, take)` calls `take` with its statistics.
template <typename HeadOf, typename Read>
FileInfo joined(std::size_t count, const Limits& limits, HeadOf&& head_of, Read&& read) {
    FileInfo info;
    const FileInfo& last = head_of(count - 1);
    info.file = head_of(0).file;
    info.format = last.format;
    info.size = last.size;
    info.facts = last.of_shard->facts_at_end;
    info.counts.emplace();
    Schema schema;  // the last shard knows all tracks
    read(count - 1, [&](const PartialInfo& partial) { read_schema(partial, limits, schema); });
    info.unit = time_unit(schema);
    Meters meters(schema, limits, std::nullopt);
    for (std::size_t i = 0; i < count; ++i) {
        const FileInfo& head = head_of(i);
        info.counts->add(*head.counts);
        info.effect = std::max(info.effect, head.effect);
        info.broken = info.broken || head.broken;
        read(i, [&](const PartialInfo& partial) {
            Schema of_shard;
            read_schema(partial, limits, of_shard);
            if (!extends(schema, of_shard))
                fail(Failure::usage, "statistics of another trace than those of the last shard: the tracks differ");
            for (const SavedSection& section : partial.info.of_shard->sections)
                if (section.name != "schema")
                    reading(section.name, partial, [&] { meters.add(section, limits, schema); });
        });
    }
    meters.finish_reduced(info);
    return info;
}

}  // namespace

FileInfo reduced(const std::vector<std::string>& paths, FormatList formats, const Settings& settings) {
    std::deque<PartialFile> files = opened(paths, formats, settings);
    const auto head_of = [&](std::size_t i) -> const FileInfo& { return files[i].head.info; };
    return joined(files.size(), settings.limits, head_of, [&](std::size_t i, auto&& take) {
        PartialFile& file = files[i];
        naming(file.head.path, [&] {
            std::optional<Input> again;
            if (!file.input) again = Input::open(file.path);
            Input& input = again ? *again : *file.input;
            take(read_partial(input, PartialContent::whole, formats, settings.limits));
        });
    });
}

FileInfo reduced(const std::vector<PartialInfo>& shards, const Limits& limits) {
    const auto head_of = [&](std::size_t i) -> const FileInfo& { return shards[i].info; };
    return joined(shards.size(), limits, head_of, [&](std::size_t i, auto&& take) { take(shards[i]); });
}

}  // namespace hwtrace::cli
