# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Output beside the time loop: the bytes of cores on a GPU, and what it costs; sourced by run_there.sh.

# NAME: what output cost a run, from its record.
show_io() {
    python3 - "$1" "$out/$1.record.json" <<'PYTHON'
import json, sys
record = json.load(open(sys.argv[2]))
io, seconds = record["io"], record["results"]["compute_s"]
steps = record["results"]["cycles"]
graph = (record.get("device_use") or {}).get("graph")
loop = seconds - io["drained_s"]
print(f"{sys.argv[1]:28} {1e3 * loop / steps:9.3f} ms a cycle; {io['mode']}, {io['writes']} writes, "
      f"{io['bytes'] / 1e9:.2f} GB, copied {io['copied_s']:.3f} s, blocked {io['blocked_s']:.3f} s, drained {io['drained_s']:.3f} s, "
      f"written {io['written_s']:.3f} s, hidden {100 * io['hidden_s'] / max(io['written_s'], 1e-9):.0f} %, "
      f"queue {io['deepest_queue']}, graph {graph}")
PYTHON
}

same_files() {  # NAME NAME: results over time, flow files and checkpoints of two runs
    local file
    for file in "$work/$1".*flow*.vtkhdf "$work/$1".*cycle=*.h5 "$work/$1".checkpoint*.h5 "$work/$1".*cycles=*.h5; do
        [ -e "$file" ] || continue
        cmp -s "$file" "$work/$2${file#"$work/$1"}" && echo "same bytes ${file##*/}" || echo "DIFFERENT ${file##*/} $2"
    done
}

forget() { rm -f "$work/$1".*.h5 "$work/$1".*.vtkhdf; }

run_output() {
    local words="-g 10 -I 5 --output-interval 4 --output-levels 0,1 --checkpoint-interval 6 --output-variables"
    run o1-cores "$work/m1" --backend openmp $words --io sync
    run o1-cuda "$work/m1" --backend cuda $words
    show_io o1-cuda
    same_files o1-cores o1-cuda
    run o1-again "$work/m1" --backend cuda -g 10 --output-variables --restart "$work/o1-cores.checkpoint.step=6.h5"
    for level in 0 1 2 3; do
        cmp "$work/o1-again.variables.L$level.cycles=10.h5" "$work/o1-cores.variables.L$level.cycles=10.h5" &&
            echo "the same after a restart from the checkpoint of cores, level $level"
    done
    forget o1-cores; forget o1-cuda; forget o1-again
    log 'output checked'
    local place way
    for way in ${OUTPUT_WAYS:-none async sync}; do
        for i in 1 2 3; do
            words="-g 50 --loop-times off"
            [ $way = none ] || words="$words --output-interval 5 --output-fields density,momentum,energy --io $way --io-buffers 10"
            run o8-$way-$i "$work/m8" --backend cuda $words
            show_io o8-$way-$i
            forget o8-$way-$i
        done
    done
    run o8-flow "$work/m8" --backend cuda -g 50 --loop-times off -I 5 --io-buffers 10
    show_io o8-flow
    forget o8-flow
    [ -z "${OUTPUT_WAYS:-}" ] || return 0
    run o8-slow "$work/m8" --backend cuda -g 50 --loop-times off --output-interval 5 --io-buffers 2
    show_io o8-slow
    forget o8-slow
    dd if=/dev/zero of="$work/dd" bs=16M count=64 conv=fsync 2>&1 | tail -1
    rm -f "$work/dd"
}
