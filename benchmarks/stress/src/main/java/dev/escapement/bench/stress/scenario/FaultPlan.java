package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Which faults strike, and when: all from a seed, so that a seed that failed draws the same again. Says nothing of what the faults
 * are, nor of what their moments count.
 *
 * @param seed    what all else follows from
 * @param strikes in the order in which they were drawn
 * @param <F>     the kind of the faults, which says by its text what each is
 */
record FaultPlan<F>(long seed, List<Strike<F>> strikes) {

    /**
     * A fault, and when it strikes.
     *
     * @param fault  what happens
     * @param moment which call, or which tick, counted from 1
     * @param <F>    the kind of the fault
     */
    record Strike<F>(F fault, int moment) {

        @Override
        public String toString() {
            return fault + " at " + moment;
        }
    }

    /**
     * Draws faults, each as likely as the other, and again. Of two in a row, half strike at the same moment: what comes together is what
     * breaks.
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
