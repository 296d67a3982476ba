package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one contestant, named as the JSON file's keys.
 *
 * @param framesPerSecond  frames displayed in a second, less than the display's rate if frames miss their slots
 * @param errorMicros      animation error by display slot, absolute
 * @param repeatsPer10000  frames in 10,000 in which the picture stood still
 * @param skipsPer10000    frames in 10,000 in which the picture moved twice as far as it should have
 * @param unevennessPercent how much the distance that a frame moves the picture differs from the mean distance, in percent of that; the
 *                          mean of all frames
 * @param unevennessP99Percent the 99th percentile of this difference
 * @param abruptFrames     frames whose speed differs from that of the frame before by more than 15 %
 * @param standingFrames   frames that show the same as the frame before
 * @param lookBehindMicros how far the picture was behind real time; null if the world does not keep real time
 * @param speed            simulated time over real time, as drawn
 * @param belowFloorMillimetres the maximum depth of the ball in the floor, as drawn
 * @param positionMicrometres the distance between the drawn ball and its place between the ticks around the drawn time; null without
 *     constant steps
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
        double unevennessPercent,
        double unevennessP99Percent,
        long abruptFrames,
        long standingFrames,
        @Nullable Summary lookBehindMicros,
        double speed,
        double belowFloorMillimetres,
        @Nullable Summary positionMicrometres) {}
