// tests/sweeps/main.cpp - hwtrace_sweeps [OPTIONS]: cuts the files of every format at every byte, flips their bits, and
// counts the reactions of the readers. Separate processes do the work, so that crashes and hangs are counted, too.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>

#include "formats.hpp"
#include "sweeps/damage.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t small = 64u << 10;       // files up to this size are cut at every byte
constexpr std::uint64_t places_of_large = 1000;  // number of cuts in a larger file
constexpr double slow = 0.01;                    // a file that takes more seconds counts as large
// All bits of this many bytes at the start are flipped, even if the header is shorter.
constexpr std::uint64_t least_header = 128;
constexpr std::uint64_t most_header = 4096;         // at most this much of a long header is flipped
constexpr std::uint64_t bits_of_slow = 1024;        // number of header bits that are flipped in a slow file
constexpr std::uint64_t largest = 4u << 20;         // larger files are left out
constexpr std::uint64_t most_memory = 1024u << 20;  // limit per process; using more is a fault

struct Extent {
    std::uint64_t cuts = 0;  ///< maximum number of cuts per file; 0: the numbers above
    std::uint64_t bits = most_header * 8;
    std::uint64_t flips = 10'000;  ///< flips per format
    std::uint32_t seed = 1;
    unsigned jobs = 1;
    unsigned patience = 20;  ///< seconds per damaged file
    std::string_view format;
};

constexpr std::size_t kinds = 3;

/// Memory shared by a working process and the process that waits for it.
struct Shared {
    std::atomic<std::uint64_t> next;  ///< index of the modification being tested
    std::array<std::array<std::atomic<std::uint64_t>, answers>, kinds> counts;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

struct Sums {
    std::array<std::array<std::uint64_t, answers>, kinds> counts{};
    std::uint64_t crashes = 0, hangs = 0;

    std::uint64_t of(Damage::Kind kind, Answer answer) const {
        return counts[static_cast<std::size_t>(kind)][static_cast<std::size_t>(answer)];
    }
    std::uint64_t all(Damage::Kind kind) const {
        std::uint64_t sum = 0;
        for (const std::uint64_t count : counts[static_cast<std::size_t>(kind)])
            sum += count;
        return sum;
    }
};

const char* name_of(Damage::Kind kind) {
    return kind == Damage::Kind::cut ? "cut" : kind == Damage::Kind::flip ? "flip" : "header bit";
}

std::string text_of(const Original& original, const Damage& damage) {
    return original.sample.name + ", " + name_of(damage.kind) + " at " + std::to_string(damage.at) + " (" +
           std::to_string(damage.change) + ")";
}

/// Tests modifications `next`, `next` + `step`, ... until all are tested or the process dies.
[[noreturn]] void work(const std::vector<Original>& originals, const std::vector<Damage>& damages, unsigned step,
                       unsigned patience, bool verbose, Shared& shared) {
    std::signal(SIGALRM, SIG_DFL);
    for (std::uint64_t i = shared.next.load(); i < damages.size(); i = shared.next += step) {
        const Damage& damage = damages[static_cast<std::size_t>(i)];
        const Original& original = originals[damage.sample];
        ::alarm(patience);
        std::string why;
        const Answer answer = answer_to(original, damage, why);
        if (answer == Answer::bug) std::printf("FAILED: %s: %s\n", text_of(original, damage).c_str(), why.c_str());
        if (original.valid && verbose && (answer == Answer::other || answer == Answer::allowed))
            std::printf("%s: %s\n", answer == Answer::other ? "other" : "allowed", text_of(original, damage).c_str());
        std::fflush(stdout);
        // Reactions are counted only for valid originals. Invalid originals are only tested for crashes.
        if (original.valid) ++shared.counts[static_cast<std::size_t>(damage.kind)][static_cast<std::size_t>(answer)];
    }
    ::_exit(0);
}

/// One of several working processes. A process is restarted after a crash.
class Worker {
public:
    Worker(const std::vector<Original>& originals, const std::vector<Damage>& damages, unsigned first, unsigned step,
           const Extent& extent, bool verbose)
        : originals_(&originals), damages_(&damages), step_(step), patience_(extent.patience), verbose_(verbose) {
        void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
        shared_ = new (memory) Shared{};
        shared_->next = first;
        start();
    }
    pid_t child() const noexcept { return child_; }
    /// Handles the end of the child. Returns true if a new child was started.
    bool take(int status, Sums& sums) {
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                for (std::size_t answer = 0; answer < answers; ++answer)
                    sums.counts[kind][answer] += shared_->counts[kind][answer].load();
            return false;
        }
        const Damage& damage = (*damages_)[static_cast<std::size_t>(shared_->next.load())];
        const bool hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        ++(hang ? sums.hangs : sums.crashes);
        std::printf("FAILED: %s: %s\n", text_of((*originals_)[damage.sample], damage).c_str(),
                    hang ? "it hangs" : "it crashes");
        shared_->next += step_;
        start();
        return true;
    }

private:
    void start() {
        std::fflush(stdout);
        child_ = ::fork();
        if (child_ < 0) throw std::runtime_error("no process can be started");
        if (child_ == 0) work(*originals_, *damages_, step_, patience_, verbose_, *shared_);
    }

