// A program with calls of each kind: recursion, tail calls, calls by pointer and from the C library.
#include <stdio.h>
#include <stdlib.h>

enum { count = 500, depth = 700 };

static int compare(const void* left, const void* right) {
    return *(const int*)left - *(const int*)right;
}

__attribute__((noinline)) long fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) int sum_to(int n) {
    volatile int now = n;
    return n == 0 ? 0 : now + sum_to(n - 1);
}

__attribute__((noinline)) int tail(int n) {
    return sum_to(n);
}

int main(void) {
    int values[count];
    for (int i = 0; i < count; ++i)
        values[i] = i * 7919 % 1009;
    qsort(values, count, sizeof *values, compare);
    printf("%ld %d %d\n", fibonacci(14), values[3], tail(depth));
    return 0;
}
