/* A stand-in for libnvidia-ml.so.1 whose GPUs are lines of the file that $FAKE_NVML names.
 *
 * The file is read at every call, so that a test changes the machine while it is watched. A line is `key value`,
 * or `N.key value` for GPU N, or `N.K.key value` for MIG instance K of GPU N; the most special one counts.
 * `<symbol> rc 15` style lines (`rc.nvmlDeviceGetMemoryInfo 3`) make that call answer with an error, `crash.X 1`
 * makes it a SIGSEGV, `lost 999` makes every call on a device fail. Memory is in MiB, names may hold \xNN.
 * Compiled with -DOLD it lacks the symbols that came with later drivers.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;
typedef int nvmlReturn_t;
typedef void *Device; /* (gpu + 1) + 256 * (instance + 1), the latter 0 for a whole GPU */

enum { OK, UNINITIALIZED, INVALID, NOT_SUPPORTED, NO_PERMISSION, NOT_FOUND = 6, SMALL = 7 };

static int lookup(const char *key, char *out, size_t size) {
    const char *path = getenv("FAKE_NVML");
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[1024];
    int found = 0;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        size_t length = strlen(key);
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, key, length) && line[length] == ' ') {
            snprintf(out, size, "%s", line + length + 1);
            found = 1;
        }
    }
    fclose(file);
    return found;
}

static int gpu_of(Device device) { return (int)((size_t)device & 255) - 1; }
static int instance_of(Device device) { return (int)((size_t)device >> 8) - 1; }
static Device make(int gpu, int instance) { return (Device)(size_t)((gpu + 1) + 256 * (instance + 1)); }

static int of_device(Device device, const char *key, char *out, size_t size) {
    char name[160];
    if (instance_of(device) >= 0) {
        snprintf(name, sizeof name, "%d.%d.%s", gpu_of(device), instance_of(device), key);
        if (lookup(name, out, size)) return 1;
    }
    snprintf(name, sizeof name, "%d.%s", gpu_of(device), key);
    return lookup(name, out, size) || lookup(key, out, size);
}

static long long number(Device device, const char *key, long long otherwise) {
    char text[64];
    return of_device(device, key, text, sizeof text) ? strtoll(text, NULL, 0) : otherwise;
}

static long long setting(const char *key, long long otherwise) {
    char text[64];
    return lookup(key, text, sizeof text) ? strtoll(text, NULL, 0) : otherwise;
}

/* What the test planted for this call: a crash, an error, or nothing. */
static nvmlReturn_t planted(Device device, const char *symbol) {
    char key[160];
    snprintf(key, sizeof key, "crash.%s", symbol);
    if (setting(key, 0)) raise(SIGSEGV);
    if (device && number(device, "lost", 0)) return (nvmlReturn_t)number(device, "lost", 0);
    snprintf(key, sizeof key, "rc.%s", symbol);
    return (nvmlReturn_t)(device ? number(device, key, 0) : setting(key, 0));
}

#define ENTER(device) do { nvmlReturn_t rc_ = planted(device, __func__); if (rc_) return rc_; } while (0)

static void text(Device device, const char *key, const char *otherwise, char *out, unsigned size) {
    char raw[512];
    unsigned at = 0;
    if (!(device ? of_device(device, key, raw, sizeof raw) : lookup(key, raw, sizeof raw)))
        snprintf(raw, sizeof raw, "%s", otherwise);
    for (char *from = raw; *from && at + 1 < size; at++) {
        if (from[0] == '\\' && from[1] == 'x') {
            char hex[3] = {from[2], from[3], 0};
            out[at] = (char)strtol(hex, NULL, 16);
            from += 4;
        } else
            out[at] = *from++;
    }
    out[at] = 0;
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags) { (void)flags; ENTER(NULL); return OK; }
nvmlReturn_t nvmlShutdown(void) { ENTER(NULL); return OK; }

