#include "query/reopened_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/input.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t block_size = 256u << 10;

/// Copies the input to an unlinked file.
Descriptor copy_of(Input& input, const std::string& folder) {
    Descriptor file = open_unlinked_file(folder);
    const std::string name = "temporary file in " + folder;
    std::vector<std::byte> block(block_size);
    std::uint64_t written = 0;
    for (std::size_t count = 0; (count = input.read(block)) != 0; written += count)
        write_whole_at(file.get(), written, std::span(block).first(count), name);
    return file;
}

}  // namespace

QueryTrace::Reopen reopened_file(const std::string& path, const std::string& temporary_folder) {
    Input first = Input::open(path);
    if (path != "-" && first.seekable()) {
        return [path, identity = first.identity()] {
            Input again = Input::open(path);
            if (again.identity() != identity)
                fail(Failure::io, again.name() + ": the file was replaced during the query; run it again");
            return again;
        };
    }
    const auto copy = std::make_shared<Descriptor>(copy_of(first, temporary_folder));
    return [copy, name = first.name()] {
        const int descriptor = ::fcntl(copy->get(), F_DUPFD_CLOEXEC, 0);
        if (descriptor < 0) fail_errno(name, "open", errno);
        return Input::adopt(name, descriptor);
    };
}

}  // namespace hwtrace
