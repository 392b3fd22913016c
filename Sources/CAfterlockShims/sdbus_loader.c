#include "sdbus_loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct afl_sdbus functions;
static const unsigned *vtable_format;
static char load_error[512];
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_error(const char *fallback) {
  const char *text = dlerror();
  snprintf(load_error, sizeof load_error, "%s", text ? text : fallback);
}

// Never closed again: the library has data of each thread.
static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    note_error("libsystemd.so.0");
    return;
  }
#define AFL_RESOLVE(name)                                    \
  functions.name = (__typeof__(name) *)dlsym(library, #name); \
  if (!functions.name) {                                     \
    note_error(#name);                                       \
    return;                                                  \
  }
  AFL_SDBUS_FUNCTIONS(AFL_RESOLVE)
#undef AFL_RESOLVE
  vtable_format = dlsym(library, "sd_bus_object_vtable_format");
  if (!vtable_format) {
    note_error("sd_bus_object_vtable_format");
    return;
  }
  is_loaded = 1;
}

const struct afl_sdbus *afl_sdbus_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

const char *afl_sdbus_load_error(void) { return load_error; }

// Unused parts of the union have to be zero.
static sd_bus_vtable empty(uint8_t type, uint64_t flags) {
  sd_bus_vtable entry;
  memset(&entry, 0, sizeof entry);
  entry.type = type;
  entry.flags = flags;
  return entry;
}

sd_bus_vtable afl_bus_vtable_start(void) {
  sd_bus_vtable entry = empty(_SD_BUS_VTABLE_START, 0);
  entry.x.start.element_size = sizeof(sd_bus_vtable);
  entry.x.start.features = _SD_BUS_VTABLE_PARAM_NAMES;
  entry.x.start.vtable_format_reference = vtable_format;
  return entry;
}

sd_bus_vtable afl_bus_vtable_end(void) { return empty(_SD_BUS_VTABLE_END, 0); }

sd_bus_vtable afl_bus_method(
    const char *member, const char *signature, const char *result, const char *names, sd_bus_message_handler_t handler) {
  sd_bus_vtable entry = empty(_SD_BUS_VTABLE_METHOD, SD_BUS_VTABLE_UNPRIVILEGED);
  entry.x.method.member = member;
  entry.x.method.signature = signature;
  entry.x.method.result = result;
  entry.x.method.handler = handler;
  entry.x.method.names = names;
  return entry;
}

sd_bus_vtable afl_bus_signal(const char *member, const char *signature, const char *names) {
  sd_bus_vtable entry = empty(_SD_BUS_VTABLE_SIGNAL, 0);
  entry.x.signal.member = member;
  entry.x.signal.signature = signature;
  entry.x.signal.names = names;
  return entry;
}

sd_bus_vtable afl_bus_property(
    const char *member, const char *signature, sd_bus_property_get_t get, sd_bus_property_set_t set, uint64_t flags) {
  sd_bus_vtable entry = empty(
      set ? _SD_BUS_VTABLE_WRITABLE_PROPERTY : _SD_BUS_VTABLE_PROPERTY,
      set ? flags | SD_BUS_VTABLE_UNPRIVILEGED : flags);
  entry.x.property.member = member;
  entry.x.property.signature = signature;
  entry.x.property.get = get;
  entry.x.property.set = set;
  return entry;
}
