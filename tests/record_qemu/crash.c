/* Tries to execute a missing program, counts, and writes to address 0. */
static long call(long number, long a, long b, long c) {
    register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

void _start(void) {
    enum { execve = 221 };
    call(execve, (long)"/no/such/program", 0, 0);
    for (volatile int i = 0; i < 10000; ++i) {
    }
    *(volatile int*)0 = 1;
    for (;;) {
    }
}
