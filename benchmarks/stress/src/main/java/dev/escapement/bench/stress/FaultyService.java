package dev.escapement.bench.stress;

import dev.escapement.bench.stress.FaultPlan.Site;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A service of a predictable world and a device. A fault may strike at the end of each of their calls, after its effect. Two threads use
 * it as a game does, about once a tick: one reads, the other gives commands and input and visits events.
 */
final class FaultyService {

    private static final int BODIES = 8;
    static final int READERS = 3;

    private static final int WINDOW_SIZE = 3;
    private static final long TICK_HZ = 1000;
    private static final long WATCHDOG_MILLIS = 200;
    private static final int INPUTS = 1024;
    private static final int COMMANDS = 16;
    private static final long ROUND_NANOS = 1_000_000;
    private static final int FLOOD = 64;
    private static final long THREAD_END_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The code of events that a device offers after it was abandoned in its poll and has come back. */
    private static final InputKind ABANDONED = InputKind.KEY_DOWN;

    final FaultSites sites;
    final InputLedger inputs;

    /** The newest tick whose publish is complete, once there are windows. Written by the physics thread, by release. */
    final AtomicLong published = new AtomicLong();

    final PhysicsService service;
    private final World world;
    private final Check unheard;
    private final Device device = new Device();

    final CommandLedger commands;
    private final InputLedger.Producer producer;
    private final EventStream events;
    private final Trial trial;
    private final SnapshotReader reader;
    private final WindowCheck windows;

    // The bodies that events have reported. One thread at a time.
    private final Set<Long> bodies = new HashSet<>();
    private boolean missed;

    /** The number of the next command. The using thread, or a thread that has joined it. */
    private long nextCommand;

    /** Ends its thread, as an uncaught error does, without closing anything. */
    static final class Leave extends Error {
        private static final long serialVersionUID = 1;
    }

    FaultyService(Trial trial, FaultSites sites, long firstTick) {
        this.trial = trial;
        this.sites = sites;
        unheard = trial.check(Promise.ABANDONED_UNHEARD);
        inputs = new InputLedger(1, trial::isPlanted);
        world = new World();
        service = PhysicsService.builder(world)
                .firstTick(firstTick)
                .onFailure(failure -> {}) // expected in every run
                .rate(TickRate.hertz(TICK_HZ))
                .windowSize(WINDOW_SIZE)
                .maxReaders(READERS)
                .inputCapacity(INPUTS)
                .commands(COMMANDS, COMMANDS)
                .checksums(true)
                .watchdog(WATCHDOG_MILLIS)
                .source(device)
                .pausedInput((event, state) -> inputs.arrive(event))
                .with(new TickHook() {
                    @Override
                    public void published(TickTimes times) {
                        sites.at(Site.LISTENER);
                    }
                })
                .build();
        producer = inputs.producer(0);
        commands = new CommandLedger(trial, 2, sites::isPlanted);
        events = service.events(1 << 12);
        reader = service.newReader();
        windows = new WindowCheck(trial);
    }

    /** Checks that the world and the device were closed once, by a thread that ends. After the service was closed or has failed. */
    void checkEnd() {
        for (Queue<Thread> closers : List.of(world.closers, device.closers)) {
            Polling.await(() -> !closers.isEmpty());
            trial.check(
                    Promise.CLOSED_ONCE,
                    closers.size() == 1,
                    () -> "the world or a source of input was closed " + closers.size() + " times");
            trial.check(
                    Promise.THREADS_END,
                    closers.stream().allMatch(closer -> ThreadEnd.await(closer, THREAD_END_NANOS)),
                    () -> "the thread that ticked is still there: " + closers);
        }
    }

    /** Starts the threads that use the running service. Closing them throws exceptions that the library must not have thrown. */
    Worker startUsers() {
        return Worker.start(2, "stress-user", (self, index) -> {
            try {
                if (index == 0) {
                    read(self);
                } else {
                    use(self);
                }
            } catch (Leave left) {
                // the thread ends without closing anything
            }
        });
    }

    private void read(Worker self) {
        while (self.isRunning()) {
            take();
            sites.at(Site.READ);
            LockSupport.parkNanos(ROUND_NANOS);
        }
        reader.close();
    }

    /** Checks the window that the reader holds, after its last use, and acquires the next one. */
    private void take() {
        if (reader.hasWindow()) {
            Window window = reader.window();
            windows.plant(window);
            if (trial.isPlanted(Promise.AS_SIMULATED)) {
                window.newest().poses().block(0).px[0] = Float.NaN;
            }
            windows.check(window);
            for (int i = 0; i < window.size(); i++) {
                Snapshot snapshot = window.snapshot(i);
                trial.check(Promise.AS_SIMULATED)
                        .that(World.isAsSimulated(snapshot), () -> snapshot + " has another pose");
            }
        }
        windows.acquire(reader, published.get());
    }

