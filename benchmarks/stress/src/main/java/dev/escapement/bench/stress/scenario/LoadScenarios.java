package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.measure.BusyCores;
import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.JvmDemand;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.Tick;
import dev.escapement.state.machine.JvmPauses;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** What takes time from ticks: garbage, busy cores, a single core, and a process that is stopped. */
final class LoadScenarios {

    private static final int BODIES = 1000;
    private static final String PAUSES_ADVICE =
            "give the JVM more memory (-Xmx), or take a collector that pauses less (-XX:+UseZGC)";

    private static final TickRate SLICES = TickRate.hertz(1000);
    private static final int BYTES_PER_SLICE = 500_000;
    private static final int SMALLEST_PIECE = 64;
    private static final int PIECE_SIZES = 10;
    private static final int KEPT_PIECES = 2048;

    /** A child that outlives the scenario is ended with it; this is for when nothing ends it. */
    private static final int SPARE_SECONDS = 120;

    private static final double[] SUSPENDED_SECONDS = {0.2, 2, 0.5, 1};
    private static final long BETWEEN_NANOS = 200_000_000;
    private static final TickRate OFFERS = TickRate.hertz(500);
    private static final int FEWEST_INPUTS = 10;
    private static final long LOOK_NANOS = 1_000_000;

    /** Another process lets this one go on, since this one cannot; also if this one's parent has died. */
    private static final String SUSPEND_SCRIPT = "kill -STOP \"$0\"; sleep \"$1\"; kill -CONT \"$0\"";

    private LoadScenarios() {}

    /** Other threads allocate all the time, so that the collector works all the time, in a JVM that has it. */
    static Scenario garbage(String collector) {
        JvmDemand demand = JvmDemand.collector(collector);
        return ChildScenario.of(
                new Scenario(
                                "garbage-" + collector.toLowerCase(Locale.ROOT),
                                "two threads allocate a gigabyte a second in 512 MB, under " + demand
                                        + ", in a JVM of its own",
                                CheckingReader.promises(Promise.ACCOUNTED),
                                LoadScenarios::runWithGarbage)
                        .delayingTicks(), // by pauses, which are figures of their own
                demand);
    }

