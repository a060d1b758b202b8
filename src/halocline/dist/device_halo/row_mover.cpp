// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels as host code on an emulated device; those of CUDA are in row_mover.cu.
#include "halocline/dist/device_halo/row_mover.hpp"

#include <utility>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::dist {

namespace {

enum class Way { into_message, out_of_message };

void move_rows(const EmulatedDevice& device, const RowSegment& segment, Way way) {
    auto* values = static_cast<double*>(device.kernel_address(segment.dat.values));
    const auto* elements = static_cast<const LocalIndex*>(device.kernel_address(segment.elements));
    auto* message = static_cast<double*>(device.kernel_address(segment.message));
    for (LocalIndex k = 0; k < segment.count; ++k) {
        for (int d = 0; d < segment.dat.dim; ++d) {
            double& value = values[segment.dat.layout.offset(elements[k], d)];
            double& sent = message[std::int64_t{k} * segment.dat.dim + d];
            (way == Way::into_message ? sent : value) = way == Way::into_message ? value : sent;
        }
    }
}

class EmulatedRowMover final : public RowMover {
public:
    explicit EmulatedRowMover(EmulatedDevice& device) : device_(device) {}

    void gather(Stream& stream, std::span<const RowSegment> segments) override {
        launch(stream, segments, Way::into_message);
    }
    void scatter(Stream& stream, std::span<const RowSegment> segments) override {
        launch(stream, segments, Way::out_of_message);
    }

private:
    void launch(Stream& stream, std::span<const RowSegment> segments, Way way) {
        device_.launch(
            stream, [this, way, list = std::vector<RowSegment>(segments.begin(), segments.end())] {
                for (const RowSegment& segment : list) {
                    move_rows(device_, segment, way);
                }
            });
    }

    EmulatedDevice& device_;
};

}  // namespace

std::unique_ptr<RowMover> make_row_mover(Device& device) {
    if (auto* emulated = dynamic_cast<EmulatedDevice*>(&device)) {
        return std::make_unique<EmulatedRowMover>(*emulated);
    }
    std::unique_ptr<RowMover> mover = make_cuda_row_mover();
    validate<EnvironmentError>(
        mover != nullptr, "this build has no kernels for the device '" + device.info().name +
                              "' (it was configured without -DHALOCLINE_CUDA=ON). Rebuild with "
                              "it, or use the emulated device.");
    return mover;
}

}  // namespace halocline::dist
