/* A small integer benchmark in the manner of Dhrystone: records that refer to each other, strings, arrays, switches and
 * calls through pointers, without a C library, so that each run executes the same instructions. Exits with 7. */
enum { runs = 500, name_size = 31 };
enum kind { first, second, third, kinds };

struct record {
    struct record* next;
    enum kind kind;
    int value;
    char name[name_size];
};

static struct record records[2];
static int table[50][50];
static volatile int checksum;

static int add(int a, int b) {
    return a + b;
}
static int subtract(int a, int b) {
    return a - b;
}
static int multiply(int a, int b) {
    return a * b;
}
static int (*const operations[kinds])(int, int) = {add, subtract, multiply};

__attribute__((noinline)) static int compare(const char* a, const char* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a - *b;
}

__attribute__((noinline)) static void copy_name(char* to, const char* from) {
    while ((*to++ = *from++) != 0) {
    }
}

__attribute__((noinline)) static enum kind kind_after(enum kind kind) {
    switch (kind) {
        case first:
            return third;
        case second:
            return checksum > 100 ? first : third;
        default:
            return second;
    }
}

__attribute__((noinline)) static void change(struct record* record, int run) {
    struct record* const next = record->next;
    *next = *record;
    next->next = record;
    next->kind = kind_after(record->kind);
    next->value = operations[next->kind](record->value, run % 7);
    copy_name(next->name, run % 2 == 0 ? "A benchmark: the first name" : "A benchmark: the other name");
    table[run % 50][next->value & 31] += 1;
    if (compare(next->name, record->name) != 0) checksum += table[run % 50][5];
}

__attribute__((noreturn)) void _start(void) {
    records[0].next = &records[1];
    records[1].next = &records[0];
    copy_name(records[0].name, "A benchmark");
    for (int run = 0; run < runs; ++run)
        change(&records[run % 2], run);
    register long call __asm__("a7") = 93, status __asm__("a0") = 7;
    __asm__ volatile("ecall" ::"r"(call), "r"(status));
    __builtin_unreachable();
}
