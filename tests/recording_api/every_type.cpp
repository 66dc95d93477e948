// Records a value of every type, without features of C++20. It is only compiled (standards.sh).
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <hwtrace/recording.hpp>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace recording = hwtrace::recording;

namespace model {

enum class State : char { idle = 'I', busy = 'B' };
enum Plain { one = 1 };
std::string_view name_of(State state) {
    return state == State::idle ? "idle" : "busy";
}
// Functions with the names that the header uses for itself.
enum class Color { red };
int value_of(Color) {
    return 1;
}
struct Text {
    operator std::string_view() const { return "text"; }
};
template <typename T>
int bits_of(const T&) {
    return 1;
}
template <typename T>
int attribute_name(const T&) {
    return 1;
}
struct Address {
    void describe(recording::Fields& fields) const { fields("row", 1); }
};
recording::Value value_of(const Address&) {
    return {recording::Value::Type::integer, std::uint64_t{1}};
}
int value_of(const Text&) {
    return 1;
}
struct Free {
    char direction = 'R';
    std::array<int, 2> words{};
};
void describe(recording::Fields& fields, const Free& value) {
    fields("direction", value.direction)("words", value.words);
}
struct Member {
    Free free;
    void describe(recording::Fields& fields) const { fields("free", free); }
};

}  // namespace model

int main() {
    const recording::Database none;
    recording::Options options;
    recording::Database db("values.ftr", options);
    const recording::Stream stream = db.stream("values", "test");
    const recording::Generator<> any = stream.generator("any", "", "", recording::Events::yes);
    const auto typed = stream.generator<model::Member, std::optional<int>>("typed", "request");
    recording::Transaction t = any.begin_at(1, model::Free());
    t.record("bool", true).record("char", 'c').record("byte", std::byte{3}).record("int", 1).record("double", 0.5);
    t.record("literal", "text").record("string", std::string("text")).record("view", std::string_view("text"));
    t.record("utf8", u8"text").record("utf8 character", u8'x').record("array", std::array<char, 2>{'a', 'b'});
    t.record("characters", std::vector<char>{'a', 'b'}).record("list", std::list<char>{'a'});
    t.record("enum", model::State::idle).record("plain", model::one).record("label", recording::Label{"l"});
    t.record("color", model::Color::red).record("converted", model::Text()).record("address", model::Address());
    t.record("bits", recording::BitVector{"01"}).record("logic", recording::LogicVector{"01XZ"});
    t.record("fixed", recording::Fixed{1}).record("ufixed", recording::UnsignedFixed{1});
    t.record("ticks", recording::Ticks{1}).record("pointer", recording::Pointer{1}).record("null", nullptr);
    t.record("address", &t).record("function", &model::name_of);
    t.record("bitset", std::bitset<4>(5))
        .record("atomic", std::atomic<char>('a'))
        .record("path", std::filesystem::path("/"));
    t.record("duration", std::chrono::milliseconds(1)).record("seconds", std::chrono::duration<double>(1));
    t.record("pair", std::pair(1, 'x')).record("tuple", std::tuple(1, 'x', "y")).record("optional", std::optional('x'));
    t.record("variant", std::variant<std::monostate, char, int>('x')).record("set", std::set<int>{1});
    t.record("names", std::map<std::string, int>{{"a", 1}}).record("numbers", std::map<int, char>{{1, 'a'}});
    t.record("flags", std::vector<bool>{true}).record("nested", std::vector<std::vector<int>>{{1}});
    t.record(model::Member()).relate("after", recording::Transaction()).event("stall", "cycles", 3).end_at(2, 'x');
    auto other = typed.begin(model::Member());
    other.relate(db.relation("follows"), t).record("x", 1).end(3);
    db.close();
}
