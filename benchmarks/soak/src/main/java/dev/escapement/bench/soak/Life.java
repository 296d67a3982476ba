package dev.escapement.bench.soak;

import dev.escapement.bench.process.BusyCores;
import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.WindowCheck;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.state.event.EventStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One service under the storm of its plan: built, stressed, closed, compared with a second run of its log. One thread. */
final class Life {

    /** Of the events, the page and the client over UDP. */
    private static final int OTHER_READERS = 3;

    private static final int EVENT_CAPACITY = 1 << 14;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WATCHDOG_MILLIS = 10_000;
    static final Duration HISTORY = Duration.ofSeconds(1);
    private static final long HISTORY_BYTES = 8L << 20;
    private static final long FLIGHT_BYTES = 16L << 20;
    private static final String FLIGHT = "flight";
    private static final int BUSY_SECONDS = 2;

    /** A busy process ends by itself much later than it is ended. */
    private static final int SECONDS_UNTIL_KILLED = 60;

    private static final int GARBAGE_BYTES = 1 << 15;
    private static final int KEPT_ARRAYS = 32;
    private static final double MANY_BYTES = 10_000;

    /** How long no tick may come, and how many ticks long: the storm pauses for less, and slows time down to a quarter. */
    private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MAX_STILL_TICKS = 40;
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Trial trial;
    private final LifePlan plan;
    private final WorldMaker made;
    private final Measures measures;
    private final Notes notes;
    private final Path folder;
    private final StressedSimulation world;
    private final InputLedger inputs;
    private final CommandLedger commandLedger;
    private final RunWatch watch;
    private final @Nullable PhysicsHost host;
    private final PhysicsService physics;
    private final TimeWatch times;
    private final RowCheck rows;
    private final @Nullable Recording recording;
    private final @Nullable FlightRecorder flight;
    private final @Nullable StateHistory history;

    /** What accompanies the service, to be closed before it, the last first. Tests add to it. */
    final List<Failing> storm = new ArrayList<>();

    private final Standstill still = new Standstill();
    private @Nullable InputStorm input;
    private long startedNanos;

    /** Files that repeat a failure. */
    private final List<Path> kept = new ArrayList<>();

    private String failure = "";

    /**
     * Builds the service of a plan. What its parts write comes into {@code folder}, which is empty.
     *
     * @param host what ticks it, from now on; null for a thread of its own
     */
    Life(
            Trial trial,
            LifePlan plan,
            WorldMaker made,
            Measures measures,
            Notes notes,
            Path folder,
            @Nullable PhysicsHost host) {
        this.trial = trial;
        this.plan = plan;
        this.made = made;
        this.notes = notes;
        this.folder = folder;
        this.host = host;
        world = new StressedSimulation(made.make());
        inputs = new InputLedger(plan.producers(), trial::isPlanted);
        commandLedger = new CommandLedger(trial, CommandStorm.LANES, CommandStorm.Planned.class::isInstance);
        history = plan.has(StormPart.REWIND) ? history() : null;
        // Only a tick shows whether the world has a hash: from the second life on it is known.
        boolean hashes = !notes.isLeftOut(StormPart.RECORDING);
        recording = hashes && plan.has(StormPart.RECORDING) ? recording() : null;
        flight = hashes && plan.has(StormPart.FLIGHT_RECORDER)
                ? FlightRecorder.in(folder.resolve(FLIGHT), description()).maxBytes(FLIGHT_BYTES)
                : null;
        watch = new RunWatch(trial, plan, world, inputs, commandLedger, host != null);
        physics = build();
        times = TimeWatch.start(physics.tickMetrics(), watch);
        rows = new RowCheck(trial, physics, plan, measures);
        this.measures = measures;
    }

    private RunDescription description() {
        return new RunDescription(made.name(), "", "life " + plan.number(), plan.seed(), made.rate());
    }

    private @Nullable Recording recording() {
        try {
            return Recording.create(log(), description());
        } catch (IOException e) {
            notes.finding("a recording could not begin: " + e);
            return null;
        }
    }

