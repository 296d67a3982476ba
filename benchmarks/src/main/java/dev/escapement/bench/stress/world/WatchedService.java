package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickListener;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
    public static final List<String> DURATIONS = WatchedTicks.DURATIONS;

    private static final long LOOK_NANOS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int FEWEST = 10;

    private static final double GOOD_MICROS = 200;
    private static final double FAIR_MICROS = 2_000;
    private static final String ADVICE =
            "leave a core to the physics thread (taskset, chrt), and see 'machine' for what delays its wake-up";

    private final Trial trial;
    private final WatchedTicks ticks;
    private final PhysicsService service;
    private final MemoryWatch memory;
    private final List<Frames> frames = new ArrayList<>();
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
        ticks = new WatchedTicks(trial, listener);
        service = more.apply(PhysicsService.builder(simulation).checksums(true).listener(ticks))
                .start();
        memory = new MemoryWatch(trial);
    }

    /** The service. */
    public PhysicsService service() {
        return service;
    }

    /** Goes on after a failure, see {@link PhysicsService#restart}. */
    public void restart(Simulation simulation) {
        ticks.restart();
        service.restart(simulation);
    }

    /**
     * The newest tick whose publish is complete: what a window asked for from now on must hold. Not before there are windows of the
     * simulation that ticked it. Any thread.
     */
    public long published() {
        return ticks.published();
    }

    /**
     * Lets a thread take windows, a frame each, and check all that they say, until this is closed.
     *
     * @param expected what bodies have to look like
     * @param fps      frames per second
     */
    public void readBy(Expectation expected, long fps) {
        readBy(expected, fps, window -> {});
    }

    /**
     * Lets a thread take windows as the other method does, and look at each once more.
     *
     * @param inspection what else it looks at
     */
    public void readBy(Expectation expected, long fps, WindowInspection inspection) {
        SnapshotReader reader = service.newReader();
        CheckingReader checking = new CheckingReader(trial, this::published, reader, expected, inspection);
        frames.add(new Frames(fps, checking::take, reader::close));
    }

    /**
     * Lets a thread look at the world as it is drawn, a frame each, until this is closed.
     *
     * @param look is given the view of each frame that has something to show, on that thread
     * @param fps  frames per second
     */
    public void drawBy(Consumer<FrameView> look, long fps) {
        FrameView view = FrameView.of(service.newReader());
        frames.add(new Frames(fps, () -> draw(view, look), view::close));
    }

    private static boolean draw(FrameView view, Consumer<FrameView> look) {
        if (!view.advance(System.nanoTime())) {
            return false;
        }
        look.accept(view);
        return true;
    }

    /** Waits until the trial's time is over and enough was seen to tell anything, or the service has ended. */
    public void awaitEnd() {
        long giveUpNanos = System.nanoTime() + PATIENCE_NANOS;
        while ((trial.goesOn() || !(hasSeenEnough() || System.nanoTime() - giveUpNanos > 0))
                && service.state() == ServiceState.RUNNING) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** A machine that is busy with something else may need seconds for what takes a moment. */
    private boolean hasSeenEnough() {
        return published() >= FEWEST && frames.stream().allMatch(frame -> frame.hasSeen(FEWEST));
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
        try {
            memory.close();
            frames.forEach(Frames::close);
        } finally {
            service.close();
        }
        if (trial.checks(Promise.ACCOUNTED)) {
            checkDeadlines();
        }
        trial.figure(Figure.info(FIGURES.get(0), service.timeFactor(), ""));
        double lateMicros = ticks.latenessMicros().p99();
        trial.figure(
                trial.delaysTicks()
                        ? Figure.info(FIGURES.get(1), lateMicros, "us")
                        : Figure.graded(FIGURES.get(1), lateMicros, "us", GOOD_MICROS, FAIR_MICROS, ADVICE));
        service.failure().ifPresent(cause -> {
            throw new IllegalStateException("the service failed: " + cause, cause);
        });
    }

    private void checkDeadlines() {
        // What became due while the last tick ran, after the service was closed, is given up or not, as the policy
        // says.
        long least = deadlinesUntil(service.closedAtNanos());
        long most = Math.max(least, deadlinesUntil(ticks.lastNanos()));
        long met = ticks.count() + (trial.isPlanted(Promise.ACCOUNTED) ? 5 + most - least : 0);
        long givenUp = service.givenUpTicks();
        trial.check(Promise.ACCOUNTED)
                .that(
                        met + givenUp >= least - 1 && met + givenUp <= most + 1,
                        () -> met + " ticks and " + givenUp + " given up are not the " + least + " to " + most
                                + " that were due");
    }

    /** How many deadlines there were from the start until an instant. */
    long deadlinesUntil(long nanos) {
        return service.rate().tickAt(nanos - service.startedAtNanos());
    }
}
