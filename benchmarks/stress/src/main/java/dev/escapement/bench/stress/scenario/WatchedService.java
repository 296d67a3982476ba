package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.SkippedTicks;
import dev.escapement.bench.measure.TickTrace;
import dev.escapement.bench.stress.trial.Metric;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.render.FrameView;
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
 * A running service whose every tick is measured, and whose deadlines add up when it is closed.
 *
 * <p>Created and closed by one thread.
 */
final class WatchedService implements AutoCloseable {

    /** No service has larger windows: after this many ticks there is one. */
    private static final int LARGEST_WINDOW = 10;

    /** Of the reader of most scenarios. */
    private static final long FPS = 144;

    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;
    private static final int TICKS_TO_GO_ON = 3;

    /** Long enough for those ticks, if nothing held them up. */
    private static final long PLANTED_NANOS = 100_000_000;

    private final Trial trial;
    private final TickTrace ticks = new TickTrace(0);
    private final SkippedTicks passedOver;
    private final PhysicsService service;
    private final List<Worker> frames = new ArrayList<>();
    private final List<BooleanSupplier> seenEnough = new ArrayList<>();

    // Release, after the tick was published; its partner is published(): a thread that sees the number sees the
    // snapshot.
    private final AtomicLong published = new AtomicLong();

    /** Starts a service at 100 Hz with checksums, and what else is to be set. */
    private WatchedService(Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more) {
        this.trial = trial;
        service = more.apply(PhysicsService.builder(simulation)
                        .checksums(true)
                        .onFailure(failure -> {}) // told at the end
                        .listener(this::ticked))
                .build();
        passedOver = new SkippedTicks(service.rate().nanosAt(1));
        service.start();
    }

    /**
     * Runs a service as {@link #WatchedService} starts it, read at {@value #FPS} frames a second, until the trial's time is over; returns
     * it closed. Once its reader has started, the rest is done on this thread.
     */
    static PhysicsService run(
            Trial trial,
            PredictableWorld world,
            UnaryOperator<PhysicsServiceBuilder> more,
            Consumer<WatchedService> meanwhile) {
        try (WatchedService service = new WatchedService(trial, world, more)) {
            CheckingReader reader = service.newReader(world);
            service.addFrames(FPS, reader::take, reader::close);
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
        trial.checkIfStated(Promise.NUMBERED)
                .that(number == count, () -> "tick " + number + " where " + count + " was to come");
        long lateNanos = trial.isPlanted(Promise.NEVER_EARLY) ? -1 - latenessNanos : latenessNanos;
        trial.checkIfStated(Promise.NEVER_EARLY)
                .that(lateNanos >= 0, () -> "tick " + tick + " started " + -lateNanos + " ns before it was due");
        passedOver.ticked(dueNanos, startedNanos, System.nanoTime()); // with the time that these checks took
    }

    /** The service. */
    PhysicsService service() {
        return service;
    }

    /** The newest tick whose publish is complete: what a window asked for from now on must hold. Any thread. */
    private long published() {
        return published.getAcquire();
    }

    /** A reader that checks all that its windows say, with bodies as expected, on a thread of the caller's. */
    CheckingReader newReader(Predicate<Snapshot> expected) {
        return new CheckingReader(trial, this::published, service.newReader(), expected);
    }

    /** Lets a thread look at the world as it is drawn, at each frame that has something to show, until this is closed. */
    void drawBy(Consumer<FrameView> look, long fps) {
        FrameView view = FrameView.of(service.newReader());
        BooleanSupplier draw = () -> {
            boolean shows = view.advance(System.nanoTime());
            if (shows) {
                look.accept(view);
            }
            return shows;
        };
        addFrames(fps, draw, view::close);
    }

    /** Starts a thread that looks once a frame, and gives back what it looked through at its end. */
    private void addFrames(long fps, BooleanSupplier look, Runnable atEnd) {
        AtomicLong seen = new AtomicLong(); // written by the looking thread alone, release; partner: in seenEnough
        Worker worker = Worker.start("stress-frames", self -> {
            try {
                Pacer pacer = Pacer.system();
                TickRate rate = TickRate.hertz(fps);
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

    /** Waits until the trial's time is over and enough was seen to tell anything, a planted fault was found, or the service has ended. */
    void awaitEnd() {
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        while ((trial.isRunning() || !(hasSeenEnough() || System.nanoTime() - deadlineNanos > 0))
                && service.state() == ServiceState.RUNNING) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A machine that is busy with something else may need seconds for what takes a moment. */
    private boolean hasSeenEnough() {
        return trial.isFound()
                || (published() >= FEWEST && seenEnough.stream().allMatch(BooleanSupplier::getAsBoolean));
    }

    /**
     * Ends the service, and checks that each deadline was met or skipped.
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
        trial.info("real-time factor", service.realTimeFactor());
        trial.metric(new Metric("tick lateness p99", ticks.lateness().summary().p99(), "us"));
    }

    private void checkDeadlines() {
        // What became due while the last tick ran, after the service was closed, is skipped or not, as the policy
        // says.
        long least = deadlinesUntil(service.closedAtNanos());
        long max = Math.max(least, deadlinesUntil(ticks.lastPublishedNanos(service.closedAtNanos())));
        long met = ticks.ticks() + (trial.isPlanted(Promise.ACCOUNTED) ? 5 + max - least : 0);
        long skipped = service.skippedTicks();
        long passed = passedOver.passedOver();
        trial.checkIfStated(Promise.ACCOUNTED)
                .that(
                        passed <= skipped && met + skipped >= least - 1 && met + skipped <= max + 1,
                        () -> met + " ticks and " + skipped + " skipped are not the " + least + " to " + max
                                + " that were due, of which " + passed + " passed between ticks");
    }

    /**
     * Checks {@link Promise#TICKS_GO_ON} while its caller holds what ticks might wait for: returns when all deadlines until now, and some
     * more, were met or skipped and counted, however long a busy machine takes for that. If it is planted, ticks do wait for the caller.
     * For a service that was never paused. Any thread.
     */
    void checkTicksResume() {
        boolean planted = trial.isPlanted(Promise.TICKS_GO_ON);
        CountDownLatch letGo = new CountDownLatch(planted ? 1 : 0);
        CompletableFuture<?> waiting = service.command(tick -> {
            letGo.await();
            return tick;
        });
        long owed = deadlinesUntil(System.nanoTime()) + TICKS_TO_GO_ON;
        BooleanSupplier paid = () -> published() + service.skippedTicks() >= owed;
        boolean caughtUp = planted ? Polling.await(PLANTED_NANOS, paid) : Polling.await(paid);
        trial.check(Promise.TICKS_GO_ON)
                .that(
                        caughtUp,
                        () -> "of " + owed + " deadlines, " + published() + " were met and " + service.skippedTicks()
                                + " skipped");
        letGo.countDown();
        Polling.await(waiting::isDone);
    }

    /** How many deadlines there were from the start until an instant. */
    private long deadlinesUntil(long nanos) {
        return service.rate().tickAt(nanos - service.startedAtNanos());
    }
}
