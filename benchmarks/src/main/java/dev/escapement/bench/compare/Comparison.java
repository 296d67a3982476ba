package dev.escapement.bench.compare;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.real.RealComparison;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All results.
 *
 * @param onVirtualClock exact, and the same on every machine
 * @param onRealThreads  of this machine; null if nothing ran on real threads
 */
record Comparison(List<Result> onVirtualClock, @Nullable RealComparison onRealThreads) {

    Comparison {
        onVirtualClock = List.copyOf(onVirtualClock);
    }

    /** The one result of a case, if it ran. */
    static Optional<Result> find(List<Result> results, Contestant contestant, LoadProfile load, RefreshCase refresh) {
        return results.stream()
                .filter(result ->
                        result.contestant() == contestant && result.load() == load && result.refresh() == refresh)
                .findFirst();
    }
}
