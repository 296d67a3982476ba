package dev.escapement.bench.soak;

import dev.escapement.bench.soak.StressReport.Moment;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * A third of the lives are recorded without lambdas and without going back, and their log is run again: both runs must have the same states.
 * After each life the threads, handles and memory of the process are compared with those after the second.
 *
 * <p><b>Threads.</b> One thread builds a run and runs it; any thread may {@link #end()} it. It looks at the whole process: one run at a
 * time, with nothing else that starts threads.
 */
public final class StressRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double SHORTEST_LIFE_SECONDS = 0.05;
    private static final double MEGABYTE = 1 << 20;

    /** Two hours of seconds. */
    private static final int MAX_MOMENTS = 7200;

    /** They need a model of the world, or failures that are brought about. */
    private static final EnumSet<Promise> OF_SCENARIOS = EnumSet.of(
            Promise.AS_SIMULATED,
            Promise.TICKS_CONTINUE,
            Promise.CAUSE_REPORTED,
            Promise.CLOSED_ONCE,
            Promise.LIFECYCLE_REPORTED,
            Promise.ENDS_IN_TIME,
            Promise.ABANDONED_UNHEARD,
            Promise.FILE_LEFT,
            Promise.REPEATED);

    private static final Set<Promise> OF_HOSTS =
            EnumSet.of(Promise.WORLDS_ONE_BY_ONE, Promise.WORLDS_ISOLATED, Promise.WORLDS_LEAVE);

    /** Enough for some that are bad. */
    private static final int FEW_WORLDS = 10;

    private final Supplier<? extends Simulation> worlds;
    private String name = "";
    private TickRate rate = TickRate.hertz(100);
    private Duration length = Duration.ofSeconds(10);
    private Duration life = Duration.ofSeconds(60);
    private int services = 1;
    private int worldsOnHost;
    private long seed = 1;
    private Set<StormPart> parts = EnumSet.allOf(StormPart.class);
    private boolean chosen;
    private @Nullable Promise planted;
    private Consumer<StressReport> progress = report -> {};

    // Set by any thread; nothing else is ordered by it.
    private volatile boolean ended;

    // The run.
    private final Notes notes = new Notes();
    private final Measures measures = new Measures();
    private final List<Moment> moments = new ArrayList<>();
    private TakenTime lost = TakenTime.NONE;
    private List<String> storm = List.of();

    /** What ends the run: how the world failed, or the storm. */
    private String failure = "";

    /** The failure that came first, with its time; a promise that was broken, too, which ends nothing. */
    private String first = "";

    private long startedNanos;
    private long secondEndsNanos;

    /** The lives of the round that runs. */
    private final List<Life> now = new ArrayList<>();

    private int lives;
    private int rounds;
    private long ticksOfLives;
    private long offeredBefore;

    private StressRun(Supplier<? extends Simulation> worlds) {
        this.worlds =
                Objects.requireNonNull(worlds, "worlds must not be null; give a constructor, such as MyWorld::new");
    }

    /**
     * Prepares a run of 10 s.
     *
     * @param worlds makes a world for each life, and for each second run of a log: the same one each time; all but the first on a thread
     *     that ends with that
     * @return the run
     */
    public static StressRun of(Supplier<? extends Simulation> worlds) {
        return new StressRun(worlds);
    }

    /** {@return the promises that a run checks: each can be {@linkplain #plant planted} as broken} */
    public static Set<Promise> promises() {
        return Collections.unmodifiableSet(EnumSet.complementOf(OF_SCENARIOS));
    }

    /** The promises of this run. */
    private Set<Promise> checked() {
        Set<Promise> checked = EnumSet.copyOf(promises());
        if (worldsOnHost == 0) {
            checked.removeAll(OF_HOSTS);
        }
        return checked;
    }

    /**
     * Names the world in the report.
     *
     * @param newName its name
     * @return this
     */
    public StressRun name(String newName) {
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
        length = requirePositive("length", newLength);
        return this;
    }

    /**
     * Sets the longest life of a service, 60 s by default. Each third life, from the first on, is as long as this, but at most half of the run;
     * the others are a quarter to a half of it.
     *
     * @param longest more than 0
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public StressRun life(Duration longest) {
        life = requirePositive("life", longest);
        return this;
    }

    private static Duration requirePositive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(
                    "the " + what + " of a stress run must be more than 0, but is " + duration);
        }
        return duration;
    }

    /**
     * Sets how many services run at once, 1 by default.
     *
     * @param atOnce 1 to 100
     * @return this
     * @throws IllegalArgumentException if it is out of this range
     */
    public StressRun services(int atOnce) {
        if (atOnce < 1 || atOnce > 100) {
            throw new IllegalArgumentException("services must be 1 to 100, but is " + atOnce);
        }
        services = atOnce;
        return this;
    }

    /**
     * Lets a {@link PhysicsHost} tick the services, and worlds beside them: these come and go all the time, and one of eight throws, takes
     * 30 ms a step, or hangs. By default each service has a thread of its own, and there are no others.
     *
     * @param inAll how many worlds tick at once, the {@linkplain #services services} included, up to 10,000; another thread makes those that
     *     are not, so what makes worlds has to be safe for several threads. 0 for no host
     * @return this
     * @throws IllegalArgumentException if it is out of this range
     */
    public StressRun worlds(int inAll) {
        if (inAll < 0 || inAll > 10_000) {
            throw new IllegalArgumentException("worlds must be 0 to 10,000, but is " + inAll);
        }
        worldsOnHost = inAll;
        return this;
    }

    /**
     * Sets what the storm is drawn from, 1 by default.
     *
     * @param newSeed the seed
     * @return this
     */
    public StressRun seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /**
     * Lets only some parts take part, in every life. By default most lives have most parts.
     *
     * @param only at least one
     * @return this
     * @throws IllegalArgumentException if there is none
     */
    public StressRun only(StormPart... only) {
        if (only.length == 0) {
            throw new IllegalArgumentException("a storm needs at least one part");
        }
        parts = EnumSet.copyOf(List.of(only));
        chosen = true;
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
     *
     * @param broken one of {@link #promises()}
     * @return this
     */
    public StressRun plant(Promise broken) {
        planted = broken;
        return this;
    }

    /**
     * Tells what was found so far, about once a second.
     *
     * @param listener called by the thread that runs
     * @return this
     */
    public StressRun onProgress(Consumer<StressReport> listener) {
        progress = listener;
        return this;
    }

    /** Ends the run soon: the life that runs now is its last. Any thread. */
    public void end() {
        ended = true;
    }

    /**
     * Runs. Once.
     *
     * @return what was found
     * @throws IllegalArgumentException if the first world cannot be made, or there are not more worlds on the host than services
     */
    public StressReport run() {
        if (OF_HOSTS.contains(planted)) {
            worldsOnHost = Math.max(worldsOnHost, services + FEW_WORLDS);
        }
        if (worldsOnHost != 0 && worldsOnHost <= services) {
            throw new IllegalArgumentException("of " + worldsOnHost + " worlds on a host, " + services
                    + " are services under the storm, so that none is left to come and go; ask for more worlds");
        }
        try (WorldMaker world = new WorldMaker(name, worlds, rate, WorldMaker.MAX_NANOS)) {
            Scenario scenario = new Scenario("soak", "a world under everything at once", checked(), unused -> {});
            Trial trial = new Trial(scenario, length.toNanos(), planted);
            startedNanos = System.nanoTime();
            secondEndsNanos = startedNanos + SECOND_NANOS;
            try (ProcessCheck process = new ProcessCheck(trial, notes)) {
                while (trial.isRunning() && !ended && failure.isEmpty() && canFind()) {
                    liveOnce(trial, world, process);
                }
            }
            explainUnchecked(trial);
            return report(trial, world, true);
        }
    }

    /** Says why a promise was not checked, where the parts of the storm, the world or the machine explain it. */
    private void explainUnchecked(Trial trial) {
        for (Promise promise : checked()) {
            String why = trial.check(promise).checked() > 0 ? "" : whyNotFound(promise);
            if (!why.isEmpty()) {
                notes.leftOut(promise, why);
            }
        }
    }

    /** Whether what is planted, if it is, can be found here, as far as is known; if not, says why. */
    private boolean canFind() {
        String why = planted == null ? "" : whyNotFound(planted);
        if (planted != null && !why.isEmpty()) {
            notes.leftOut(planted, why);
        }
        return why.isEmpty();
    }

    private String whyNotFound(Promise broken) {
        String known = notes.leftOut().get(broken.toString());
        if (known != null) {
            return known; // since a life has shown it
        }
        Set<StormPart> oneOf = switch (broken) {
            case WHOLE, CONSECUTIVE, FORWARDS, FRESH, READERS_COME_BACK -> Set.of(StormPart.READERS);
            case INPUT_ONCE, INPUT_ORDER, INPUT_SUMS -> Set.of(StormPart.INPUT);
            case COMMANDS_IN_ORDER, ANSWERED, COMMAND_SUMS -> EnumSet.of(StormPart.COMMANDS, StormPart.BODIES);
            case SAME_AGAIN -> Set.of(StormPart.RECORDING);
            default -> Set.of();
        };
        if (!oneOf.isEmpty() && Collections.disjoint(oneOf, partsInStorm())) {
            return "without " + oneOf + " it is not checked";
        }
        if (planted == null
                && EnumSet.of(Promise.BLAMED, Promise.HANDLES_CLOSED).contains(broken)) {
            return "it needs a tick that runs late itself, or a third life, and a system that tells";
        }
        boolean keepsPast = worldsOnHost != 0 || (chosen && !Collections.disjoint(parts, LifePlan.KEEP_PAST));
        if (broken == Promise.ALLOCATES_NOTHING && keepsPast && !partsInStorm().contains(StormPart.READERS)) {
            return "a tick that keeps the past may allocate";
        }
        boolean isShort = Math.min(life.toMillis(), length.toMillis()) < 1e3 * ProcessCheck.GROWS_IN_SECONDS;
        return broken == Promise.MEMORY_FLAT && (keepsPast || isShort)
                ? "a growth shows only in lives of " + ProcessCheck.GROWS_IN_SECONDS
                        + " s or more, without other worlds and " + LifePlan.KEEP_PAST
                : "";
    }

    private List<StormPart> partsInStorm() {
        return parts.stream().filter(part -> !notes.isLeftOut(part)).toList();
    }

    private void liveOnce(Trial trial, WorldMaker world, ProcessCheck process) {
        // What grows needs the whole time to show; what is left after lives needs several.
        int livesAtLeast = planted == null ? 2 : planted == Promise.MEMORY_FLAT ? 1 : 6;
        double longest = Math.min(life.toNanos(), length.toNanos() / livesAtLeast) / 1e9;
        PhysicsHost host = null;
        HostStorm others = null;
        rounds++;
        try {
            if (worldsOnHost != 0) {
                host = newHost();
                others = HostStorm.start(trial, host, world, worldsOnHost - services, seed + 9L * rounds);
            }
            for (int i = 0; i < services; i++) {
                LifePlan plan =
                        LifePlan.draw(seed, ++lives, rounds, parts, chosen, Math.max(SHORTEST_LIFE_SECONDS, longest));
                Path folder = Files.createTempDirectory("escapement-soak");
                try {
                    now.add(new Life(trial, plan, world, measures, notes, folder, host));
                } finally {
                    if (now.size() <= i) { // its world was not made, so nothing is in it
                        Files.deleteIfExists(folder);
                    }
                }
                now.get(i).start();
            }
            storm = now.stream().map(life -> life.plan().toString()).toList();
            watch(trial, world, process, others);
        } catch (Throwable e) { // OutOfMemoryError too, from here on: what was found until then is to be told
            fail("life " + lives + " cannot begin or go on", e);
        }
        end(() -> look(trial, world, process, 0)); // memory is not judged while storms end
        end(others, host);
        if (failure.isEmpty()) { // a thread that hangs is left
            guard("the process cannot be looked at after life " + lives, () -> process.end(lives));
        }
        dateFirst(trial);
    }

    private void guard(String what, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) { // OutOfMemoryError too
            fail(what, e);
        }
    }

    private void fail(String what, Throwable thrown) {
        failure = failure.isEmpty() ? what + ": " + thrown : failure;
    }

    /** With a thread that a world may hang in, and one for the others. */
    private static PhysicsHost newHost() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() - 1);
        return PhysicsHost.builder().threads(threads).start();
    }

    private void end(@Nullable HostStorm others, @Nullable PhysicsHost host) {
        guard("the other worlds of the host", () -> {
            try (host;
                    others) {
                // Only their ends are wanted: the other worlds before the host.
            }
        });
    }

    private void watch(Trial trial, WorldMaker world, ProcessCheck process, @Nullable HostStorm others) {
        process.begin(
                now.stream().mapToDouble(life -> life.plan().seconds()).max().orElse(0),
                others != null || now.stream().anyMatch(life -> life.plan().keepsPast()),
                others != null);
        while (trial.isRunning()
                && !ended
                && now.stream().noneMatch(Life::isOver)
                && (others == null || others.failure().isEmpty())) {
            Polling.pass(LOOK_NANOS);
            look(trial, world, process, ticksNow());
        }
    }

    /** Looks at the lives and the process, and once a second tells what was found so far: also while lives end, which may take long. */
    private void look(Trial trial, WorldMaker world, ProcessCheck process, long ticks) {
        now.forEach(Life::look);
        process.look(ticks);
        dateFirst(trial);
        long nowNanos = System.nanoTime();
        if (nowNanos - secondEndsNanos > 0) {
            secondEndsNanos = Math.max(secondEndsNanos, nowNanos - SECOND_NANOS) + SECOND_NANOS;
            moments.add(moment(process.second(ticks)));
            thinOut();
            progress.accept(report(trial, world, false));
        }
    }

    /** Notes what has failed first. A life that has failed says so at its end, and breaks promises until then. */
    private void dateFirst(Trial trial) {
        if (first.isEmpty() && now.stream().allMatch(one -> one.failure().isEmpty())) {
            String what = !failure.isEmpty() ? failure : StressReport.firstViolation(checks(trial));
            first = what.isEmpty() ? "" : dated(what);
        }
    }

    private String dated(String what) {
        String in = services == 1 ? "life " + lives : "lives " + (lives - services + 1) + " to " + lives;
        return String.format(Locale.ROOT, "after %.1f s, in %s: %s", seconds(), in, what);
    }

    /** What has ended the run, if something else has failed before. */
    private String andFailure() {
        return first.contains(failure) ? "" : "; and " + dated(failure);
    }

    private List<Checked> checks(Trial trial) {
        return checked().stream()
                .map(promise -> Checked.of(promise, trial.check(promise)))
                .toList();
    }

    private long ticksNow() {
        return now.stream().mapToLong(Life::ticks).sum();
    }

    private long offeredNow() {
        return now.stream().mapToLong(Life::offered).sum();
    }

    /** Keeps every second of too many, so that a run of a night does not find its own rows to be a growth. */
    private void thinOut() {
        if (moments.size() > MAX_MOMENTS) {
            for (int i = moments.size() - 2; i >= 0; i -= 2) {
                moments.remove(i);
            }
        }
    }

    private Moment moment(ProcessWatch.Sample sample) {
        Measures.Row row = measures.take();
        long offered = offeredNow();
        Moment moment = new Moment(
                seconds(),
                lives,
                row.ticks(),
                row.lateness(),
                row.publish(),
                row.age(),
                row.uneven(),
                offered - offeredBefore,
                sample.heapAfterGcBytes() / MEGABYTE,
                sample.residentBytes() / MEGABYTE,
                sample.threads(),
                sample.handles());
        offeredBefore = offered;
        return moment;
    }

    private double seconds() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    /** Ends the lives of a round: all storms before the first log that runs again, so that no service is under one that nobody looks at. */
    private void end(Runnable look) {
        for (Life one : now) {
            guard("the storm of a life cannot be ended", () -> {
                one.endStorm(() -> {
                    look.run();
                    return ended || !failure.isEmpty();
                });
            });
        }
        for (Life one : now) { // all, before the first waits for what the JVM tells of its pauses
            guard("a service cannot be ended", () -> {
                one.stop();
                look.run();
            });
        }
        now.forEach(one -> end(one, look));
        ticksOfLives += ticksNow();
        offeredBefore -= offeredNow(); // what was offered since the last moment counts for the next one
        now.clear();
    }

    private void end(Life one, Runnable look) {
        guard(
                "a life cannot be ended",
                () -> lost = lost.plus(one.end(() -> {
                    look.run();
                    return ended;
                })));
        if (failure.isEmpty()) {
            failure = one.failure();
        }
        try {
            one.delete();
        } catch (IOException | UncheckedIOException e) {
            notes.finding("what a life has written cannot be deleted: " + e);
        }
    }

    private StressReport report(Trial trial, WorldMaker world, boolean hasEnded) {
        measures.take();
        dateFirst(trial);
        return new StressReport(
                world.name(),
                seed,
                partsInStorm(),
                notes.leftOut(),
                seconds(),
                lives,
                ticksOfLives + ticksNow(),
                checks(trial),
                notes.findings(),
                storm,
                first.isEmpty() && !failure.isEmpty() ? dated(failure) : first + andFailure(),
                measures.distributions(),
                lost.totalNanos() == 0 ? "" : lost.inPercent(),
                List.copyOf(moments),
                hasEnded);
    }
}
