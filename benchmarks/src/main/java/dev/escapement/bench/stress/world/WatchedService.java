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

    /** The names of the figures that each reports. */
    public static final List<String> FIGURES = List.of("time factor", "tick lateness p99");

    /** The names of the distributions that each fills, in microseconds. */
    public static final List<String> DURATIONS = List.of("tick lateness", "publish delay");

    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;

    /** No service has larger windows: after so many ticks of a simulation there is one. */
    private static final int LARGEST_WINDOW = 10;

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
        return start(trial, simulation, more, (tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {});
    }

    /**
     * Starts a service at 100 Hz with checksums.
     *
     * @param more     what else to set, but for the listener
     * @param listener who else is told of every tick
     */
    public static WatchedService start(
            Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more, TickListener listener) {
        return new WatchedService(trial, simulation, more, listener);
    }

    private WatchedService(
            Trial trial, Simulation simulation, UnaryOperator<PhysicsServiceBuilder> more, TickListener listener) {
        this.trial = trial;
        ticks = new Ticks(trial, listener);
        service = more.apply(PhysicsService.builder(simulation).checksums(true).listener(ticks))
                .start();
    }

    /** The service. */
    public PhysicsService service() {
        return service;
    }

    /** Goes on after a failure, see {@link PhysicsService#restart}. */
    public void restart(Simulation simulation) {
        ticks.ofSimulation = 0; // the thread that counted has failed, and the next is not there yet
        service.restart(simulation);
    }

    /**
     * The newest tick whose publish is complete: what a window asked for from now on must hold. Not before there are windows of the
     * simulation that ticked it. Any thread.
     */
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

    /** See {@link #end}. */
    @Override
    public void close() {
        end();
    }

    /**
     * Ends the service, once, and checks that each deadline was met or given up.
     *
     * @throws IllegalStateException if it has failed and was not restarted
     */
    public void end() {
        if (closed) {
            return;
        }
        closed = true;
        readers.forEach(CheckedFrames::close);
        service.close();
        if (trial.checks(Promise.ACCOUNTED)) {
            checkDeadlines();
        }
        trial.figure(Figure.info(FIGURES.get(0), service.timeFactor(), ""));
        trial.figure(
                Figure.graded(FIGURES.get(1), ticks.lateness.summary().p99(), "us", GOOD_MICROS, FAIR_MICROS, ADVICE));
        service.failure().ifPresent(cause -> {
            throw new IllegalStateException("the service failed: " + cause, cause);
        });
    }

    private void checkDeadlines() {
        // What became due while the last tick ran, after the service was closed, is given up or not, as the policy
        // says.
        long least = dueUntil(service.closedAtNanos());
        long most = Math.max(least, dueUntil(ticks.lastNanos));
        long met = ticks.count + (trial.isPlanted(Promise.ACCOUNTED) ? 5 + most - least : 0);
        long givenUp = service.givenUpTicks();
        trial.check(Promise.ACCOUNTED)
                .that(
                        met + givenUp >= least - 1 && met + givenUp <= most + 1,
                        () -> met + " ticks and " + givenUp + " given up are not the " + least + " to " + most
                                + " that were due");
    }

    private long dueUntil(long nanos) {
        return service.rate().tickAt(nanos - service.startedAtNanos());
    }

    /** Measures on the physics thread. */
    private static final class Ticks implements TickListener {

        private final Trial trial;
        private final TickListener listener;
        private final Distribution lateness;
        private final Distribution publishDelay;
        private final Series latenessOverTime;

        // Release, after the tick was published; its partner is published(): who sees the number sees the snapshot.
        private final AtomicLong published = new AtomicLong();

        private long count;
        private long ofSimulation;
        private long firstDueNanos;
        private long lastNanos;

        Ticks(Trial trial, TickListener listener) {
            this.trial = trial;
            this.listener = listener;
            lateness = trial.distribution(DURATIONS.get(0));
            publishDelay = trial.distribution(DURATIONS.get(1));
            latenessOverTime = trial.timeLine("tick lateness, us");
        }

        @Override
        public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
            if (++ofSimulation >= LARGEST_WINDOW) {
                published.setRelease(tick);
            }
            if (count++ == 0) {
                firstDueNanos = dueNanos;
            }
            lastNanos = publishedNanos;
            lateness.record(startedNanos - dueNanos);
            publishDelay.record(publishedNanos - dueNanos);
            latenessOverTime.add((dueNanos - firstDueNanos) / 1e9, (startedNanos - dueNanos) / 1e3);
            checkTick(tick, startedNanos - dueNanos);
            listener.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
        }

        private void checkTick(long tick, long latenessNanos) {
            if (trial.checks(Promise.NUMBERED)) {
                long number = trial.isPlanted(Promise.NUMBERED) ? 2 * tick : tick;
                trial.check(Promise.NUMBERED)
                        .that(number == count, () -> "tick " + number + " where " + count + " was to come");
            }
            if (trial.checks(Promise.NEVER_EARLY)) {
                long lateNanos = trial.isPlanted(Promise.NEVER_EARLY) ? -1 - latenessNanos : latenessNanos;
                trial.check(Promise.NEVER_EARLY)
                        .that(
                                lateNanos >= 0,
                                () -> "tick " + tick + " started " + -lateNanos + " ns before it was due");
            }
        }
    }
}
