package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Ticks many worlds on few threads. Each world is a {@link PhysicsService} without a thread of its own.
 *
 * <pre>{@code
 * try (PhysicsHost host = PhysicsHost.builder().threads(2).start()) {
 *     for (Match match : matches) {
 *         PhysicsService world = host.add(PhysicsService.builder(match.simulation()).name(match.name()));
 *         match.play(world.newReader(), world.input());
 *     }
 *     ...
 * }
 * }</pre>
 *
 * <p><b>Order.</b> A thread runs the tick with the earliest deadline first; the deadline of a tick is when the next one is due. Rates may
 * differ, and the phases of worlds are spread. A late world moves to an idle thread if its simulation is {@linkplain
 * dev.escapement.physics.simulation.Movable movable}; all other worlds stay on the thread that has begun them.
 *
 * <p><b>Isolation.</b> Each world has a part of the threads, by its weight; the other worlds get what it does not need. A world that needs
 * more than its part slows down alone, by its own {@linkplain PhysicsServiceBuilder#lateTicks policy}, runs after the other worlds, and
 * never takes the last thread. On a host with one thread all worlds wait for a long tick. A world that throws fails alone; its
 * {@linkplain PhysicsServiceBuilder#onFailure handler} may add another in its place, from {@link PhysicsServiceBuilder#firstTick}. A world
 * that hangs loses its thread, if there is a {@linkplain HostBuilder#watchdog watchdog}: a new thread replaces the lost one. Worlds that
 * the lost thread has begun and that cannot move fail with that reason; all other worlds continue.
 *
 * <p><b>Lock step.</b> With {@link HostBuilder#lockStep} time stands still between calls of {@link #tickAll()}. Each call ticks all worlds
 * once, in parallel; a world at another speed of time ticks as often as its speed says. A world that is added during a call takes part from
 * the next call on.
 *
 * <p><b>Threads.</b> Any thread may call any method, also one that ticks a world. A tick must not wait for another world: the same thread
 * may have to tick that world. One thread completes the futures of all worlds. If callbacks block it, up to seven threads complete them,
 * and from then on in any order.
 */
public final class PhysicsHost implements AutoCloseable {

    private static final double MAX_WEIGHT = 1e6;

    private final Crew crew;
    private final HostWatch watch;

    /** The lock that makes steps of all worlds run one after the other. */
    private final Object steps = new Object();

    /** Reaches zero when the worlds and the threads have ended. */
    private final CountDownLatch end = new CountDownLatch(1);

    PhysicsHost(HostBuilder settings) {
        crew = new Crew(settings);
        watch = new HostWatch(crew);
        try {
            crew.start();
            watch.start();
        } catch (Throwable noMemoryForAThread) {
            crew.stop();
            throw noMemoryForAThread;
        }
    }

    /** {@return a builder of a host, with one thread less than there are cores} */
    public static HostBuilder builder() {
        return new HostBuilder();
    }

    /**
     * Adds a world of weight 1, and starts it like {@link PhysicsServiceBuilder#start()}.
     *
     * @param builder builds the world; its name must be unique in this host, and a world without a name gets one
     * @return the running service; its close removes it from the host
     * @throws IllegalArgumentException if another world has the name or the simulation, if the builder has a thread policy, if the rate is
     *                                  not the lock step's, or as {@link PhysicsServiceBuilder#build()}
     * @throws IllegalStateException    if this host was closed
     */
    public PhysicsService add(PhysicsServiceBuilder builder) {
        return add(builder, 1);
    }

    /**
     * Adds a world with a weight of its own.
     *
     * @param builder as for {@link #add(PhysicsServiceBuilder)}
     * @param weight  the world's part of the threads, above 0; a world of weight 4 has as much as four worlds of weight 1
     * @return the running service
     * @throws IllegalArgumentException if the weight is out of its range; or as {@link #add(PhysicsServiceBuilder)}
     */
    public PhysicsService add(PhysicsServiceBuilder builder, double weight) {
        Objects.requireNonNull(builder, "builder must not be null; pass PhysicsService.builder(simulation)");
        if (!(weight > 0 && weight <= MAX_WEIGHT)) {
            throw new IllegalArgumentException(
                    "a weight must be above 0 and at most 1000000, but is " + weight + "; the default is 1");
        }
        Adding adding = new Adding(crew, watch, weight);
        try {
            PhysicsService service = builder.build(adding);
            adding.seat().service = service;
            try {
                crew.add(adding.seat());
                adding.isThere = true;
                return service.start();
            } catch (Throwable thrown) {
                if (service.state() == ServiceState.FAILED) {
                    adding.seat().endUnlessStarted(); // the seat never started, so no thread runs its last slice
                }
                FirstFailure.closeReporting(service, thrown::addSuppressed);
                throw thrown;
            }
        } finally {
            adding.end();
        }
    }

    /** Creates the seat of one world, while its service is built. */
    private static final class Adding implements TickHost.Admission {

        private final Crew crew;
        private final HostWatch watch;
        private final double weight;

        @SuppressWarnings("NullAway.Init") // set by connect()
        private Seat seat;

        private @Nullable String admitted;
        private @Nullable Object simulation;
        private boolean isThere;

        Adding(Crew crew, HostWatch watch, double weight) {
            this.crew = crew;
            this.watch = watch;
            this.weight = weight;
        }

        Seat seat() {
            return seat;
        }

        void end() {
            if (admitted != null) {
                crew.added(admitted, simulation, isThere);
            }
        }

        @Override
        public String admit(String name, TickRate rate, Object newSimulation) {
            String newName = crew.admit(name, rate, newSimulation);
            admitted = newName;
            simulation = newSimulation;
            return newName;
        }

        @Override
        public NanoClock clock() {
            return crew.clock;
        }

        @Override
        public boolean isStepped() {
            return crew.settings.lockStep != null;
        }

        @Override
        public CommandQueue.Answers answers() {
            return crew.answers::execute; // execute() alone: the end of a world must not end the shared thread
        }

        @Override
        public TickHost connect(SlicedRun ticks) {
            watch.lookAtLeastEvery(ticks.world().watchdogNanos());
            seat = new Seat(crew, ticks, weight);
            seat.simulation = simulation;
            return seat;
        }
    }

    /** {@return the worlds that have not ended} */
    public List<PhysicsService> worlds() {
        return Arrays.stream(crew.all()).map(seat -> seat.service).toList();
    }

    /**
     * Finds a world.
     *
     * @param name the world's name
     * @return the world's service; empty if there is none, or if it has ended
     */
    public Optional<PhysicsService> world(String name) {
        return Optional.ofNullable(crew.find(name)).map(seat -> seat.service);
    }

    /** {@return the loads of all worlds, the highest utilisation first} */
    public List<WorldLoad> loads() {
        return Arrays.stream(crew.all())
                .map(Seat::load)
                .sorted(Comparator.comparingDouble(WorldLoad::utilisation).reversed())
                .toList();
    }

    /** {@return the clock of due times and of input: the system's, or the time of the steps, which begins at 0} */
    public NanoClock clock() {
        return crew.clock;
    }

    /**
     * Ticks all worlds once, in parallel, and waits for them. No world ticks between two calls. A paused world does not tick; one that was
     * resumed before the call does. Calls of two threads run one after the other. Waits as long as a world hangs, unless there is a
     * watchdog, and as long as a command of a paused world adds itself again each time it runs.
     *
     * @throws IllegalStateException if this host does not tick in {@linkplain HostBuilder#lockStep lock step}, if it was closed, or if a
     *                               tick calls this
     */
    public void tickAll() {
        TickRate rate = requireLockStep("tick by tickAll()");
        synchronized (steps) {
            crew.requireOpen("its worlds do not tick any more");
            crew.step(rate);
        }
    }

    /**
     * Runs the waiting commands and queries of all worlds without a tick, and waits for them. A world in which a command ran publishes a
     * snapshot with the same {@link dev.escapement.state.snapshot.Snapshot#simulationTick()}, and so does one that has not ticked yet:
     * after a reset readers see the reset state.
     *
     * <pre>{@code
     * ended.forEach(world -> world.command(tick -> reset(world)));
     * host.serveAll();
     * readers.forEach(SnapshotReader::acquire);   // snapshots of the new episodes
     * }</pre>
     *
     * @throws IllegalStateException as {@link #tickAll()} does
     */
    public void serveAll() {
        requireLockStep("serve requests by serveAll()");
        synchronized (steps) {
            crew.requireOpen("its worlds serve no more requests");
            crew.serve();
        }
    }

    private TickRate requireLockStep(String what) {
        TickRate rate = crew.settings.lockStep;
        if (rate == null) {
            throw new IllegalStateException(
                    "this host ticks by the clock; build it with lockStep(rate) to let worlds " + what);
        }
        if (crew.isCaller()) {
            throw new IllegalStateException("a tick of a world cannot step all worlds, for it is a part of a step");
        }
        return rate;
    }

    /**
     * Closes all worlds, and then the threads. Idempotent. Waits at most about 5 seconds for each world that hangs; a concurrent or later
     * call waits at most 5 seconds for the end. A call from a tick returns immediately, and the threads end after the worlds.
     */
    @Override
    public void close() {
        boolean isFirst = crew.close();
        if (!isFirst) {
            if (!crew.isCaller()) {
                ThreadEnd.await(end, Crew.MAX_END_NANOS); // bounded: the first call may wait for this thread
            }
            return;
        }
        if (crew.isCaller()) { // a worker must run the last slices, so it cannot wait for them
            crew.newThread(this::end, "escapement-host-end").start();
        } else {
            end();
        }
    }

    private void end() {
        crew.awaitAdded();
        for (int slot = 0; slot < crew.slots(); slot++) {
            Seat running = crew.workers.get(slot).running();
            if (running != null) {
                close(running); // running worlds first: if one hangs, the other worlds of its thread wait for it
            }
        }
        for (Seat seat : crew.all()) {
            close(seat);
        }
        for (Seat seat : crew.all()) {
            seat.awaitEnd(Crew.MAX_END_NANOS);
        }
        watch.stop();
        crew.stop();
        end.countDown();
    }

    private static void close(Seat seat) {
        FirstFailure.closeReporting(
                seat.service,
                thrown -> FailureReport.warn(() -> "A world of the host did not close: " + FailureReport.why(thrown)));
    }
}
