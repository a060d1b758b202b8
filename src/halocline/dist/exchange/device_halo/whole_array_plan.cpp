// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The scheme that the packed ones replaced: whole arrays over the link, packing on the host.
#include <sched.h>

#include "halocline/dist/exchange/device_halo/device_plan.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"

namespace halocline::dist {

namespace {

class WholeArrayPlan final : public HaloPlan {
public:
    WholeArrayPlan(std::shared_ptr<DeviceLink> link, MPI_Comm comm, std::span<const HaloItem> items)
        : link_(std::move(link)),
          host_(make_host_plan(halo_schemes().front(), comm, items)),
          mirrors_(items.size()),
          copied_out_(link_->device.make_event()),
          ready_(link_->device.make_event()),
          stored_(link_->device.make_event()) {}

    [[nodiscard]] bool empty() const noexcept override { return host_->empty(); }

    void begin(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty()) {
            return;
        }
        stored_->wait();  // the mirrors of the last round may still be read
        link_->compute.record(*ready_);
        link_->outward->wait(*ready_);
        link_->inward->wait(*ready_);
        stage_ = Stage::copying_out;
        fit_mirrors(items);
        for (std::size_t i = 0; i < items.size(); ++i) {
            copy(*link_->outward, mirrors_[i].data(), items[i].dat.values, i,
                 CopyDirection::to_host, ledger);
        }
        link_->outward->record(*copied_out_);
    }

    bool progress(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty() || stage_ == Stage::copying_in) {
            return true;
        }
        if (stage_ == Stage::copying_out) {
            if (!copied_out_->done()) {
                return false;
            }
            host_->begin(on_host_, ledger);
            stage_ = Stage::travelling;
        }
        if (!host_->progress(on_host_, ledger)) {
            return false;
        }
        copy_in(items, ledger);
        return true;
    }

    void end(std::span<const HaloItem> items, HaloLedger& ledger) override {
        if (empty()) {
            return;
        }
        while (stage_ == Stage::copying_out && !progress(items, ledger)) {
            sched_yield();  // an emulated device's thread may need this core
        }
        host_->end(on_host_, ledger);
        if (stage_ != Stage::copying_in) {
            copy_in(items, ledger);
        }
        link_->inward->record(*stored_);
        link_->compute.wait(*stored_);
    }

private:
    enum class Stage { copying_out, travelling, copying_in };

    /// A dat may come back with another layout; its mirror has the same.
    void fit_mirrors(std::span<const HaloItem> items) {
        on_host_.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            const HaloItem& item = items[i];
            const auto bytes =
                static_cast<std::size_t>(item.dat.layout.size(item.set->rows(), item.dat.dim)) *
                bytes_of(item.dat.type);
            if (mirrors_[i].size_bytes() != bytes) {
                mirrors_[i] = SpaceBuffer(MemoryKind::pinned, bytes, &link_->device);
            }
            on_host_.push_back({{reinterpret_cast<double*>(mirrors_[i].data()), item.dat.dim,
                                 item.dat.layout, item.dat.type},
                                item.set});
        }
    }

    void copy_in(std::span<const HaloItem> items, HaloLedger& ledger) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            copy(*link_->inward, items[i].dat.values, mirrors_[i].data(), i,
                 CopyDirection::to_device, ledger);
        }
        stage_ = Stage::copying_in;
    }

    /// Queues the copy of a whole array; an empty set has none.
    void copy(Stream& stream, void* to, const void* from, std::size_t item, CopyDirection direction,
              HaloLedger& ledger) const {
        const std::size_t bytes = mirrors_[item].size_bytes();
        if (bytes > 0) {
            stream.copy(to, from, bytes, direction);
            ++ledger.link_copies;
            ledger.link_bytes += static_cast<std::int64_t>(bytes);
        }
    }

    std::shared_ptr<DeviceLink> link_;
    std::unique_ptr<HaloPlan> host_;
    std::vector<SpaceBuffer> mirrors_;  ///< by item, pinned
    std::vector<HaloItem> on_host_;
    std::unique_ptr<Event> copied_out_;
    std::unique_ptr<Event> ready_;
    std::unique_ptr<Event> stored_;
    Stage stage_ = Stage::copying_in;
};

}  // namespace

std::unique_ptr<HaloPlan> make_whole_array_plan(std::shared_ptr<DeviceLink> link, MPI_Comm comm,
                                                std::span<const HaloItem> items) {
    return std::make_unique<WholeArrayPlan>(std::move(link), comm, items);
}

}  // namespace halocline::dist
