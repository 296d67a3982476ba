package dev.escapement.bench.stress.scenario;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.scenario.NumberedProducer.Gate;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** What other threads send to a service: floods of input and of commands, and a producer that stops in the middle of an offer. */
final class InputScenarios {

    private static final int PRODUCERS = 4;
    private static final int PER_SECOND = 1_000_000;

    /** So that a soak has many floods, and each few enough events to be numbered. */
    private static final double LONGEST_SECONDS = 60;

    /** What the flood of input promises, and what breaks it. */
    private static final Map<Promise, InputFault> FAULTS = Map.of(
            Promise.INPUT_ONCE, InputFault.LOSE,
            Promise.INPUT_ORDER, InputFault.REORDER,
            Promise.INPUT_PLACED, InputFault.MISPLACE,
            Promise.INPUT_SUMS, InputFault.DENY);

    private static final int CAPACITY = 256;
    private static final int OTHERS = 4;
    private static final int BEFORE = 5;
    private static final int REFUSALS = 10;

    private static final int THREADS = 4;
    private static final int WAITING = 1024;
    private static final int PER_TICK = 512;
    private static final int BURST = 20;
    private static final int LARGE_EVERY = 100;
    private static final long PAUSE_NANOS = 2_000_000;

    private InputScenarios() {}

    /** Numbered input events, in turns into a ring that has room for two ticks and into one that has to refuse. */
    static Scenario inputFlood() {
        return new Scenario(
                "input-flood",
                "4 producers offer a million events a second, half of the time into a ring that is too small",
                FAULTS.keySet(),
                InputScenarios::flood);
    }

    private static void flood(Trial trial) throws InterruptedException {
        long offers = (long) (Math.min(LONGEST_SECONDS, trial.lengthNanos() / 2e9) * PER_SECOND) + PRODUCERS;
        InputFault fault = FAULTS.keySet().stream()
                .filter(trial::isPlanted)
                .map(FAULTS::get)
                .findFirst()
                .orElse(InputFault.NONE);
        Flood.Result ample;
        Flood.Result small;
        do {
            ample = flood(trial, offers, Flood.ampleCapacity(PER_SECOND), fault);
            small = flood(trial, offers, Flood.tooSmallCapacity(PER_SECOND), fault);
        } while (trial.goesOn());
        trial.figure(Figure.info("offered", ample.offeredPerSecond(), "events a second"));
        trial.figure(Figure.info("most in a tick", ample.ledger().mostInATick(), "events"));
        trial.figure(
                Figure.info("refused by the small ring", (double) small.counts().rejected(), "events"));
    }

    private static Flood.Result flood(Trial trial, long offers, int capacity, InputFault fault)
            throws InterruptedException {
        Flood.Result result = new Flood(PRODUCERS, PER_SECOND, offers, capacity, fault).run(offered -> {});
        result.ledger().report(trial, result.counts());
        return result;
    }