    const std::vector<Original>* originals_;
    const std::vector<Damage>* damages_;
    unsigned step_, patience_;
    bool verbose_;
    Shared* shared_ = nullptr;  // never unmapped
    pid_t child_ = -1;
};

Sums answers_to(const std::vector<Original>& originals, const std::vector<Damage>& damages, const Extent& extent,
                bool verbose) {
    Sums sums;
    std::vector<Worker> workers;
    for (unsigned first = 0; first < extent.jobs; ++first)
        workers.emplace_back(originals, damages, first, extent.jobs, extent, verbose);
    for (std::size_t left = workers.size(); left > 0;) {
        int status = 0;
        const pid_t gone = ::wait(&status);
        for (Worker& worker : workers)
            if (worker.child() == gone && !worker.take(status, sums)) --left;
    }
    return sums;
}

std::vector<Original> originals_of(const Format& format, const std::vector<Sample>& samples) {
    std::vector<Original> originals;
    for (const Sample& sample : samples)
        if (sample.format == &format && !sample.content.bytes.empty()) originals.push_back(original_of(sample));
    return originals;
}

/// Returns the modifications to test. Adds the number of files that are cut at every byte to `whole`.
std::vector<Damage> damages_of(const std::vector<Original>& originals, const Extent& extent, std::mt19937& random,
                               std::uint64_t& whole) {
    std::vector<Damage> damages;
    std::vector<std::uint32_t> valid;
    for (std::uint32_t i = 0; i < originals.size(); ++i) {
        const std::uint64_t size = originals[i].sample.content.bytes.size();
        std::uint64_t places = size <= small && originals[i].seconds < slow ? size : places_of_large;
        whole += places == size ? 1u : 0u;
        if (extent.cuts != 0) places = std::min(places, extent.cuts);
        places = std::min(places, size);
        for (std::uint64_t place = 0; place < places; ++place) {
            // The cuts are evenly spread with jitter.
            const std::uint64_t from = place * size / places, to = (place + 1) * size / places;
            damages.push_back({Damage::Kind::cut, 0, i, from + (to - from > 1 ? random() % (to - from) : 0)});
        }
        const std::uint64_t bits = std::min(size, std::clamp(originals[i].header, least_header, most_header)) * 8;
        const std::uint64_t changed = std::min({bits, extent.bits, originals[i].seconds < slow ? bits : bits_of_slow});
        for (std::uint64_t n = 0; n < changed; ++n) {
            const std::uint64_t bit = bits == changed ? n : random() % bits;
            damages.push_back({Damage::Kind::header_bit, static_cast<std::uint8_t>(1u << bit % 8), i, bit / 8});
        }
        if (originals[i].valid) valid.push_back(i);
    }
    for (std::uint64_t n = 0; n < extent.flips && !valid.empty(); ++n) {
        const std::uint32_t i = valid[random() % valid.size()];
        const std::uint64_t size = originals[i].sample.content.bytes.size();
        damages.push_back({Damage::Kind::flip, static_cast<std::uint8_t>(1 + random() % 255), i, random() % size});
    }
    return damages;
}

/// Returns a percentage such as "98.7 %", or "-" if `whole` is 0.
std::string share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
    return text;
}

