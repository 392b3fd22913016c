#include "include/pipewire_shims.h"

#include <errno.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/props.h>
#include <string.h>

void afl_core_add_listener(struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events,
                           void *data) {
  pw_core_add_listener(core, hook, events, data);
}

int afl_core_sync(struct pw_core *core, int sequence) { return pw_core_sync(core, PW_ID_CORE, sequence); }

struct pw_registry *afl_core_get_registry(struct pw_core *core) {
  return pw_core_get_registry(core, PW_VERSION_REGISTRY, 0);
}

void afl_registry_add_listener(struct pw_registry *registry, struct spa_hook *hook,
                               const struct pw_registry_events *events, void *data) {
  pw_registry_add_listener(registry, hook, events, data);
}

struct pw_metadata *afl_registry_bind_metadata(struct pw_registry *registry, uint32_t id) {
  return pw_registry_bind(registry, id, PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, 0);
}

void afl_metadata_add_listener(struct pw_metadata *metadata, struct spa_hook *hook,
                               const struct pw_metadata_events *events, void *data) {
  pw_metadata_add_listener((void *)metadata, hook, events, data);
}

struct pw_proxy *afl_registry_bind_node(struct pw_registry *registry, uint32_t id) {
  return pw_registry_bind(registry, id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
}

struct pw_proxy *afl_registry_bind_device(struct pw_registry *registry, uint32_t id) {
  return pw_registry_bind(registry, id, PW_TYPE_INTERFACE_Device, PW_VERSION_DEVICE, 0);
}

void afl_node_add_listener(struct pw_proxy *node, struct spa_hook *hook, const struct pw_node_events *events,
                           void *data) {
  pw_node_add_listener((struct pw_node *)node, hook, events, data);
}

void afl_device_add_listener(struct pw_proxy *device, struct spa_hook *hook,
                             const struct pw_device_events *events, void *data) {
  pw_device_add_listener((struct pw_device *)device, hook, events, data);
}

void afl_hook_remove(struct spa_hook *hook) {
  if (hook->link.next != NULL) spa_hook_remove(hook);
  memset(hook, 0, sizeof *hook);
}

struct spa_source *afl_loop_add_timer(struct pw_loop *loop, void (*callback)(void *data, uint64_t expirations),
                                      void *data) {
  return pw_loop_add_timer(loop, callback, data);
}

void afl_loop_arm_timer(struct pw_loop *loop, struct spa_source *timer, int64_t nanoseconds) {
  struct timespec value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  pw_loop_update_timer(loop, timer, &value, NULL, false);
}

struct spa_source *afl_loop_add_event(struct pw_loop *loop, void (*callback)(void *data, uint64_t count),
                                      void *data) {
  return pw_loop_add_event(loop, callback, data);
}

void afl_loop_signal_event(struct pw_loop *loop, struct spa_source *event) { pw_loop_signal_event(loop, event); }

void afl_loop_destroy_source(struct pw_loop *loop, struct spa_source *source) {
  pw_loop_destroy_source(loop, source);
}

struct pw_properties *afl_properties_new(void) { return pw_properties_new(NULL, NULL); }

int afl_stream_set_volume(struct pw_stream *stream, const float *volumes, uint32_t count, bool muted) {
  float mute = muted ? 1 : 0;
  return pw_stream_set_control(stream, SPA_PROP_channelVolumes, count, (float *)volumes, SPA_PROP_mute, 1, &mute,
                               0);
}

int afl_stream_connect_output(struct pw_stream *stream, uint32_t rate, uint32_t channels,
                              const uint32_t *positions, bool inactive) {
  if (channels == 0 || channels > SPA_AUDIO_MAX_CHANNELS) return -EINVAL;
  struct spa_audio_info_raw info = {.format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = channels};
  for (uint32_t i = 0; i < channels; i++) info.position[i] = positions[i];
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  const struct spa_pod *params[1] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info)};
  enum pw_stream_flags flags =
      PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
  if (inactive) flags |= PW_STREAM_FLAG_INACTIVE;
  return pw_stream_connect(stream, PW_DIRECTION_OUTPUT, PW_ID_ANY, flags, params, 1);
}

int afl_stream_get_time(struct pw_stream *stream, struct pw_time *time) {
  return pw_stream_get_time_n(stream, time, sizeof *time);
}

uint32_t afl_id_any(void) { return PW_ID_ANY; }
uint32_t afl_id_core(void) { return PW_ID_CORE; }
uint32_t afl_prop_channel_volumes(void) { return SPA_PROP_channelVolumes; }
uint32_t afl_prop_mute(void) { return SPA_PROP_mute; }
const char *afl_type_node(void) { return PW_TYPE_INTERFACE_Node; }
const char *afl_type_device(void) { return PW_TYPE_INTERFACE_Device; }
const char *afl_type_link(void) { return PW_TYPE_INTERFACE_Link; }
const char *afl_type_metadata(void) { return PW_TYPE_INTERFACE_Metadata; }