    private void use(Worker self) {
        while (self.isRunning()) {
            if (service.state() == ServiceState.RUNNING) {
                producer.offer(service.input());
            }
            give();
            drain();
            sites.at(Site.USE);
            LockSupport.parkNanos(ROUND_NANOS);
        }
    }

    void give() {
        long number = nextCommand++;
        follow(0, number, service.command(tick -> run(Site.COMMAND, 0, number, tick)));
        follow(1, number, service.query(tick -> run(Site.QUERY, 1, number, tick)));
    }

    void flood() {
        for (int i = 0; i < FLOOD; i++) {
            give();
        }
    }

    private long run(Site site, int lane, long number, long tick) {
        sites.at(site);
        if (sites.cameBack()) {
            throw new IllegalArgumentException("a command that hung came back");
        }
        return commands.run(lane, number, tick);
    }

    private void follow(int lane, long number, CompletableFuture<Answer<Long>> future) {
        commands.follow(lane, number, future);
        CompletableFuture<?> unused = future.whenComplete((answer, thrown) -> sites.at(Site.ANSWER));
    }

    private void drain() {
        try {
            events.drain(this::hear);
        } catch (IllegalArgumentException | OutOfMemoryError thrown) {
            if (!sites.isPlanted(thrown)) {
                throw thrown;
            }
        }
    }

    void closeReader() {
        reader.close();
    }

    private void hear(BodyEvent event) {
        long id = event.body();
        switch (event.kind()) {
            case SPAWNED -> bodies.add(id);
            case DESPAWNED -> bodies.remove(id);
            case GAP -> missed = true;
            default -> {
                // contacts
            }
        }
        sites.at(Site.VISIT); // last: the event counts, also if this throws
    }

    /** Checks that events have reported each body, unless one is counted as missed, or the thread was abandoned while publishing them. */
    void checkBodies() {
        drain();
        trial.check(
                Promise.LIFECYCLE_REPORTED,
                missed || sites.haveHung(Site.EVENTS) || service.failure().isPresent() || bodies.size() == BODIES,
                () -> bodies.size() + " bodies exist by the events, but there are " + BODIES);
    }

    /** Computes everything from the number of its tick, so that any thread can check a snapshot of it. */
    private final class World implements Simulation {

        private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();
        private long ticks;
        private long tick;

        @Override
        public void begin() {
            sites.at(Site.BEGIN);
        }

        @Override
        public void step(Tick next) {
            if (++ticks > WINDOW_SIZE) { // there is a window; the previous tick was published
                published.setRelease(next.number() - 1);
            }
            for (int i = 0; i < next.input().size(); i++) {
                InputEvent event = next.input().event(i);
                unheard.that(
                        event.kind() != ABANDONED,
                        () -> "the input of a device that was abandoned in its poll arrives when it comes back");
            }
            tick = next.number();
            inputs.arrive(next);
            sites.at(Site.STEP);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                float place = place(tick, body);
                poses.set(body, place, place + 1, 0, 0, 0, 0, 1);
            }
            sites.at(Site.CAPTURE);
        }

        static boolean isAsSimulated(Snapshot snapshot) {
            PoseBlock block = snapshot.poses().block(0);
            boolean same = snapshot.poses().slotCount() == BODIES;
            for (int body = 0; same && body < BODIES; body++) {
                float place = place(snapshot.tick(), body);
                same = block.px[body] == place && block.py[body] == place + 1 && block.qw[body] == 1;
            }
            return same;
        }

        /** Returns a place that is small enough for a float to hold it exactly. */
        private static float place(long tick, int body) {
            return (tick * BODIES + body) & 0xFFFF;
        }

        @Override
        public void events(EventWriter events) {
            events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            sites.at(Site.EVENTS);
        }

        @Override
        public void close() {
            closers.add(Thread.currentThread());
            sites.at(Site.END);
        }
    }

    /** Offers an event if it comes back from a hang. */
    private final class Device implements InputSource {

        private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();

        @Override
        public void poll(InputRing ring) {
            sites.at(Site.POLL);
            if (sites.cameBack()) {
                ring.offer(System.nanoTime(), ABANDONED, 1, 0, 0);
            }
        }

        @Override
        public void close() {
            closers.add(Thread.currentThread());
            sites.at(Site.DEVICE_END);
        }
    }
}
