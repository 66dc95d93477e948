/* Four threads add to a sum, with atomic instructions and with a mutex. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long sum;
static long guarded;
static pthread_barrier_t start; /* all threads exist at the same time */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* add(void* unused) {
    pthread_barrier_wait(&start);
    for (int i = 0; i < 5000; ++i) {
        atomic_fetch_add(&sum, i);
        if (i % 50 != 0) continue;
        pthread_mutex_lock(&mutex);
        guarded += i;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_barrier_init(&start, NULL, 4);
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    printf("%ld %ld\n", (long)sum, guarded);
    return 0;
}
