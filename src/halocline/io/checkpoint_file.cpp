// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/checkpoint_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/output_names.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/mixture.hpp"
#include "halocline/io/open_field_file.hpp"

namespace halocline {

namespace {

constexpr const char* format = "halocline-checkpoint";
constexpr std::int64_t format_version = 1;
constexpr const char* numbers_name = "numbers";
constexpr const char* checksums_name = "checksums";
constexpr const char* beginning = "checkpoint.step=";
constexpr const char* ending = ".h5";

std::vector<Hdf5Image::Attribute> attributes_of(const CheckpointHead& head) {
    return {{"format", format},
            {"format_version", format_version},
            {"code_version", std::string(build_info::version)},
            {"program", head.program},
            {"settings", head.settings},
            {"mesh_hash", head.mesh_hash},
            {"step", head.step}};
}

std::uint64_t checksum_of(const CheckpointHead& head) {
    return sum_of_mixtures(std::as_bytes(std::span(head.numbers)),
                           static_cast<std::uint64_t>(head.step) + 1, 0);
}

std::uint64_t sum_over_ranks(const Communicator& comm, const RowChecksum& checksum) {
    return static_cast<std::uint64_t>(comm.sum(static_cast<std::int64_t>(checksum.sum())));
}

/// Puts a small array in its place; rank 0 alone does so.
template <class T>
void write_small(const Communicator& comm, const OutputFile& file, std::uint64_t at,
                 const std::vector<T>& values) {
    run_agreed(comm, [&] {
        if (comm.is_root() && !values.empty()) {
            file.write_at(at, values.data(), values.size() * sizeof(T));
        }
    });
}

}  // namespace

std::string checkpoint_path(const std::string& prefix, std::int64_t step) {
    return prefix + beginning + std::to_string(step) + ending;
}

std::vector<std::string> find_checkpoints(const std::string& prefix) {
    namespace fs = std::filesystem;
    struct Found {
        std::int64_t seconds;
        std::int64_t nanoseconds;
        std::int64_t step;
        std::string path;
    };
    std::vector<Found> found;
    const std::string folder = folder_of(prefix + beginning);
    const std::string start = base_of(prefix + beginning);
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        const std::string name = entry.path().filename().string();
        std::int64_t step = 0;
        const char* const digits = name.data() + std::min(start.size(), name.size());
        const auto parsed = std::from_chars(digits, name.data() + name.size(), step);
        struct stat status {};
        if (name.starts_with(start) && parsed.ec == std::errc{} && parsed.ptr != digits &&
            std::string_view(parsed.ptr) == ending && ::stat(entry.path().c_str(), &status) == 0 &&
            S_ISREG(status.st_mode)) {
            found.push_back({status.st_mtim.tv_sec, status.st_mtim.tv_nsec, step,
                             checkpoint_path(prefix, step)});
        }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return std::tie(a.seconds, a.nanoseconds, a.step) >
               std::tie(b.seconds, b.nanoseconds, b.step);
    });
    std::vector<std::string> paths;
    for (Found& file : found) {
        paths.push_back(std::move(file.path));
    }
    return paths;
}

Hdf5Image checkpoint_image(const CheckpointHead& head, std::vector<Hdf5Image::Shape> shapes) {
    const auto fields = static_cast<std::int64_t>(shapes.size());
    shapes.push_back({numbers_name, static_cast<std::int64_t>(head.numbers.size()), 1});
    shapes.push_back({checksums_name, fields + 1, 1, ElementType::int64});
    return make_field_image(shapes, attributes_of(head));
}

void write_checkpoint(const Communicator& comm, const std::string& path, const CheckpointHead& head,
                      const Hdf5Image& image, const std::vector<FieldRows>& rows) {
    OutputFile file = create_together(comm, path, image);
    std::vector<std::uint64_t> checksums;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RowChecksum checksum(bytes_of(rows[i].values.type) *
                             static_cast<std::size_t>(rows[i].values.dim));
        write_rows(comm, file, image.data_offsets[i], rows[i],
                   [&](std::int64_t first, std::span<const std::byte> values) {
                       checksum.add(static_cast<std::uint64_t>(first), values);
                   });
        checksums.push_back(sum_over_ranks(comm, checksum));
    }
    checksums.push_back(checksum_of(head));
    write_small(comm, file, image.data_offsets[rows.size()], head.numbers);
    write_small(comm, file, image.data_offsets[rows.size() + 1], checksums);
    publish_together(comm, file);
}

