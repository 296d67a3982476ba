package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Measured;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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

    private final Scenario scenario;
    private final long lengthNanos;
    private final long startedNanos = System.nanoTime();
    private final @Nullable Promise planted;
    private final Map<Promise, Check> checks = new EnumMap<>(Promise.class);
    private final Map<String, Distribution> distributions = new LinkedHashMap<>();
    private final Map<String, Series> timeLines = new LinkedHashMap<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<GivenUpTicks> givenUpTicks = new ArrayList<>();

    private Reasons givenUp = Reasons.NONE;
    private double machineAwayMillis;

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
    public boolean goesOn() {
        boolean found = planted != null && check(planted).broken() > 0;
        return System.nanoTime() - startedNanos < lengthNanos && !found;
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
        return scenario.delaysTicks();
    }

    /** Runs a part of this scenario, with the same fault planted, and adds all that was found; examples begin with what the part says. */
    public Outcome runPart(Scenario part) {
        TrialRun run = new Trial(part, lengthNanos, planted).run(null);
        for (Checked other : run.outcome().checks()) {
            check(other.promise()).add(other.checked(), other.broken(), part.says() + ": " + other.example());
        }
        figures.addAll(run.outcome().figures());
        run.distributions()
                .forEach((name, other) -> distribution(name).histogram().add(other.histogram()));
        run.timeLines().forEach((name, other) -> timeLine(name).addAll(other));
        return run.outcome();
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

    /** Adds a figure without a unit that is neither good nor bad. */
    public void info(String name, double value) {
        figure(Figure.info(name, value, ""));
    }

    /** Adds a count as a figure that is neither good nor bad. */
    public void info(String name, long count) {
        info(name, (double) count);
    }

    /** Where a physics thread tells of each tick, so that what it gives up can be explained; a new one for each simulation. */
    public GivenUpTicks givenUpTicks(long periodNanos) {
        GivenUpTicks ticks = new GivenUpTicks(periodNanos);
        givenUpTicks.add(ticks);
        return ticks;
    }

    /** Runs the scenario on this thread, seen by a witness that ends with it; null where a greater trial has one. */
    TrialRun run(@Nullable MachineWitness witness) {
        String skipped = "";
        String failure = "";
        try {
            scenario.body().run(this);
        } catch (SkippedException e) {
            skipped = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } catch (Exception e) {
            failure = e.toString();
        }
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        if (witness != null) {
            witness.close();
            givenUp = givenUpTicks.stream().map(ticks -> ticks.reasons(witness)).reduce(Reasons.NONE, Reasons::plus);
            machineAwayMillis = witness.awayMillis();
        }
        List<Checked> checked = checks.entrySet().stream()
                .map(entry -> Checked.of(entry.getKey(), entry.getValue()))
                .toList();
        boolean held = failure.isEmpty() && checked.stream().allMatch(Checked::held);
        Outcome outcome = new Outcome(
                scenario.name(),
                scenario.says(),
                !skipped.isEmpty() ? Verdict.SKIPPED : held ? Verdict.HELD : Verdict.BROKEN,
                skipped.isEmpty() ? failure : skipped,
                seconds,
                machineAwayMillis,
                givenUp.total(),
                givenUp.slow(),
                givenUp.unexplained(),
                checked,
                List.copyOf(figures),
                distributions.entrySet().stream()
                        .map(entry ->
                                new Measured(entry.getKey(), entry.getValue().summary()))
                        .toList());
        return new TrialRun(outcome, distributions, timeLines);
    }
}
