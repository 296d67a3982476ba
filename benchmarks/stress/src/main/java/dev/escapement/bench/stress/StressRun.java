package dev.escapement.bench.stress;

import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stresses a world of the user's own, and checks every promise of the service all the time.
 *
 * <pre>{@code
 * @Test
 * void myWorldHoldsUnderStress() {
 *     StressRun.of(MyWorld::new).length(Duration.ofSeconds(10)).run().requireHeld();
 * }
 * }</pre>
 *
 * <p>A run is a row of <i>lives</i>: a service is built around a new world, stressed by a storm that is drawn from the seed, and closed.
 * Every second life is recorded without lambdas and without going back, and its log runs again: both runs must have the same states.
 * After each life the threads, handles and memory of the process are compared with those after the second.
 *
 * <p><b>Threads.</b> One thread builds a run and runs it. It looks at the whole process: one run at a time, with nothing else that starts
 * threads.
 */
public final class StressRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double SHORTEST_LIFE_SECONDS = 0.05;

    /** They need a model of the world, or planted failures. */
    private static final EnumSet<Promise> OF_SCENARIOS = EnumSet.of(
            Promise.AS_SIMULATED,
            Promise.TICKS_CONTINUE,
            Promise.CAUSE_REPORTED,
            Promise.CLOSED_ONCE,
            Promise.LIFECYCLE_REPORTED,
            Promise.ENDS_IN_TIME,
            Promise.ABANDONED_UNHEARD,
            Promise.FILE_LEFT,
            Promise.REPEATED,
            Promise.SAME_AFTER_ROLLBACK);

    private static final Set<Promise> OF_HOSTS =
            EnumSet.of(Promise.WORLDS_ONE_BY_ONE, Promise.WORLDS_ISOLATED, Promise.WORLDS_LEAVE);

    /** Enough for some that are bad. */
    private static final int FEW_WORLDS = 11;

    private final Supplier<? extends Simulation> worlds;
    private final AtomicReference<@Nullable Simulation> firstWorld = new AtomicReference<>();
    private String name = "";
    private TickRate rate = TickRate.hertz(100);
    private Duration length = Duration.ofSeconds(10);
    private Duration life = Duration.ofSeconds(60);
    private int worldsOnHost;
    private long seed = 1;
    private Set<StormPart> parts = EnumSet.allOf(StormPart.class);
    private boolean chosen;

    @Nullable
    Promise planted;

    Consumer<StressReport> progress = report -> {};

    // Set by any thread; nothing else is ordered by it.
    private volatile boolean ended;

    // The run.
    private final Notes notes = new Notes();
    private final TickCheck.Times times = new TickCheck.Times();
    private TakenTime lost = TakenTime.NONE;
    private Trial trial = new Trial(Set.of(), null);
    private @Nullable Life now;
    private int lives;
    private long ticksOfLives;
    private long startedNanos;
    private long secondEndsNanos;

    /** The failure that ends the run, of the world or the storm. */
    private String failure = "";

    /** The failure that came first, with its time; a broken promise, too, which ends nothing. */
    private String first = "";

    private StressRun(Supplier<? extends Simulation> worlds) {
        this.worlds =
                Objects.requireNonNull(worlds, "worlds must not be null; give a constructor, such as MyWorld::new");
    }

    /**
     * Prepares a run of 10 s.
     *
     * @param worlds makes a world for each life, and for each second run of a log: the same one each time
     * @return the run
     */
    public static StressRun of(Supplier<? extends Simulation> worlds) {
        return new StressRun(worlds);
    }

    /** Returns the promises that a run checks: each can be {@linkplain #plant planted} as broken. */
    static Set<Promise> promises() {
        return Collections.unmodifiableSet(EnumSet.complementOf(OF_SCENARIOS));
    }

    /** Names the world in the report; by default by its class. */
    StressRun name(String newName) {
        name = newName;
        return this;
    }

    /**
     * Sets the rate of the ticks, 100 Hz by default.
     *
     * @param newRate the rate
     * @return this
     */
    public StressRun rate(TickRate newRate) {
        rate = newRate;
        return this;
    }

    /**
     * Sets how long the run is, 10 s by default. The life that runs then is cut short; a log that runs again then does so to its end.
     *
     * @param newLength more than 0
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public StressRun length(Duration newLength) {
        if (newLength.isNegative() || newLength.isZero()) {
            throw new IllegalArgumentException("the length of a stress run must be more than 0, but is " + newLength);
        }
        length = newLength;
        return this;
    }

    /**
     * Sets the longest life of a service, 60 s by default. Each third life, from the first on, is as long as this, but at most half of the
     * run; the others are a quarter to a half of it.
     */
    StressRun life(Duration longest) {
        life = longest;
        return this;
    }

    /**
     * Lets a {@link PhysicsHost} tick the service, and worlds beside it: these come and go all the time, and one of eight throws, takes
     * 30 ms a step, or hangs. By default the service has a thread of its own, and there are no others.
     *
     * @param inAll how many worlds tick at once, the service included, 2 to 10,000; another thread makes those that are not the service, so
     *     the supplier of worlds has to be safe for several threads. 0 for no host
     * @throws IllegalArgumentException if it is out of this range
     */
    StressRun worlds(int inAll) {
        if (inAll < 0 || inAll == 1 || inAll > 10_000) {
            throw new IllegalArgumentException(
                    "worlds must be 2 to 10,000, of which one is under the storm, or 0 for no host, but is " + inAll);
        }
        worldsOnHost = inAll;
        return this;
    }

    /**
     * Sets the seed that the storm is drawn from, 1 by default.
     *
     * @param newSeed the seed
     * @return this
     */
    public StressRun seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Lets only some parts take part, in every life; all if there are none, of which most lives have most. */
    StressRun only(List<StormPart> only) {
        if (!only.isEmpty()) {
            parts = EnumSet.copyOf(only);
            chosen = true;
        }
        return this;
    }

    /**
     * Leaves parts out.
     *
     * @param without the parts
     * @return this
     */
    public StressRun without(StormPart... without) {
        parts.removeAll(List.of(without));
        return this;
    }

    /**
     * Breaks a promise on purpose, so that the run has to find it. The run ends when it has, and when it cannot, which
     * {@link StressReport#leftOut} explains.
     */
    StressRun plant(@Nullable Promise broken) {
        planted = broken;
        return this;
    }

    /** Reports what was found so far, about once a second, on the thread that runs. */
    StressRun onProgress(Consumer<StressReport> listener) {
        progress = listener;
        return this;
    }

    /** Ends the run soon: the life that runs now is its last. Any thread. */
    void end() {
        ended = true;
    }

    /**
     * Runs. Once.
     *
     * @return what was found
     * @throws IllegalArgumentException if the first world cannot be made
     */
    public StressReport run() {
        if (OF_HOSTS.contains(planted)) {
            worldsOnHost = Math.max(worldsOnHost, FEW_WORLDS);
        }
        Set<Promise> stated = EnumSet.copyOf(promises());
        if (worldsOnHost == 0) {
            stated.removeAll(OF_HOSTS);
        }
        trial = new Trial(stated, planted);
        makeFirst();
        startedNanos = System.nanoTime();
        secondEndsNanos = startedNanos + SECOND_NANOS;
        ProcessCheck process = new ProcessCheck(trial, notes);
        try (LogCheck log = new LogCheck(trial, notes)) {
            while (goesOn() && (planted == null || whyUnchecked(planted).isEmpty())) {
                liveOnce(process, log);
            }
        } finally {
            process.close();
        }
        for (Promise promise : stated) {
            String why = trial.check(promise).checked() > 0 ? "" : whyUnchecked(promise);
            if (!why.isEmpty()) {
                notes.leftOut(promise, why);
            }
        }
        Simulation unused = firstWorld.getAndSet(null);
        if (unused != null) {
            unused.close();
        }
        return report(true);
    }

    /** Makes the first world at once, so that the caller hears of bad input before the run. */
    private void makeFirst() {
        try {
            Simulation made = newWorld();
            firstWorld.set(made);
            name = name.isEmpty() ? made.getClass().getName() : name;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new IllegalArgumentException("the world cannot be made: " + e, e);
        }
    }

    private Simulation newWorld() {
        Simulation made = firstWorld.getAndSet(null);
        return made != null
                ? made
                : Objects.requireNonNull(worlds.get(), "the supplier of worlds must not return null");
    }

    private boolean goesOn() {
        return System.nanoTime() - startedNanos < length.toNanos() && !trial.isFound() && !ended && failure.isEmpty();
    }

    /** Returns why a promise is not checked, where the storm, the world or the machine explain it; empty if nothing does. */
    private String whyUnchecked(Promise promise) {
        String known = notes.leftOut().get(promise.toString());
        if (known != null) {
            return known; // since a life has shown it
        }
        Set<StormPart> oneOf = switch (promise) {
            case WHOLE, CONSECUTIVE, FORWARDS, FRESH, READERS_COME_BACK -> Set.of(StormPart.READERS);
            case INPUT_ONCE, INPUT_ORDER, INPUT_SUMS -> Set.of(StormPart.INPUT);
            case COMMANDS_IN_ORDER, ANSWERED, COMMAND_SUMS -> Set.of(StormPart.COMMANDS);
            case SAME_AGAIN -> Set.of(StormPart.RECORDING);
            default -> Set.of();
        };
        if (!oneOf.isEmpty() && Collections.disjoint(oneOf, partsInStorm())) {
            return "without " + oneOf + " it is not checked";
        }
        boolean keepsPast = worldsOnHost != 0 || (chosen && !Collections.disjoint(parts, LifePlan.KEEP_PAST));
        boolean isShort = Math.min(life.toMillis(), length.toMillis()) < 1e3 * ProcessCheck.GROWS_IN_SECONDS;
        return switch (promise) {
            case BLAMED, HANDLES_CLOSED ->
                planted == null
                        ? "it needs a tick that runs late itself, or a third life, and a system that says so"
                        : "";
            case ALLOCATES_NOTHING ->
                keepsPast && !partsInStorm().contains(StormPart.READERS)
                        ? "a tick that keeps the past may allocate"
                        : "";
            case MEMORY_FLAT ->
                keepsPast || isShort
                        ? "a growth shows only in lives of " + ProcessCheck.GROWS_IN_SECONDS
                                + " s or more, without other worlds and " + LifePlan.KEEP_PAST
                        : "";
            default -> "";
        };
    }

    private List<StormPart> partsInStorm() {
        return parts.stream().filter(part -> !notes.isLeftOut(part)).toList();
    }

    private LifePlan draw() {
        // A growth needs the whole time to show; what is left after lives needs several.
        int livesAtLeast = planted == null ? 2 : planted == Promise.MEMORY_FLAT ? 1 : 6;
        double longest = Math.min(life.toNanos(), length.toNanos() / livesAtLeast) / 1e9;
        return LifePlan.draw(seed, ++lives, parts, chosen, Math.max(SHORTEST_LIFE_SECONDS, longest));
    }

    private void liveOnce(ProcessCheck process, LogCheck log) {
        LifePlan plan = draw();
        try (PhysicsHost host = worldsOnHost == 0 ? null : newHost()) {
            Life.Run run = new Life.Run(trial, notes, times, name, rate, this::newWorld, host);
            try (HostStorm others =
                    host == null ? null : new HostStorm(run, host, worldsOnHost - 1, seed + 9L * lives)) {
                process.begin(plan.seconds(), host != null || plan.keepsPast(), host != null);
                live(new Life(run, plan), others, process, log);
            }
        } catch (Throwable e) { // OutOfMemoryError too: what was found until then is reported
            fail("life " + lives + " cannot begin or continue", e);
        }
        now = null;
        if (failure.isEmpty()) { // a thread that hangs is left
            try {
                process.end(lives);
            } catch (RuntimeException e) {
                fail("the process cannot be looked at after life " + lives, e);
            }
        }
        dateFirst();
    }

    /** With a thread that a world may hang in, and one for the others. */
    private static PhysicsHost newHost() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() - 1);
        return PhysicsHost.builder().threads(threads).start();
    }

    private void live(Life one, @Nullable HostStorm others, ProcessCheck process, LogCheck log) {
        now = one;
        try {
            one.start();
            while (goesOn()
                    && !one.isOver()
                    && (others == null || others.failure().isEmpty())) {
                Polling.pass(LOOK_NANOS);
                look(one, process, log, one.ticks());
            }
        } catch (Throwable e) { // OutOfMemoryError too
            one.fail("it cannot begin or continue: " + e);
        }
        try {
            one.end(() -> look(one, process, log, 0)); // memory is not judged while a storm ends
        } catch (Throwable e) {
            fail("life " + lives + " cannot be ended", e);
        }
        lost = lost.plus(one.lost());
        failure = failure.isEmpty() ? one.failure() : failure;
        ticksOfLives += one.ticks();
        now = null;
        try {
            one.delete();
        } catch (IOException | UncheckedIOException e) {
            notes.finding("what a life has written cannot be deleted: " + e);
        }
    }

    private void fail(String what, Throwable thrown) {
        failure = failure.isEmpty() ? what + ": " + thrown : failure;
    }

    /** Looks at the life and the process, and once a second reports what was found so far: also while a life ends, which may take long. */
    private void look(Life one, ProcessCheck process, LogCheck log, long ticks) {
        one.look();
        process.look(ticks);
        log.look();
        dateFirst();
        long nowNanos = System.nanoTime();
        if (nowNanos - secondEndsNanos > 0) {
            secondEndsNanos = Math.max(secondEndsNanos, nowNanos - SECOND_NANOS) + SECOND_NANOS;
            process.second(ticks);
            progress.accept(report(false));
        }
    }

    /** Notes what has failed first. A life that has failed says so at its end, and breaks promises until then. */
    private void dateFirst() {
        if (first.isEmpty() && (now == null || now.failure().isEmpty())) {
            String what = !failure.isEmpty() ? failure : StressReport.firstViolation(trial.checked());
            first = what.isEmpty() ? "" : dated(what);
        }
    }

    private String dated(String what) {
        return String.format(Locale.ROOT, "after %.1f s, in life %d: %s", seconds(), lives, what);
    }

    private double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    private StressReport report(boolean hasEnded) {
        dateFirst();
        boolean isOther = !failure.isEmpty() && !first.contains(failure); // a promise was broken before
        return new StressReport(
                name,
                seed,
                partsInStorm(),
                notes.leftOut(),
                seconds(),
                lives,
                ticksOfLives + (now == null ? 0 : now.ticks()),
                trial.checked(),
                notes.findings(),
                isOther ? first + "; and " + dated(failure) : first,
                times.distributions(),
                lost.totalNanos() == 0 ? "" : lost.inPercent(),
                hasEnded);
    }
}
