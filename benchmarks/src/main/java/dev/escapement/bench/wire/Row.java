package dev.escapement.bench.wire;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a scheme, the mode, needed for a scene, the name, under the names of the JSON file's keys. Bits are payload of the packets, times
 * medians from a snapshot to packets and back. What was only counted has no times; an error of which nothing is known is null.
 */
record Row(
        String name,
        String mode,
        int bodies,
        int hz,
        int lossPercent,
        double bitsPerBodySnapshot,
        double bitsPerMovingBody,
        @Nullable Double encodeNanosPerBody,
        @Nullable Double decodeNanosPerBody,
        @Nullable Double maxPositionErrorMetres,
        @Nullable Double maxRotationErrorRadians) {

    /** The first tick that counts: by then the whole world has been sent, and coders have learned. */
    static final int FIRST_TICK = 100;

    /** Adds up what a scheme needed for each tick of a scene: times of encoding and decoding, errors of positions and rotations. */
    static Row of(
            Trace trace, String mode, int lossPercent, int[] bits, double @Nullable [] nanos, double @Nullable [] off) {
        int ticks = bits.length - FIRST_TICK;
        double sum = Arrays.stream(bits).asDoubleStream().skip(FIRST_TICK).sum();
        int moved = IntStream.range(FIRST_TICK, bits.length).map(trace::moved).sum();
        return new Row(
                trace.name,
                mode,
                trace.bodies,
                trace.hertz,
                lossPercent,
                sum / ticks / trace.bodies,
                sum / moved,
                nanos == null ? null : nanos[0],
                nanos == null ? null : nanos[1],
                off == null ? null : off[0],
                off == null ? null : off[1]);
    }

    boolean is(String scene, String scheme) {
        return name.equals(scene) && mode.equals(scheme);
    }
}
