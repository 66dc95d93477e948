#include "transaction_numbers.hpp"

#include "domain/interval_identity.hpp"
#include "io/error.hpp"

namespace hwtrace::ftr {

namespace {

/// If only some tracks state ids, new ids start after this one.
constexpr std::uint64_t before_made = std::uint64_t{1} << 48;

}  // namespace

void TransactionNumbers::decide(const Schema& schema) {
    bool some = false, all = true;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::stream) continue;
        const bool stated = states_numbers(track);
        some = some || stated;
        all = all && stated;
    }
    source_ = !some ? Source::none_stated : all ? Source::all_stated : Source::some_stated;
    if (source_ == Source::some_stated) made_ = before_made;
}

bool TransactionNumbers::take_beside_made(std::uint64_t number) {
    // New ids skip all ids stated so far.
    const bool is_new = stated_.insert(number);
    check_limit(stated_.bytes(), limits_.block, "the ids of transactions", "max-block");
    return !is_new || number <= before_made || number > made_;
}

std::uint64_t TransactionNumbers::make() {
    do
        ++made_;
    while (source_ == Source::some_stated && stated_.contains(made_));
    note(made_);
    return made_;
}

std::uint64_t TransactionNumbers::make_last() {
    if (++greatest_ >= least_large_)
        fail(Failure::input, "no transaction id is left for the metadata; write another format");
    return greatest_;
}

}  // namespace hwtrace::ftr
