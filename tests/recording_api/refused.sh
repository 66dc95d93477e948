#!/bin/sh
# tests/recording_api/refused.sh CXX INCLUDE - tests that the compiler rejects wrong calls and values that a recording
# cannot hold, and states the reason. INCLUDE is the folder of hwtrace/recording.hpp.
set -eu

cxx=$1 include=$2

compiles() { # compiles STATEMENT: messages are in ${messages}
    messages=$(printf '%s\n' '#include <hwtrace/recording.hpp>' 'namespace recording = hwtrace::recording;' \
        'void use(recording::Database& db, recording::Generator<>& generator, recording::Transaction& transaction) {' \
        '(void)db, (void)generator, (void)transaction;' "$1" '}' |
        "$cxx" -std=gnu++17 -Werror=unused-result -I"$include" -fsyntax-only -x c++ - 2>&1)
}
refuses() { # refuses STATEMENT MESSAGE
    if compiles "$1"; then
        echo "compiles: $1" >&2
        exit 1
    fi
    case $messages in
        *"$2"*) ;;
        *)
            echo "$1: $messages" >&2
            exit 1
            ;;
    esac
}

compiles 'transaction.record("x", 1).event("e", "x", 1);'
refuses 'transaction.record("x", static_cast<__int128>(1));' 'a number of more than 64 bits'
refuses 'transaction.record("x", static_cast<unsigned __int128>(1));' 'a number of more than 64 bits'
refuses 'transaction.record("x", 1.0L);' 'a number of more than 64 bits'
refuses 'transaction.record("x", L"wide");' 'a string must consist of char or char8_t'
refuses 'transaction.record("x", std::u16string());' 'a string must consist of char or char8_t'
refuses 'struct Own {}; transaction.record("x", Own());' 'give the type a function describe'
refuses 'transaction.event("e", "x");' 'an attribute of an event is a name and a value'
for lost in 'generator.begin();' 'generator.begin(1);' 'generator.begin_at(1);' 'db.stream("s");' 'db.stream("s").generator("g");'; do
    refuses "$lost" 'nodiscard'
done
