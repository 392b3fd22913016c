// What Swift cannot import of PipeWire. Each group says what forces it.
#pragma once
#include <pipewire/pipewire.h>

#include <pipewire/extensions/metadata.h>
#include <stdbool.h>
#include <stdint.h>

// Methods of interfaces are macros over a table of functions.
void afl_core_add_listener(struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events,
                           void *data);
int afl_core_sync(struct pw_core *core, int sequence);
struct pw_registry *afl_core_get_registry(struct pw_core *core);
void afl_registry_add_listener(struct pw_registry *registry, struct spa_hook *hook,
                               const struct pw_registry_events *events, void *data);
struct pw_metadata *afl_registry_bind_metadata(struct pw_registry *registry, uint32_t id);
void afl_metadata_add_listener(struct pw_metadata *metadata, struct spa_hook *hook,
                               const struct pw_metadata_events *events, void *data);
struct pw_proxy *afl_registry_bind_node(struct pw_registry *registry, uint32_t id);
struct pw_proxy *afl_registry_bind_device(struct pw_registry *registry, uint32_t id);
void afl_node_add_listener(struct pw_proxy *node, struct spa_hook *hook, const struct pw_node_events *events,
                           void *data);
void afl_device_add_listener(struct pw_proxy *device, struct spa_hook *hook,
                             const struct pw_device_events *events, void *data);
// An inline function over a list, and safe for a hook that was never added.
void afl_hook_remove(struct spa_hook *hook);

// Sources of a loop are macros too.
struct spa_source *afl_loop_add_timer(struct pw_loop *loop, void (*callback)(void *data, uint64_t expirations),
                                      void *data);
// Fires once after `nanoseconds` (at once for 1); never for 0.
void afl_loop_arm_timer(struct pw_loop *loop, struct spa_source *timer, int64_t nanoseconds);
struct spa_source *afl_loop_add_event(struct pw_loop *loop, void (*callback)(void *data, uint64_t count),
                                      void *data);
// Wakes the loop; made for real-time threads (one write to an eventfd).
void afl_loop_signal_event(struct pw_loop *loop, struct spa_source *event);
void afl_loop_destroy_source(struct pw_loop *loop, struct spa_source *source);

// A variable number of arguments.
struct pw_properties *afl_properties_new(void);
int afl_stream_set_volume(struct pw_stream *stream, const float *volumes, uint32_t count, bool muted);

// A builder is set up by a macro. Positions are enum spa_audio_channel. Returns 0 or -errno.
int afl_stream_connect_output(struct pw_stream *stream, uint32_t rate, uint32_t channels,
                              const uint32_t *positions, bool inactive);
// The size of pw_time goes with the caller's headers.
int afl_stream_get_time(struct pw_stream *stream, struct pw_time *time);

// Constants that are macros with casts.
uint32_t afl_id_any(void);
uint32_t afl_id_core(void);
uint32_t afl_prop_channel_volumes(void);
uint32_t afl_prop_mute(void);
const char *afl_type_node(void);
const char *afl_type_device(void);
const char *afl_type_link(void);
const char *afl_type_metadata(void);
