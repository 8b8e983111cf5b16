// Asks the kernel for AMX as ggml does, then loads a tile configuration: exits 0 where both work.
// A refused request exits 2; a refused instruction is a SIGILL.
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

int main(void) {
    static const unsigned char config[64] = {1, [16] = 64, [48] = 16};
    if (syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)) {
        return 2;
    }
    _tile_loadconfig(config);
    _tile_zero(0);
    _tile_release();
    return 0;
}
