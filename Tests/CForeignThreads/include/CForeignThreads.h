#ifndef C_FOREIGN_THREADS_H
#define C_FOREIGN_THREADS_H

#include <stddef.h>

/// What is called on each thread: the caller's context, the number of the thread from 0 and of the call from 0.
typedef void (*foreign_call)(void *context, size_t thread, size_t number);

/// Starts `threads` pthreads, which begin together and all call `call` `calls` times, and waits for them.
void foreign_threads_call(size_t threads, size_t calls, foreign_call call, void *context);

#endif
