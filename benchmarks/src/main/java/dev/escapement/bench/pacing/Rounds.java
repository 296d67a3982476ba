package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.measure.Median;
import dev.escapement.bench.report.Table;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the contestants reached, round by round. In each round every contestant has its turn once, in an order that moves on by one from
 * round to round, so that a disturbance of the machine meets all of them.
 *
 * @param byContestant what each reached in its turns
 * @param givenUp      why Escapement's services gave up ticks
 * @param awayMillis   how long at least one core was taken away
 */
record Rounds(Map<Contestant, List<Lateness>> byContestant, Reasons givenUp, double awayMillis) {

    /** Lets each have so many turns of so many seconds; {@code progress} is told after each. */
    static Rounds run(List<Contestant> contestants, TickRate rate, int rounds, int seconds, Runnable progress)
            throws InterruptedException {
        Map<Contestant, List<Lateness>> results = new EnumMap<>(Contestant.class);
        List<GivenUpTicks> givenUp = new ArrayList<>();
        MachineWitness witness = MachineWitness.start();
        try (witness) {
            for (int round = 0; round < rounds; round++) {
                for (Contestant contestant : order(contestants, round)) {
                    results.computeIfAbsent(contestant, key -> new ArrayList<>())
                            .add(contestant.create(givenUp::add).tickFor(rate, seconds));
                    progress.run();
                }
            }
        }
        Reasons reasons = givenUp.stream().map(ticks -> ticks.reasons(witness)).reduce(Reasons.NONE, Reasons::plus);
        return new Rounds(results, reasons, witness.awayMillis());
    }

    static List<Contestant> order(List<Contestant> contestants, int round) {
        List<Contestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, -round);
        return order;
    }

    /** The rounds as text, a row per contestant. */
    String table(String title) {
        return new Table<Contestant>()
                .left(title, Contestant::toString)
                .right("median", contestant -> number("%,.1f", median(contestant, Lateness::medianMicros)))
                .right("p99", contestant -> number("%,.1f", median(contestant, Lateness::p99Micros)))
                .right("max", contestant -> number("%,.1f", median(contestant, Lateness::maxMicros)))
                .right("x park_nanos", contestant -> number("%.4f", ratio(contestant, Contestant.PARK_NANOS)))
                .right("core", contestant -> number("%.2f %%", median(contestant, Lateness::corePercent)))
                .right("B/tick", contestant -> number("%,.1f", median(contestant, Lateness::bytesPerTick)))
                .text(List.copyOf(byContestant.keySet()));
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }

    /** The median of a figure over the rounds. */
    double median(Contestant contestant, ToDoubleFunction<Lateness> figure) {
        return Median.of(of(contestant).stream().mapToDouble(figure).toArray());
    }

    /** The median over the rounds of the contestant's median lateness over the other's in the same round. */
    double ratio(Contestant contestant, Contestant other) {
        List<Lateness> numerators = of(contestant);
        List<Lateness> denominators = of(other);
        double[] ratios = new double[Math.min(numerators.size(), denominators.size())];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = numerators.get(round).medianMicros()
                    / denominators.get(round).medianMicros();
        }
        return Median.of(ratios);
    }

    private List<Lateness> of(Contestant contestant) {
        return byContestant.getOrDefault(contestant, List.of());
    }
}
