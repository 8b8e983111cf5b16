/* A real llama-server on a device of known speed: preloaded, each llama_decode takes DEVICE_US microseconds
 * at least. The rest is waited for, as a server waits for its GPU, so that neither a fast nor a busy processor
 * changes how much slower one device is than another. The first decode takes DEVICE_MIB of memory and keeps it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* As in llama.h. */
typedef struct {
    int32_t n_tokens;
    void *token, *embd, *pos, *n_seq_id, *seq_id, *logits;
} batch_t;

int32_t llama_decode(void *context, batch_t batch) {
    static int32_t (*original)(void *, batch_t);
    static void *volatile kept; /* volatile: memory that nobody reads is none to a compiler */
    struct timespec until;
    if (!original) {
        size_t size = (size_t)DEVICE_MIB << 20;
        kept = size ? malloc(size) : NULL;
        if (kept) memset(kept, 1, size);
        original = (int32_t (*)(void *, batch_t))dlsym(RTLD_NEXT, "llama_decode");
        prctl(PR_SET_TIMERSLACK, 1);
    }
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += DEVICE_US * 1000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    int32_t result = original(context, batch);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0)) {
    }
    return result;
}
