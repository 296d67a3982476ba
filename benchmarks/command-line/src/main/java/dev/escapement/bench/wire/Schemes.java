package dev.escapement.bench.wire;

import static dev.escapement.bench.wire.CodecRun.ROUND_TRIP_TICKS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All schemes over a scene. */
final class Schemes {

    static final int LOSS_PERCENT = 5;
    static final String ACKNOWLEDGED = "acknowledged";
    static final String BROADCAST = "broadcast";
    static final String ABSOLUTE = "absolute";
    static final String FIEDLER = "fiedler";
    static final String GIESEN = "giesen";
    static final String SABLE = "sable";

    /** What a body takes in the formats of two mods of a game, which send every body in every tick. */
    private static final int SABLE_BITS = 96 * Byte.SIZE;

    private static final int VELTHORIC_BITS = 57 * Byte.SIZE;

    /** Within 32 m of the middle and up to 16 m high, at 512 units a metre, and 9 bits for each of three components. */
    static final int ABSOLUTE_BITS = 15 + 15 + 13 + 2 + 3 * 9;

    private Schemes() {}

    static List<Row> of(Trace trace) {
        double[] off = {Trace.MAX_POSITION_ERROR, Trace.MAX_ROTATION_ERROR};
        List<Row> rows = new ArrayList<>();
        if (trace.marked) {
            rows.add(counted(trace, FIEDLER, 0, off, new FiedlerScheme(trace, bases(trace, 0))::bits));
            rows.add(counted(trace, GIESEN, 0, off, new GiesenScheme(trace, bases(trace, 0))::bits));
            GiesenScheme losing = new GiesenScheme(trace, bases(trace, LOSS_PERCENT));
            rows.add(counted(trace, GIESEN, LOSS_PERCENT, off, losing::bits));
        }
        rows.add(CodecRun.send(trace, ACKNOWLEDGED, LOSS_PERCENT));
        rows.add(CodecRun.send(trace, BROADCAST, LOSS_PERCENT));
        rows.add(counted(trace, ABSOLUTE, 0, off, tick -> absoluteBits(trace, tick)));
        rows.add(counted(trace, SABLE, 0, null, tick -> trace.bodies * SABLE_BITS));
        rows.add(counted(trace, "velthoric", 0, null, tick -> trace.bodies * VELTHORIC_BITS));
        return rows;
    }

    private static Row counted(
            Trace trace, String mode, int lossPercent, double @Nullable [] off, IntUnaryOperator bitsOfTick) {
        int[] bits = new int[trace.ticks.size()];
        Arrays.setAll(bits, tick -> tick < ROUND_TRIP_TICKS ? 0 : bitsOfTick.applyAsInt(tick));
        return Row.of(trace, mode, lossPercent, bits, null, off);
    }

    /**
     * Quantised updates without a base line: each body that moved, whole and once. Which these are takes a bit for every body, or an index for
     * each of them, whichever is less. Nothing is repeated for what is lost or who is late.
     */
    static int absoluteBits(Trace trace, int tick) {
        int bodies = trace.bodies;
        int moved = trace.moved(tick);
        int index = Integer.SIZE - Integer.numberOfLeadingZeros(bodies - 1);
        return moved * (ABSOLUTE_BITS + (trace.marked ? 1 : 0)) + Math.min(bodies, moved * index);
    }

    /** The base line of each tick: the newest one that arrived, a round trip ago or longer; negative for none. */
    static int[] bases(Trace trace, int lossPercent) {
        SplittableRandom random = new SplittableRandom(lossPercent);
        int[] bases = new int[trace.ticks.size()];
        for (int tick = 0; tick < bases.length; tick++) {
            boolean arrived = tick < 2 * ROUND_TRIP_TICKS || random.nextInt(100) >= lossPercent;
            bases[tick] = tick < ROUND_TRIP_TICKS ? -1 : arrived ? tick - ROUND_TRIP_TICKS : bases[tick - 1];
        }
        return bases;
    }

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
                Trace trace,
                String mode,
                int lossPercent,
                int[] bits,
                double @Nullable [] nanos,
                double @Nullable [] off) {
            int ticks = bits.length - FIRST_TICK;
            double sum = Arrays.stream(bits).asDoubleStream().skip(FIRST_TICK).sum();
            int moved =
                    IntStream.range(FIRST_TICK, bits.length).map(trace::moved).sum();
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
}
