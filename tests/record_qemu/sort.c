/* Sorts numbers and counts them in a hash table, without a C library, so that each run executes the same
 * instructions. Exits with 7. */
enum { numbers = 3000, places = 8192 };

static unsigned values[numbers], keys[places], counts[places];
static volatile unsigned long checksum;

void sort(unsigned* from, unsigned* to);

static void exchange(unsigned* a, unsigned* b) {
    const unsigned kept = *a;
    *a = *b;
    *b = kept;
}

__attribute__((noinline)) void sort(unsigned* from, unsigned* to) {
    while (from < to) {
        unsigned *low = from, *high = to;
        const unsigned pivot = from[(to - from) / 2];
        while (low <= high) {
            while (*low < pivot)
                ++low;
            while (*high > pivot)
                --high;
            if (low <= high) exchange(low++, high--);
        }
        sort(from, high);
        from = low;
    }
}

__attribute__((noinline)) static void count(unsigned key) {
    unsigned place = key * 2654435761U % places;
    while (counts[place] != 0 && keys[place] != key)
        place = (place + 1) % places;
    keys[place] = key;
    counts[place] += 1;
}

__attribute__((noreturn)) void _start(void) {
    unsigned seed = 1;
    for (int i = 0; i < numbers; ++i)
        values[i] = (seed = seed * 1103515245U + 12345U) >> 20;
    sort(values, values + numbers - 1);
    for (int i = 0; i < numbers; ++i)
        count(values[i]);
    for (int i = 0; i < places; ++i)
        checksum += (unsigned long)counts[i] * keys[i];
    register long call __asm__("a7") = 93, status __asm__("a0") = 7;
    __asm__ volatile("ecall" ::"r"(call), "r"(status));
    __builtin_unreachable();
}
