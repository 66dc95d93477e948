// support/sample.hpp - how much a test tries: everything, or a share that runs in short time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hwtrace::test {

/// One share of the files, out of `shares`.
struct Share {
    std::uint64_t number = 0;
    std::uint64_t shares = 1;
};

/// Returns the share that HWTRACE_SAMPLE names, `N` (share 0 of N) or `K/N`. Without it: everything.
Share share();
/// Returns true if tests try everything.
bool is_full_run();

/// Returns the number of random models to try: `count` in a full run, `count` / N in share K/N.
std::uint64_t share_of(std::uint64_t count);
/// Returns the number of damaged files to try: `count` in a full run, a fifth of it in a sample run.
std::size_t trials_of(std::size_t count);
/// Returns the places from 0 to `size` - 1 at which a file is to be damaged: all in a full run, one in five in a sample
/// run. The shares 0/5 to 4/5 together have all.
std::vector<std::size_t> sample_places(std::size_t size);
/// Returns the minimum number of comparisons that a law must make: `count` in a full run, 0 in a sample run, because a
/// share may lack what the law is about.
std::uint64_t at_least(std::uint64_t count);

}  // namespace hwtrace::test