    private static void runWithGarbage(Trial trial) {
        try (JvmPauses pauses = JvmPauses.start()) {
            LongAdder bytes = new LongAdder();
            long startNanos = System.nanoTime();
            Worker garbage = Worker.start(2, "stress-garbage", (self, index) -> allocate(self, bytes));
            try (garbage) {
                runWithTwoReaders(trial, service -> {});
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            trial.figure(Figure.info("garbage", bytes.sum() / 1e6 / seconds, "MB/s"));
            JvmPauses.Totals totals = pauses.soFar();
            trial.info("collector pauses per second", totals.pauses() / seconds);
            double percent = totals.pauseNanos() / 1e7 / seconds;
            trial.figure(Figure.graded("time in pauses", percent, "%", 1, 5, PAUSES_ADVICE));
            double longestMillis = totals.longestPauseNanos() / 1e6;
            trial.figure(Figure.graded("longest collector pause", longestMillis, "ms", 1, 10, PAUSES_ADVICE));
        }
    }

    /** Allocates half a gigabyte a second, in pieces of many sizes, and keeps some of them for a while. */
    private static void allocate(Worker self, LongAdder bytes) {
        byte[][] kept = new byte[KEPT_PIECES][];
        Pacer pacer = Pacer.system();
        long originNanos = System.nanoTime();
        int piece = 0;
        for (long slice = 1; self.goesOn(); slice++) {
            pacer.awaitUntil(originNanos + SLICES.nanosAt(slice));
            for (int left = BYTES_PER_SLICE; left > 0; piece++) {
                // From 64 bytes to 32 kB; kept ones are overwritten in turn, so the collector has something to move.
                byte[] made = new byte[SMALLEST_PIECE << piece % PIECE_SIZES];
                kept[piece % KEPT_PIECES] = made;
                left -= made.length;
                bytes.add(made.length);
            }
        }
    }

    /** Another process on every core that never waits: ticks and frames have to get theirs from the operating system. */
    static Scenario coresBusy() {
        return new Scenario(
                        "cores-busy",
                        "every core is kept busy by another process",
                        CheckingReader.promises(Promise.ACCOUNTED),
                        trial -> {
                            int seconds = (int) (trial.lengthNanos() / 1_000_000_000L) + SPARE_SECONDS;
                            try (BusyCores busy = BusyCores.start(seconds)) {
                                runWithTwoReaders(trial, service -> {
                                    service.awaitEnd();
                                    busy.requireRunning();
                                });
                            }
                        })
                .delayingTicks(); // ticks wait for a core that another process has
    }

    private static void runWithTwoReaders(Trial trial, Consumer<WatchedService> meanwhile) {
        PredictableWorld world = new PredictableWorld(BODIES);
        WatchedService.run(trial, world, builder -> builder, service -> {
            service.readBy(world, WatchedService.FPS / 2);
            meanwhile.accept(service);
        });
    }

    /** Physics and readers share one core: no two of them ever run at the same time, and a thread that spins takes it from the others. */
    static Scenario oneCore() {
        return ChildScenario.of(
                new Scenario(
                                "one-core",
                                "physics and three readers on a single core (taskset), in a JVM of its own",
                                CheckingReader.promises(Promise.ACCOUNTED),
                                trial -> {
                                    PredictableWorld world = new PredictableWorld(BODIES);
                                    WatchedService.run(trial, world, builder -> builder.maxReaders(3), service -> {
                                        service.readBy(world, 60);
                                        service.readBy(world, 30);
                                    });
                                })
                        .delayingTicks(), // ticks wait for the core that a reader has
                JvmDemand.ONE_CORE);
    }

    /** The whole process is stopped at any instant, and goes on later. */
    static Scenario processSuspended() {
        return ChildScenario.of(
                new Scenario(
                                "process-suspended",
                                "a JVM of its own is stopped by SIGSTOP for 0.2 to 2 s and goes on, again and again",
                                CheckingReader.promises(Promise.ACCOUNTED, Promise.INPUT_ONCE, Promise.NO_STORM),
                                LoadScenarios::runSuspended)
                        .delayingTicks(),
                JvmDemand.ANY);
    }

    private static void runSuspended(Trial trial) throws IOException, InterruptedException, SkippedException {
        InputLedger ledger = new InputLedger(trial, 1);
        Check noStorm = trial.check(Promise.NO_STORM);
        long[] startedNanos = new long[2];
        PredictableWorld world = new PredictableWorld(BODIES, tick -> {
            checkSpacing(noStorm, tick, startedNanos);
            ledger.arrive(tick);
        });
        // To give up nothing is to catch up in a storm.
        LateTicks late = trial.isPlanted(Promise.NO_STORM) ? LateTicks.runAll() : LateTicks.skip();
        int suspensions;
        try (WatchedService service = new WatchedService(trial, world, builder -> builder.lateTicks(late))) {
            service.readBy(world, WatchedService.FPS);
            NumberedProducer producer = ledger.producer(0);
            NumberedProducer.Gate gate =
                    NumberedProducer.Gate.to(service.service().input());
            Worker offering = Worker.start("stress-input", OFFERS, () -> producer.offer(gate), () -> {});
            try (offering) {
                suspensions = suspend(trial);
                Polling.await(() -> ledger.arrived() >= FEWEST_INPUTS);
            }
            Polling.await(() -> ledger.arrived() >= producer.accepted);
            service.awaitEnd();
            service.end();
            trial.check(Promise.INPUT_ONCE)
                    .that(
                            ledger.arrived() == producer.accepted,
                            () -> ledger.arrived() + " events arrived of " + producer.accepted);
            ledger.report(trial, RingCounts.of(service.service()));
        }
        trial.info("suspensions", suspensions);
    }

    private static int suspend(Trial trial) throws IOException, InterruptedException, SkippedException {
        Pacer pacer = Pacer.system();
        int times = 0;
        do {
            pacer.awaitUntil(System.nanoTime() + BETWEEN_NANOS);
            suspendProcess(SUSPENDED_SECONDS[times++ % SUSPENDED_SECONDS.length]);
        } while (trial.goesOn());
        return times;
    }

    /**
     * Stops this whole process as a debugger or a laptop's lid does, every thread of it, by SIGSTOP; returns when it goes on.
     *
     * @param seconds for how long
     * @throws SkippedException if this platform cannot, or did not
     */
    private static void suspendProcess(double seconds) throws IOException, InterruptedException, SkippedException {
        for (String program : List.of("sh", "sleep")) {
            if (ChildProcess.onPath(program).isEmpty()) {
                throw new SkippedException("there is no '" + program + "' on the PATH, as Linux and macOS have");
            }
        }
        long pid = ProcessHandle.current().pid();
        long before = System.nanoTime(); // it may stop us while we still start it
        Process helper = new ProcessBuilder(
                        "sh", "-c", SUSPEND_SCRIPT, Long.toString(pid), String.format(Locale.ROOT, "%.3f", seconds))
                .inheritIO()
                .start();
        long longestGapNanos = 0;
        boolean goesOn = true;
        while (goesOn) {
            LockSupport.parkNanos(LOOK_NANOS);
            goesOn = helper.isAlive();
            long now = System.nanoTime();
            longestGapNanos = Math.max(longestGapNanos, now - before);
            before = now;
        }
        if (helper.waitFor() != 0 || longestGapNanos < seconds * 1e9 / 2) {
            throw new SkippedException("SIGSTOP did not stop this process for " + seconds + " s: exit code "
                    + helper.exitValue() + ", longest gap " + longestGapNanos / 1e9 + " s");
        }
    }

    /**
     * Checks {@link Promise#NO_STORM} of a service that gives up what it missed. A tick after a late one may follow at once, since
     * deadlines keep their phase; but that one is due after the late one began, so the third is due a period later. Holds however late the
     * operating system is. Physics thread.
     *
     * @param startedNanos when the last tick but one and the last started
     */
    private static void checkSpacing(Check noStorm, Tick tick, long[] startedNanos) {
        long nowNanos = System.nanoTime();
        if (tick.number() > startedNanos.length) {
            long apartNanos = nowNanos - startedNanos[0];
            noStorm.that(
                    apartNanos >= tick.rate().nanosAt(1),
                    () -> "three ticks started within " + apartNanos / 1e6 + " ms, tick " + tick.number()
                            + " the last");
        }
        startedNanos[0] = startedNanos[1];
        startedNanos[1] = nowNanos;
    }
}
