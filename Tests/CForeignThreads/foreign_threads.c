#include "CForeignThreads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  pthread_barrier_t *start;
  foreign_call call;
  void *context;
  size_t thread;
  size_t calls;
};

static void *run(void *argument) {
  struct job *job = argument;
  pthread_barrier_wait(job->start);
  for (size_t number = 0; number < job->calls; number++) job->call(job->context, job->thread, number);
  return NULL;
}

void foreign_threads_call(size_t threads, size_t calls, foreign_call call, void *context) {
  pthread_barrier_t start;
  pthread_t *ids = calloc(threads, sizeof *ids);
  struct job *jobs = calloc(threads, sizeof *jobs);
  pthread_barrier_init(&start, NULL, (unsigned)threads);
  for (size_t i = 0; i < threads; i++) {
    jobs[i] = (struct job){&start, call, context, i, calls};
    int error = pthread_create(&ids[i], NULL, run, &jobs[i]);
    if (error != 0) {
      // The others would wait at the barrier for ever.
      fprintf(stderr, "pthread_create: %s\n", strerror(error));
      abort();
    }
  }
  for (size_t i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  pthread_barrier_destroy(&start);
  free(jobs);
  free(ids);
}
