package dev.escapement.bench.wire;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a scheme needed for a scene, under the names of the JSON file's keys. What was only counted has no times.
 *
 * @param name                    of the scene
 * @param mode                    of the scheme
 * @param bodies                  how many
 * @param hz                      snapshots a second
 * @param lossPercent             packets that were lost
 * @param bitsPerBodySnapshot     payload of the packets
 * @param bitsPerMovingBody       the same for each body that moved, by 2 mm or a step of 9 bits
 * @param encodeNanosPerBody      from a snapshot to packets, the median
 * @param decodeNanosPerBody      from packets to a snapshot, the median
 * @param maxPositionErrorMetres  of a coordinate; null where nothing is known of it
 * @param maxRotationErrorRadians of a rotation; null where nothing is known of it
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
            QuantisedTrace scene,
            String mode,
            int lossPercent,
            int[] bits,
            double @Nullable [] nanos,
            double @Nullable [] off) {
        Trace trace = scene.trace;
        int ticks = bits.length - FIRST_TICK;
        double sum = Arrays.stream(bits).asDoubleStream().skip(FIRST_TICK).sum();
        int moved = IntStream.range(FIRST_TICK, bits.length).map(scene::moved).sum();
        return new Row(
                trace.name(),
                mode,
                trace.bodies(),
                trace.hertz(),
                lossPercent,
                sum / ticks / trace.bodies(),
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
