#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

struct pw_buffer;
struct pw_stream;

enum { maximum_threads = 1024 };
static struct {
  _Atomic pid_t thread;
  _Atomic int64_t calls;
} counters[maximum_threads];
static _Atomic int used;
// Initial-exec, so that the first touch allocates nothing.
static __thread int own __attribute__((tls_model("initial-exec"))) = -1;

static void count(void) {
  if (own < 0) {
    own = atomic_fetch_add(&used, 1) % maximum_threads;
    atomic_store(&counters[own].calls, 0);
    atomic_store(&counters[own].thread, (pid_t)syscall(SYS_gettid));
  }
  atomic_fetch_add_explicit(&counters[own].calls, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
  if (memory == NULL) return;
  count();
  __libc_free(memory);
}

int64_t afl_allocations_of_thread(pid_t thread) {
  for (int i = 0; i < maximum_threads; i++)
    if (atomic_load(&counters[i].thread) == thread) return atomic_load(&counters[i].calls);
  return 0;
}

// The thread that calls back is the one that takes a buffer from the stream: PipeWire's function is stood in for, too.
static struct pw_buffer *(*dequeue_buffer)(struct pw_stream *);
static _Atomic pid_t callback_thread;
static _Atomic int64_t callbacks;

__attribute__((constructor)) static void find_dequeue_buffer(void) {
  dequeue_buffer = (struct pw_buffer * (*)(struct pw_stream *)) dlsym(RTLD_NEXT, "pw_stream_dequeue_buffer");
}

struct pw_buffer *pw_stream_dequeue_buffer(struct pw_stream *stream) {
  atomic_store_explicit(&callback_thread, (pid_t)syscall(SYS_gettid), memory_order_relaxed);
  atomic_fetch_add_explicit(&callbacks, 1, memory_order_relaxed);
  return dequeue_buffer(stream);
}

pid_t afl_callback_thread(void) { return atomic_load(&callback_thread); }

int64_t afl_callbacks(void) { return atomic_load(&callbacks); }

pid_t afl_current_thread(void) { return (pid_t)syscall(SYS_gettid); }

static void allocate(int signal) {
  (void)signal;
  void *volatile memory = malloc(16);
  free(memory);
}

int afl_plant_allocation(pid_t thread) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = allocate;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, NULL);
  return syscall(SYS_tgkill, getpid(), thread, SIGUSR2) == 0 ? 0 : errno;
}
