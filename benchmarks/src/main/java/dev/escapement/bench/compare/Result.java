package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one contestant, under the names of the JSON file's keys.
 *
 * @param contestant       who
 * @param load             what steps took
 * @param refresh          the rates of ticks and frames
 * @param frames           frames measured
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
        long holds) {

    /** Whether it is of a load, at the rates that most figures are told of. */
    boolean isMain(LoadProfile ofLoad) {
        return load == ofLoad && refresh == RefreshCase.FPS_144;
    }

    /**
     * How far the picture was behind real time.
     *
     * @throws IllegalStateException if the world does not keep real time
     */
    Summary requireLookBehindMicros() {
        if (lookBehindMicros == null) {
            throw new IllegalStateException(contestant + " at " + refresh + " does not keep real time, at a speed of "
                    + speed + ", so its picture has no age");
        }
        return lookBehindMicros;
    }
}
