package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Which two faults strike, and when: drawn from a seed, so that a seed that failed can be repeated.
 *
 * @param seed    determines the plan
 * @param strikes in the order in which they were drawn
 */
record FaultPlan(long seed, List<Strike> strikes) {

    private static final int PAIR = 2;

    /**
     * A fault, and when it strikes.
     *
     * @param fault  the fault
     * @param moment the call, counted from 1
     */
    record Strike(Fault fault, int moment) {

        @Override
        public String toString() {
            return fault + " at " + moment;
        }
    }

    /**
     * Draws two faults, all equally likely, perhaps the same one twice. Half of all pairs strike at the same moment, because coinciding
     * faults break most.
     */
    static FaultPlan draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault> possible = Fault.all();
        List<Strike> strikes = new ArrayList<>();
        int moment = 0;
        for (int i = 0; i < PAIR; i++) {
            Fault fault = possible.get(random.nextInt(possible.size()));
            int last = fault.site().lastMoment;
            int any = 1 + random.nextInt(last);
            moment = random.nextBoolean() && moment > 0 ? Math.min(moment, last) : any;
            strikes.add(new Strike(fault, moment));
        }
        return new FaultPlan(seed, List.copyOf(strikes));
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + strikes.stream().map(Strike::toString).collect(Collectors.joining(", "));
    }
}
