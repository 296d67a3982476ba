package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
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
 * @param lookAhead       what it costs to look ahead, on the virtual clock
 * @param onRealThreads   of this machine; null, and left out, if nothing ran there
 */
record Comparison(
        int warmUpSeconds,
        int measuredSeconds,
        Map<String, String> loads,
        List<Entry> contestants,
        List<Result> onVirtualClock,
        List<AgeCurve.Point> lookAhead,
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

    /**
     * What was measured on real threads, under the names of the JSON file's keys.
     *
     * @param crowd                    the bodies beside the scene
     * @param warmUpSeconds            seconds left out at first
     * @param measuredSeconds          seconds measured
     * @param java                     the JVM it ran on
     * @param analyticCompletionMicros the error by completion of a picture that is right by construction: of all others, it is a part
     * @param givenUpTicks             ticks that the physics threads gave up
     * @param slowGivenUpTicks         those given up because ticks took too long
     * @param unexplainedGivenUpTicks  those given up for an unknown reason
     * @param machineAwayMillis        how long at least one core was taken away
     * @param results                  one for each contestant and load
     */
    record RealComparison(
            String crowd,
            int warmUpSeconds,
            int measuredSeconds,
            String java,
            Summary analyticCompletionMicros,
            long givenUpTicks,
            long slowGivenUpTicks,
            long unexplainedGivenUpTicks,
            double machineAwayMillis,
            List<RealResult> results) {

        /** How the machine did, in a sentence. */
        String machineVerdict() {
            long machine = givenUpTicks - slowGivenUpTicks - unexplainedGivenUpTicks;
            Reasons reasons = new Reasons(slowGivenUpTicks, machine, unexplainedGivenUpTicks);
            return reasons.machineVerdict(0, machineAwayMillis, "the loads of 'compare' are meant for a faster core");
        }
    }

    /**
     * What was measured of one contestant on real threads, under the names of the JSON file's keys.
     *
     * @param slot                  its errors are against the slots that frames were meant for
     * @param displayedErrorMicros  animation error by the slots that frames were in time for, absolute
     * @param completionErrorMicros animation error by when drawing was complete, absolute: all jitter of the operating system is in it
     * @param missedSlots           slots without a frame because the one before took too long, warm-up included
     */
    record RealResult(Result slot, Summary displayedErrorMicros, Summary completionErrorMicros, long missedSlots) {}

    static Comparison of(
            List<Result> onVirtualClock, List<AgeCurve.Point> lookAhead, @Nullable RealComparison onRealThreads) {
        Map<String, String> loads = new TreeMap<>();
        for (LoadProfile load : LoadProfile.values()) {
            loads.put(load.toString(), load.says());
        }
        return new Comparison(
                VirtualContest.WARM_UP_SECONDS,
                VirtualContest.MEASURED_SECONDS,
                loads,
                Entry.all(),
                List.copyOf(onVirtualClock),
                List.copyOf(lookAhead),
                onRealThreads);
    }
}
