package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.flood.Findings;
import dev.escapement.bench.flood.Flood;
import dev.escapement.bench.flood.FloodResult;
import dev.escapement.bench.flood.Plant;
import dev.escapement.bench.flood.RingSize;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import java.util.Map;
import java.util.Set;

/** A million numbered input events a second, in turns into a ring that has room for two ticks and into one that has to refuse. */
final class InputFlood implements Scenario {

    private static final int PRODUCERS = 4;
    private static final int PER_SECOND = 1_000_000;

    /** So that a soak has many floods, and each few enough events to be numbered. */
    private static final double LONGEST_SECONDS = 60;

    /** What it promises, and what breaks it. */
    private static final Map<Promise, Plant> PLANTS = Map.of(
            Promise.INPUT_ONCE, Plant.LOSE,
            Promise.INPUT_ORDER, Plant.REORDER,
            Promise.INPUT_PLACED, Plant.MISPLACE,
            Promise.INPUT_SUMS, Plant.DENY);

    @Override
    public String name() {
        return "input-flood";
    }

    @Override
    public String says() {
        return "4 producers offer a million events a second, half of the time into a ring that is too small";
    }

    @Override
    public Set<Promise> promises() {
        return PLANTS.keySet();
    }

    @Override
    public void run(Trial trial) throws InterruptedException {
        long offers = (long) (Math.min(LONGEST_SECONDS, trial.lengthNanos() / 2e9) * PER_SECOND) + PRODUCERS;
        FloodResult ample;
        FloodResult small;
        do {
            ample = flood(trial, offers, RingSize.ample(PER_SECOND));
            small = flood(trial, offers, RingSize.tooSmall(PER_SECOND));
        } while (trial.goesOn());
        trial.figure(Figure.info("offered", ample.offeredPerSecond(), "events a second"));
        trial.figure(Figure.info("most in a tick", ample.mostInATick(), "events"));
        trial.figure(
                Figure.info("refused by the small ring", (double) small.counts().rejected(), "events"));
    }

    private static FloodResult flood(Trial trial, long offers, int capacity) throws InterruptedException {
        FloodResult result = new Flood(PRODUCERS, PER_SECOND, offers, capacity, planted(trial)).run(offered -> {});
        Findings found = result.findings();
        check(trial, Promise.INPUT_ONCE, result, found.lost() + found.doubled());
        check(trial, Promise.INPUT_ORDER, result, found.reordered() + found.disordered());
        check(trial, Promise.INPUT_PLACED, result, found.misplaced());
        check(trial, Promise.INPUT_SUMS, result, found.altered() + found.unaccounted());
        return result;
    }

    private static void check(Trial trial, Promise promise, FloodResult result, long broken) {
        Check check = trial.check(promise);
        check.held(result.arrived());
        check.that(broken == 0, () -> broken + " times: " + result);
    }

    private static Plant planted(Trial trial) {
        return PLANTS.keySet().stream()
                .filter(trial::isPlanted)
                .map(PLANTS::get)
                .findFirst()
                .orElse(Plant.NONE);
    }
}
