// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels as host code on an emulated device; those of GPUs are in row_mover.cu.
#include "halocline/dist/exchange/device_halo/row_mover.hpp"

#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::dist {

namespace {

enum class Move { into_message, out_of_message };

/// Where host code that stands for a kernel finds it; null stays null.
template <class T>
T* in_kernel(const EmulatedDevice& device, T* pointer) {
    return pointer == nullptr ? nullptr : static_cast<T*>(device.kernel_address(pointer));
}

/// The same values as host code finds them.
ListedValues listed(const EmulatedDevice& device, const ListedValues& on_device) {
    ListedValues values = on_device;
    values.dat.values = in_kernel(device, on_device.dat.values);
    values.elements = in_kernel(device, on_device.elements);
    return values;
}

void move_rows(const EmulatedDevice& device, const RowSegment& segment, Move move) {
    const ListedValues values = listed(device, segment);
    double* message = in_kernel(device, segment.message);
    for (std::int64_t w = 0; w < values.words(); ++w) {
        if (move == Move::into_message) {
            message[w] = std::bit_cast<double>(values.word(w));
        } else {
            values.set_word(w, std::bit_cast<std::uint64_t>(message[w]));
        }
    }
}

/// One exchange with the memory of other devices.
class PeerRound {
public:
    PeerRound(const EmulatedDevice& device, const PeerRounds& rounds)
        : device_(device),
          ended_(*in_kernel(device, rounds.ended)),
          notices_(in_kernel(device, rounds.notices),
                   static_cast<std::size_t>(rounds.notice_count)),
          round_(ended_ + 1) {}

    void run(std::span<const PeerSegment> segments) {
        for (const PeerNotice& notice : notices_) {
            put_bits(in_kernel(device_, notice.there) + round_ % 2, 0, round_);
        }
        for (const bool leaving : {true, false}) {
            for (const PeerSegment& segment : segments) {
                if (segment.leaves == leaving) {
                    move(segment);
                }
            }
        }
        for (const PeerNotice& notice : notices_) {
            static_cast<void>(take_bits(in_kernel(device_, notice.here) + round_ % 2, round_));
        }
        ended_ = round_;
    }

private:
    void move(const PeerSegment& segment) const {
        const ListedValues values = listed(device_, segment);
        PeerValue* message = in_kernel(device_, segment.message) + round_ % 2 * segment.slot_values;
        for (std::int64_t w = 0; w < values.words(); ++w) {
            if (segment.leaves) {
                put_bits(&message[w], values.word(w), round_);
            } else {
                values.set_word(w, take_bits(&message[w], round_));
            }
        }
    }

    const EmulatedDevice& device_;
    std::uint32_t& ended_;
    std::span<const PeerNotice> notices_;
    std::uint32_t round_;
};

class EmulatedRowMover final : public RowMover {
public:
    explicit EmulatedRowMover(EmulatedDevice& device) : device_(device) {}

    void gather(Stream& stream, std::span<const RowSegment> segments) override {
        launch(stream, segments, Move::into_message);
    }
    void scatter(Stream& stream, std::span<const RowSegment> segments) override {
        launch(stream, segments, Move::out_of_message);
    }
    void exchange(Stream& stream, const PeerRounds& rounds,
                  std::span<const PeerSegment> segments) override {
        device_.launch(stream,
                       [this, rounds, list = std::vector(segments.begin(), segments.end())] {
                           const double begin_s = wall_seconds();
                           PeerRound(device_, rounds).run(list);
                           exchange_s_ = exchange_s_ + (wall_seconds() - begin_s);
                       });
    }
    [[nodiscard]] double exchange_seconds() const override { return exchange_s_; }

private:
    void launch(Stream& stream, std::span<const RowSegment> segments, Move move) {
        device_.launch(
            stream, [this, move, list = std::vector<RowSegment>(segments.begin(), segments.end())] {
                for (const RowSegment& segment : list) {
                    move_rows(device_, segment, move);
                }
            });
    }

    EmulatedDevice& device_;
    std::atomic<double> exchange_s_ = 0.0;  ///< kernels of a stream come one after the other
};

}  // namespace

std::unique_ptr<RowMover> make_row_mover(Device& device) {
    if (auto* emulated = dynamic_cast<EmulatedDevice*>(&device)) {
        return std::make_unique<EmulatedRowMover>(*emulated);
    }
    std::unique_ptr<RowMover> mover = make_gpu_row_mover(device);
    validate<EnvironmentError>(
        mover != nullptr, "this build has no kernels for the device '" + device.info().name +
                              "' (it was configured without -DHALOCLINE_CUDA=ON). Rebuild with "
                              "it, or use the emulated device.");
    return mover;
}

}  // namespace halocline::dist
