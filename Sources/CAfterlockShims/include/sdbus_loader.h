// sd-bus, loaded once something plays.
//
// Linking libsystemd brings seven shared objects before `main`, and nobody needs the bus before the first sound. So it is
// opened with dlopen, and every function that is used stands in one struct, typed by its own declaration.
#pragma once
#include <systemd/sd-bus.h>

#define AFL_SDBUS_FUNCTIONS(X)                                                                                   \
  X(sd_bus_add_match_async)                                                                                      \
  X(sd_bus_add_object_vtable)                                                                                    \
  X(sd_bus_call)                                                                                                 \
  X(sd_bus_call_async)                                                                                           \
  X(sd_bus_close_unref)                                                                                          \
  X(sd_bus_creds_get_comm)                                                                                       \
  X(sd_bus_creds_get_pid)                                                                                        \
  X(sd_bus_creds_unref)                                                                                          \
  X(sd_bus_emit_properties_changed_strv)                                                                         \
  X(sd_bus_error_free)                                                                                           \
  X(sd_bus_error_set)                                                                                            \
  X(sd_bus_flush)                                                                                                \
  X(sd_bus_get_events)                                                                                           \
  X(sd_bus_get_fd)                                                                                               \
  X(sd_bus_get_timeout)                                                                                          \
  X(sd_bus_get_unique_name)                                                                                      \
  X(sd_bus_is_ready)                                                                                             \
  X(sd_bus_message_append_basic)                                                                                 \
  X(sd_bus_message_close_container)                                                                              \
  X(sd_bus_message_enter_container)                                                                              \
  X(sd_bus_message_exit_container)                                                                               \
  X(sd_bus_message_get_error)                                                                                    \
  X(sd_bus_message_get_member)                                                                                   \
  X(sd_bus_message_get_sender)                                                                                   \
  X(sd_bus_message_is_method_error)                                                                              \
  X(sd_bus_message_new_method_call)                                                                              \
  X(sd_bus_message_new_method_error)                                                                             \
  X(sd_bus_message_new_method_return)                                                                            \
  X(sd_bus_message_new_signal)                                                                                   \
  X(sd_bus_message_open_container)                                                                               \
  X(sd_bus_message_peek_type)                                                                                    \
  X(sd_bus_message_read_basic)                                                                                   \
  X(sd_bus_message_ref)                                                                                          \
  X(sd_bus_message_set_auto_start)                                                                               \
  X(sd_bus_message_skip)                                                                                         \
  X(sd_bus_message_unref)                                                                                        \
  X(sd_bus_new)                                                                                                  \
  X(sd_bus_process)                                                                                              \
  X(sd_bus_query_sender_creds)                                                                                   \
  X(sd_bus_request_name)                                                                                         \
  X(sd_bus_send)                                                                                                 \
  X(sd_bus_set_address)                                                                                          \
  X(sd_bus_set_bus_client)                                                                                       \
  X(sd_bus_set_description)                                                                                      \
  X(sd_bus_set_method_call_timeout)                                                                              \
  X(sd_bus_slot_unref)                                                                                           \
  X(sd_bus_start)

/// The functions of sd-bus that are used; all set, once loaded.
struct afl_sdbus {
#define AFL_MEMBER(name) __typeof__(name) *_Nonnull name;
  AFL_SDBUS_FUNCTIONS(AFL_MEMBER)
#undef AFL_MEMBER
};

/// Loads sd-bus at the first call; safe from any thread. NULL when the library is missing.
const struct afl_sdbus *_Nullable afl_sdbus_load(void);

/// Why `afl_sdbus_load` gave NULL, as the dynamic loader says it; "" after a success. Call it after the load.
const char *_Nonnull afl_sdbus_load_error(void);

// What follows is built by macros over brace initialisers, which Swift does not import. Strings and handlers must live as
// long as the table.

/// SD_BUS_VTABLE_START; after `afl_sdbus_load`.
sd_bus_vtable afl_bus_vtable_start(void);
/// SD_BUS_VTABLE_END
sd_bus_vtable afl_bus_vtable_end(void);
/// SD_BUS_METHOD_WITH_NAMES; `names` are those of the arguments and then of the results, each with a NUL behind it.
sd_bus_vtable afl_bus_method(
    const char *_Nonnull member, const char *_Nonnull signature, const char *_Nonnull result, const char *_Nonnull names,
    sd_bus_message_handler_t _Nonnull handler);
/// SD_BUS_SIGNAL_WITH_NAMES
sd_bus_vtable afl_bus_signal(
    const char *_Nonnull member, const char *_Nonnull signature, const char *_Nonnull names);
/// SD_BUS_PROPERTY, or SD_BUS_WRITABLE_PROPERTY where `set` is given.
sd_bus_vtable afl_bus_property(
    const char *_Nonnull member, const char *_Nonnull signature, sd_bus_property_get_t _Nonnull get,
    sd_bus_property_set_t _Nullable set, uint64_t flags);
