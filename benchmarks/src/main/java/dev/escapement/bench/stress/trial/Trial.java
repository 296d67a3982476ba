package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario is given to run with and to report to.
 *
 * <p>Checks may be used by any thread. Everything else belongs to the thread that runs the scenario, but a distribution or a time line may
 * be filled by one other thread that has ended before the scenario returns.
 */
public final class Trial {

    private static final double POINTS_PER_SECOND = 110;

    /** Of promises that a scenario does not state. */
    private static final Check FORGOTTEN = new Check();

    private final long lengthNanos;
    private final long startedNanos = System.nanoTime();
    private final @Nullable Promise planted;
    private final boolean delaysTicks;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);
    private final Map<String, Distribution> distributions = new LinkedHashMap<>();
    private final Map<String, Series> timeLines = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();

    // Set before other threads start.
    private BooleanSupplier plantsNow = () -> true;

    Trial(Scenario scenario, long lengthNanos, @Nullable Promise planted) {
        this.lengthNanos = lengthNanos;
        this.planted = planted;
        delaysTicks = scenario.delaysTicks();
        for (Promise promise : scenario.promises()) {
            checks.put(promise, new Check());
        }
    }

    /** Whether there is time left. */
    public boolean goesOn() {
        return System.nanoTime() - startedNanos < lengthNanos;
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

    /** The promise that the scenario is to break itself, if any. */
    public Optional<Promise> planted() {
        return Optional.ofNullable(planted);
    }

    /** Whether the scenario itself makes ticks late. */
    public boolean delaysTicks() {
        return delaysTicks;
    }

    /**
     * Takes over what the same scenario came to elsewhere.
     *
     * @throws SkippedException         if it was skipped there
     * @throws IllegalArgumentException if it states promises that this does not
     * @throws IllegalStateException    if it ended by an exception there
     */
    public void takeOver(TrialRun run) throws SkippedException {
        Outcome outcome = run.outcome();
        outcome.checks().forEach(other -> check(other.promise()).add(other.checked(), other.broken(), other.example()));
        figures.addAll(outcome.figures());
        run.distributions()
                .forEach((name, other) -> distribution(name).histogram().add(other.histogram()));
        run.timeLines().forEach((name, other) -> timeLine(name).addAll(other));
        if (outcome.verdict() == Outcome.Verdict.SKIPPED) {
            throw new SkippedException(outcome.reason());
        }
        if (!outcome.reason().isEmpty()) {
            throw new IllegalStateException(outcome.reason());
        }
    }

    /**
     * Where a promise is checked.
     *
     * @throws IllegalArgumentException if the scenario does not state it
     */
    public Check check(Promise promise) {
        Check check = checks.get(promise);
        if (check == null) {
            throw new IllegalArgumentException("this scenario does not state that " + promise.says());
        }
        return check;
    }

    /** Where a promise is checked if the scenario states it; otherwise what is found there is forgotten. */
    public Check checkIfStated(Promise promise) {
        return checks.getOrDefault(promise, FORGOTTEN);
    }

    /** Durations under a name, such as "tick lateness"; the same for the same name. */
    public Distribution distribution(String name) {
        return distributions.computeIfAbsent(name, unused -> new Distribution());
    }

    /** A curve over the seconds of the run, its unit in its name; room for a point per tick, the first 100,000 of them. */
    public Series timeLine(String name) {
        return timeLines.computeIfAbsent(name, unused -> new Series(lengthNanos / 1e9 * POINTS_PER_SECOND));
    }

    /** Adds a figure of the machine, which breaks no promise. */
    public void figure(Figure figure) {
        figures.add(figure);
    }

    Map<Promise, Check> checks() {
        return checks;
    }

    Map<String, Distribution> distributions() {
        return distributions;
    }

    Map<String, Series> timeLines() {
        return timeLines;
    }

    List<Figure> figures() {
        return figures;
    }
}