    /** A producer stops in the middle of an offer, again and again: nothing waits for it, and nothing is lost when it goes on. */
    static Scenario producerSuspended() {
        Set<Promise> promises = CheckingReader.promises(Promise.ACCOUNTED, Promise.TICKS_GO_ON, Promise.INPUT_ACCEPTED);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "producer-suspended",
                "a producer of input is suspended between claim and publish while others fill the ring",
                promises,
                InputScenarios::suspend);
    }

    private static void suspend(Trial trial) throws SkippedException {
        InputLedger ledger = new InputLedger(trial, OTHERS + 1);
        PredictableWorld world = new PredictableWorld(10, ledger::arrive);
        try (WatchedService service = new WatchedService(trial, world, builder -> builder.inputCapacity(CAPACITY))) {
            SuspendedProducer suspended =
                    new SuspendedProducer(service.service().input());
            service.readBy(world, WatchedService.FPS);
            do {
                suspendOnce(trial, service, ledger, suspended);
            } while (trial.goesOn());
            service.awaitEnd();
            service.end();
            ledger.report(trial, RingCounts.of(service.service()));
        }
    }

    private static void suspendOnce(
            Trial trial, WatchedService service, InputLedger ledger, SuspendedProducer suspended) {
        Gate gate = Gate.to(service.service().input());
        for (int i = 0; i < BEFORE; i++) {
            ledger.producer(1).offer(gate);
        }
        suspended.claim();
        // What was there before does not wait for it, and when that is gone, it alone takes a place.
        boolean goesOn = Polling.await(() -> ledger.arrived() == ledger.accepted());
        trial.check(Promise.TICKS_GO_ON).that(goesOn, () -> "input waits for an event that was offered after it");
        fill(trial, service.service().input(), ledger, gate);
        service.checkTicksGoOn();
        ledger.producer(0).offer(suspended::goOn);
        boolean all = Polling.await(() -> ledger.arrived() == ledger.accepted());
        trial.check(Promise.INPUT_ONCE)
                .that(all, () -> ledger.accepted() + " were accepted, but " + ledger.arrived() + " arrived");
    }

    private static void fill(Trial trial, InputRing ring, InputLedger ledger, Gate gate) {
        long refusedBefore = ring.rejected();
        int accepted = 0;
        int refused = 0;
        for (int i = 0; refused < REFUSALS; i++) {
            boolean taken = ledger.producer(1 + i % OTHERS).offer(gate);
            accepted += taken ? 1 : 0;
            refused += taken ? 0 : 1;
        }
        int fitting = trial.isPlanted(Promise.INPUT_ACCEPTED) ? CAPACITY : CAPACITY - 1;
        int took = accepted;
        long counted = ring.rejected() - refusedBefore;
        trial.check(Promise.INPUT_ACCEPTED)
                .that(
                        took == fitting && counted == REFUSALS,
                        () -> took + " of " + fitting + " accepted, " + counted + " of " + REFUSALS + " refused");
    }

    /** Threads give commands and queries by the thousand, now and then more than there is room for, until the service is closed. */
    static Scenario commandFlood() {
        Set<Promise> promises = CheckingReader.promises(Promise.ACCOUNTED);
        promises.addAll(CommandLedger.PROMISES);
        return new Scenario(
                "command-flood",
                "4 threads give commands and queries, now and then more than there is room for",
                promises,
                trial -> {
                    CommandLedger ledger = new CommandLedger(trial, 2 * THREADS, thrown -> false);
                    long[] given = new long[THREADS]; // each thread its own
                    PhysicsService closed = WatchedService.run(
                            trial,
                            new PredictableWorld(100),
                            builder -> builder.commands(WAITING, PER_TICK),
                            service -> Worker.during(
                                    THREADS, thread -> give(service.service(), ledger, thread, given), () -> {
                                        service.awaitEnd();
                                        Polling.await(() -> ledger.ran() > 0);
                                        service.end();
                                    }));
                    ledger.checkSums(closed.refusedCommands());
                    trial.info("commands and queries run", ledger.ran());
                    trial.info("commands and queries refused", ledger.refused());
                });
    }

    private static void give(PhysicsService service, CommandLedger ledger, int thread, long[] given) {
        long first = given[thread];
        long burst = first / BURST % LARGE_EVERY == 0 ? 2 * WAITING : BURST;
        int commands = 2 * thread;
        int queries = commands + 1;
        for (long i = first; i < first + burst; i++) {
            long number = i;
            ledger.follow(commands, number, service.command(tick -> ledger.run(commands, number, tick)));
            ledger.follow(queries, number, service.query(tick -> ledger.run(queries, number, tick)));
        }
        given[thread] = first + burst;
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * A producer that stops in the middle of {@link InputRing#offer}, after it has claimed its place and before it publishes, as one does
     * that the operating system suspends there. No user of a ring can stop there, so this reaches into it by reflection. One thread.
     */
    private static final class SuspendedProducer {

        private final RingBuffer<InputEvent> ring;
        private final Method set;
        private long claimed;

        /**
         * A producer of this ring.
         *
         * @throws SkippedException if the JVM does not allow that reflection
         */
        @SuppressWarnings("unchecked") // it is a ring of nothing else
        SuspendedProducer(InputRing ring) throws SkippedException {
            try {
                Field field = InputRing.class.getDeclaredField("ring");
                field.setAccessible(true);
                this.ring = (RingBuffer<InputEvent>) field.get(ring);
                set = InputEvent.class.getDeclaredMethod(
                        "set", long.class, InputKind.class, int.class, float.class, float.class);
                set.setAccessible(true);
            } catch (ReflectiveOperationException | InaccessibleObjectException e) {
                throw new SkippedException("a producer can only be stopped within offer by reflection, and that fails: "
                        + e + "; run on the class path");
            }
        }

        /** Claims the next place, and is stuck. */
        void claim() {
            try {
                claimed = ring.tryNext();
            } catch (InsufficientCapacityException full) {
                throw new IllegalStateException("there was to be room for the producer that is to be suspended", full);
            }
        }

        /** Goes on where it was stuck. */
        boolean goOn(long timeNanos, int code, float x, float y) {
            try {
                set.invoke(ring.get(claimed), timeNanos, InputKind.APPLICATION, code, x, y);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("an event cannot be written: " + e, e);
            }
            ring.publish(claimed);
            return true;
        }
    }
}