    private @Nullable StateHistory history() {
        if (world.capability(Restorable.class).isEmpty()) {
            notes.leftOut(StormPart.REWIND, "the world is not Restorable");
            return null;
        }
        return StateHistory.of(HISTORY).maxBytes(HISTORY_BYTES);
    }

    private PhysicsService build() {
        PhysicsServiceBuilder builder = PhysicsService.builder(world)
                .name("soak-" + plan.number())
                .rate(made.rate())
                .windowSize(plan.windowSize())
                .lateTicks(plan.lateTicks())
                .checksums(true)
                .maxReaders(FrameStorm.READERS + OTHER_READERS)
                .inputCapacity(InputStorm.capacity(plan))
                .watchdog(WATCHDOG_MILLIS)
                .pausedInput((event, state) -> inputs.arrive(event))
                .onFailure(thrown -> {}); // the report has it
        for (TickHook hook : new TickHook[] {recording, flight, history, watch}) { // the watch comes last
            if (hook != null) {
                builder.with(hook);
            }
        }
        return host == null ? builder.build() : host.add(builder);
    }

    /** Starts the service and its storm. If this throws, {@code endStorm} and {@code end} end what was started. */
    void start() {
        EventStream events = physics.events(EVENT_CAPACITY);
        if (host == null) {
            physics.start();
        }
        startedNanos = System.nanoTime();
        storm.add(Worker.start("storm-events", self -> watchEvents(self, events)));
        if (plan.has(StormPart.READERS)) {
            storm.addAll(new FrameStorm(trial, physics, plan, measures).workers());
        }
        if (plan.has(StormPart.INPUT)) {
            input = new InputStorm(physics, plan, inputs);
            storm.add(input.workers());
        }
        storm.addAll(new CommandStorm(physics, plan, world, watch, rows, commandLedger, history).workers());
        if (plan.has(StormPart.BODIES) && !world.stressesItself()) {
            notes.leftOut(StormPart.BODIES, "the world is no StressedWorld");
        }
        if (plan.has(StormPart.PAGE)) {
            storm.add(PageClient.start(physics, history, new SplittableRandom(plan.seed() + 7)));
        }
        if (plan.has(StormPart.UDP)) {
            storm.add(remote());
        }
        if (plan.has(StormPart.GARBAGE)) {
            storm.add(Worker.start("storm-garbage", this::makeGarbage));
        }
        if (plan.has(StormPart.BUSY)) {
            storm.add(Worker.start("storm-busy", this::keepBusy));
        }
    }

    private LossyUdpClient remote() {
        // Its clock starts anew after an outage, and it may see less than was published: freshness is not its promise.
        WindowCheck windows = new WindowCheck(
                trial.check(Promise.WHOLE),
                trial.check(Promise.CONSECUTIVE),
                trial.check(Promise.FORWARDS),
                new Check());
        return LossyUdpClient.start(physics, windows, new SplittableRandom(plan.seed() + 8));
    }

    private void watchEvents(Worker self, EventStream events) {
        try (EventCheck check = new EventCheck(trial, physics.newReader(), events, host == null)) {
            while (self.isRunning()) {
                check.look();
                Polling.pass(LOOK_NANOS);
            }
        }
    }

