// FFmpeg, loaded when the first file needs it.
//
// Linking FFmpeg brings 135 shared objects, 45 ms and 29 MB before `main`, which the plain formats do not need. So it
// is opened with dlopen, by the major version whose headers this was compiled with (FFmpeg keeps its binary interface
// within one major version), and every function that is used stands in one struct, typed by its own declaration.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdint.h>

#define AFL_AVUTIL_FUNCTIONS(X)                                                                                  \
  X(av_channel_layout_channel_from_index)                                                                        \
  X(av_channel_layout_compare)                                                                                   \
  X(av_channel_layout_copy)                                                                                      \
  X(av_channel_layout_default)                                                                                   \
  X(av_channel_layout_uninit)                                                                                    \
  X(av_dict_free)                                                                                                \
  X(av_dict_get)                                                                                                 \
  X(av_dict_set)                                                                                                 \
  X(av_frame_alloc)                                                                                              \
  X(av_frame_free)                                                                                               \
  X(av_frame_get_buffer)                                                                                         \
  X(av_frame_get_side_data)                                                                                      \
  X(av_frame_unref)                                                                                              \
  X(av_free)                                                                                                     \
  X(av_log_set_callback)                                                                                         \
  X(av_malloc)                                                                                                   \
  X(av_max_alloc)                                                                                                \
  X(av_opt_get)                                                                                                  \
  X(av_pix_fmt_desc_get)                                                                                         \
  X(av_rescale_q)                                                                                                \
  X(av_strerror)

#define AFL_AVCODEC_FUNCTIONS(X)                                                                                 \
  X(av_codec_is_decoder)                                                                                         \
  X(av_codec_iterate)                                                                                            \
  X(av_get_bits_per_sample)                                                                                      \
  X(av_new_packet)                                                                                               \
  X(av_packet_alloc)                                                                                             \
  X(av_packet_free)                                                                                              \
  X(av_packet_unref)                                                                                             \
  X(avcodec_alloc_context3)                                                                                      \
  X(avcodec_descriptor_get)                                                                                      \
  X(avcodec_find_decoder)                                                                                        \
  X(avcodec_find_encoder)                                                                                        \
  X(avcodec_flush_buffers)                                                                                       \
  X(avcodec_free_context)                                                                                        \
  X(avcodec_get_name)                                                                                            \
  X(avcodec_open2)                                                                                               \
  X(avcodec_parameters_to_context)                                                                               \
  X(avcodec_receive_frame)                                                                                       \
  X(avcodec_receive_packet)                                                                                      \
  X(avcodec_send_frame)                                                                                          \
  X(avcodec_send_packet)

#define AFL_AVFORMAT_FUNCTIONS(X)                                                                                \
  X(av_find_best_stream)                                                                                         \
  X(av_probe_input_buffer2)                                                                                      \
  X(av_read_frame)                                                                                               \
  X(avformat_alloc_context)                                                                                      \
  X(avformat_close_input)                                                                                        \
  X(avformat_find_stream_info)                                                                                   \
  X(avformat_free_context)                                                                                       \
  X(avformat_network_init)                                                                                       \
  X(avformat_open_input)                                                                                         \
  X(avformat_seek_file)                                                                                          \
  X(avio_alloc_context)                                                                                          \
  X(avio_closep)                                                                                                 \
  X(avio_context_free)                                                                                           \
  X(avio_open2)                                                                                                  \
  X(avio_read_partial)                                                                                           \
  X(avio_size)

#define AFL_SWRESAMPLE_FUNCTIONS(X)                                                                              \
  X(swr_alloc_set_opts2)                                                                                         \
  X(swr_convert)                                                                                                 \
  X(swr_free)                                                                                                    \
  X(swr_get_out_samples)                                                                                         \
  X(swr_init)

#define AFL_SWSCALE_FUNCTIONS(X)                                                                                 \
  X(sws_freeContext)                                                                                             \
  X(sws_getContext)                                                                                              \
  X(sws_scale_frame)

/// The functions of FFmpeg that are used; all set, once loaded.
struct afl_ffmpeg {
#define AFL_MEMBER(name) __typeof__(name) *_Nonnull name;
  AFL_AVUTIL_FUNCTIONS(AFL_MEMBER)
  AFL_AVCODEC_FUNCTIONS(AFL_MEMBER)
  AFL_AVFORMAT_FUNCTIONS(AFL_MEMBER)
  AFL_SWRESAMPLE_FUNCTIONS(AFL_MEMBER)
};

/// The functions of libswscale that are used; all set, once loaded.
struct afl_swscale {
  AFL_SWSCALE_FUNCTIONS(AFL_MEMBER)
#undef AFL_MEMBER
};

/// Loads FFmpeg at the first call and silences its log; safe from any thread. NULL when a library is missing.
const struct afl_ffmpeg *_Nullable afl_ffmpeg_load(void);

/// Loads libswscale at the first call, and FFmpeg before it: sound needs no scaler. Safe from any thread. NULL when a
/// library is missing.
const struct afl_swscale *_Nullable afl_swscale_load(void);

/// Why `afl_ffmpeg_load` gave NULL, as the dynamic loader says it; "" after a success. Call it after the load.
const char *_Nonnull afl_ffmpeg_load_error(void);

// Constants below are expressions over FFERRTAG, AVERROR or a cast, which Swift does not import.

/// AVERROR_EOF: FFERRTAG.
extern const int afl_averror_eof;
/// AVERROR_INVALIDDATA: FFERRTAG.
extern const int afl_averror_invalid_data;
/// AVERROR_EXIT: FFERRTAG.
extern const int afl_averror_exit;
/// AVERROR_DECODER_NOT_FOUND: FFERRTAG.
extern const int afl_averror_decoder_not_found;
/// AVERROR_STREAM_NOT_FOUND: FFERRTAG.
extern const int afl_averror_stream_not_found;
/// AVERROR_PROTOCOL_NOT_FOUND: FFERRTAG.
extern const int afl_averror_protocol_not_found;
/// AVERROR_PATCHWELCOME: FFERRTAG.
extern const int afl_averror_patch_welcome;
/// AVERROR_HTTP_NOT_FOUND: FFERRTAG.
extern const int afl_averror_http_not_found;
/// AVERROR_HTTP_FORBIDDEN: FFERRTAG.
extern const int afl_averror_http_forbidden;
/// AVERROR_HTTP_UNAUTHORIZED: FFERRTAG.
extern const int afl_averror_http_unauthorized;
/// AVERROR_HTTP_BAD_REQUEST, _OTHER_4XX, _SERVER_ERROR: FFERRTAG.
extern const int afl_averror_http_bad_request, afl_averror_http_other_4xx, afl_averror_http_server_error;
/// AV_NOPTS_VALUE: a cast of a 64-bit constant.
extern const int64_t afl_av_nopts_value;

/// AVERROR(e): a macro with an argument.
int afl_averror(int posix_error);
