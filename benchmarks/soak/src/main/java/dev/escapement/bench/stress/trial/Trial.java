package dev.escapement.bench.stress.trial;

import dev.escapement.bench.stress.trial.Outcome.Checked;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The run of a scenario: its time, its planted fault, and its checks and metrics.
 *
 * <p>Checks may be used by any thread. Everything else belongs to the thread that runs the scenario.
 */
public final class Trial {

    private final Scenario scenario;
    private final long lengthNanos;
    private final long startedNanos = System.nanoTime();
    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);
    private final List<Metric> metrics = new ArrayList<>();

    // Set before other threads start.
    private BooleanSupplier plantsNow = () -> true;

    /** A run that begins now, of a promise that is planted as broken, or none. */
    public Trial(Scenario scenario, long lengthNanos, @Nullable Promise planted) {
        this.scenario = scenario;
        this.lengthNanos = lengthNanos;
        this.planted = planted;
        for (Promise promise : scenario.promises()) {
            checks.put(promise, new Check());
        }
    }

    /** Whether there is time left, and no planted fault was found. */
    public boolean isRunning() {
        return System.nanoTime() - startedNanos < lengthNanos && !isFound();
    }

    /** How long the scenario is to run. */
    public long lengthNanos() {
        return lengthNanos;
    }

    /** Whether the scenario is to break a promise itself now, to show that its check finds it. */
    public boolean isPlanted(Promise promise) {
        return promise == planted && plantsNow.getAsBoolean();
    }

    /** Lets {@link #isPlanted} be true only while a condition is, which any thread calls. Before the scenario starts threads. */
    public void plantWhere(BooleanSupplier condition) {
        plantsNow = condition;
    }

    /** Whether the scenario is to break a promise itself. */
    public boolean isCanary() {
        return planted != null;
    }

    /** Runs a part of this scenario, with the same fault planted, and adds its checks; examples begin with the part's description. */
    public Outcome runPart(Scenario part) {
        Outcome outcome = part.run(lengthNanos, planted);
        for (Checked other : outcome.checks()) {
            check(other.promise()).add(other.checked(), other.broken(), part.says() + ": " + other.example());
        }
        return outcome;
    }

    /** Whether the planted fault was found: then the scenario can end. */
    public boolean isFound() {
        return planted != null && check(planted).broken() > 0;
    }

    /** The check of a promise, which the scenario must state. */
    public Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this scenario does not state that " + promise.says());
        }
        return check;
    }

    /** Checks a promise once, as broken if that is planted; {@code what} is called only for the first violation. */
    public void check(Promise promise, boolean held, Supplier<String> what) {
        check(promise).that(held && !isPlanted(promise), what);
    }

    /** Adds a metric of the machine, which breaks no promise. */
    public void metric(Metric metric) {
        metrics.add(metric);
    }

    /** Adds a count as a metric. */
    public void info(String name, long count) {
        metric(new Metric(name, (double) count, ""));
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