namespace {

/// What keeps a file from being continued from, as one sentence.
void require_same(const std::string& path, const char* what, const std::string& theirs,
                  const std::string& ours) {
    validate<InputError>(theirs == ours, "'" + path + "' is a checkpoint of another run (" + what +
                                             " '" + theirs + "' there, '" + ours +
                                             "' here). Name one of this run, or start without "
                                             "--restart.");
}

CheckpointHead read_head(const Hdf5File& file, const CheckpointHead& expected) {
    const std::string& path = file.path();
    validate<InputError>(file.text("format") == format,
                         "'" + path +
                             "' is not a checkpoint (attribute 'format'). Name a file "
                             "<prefix>checkpoint.step=<n>.h5.");
    const std::int64_t version = file.integer("format_version").value_or(0);
    validate<InputError>(version == format_version,
                         "'" + path + "' has version " + std::to_string(version) +
                             " of the checkpoint format (this program reads version " +
                             std::to_string(format_version) +
                             "). Continue with the version of halocline that wrote it, " +
                             file.text("code_version").value_or("unknown") + ".");
    CheckpointHead head{file.text("program").value_or(""),
                        file.text("settings").value_or(""),
                        file.text("mesh_hash").value_or(""),
                        file.integer("step").value_or(-1),
                        {}};
    require_same(path, "solver", head.program, expected.program);
    require_same(path, "mesh", head.mesh_hash, expected.mesh_hash);
    require_same(path, "settings", head.settings, expected.settings);
    const Hdf5Dataset numbers = file.dataset(numbers_name);
    const auto count = static_cast<std::int64_t>(numbers.shape().front());
    head.numbers.resize(static_cast<std::size_t>(count));
    if (count > 0) {
        numbers.read({0, count}, std::span(head.numbers));
    }
    return head;
}

[[noreturn]] void report_damage(const std::string& path, const std::string& dataset) {
    throw InputError("'" + path + "' is damaged (the checksum of dataset '" + dataset +
                     "' is not the one in the file). Continue from an older checkpoint.");
}

}  // namespace

CheckpointHead read_checkpoint(const Communicator& comm, const std::string& path,
                               const CheckpointHead& expected,
                               const std::vector<FieldToRead>& dats) {
    const Hdf5File file = Hdf5File::open(comm, path, "checkpoint");
    CheckpointHead head;
    std::vector<std::int64_t> checksums(dats.size() + 1);
    run_agreed(comm, [&] {
        head = read_head(file, expected);
        const Hdf5Dataset stored = file.dataset(checksums_name);
        validate<InputError>(stored.shape().front() == checksums.size(),
                             "'" + path + "' has " + std::to_string(stored.shape().front()) +
                                 " checksums, not " + std::to_string(checksums.size()) +
                                 " (it was written by another version). Continue from another "
                                 "checkpoint.");
        stored.read({0, static_cast<std::int64_t>(checksums.size())}, std::span(checksums));
        if (std::bit_cast<std::uint64_t>(checksums.back()) != checksum_of(head)) {
            report_damage(path, numbers_name);
        }
    });
    std::vector<RowChecksum> read;
    read_fields(comm, file, dats,
                [&](std::size_t field, std::size_t row_bytes, std::uint64_t first,
                    std::span<const std::byte> rows) {
                    while (read.size() <= field) {
                        read.emplace_back(row_bytes);
                    }
                    read[field].add(first, rows);
                });
    for (std::size_t i = 0; i < dats.size(); ++i) {
        const std::uint64_t sum =
            i < read.size() ? sum_over_ranks(comm, read[i]) : sum_over_ranks(comm, RowChecksum(8));
        if (sum != std::bit_cast<std::uint64_t>(checksums[i])) {
            report_damage(path, dats[i].dataset);
        }
    }
    return head;
}

}  // namespace halocline
