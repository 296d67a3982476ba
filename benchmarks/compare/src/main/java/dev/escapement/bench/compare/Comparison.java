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
 * @param onRealThreads   of this machine; null, and left out, if nothing ran there
 */
record Comparison(
        int warmUpSeconds,
        int measuredSeconds,
        Map<String, String> loads,
        List<Entry> contestants,
        List<Result> onVirtualClock,
        @Nullable RealComparison onRealThreads) {

    /** What a contestant is. */
    record Entry(Contestant contestant, String row, String whatItIs, String whatGoesWrong) {}

    /**
     * What was measured of one contestant.
     *
     * @param framesPerSecond  frames displayed in a second, less than the display could where frames miss their slots
     * @param errorMicros      animation error by display slot, absolute
     * @param repeatsPer10000  frames in 10,000 in which the picture stood still
     * @param skipsPer10000    frames in 10,000 in which it moved twice as far as it should have
     * @param lookBehindMicros how far the picture was behind real time; null where the world does not keep real time
     * @param speed            simulated time over real time, as it was drawn
     * @param belowFloorMillimetres how deep the ball was drawn in the floor at most
     * @param positionMicrometres how far the ball was drawn from where it is between the ticks around the time shown; null without constant steps
     * @param holds            frames that had to wait for a state
     */
    record Result(
            Contestant contestant,
            LoadProfile load,
            RefreshCase refresh,
            long frames,
            double framesPerSecond,
            Summary errorMicros,
            double repeatsPer10000,
            double skipsPer10000,
            @Nullable Summary lookBehindMicros,
            double speed,
            double belowFloorMillimetres,
            @Nullable Summary positionMicrometres,
            long holds) {}

    /**
     * What was measured on real threads.
     *
     * @param analyticCompletionMicros the error by completion of a picture that is right by construction: of all others, it is a part
     * @param slowGivenUpTicks         ticks that the physics threads gave up because ticks took too long
     * @param unexplainedGivenUpTicks  those given up for an unknown reason
     * @param machineAwayMillis        how long at least one core was taken away
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
     * What was measured of one contestant on real threads.
     *
     * @param slot                  its errors are against the slots that frames were meant for
     * @param displayedErrorMicros  animation error by the slots that frames were in time for, absolute
     * @param completionErrorMicros animation error by when drawing was complete, absolute: all jitter of the operating system is in it
     * @param missedSlots           slots without a frame because the one before took too long, warm-up included
     */
    record RealResult(Result slot, Summary displayedErrorMicros, Summary completionErrorMicros, long missedSlots) {}

    static Comparison of(List<Result> onVirtualClock, @Nullable RealComparison onRealThreads) {
        Map<String, String> loads = new TreeMap<>();
        for (LoadProfile load : LoadProfile.values()) {
            loads.put(load.toString(), load.says());
        }
        return new Comparison(
                VirtualContest.WARM_UP_SECONDS,
                VirtualContest.MEASURED_SECONDS,
                loads,
                Arrays.stream(Contestant.values())
                        .map(who -> new Entry(who, who.row, who.whatItIs, who.whatGoesWrong))
                        .toList(),
                onVirtualClock,
                onRealThreads);
    }
}
