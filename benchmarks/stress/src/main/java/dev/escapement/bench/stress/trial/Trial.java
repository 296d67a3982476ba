package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario is given to run with and to report to.
 *
 * <p>Checks may be used by any thread. Everything else belongs to the thread that runs the scenario.
 */
public final class Trial {

    /** Of promises that a scenario does not state. */
    private static final Check FORGOTTEN = new Check();

    private final Scenario scenario;
    private final long lengthNanos;
    private final long startedNanos = System.nanoTime();
    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);
    private final List<Metric> metrics = new ArrayList<>();

    // Set before other threads start.
    private BooleanSupplier plantsNow = () -> true;

    Trial(Scenario scenario, long lengthNanos, @Nullable Promise planted) {
        this.scenario = scenario;
        this.lengthNanos = lengthNanos;
        this.planted = planted;
        for (Promise promise : scenario.promises()) {
            checks.put(promise, new Check());
        }
    }

    /** Whether there is time left, and a planted fault, if any, was not found yet. */
    public boolean isRunning() {
        return System.nanoTime() - startedNanos < lengthNanos && !isFound();
    }

    /** How long the scenario is to run. */
    public long lengthNanos() {
        return lengthNanos;
    }

    /** Whether the scenario is to break this promise itself now, to show that its check finds it. */
    public boolean isPlanted(Promise promise) {
        return promise == planted && plantsNow.getAsBoolean();
    }

    /** Lets {@link #isPlanted} hold only where the condition does; any thread asks it. Before the scenario starts threads. */
    public void plantWhere(BooleanSupplier condition) {
        plantsNow = condition;
    }

    /** Whether the scenario is to break a promise itself. */
    public boolean isCanary() {
        return planted != null;
    }

    /** Runs a part of this scenario, with the same fault planted, and adds what its checks found; examples begin with what the part says. */
    public Outcome runPart(Scenario part) {
        Outcome outcome = part.run(lengthNanos, planted);
        for (Checked other : outcome.checks()) {
            check(other.promise()).add(other.checked(), other.broken(), part.says() + ": " + other.example());
        }
        return outcome;
    }

    /** Whether a promise was planted and found broken: there is nothing more to see. */
    public boolean isFound() {
        return planted != null && check(planted).broken() > 0;
    }

    /** Where a promise is checked, which the scenario must state. */
    public Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this scenario does not state that " + promise.says());
        }
        return check;
    }

    /** Checks a promise once, as broken where that is planted; {@code what} is asked only for the first time it is broken. */
    public void check(Promise promise, boolean held, Supplier<String> what) {
        check(promise).that(held && !isPlanted(promise), what);
    }

    /** Where a promise is checked if the scenario states it; otherwise what is found there is forgotten. */
    public Check checkIfStated(Promise promise) {
        return checks.getOrDefault(promise, FORGOTTEN);
    }

    /** Adds a metric of the machine, which breaks no promise. */
    public void metric(Metric metric) {
        metrics.add(metric);
    }

    /** Adds a metric without a unit. */
    public void info(String name, double value) {
        metric(new Metric(name, value, ""));
    }

    /** Adds a count as a metric. */
    public void info(String name, long count) {
        info(name, (double) count);
    }

    /** Runs the scenario on this thread. */
    Outcome run() {
        String failure = "";
        try {
            scenario.body().run(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } catch (Exception e) {
            failure = e.toString();
        }
        List<Checked> checked = checks.entrySet().stream()
                .map(entry -> Checked.of(entry.getKey(), entry.getValue()))
                .toList();
        return new Outcome(
                scenario.name(),
                scenario.says(),
                failure.isEmpty() && checked.stream().allMatch(Checked::held),
                failure,
                (System.nanoTime() - startedNanos) / 1e9,
                checked,
                List.copyOf(metrics));
    }
}
