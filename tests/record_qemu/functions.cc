// A program with recursion, tail calls, calls by pointers, longjmp, inlined and virtual functions, and a signal
// handler.
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

#define APART [[gnu::noinline, gnu::noclone]]

namespace app {

struct Less {
    APART bool operator()(int a, int b) const { return a < b; }
};
inline int square(int x) {
    return x * x;
}
inline int twice(int x) {
    return square(x) + square(x + 1);
}

APART int work(int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += twice(i) ^ i;
    return sum;
}
APART int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
APART int odd(int n);
APART int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}  // a tail call
APART int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}

std::jmp_buf place;
APART void dive(int n) {
    if (n == 0) std::longjmp(place, 1);
    dive(n - 1);
    asm volatile("");
}

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    APART int area() const override { return twice(3); }
};
struct Circle : Shape {
    APART int area() const override { return work(3); }
};

volatile int signals = 0;
APART void count(int) {
    signals = signals + 1;
}
APART void handle(int number) {
    count(number);
}

}  // namespace app

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 300; ++i)
        numbers.push_back(i * 7919 % 1009);
    std::sort(numbers.begin(), numbers.end(), app::Less());
    int sum = app::work(100) + app::fib(12) + app::even(50);
    const std::unique_ptr<app::Shape> shapes[] = {std::make_unique<app::Square>(), std::make_unique<app::Circle>()};
    for (const auto& shape : shapes)
        sum += shape->area();
    if (setjmp(app::place) == 0)
        app::dive(5);
    else
        ++sum;
    std::signal(SIGUSR1, app::handle);
    std::raise(SIGUSR1);
    std::printf("%d %d %d\n", sum, numbers[3], app::signals);
    return 0;
}
