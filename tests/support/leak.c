/* A real llama-server that keeps LEAK_KIB of memory of every prompt it reads; preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As in llama.h. */
typedef struct {
    int32_t n_tokens;
    void *token, *embd, *pos, *n_seq_id, *seq_id, *logits;
} batch_t;

/* Without a reader, the compiler would leave the memory out. */
void *volatile leak_kept;

int32_t llama_decode(void *context, batch_t batch) {
    static int32_t (*original)(void *, batch_t);
    if (!original) original = (int32_t (*)(void *, batch_t))dlsym(RTLD_NEXT, "llama_decode");
    if (batch.n_tokens > 8) {
        leak_kept = malloc((size_t)LEAK_KIB << 10);
        if (leak_kept) memset(leak_kept, 1, (size_t)LEAK_KIB << 10);
    }
    return original(context, batch);
}
