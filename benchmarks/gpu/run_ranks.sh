# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Parts of run_there.sh with several ranks: halo schemes of ranks that share the GPU, one rank on each
# of several GPUs, and GPUs and cores in one job. Sourced; uses its functions and paths.

launcher="$here/mpi/bin/mpirun --allow-run-as-root --oversubscribe --bind-to none"
export PRTE_PREFIX=$here/mpi PMIX_PREFIX=$here/mpi

# RANKS RESULT-NAME MESH-FOLDER WORDS...: a run of several ranks, its last line shown.
run_ranks() {
    local ranks=$1 name=$2 mesh=$3
    shift 3
    (cd "$work" && timeout 120 $launcher -n "$ranks" "$program" -d "$mesh" -o "$work/$name." \
        -m inertial --progress off --no-summary --no-triad "$@" >"$out/$name.log" 2>&1) ||
        { echo "run $name failed:"; grep -a 'mgcfd:' "$out/$name.log" || tail -3 "$out/$name.log"; }
    cp "$work/$name.record.json" "$out/" 2>/dev/null
    echo "$name: $(tail -1 "$out/$name.log")"
}

# MPI through UCX, whose CUDA transports read device memory by themselves. Open MPI takes it without a
# network card only when told so. Processes on one GPU cannot use cuda_ipc. A preloaded UCX reads its
# settings before mgcfd can switch the cache off that takes given-back device addresses for host ones.
with_ucx() {
    local ucx=$here/ucx/libucx/lib
    OMPI_MCA_pml=ucx OMPI_MCA_opal_common_ucx_tls=any OMPI_MCA_opal_common_ucx_devices=any \
        UCX_MEMTYPE_CACHE=n UCX_TLS=self,sm,cuda_copy$ipc UCX_MODULE_DIR=$ucx/ucx \
        LD_PRELOAD="$ucx/libucm.so.0 $ucx/libucs.so.0 $ucx/libuct.so.0 $ucx/libucp.so.0" \
        LD_LIBRARY_PATH=$ucx:$LD_LIBRARY_PATH "$@"
}

# Ranks that share a GPU take turns on it, unless they go through the multi-process service, which runs
# kernels of several processes at once. It belongs to this user and changes no setting of the GPU.
with_mps() {
    export CUDA_MPS_PIPE_DIRECTORY=$work/mps CUDA_MPS_LOG_DIRECTORY=$work/mps
    mkdir -p "$work/mps"
    if ! nvidia-cuda-mps-control -d >"$out/mps.log" 2>&1; then
        echo "no multi-process service: $(tail -1 "$out/mps.log")"
    else
        "$@"
        echo quit | nvidia-cuda-mps-control >>"$out/mps.log" 2>&1
    fi
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
}

# PREFIX: the schemes that need nothing of MPI, in turns, each three times on 2 and 4 ranks.
run_simple_schemes() {
    local ranks scheme i
    for i in 1 2 3; do
        for ranks in 2 4; do
            for scheme in packed neighbour whole peer; do
                run_ranks $ranks "1m-$1$scheme-$ranks-$i" "$work/m1" --backend cuda \
                    --halo-scheme $scheme --output-variables
            done
        done
    done
}

# The schemes that pass through the host, on a mesh so large that what they copy counts, not the turns
# that ranks take on the GPU.
run_large_schemes() {
    local ranks scheme i
    run_ranks 1 8m-one "$work/m8" --backend cuda
    for i in 1 2 3; do
        for ranks in 4 2; do
            for scheme in packed neighbour whole; do
                run_ranks $ranks "8m-$scheme-$ranks-$i" "$work/m8" --backend cuda \
                    --halo-scheme $scheme
            done
        done
    done
}

ipc=
# All schemes on 2 and 4 ranks of one GPU, and the table that `auto` prints.
run_schemes() {
    local ranks
    run_ranks 1 1m-one "$work/m1" --backend cuda --output-variables
    run_simple_schemes ""
    with_mps run_simple_schemes mps-
    for ranks in 2 4; do
        [ -d "$here/ucx" ] && with_ucx run_ranks $ranks "1m-direct-$ranks-1" "$work/m1" \
            --backend cuda -gpudirect --output-variables
        run_ranks $ranks "1m-auto-$ranks" "$work/m1" --backend cuda --halo-scheme auto -g 2
        grep -a -A8 'Halo schemes' "$out/1m-auto-$ranks.log"
    done
    [ -d "$here/ucx" ] && with_ucx run_ranks 2 "1m-auto-ucx-2" "$work/m1" --backend cuda \
        --halo-scheme auto -g 2 && grep -a -A8 'Halo schemes' "$out/1m-auto-ucx-2.log"
    if [ -d "$here/ucx" ] && [ "$(nvidia-smi -L | wc -l)" -gt 1 ]; then
        ipc=,cuda_ipc with_ucx run_ranks 2 1m-direct-ipc-2-1 "$work/m1" --backend cuda -gpudirect \
            --output-variables
    fi
    run_ranks 2 refused "$work/m1" --backend cuda -gpudirect -g 1
}

# MESH-NAME MESH-FOLDER WORDS...: a rank on each of 1, 2, 4 ... GPUs, as many as there are.
run_scaling() {
    local mesh=$1 folder=$2 gpus ranks i
    shift 2
    gpus=$(nvidia-smi -L | wc -l)
    for i in 1 2 3; do
        run_ranks 1 "$mesh-on1-one-$i" "$folder" --backend cuda --loop-times off "$@"
        for ((ranks = 2; ranks <= gpus; ranks *= 2)); do
            run_scaled peer --halo-scheme peer --loop-times off "$@"
            run_scaled peer-launches --halo-scheme peer --loop-times off --no-device-graph "$@"
            run_scaled peer-kernels --halo-scheme peer --loop-times all "$@"
            run_scaled packed --halo-scheme packed --loop-times off "$@"
            [ -d "$here/ucx" ] &&
                ipc=,cuda_ipc with_ucx run_scaled direct -gpudirect --loop-times off "$@"
        done
    done
}

# One run of it, if it is wanted ($SCALED): NAME WORDS...
run_scaled() {
    local name=$1
    shift
    case " ${SCALED:-peer peer-launches peer-kernels packed direct} " in *" $name "*)
        run_ranks "$ranks" "$mesh-on$ranks-$name-$i" "$folder" --backend cuda "$@" ;;
    esac
}

# Two ranks whose devices write to each other's memory, on two GPUs where there are two.
sanitize_ranks() {
    through="timeout 200 $launcher -n 2" sanitize ranks -d "$reference/natural" -g 3 -m inertial \
        --halo-scheme peer
}

# Cores only, GPU only, both.
run_mixed() {
    local mesh=$1 folder=$2 i
    for i in 1 2 3; do
        run_ranks 1 "$mesh-cores-$i" "$folder" --device cpu --threads "$cores" --output-variables
        run_ranks 1 "$mesh-gpu-$i" "$folder" --device gpu --loop-times off --output-variables
        run_ranks 2 "$mesh-gpu2-$i" "$folder" --device gpu --loop-times off
        run_ranks 2 "$mesh-mixed-$i" "$folder" --device mixed --loop-times off --output-variables
    done
    grep -a -A3 'rank  back end' "$out/$mesh-mixed-1.log"
}
