package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.NumberedProducer;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A service of a predictable world and two devices. A fault may strike at the end of each of their calls, after its effect. Two threads use
 * it as a game does, about once a tick: one reads, the other gives commands and input and visits events.
 */
final class FaultyService {

    static final int BODIES = 8;
    static final int READERS = 3;

    private static final int WINDOW_SIZE = 3;
    private static final long TICK_HZ = 1000;
    private static final long WATCHDOG_MILLIS = 200;
    private static final int INPUTS = 1024;
    private static final int COMMANDS = 16;
    private static final long ROUND_NANOS = 1_000_000;
    private static final int FLOOD = 64;

    /** The code of events that a device offers after it was abandoned in its poll and has come back. */
    private static final InputKind ABANDONED = InputKind.KEY_DOWN;

    final FaultSites sites;
    final InputLedger inputs;

    /** The newest tick whose publish is complete, once there are windows. Written by the physics thread, by release. */
    final AtomicLong published = new AtomicLong();

    final PhysicsService service;
    private final World world;
    private final Check unheard;
    private final List<Device> devices;

    // Volatile: set by any thread, read by the one that polls; nothing else is ordered by it.
    private volatile boolean silent;

    final CommandLedger commands;
    private final NumberedProducer producer;
    private final EventStream events;
    private final CheckingReader reader;

    // What events have reported. One thread at a time.
    private final Check reported;
    private final Set<Long> bodies = new HashSet<>();
    private boolean missed;

    /** The number of the next command. The using thread, or a thread that has joined it. */
    private long nextCommand;

    /** Ends its thread, as an uncaught error does, without closing anything. */
    static final class Leave extends Error {
        private static final long serialVersionUID = 1;
    }

    FaultyService(Trial trial, FaultSites sites, long firstTick) {
        this.sites = sites;
        unheard = trial.check(Promise.ABANDONED_UNHEARD);
        inputs = new InputLedger(3, trial::isPlanted);
        devices = List.of(new Device(inputs.producer(1)), new Device(inputs.producer(2)));
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
                .source(devices.get(0))
                .source(devices.get(1))
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
        reported = trial.check(Promise.LIFECYCLE_REPORTED);
        events = service.events(1 << 12);
        reader = new CheckingReader(trial, published::get, service.newReader(), new PredictableWorld(BODIES));
    }

    /** Devices offer nothing from now on. */
    void silenceDevices() {
        silent = true;
    }

    /**
     * Checks that the simulation and each device was closed, at the latest by a thread that comes back now. After the service was closed.
     */
    void checkEnd(Trial trial) {
        world.checkEnd(trial);
        devices.forEach(device -> device.closings.checkOnce(trial, "a source of input"));
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
            reader.take();
            sites.at(Site.READ);
            LockSupport.parkNanos(ROUND_NANOS);
        }
        reader.close();
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

    /** Gives a command and a query. */
    void give() {
        long number = nextCommand++;
        follow(0, number, service.command(tick -> run(Site.COMMAND, 0, number, tick)));
        follow(1, number, service.query(tick -> run(Site.QUERY, 1, number, tick)));
    }

    /** Gives more commands than the queue has room for. */
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

    /** Visits events. */
    void drain() {
        try {
            events.drain(this::hear);
        } catch (IllegalArgumentException | StackOverflowError thrown) {
            if (!sites.isPlanted(thrown)) {
                throw thrown;
            }
        }
    }

    /** Closes the reader, which its thread may have left open. After the end. */
    void closeReader() {
        reader.close();
    }

    /** Notes a spawned or despawned body: {@link Promise#LIFECYCLE_REPORTED}. */
    private void hear(BodyEvent event) {
        long id = event.body();
        switch (event.kind()) {
            case SPAWNED -> report(bodies.add(id), id, "was spawned twice");
            case DESPAWNED -> report(bodies.remove(id), id, "was despawned but not spawned");
            case GAP -> missed = true;
            default -> {
                // contacts
            }
        }
        sites.at(Site.VISIT); // last: the event counts, also if this throws
    }

    private void report(boolean right, long id, String what) {
        reported.that(right || isForgiven(), () -> BodyId.toString(id) + " " + what);
    }

    /** Whether a missed body is accounted for: counted, or the service's thread was abandoned while publishing events. */
    boolean isForgiven() {
        return missed || sites.haveHung(Site.EVENTS);
    }

    /** How many bodies there are, by the events. */
    int knownBodies() {
        return bodies.size();
    }

    private final class World extends PredictableWorld {

        private long ticks;

        World() {
            super(BODIES, inputs::arrive);
        }

        @Override
        public void begin() {
            sites.at(Site.BEGIN);
        }

        @Override
        public void step(Tick tick) {
            if (++ticks > WINDOW_SIZE) { // there is a window; the previous tick was published
                published.setRelease(tick.number() - 1);
            }
            for (int i = 0; i < tick.input().size(); i++) {
                InputEvent event = tick.input().event(i);
                unheard.that(
                        event.kind() != ABANDONED,
                        () -> "the input of a device that was abandoned in its poll arrives when it comes back");
            }
            super.step(tick);
            sites.at(Site.STEP);
        }

        @Override
        void capture(long now, PoseWriter poses) {
            super.capture(now, poses);
            sites.at(Site.CAPTURE);
        }

        @Override
        public void events(EventWriter events) {
            events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            sites.at(Site.EVENTS);
        }

        @Override
        public void close() {
            super.close();
            sites.at(Site.END);
        }
    }

    /** Offers a numbered event in each poll. */
    private final class Device implements InputSource {

        private final NumberedProducer producer;
        private final PredictableWorld.Closings closings = new PredictableWorld.Closings();

        Device(NumberedProducer producer) {
            this.producer = producer;
        }

        @Override
        public void poll(InputRing ring) {
            sites.at(Site.POLL);
            if (sites.cameBack()) {
                ring.offer(System.nanoTime(), ABANDONED, 1, 0, 0);
            } else if (!silent) {
                producer.offer(ring);
            }
        }

        @Override
        public void close() {
            closings.add();
            sites.at(Site.DEVICE_END);
        }
    }
}
