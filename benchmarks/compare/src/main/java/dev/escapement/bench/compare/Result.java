package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one contestant in one run. The components are named as the keys of the JSON file.
 *
 * @param framesPerSecond  frames displayed in a second, less than the display's rate if frames miss their slots
 * @param repeatsPer10000  frames in 10,000 in which the picture stood still
 * @param skipsPer10000    frames in 10,000 in which the picture moved twice as far as it should have
 * @param unevennessPercent by how many percent the motion in a frame differs from the mean motion per frame; the mean over all frames
 * @param unevennessP99Percent the 99th percentile of the same difference
 * @param abruptFrames     frames whose speed differs from that of the previous frame by more than 15 %
 * @param standingFrames   frames that show the same time as the previous frame
 * @param lookBehindMicros null if the world does not keep real time
 * @param speed            simulated time over real time, as drawn
 * @param belowFloorMillimetres the maximum depth of the drawn ball in the floor
 * @param positionMicrometres the distance of the drawn ball from the line between its positions at the ticks before and after the drawn
 *                            time; null without constant steps
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
