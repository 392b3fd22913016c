#include "ffmpeg_loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

const int afl_averror_eof = AVERROR_EOF;
const int afl_averror_invalid_data = AVERROR_INVALIDDATA;
const int afl_averror_exit = AVERROR_EXIT;
const int afl_averror_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
const int afl_averror_stream_not_found = AVERROR_STREAM_NOT_FOUND;
const int afl_averror_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
const int afl_averror_patch_welcome = AVERROR_PATCHWELCOME;
const int afl_averror_http_not_found = AVERROR_HTTP_NOT_FOUND;
const int afl_averror_http_forbidden = AVERROR_HTTP_FORBIDDEN;
const int afl_averror_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
const int afl_averror_http_bad_request = AVERROR_HTTP_BAD_REQUEST;
const int afl_averror_http_other_4xx = AVERROR_HTTP_OTHER_4XX;
const int afl_averror_http_server_error = AVERROR_HTTP_SERVER_ERROR;
const int64_t afl_av_nopts_value = AV_NOPTS_VALUE;

int afl_averror(int posix_error) { return AVERROR(posix_error); }

static struct afl_ffmpeg functions;
static char load_error[512];
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct afl_swscale scaling_functions;
static int is_scaling_loaded;
static pthread_once_t scaling_once = PTHREAD_ONCE_INIT;

// av_log_set_callback wants a function with a va_list, which Swift cannot write. FFmpeg's complaints about damaged files
// would go to standard error, among the player's own lines; what matters comes back as an error code.
static void ignore_log(void *context, int level, const char *format, va_list arguments) {
  (void)context, (void)level, (void)format, (void)arguments;
}

static void note_error(const char *fallback) {
  const char *text = dlerror();
  snprintf(load_error, sizeof load_error, "%s", text ? text : fallback);
}

// Never closed again: FFmpeg registers thread-local data and its own once-flags.
static void *open_library(const char *name, int major) {
  char file[64];
  snprintf(file, sizeof file, "lib%s.so.%d", name, major);
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) note_error(file);
  return library;
}

#define AFL_RESOLVE_INTO(table, name)                    \
  table.name = (__typeof__(name) *)dlsym(library, #name); \
  if (!table.name) {                                     \
    note_error(#name);                                   \
    return;                                              \
  }
#define AFL_RESOLVE(name) AFL_RESOLVE_INTO(functions, name)
#define AFL_RESOLVE_SCALING(name) AFL_RESOLVE_INTO(scaling_functions, name)

static void load(void) {
  void *avutil = open_library("avutil", LIBAVUTIL_VERSION_MAJOR);
  void *swresample = avutil ? open_library("swresample", LIBSWRESAMPLE_VERSION_MAJOR) : NULL;
  void *avcodec = swresample ? open_library("avcodec", LIBAVCODEC_VERSION_MAJOR) : NULL;
  void *avformat = avcodec ? open_library("avformat", LIBAVFORMAT_VERSION_MAJOR) : NULL;
  if (!avformat) return;

  void *library = avutil;
  AFL_AVUTIL_FUNCTIONS(AFL_RESOLVE)
  library = avcodec;
  AFL_AVCODEC_FUNCTIONS(AFL_RESOLVE)
  library = avformat;
  AFL_AVFORMAT_FUNCTIONS(AFL_RESOLVE)
  library = swresample;
  AFL_SWRESAMPLE_FUNCTIONS(AFL_RESOLVE)

  functions.av_log_set_callback(ignore_log);
  // A damaged header can ask for any size; no single block of a real file's is near this.
  functions.av_max_alloc(128u << 20);
  is_loaded = 1;
}

const struct afl_ffmpeg *afl_ffmpeg_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

static void load_scaling(void) {
  // Nobody asks for an error that is written from here on: the one before it would have said so.
  if (!afl_ffmpeg_load()) return;
  void *library = open_library("swscale", LIBSWSCALE_VERSION_MAJOR);
  if (!library) return;
  AFL_SWSCALE_FUNCTIONS(AFL_RESOLVE_SCALING)
  is_scaling_loaded = 1;
}

const struct afl_swscale *afl_swscale_load(void) {
  pthread_once(&scaling_once, load_scaling);
  return is_scaling_loaded ? &scaling_functions : NULL;
}

const char *afl_ffmpeg_load_error(void) { return load_error; }
