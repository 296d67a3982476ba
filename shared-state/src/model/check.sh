#!/usr/bin/env bash
# Checks exchange.pml with Spin: the protocol must hold in every state of either memory, every broken variant must be refuted.
# Exit codes: 0 all as it should be, 1 not so, 3 Spin or gcc missing.
# All of it takes two minutes of processor time. SLICE=3/8 makes the third,
# the eleventh and so on of the searches, without it all are made.
set -u
export LC_ALL=C

if ! command -v spin > /dev/null || ! command -v gcc > /dev/null; then
    echo "the model of the exchange was not checked: it takes the Debian packages spin and gcc (apt-get install spin gcc)"
    exit 3
fi

model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/exchange.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cores=$(nproc 2> /dev/null || echo 1)
slice=${SLICE:-1/1}
searches=0
runs=0
optimise=-O0

row() {
    printf '%-2s %-2s %-7s %-6s %-23s %-20s %9s %8s  %-9s %5s\n' "$@"
}

# run <expected verdict> "<K> <R> <readers>" <memory: one or views> <name> <property> [define]...
# In the background, in a directory of its own, as many at a time as there are cores.
run() {
    searches=$((searches + 1))
    if [ $(((searches - 1) % ${slice#*/})) -ne $((${slice%/*} - 1)) ]; then
        return
    fi
    runs=$((runs + 1))
    if [ "$runs" -gt "$cores" ]; then
        wait -n
    fi
    check "$work/$(printf '%02d' "$runs")" "$@" &
}

# check <directory> <see run>: leaves its row in the file 'row', and a file 'failed' if the verdict is another one.
check() {
    mkdir "$1" && cd "$1" || exit 1
    shift
    local expected=$1 k r readers memory=$3 name=$4 property=$5
    read -r k r readers <<< "$2"
    shift 5
    local started=$SECONDS verdict views=()
    if [ "$memory" = views ]; then
        views=(-DVIEWS)
    fi
    if ! { spin -DK="$k" -DR="$r" -DREADERS="$readers" -DONLY="$property" "${views[@]}" "$@" -a "$model" \
            && gcc $optimise -w -DSAFETY -DNOREDUCE -DCOLLAPSE -DMEMLIM=6000 -o pan pan.c; } > log 2>&1; then
        verdict=failed
    else
        ./pan -m3000000 > log 2>&1
        verdict=$(judge $?)
    fi
    row "$k" "$r" "$readers" "$memory" "$name" "$property" "$(number 's/^ *([0-9.e+]+) states, stored.*/\1/p')" \
        "$(number 's/.*depth reached ([0-9]+).*/\1/p')" "$verdict" $((SECONDS - started)) > row
    if [ "$verdict" != "$expected" ]; then
        touch failed
        echo "    should be $expected. Spin says:" >> row
        sed 's/^/    /' log >> row
    fi
}

number() {
    sed -nE "$1" log | head -n 1
}

# A search that stopped for any reason but a property has no verdict: out of depth, of memory, of the bounds of an array.
judge() {
    if grep -qE '^pan:1: (assertion violated \(|end state in claim reached)' log; then
        echo refuted
    elif [ "$1" -eq 0 ] && grep -q 'errors: 0' log && grep -q '^Full statespace search' log \
            && ! grep -qiE 'error: |warning: |out of memory|not completed' log; then
        echo holds
    else
        echo failed
    fi
}

holds() {
    run holds "$@"
}

# long <see holds>: so many states that it pays to have the compiler optimise the search.
long() {
    optimise=-O2 run holds "$@"
}

# broken "<K> <R> <readers>" <variant> <property>: numbers are kept, so the fault is one that the code would have.
broken() {
    run refuted "$1" one "$2" "$3" -DNUMBERS_KEPT -DBROKEN_"$2"
}

# witnessed "<K> <R> <readers>" <memory> <property>
witnessed() {
    run refuted "$1" "$2" "protocol, witness" "$3"
}

# dropped "<K> <R> <readers>" <order>: views miss it.
dropped() {
    run refuted "$1" views "without $2" NEVER_RACES -DDROPPED="$2"
}

row K R readers memory variant property states depth verdict s

# A search with more readers has all runs of one with fewer.
long "3 2 2" one protocol EVERY_PROPERTY
long "3 1 2" one "protocol, numbers kept" EVERY_PROPERTY -DNUMBERS_KEPT
holds "2 1 2" one "protocol, numbers kept" EVERY_PROPERTY -DNUMBERS_KEPT
holds "2 1 3" one protocol EVERY_PROPERTY
holds "3 1 3" one protocol EVERY_PROPERTY
long "2 2 3" one protocol EVERY_PROPERTY
holds "2 1 2" views protocol EVERY_PROPERTY
holds "3 1 2" views protocol EVERY_PROPERTY

for order in PUT_ACQUIRES PUT_RELEASES TAKE_ACQUIRES TAKE_RELEASES READER_RELEASES TRY_TAKE_ACQUIRES; do
    dropped "2 1 2" "$order"
    dropped "3 1 2" "$order"
done
# One memory misses none of them.
holds "2 1 2" one "without orders" EVERY_PROPERTY -DDROPPED=ALL_ORDERS
holds "3 1 2" one "without orders" EVERY_PROPERTY -DDROPPED=ALL_ORDERS

for witness in NEVER_TAKES_OVER NEVER_ALL_TAKEN NEVER_SKIPS NEVER_HOLDS_LONG NEVER_THE_SAME_AGAIN; do
    witnessed "2 1 2" one "$witness"
    witnessed "2 1 2" views "$witness"
done
witnessed "2 1 2" views NEVER_OLD

for parameters in "2 1 2" "3 1 2" "2 2 2"; do
    broken "$parameters" ONE_TOO_FEW FREE_SNAPSHOT
    broken "$parameters" ONE_TIMELINE_TOO_FEW FREE_TIMELINE
    broken "$parameters" FORGETS_TIMELINE NEVER_TORN
    broken "$parameters" FORGETS_DETACHED NEVER_TORN
    broken "$parameters" LOAD_THEN_STORE NEVER_TORN
done

# Each property is refuted by at least one variant: none of the checks is empty.
broken "2 1 2" FORGETS_DETACHED CONSECUTIVE
broken "2 1 2" FORGETS_DETACHED FRESH
broken "2 1 2" LOAD_THEN_STORE FRESH
broken "2 1 2" LOAD_THEN_STORE NEVER_BACKWARDS
broken "2 1 2" TAKES_STALE NO_WINDOW_BEFORE_K
broken "2 1 2" WRITER_WAITS WRITER_NEVER_WAITS
broken "2 1 2" READER_WAITS READER_NEVER_WAITS
broken "2 1 2" READER_RETRIES READER_NEVER_WAITS

wait
cat ./*/row
rows=$(find . -name row | wc -l)
failures=$(find . -name failed | wc -l)
if [ "$failures" -ne 0 ] || [ "$rows" -ne "$runs" ]; then
    echo "$failures of $runs are not as they should be, $((runs - rows)) have no verdict"
    exit 1
fi