    private void makeGarbage(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 5);
        byte[][] kept = new byte[KEPT_ARRAYS][]; // of one size: their sum is a part of the heap that is compared
        while (self.isRunning()) {
            int arrays = random.nextInt(1, 64);
            for (int i = 0; i < arrays; i++) {
                kept[random.nextInt(kept.length)] = new byte[GARBAGE_BYTES];
            }
            Polling.pass(LOOK_NANOS);
        }
    }

    private void keepBusy(Worker self) {
        SplittableRandom random = new SplittableRandom(plan.seed() + 6);
        while (self.isRunning()) {
            Polling.await(TimeUnit.SECONDS.toNanos(random.nextInt(1, 8)), () -> !self.isRunning());
            if (self.isRunning()) {
                try (BusyCores busy = BusyCores.start(BUSY_SECONDS + SECONDS_UNTIL_KILLED)) {
                    boolean ends = Polling.await(TimeUnit.SECONDS.toNanos(BUSY_SECONDS), () -> !self.isRunning());
                    if (!ends) {
                        busy.requireRunning();
                    }
                } catch (IllegalStateException e) { // killed, or this program was stopped for so long
                    notes.finding("no busy cores for some time: " + e);
                } catch (UncheckedIOException e) { // no room for a process, or this program is not on a class path
                    notes.leftOut(StormPart.BUSY, e.toString());
                    return;
                }
            }
        }
    }

    /** Reads the ticks since the last look, and whether something has failed. Several times a second. */
    void look() {
        rows.look();
        standsStill();
        for (Failing part : storm) {
            part.failure().ifPresent(thrown -> {
                physics.failure().ifPresent(this::failed); // then this is why the part failed
                fail(part.getClass().getSimpleName() + " failed: " + thrown);
            });
        }
    }

    private long mayStandNanos() {
        return Math.max(MAX_STILL_NANOS, made.rate().nanosAt(MAX_STILL_TICKS));
    }

    /** Whether no tick has come for longer than the storm lets time stand still, which fails the life. Asked several times a second. */
    private boolean standsStill() {
        boolean stands = still.look(physics.lastTick(), System.nanoTime()) > mayStandNanos() && !physics.hasEnded();
        if (stands) {
            fail("no tick came for " + TimeUnit.NANOSECONDS.toSeconds(mayStandNanos()) + " s after tick "
                    + physics.lastTick() + ", though time was not paused for so long");
        }
        return stands;
    }

    /** Whether its time is over, or something has failed. */
    boolean isOver() {
        return !failure.isEmpty() || System.nanoTime() - startedNanos > plan.seconds() * 1e9 || physics.hasEnded();
    }

    long ticks() {
        return watch.ticks();
    }

    LifePlan plan() {
        return plan;
    }

    /** How many input events were offered. */
    long offered() {
        return input == null ? 0 : input.offered();
    }

    /**
     * Ends what accompanies the service. A part that has done nothing yet gets some more time: it may have had no core.
     *
     * @param isEnded whether the run was ended: then no part gets more time. Asked many times a second
     */
    void endStorm(BooleanSupplier isEnded) {
        physics.failure().ifPresent(this::failed);
        look();
        BooleanSupplier goesOn = () -> failure.isEmpty() && !physics.hasEnded() && !isEnded.getAsBoolean();
        try {
            boolean isInTime = Polling.await(() -> {
                look();
                return storm.stream().allMatch(Failing::hasWorked) || !goesOn.getAsBoolean();
            });
            if (!isInTime) {
                fail(storm.stream()
                                .filter(part -> !part.hasWorked())
                                .map(part -> part.getClass().getSimpleName())
                                .toList()
                        + " of the storm have done nothing, and have not begun in 30 s more");
            }
        } finally { // also if somebody who is told of the progress throws
            closeStorm();
        }
        look(); // some fail at their end alone
    }

    private void closeStorm() {
        try {
            Failing.close(storm);
        } catch (RuntimeException e) {
            physics.failure().ifPresent(this::failed); // then this is why
            fail(e.toString());
        }
    }

    /** Ends the service, whose storm has ended. */
    void stop() {
        if (physics.failure().isEmpty()) {
            Polling.await(
                    mayStandNanos() + MARGIN_NANOS,
                    () -> standsStill()
                            || physics.hasEnded()
                            || (inputs.arrived() >= inputs.accepted()
                                    && (world.offersInput() || physics.pendingInputs() == 0)
                                    && commandLedger.areAllAnswered()));
        }
        physics.close();
        physics.failure().ifPresent(this::failed); // its close() may throw, its last tick hang
        if (physics.failure().isPresent() && world.hasHash()) {
            keepFlight();
        }
    }

    /**
     * Checks what is left of the service, which has stopped.
     *
     * @param isEnded whether the run was ended: then the log does not run again. Asked several times a second while it does
     * @return what took the time of late ticks
     */
    TakenTime end(BooleanSupplier isEnded) {
        times.close();
        if (recording != null) {
            recording.close();
        }
        if (!world.hasHash()) {
            for (StormPart part : List.of(StormPart.RECORDING, StormPart.FLIGHT_RECORDER)) {
                notes.leftOut(part, "the world has no hash(), with which two runs are compared");
            }
        }
        if (failure.isEmpty()) {
            checkEnd(isEnded);
        }
        return times.lost();
    }

    /** Keeps what repeats the failure: the last file that the flight recorder has archived. */
    private void keepFlight() {
        try (Stream<Path> files = Files.list(folder.resolve(FLIGHT))) {
            files.filter(file -> file.toString().endsWith(".esclog"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .ifPresent(file -> {
                        kept.add(file);
                        failure += ". To repeat it: replay " + file;
                    });
        } catch (IOException none) {
            // This life has no flight recorder, or no room for one.
        }
    }

    private void failed(Throwable thrown) {
        fail("the world " + (thrown instanceof HungSimulationException ? "hangs" : "failed") + " in tick "
                + (physics.lastTick() + 1) + ": " + thrown);
    }

    private void fail(String what) {
        if (failure.isEmpty()) {
            failure = what + " (" + plan + ")";
        }
    }

    private void checkEnd(BooleanSupplier isEnded) {
        rows.end(watch.ticks(), physics.lastTick());
        commandLedger.checkAnswers();
        commandLedger.checkNoneWasLeft(physics.refusedCommands()); // it was closed when all were answered
        InputStorm offered = input;
        boolean worldOffers = world.offersInput();
        if (worldOffers) {
            notes.leftOut(Promise.INPUT_SUMS, "the world offers input of its own, which the ring counts, too");
        }
        if (offered != null && (worldOffers || plan.has(StormPart.UDP))) { // whose own events the ring counts, too
            inputs.reportArrivals(trial, inputs.findings(offered.counts(physics)));
        } else if (offered != null) {
            inputs.report(trial, offered.counts(physics));
        }
        if (watch.bytesPerTick() > MANY_BYTES) {
            notes.finding(String.format(
                    Locale.ROOT, "the world allocates %,.0f bytes a tick on average", watch.bytesPerTick()));
        }
        if (history != null && !watch.hasGoneBack()) {
            notes.finding("a life never went back: it was short, its history small, or its world refused");
        }
        if (flight != null) {
            flight.failure().ifPresent(failed -> ended("the flight recorder", failed));
        }
        Recording recorded = recording;
        if (recorded != null) {
            recorded.failure().ifPresentOrElse(failed -> ended("the recording", failed), () -> runAgain(isEnded));
        }
    }

    /** A recording has ended: because of the disk, or of the code that writes. */
    void ended(String what, RecordingFailure failed) {
        Throwable thrown = failed.cause().getCause(); // what is no IOException itself is wrapped into one
        if (thrown == null || thrown instanceof IOException) {
            notes.finding(what + " ended: " + failed.cause());
        } else {
            fail(what + " failed: " + thrown);
        }
    }

    private void runAgain(BooleanSupplier isEnded) {
        if (plan.repeats() && world.hasHash()) {
            Check same = trial.check(Promise.SAME_AGAIN);
            long brokenBefore = same.broken();
            String hangs = new SecondRun(log(), this::another, same, TimeUnit.MILLISECONDS.toNanos(WATCHDOG_MILLIS))
                    .run(isEnded);
            if (!hangs.isEmpty()) {
                fail(hangs);
            }
            boolean isNamed = same.broken() > 0 && brokenBefore == 0; // only the first is: a night could fill the disk
            if (!hangs.isEmpty() || (isNamed && !trial.isCanary())) {
                kept.add(log());
            }
        }
    }

    private Path log() {
        return folder.resolve("life.esclog");
    }

    private StressedSimulation another() {
        boolean planted = trial.isPlanted(Promise.SAME_AGAIN);
        return new StressedSimulation(made.makeHere()) { // which may hang: the caller looks at it
            @Override
            public long hash() {
                return planted ? ~super.hash() : super.hash();
            }
        };
    }

    /** How the world failed, or a part of the storm; empty if neither did. After the end. */
    String failure() {
        return failure;
    }

    /** Deletes what its parts have written, except what repeats a failure. */
    void delete() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                if (kept.stream().noneMatch(file -> file.startsWith(path))) {
                    Files.delete(path);
                }
            }
        }
    }
}
