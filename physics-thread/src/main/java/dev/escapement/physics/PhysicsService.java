package dev.escapement.physics;

import dev.escapement.physics.lifecycle.Lifecycle;
import dev.escapement.physics.lifecycle.OwnThread;
import dev.escapement.physics.lifecycle.UnclosedService;
import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.NanoClock;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A dedicated thread that ticks a {@link Simulation} at an exact rate and publishes its snapshots.
 *
 * <pre>{@code
 * try (PhysicsService physics = PhysicsService.builder(simulation)
 *         .rate(TickRate.hertz(100))
 *         .start()) {
 *     SnapshotReader reader = physics.newReader();
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any thread may call any method. The physics thread calls the simulation; {@link Simulation} lists the calls that come
 * from other threads.
 *
 * <p><b>Failure.</b> When the simulation, a hook, a device, the listener of paused input or the source of the ticks throws on the physics
 * thread, ticking ends, {@link #state()} is FAILED and {@link #failure()} is the cause; it is logged once, or passed to {@link
 * PhysicsServiceBuilder#onFailure}. The last good window stays readable, and waiting commands fail with an exception that has that cause. A
 * service that has failed never ticks again: start over with a new one, from {@link PhysicsServiceBuilder#firstTick the tick} after {@link
 * #lastPublishedTick()}. If a command throws, only its own future fails, and ticking continues. What does not end ticking is logged in one
 * line each: the first command and the first query that threw, the first pose that was not finite, the first input that came too late, a
 * tick that blocks for more than a second, and slow motion that lasts for two.
 *
 * <p><b>Slow ticks.</b> {@link LateTicks} says what happens when ticks take too long. By default simulated time slows down; time that ticks
 * cannot catch up with is skipped and counted. Tick numbers stay consecutive.
 */
public final class PhysicsService extends TickingWorld {

    /** Serialises start, newReader and close, so that each sees the others as done or not begun. */
    private final Object lock = new Object();

    private final Lifecycle life;
    private volatile long startedAtNanos;
    private boolean closed;
    private @Nullable UnclosedService unclosed;

    PhysicsService(Settings settings) {
        this(settings, NanoClock.system());
    }

    /** Creates a service whose ticks and watchdog follow a clock, which a test may move. */
    PhysicsService(Settings settings, NanoClock clock) {
        super(new TickLoop(settings, clock, new AnswerThread(Thread::new)));
        life = new Lifecycle(loop, OwnThread::new);
    }

    PhysicsService(Settings settings, TickHost.Admission admission) {
        super(new TickLoop(settings, admission.clock(), admission.answers()));
        life = new Lifecycle(loop, admission::connect);
    }

    /**
     * Creates a builder of a service.
     *
     * @param simulation what to tick; the service closes it
     * @return a builder with the defaults: 100 Hz, windows of 3 snapshots, 4 readers
     */
    public static PhysicsServiceBuilder builder(Simulation simulation) {
        return new PhysicsServiceBuilder(
                Objects.requireNonNull(simulation, "simulation must not be null; pass what ticks"));
    }

    /**
     * Starts a service with the defaults of {@link #builder}.
     *
     * @param simulation what to tick; the service closes it
     * @return the running service
     */
    public static PhysicsService start(Simulation simulation) {
        return builder(simulation).start();
    }

    /**
     * Starts simulated time and the physics thread. The first tick is due one period from now; input, commands and requests from before the
     * start belong to that tick. Waits until {@link Simulation#begin()} has returned, at most 1 s.
     *
     * @return this
     * @throws IllegalStateException if it was started or closed before, or another service ticks its simulation; in the latter case this
     *                               service has FAILED, and the simulation stays open
     * @throws OutOfMemoryError      if the process cannot start more threads; the service has FAILED and its simulation was closed
     */
    public PhysicsService start() {
        synchronized (lock) {
            if (state() != ServiceState.NEW) {
                throw new IllegalStateException("this service was started before, it is " + state());
            }
            startedAtNanos = life.startNanos(); // first: the simulation may ask for it in begin()
            life.start(startedAtNanos);
            unclosed = loop.settings.sharesThread()
                    ? null // no warning for this service: closing its host closes it, too
                    : UnclosedService.watch(loop.settings.title() + " of "
                            + loop.simulation.getClass().getName());
        }
        life.awaitBegun(); // without the lock, because begin() runs on another thread, and may call this service
        return this;
    }

    /** Starts the service. If that throws, closes it, because no caller has a reference to it yet. */
    PhysicsService startOrClose() {
        try {
            return start();
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
    }

    /** {@return the state of the service} */
    public ServiceState state() {
        return life.state();
    }

    /**
     * {@return the cause of the failure; empty if there is none} The cause is known some time before the state is FAILED, because the
     * simulation is closed in between.
     */
    @Override
    public Optional<Throwable> failure() {
        return life.failure.cause();
    }

    /**
     * {@return the instant of the clock at which {@link #start()} started simulated time; 0 before the start} The n-th tick was due n
     * periods later, plus pauses and skipped time.
     */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * {@return the number of the last tick that was published; before the first, one less than {@link PhysicsServiceBuilder#firstTick}} A
     * reader that acquires after this call sees that tick or a later one, once there is a window.
     */
    public long lastPublishedTick() {
        return loop.lastPublishedTick();
    }

    @Override
    public SnapshotReader newReader() {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException(
                        "this service was closed: no reader can be attached any more; those that are stay readable");
            }
            return loop.exchange.attach();
        }
    }

    @Override
    public boolean hasEnded() {
        ServiceState now = life.state();
        return now == ServiceState.FAILED || now == ServiceState.CLOSED;
    }

    @Override
    public double realTimeFactor() {
        return life.isFailing() ? Double.NaN : super.realTimeFactor();
    }

    /**
     * Ends ticking and closes the simulation and the devices. Idempotent. Waits for the current tick, at most about 5 seconds. A simulation
     * or device that hangs longer is abandoned with its daemon thread, and the service has FAILED; other threads then end the devices and
     * hooks, in at most 4 more seconds. On the physics thread this returns immediately: the current tick is the last one, and another
     * thread waits for it and for the close, with the same limit. A thread that hangs where none can abandon it, as in a clock, is logged.
     * Input that no tick has taken stays {@linkplain #pendingInputs() pending}.
     */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            if (unclosed != null) {
                unclosed.closed();
            }
            life.cancel();
            loop.input.close();
            if (state() == ServiceState.NEW) {
                life.start(life.startNanos()); // only to close the simulation, which must happen on the physics thread
            }
        }
        life.awaitEnd();
    }

    @Override
    public String toString() {
        return "PhysicsService[" + state() + ", "
                + loop.simulation.getClass().getName() + " at " + rate() + ", " + skippedTicks()
                + " ticks skipped, " + stats() + "]";
    }
}
