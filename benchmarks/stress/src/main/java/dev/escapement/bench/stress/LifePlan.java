package dev.escapement.bench.stress;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TimeScale;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The storm of one service, drawn from the seed of the run and the number of the life, which is counted from 1.
 *
 * @param repeats           whether its log is replayed afterwards: the life then has no commands as lambdas and does not seek back
 * @param inputsPerSecond   the input events that all producers offer together
 * @param commandsPerSecond the sent commands; fewer if the life keeps no past, see {@link CommandStorm#pauseNanos}
 */
record LifePlan(
        int number,
        long seed,
        double seconds,
        boolean repeats,
        Set<StormPart> parts,
        LateTicks lateTicks,
        int inputsPerSecond,
        int commandsPerSecond) {

    private static final double TAKES_PART = 0.8;

    /** The number of first lives that have all parts. Later lives leave some parts out, because a part may hide the fault of another. */
    private static final int WHOLE_LIVES = 2;

    /**
     * Parts that keep ticks, states or packets of the past. Their memory grows for long, and ticks allocate it. Lives with such parts
     * cannot show leaks.
     */
    static final Set<StormPart> KEEP_PAST =
            EnumSet.of(StormPart.REWIND, StormPart.RECORDING, StormPart.FLIGHT_RECORDER, StormPart.UDP);

    /**
     * Draws a life; the same seed and number always give the same life. The first of every three lives is as long as possible and keeps no
     * past, so that leaks and allocations of ticks show. The other two are at most half as long.
     *
     * @param chosen whether the user has named the parts. Then all of them are active, except those that a life with a replayed log cannot
     *               have
     */
    static LifePlan draw(long seed, int number, Set<StormPart> wanted, boolean chosen, double longestSeconds) {
        SplittableRandom random = new SplittableRandom(1_000_003 * seed + number);
        Set<StormPart> parts = EnumSet.copyOf(wanted);
        parts.removeIf(part -> random.nextDouble() > TAKES_PART && number > WHOLE_LIVES && !chosen);
        boolean isLong = number % 3 == 1;
        if (isLong && !chosen) {
            parts.removeAll(KEEP_PAST);
        }
        boolean repeats = number % 2 == 0 && parts.contains(StormPart.RECORDING);
        if (repeats) {
            parts.remove(StormPart.REWIND);
        }
        LateTicks lateTicks = switch (random.nextInt(6)) {
            case 0 -> LateTicks.catchUp(0);
            case 1 -> LateTicks.catchUp(1_000_000L * (1 + random.nextInt(80)));
            case 2 -> LateTicks.dilate(TimeScale.ONE);
            default -> LateTicks.dilate();
        };
        return new LifePlan(
                number,
                random.nextLong(),
                longestSeconds * (isLong ? 1 : random.nextDouble(0.25, 0.5)),
                repeats,
                parts,
                lateTicks,
                (int) Math.pow(10, random.nextDouble(2, 6)),
                10 + random.nextInt(190));
    }

    boolean keepsPast() {
        return !Collections.disjoint(parts, KEEP_PAST);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "life %d, %.1f s, %s, %,d inputs/s, up to %d commands/s, %s",
                number,
                seconds,
                lateTicks,
                inputsPerSecond,
                commandsPerSecond,
                parts.stream().map(StormPart::toString).collect(Collectors.joining(" ")));
    }
}
