package dev.escapement.bench.stress;

import dev.escapement.bench.stress.FaultPlan.Act;
import dev.escapement.bench.stress.FaultPlan.Site;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A service with a predictable world and an input device. The faults of a plan strike at the end of calls, after their effects, and the
 * class checks the promises of the library meanwhile. Two threads use the service as a game does, about once per tick: one reads, the other
 * sends commands and input and drains events. If the service fails, a new one replaces it and the plan continues.
 *
 * <p>One thread runs it.
 */
final class FaultyService {

    private static final int MAX_SUCCESSORS = 6;
    private static final int BODIES = 8;
    private static final int READERS = 3;
    private static final int WINDOW_SIZE = 3;
    private static final long TICK_HZ = 1000;
    private static final long WATCHDOG_MILLIS = 200;
    private static final int INPUTS = 1024;
    private static final int COMMANDS = 16;
    private static final long ROUND_NANOS = 1_000_000;
    private static final int FLOOD = 64;
    private static final int TICKS_TO_SEE = 10;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(120);
    private static final long THREAD_END_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * The kind of the events that the device offers when a poll returns after the service has abandoned it. The world must never receive
     * them.
     */
    private static final InputKind ABANDONED = InputKind.KEY_DOWN;

    private final Trial trial;
    private final FaultSites sites;
    private final InputLedger inputs;
    private final CommandLedger commands;
    private final World world = new World();
    private final Device device = new Device();
    private final PhysicsService service;
    private final EventStream events;
    private final SnapshotReader reader;
    private final WindowCheck windows;

    /**
     * The newest tick whose publish is complete; 0 until there is a whole window. Release: the physics thread writes it after the publish,
     * so that a reader that sees the tick can also acquire it.
     */
    private final AtomicLong published = new AtomicLong();

    // The bodies that exist according to events. Used by one thread at a time.
    private final Set<Long> bodies = new HashSet<>();
    private boolean missed;

    /** The number of the next command. Used by the thread that sends commands, or by a thread that has joined it. */
    private long nextCommand;

    // Volatile: the closing thread writes it before it closes the service. No other data depends on this write.
    private volatile boolean closing;

    private boolean mustFail;

    /** Ends a thread as an uncaught error does, without closing anything. */
    private static final class Leave extends Error {
        private static final long serialVersionUID = 1;
    }

