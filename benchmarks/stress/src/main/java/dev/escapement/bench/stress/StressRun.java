package dev.escapement.bench.stress;

import dev.escapement.bench.stress.StressReport.Distribution;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.Simulation;
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
 * Stresses your own world, and checks every promise of the service all the time.
 *
 * <pre>{@code
 * @Test
 * void myWorldHoldsUnderStress() {
 *     StressRun.of(MyWorld::new).length(Duration.ofSeconds(10)).run().requireHeld();
 * }
 * }</pre>
 *
 * <p>A run is a series of <i>lives</i>: each builds a service around a new world, stresses it by a storm that is drawn from the seed, and
 * closes it. Every second life is recorded, without commands as lambdas and without seeks. Its log is replayed, which must lead to the same
 * states. After each life, the threads, handles and memory of the process are compared with those after the second life. The first failure
 * ends the run.
 *
 * <p><b>Threads.</b> One thread builds a run and runs it. A run checks the threads of the whole process, so only one run can exist at a
 * time, and no other code may start threads meanwhile.
 */
public final class StressRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double SHORTEST_LIFE_SECONDS = 0.05;

    private static final Set<Promise> OF_HOSTS =
            EnumSet.of(Promise.WORLDS_ONE_BY_ONE, Promise.WORLDS_ISOLATED, Promise.WORLDS_LEAVE);

    /**
     * The minimum number of worlds on the host if a fault of hosts is planted. Some of so many worlds throw, are slow or hang, and only
     * beside such a world the fault shows.
     */
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

    // Volatile: any thread may set it to true. No other data depends on this write.
    private volatile boolean ended;

    // The state of the run, which its own thread uses. Lives use the trial, too.
    Trial trial = new Trial(promises(), null);
    private List<Distribution> distributions = List.of();
    private @Nullable Life now;
    private int lives;
    private long ticksOfLives;
    private long startedNanos;
    private long secondEndsNanos;

    /** The first failure of the world, of the storm or of a promise, with its time. It ends the run, unless it is the planted one. */
    private String failure = "";

    private StressRun(Supplier<? extends Simulation> worlds) {
        this.worlds =
                Objects.requireNonNull(worlds, "worlds must not be null; give a constructor, such as MyWorld::new");
    }

    /**
     * Prepares a run of 10 s.
     *
     * @param worlds makes a world for each life, and for each second run of a log; all worlds must be equal
     * @return the run
     */
    public static StressRun of(Supplier<? extends Simulation> worlds) {
        return new StressRun(worlds);
    }

    /** Returns the promises that a run checks. Each can be {@linkplain #plant planted} as broken. */
    static Set<Promise> promises() {
        return EnumSet.complementOf(EnumSet.range(Promise.AS_SIMULATED, Promise.REPEATED));
    }

    StressRun name(String newName) {
        name = newName;
        return this;
    }

    /**
     * Sets the tick rate, 100 Hz by default.
     *
     * @param newRate the rate
     * @return this
     */
    public StressRun rate(TickRate newRate) {
        rate = newRate;
        return this;
    }

    /**
     * Sets the length of the run, 10 s by default. At its end, the current life ends early; but if a log must be replayed, it is replayed
     * completely.
     *
     * @param newLength more than 0
     * @return this
     * @throws IllegalArgumentException if it is not more than 0
     */
    public StressRun length(Duration newLength) {
        if (newLength.isNegative() || newLength.isZero()) {
            throw new IllegalArgumentException("the length of a stress run must be more than 0, but is " + newLength);
        }
        length = newLength;
        return this;
    }

    /**
     * Sets the longest life of a service, 60 s by default. The first of every three lives is as long as this, but at most half of the run.
     * The other two last a quarter to a half of it.
     */
    StressRun life(Duration longest) {
        life = longest;
        return this;
    }

    /**
     * Lets a {@link PhysicsHost} tick the service and other worlds. The other worlds are replaced all the time, and one in eight of them
     * throws, takes 30 ms per step, or hangs. By default the service has a thread of its own, and there are no other worlds.
     *
     * @param inAll how many worlds tick at the same time, including the service: 2 to 10,000, or 0 for no host. Another thread makes the
     *              other worlds, so the supplier of worlds must be safe for several threads
     * @throws IllegalArgumentException if {@code inAll} is out of this range
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

    /** Sets the parts that are active in every life. If none are named, each life has most of all parts. */
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
     * Breaks a promise on purpose, so that the run has to find it. The run ends once it has found the fault, or once it is clear that it
     * cannot; {@link StressReport#leftOut} then says why.
     */
    StressRun plant(@Nullable Promise broken) {
        planted = broken;
        return this;
    }

    StressRun onProgress(Consumer<StressReport> listener) {
        progress = listener;
        return this;
    }

    void end() {
        ended = true;
    }

    /**
     * Performs the run. Call it once.
     *
     * @return the results
     * @throws IllegalArgumentException if the first world cannot be made
     */
    public StressReport run() {
        if (OF_HOSTS.contains(planted)) {
            worldsOnHost = Math.max(worldsOnHost, FEW_WORLDS);
        }
        Set<Promise> stated = promises();
        if (worldsOnHost == 0) {
            stated.removeAll(OF_HOSTS);
        }
        trial = new Trial(stated, planted);
        makeFirst();
        startedNanos = System.nanoTime();
        secondEndsNanos = startedNanos + SECOND_NANOS;
        ProcessCheck process = new ProcessCheck(trial);
        try (LogCheck log = new LogCheck(trial)) {
            while (continues() && (planted == null || whyUnchecked(planted).isEmpty())) {
                live(process, log);
            }
        }
        for (Promise promise : stated) {
            String why = trial.check(promise).checked() > 0 ? "" : whyUnchecked(promise);
            if (!why.isEmpty()) {
                trial.leftOut(promise, why);
            }
        }
        Simulation unused = firstWorld.getAndSet(null);
        if (unused != null) {
            unused.close();
        }
        return report();
    }

    /** Makes the first world before the run starts, so that the caller learns at once if it cannot be made. */
    private void makeFirst() {
        try {
            Simulation made = newWorld();
            firstWorld.set(made);
            name = name.isEmpty() ? made.getClass().getName() : name;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new IllegalArgumentException("the world cannot be made: " + e, e);
        }
    }

    Simulation newWorld() {
        Simulation made = firstWorld.getAndSet(null);
        return made != null
                ? made
                : Objects.requireNonNull(worlds.get(), "the supplier of worlds must not return null");
    }

    String name() {
        return name;
    }

    TickRate rate() {
        return rate;
    }

    private boolean continues() {
        return System.nanoTime() - startedNanos < length.toNanos() && !trial.isFound() && !ended;
    }

    /** Returns why the storm, the world or the machine has kept a promise from being checked; empty if nothing has. */
    private String whyUnchecked(Promise promise) {
        String known = trial.leftOut().get(promise.toString());
        if (known != null) {
            return known; // an earlier life has reported this reason
        }
        StormPart needed = switch (promise) {
            case WHOLE, CONSECUTIVE, FORWARDS, FRESH, READERS_COME_BACK -> StormPart.READERS;
            case INPUT_ONCE, INPUT_ORDER, INPUT_SUMS -> StormPart.INPUT;
            case COMMANDS_IN_ORDER, ANSWERED, COMMAND_SUMS -> StormPart.COMMANDS;
            case SAME_AGAIN -> StormPart.RECORDING;
            default -> null;
        };
        if (needed != null && !partsInStorm().contains(needed)) {
            return "without [" + needed + "] it is not checked";
        }
        boolean keepsPast = worldsOnHost != 0 || (chosen && !Collections.disjoint(parts, LifePlan.KEEP_PAST));
        boolean isShort = Math.min(life.toMillis(), length.toMillis()) < 1e3 * ProcessCheck.GROWS_IN_SECONDS;
        return switch (promise) {
            case BLAMED, HANDLES_CLOSED ->
                planted == null
                        ? "it needs a late tick, or a third service, and a system that counts threads' time and open files"
                        : "";
            case ALLOCATES_NOTHING ->
                keepsPast && !partsInStorm().contains(StormPart.READERS)
                        ? "a tick that keeps the past may allocate"
                        : "";
            case MEMORY_FLAT ->
                planted == null || keepsPast || isShort
                        ? "it needs " + Growth.LEAST_SAMPLES + " services, or one that lives for "
                                + ProcessCheck.GROWS_IN_SECONDS + " s, in a storm without other worlds and without "
                                + LifePlan.KEEP_PAST
                        : "";
            default -> "";
        };
    }

    private List<StormPart> partsInStorm() {
        return parts.stream().filter(part -> !trial.isLeftOut(part)).toList();
    }

    private LifePlan draw() {
        // Growth of memory shows only in one long life. Threads and handles that lives leave behind show only after
        // several lives.
        int livesAtLeast = planted == null ? 2 : planted == Promise.MEMORY_FLAT ? 1 : 6;
        double longest = Math.min(life.toNanos(), length.toNanos() / livesAtLeast) / 1e9;
        return LifePlan.draw(seed, ++lives, parts, chosen, Math.max(SHORTEST_LIFE_SECONDS, longest));
    }

    private void live(ProcessCheck process, LogCheck log) {
        LifePlan plan = draw();
        // The host needs at least two threads: if a world hangs in one, the other one must tick the rest.
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() - 1);
        try (PhysicsHost host = worldsOnHost == 0
                        ? null
                        : PhysicsHost.builder().threads(threads).start();
                HostStorm others =
                        host == null ? null : new HostStorm(this, host, worldsOnHost - 1, seed + 9L * lives)) {
            process.begin(plan.seconds(), host != null || plan.keepsPast(), host != null);
            Life one = new Life(this, plan, host);
            now = one;
            one.live(
                    () -> continues() && (others == null || others.failure().isEmpty()), () -> look(one, process, log));
        } catch (Throwable e) { // Throwable, so that the report has the results even after an OutOfMemoryError
            fail("life " + lives + " cannot begin or end: " + e);
        }
        Life one = now;
        now = null;
        if (one != null) {
            end(one);
        }
        // After a failed life a hanging thread may still run, so the process is not checked.
        if (one != null && one.failure().isEmpty()) {
            try {
                process.end(lives);
            } catch (RuntimeException e) {
                fail("the process cannot be looked at after life " + lives + ": " + e);
            }
        }
        noteBroken();
    }

    private void end(Life one) {
        ticksOfLives += one.ticks();
        distributions = Distribution.max(distributions, one.distributions());
        if (!one.failure().isEmpty()) {
            fail(one.failure());
        }
        try {
            one.delete();
        } catch (IOException | UncheckedIOException e) {
            trial.finding("what a life has written cannot be deleted: " + e);
        }
    }

    private void look(Life one, ProcessCheck process, LogCheck log) {
        process.look(one.ticks());
        log.look();
        // A failed life may break promises until it ends, and then reports its failure itself.
        if (one.failure().isEmpty()) {
            noteBroken();
        }
        long nowNanos = System.nanoTime();
        if (nowNanos - secondEndsNanos > 0) {
            secondEndsNanos = Math.max(secondEndsNanos, nowNanos - SECOND_NANOS) + SECOND_NANOS;
            process.second(one.ticks());
            progress.accept(report());
        }
    }

    private void fail(String what) {
        ended = true;
        failure = failure.isEmpty() ? dated(what) : failure;
    }

    private void noteBroken() {
        String broken = StressReport.firstViolation(trial.checked());
        if (!broken.isEmpty() && planted == null) {
            fail(broken);
        } else if (!broken.isEmpty()) {
            failure = failure.isEmpty() ? dated(broken) : failure;
        }
    }

    private String dated(String what) {
        return String.format(Locale.ROOT, "after %.1f s, in life %d: %s", seconds(), lives, what);
    }

    private double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    private StressReport report() {
        Life one = now;
        return new StressReport(
                name,
                seed,
                partsInStorm(),
                trial.leftOut(),
                seconds(),
                lives,
                ticksOfLives + (one == null ? 0 : one.ticks()),
                trial.checked(),
                trial.findings(),
                failure,
                one == null ? distributions : Distribution.max(distributions, one.distributions()));
    }
}
