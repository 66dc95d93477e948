/* Calls of every kind: direct, through pointers, recursive, tail calls, a jump table, and through the PLT if linked so.
 */
typedef long (*Operation)(long, long);

static volatile long sink;

__attribute__((noinline)) static long add(long a, long b) {
    return a + b;
}
__attribute__((noinline)) static long sub(long a, long b) {
    return a - b;
}
__attribute__((noinline)) static long mul(long a, long b) {
    return a * b;
}
__attribute__((noinline)) static double half(double value) {
    return value * 0.5;
}
__attribute__((noinline)) static long fib(long n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__attribute__((noinline)) static long jump(Operation operation, long a, long b) {
    return operation(b, a);
}

__attribute__((noinline)) static long chosen(long code, long value) {
    switch (code) {
        case 0:
            return value + 11;
        case 1:
            return value * 3;
        case 2:
            sink = value;
            return value;
        case 3:
            return value ^ 0x55;
        case 4:
            return value >> 2;
        case 5:
            return -value;
        case 6:
            return value | 8;
        default:
            return 0;
    }
}

void _start(void) {
    static const Operation operations[] = {add, sub, mul};
    static int counter;
    long total = fib(14);
    double real = 1e6;
    for (long i = 0; i < 3000; ++i) {
        total += operations[i % 3](total, i);
        total = jump(operations[(i + 1) % 3], total, i);
        total += chosen(i & 7, total);
        real = half(real) + (double)total;
        __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    }
    sink = total + (long)real;
    register long a0 __asm__("a0") = 7;
    register long a7 __asm__("a7") = 93;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
    __builtin_unreachable();
}
