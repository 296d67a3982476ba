package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.Median;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What the contestants reached, round by round, in the order of the rounds. */
final class Rounds {

    private final Map<Contestant, List<Lateness>> byContestant = new EnumMap<>(Contestant.class);

    void add(Contestant contestant, Lateness lateness) {
        byContestant.computeIfAbsent(contestant, key -> new ArrayList<>()).add(lateness);
    }

    Set<Contestant> contestants() {
        return byContestant.keySet();
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
