// What Swift cannot import from C, one header per library; each symbol says which macro or vararg forces it.
#pragma once
#include "ffmpeg_loader.h"
#include "pipewire_shims.h"
#include "sdbus_loader.h"
