package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.FailingWorld;
import dev.escapement.bench.stress.world.FailureCheck;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.NumberedProducer;
import dev.escapement.bench.stress.world.Polling;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.WatchedSimulation;
import dev.escapement.bench.stress.world.Worker;
import dev.escapement.physics.HungSimulationException;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventVisitor;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What users' code does wrong: simulations that throw or hang, one after the other, visitors of events and input sources that throw. */
final class FailureScenarios {

    private static final int BODIES = 50;
    private static final long TICK_HZ = 1000; // for many lives

    private static final long THROWS_SEED = 19;
    private static final long MOST_TICKS = 30;
    private static final int FEWEST_LIVES = 5;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;
    private static final long OFFER_NANOS = 200_000;

    private static final long WATCHDOG_MILLIS = 250;
    private static final long TICKS_UNTIL_HANG = 15; // enough for windows

    private static final int SOURCES = 9; // the last does not break
    private static final int EVENTS = 1 << 14;
    private static final long DRAIN_NANOS = 300_000;
    private static final long POLLS = 20;

    private FailureScenarios() {}

    /** What scenarios state whose simulations fail. */
    static Set<Promise> promises(Promise... more) {
        Set<Promise> promises = CheckingReader.promises(more);
        promises.addAll(Set.of(Promise.NUMBERED, Promise.CLOSED_ONCE));
        promises.addAll(FailureCheck.PROMISES);
        return promises;
    }

    /** A simulation that throws this at its last tick. */
    static FailingWorld throwing(Simulation world, long lastTick, boolean inCapture, RuntimeException cause) {
        return new FailingWorld(world, lastTick, inCapture, () -> {
            throw cause;
        });
    }

    /** What is thrown on purpose. */
    static RuntimeException deliberate() {
        return new IllegalArgumentException("thrown on purpose");
    }

    /**
     * Restarts a service whose simulation throws, each time with the next, until the trial's time is over. The service has failed then.
     *
     * @param first  what ticks now
     * @param cause  what all of them throw
     * @param fewest how many there are at least
     * @param next   makes the next one, after a pause if there is to be one
     */
    static void restartAgainAndAgain(
            Trial trial,
            WatchedService service,
            WatchedSimulation first,
            RuntimeException cause,
            int fewest,
            Supplier<WatchedSimulation> next) {
        FailureCheck check = new FailureCheck(trial, service.service());
        WatchedSimulation life = first;
        long lives = 0;
        while (true) {
            check.awaitFailure(failure -> failure == cause);
            life.checkEnd(trial);
            lives++;
            if (!trial.goesOn() && lives >= fewest) {
                break;
            }
            life = next.get();
            service.restart(life);
        }
        trial.figure(Figure.info("simulations that threw", (double) lives, ""));
    }

