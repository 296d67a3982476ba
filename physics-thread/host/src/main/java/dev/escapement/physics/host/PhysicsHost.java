package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.slice.HostedTicks;
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
 * Ticks many worlds on few threads. Each is a {@link PhysicsService} in everything but its thread.
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
 * differ, and the phases of worlds are spread. A world that is late where it is moves to a thread that has time, if its simulation is
 * {@linkplain dev.escapement.physics.simulation.Movable movable}; all others stay on the thread that has begun them.
 *
 * <p><b>Isolation.</b> Each world has a part of the threads, by its weight; what it does not need is for the others. One that needs more
 * gets slower alone, by its own {@linkplain PhysicsServiceBuilder#lateTicks policy}, comes behind the others, and never has the last
 * thread; with one thread all wait for a tick that takes long. A world that throws fails alone; its {@linkplain
 * PhysicsServiceBuilder#onFailure handler} may add another in its place, from {@link PhysicsServiceBuilder#firstTick}. One that hangs loses
 * its thread, if there is a {@linkplain HostBuilder#watchdog watchdog}: the thread is replaced, the worlds that it has begun and that
 * cannot move fail with that reason, and all others continue.
 *
 * <p><b>Lock step.</b> With {@link HostBuilder#lockStep} time stands still between calls of {@link #tickAll()}, each of which lets all
 * worlds tick once, in parallel; at another speed of time, as often as that says. A world that is added meanwhile takes part from the next
 * call on.
 *
 * <p><b>Threads.</b> Any thread may call any method, also one that ticks a world. A tick must not wait for another world: the same thread
 * may have to tick that. One thread completes the futures of all worlds; where callbacks block it, more do, up to
 * seven, and from then on in any order.
 */
public final class PhysicsHost implements AutoCloseable {

    private static final double MAX_WEIGHT = 1e6;

    private final Crew crew;
    private final HostWatch watch;

    /** Held by the thread that steps all worlds. */
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
     * Adds a world of weight 1 and starts it, as {@link PhysicsServiceBuilder#start()} does.
     *
     * @param builder what to tick; its name must be the only one in this host, and if it has none, it gets one
     * @return the running service; closing it takes it out of the host
     * @throws IllegalArgumentException if the name is taken, another world has the simulation, a policy of threads was given, or the rate
     *                                  is not the lock step's; or as {@link PhysicsServiceBuilder#build()}
     * @throws IllegalStateException    if this host was closed
     */
    public PhysicsService add(PhysicsServiceBuilder builder) {
        return add(builder, 1);
    }

    /**
     * Adds a world with a weight of its own.
     *
     * @param builder as {@link #add(PhysicsServiceBuilder)}
     * @param weight  its part of the threads, beside the weights of the other worlds: 4 is as much as four of weight 1; above 0
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
                    adding.seat().endUnlessStarted(); // no thread will run its last slice
                }
                FirstFailure.closeReporting(service, thrown::addSuppressed);
                throw thrown;
            }
        } finally {
            adding.end();
        }
    }

    /** Makes the place of one world. */
    private static final class Adding implements TickHost.Places {

        private final Crew crew;
        private final HostWatch watch;
        private final double weight;

        @SuppressWarnings("NullAway.Init") // by place()
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
            return crew.answers::execute; // shared by all worlds: it does not end with one of them
        }

        @Override
        public TickHost place(HostedTicks ticks) {
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
     * @param name its name
     * @return its service; empty if there is none, or if it has ended
     */
    public Optional<PhysicsService> world(String name) {
        return Optional.ofNullable(crew.find(name)).map(seat -> seat.service);
    }

    /** {@return how the worlds use the threads, the one that needs most first} */
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
     * Lets all worlds tick once, in parallel, and waits for that: no world ticks between two calls. A world whose time stands still does
     * not tick; one that was resumed before does. Two threads that call this step one after the other. Waits as long as a world hangs,
     * unless there is a watchdog, and as long as a command of a world that stands still offers itself again and again.
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
     * Lets all worlds run their waiting commands and queries without a tick, and waits for that. A world in which a command ran is
     * published again, with the same {@link dev.escapement.state.snapshot.Snapshot#simulationTick()}, and so is one that has not ticked:
     * what readers see after a reset is the reset.
     *
     * <pre>{@code
     * ended.forEach(world -> world.command(tick -> reset(world)));
     * host.serveAll();
     * readers.forEach(SnapshotReader::acquire);   // of the new episodes
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
     * Closes all worlds, and then the threads. Idempotent. Waits at most about 5 seconds for each world that hangs; a call beside or after
     * another one waits at most 5 seconds for the end. Called by a tick, it returns immediately, and the threads end after the worlds.
     */
    @Override
    public void close() {
        boolean isFirst = crew.close();
        if (!isFirst) {
            if (!crew.isCaller()) {
                ThreadEnd.await(end, Crew.MAX_END_NANOS); // not for ever: the first one may wait for the caller
            }
            return;
        }
        if (crew.isCaller()) { // it has to end worlds first
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
                close(running); // first: if it hangs, others of its thread wait for it
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
