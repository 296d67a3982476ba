package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A service of predictable worlds and two devices in whose every call a fault may strike, last: what it has done until then counts. */
final class FaultyService {

    static final int BODIES = 8;
    static final int READERS = 3;

    private static final int WINDOW_SIZE = 3;
    private static final long TICK_HZ = 1000;
    private static final long WATCHDOG_MILLIS = 200;
    private static final int INPUTS = 1024;
    private static final int COMMANDS = 16;

    /** What only a device offers that was abandoned in its poll and has come back. */
    private static final InputKind ABANDONED = InputKind.KEY_DOWN;

    final FaultSites sites;
    final InputLedger inputs;

    /** The newest tick whose publish is complete, where there are windows of its simulation. Any thread may raise it, by release. */
    final AtomicLong published = new AtomicLong();

    final PhysicsService service;

    /** All simulations so far. */
    final List<PredictableWorld> lives = new CopyOnWriteArrayList<>();

    private final Check unheard;
    private final List<Device> devices;

    // Volatile: set by any thread, read by the one that polls; nothing else is ordered by it.
    private volatile boolean silent;

    FaultyService(Trial trial, FaultSites sites) {
        this.sites = sites;
        unheard = trial.check(Promise.ABANDONED_UNHEARD);
        inputs = new InputLedger(3, true, () -> InputFault.plantedIn(trial));
        devices = List.of(new Device(inputs.producer(1)), new Device(inputs.producer(2)));
        Life first = new Life();
        lives.add(first);
        service = PhysicsService.builder(first)
                .onFailure(failure -> {}) // every run has one
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
                .listener((tick, due, started, stepped, publishedNanos) -> sites.at(Site.LISTENER))
                .build();
    }

    /** Restarts it, whether or not it is the time for it. */
    void restart() {
        Life next = new Life();
        try {
            service.restart(next);
            lives.add(next);
        } catch (IllegalStateException refused) {
            // another thread was faster, or it is not to be restarted: the caller sees it
        }
    }

    /** Lets devices offer nothing any more. */
    void silenceDevices() {
        silent = true;
    }

    /** Checks that each simulation and each device was closed, or is by a thread that comes back now. After the service was closed. */
    void checkEnd(Trial trial) {
        lives.forEach(life -> life.checkEnd(trial));
        devices.forEach(device -> device.closings.checkOnce(trial, "a source of input"));
    }

    /** One simulation after the other. */
    private final class Life extends PredictableWorld {

        private long ticks;

        Life() {
            super(BODIES, inputs::arrive);
        }

        @Override
        public void begin() {
            sites.at(Site.BEGIN);
        }

        @Override
        public void step(Tick tick) {
            if (++ticks > WINDOW_SIZE) { // there is a window of it; the tick before was published
                published.accumulateAndGet(tick.number() - 1, Math::max);
            }
            for (int i = 0; i < tick.input().size(); i++) {
                InputEvent event = tick.input().event(i);
                unheard.that(
                        event.kind() != ABANDONED,
                        () -> "a device that was abandoned in its poll is heard when it comes back");
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

    /** Offers a numbered event whenever it is polled. */
    private final class Device implements InputSource {

        private final NumberedProducer producer;
        private final Closings closings = new Closings();

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
