package dev.escapement.bench.soak;

import dev.escapement.physics.LateTicks;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The storm of one service, drawn from the seed of the run and the number of the life.
 *
 * @param number            from 1
 * @param seed              for what the parts draw themselves
 * @param seconds           how long it runs
 * @param repeats           whether a log of it can be repeated: without lambdas and without going back
 * @param parts             what takes part
 * @param lateTicks         what becomes of ticks that are late
 * @param windowSize        how many snapshots readers see
 * @param inputsPerSecond   the input that all producers offer
 * @param producers         how many threads offer it
 * @param commandsPerSecond how many commands are given
 * @param slowEveryTicks    how often the listener is slow
 */
record LifePlan(
        int number,
        long seed,
        double seconds,
        boolean repeats,
        Set<StormPart> parts,
        LateTicks lateTicks,
        int windowSize,
        int inputsPerSecond,
        int producers,
        int commandsPerSecond,
        int slowEveryTicks) {

    private static final double TAKES_PART = 0.8;

    /** The first lives have all parts that they can have; later ones leave some out, so that what one part hides shows. */
    private static final int WHOLE_LIVES = 2;

    /** Long lives show what grows within them. */
    private static final int WHOLE_LENGTH_EVERY = 4;

    /** Draws a life; of one seed and number always the same. Each fourth, from the first on, is as long as may be. */
    static LifePlan draw(long seed, int number, Set<StormPart> wanted, double longestSeconds) {
        SplittableRandom random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * number);
        Set<StormPart> parts = EnumSet.copyOf(wanted);
        parts.removeIf(part -> random.nextDouble() > TAKES_PART && number > WHOLE_LIVES);
        if (number % 3 == 0) { // so that what ticks allocate is counted: the past and logs keep some of it
            parts.removeAll(Set.of(StormPart.REWIND, StormPart.RECORDING, StormPart.FLIGHT_RECORDER));
        }
        boolean repeats = number % 2 == 0 && parts.contains(StormPart.RECORDING);
        if (number % 3 == 1) {
            parts.remove(StormPart.UDP); // a client's own events are counted with those of the storm
        }
        if (repeats) {
            parts.remove(StormPart.REWIND);
        }
        LateTicks lateTicks = switch (random.nextInt(6)) {
            case 0 -> LateTicks.skip();
            case 1 -> LateTicks.burst(1 + random.nextInt(8));
            case 2 -> LateTicks.delay();
            default -> LateTicks.dilate();
        };
        return new LifePlan(
                number,
                random.nextLong(),
                longestSeconds * (number % WHOLE_LENGTH_EVERY == 1 ? 1 : random.nextDouble(0.25, 1)),
                repeats,
                parts,
                lateTicks,
                4 + random.nextInt(2), // all that there is room for beside the readers
                (int) Math.pow(10, random.nextDouble(2, 6)),
                1 + random.nextInt(4),
                10 + random.nextInt(190),
                50 + random.nextInt(400));
    }

    boolean has(StormPart part) {
        return parts.contains(part);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "life %d, %.1f s, %s, windows of %d, %,d inputs/s of %d threads, %d commands/s, %s",
                number,
                seconds,
                lateTicks.policy(),
                windowSize,
                inputsPerSecond,
                producers,
                commandsPerSecond,
                parts.stream().map(StormPart::toString).collect(Collectors.joining(" ")));
    }
}
