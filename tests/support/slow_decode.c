/* Makes a real llama-server really slower: preloaded, its llama_decode takes 1 + EXTRA times as long.
 *
 * It spins rather than sleeps, as slower code would, and in proportion to what the real call took, so that
 * the ratio is the same on a quiet and on a busy machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#ifndef EXTRA
#define EXTRA (1.0 / 3.0)
#endif

/* As in llama.h. */
typedef struct {
    int32_t n_tokens;
    void *token, *embd, *pos, *n_seq_id, *seq_id, *logits;
} batch_t;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int32_t llama_decode(void *context, batch_t batch) {
    static int32_t (*original)(void *, batch_t);
    if (!original) {
        original = (int32_t (*)(void *, batch_t))dlsym(RTLD_NEXT, "llama_decode");
    }
    double began = now();
    int32_t result = original(context, batch);
    double until = began + (now() - began) * (1.0 + EXTRA);
    while (now() < until) {
    }
    return result;
}
