package dev.escapement.bench.compare;

import dev.escapement.bench.compare.DisplayCalls.Variable;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A display, and a renderer whose calls come early or late.
 *
 * @param name         the display
 * @param periodNanos  its period; the shortest if it is variable
 * @param jitterNanos  how early or late calls are at most
 * @param warmUpNanos  the time after the first call that is left out
 * @param calls        creates a series by its number
 */
record DisplayCase(
        String name, double periodNanos, double jitterNanos, long warmUpNanos, IntFunction<DisplayCalls> calls) {

    static final int SERIES = 24;

    private static final double SECONDS = 11;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final double MAX_JITTER_NANOS = 3e6;
    private static final double MAX_JITTER_PERIODS = 0.3;
    private static final double LOW_HERTZ = 50;
    private static final long SEED = 0x2545F491L;

    /** Returns displays whose rhythm can be learned: calls are early or late by at most 3 ms and 0.3 periods. */
    static List<DisplayCase> regular() {
        return DoubleStream.of(24, 25, 30, 48, 50, 59.94, 60, 72, 75, 90, 100, 120, 144, 165, 240, 360)
                .mapToObj(hertz -> constant(
                        hertz,
                        Math.min(MAX_JITTER_NANOS, MAX_JITTER_PERIODS * 1e9 / hertz),
                        hertz < LOW_HERTZ ? 2 * SECOND_NANOS : SECOND_NANOS))
                .toList();
    }

    /** Returns displays that wait for frames, and calls nearly a period or more away from their slots. */
    static List<DisplayCase> irregular() {
        Stream<DisplayCase> beyond = Stream.of(
                constant(60, 8e6, 0),
                constant(120, 3e6, 0),
                constant(144, 3e6, 0),
                constant(165, 3e6, 0),
                constant(240, 2e6, 0),
                constant(240, 3e6, 0),
                constant(360, 2e6, 0),
                constant(360, 3e6, 0));
        return Stream.concat(beyond, Stream.of(Variable.values()).map(DisplayCase::variable))
                .toList();
    }

    private static DisplayCase constant(double hertz, double jitterNanos, long warmUpNanos) {
        String name = (hertz == Math.rint(hertz) ? String.valueOf((long) hertz) : String.valueOf(hertz)) + " Hz";
        return new DisplayCase(
                name,
                1e9 / hertz,
                jitterNanos,
                warmUpNanos,
                series -> DisplayCalls.constant(hertz, jitterNanos, SECONDS, random(series)));
    }

    private static DisplayCase variable(Variable how) {
        double jitterNanos = 90_000;
        return new DisplayCase(
                "variable, " + how.name().toLowerCase(Locale.ROOT),
                1e9 / 144,
                jitterNanos,
                0,
                series -> DisplayCalls.variable(how, jitterNanos, SECONDS, random(series)));
    }

    private static SplittableRandom random(int series) {
        return new SplittableRandom(SEED + series);
    }
}
