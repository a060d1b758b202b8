// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel for the host alone, called as loops call theirs: nvcc must refuse it. Without the flags of the
// build it would warn, and the GPU would run nothing.
struct HostKernel {
    template <class V>
    void operator()(V* value) const {
        *value += V(1);
    }
};

template <class Kernel>
__host__ __device__ void run_element(double* value) {
    Kernel{}(value);
}

template <class Kernel>
__global__ void run(double* values) {
    run_element<Kernel>(values + threadIdx.x);
}

void launch(double* values) { run<HostKernel><<<1, 32>>>(values); }
