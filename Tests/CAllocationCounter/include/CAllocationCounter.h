// Counts what each thread allocates and frees, by standing in for the C library's own functions. A program that links
// this has its memory counted, its libraries' included.
#pragma once
#include <stdint.h>
#include <sys/types.h>

// Calls of malloc, calloc, realloc, memalign and free so far on the thread with this id; 0 for one that made none.
int64_t afl_allocations_of_thread(pid_t thread);
pid_t afl_current_thread(void);
// The thread on which PipeWire has asked for sound last, 0 for none yet; and how often it has.
pid_t afl_callback_thread(void);
int64_t afl_callbacks(void);
// Makes a thread of this process allocate once, by a signal; for showing that it is seen. Returns 0 or an errno.
int afl_plant_allocation(pid_t thread);
