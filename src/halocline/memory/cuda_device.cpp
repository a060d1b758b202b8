// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The CUDA runtime behind the device interface. Host code only: any C++ compiler will do.
#include "halocline/memory/cuda_device.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Throws what the runtime says, with the call's name; memory shortage is the environment's fault.
void check_cuda(cudaError_t status, const char* call) {
    if (status == cudaSuccess) {
        return;
    }
    (void)cudaGetLastError();  // the next call must not report this one
    throw RunError(fmt::format("{} failed ({}: {}).", call, cudaGetErrorName(status),
                               cudaGetErrorString(status)));
}

int attribute(cudaDeviceAttr wanted, int index) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, wanted, index) == cudaSuccess ? value : 0;
}

std::string pci_bus_id(int index) {
    std::array<char, 32> text{};
    check_cuda(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), index),
               "cudaDeviceGetPCIBusId");
    std::string id(text.data());
    std::transform(id.begin(), id.end(), id.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return id;
}

std::string read_word(const std::string& path) {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

/// Payload of one direction of a PCIe link: rate x lanes x line code (8b/10b to 5 GT/s, then
/// 128b/130b), before packet headers.
double pcie_bytes_per_s(const std::string& bus_id) {
    const std::string folder = "/sys/bus/pci/devices/" + bus_id;
    const double gigatransfers = std::atof(read_word(folder + "/max_link_speed").c_str());
    const double lanes = std::atof(read_word(folder + "/max_link_width").c_str());
    const double code = gigatransfers > 5.0 ? 128.0 / 130.0 : 0.8;
    return gigatransfers * 1e9 * lanes * code / 8.0;
}

cudaMemcpyKind runtime_kind(CopyDirection direction) {
    switch (direction) {
        case CopyDirection::to_device:
            return cudaMemcpyHostToDevice;
        case CopyDirection::to_host:
            return cudaMemcpyDeviceToHost;
        case CopyDirection::on_device:
            return cudaMemcpyDeviceToDevice;
    }
    return cudaMemcpyDefault;
}

class CudaEvent final : public Event {
public:
    CudaEvent() {
        check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
    }
    ~CudaEvent() override { cudaEventDestroy(event_); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;

    [[nodiscard]] bool done() override {
        const cudaError_t status = cudaEventQuery(event_);
        if (status == cudaErrorNotReady) {
            return false;
        }
        check_cuda(status, "cudaEventQuery");
        return true;
    }
    void wait() override { check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    [[nodiscard]] cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

class CudaStream final : public Stream {
public:
    explicit CudaStream(TransferCounter& counter) : counter_(counter) {
        check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    }
    ~CudaStream() override { cudaStreamDestroy(stream_); }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;

    void copy(void* to, const void* from, std::size_t bytes, CopyDirection direction) override {
        counter_.add(direction, bytes);
        check_cuda(cudaMemcpyAsync(to, from, bytes, runtime_kind(direction), stream_),
                   "cudaMemcpyAsync");
    }
    void clear(void* device_memory, std::size_t bytes) override {
        check_cuda(cudaMemsetAsync(device_memory, 0, bytes, stream_), "cudaMemsetAsync");
    }
    void record(Event& event) override {
        check_cuda(cudaEventRecord(own_event(event).get(), stream_), "cudaEventRecord");
    }
    void wait(Event& event) override {
        check_cuda(cudaStreamWaitEvent(stream_, own_event(event).get(), 0), "cudaStreamWaitEvent");
    }
    void synchronize() override {
        check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }
    [[nodiscard]] void* native() override { return stream_; }

private:
    static CudaEvent& own_event(Event& event) {
        auto* own = dynamic_cast<CudaEvent*>(&event);
        validate<ContractError>(
            own != nullptr,
            "an event of another device was used (streams and events belong to one device). Make "
            "it with the same device.");
        return *own;
    }

    TransferCounter& counter_;
    cudaStream_t stream_ = nullptr;
};

cudaStream_t native(Stream& stream) { return static_cast<cudaStream_t>(stream.native()); }

class CudaGraph final : public Graph {
public:
    explicit CudaGraph(cudaGraph_t graph) {
        std::size_t nodes = 0;
        check_cuda(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
        size_ = static_cast<int>(nodes);
        const cudaError_t status = cudaGraphInstantiate(&ready_, graph, 0);
        cudaGraphDestroy(graph);
        check_cuda(status, "cudaGraphInstantiate");
    }
    ~CudaGraph() override { cudaGraphExecDestroy(ready_); }
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;

    void launch(Stream& stream) override {
        check_cuda(cudaGraphLaunch(ready_, native(stream)), "cudaGraphLaunch");
    }
    [[nodiscard]] int size() const override { return size_; }

private:
    cudaGraphExec_t ready_ = nullptr;
    int size_ = 0;
};

class CudaTimer final : public StreamTimer {
public:
    CudaTimer() {
        check_cuda(cudaEventCreate(&start_), "cudaEventCreate");
        check_cuda(cudaEventCreate(&stop_), "cudaEventCreate");
    }
    ~CudaTimer() override {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    CudaTimer(const CudaTimer&) = delete;
    CudaTimer& operator=(const CudaTimer&) = delete;

    void start(Stream& stream) override {
        check_cuda(cudaEventRecord(start_, native(stream)), "cudaEventRecord");
    }
    void stop(Stream& stream) override {
        check_cuda(cudaEventRecord(stop_, native(stream)), "cudaEventRecord");
    }
    [[nodiscard]] double seconds() override {
        float milliseconds = 0.0F;
        check_cuda(cudaEventSynchronize(stop_), "cudaEventSynchronize");
        check_cuda(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    cudaEvent_t start_ = nullptr;
    cudaEvent_t stop_ = nullptr;
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int index) : index_(index) {
        use();
        check_cuda(cudaFree(nullptr), "cudaFree");  // makes the context here, not in a timed loop
    }

    [[nodiscard]] DeviceInfo info() const override;
    [[nodiscard]] void* allocate(MemoryKind kind, std::size_t bytes) override;
    void release(MemoryKind kind, void* memory, std::size_t bytes) noexcept override;

    [[nodiscard]] std::unique_ptr<Stream> make_stream() override {
        return std::make_unique<CudaStream>(counter_);
    }
    [[nodiscard]] std::unique_ptr<Event> make_event() override {
        return std::make_unique<CudaEvent>();
    }
    [[nodiscard]] std::unique_ptr<StreamTimer> make_timer() override {
        return std::make_unique<CudaTimer>();
    }
    void begin_capture(Stream& stream) override {
        check_cuda(cudaStreamBeginCapture(native(stream), cudaStreamCaptureModeThreadLocal),
                   "cudaStreamBeginCapture");
    }
    [[nodiscard]] std::unique_ptr<Graph> end_capture(Stream& stream) override {
        cudaGraph_t graph = nullptr;
        check_cuda(cudaStreamEndCapture(native(stream), &graph), "cudaStreamEndCapture");
        return std::make_unique<CudaGraph>(graph);
    }

    [[nodiscard]] Capability can_share() const override;
    [[nodiscard]] IpcHandle share(void* device_memory) override;
    [[nodiscard]] void* open(const IpcHandle& handle) override;
    void close(void* opened) noexcept override { cudaIpcCloseMemHandle(opened); }

    [[nodiscard]] Capability can_pass_to_mpi() const override {
        return {true, "pointers of cudaMalloc can be given to an MPI library that knows CUDA"};
    }
    [[nodiscard]] void* mpi_address(void* device_memory) override { return device_memory; }
    [[nodiscard]] Capability supports_rdma() const override;
    [[nodiscard]] Capability runs_processes_together() const override;
    void use() override { check_cuda(cudaSetDevice(index_), "cudaSetDevice"); }

private:
    int index_;
};

DeviceInfo CudaDevice::info() const {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, index_), "cudaGetDeviceProperties");
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    DeviceInfo info;
    info.kind = "cuda";
    info.name = static_cast<const char*>(properties.name);
    info.index = index_;
    info.pci_bus_id = pci_bus_id(index_);
    info.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    info.pcie_bytes_per_s = pcie_bytes_per_s(info.pci_bus_id);
    info.details = fmt::format(
        "compute capability {}.{}, CUDA driver {}.{}, runtime {}.{}, {} copy engines",
        properties.major, properties.minor, driver / 1000, driver % 1000 / 10, runtime / 1000,
        runtime % 1000 / 10, attribute(cudaDevAttrAsyncEngineCount, index_));
    return info;
}

void* CudaDevice::allocate(MemoryKind kind, std::size_t bytes) {
    void* memory = nullptr;
    const bool pinned = kind == MemoryKind::pinned;
    const cudaError_t status = pinned ? cudaMallocHost(&memory, bytes) : cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        throw EnvironmentError(fmt::format(
            "out of {} memory ({} MiB wanted; the GPU has {} of {} MiB free). Use a smaller mesh, "
            "message or window, more GPUs, or a CPU back end.",
            memory_kind_name(kind), bytes >> 20, free_bytes >> 20, total_bytes >> 20));
    }
    check_cuda(status, pinned ? "cudaMallocHost" : "cudaMalloc");
    return memory;
}

void CudaDevice::release(MemoryKind kind, void* memory, std::size_t /*bytes*/) noexcept {
    if (kind == MemoryKind::pinned) {
        cudaFreeHost(memory);
    } else {
        cudaFree(memory);
    }
}

Capability CudaDevice::can_share() const {
    const bool unified = attribute(cudaDevAttrUnifiedAddressing, index_) != 0;
    const bool ipc = attribute(cudaDevAttrIpcEventSupport, index_) != 0;
    if (unified && ipc) {
        return {true, "cudaDevAttrUnifiedAddressing and cudaDevAttrIpcEventSupport are set"};
    }
    return {false, unified
                       ? "the driver offers no CUDA IPC here (cudaDevAttrIpcEventSupport is 0)"
                       : "the GPU has no unified addressing (cudaDevAttrUnifiedAddressing is 0)"};
}

IpcHandle CudaDevice::share(void* device_memory) {
    cudaIpcMemHandle_t native;
    check_cuda(cudaIpcGetMemHandle(&native, device_memory), "cudaIpcGetMemHandle");
    static_assert(sizeof native <= sizeof(IpcHandle));
    IpcHandle handle;
    std::memcpy(handle.bytes.data(), &native, sizeof native);
    return handle;
}

void* CudaDevice::open(const IpcHandle& handle) {
    cudaIpcMemHandle_t native;
    std::memcpy(&native, handle.bytes.data(), sizeof native);
    void* memory = nullptr;
    check_cuda(cudaIpcOpenMemHandle(&memory, native, cudaIpcMemLazyEnablePeerAccess),
               "cudaIpcOpenMemHandle");
    return memory;
}

Capability CudaDevice::supports_rdma() const {
    const bool set = attribute(cudaDevAttrGPUDirectRDMASupported, index_) != 0;
    return {set, fmt::format("cudaDevAttrGPUDirectRDMASupported is {}", set ? 1 : 0)};
}

/// Only the driver knows, not the runtime; its library is there, for the runtime has loaded it.
Capability CudaDevice::runs_processes_together() const {
    constexpr int mps_enabled = 133;  // CU_DEVICE_ATTRIBUTE_MPS_ENABLED of cuda.h
    using GetAttribute = int (*)(int*, int, int);
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const auto get = driver == nullptr
                         ? nullptr
                         : reinterpret_cast<GetAttribute>(dlsym(driver, "cuDeviceGetAttribute"));
    int enabled = 0;
    if (get == nullptr || get(&enabled, mps_enabled, index_) != 0) {
        return {false, "the driver does not report whether its multi-process service is used"};
    }
    return {enabled != 0, fmt::format("CU_DEVICE_ATTRIBUTE_MPS_ENABLED is {}", enabled)};
}

}  // namespace

std::string cuda_build_version() {
    return fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

CudaDevices find_cuda_devices() {
    int count = 0;
    // Kernels are loaded now: at its first launch each would cost a cycle milliseconds.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return {{}, fmt::format("cudaGetDeviceCount: {}", cudaGetErrorString(status))};
    }
    CudaDevices found;
    found.evidence = fmt::format("cudaGetDeviceCount: {}", count);
    for (int index = 0; index < count; ++index) {
        found.pci_bus_ids.push_back(pci_bus_id(index));
    }
    return found;
}

std::unique_ptr<Device> open_cuda_device(int index) {
    const CudaDevices found = find_cuda_devices();
    const auto count = static_cast<int>(found.pci_bus_ids.size());
    validate<EnvironmentError>(count > 0, "no GPU can be used (" + found.evidence +
                                              "). Use --device emulated, or a machine with a GPU.");
    validate<UsageError>(index >= 0 && index < count,
                         fmt::format("there is no GPU {} (this process sees {}, numbered from 0). "
                                     "Check CUDA_VISIBLE_DEVICES.",
                                     index, count));
    return std::make_unique<CudaDevice>(index);
}

}  // namespace halocline
