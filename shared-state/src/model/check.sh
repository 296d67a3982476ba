#!/usr/bin/env bash
# Checks exchange.pml with Spin: the protocol must hold in every state, every broken variant must be refuted.
# Exit codes: 0 all as it should be, 1 not so, 3 Spin or gcc missing.
# Takes a minute or so on two cores, and 1.5 GB of memory for K = 2, R = 2.
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
runs=0

row() {
    printf '%-2s %-2s %-7s %-24s %-20s %9s %8s  %-9s %5s\n' "$@"
}

# run <expected verdict> <K> <R> <readers> <name> <property> <greatest depth> [define]...
# In the background, in a directory of its own, as many at a time as there are cores.
run() {
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
    local expected=$1 k=$2 r=$3 readers=$4 name=$5 property=$6 limit=$7
    shift 7
    local started=$SECONDS verdict
    if ! { spin -DK="$k" -DR="$r" -DREADERS="$readers" -DONLY="$property" "$@" -a "$model" \
            && gcc -O2 -w -DSAFETY -DNOREDUCE -DCOLLAPSE -o pan pan.c; } > log 2>&1; then
        verdict=failed
    else
        ./pan -m"$limit" > log 2>&1
        verdict=$(judge $?)
    fi
    row "$k" "$r" "$readers" "$name" "$property" "$(number 's/^ *([0-9.e+]+) states, stored.*/\1/p')" \
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

# refuted <K> <R> <readers> <variant> <property>: snapshots keep their numbers, so the fault is one that the code would have.
refuted() {
    run refuted "$1" "$2" "$3" "$4" "$5" 10000000 -DNUMBERS_KEPT -DBROKEN_"$4"
}

# witnessed <property>
witnessed() {
    run refuted 2 1 2 "protocol, witness" "$1" 100000
}

row K R readers variant property states depth verdict s

holds 2 1 2 "protocol, numbers kept" EVERY_PROPERTY 1000000 -DNUMBERS_KEPT
holds 3 1 2 "protocol, numbers kept" EVERY_PROPERTY 10000000 -DNUMBERS_KEPT
holds 2 1 3 protocol EVERY_PROPERTY 100000
holds 3 1 3 protocol EVERY_PROPERTY 100000
holds 2 2 2 protocol EVERY_PROPERTY 10000000
holds 2 2 3 "protocol, never again" EVERY_PROPERTY 10000000 -DNEVER_AGAIN
holds 3 2 2 protocol EVERY_PROPERTY 4000000

witnessed NEVER_TAKES_OVER
witnessed NEVER_ALL_TAKEN
witnessed NEVER_SKIPS
witnessed NEVER_HOLDS_LONG
witnessed NEVER_THE_SAME_AGAIN

for parameters in "2 1 2" "3 1 2" "2 2 2"; do
    # Unquoted: three arguments.
    refuted $parameters ONE_TOO_FEW FREE_SNAPSHOT
    refuted $parameters FORGETS_DETACHED NEVER_TORN
    refuted $parameters LOAD_THEN_STORE NEVER_TORN
done

# Each property is refuted by at least one variant: none of the checks is empty.
refuted 2 1 2 FORGETS_DETACHED CONSECUTIVE
refuted 2 1 2 FORGETS_DETACHED FRESH
refuted 2 1 2 LOAD_THEN_STORE FRESH
refuted 2 1 2 LOAD_THEN_STORE NEVER_BACKWARDS
refuted 2 1 2 TAKES_STALE NO_WINDOW_BEFORE_K
refuted 2 1 2 WRITER_WAITS WRITER_NEVER_WAITS
refuted 2 1 2 READER_WAITS READER_NEVER_WAITS
refuted 2 1 2 READER_RETRIES READER_NEVER_WAITS

wait
cat ./*/row
rows=$(find . -name row | wc -l)
failures=$(find . -name failed | wc -l)
if [ "$failures" -ne 0 ] || [ "$rows" -ne "$runs" ]; then
    echo "$failures of $runs are not as they should be, $((runs - rows)) have no verdict"
    exit 1
fi