    private FaultyService(Trial trial, FaultSites sites, long firstTick) {
        this.trial = trial;
        this.sites = sites;
        inputs = new InputLedger(1, trial::isPlanted);
        service = PhysicsService.builder(world)
                .firstTick(firstTick)
                .onFailure(failure -> {}) // a failure is normal in these runs
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
                    public void published(TickHook.Times times) {
                        sites.at(Site.LISTENER);
                    }
                })
                .build();
        commands = new CommandLedger(trial, 2, sites::isPlanted);
        events = service.events(1 << 12);
        reader = service.newReader();
        windows = new WindowCheck(trial);
        sites.others(this::strike);
    }

    static void run(Trial trial, long seed) {
        FaultPlan plan = FaultPlan.draw(seed);
        trial.runs(plan.toString());
        FaultSites sites = new FaultSites(plan);
        trial.plantWhere(sites::allStruck);
        SplittableRandom random = new SplittableRandom(~seed);
        OwnThreads threads = new OwnThreads();
        FaultyService one = new FaultyService(trial, sites, 1);
        for (int successors = 0; one.fails(random, threads) && successors < MAX_SUCCESSORS; successors++) {
            one = new FaultyService(trial, sites, one.service.lastPublishedTick() + 1);
        }
        Thread.interrupted(); // clears the interrupt of a planted fault
    }

    private boolean fails(SplittableRandom random, OwnThreads threads) {
        service.start();
        Worker using = Worker.start(2, "stress-user", this::use);
        int fatal = sites.fatal();
        Polling.await(LONGEST_NANOS, () -> closing || isFailing() || sites.fatal() > fatal || sites.allStruck());
        mustFail = sites.fatal() > fatal;
        boolean failed = !closing && awaitFailure();
        if (!failed) {
            sites.calm();
            failed = !closing && !ticks() && awaitFailure();
        }
        trial.check(Promise.ENDS_IN_TIME, using.end(), () -> "users of the service are still in a call of it");
        if (failed) {
            checkReaders(true);
        } else if (!closing) {
            checkAlive();
        }
        if (failed && random.nextBoolean()) {
            sites.release();
        }
        close();
        checkEnd(threads);
        return failed;
    }

    /** Waits for the failure if one must come or has begun, and checks its cause. Returns whether the service has failed. */
    private boolean awaitFailure() {
        if (!mustFail && !isFailing()) {
            return false;
        }
        boolean failed = Polling.await(() -> closing || service.state() == ServiceState.FAILED);
        if (!closing) {
            trial.check(Promise.CAUSE_REPORTED, failed && isCause(), this::said);
        }
        return !closing && failed;
    }

    /** Whether new ticks become visible. False also if the service fails or is closed first. */
    private boolean ticks() {
        service.resume();
        long seen = published.get();
        boolean ticks = Polling.await(() -> closing || isFailing() || published.get() >= seen + TICKS_TO_SEE);
        if (closing || isFailing()) {
            return false;
        }
        trial.check(Promise.TICKS_CONTINUE, ticks, () -> "it is " + service.state() + ", but no tick is visible");
        return ticks;
    }

    /**
     * Checks that as many new readers as the service allows can attach and read: the last window of a failed service, else any window. No
     * violation if a failed service has published nothing, or if a running one has hung meanwhile.
     */
    private void checkReaders(boolean failed) {
        reader.close(); // the reader's thread may have ended without closing it
        List<SnapshotReader> readers =
                Stream.generate(service::newReader).limit(READERS).toList();
        long last = service.lastPublishedTick();
        boolean seen = Polling.await(() -> {
            readers.forEach(SnapshotReader::acquire);
            return (failed ? published.get() == 0 : isHung())
                    || readers.stream()
                            .allMatch(one ->
                                    one.hasWindow() && (!failed || one.window().newestTick() == last));
        });
        readers.forEach(SnapshotReader::close);
        trial.check(Promise.READERS_COME_BACK, seen, () -> "new readers have no window, or not of tick " + last);
    }

    private boolean isFailing() {
        return service.failure().isPresent();
    }

    private boolean isHung() {
        return service.failure().orElse(null) instanceof HungSimulationException;
    }

    private boolean isCause() {
        return isHung() || service.failure().filter(sites::isFatal).isPresent();
    }

    private String said() {
        return service.state() + " because of " + service.failure();
    }

    /** Performs a fault that acts on the service, on the thread in whose call it strikes. */
    private void strike(Act act) {
        switch (act) {
            case CLOSE -> {
                closing = true;
                service.close();
            }
            case LEAVE -> throw new Leave();
            case FLOOD -> {
                for (int i = 0; i < FLOOD; i++) {
                    give();
                }
            }
            case PAUSE -> pause();
            default -> throw new IllegalStateException(act + " cannot strike here");
        }
    }

    private void pause() {
        service.pause();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service.step();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(3));
        service.resume();
    }

    private void checkAlive() {
        checkReaders(false);
        give();
        long last = published.get();
        Polling.await(() -> published.get() >= last + TICKS_TO_SEE || isHung());
        trial.check(
                Promise.INPUT_SUMS,
                Polling.await(() -> inputs.arrived() >= inputs.accepted() || isHung()),
                () -> inputs.accepted() + " were accepted, but " + inputs.arrived() + " arrived");
        checkBodies();
    }

    private void close() {
        closing = true;
        Worker closes = Worker.start("stress-closes", self -> service.close());
        try {
            trial.check(Promise.ENDS_IN_TIME, closes.end(), () -> "close hangs: " + closes);
        } finally {
            sites.release();
        }
        closes.end();
    }

    private void checkEnd(OwnThreads threads) {
        ServiceState end = service.state();
        trial.check(
                Promise.CAUSE_REPORTED,
                end == ServiceState.CLOSED || (end == ServiceState.FAILED && isCause()),
                this::said);
        commands.checkAnswers();
        inputs.check(trial, null);
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
        List<Thread> left = threads.left();
        trial.check(Promise.THREADS_END, left.isEmpty(), () -> "still there: " + Worker.stacks(left));
        trial.check(Promise.ABANDONED_UNHEARD, true, () -> "planted");
    }

    /** Uses the running service until the thread must end or a fault ends it. Does not catch exceptions that the library must not throw. */
    private void use(Worker self, int index) {
        try {
            while (self.isRunning()) {
                if (index == 0) {
                    take();
                    sites.at(Site.READ);
                } else {
                    if (service.state() == ServiceState.RUNNING) {
                        inputs.producer(0).offer(service.input());
                    }
                    give();
                    drain();
                    sites.at(Site.USE);
                }
                LockSupport.parkNanos(ROUND_NANOS);
            }
        } catch (Leave left) {
            return; // a fault has ended this thread, which closes nothing
        }
        if (index == 0) {
            reader.close();
        }
    }

    /** Checks the window that the reader holds once more after its last use, and acquires the next one. */
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

    private void give() {
        long number = nextCommand++;
        follow(0, number, service.command(tick -> run(Site.COMMAND, 0, number, tick)));
        follow(1, number, service.query(tick -> run(Site.QUERY, 1, number, tick)));
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

    private void hear(BodyEvent event) {
        long id = event.body();
        switch (event.kind()) {
            case SPAWNED -> bodies.add(id);
            case DESPAWNED -> bodies.remove(id);
            case GAP -> missed = true;
            default -> {
                // All other events are about contacts.
            }
        }
        sites.at(Site.VISIT); // last, because the call may throw, and the event must be counted
    }

    /**
     * Checks that events have reported each body. Events may be missing if the stream has counted a gap, or if a thread hung while it
     * delivered events.
     */
    private void checkBodies() {
        drain();
        trial.check(
                Promise.LIFECYCLE_REPORTED,
                missed || sites.haveHung(Site.EVENTS) || service.failure().isPresent() || bodies.size() == BODIES,
                () -> bodies.size() + " bodies exist by the events, but there are " + BODIES);
    }

    /** A world whose poses depend only on the tick number, so that any thread can check a snapshot. */
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
            // From the fourth tick on there is a whole window, and the previous tick was published.
            if (++ticks > WINDOW_SIZE) {
                published.setRelease(next.number() - 1);
            }
            for (int i = 0; i < next.input().size(); i++) {
                InputEvent event = next.input().event(i);
                trial.check(Promise.ABANDONED_UNHEARD)
                        .that(
                                event.kind() != ABANDONED,
                                () ->
                                        "the input of a device that was abandoned in its poll arrives when it comes back");
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

    /** An input device whose poll may hang. If the poll comes back, it offers an event, which the service must ignore. */
    private final class Device implements InputSource {

        private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();

        @Override
        public void poll(InputSink sink) {
            sites.at(Site.POLL);
            if (sites.cameBack()) {
                sink.offer(System.nanoTime(), ABANDONED, 1, 0, 0);
            }
        }

        @Override
        public void close() {
            closers.add(Thread.currentThread());
            sites.at(Site.DEVICE_END);
        }
    }
}
