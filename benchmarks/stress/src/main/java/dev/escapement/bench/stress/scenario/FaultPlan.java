package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Which faults strike, and when: drawn from a seed, so that a seed that failed can be repeated. Independent of the kind of the faults and
 * of the unit of their moments.
 *
 * @param seed    determines the plan
 * @param strikes in the order in which they were drawn
 * @param <F>     the kind of the faults, described by its text
 */
record FaultPlan<F>(long seed, List<Strike<F>> strikes) {

    /**
     * A fault, and when it strikes.
     *
     * @param fault  the fault
     * @param moment the call, or the tick, counted from 1
     * @param <F>    the kind of the fault
     */
    record Strike<F>(F fault, int moment) {

        @Override
        public String toString() {
            return fault + " at " + moment;
        }
    }

    /**
     * Draws faults, all equally likely, with repetition. Half of all consecutive pairs strike at the same moment, because coinciding faults
     * break most.
     *
     * @param lastMoment the last moment at which a fault can strike, from 1
     */
    static <F> FaultPlan<F> draw(long seed, int count, List<F> possible, ToIntFunction<F> lastMoment) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Strike<F>> strikes = new ArrayList<>();
        int moment = 0;
        for (int i = 0; i < count; i++) {
            F fault = possible.get(random.nextInt(possible.size()));
            int last = lastMoment.applyAsInt(fault);
            int any = 1 + random.nextInt(last);
            moment = random.nextBoolean() && moment > 0 ? Math.min(moment, last) : any;
            strikes.add(new Strike<>(fault, moment));
        }
        return new FaultPlan<>(seed, List.copyOf(strikes));
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + strikes.stream().map(Strike::toString).collect(Collectors.joining(", "));
    }
}