    /** Simulations that throw, one after the other, while input goes on: readers and producers hardly notice. */
    static Scenario simulationThrows() {
        Set<Promise> promises = promises(Promise.THREADS_END);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "simulation-throws",
                "1,000 ticks a second; a simulation throws at a random tick and is replaced, again and again",
                promises,
                trial -> {
                    SplittableRandom random = new SplittableRandom(THROWS_SEED);
                    InputLedger ledger = new InputLedger(trial, 1);
                    PredictableWorld world = new PredictableWorld(BODIES, ledger::arrive);
                    RuntimeException cause = deliberate();
                    Supplier<WatchedSimulation> next = () -> new WatchedSimulation(
                            throwing(world, random.nextLong(2, MOST_TICKS), random.nextBoolean(), cause));
                    WatchedSimulation first = next.get();
                    try (WatchedService service =
                            WatchedService.start(trial, first, builder -> builder.rate(TickRate.hertz(TICK_HZ)))) {
                        service.readBy(world, WatchedService.FPS);
                        Worker.during(1, unused -> offer(service, ledger.producer(0)), () -> {
                            restartAgainAndAgain(trial, service, first, cause, FEWEST_LIVES, () -> {
                                // frames that have nothing but what they hold
                                Polling.pass(random.nextLong(LONGEST_PAUSE_NANOS));
                                return next.get();
                            });
                            service.restart(world);
                            service.awaitEnd();
                        });
                        service.end();
                        ledger.report(trial, service.service());
                    }
                });
    }

    private static void offer(WatchedService service, NumberedProducer producer) {
        boolean accepted =
                producer.offer(NumberedProducer.Gate.to(service.service().input()));
        LockSupport.parkNanos(accepted ? OFFER_NANOS : 10 * OFFER_NANOS);
    }

    /** Simulations that hang, and come back after their thread was abandoned and another one ticks: nothing that they do then is seen. */
    static Scenario simulationHangs() {
        return new Scenario(
                "simulation-hangs",
                "a simulation hangs, is abandoned and replaced, and comes back later, again and again",
                promises(Promise.THREADS_END),
                trial -> {
                    long lives = 0;
                    Hanging life = Hanging.create(false);
                    try (WatchedService service =
                            WatchedService.start(trial, life.watched, builder -> builder.watchdog(WATCHDOG_MILLIS))) {
                        service.readBy(new PredictableWorld(BODIES), WatchedService.FPS);
                        FailureCheck check = new FailureCheck(trial, service.service());
                        for (boolean more = true; more; lives++) {
                            check.awaitFailure(HungSimulationException.class::isInstance);
                            more = trial.goesOn();
                            Hanging next = Hanging.create(lives % 2 == 0);
                            service.restart(more ? next.watched : new PredictableWorld(BODIES));
                            awaitWindows(service);
                            life.returns.set(true);
                            life.watched.checkEnd(trial);
                            life = next;
                        }
                        service.awaitEnd();
                    }
                    trial.figure(Figure.info("simulations that hung", (double) lives, ""));
                });
    }

    /** Until readers see what the simulation that went on does, unless it hangs before. */
    private static void awaitWindows(WatchedService service) {
        long before = service.published();
        Polling.await(() -> service.published() > before || service.service().state() == ServiceState.FAILED);
    }

    /** A simulation that hangs until it is told to return. */
    private record Hanging(WatchedSimulation watched, AtomicBoolean returns) {
        static Hanging create(boolean inCapture) {
            AtomicBoolean returns = new AtomicBoolean();
            Runnable hang = () -> Polling.await(returns::get); // and come back in any case
            return new Hanging(
                    new WatchedSimulation(
                            new FailingWorld(new PredictableWorld(BODIES), TICKS_UNTIL_HANG, inCapture, hang)),
                    returns);
        }
    }

    /**
     * What users add to a service throws: a visitor of events on its own thread, of which the service does not fail, and one input
     * source after the other on the physics thread, of which it fails and without which it goes on.
     */
    static Scenario listenerThrows() {
        Set<Promise> promises = promises(Promise.HANDED_OUT_ONCE, Promise.SOURCES_GO_ON);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "listener-throws",
                "a visitor of events throws at every third, and input sources throw one after the other",
                promises,
                FailureScenarios::breakListeners);
    }

    private static void breakListeners(Trial trial) {
        InputLedger ledger = new InputLedger(trial, SOURCES);
        List<WatchedSource> sources =
                ledger.producers().stream().map(WatchedSource::new).toList();
        ThrowingVisitor visitor = new ThrowingVisitor(trial);
        try (WatchedService service = WatchedService.start(trial, touching(ledger), builder -> {
            sources.forEach(builder::source);
            return builder.rate(TickRate.hertz(TICK_HZ));
        })) {
            EventStream events = service.service().events(EVENTS);
            service.readBy(new PredictableWorld(BODIES), WatchedService.FPS);
            Worker.during(
                    1,
                    unused -> {
                        visitor.drain(events);
                        LockSupport.parkNanos(DRAIN_NANOS);
                    },
                    () -> {
                        breakSources(trial, service, sources, ledger);
                        service.awaitEnd();
                    });
            service.end();
            ledger.report(trial, service.service());
        }
        int once = trial.isPlanted(Promise.CLOSED_ONCE) ? 2 : 1;
        for (WatchedSource source : sources) {
            trial.check(Promise.CLOSED_ONCE)
                    .that(source.closings() == once, () -> "a source was closed " + source.closings() + " times");
        }
        trial.figure(Figure.info("times the visitor threw", (double) visitor.thrown(), ""));
    }

    /** A world whose first two bodies begin to touch in every tick, so that it has exactly one such event. */
    private static Simulation touching(InputLedger ledger) {
        return new ForwardingSimulation(new PredictableWorld(BODIES, ledger::arrive)) {
            @Override
            public void events(EventWriter events) {
                events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            }
        };
    }

    private static void breakSources(
            Trial trial, WatchedService service, List<WatchedSource> sources, InputLedger ledger) {
        FailureCheck check = new FailureCheck(trial, service.service());
        WatchedSource steady = sources.get(SOURCES - 1);
        for (WatchedSource source : sources.subList(0, SOURCES - 1)) {
            awaitPolls(steady);
            RuntimeException cause = deliberate();
            source.breakWith(cause);
            check.awaitFailure(failure -> failure == cause);
            long polls = source.polls();
            service.restart(touching(ledger));
            boolean othersGoOn = awaitPolls(steady) && source.polls() == polls;
            trial.check(Promise.SOURCES_GO_ON)
                    .that(
                            othersGoOn != trial.isPlanted(Promise.SOURCES_GO_ON),
                            () -> "after the restart the broken source was polled " + (source.polls() - polls)
                                    + " times, the last other " + steady.polls() + " times in all");
            if (!othersGoOn) {
                return; // nothing that follows would tell more
            }
        }
    }

    private static boolean awaitPolls(WatchedSource source) {
        long before = source.polls();
        return Polling.await(() -> source.polls() >= before + POLLS);
    }

    /** Drains the events of a world in which two bodies begin to touch in every tick, throws at every third, and checks that it is handed each once. One thread. */
    private static final class ThrowingVisitor implements EventVisitor {

        private static final int EVERY = 3;

        private final Trial trial;
        private final Check once;
        private long nextTick;
        private long visits;
        private long thrown;

        /** Thrown on purpose. */
        private static final class Deliberate extends RuntimeException {
            private static final long serialVersionUID = 1;
        }

        /** A visitor; states {@link Promise#HANDED_OUT_ONCE}. */
        ThrowingVisitor(Trial trial) {
            this.trial = trial;
            once = trial.check(Promise.HANDED_OUT_ONCE);
        }

        /** Drains what there is, up to where it throws. */
        void drain(EventStream events) {
            try {
                events.drain(this);
            } catch (Deliberate expected) {
                thrown++;
            }
        }

        @Override
        public void event(BodyEvent event) {
            switch (event.kind()) {
                case CONTACT_BEGAN -> touch(event.tick());
                case GAP -> nextTick = event.lastMissedTick() + 1;
                default -> {
                    // bodies that come and go with each simulation
                }
            }
            if (++visits % EVERY == 0) {
                throw new Deliberate();
            }
        }

        private void touch(long tick) {
            long expected = nextTick == 0 ? tick : nextTick;
            long given = trial.isPlanted(Promise.HANDED_OUT_ONCE) ? 2 * tick : tick;
            once.that(
                    given == expected, () -> "the event of tick " + given + " came where " + expected + " was to come");
            nextTick = tick + 1;
        }

        /** How often it threw. For threads that have seen its thread end. */
        long thrown() {
            return thrown;
        }
    }

    /** A device that offers a numbered event whenever it is polled, until it is told to break, and counts what is done to it. */
    private static final class WatchedSource implements InputSource {

        private final NumberedProducer producer;
        private final AtomicLong polls = new AtomicLong();
        private final AtomicInteger closings = new AtomicInteger();

        // Volatile: set by any thread, thrown by the one that polls.
        private volatile @Nullable RuntimeException toThrow;

        /** A device whose events this producer numbers. */
        WatchedSource(NumberedProducer producer) {
            this.producer = producer;
        }

        @Override
        public void poll(InputRing ring) {
            polls.incrementAndGet();
            RuntimeException thrown = toThrow;
            if (thrown != null) {
                throw thrown;
            }
            boolean accepted = producer.offer(NumberedProducer.Gate.to(ring));
            if (!accepted) {
                throw new IllegalStateException("a ring that is drained at every tick has no room for an event a tick");
            }
        }

        /** Lets the next poll throw this. Any thread. */
        void breakWith(RuntimeException cause) {
            toThrow = cause;
        }

        /** How often it was polled. Any thread. */
        long polls() {
            return polls.get();
        }

        /** How often it was closed. Any thread. */
        int closings() {
            return closings.get();
        }

        @Override
        public void close() {
            closings.incrementAndGet();
        }
    }
}
