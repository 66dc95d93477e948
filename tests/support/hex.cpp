#include "support/hex.hpp"

#include <charconv>
#include <sstream>
#include <stdexcept>

#include "support/corpus.hpp"

namespace hwtrace::test {

namespace {

/// A file under construction. Bytes are written at `at`, over existing bytes or at the end.
class Assembly {
public:
    explicit Assembly(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void line(std::string_view line) {
        if (const std::size_t comment = comment_in(line); comment != std::string_view::npos)
            line = line.substr(0, comment);
        std::istringstream words{std::string(line)};
        std::string word;
        if (!(words >> word)) return;
        if (word == "base") {
            words >> word;
            result_.bytes = load_sample(folder_ / word).bytes;
            at_ = result_.bytes.size();
        } else if (word == "at") {
            words >> word;
            at_ = number(word);
            if (at_ > result_.bytes.size()) throw std::runtime_error("'at' is after the end");
        } else if (word == "end") {
            at_ = result_.bytes.size();
        } else if (word == "cut") {
            words >> word;
            if (number(word) > result_.bytes.size()) throw std::runtime_error("'cut' is after the end");
            result_.bytes.resize(number(word));
            at_ = result_.bytes.size();
        } else if (word == "for") {
            words >> word;
            std::uint64_t value = number(word);
            words >> word;
            const std::uint64_t last = number(word);
            std::string rest;
            std::getline(words, rest);
            const std::size_t place = std::min(rest.find(" % "), rest.size() - 1);
            for (; value <= last; ++value)
                bytes_of(rest.substr(0, place) + " '" + std::to_string(value) + "' " + rest.substr(place + 2));
        } else if (word == "expect") {
            Expectation expectation;
            words >> expectation.rule >> word;
            expectation.offset = number(word);
            if (words >> word) expectation.length = number(word);
            result_.expected.push_back(std::move(expectation));
        } else {
            bytes_of(line);
        }
    }
    Assembled take() { return std::move(result_); }

private:
    /// Returns the start of a comment, which is a # outside 'text'.
    static std::size_t comment_in(std::string_view line) {
        bool quoted = false;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '\'') quoted = !quoted;
            if (line[i] == '#' && !quoted) return i;
        }
        return std::string_view::npos;
    }
    static std::uint64_t number(std::string_view text) {
        const bool hex = text.starts_with("0x");
        if (hex) text.remove_prefix(2);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
        if (error != std::errc() || end != text.data() + text.size())
            throw std::runtime_error("'" + std::string(text) + "' is not a number");
        return value;
    }

    void put(std::uint64_t byte) {
        if (at_ == result_.bytes.size()) result_.bytes.emplace_back();
        result_.bytes[at_++] = static_cast<std::byte>(byte);
    }
    void bytes_of(std::string_view line) {
        std::size_t i = 0;
        while (i < line.size()) {
            if (line[i] == ' ') {
                ++i;
            } else if (line[i] == '\'') {
                const std::size_t end = line.find('\'', i + 1);
                if (end == std::string_view::npos) throw std::runtime_error("a text without a closing apostrophe");
                for (const char c : line.substr(i + 1, end - i - 1))
                    put(static_cast<unsigned char>(c));
                i = end + 1;
            } else {
                const std::string_view word = line.substr(i, line.find(' ', i) - i);
                i += word.size();
                word_of(word);
            }
        }
    }
    /// Appends one word. A word such as "u32=7" is a little-endian integer; any other word is hexadecimal bytes.
    void word_of(std::string_view word) {
        if (word.starts_with('u')) {
            const std::size_t equals = word.find('=');
            if (equals == std::string_view::npos) throw std::runtime_error("'" + std::string(word) + "' has no value");
            const std::uint64_t bits = number(word.substr(1, equals - 1));
            if (bits != 8 && bits != 16 && bits != 32 && bits != 64) throw std::runtime_error("u8, u16, u32 or u64");
            const std::uint64_t value = number(word.substr(equals + 1));
            for (std::uint64_t shift = 0; shift < bits; shift += 8)
                put(value >> shift & 0xFF);
            return;
        }
        if (word.size() % 2 != 0) throw std::runtime_error("'" + std::string(word) + "' is half a byte");
        for (std::size_t i = 0; i < word.size(); i += 2)
            put(number("0x" + std::string(word.substr(i, 2))));
    }

    std::filesystem::path folder_;
    Assembled result_;
    std::size_t at_ = 0;
};

}  // namespace

Assembled assemble(const std::string& text, const std::filesystem::path& folder) {
    Assembly assembly(folder);
    std::istringstream in(text);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        try {
            assembly.line(line);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
        }
    }
    return assembly.take();
}

Assembled load_sample(const std::filesystem::path& path) {
    if (path.extension() != ".hex") return {read_file(path), {}};
    try {
        return assemble(read_text(path), path.parent_path());
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path.string() + ": " + error.what());
    }
}

}  // namespace hwtrace::test
