package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.TickTrace;
import dev.escapement.bench.stress.trial.Metric;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A running service: each tick is measured, and the sum of its due times is checked when it is closed.
 *
 * <p>Created and closed by one thread.
 */
final class WatchedService implements AutoCloseable {

    /** After this many ticks every service has a window: no windows are larger. */
    private static final int LARGEST_WINDOW = 10;

    /** The frame rate of the reader of each scenario. */
    private static final long FPS = 144;

    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;
    private static final int TICKS_TO_GO_ON = 3;

    /** Long enough for those ticks, if nothing delays them. */
    private static final long PLANTED_NANOS = 100_000_000;

    private final Trial trial;
    private final TickTrace ticks = new TickTrace(0);
    private long passedOver;
    private long previousDueNanos;
    private final PhysicsService service;
    private final List<Worker> frames = new ArrayList<>();
    private final List<BooleanSupplier> seenEnough = new ArrayList<>();

    // Release, after the tick was published; its partner is published(): a thread that sees the number sees the
    // snapshot.
    private final AtomicLong published = new AtomicLong();

    /** Starts a service at 100 Hz with checksums, and with further settings. */
    private WatchedService(Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more) {
        this.trial = trial;
        service = more.apply(PhysicsService.builder(simulation)
                        .checksums(true)
                        .onFailure(failure -> {}) // reported at the end
                        .listener(this::ticked))
                .build();
        service.start();
    }

    /**
     * Runs a service as {@link #WatchedService} starts it, read at {@value #FPS} frames a second, until the end of the trial's time;
     * returns it closed. After its reader has started, {@code meanwhile} runs on this thread.
     */
    static PhysicsService run(
            Trial trial,
            PredictableWorld world,
            UnaryOperator<PhysicsServiceBuilder> more,
            Consumer<WatchedService> meanwhile) {
        try (WatchedService service = new WatchedService(trial, world, more)) {
            CheckingReader reader = service.newReader(world);
            service.addFrames(reader::take, reader::close);
            meanwhile.accept(service);
            service.awaitEnd();
            return service.service();
        }
    }

    private void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        ticks.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
        long count = ticks.ticks();
        if (count >= LARGEST_WINDOW) {
            published.setRelease(tick);
        }
        long latenessNanos = startedNanos - dueNanos;
        long number = trial.isPlanted(Promise.NUMBERED) ? 2 * tick : tick;
        trial.checkIfStated(Promise.NUMBERED).that(number == count, () -> "tick " + number + " instead of " + count);
        long lateNanos = trial.isPlanted(Promise.NEVER_EARLY) ? -1 - latenessNanos : latenessNanos;
        trial.checkIfStated(Promise.NEVER_EARLY)
                .that(lateNanos >= 0, () -> "tick " + tick + " started " + -lateNanos + " ns before it was due");
        double periods = (dueNanos - previousDueNanos) / (double) service.rate().nanosAt(1);
        passedOver += count == 1 ? 0 : Math.round(periods) - 1;
        previousDueNanos = dueNanos;
    }

    /** The service. */
    PhysicsService service() {
        return service;
    }

    /** The newest tick whose publish is complete: a window acquired from now on must hold it. Any thread. */
    private long published() {
        return published.getAcquire();
    }

    /** A reader that checks its windows completely, with expected bodies, on a thread of the caller's. */
    CheckingReader newReader(Predicate<Snapshot> expected) {
        return new CheckingReader(trial, this::published, service.newReader(), expected);
    }

    /** Starts a thread that checks once a frame, and closes its view at its end. */
    private void addFrames(BooleanSupplier look, Runnable atEnd) {
        AtomicLong seen = new AtomicLong(); // written by the checking thread alone, release; partner: in seenEnough
        Worker worker = Worker.start(1, "stress-frames", (self, index) -> {
            try {
                Pacer pacer = Pacer.system();
                TickRate rate = TickRate.hertz(FPS);
                long originNanos = System.nanoTime();
                for (long frame = 1; self.isRunning(); frame++) {
                    pacer.awaitUntil(originNanos + rate.nanosAt(frame));
                    seen.setRelease(seen.getPlain() + (look.getAsBoolean() ? 1 : 0));
                }
            } finally {
                atEnd.run();
            }
        });
        frames.add(worker);
        seenEnough.add(() -> seen.getAcquire() >= FEWEST || worker.hasEnded());
    }

    /** Waits until the trial's time is over and enough was checked, a planted fault was found, or the service has ended. */
    void awaitEnd() {
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        while ((trial.isRunning() || !(hasSeenEnough() || System.nanoTime() - deadlineNanos > 0))
                && service.state() == ServiceState.RUNNING) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A busy machine may need seconds for short work. */
    private boolean hasSeenEnough() {
        return trial.isFound()
                || (published() >= FEWEST && seenEnough.stream().allMatch(BooleanSupplier::getAsBoolean));
    }

    /**
     * Ends the service, and checks that each due time was met or skipped.
     *
     * @throws IllegalStateException if it has failed
     */
    @Override
    public void close() {
        try {
            frames.forEach(Worker::close);
        } finally {
            service.close();
        }
        service.failure().ifPresent(cause -> {
            throw new IllegalStateException("the service failed: " + cause, cause);
        });
        checkDeadlines();
        trial.metric(new Metric("real-time factor", service.realTimeFactor(), ""));
        trial.metric(new Metric("tick lateness p99", ticks.lateness().summary().p99(), "us"));
    }

    private void checkDeadlines() {
        // Times that became due while the last tick ran, after the service was closed, are skipped or not, depending on
        // the policy.
        long least = deadlinesUntil(service.closedAtNanos());
        long max = Math.max(least, deadlinesUntil(ticks.lastPublishedNanos(service.closedAtNanos())));
        long met = ticks.ticks() + (trial.isPlanted(Promise.ACCOUNTED) ? 5 + max - least : 0);
        long skipped = service.skippedTicks();
        trial.checkIfStated(Promise.ACCOUNTED)
                .that(
                        passedOver <= skipped && met + skipped >= least - 1 && met + skipped <= max + 1,
                        () -> met + " ticks and " + skipped + " skipped are not the " + least + " to " + max
                                + " that were due, of which " + passedOver + " passed between ticks");
    }

    /**
     * Checks {@link Promise#TICKS_CONTINUE} while its caller holds something that ticks might wait for: returns when all due times until now,
     * and some more, were met or skipped and counted, without a bound of time. If a fault is planted, ticks do wait for the caller.
     * For a service that was never paused. Any thread.
     */
    void checkTicksResume() {
        boolean planted = trial.isPlanted(Promise.TICKS_CONTINUE);
        CountDownLatch letGo = new CountDownLatch(planted ? 1 : 0);
        CompletableFuture<?> waiting = service.command(tick -> {
            letGo.await();
            return tick;
        });
        long owed = deadlinesUntil(System.nanoTime()) + TICKS_TO_GO_ON;
        BooleanSupplier paid = () -> published() + service.skippedTicks() >= owed;
        boolean caughtUp = planted ? Polling.await(PLANTED_NANOS, paid) : Polling.await(paid);
        trial.check(Promise.TICKS_CONTINUE)
                .that(
                        caughtUp,
                        () -> "of " + owed + " due times, " + published() + " were met and " + service.skippedTicks()
                                + " skipped");
        letGo.countDown();
        Polling.await(waiting::isDone);
    }

    /** How many due times there were from the start until an instant. */
    private long deadlinesUntil(long nanos) {
        return service.rate().tickAt(nanos - service.startedAtNanos());
    }
}
