// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// zlib, and libzstd where the build has it.
#include "halocline/io/compression.hpp"

#include <hdf5.h>
#include <zlib.h>
#ifdef HALOCLINE_HAVE_ZSTD
#include <zstd.h>
#endif

#include <array>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/io/hdf5_layout.hpp"

namespace halocline {

namespace {

struct Method {
    std::string_view name;
    Codec codec;
    int usual_level;
    int most;
};

/// Level 1 of deflate packs doubles nearly as tightly as 9, at a third of the time.
constexpr std::array methods{Method{"none", Codec::none, 0, 0},
                             Method{"deflate", Codec::deflate, 1, 9},
                             Method{"zstd", Codec::zstd, 1, 19}};

/// Bytes packed into `into`, 0 when they do not fit there.
std::size_t pack_into(const Compression& compression, std::span<const std::byte> from,
                      std::span<std::byte> into) {
    if (compression.codec == Codec::deflate) {
        uLongf size = into.size();
        const int status =
            compress2(reinterpret_cast<Bytef*>(into.data()), &size,
                      reinterpret_cast<const Bytef*>(from.data()), from.size(), compression.level);
        return status == Z_OK ? size : 0;
    }
#ifdef HALOCLINE_HAVE_ZSTD
    const std::size_t size =
        ZSTD_compress(into.data(), into.size(), from.data(), from.size(), compression.level);
    return ZSTD_isError(size) != 0 ? 0 : size;
#else
    return 0;
#endif
}

}  // namespace

std::vector<std::string_view> compression_names() {
    std::vector<std::string_view> names;
    for (const Method& method : methods) {
        names.push_back(method.name);
    }
    return names;
}

Compression make_compression(const std::string& name, int level) {
    for (const Method& method : methods) {
        if (method.name == name) {
            validate<UsageError>(level >= 0 && level <= method.most,
                                 "compression '" + name + "' has no level " +
                                     std::to_string(level) + " (levels are 1 to " +
                                     std::to_string(method.most) + "; 0 is the usual one).");
            return {method.codec, level == 0 ? method.usual_level : level};
        }
    }
    throw UsageError("there is no compression '" + name + "'. " +
                     suggest_name(name, compression_names()));
}

void require_available(const Compression& compression) {
    if (compression.codec != Codec::zstd) {
        return;
    }
#ifdef HALOCLINE_HAVE_ZSTD
    constexpr bool is_built = true;
#else
    constexpr bool is_built = false;
#endif
    validate<EnvironmentError>(
        is_built && H5Zfilter_avail(hdf5_filter_zstd) > 0,
        std::string("results cannot be packed by zstd (") +
            (is_built ? "the HDF5 library finds no plugin for filter 32015"
                      : "halocline was built without libzstd") +
            "). Choose deflate, or " +
            (is_built ? "set HDF5_PLUGIN_PATH to a folder with the plugin (Python's package "
                        "hdf5plugin has one)."
                      : "install libzstd-dev and build again."));
}

std::optional<std::span<const std::byte>> ChunkPacker::pack(std::span<const std::byte> chunk) {
    shuffled_.resize(chunk.size());
    const std::size_t count = chunk.size() / value_bytes_;
    for (std::size_t byte = 0; byte < value_bytes_; ++byte) {
        for (std::size_t i = 0; i < count; ++i) {
            shuffled_[byte * count + i] = chunk[i * value_bytes_ + byte];
        }
    }
    packed_.resize(chunk.size());
    const std::size_t size = pack_into(compression_, shuffled_, packed_);
    return size > 0 && size < chunk.size()
               ? std::optional(std::span<const std::byte>(packed_).first(size))
               : std::nullopt;
}

}  // namespace halocline
