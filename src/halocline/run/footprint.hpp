// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the size of the mesh and the partition foretell, beside what a run took: memory, messages.
#pragma once

#include <optional>
#include <string>

#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/io/input_file.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/mesh/halo.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/run/options.hpp"

namespace halocline::run {

/// What a rank holds before it knows anything of the mesh: libraries and MPI. Collective.
[[nodiscard]] record::Memory start_memory(const Communicator& comm);

/// Adds the size of the level files. Collective.
void add_mesh_files(const Communicator& comm, const MgcfdInput& input, const std::string& directory,
                    record::Memory& memory);

/// Largest peak so far without what was there before the mesh, over the rank's share of the files;
/// empty where the system does not tell. Collective.
[[nodiscard]] std::optional<double> peak_over_share(const Communicator& comm,
                                                    const record::Memory& memory);

/// Adds the peak of the run, and its ratio to the rank's share of the files. Collective.
void add_peak(const Communicator& comm, record::Memory& memory);

/// Adds what maps and ids of a divided mesh take. Collective.
void add_connectivity(const Communicator& comm, const MeshPart& part, record::Memory& memory);

/// Adds the other parts of what is resident now. Nothing where the system does not tell. Collective.
void add_memory_parts(const Communicator& comm, record::Memory& memory);

/// Latency and bandwidth of the network (of the modelled one where there is one, else measured
/// between two ranks) and the time of one exchange of the finest state that follows. Empty on one
/// rank. Collective.
[[nodiscard]] std::optional<record::Prediction> predict_halo(const Communicator& comm,
                                                             const Options& options,
                                                             const HaloSample& finest);

/// Adds the time that the run's own messages and bytes foretell. Collective.
void predict_run(const Communicator& comm, const HaloLedger& ledger,
                 record::Prediction& prediction);

}  // namespace halocline::run