const char *nvmlErrorString(nvmlReturn_t rc) {
    switch (rc) {
    case 3: return "Not Supported";
    case 4: return "Insufficient Permissions";
    case 9: return "Driver Not Loaded";
    case 15: return "GPU is lost";
    case 18: return "Driver/library version mismatch";
    default: return "Unknown Error";
    }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *out, unsigned size) {
    ENTER(NULL); text(NULL, "driver", "550.54.14", out, size); return OK;
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *out, unsigned size) {
    ENTER(NULL); text(NULL, "nvml", "12.550.54", out, size); return OK;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *out) { ENTER(NULL); *out = (int)setting("cuda", 12040); return OK; }
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *out) { return nvmlSystemGetCudaDriverVersion_v2(out); }
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *out) { ENTER(NULL); *out = (unsigned)setting("count", 1); return OK; }

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, Device *out) {
    *out = make((int)index, -1);
    ENTER(*out);
    return index < (unsigned)setting("count", 1) ? OK : INVALID;
}

static void uuid(Device device, char *out, unsigned size) {
    char otherwise[64];
    int gpu = gpu_of(device), instance = instance_of(device);
    if (instance >= 0)
        snprintf(otherwise, sizeof otherwise, "MIG-%08d-0000-0000-0000-%012d", gpu, instance);
    else
        snprintf(otherwise, sizeof otherwise, "GPU-%08d-0000-0000-0000-000000000000", gpu);
    text(device, "uuid", otherwise, out, size);
}

nvmlReturn_t nvmlDeviceGetUUID(Device device, char *out, unsigned size) { ENTER(device); uuid(device, out, size); return OK; }

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *wanted, Device *out) {
    char found[96];
    ENTER(NULL);
    for (int gpu = 0; gpu < setting("count", 1); gpu++)
        for (int instance = -1; instance < number(make(gpu, -1), "mig", 0); instance++) {
            *out = make(gpu, instance);
            uuid(*out, found, sizeof found);
            if (!strcmp(found, wanted)) { ENTER(*out); return OK; }
        }
    return NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetName(Device device, char *out, unsigned size) {
    ENTER(device); text(device, "name", "NVIDIA GeForce RTX 3090", out, size); return OK;
}
nvmlReturn_t nvmlDeviceGetVbiosVersion(Device device, char *out, unsigned size) {
    ENTER(device); text(device, "vbios", "94.02.42.00.A9", out, size); return OK;
}
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor) {
    char found[16];
    ENTER(device);
    text(device, "cc", "8.6", found, sizeof found);
    return sscanf(found, "%d.%d", major, minor) == 2 ? OK : NOT_SUPPORTED;
}

struct memory { ull total, free, used; };
struct memory_v2 { unsigned version; ull total, reserved, free, used; };

static ull mib(Device device, const char *key, long long otherwise) { return (ull)number(device, key, otherwise) << 20; }

nvmlReturn_t nvmlDeviceGetMemoryInfo(Device device, struct memory *out) {
    ENTER(device);
    out->total = mib(device, "total", 24576);
    out->used = mib(device, "used", 500);
    out->free = out->total - out->used;
    return OK;
}

nvmlReturn_t nvmlDeviceIsMigDeviceHandle(Device device, unsigned *out) { ENTER(device); *out = instance_of(device) >= 0; return OK; }
nvmlReturn_t nvmlDeviceGetMigMode(Device device, unsigned *now, unsigned *pending) {
    ENTER(device);
    if (number(device, "mig", -1) < 0) return NOT_SUPPORTED;
    *now = *pending = number(device, "mig", 0) > 0;
    return OK;
}
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(Device device, unsigned *out) { ENTER(device); *out = 7; return OK; }
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device *out) {
    ENTER(device);
    *out = make(gpu_of(device), (int)index);
    return index < number(device, "mig", 0) ? OK : NOT_FOUND;
}
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device device, Device *out) {
    ENTER(device); *out = make(gpu_of(device), -1); return OK;
}

struct process { unsigned pid; ull memory; unsigned gpu_instance, compute_instance; };

