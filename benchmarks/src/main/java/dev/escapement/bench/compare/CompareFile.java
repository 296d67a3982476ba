package dev.escapement.bench.compare;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.real.RealComparison;
import dev.escapement.bench.compare.virtual.VirtualContest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was found, under the names of the JSON file's keys.
 *
 * @param warmUpSeconds   virtual seconds left out at first
 * @param measuredSeconds virtual seconds measured
 * @param loads           what each load is
 * @param contestants     what each contestant is
 * @param onVirtualClock  the same on every machine
 * @param onRealThreads   of this machine; left out if nothing ran there
 */
record CompareFile(
        int warmUpSeconds,
        int measuredSeconds,
        Map<String, String> loads,
        List<Entry> contestants,
        List<Result> onVirtualClock,
        @Nullable RealComparison onRealThreads) {

    /**
     * A contestant.
     *
     * @param contestant    its name
     * @param row           its number among the loops of the literature, "-" if it is none
     * @param whatItIs      in a line
     * @param whatGoesWrong in another
     */
    record Entry(Contestant contestant, String row, String whatItIs, String whatGoesWrong) {

        static List<Entry> all() {
            return Arrays.stream(Contestant.values())
                    .map(contestant ->
                            new Entry(contestant, contestant.row(), contestant.whatItIs(), contestant.whatGoesWrong()))
                    .toList();
        }
    }

    static CompareFile of(Comparison comparison) {
        Map<String, String> loads = new TreeMap<>();
        for (LoadProfile load : LoadProfile.values()) {
            loads.put(load.toString(), load.says());
        }
        return new CompareFile(
                VirtualContest.WARM_UP_SECONDS,
                VirtualContest.MEASURED_SECONDS,
                loads,
                Entry.all(),
                comparison.onVirtualClock(),
                comparison.onRealThreads());
    }
}
