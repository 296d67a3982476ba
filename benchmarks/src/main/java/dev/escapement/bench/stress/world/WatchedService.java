package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A running service whose every tick is measured, and whose deadlines add up when it is closed.
 *
 * <p>Created and closed by one thread.
 */
public final class WatchedService implements AutoCloseable {

    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;
    private static final double GOOD_MICROS = 200;
    private static final double FAIR_MICROS = 2_000;
    private static final String ADVICE =
            "leave a core to the physics thread (taskset, chrt), and see 'machine' for what delays its wake-up";

    private final Trial trial;
    private final Ticks ticks;
    private final PhysicsService service;
    private final List<CheckedFrames> readers = new ArrayList<>();
    private boolean closed;

    /**
     * Starts a service at 100 Hz with checksums.
     *
     * @param more what else to set
     */
    public static WatchedService start(Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more) {
        return new WatchedService(trial, simulation, more);
    }

    private WatchedService(Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more) {
        this.trial = trial;
        ticks = new Ticks(trial);
        service = more.apply(PhysicsService.builder(simulation).checksums(true).listener(ticks))
                .start();
    }

    /** The service. */
    public PhysicsService service() {
        return service;
    }

    /** The newest tick whose publish is complete: what a window asked for from now on must hold. Any thread. */
    public long published() {
        return ticks.published.getAcquire();
    }

    /**
     * Lets a thread take windows, a frame each, and check all that they say, until this is closed.
     *
     * @param expected what bodies have to look like
     * @param fps      frames per second
     */
    public void readBy(Expectation expected, long fps) {
        readers.add(CheckedFrames.start(trial, this, expected, fps));
    }

    /** Waits until the trial's time is over and enough was seen to tell anything, or the service has ended. */
    public void awaitEnd() {
        long giveUpNanos = System.nanoTime() + PATIENCE_NANOS;
        while ((trial.goesOn() || !(hasSeenEnough() || System.nanoTime() - giveUpNanos > 0))
                && service.state() == PhysicsService.State.RUNNING) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A machine that is busy with something else may need seconds for what takes a moment. */
    private boolean hasSeenEnough() {
        return published() >= FEWEST && readers.stream().allMatch(reader -> reader.taken() >= FEWEST);
    }

    /** Ends the service, and checks that each deadline was met or given up. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        readers.forEach(CheckedFrames::close);
        service.close();
        if (trial.checks(Promise.ACCOUNTED)) {
            checkDeadlines();
        }
        trial.figure(Figure.info("time factor", service.timeFactor(), ""));
        trial.figure(Figure.graded(
                "tick lateness p99", ticks.lateness.summary().p99(), "us", GOOD_MICROS, FAIR_MICROS, ADVICE));
    }

    private void checkDeadlines() {
        // A tick that was running when the service was closed accounts for what was due until it was published.
        long endNanos = ticks.lastNanos + Math.max(0, service.closedAtNanos() - ticks.lastNanos);
        long due = service.rate().tickAt(endNanos - service.startedAtNanos());
        long met = ticks.count + (trial.isPlanted(Promise.ACCOUNTED) ? 5 : 0);
        long givenUp = service.givenUpTicks();
        trial.check(Promise.ACCOUNTED)
                .that(
                        Math.abs(met + givenUp - due) <= 1,
                        () -> met + " ticks and " + givenUp + " given up are not the " + due + " that were due");
    }

    /** Measures on the physics thread. */
    private static final class Ticks implements TickListener {

        private final Distribution lateness;
        private final Distribution publishDelay;
        private final Series latenessOverTime;

        // Release, after the tick was published; its partner is published(): who sees the number sees the snapshot.
        private final AtomicLong published = new AtomicLong();

        private long count;
        private long firstDueNanos;
        private long lastNanos;

        Ticks(Trial trial) {
            lateness = trial.distribution("tick lateness");
            publishDelay = trial.distribution("publish delay");
            latenessOverTime = trial.timeLine("tick lateness, us");
        }

        @Override
        public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
            published.setRelease(tick);
            if (count++ == 0) {
                firstDueNanos = dueNanos;
            }
            lastNanos = publishedNanos;
            lateness.record(startedNanos - dueNanos);
            publishDelay.record(publishedNanos - dueNanos);
            latenessOverTime.add((dueNanos - firstDueNanos) / 1e9, (startedNanos - dueNanos) / 1e3);
        }
    }
}