/* A list is `pid:MiB pid:MiB`; a negative size is one that NVML does not tell. */
static nvmlReturn_t processes(Device device, const char *key, unsigned *count, struct process *out) {
    char list[512];
    unsigned room = *count, found = 0;
    text(device, key, "", list, sizeof list);
    for (char *word = strtok(list, " "); word; word = strtok(NULL, " "), found++) {
        long long size = -1;
        unsigned pid = 0;
        sscanf(word, "%u:%lld", &pid, &size);
        if (out && found < room)
            out[found] = (struct process){pid, size < 0 ? ~0ULL : (ull)size << 20, ~0U, ~0U};
    }
    *count = found;
    return found > room || (!out && found) ? SMALL : OK;
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(Device device, unsigned *count, struct process *out) {
    ENTER(device); return processes(device, "compute", count, out);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(Device device, unsigned *count, struct process *out) {
    ENTER(device); return processes(device, "graphics", count, out);
}

struct utilization { unsigned gpu, memory; };
nvmlReturn_t nvmlDeviceGetUtilizationRates(Device device, struct utilization *out) {
    ENTER(device); out->gpu = (unsigned)number(device, "use", 0); out->memory = 0; return OK;
}

#define NUMBER(symbol, type, key, otherwise) \
    nvmlReturn_t symbol(Device device, type *out) { ENTER(device); *out = (type)number(device, key, otherwise); return OK; }
#define OF_KIND(symbol, key, otherwise) \
    nvmlReturn_t symbol(Device device, int kind, unsigned *out) { \
        char name[64]; \
        ENTER(device); \
        snprintf(name, sizeof name, "%s%d", key, kind); \
        *out = (unsigned)number(device, name, otherwise); \
        return OK; \
    }

OF_KIND(nvmlDeviceGetTemperature, "temperature", 40)
OF_KIND(nvmlDeviceGetClockInfo, "clock", kind == 2 ? 9501 : 1800)
OF_KIND(nvmlDeviceGetMaxClockInfo, "max_clock", kind == 2 ? 9751 : 2100)
NUMBER(nvmlDeviceGetPowerUsage, unsigned, "power_mw", 300000)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, unsigned, "limit_mw", 350000)
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, unsigned, "default_limit_mw", 350000)
NUMBER(nvmlDeviceGetTotalEnergyConsumption, ull, "energy_mj", 1000)
NUMBER(nvmlDeviceGetPerformanceState, int, "pstate", 2)
NUMBER(nvmlDeviceGetPersistenceMode, int, "persistence", 1)
NUMBER(nvmlDeviceGetComputeMode, int, "compute_mode", 0)
NUMBER(nvmlDeviceGetDisplayActive, int, "display", 0)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, unsigned, "pcie_width", 16)
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, unsigned, "pcie_generation", 4)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, unsigned, "max_pcie_width", 16)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, unsigned, "max_pcie_generation", 4)
NUMBER(nvmlDeviceGetCurrentClocksThrottleReasons, ull, "reasons", 0)

nvmlReturn_t nvmlDeviceGetEccMode(Device device, int *now, int *pending) {
    ENTER(device); *now = *pending = (int)number(device, "ecc", -1); return *now < 0 ? NOT_SUPPORTED : OK;
}

struct violation { ull reference, time; };
nvmlReturn_t nvmlDeviceGetViolationStatus(Device device, int policy, struct violation *out) {
    char key[32];
    ENTER(device);
    snprintf(key, sizeof key, "violation%d_ns", policy);
    if (number(device, key, -1) < 0) return NOT_SUPPORTED;
    *out = (struct violation){0, (ull)number(device, key, 0)};
    return OK;
}

#ifndef OLD
NUMBER(nvmlDeviceGetCurrentClocksEventReasons, ull, "reasons", 0)

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(Device device, struct memory_v2 *out) {
    ENTER(device);
    if (out->version != 0x02000028) return INVALID;
    out->total = mib(device, "total", 24576);
    out->reserved = mib(device, "reserved", 300);
    out->used = mib(device, "used", 500) - out->reserved;
    out->free = out->total - out->reserved - out->used;
    return OK;
}
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned *count, struct process *out) {
    ENTER(device); return processes(device, "compute", count, out);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(Device device, unsigned *count, struct process *out) {
    ENTER(device); return processes(device, "graphics", count, out);
}

struct field { unsigned id, scope; long long timestamp, latency; int type, rc; ull value; };
nvmlReturn_t nvmlDeviceGetFieldValues(Device device, int count, struct field *out) {
    char key[32];
    ENTER(device);
    for (int place = 0; place < count; place++) {
        snprintf(key, sizeof key, "field%u", out[place].id);
        out[place].rc = number(device, key, -1) < 0 ? NOT_SUPPORTED : OK;
        out[place].value = (ull)number(device, key, 0);
    }
    return OK;
}
#endif