void print_row(const Format& format, std::size_t files, std::uint64_t whole, const Sums& sums) {
    using Kind = Damage::Kind;
    std::printf("| %s | %zu, %llu | ", std::string(format.name).c_str(), files, static_cast<unsigned long long>(whole));
    for (const Kind kind : {Kind::cut, Kind::header_bit, Kind::flip}) {
        const std::uint64_t all = sums.all(kind);
        std::printf("%llu | %s | ", static_cast<unsigned long long>(all),
                    share(sums.of(kind, Answer::noticed), all).c_str());
        const std::uint64_t fine = sums.of(kind, kind == Kind::cut ? Answer::allowed : Answer::unchanged);
        if (kind != Kind::header_bit) std::printf("%s | ", share(fine, all).c_str());
    }
    std::printf("%llu, %llu |\n", static_cast<unsigned long long>(sums.crashes),
                static_cast<unsigned long long>(sums.hangs));
    std::fflush(stdout);
}

/// Describes the reactions that must not occur. Returns an empty string if there were none.
std::string fault_of(const Format& format, const Sums& sums) {
    if (sums.crashes + sums.hangs > 0) return "crashes or hangs";
    for (std::size_t kind = 0; kind < kinds; ++kind)
        if (sums.counts[kind][static_cast<std::size_t>(Answer::bug)] > 0) return "bugs";
    if (sums.of(Damage::Kind::cut, Answer::other) > 0)
        return std::to_string(sums.of(Damage::Kind::cut, Answer::other)) + " cuts of " + std::string(format.name) +
               " are not noticed";
    return {};
}

int usage() {
    std::fprintf(stderr,
                 "hwtrace_sweeps [--cuts N] [--bits N] [--flips N] [--seed N] [--jobs N] [--patience SECONDS]\n"
                 "               [--format NAME] [--verbose]\n"
                 "Default: cuts at every byte of files up to 64 KiB and at 1000 places of larger files; every bit of\n"
                 "the header (128 to 4096 bytes, 1024 bits in slow files); and 10000 other bytes per format.\n");
    return 2;
}

}  // namespace

int main(int count, char** arguments) {
    Extent extent;
    bool verbose = false;
    for (int i = 1; i < count; ++i) {
        const std::string_view option = arguments[i];
        if (option == "--verbose") {
            verbose = true;
            continue;
        }
        if (++i == count) return usage();
        const unsigned long number = std::strtoul(arguments[i], nullptr, 10);
        if (option == "--cuts")
            extent.cuts = number;
        else if (option == "--bits")
            extent.bits = number;
        else if (option == "--flips")
            extent.flips = number;
        else if (option == "--seed")
            extent.seed = static_cast<std::uint32_t>(number);
        else if (option == "--jobs")
            extent.jobs = std::max(1u, static_cast<unsigned>(number));
        else if (option == "--patience")
            extent.patience = static_cast<unsigned>(number);
        else if (option == "--format")
            extent.format = arguments[i];
        else
            return usage();
    }
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : corpus_samples(largest))
        samples.push_back(std::move(sample));
    for (Sample& sample : read_only_samples())
        samples.push_back(std::move(sample));
    std::vector<const Format*> swept(formats().begin(), formats().end());
    for (const Format* const format : read_only_formats())
        swept.push_back(format);
    std::printf(
        "| Format | Files, cut at every byte | Cuts | noticed | allowed | Header bits | noticed | Other bytes | "
        "noticed | unchanged | Crashes, hangs |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|---|---|\n");
    int result = 0;
    std::uint64_t tried = 0;
    for (const Format* const format : swept) {
        if (!extent.format.empty() && extent.format != format->name) continue;
        std::mt19937 random(extent.seed);
        const std::vector<Original> originals = originals_of(*format, samples);
        std::uint64_t whole = 0;
        const std::vector<Damage> damages = damages_of(originals, extent, random, whole);
        const Sums sums = answers_to(originals, damages, extent, verbose);
        tried += damages.size();
        print_row(*format, originals.size(), whole, sums);
        const std::string fault = fault_of(*format, sums);
        if (fault.empty()) continue;
        std::printf("FAILED: %s\n", fault.c_str());
        result = 1;
    }
    struct rusage usage_of_children {};
    ::getrusage(RUSAGE_CHILDREN, &usage_of_children);
    const std::uint64_t peak = static_cast<std::uint64_t>(usage_of_children.ru_maxrss) * 1024;
    std::printf("%llu damaged files; the largest process took %llu MiB\n", static_cast<unsigned long long>(tried),
                static_cast<unsigned long long>(peak >> 20));
    if (peak > most_memory) {
        std::printf("FAILED: too much memory\n");
        result = 1;
    }
    return tried == 0 ? 1 : result;
}
