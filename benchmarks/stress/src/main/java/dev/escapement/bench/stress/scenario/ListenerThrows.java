package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.Simulation;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What users add to a service throws: a visitor of events on its own thread, of which the service does not fail, and one input source
 * after the other on the physics thread, of which it fails and without which it goes on.
 */
final class ListenerThrows {

    private static final int BODIES = 50;
    private static final TickRate RATE = TickRate.hertz(1000); // for many lives
    private static final int SOURCES = 9; // the last does not break
    private static final int EVENTS = 1 << 14;
    private static final long DRAIN_NANOS = 300_000;
    private static final long POLLS = 20;
    private static final int THROWS_EVERY = 3;

    private final Trial trial;
    private final InputLedger ledger;
    private final List<BreakableSource> sources;

    // What the visitor has seen. One thread, and who has seen its end.
    private final RuntimeException deliberate = FailureScenarios.deliberate();
    private long nextTick;
    private long visits;
    private long thrown;

    private ListenerThrows(Trial trial) {
        this.trial = trial;
        ledger = new InputLedger(trial, SOURCES);
        sources = ledger.producers().stream().map(BreakableSource::new).toList();
    }

    static Scenario scenario() {
        Set<Promise> promises = FailureScenarios.promises(Promise.HANDED_OUT_ONCE, Promise.SOURCES_GO_ON);
        promises.addAll(InputLedger.PROMISES);
        return new Scenario(
                "listener-throws",
                "a visitor of events throws at every third, and input sources throw one after the other",
                promises,
                trial -> new ListenerThrows(trial).run());
    }

    private void run() {
        try (WatchedService service = new WatchedService(trial, touching(), builder -> {
            sources.forEach(builder::source);
            return builder.rate(RATE);
        })) {
            EventStream events = service.service().events(EVENTS);
            service.readBy(new PredictableWorld(BODIES), WatchedService.FPS);
            Worker.during(1, unused -> drain(events), () -> {
                breakSources(service);
                service.awaitEnd();
            });
            service.end();
            ledger.report(trial, RingCounts.of(service.service()));
        }
        sources.forEach(source -> source.closings.checkOnce(trial, "a source of input"));
        trial.info("times the visitor threw", thrown);
    }

    /** A world whose first two bodies begin to touch in every tick, so that it has exactly one such event. */
    private Simulation touching() {
        return new PredictableWorld(BODIES, ledger::arrive) {
            @Override
            public void events(EventWriter events) {
                events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            }
        };
    }

    private void breakSources(WatchedService service) {
        BreakableSource steady = sources.get(SOURCES - 1);
        for (BreakableSource source : sources.subList(0, SOURCES - 1)) {
            awaitPolls(steady);
            RuntimeException cause = FailureScenarios.deliberate();
            source.toThrow = cause;
            service.awaitFailure(failure -> failure == cause);
            long polls = source.polls.get();
            service.restart(touching());
            boolean othersGoOn = awaitPolls(steady) && source.polls.get() == polls;
            trial.check(
                    Promise.SOURCES_GO_ON,
                    othersGoOn,
                    () -> "after the restart the broken source was polled " + (source.polls.get() - polls)
                            + " times, the last other " + steady.polls + " times in all");
            if (!othersGoOn) {
                return; // nothing that follows would tell more
            }
        }
    }

    private static boolean awaitPolls(BreakableSource source) {
        long before = source.polls.get();
        return Polling.await(() -> source.polls.get() >= before + POLLS);
    }

    /** Drains what there is, up to where the visitor throws. */
    private void drain(EventStream events) {
        try {
            events.drain(this::visit);
        } catch (RuntimeException caught) {
            if (caught != deliberate) {
                throw caught;
            }
            thrown++;
        }
        LockSupport.parkNanos(DRAIN_NANOS);
    }

    private void visit(BodyEvent event) {
        switch (event.kind()) {
            case CONTACT_BEGAN -> {
                long tick = event.tick();
                long expected = nextTick == 0 ? tick : nextTick;
                long given = trial.isPlanted(Promise.HANDED_OUT_ONCE) ? 2 * tick : tick;
                trial.check(Promise.HANDED_OUT_ONCE)
                        .that(
                                given == expected,
                                () -> "the event of tick " + given + " came where " + expected + " was to come");
                nextTick = tick + 1;
            }
            case GAP -> nextTick = event.lastMissedTick() + 1;
            default -> {
                // bodies that come and go with each simulation
            }
        }
        if (++visits % THROWS_EVERY == 0) {
            throw deliberate;
        }
    }

    /** A device that offers an event a tick until it is told to break. */
    private static final class BreakableSource implements InputSource {

        private final NumberedProducer producer;
        private final Closings closings = new Closings();
        private final AtomicLong polls = new AtomicLong();
        // Volatile: set by any thread, thrown by the one that polls.
        private volatile @Nullable RuntimeException toThrow;

        BreakableSource(NumberedProducer producer) {
            this.producer = producer;
        }

        @Override
        public void poll(InputRing ring) {
            polls.incrementAndGet();
            RuntimeException thrown = toThrow;
            if (thrown != null) {
                throw thrown;
            }
            if (!producer.offer(NumberedProducer.Gate.to(ring))) {
                throw new IllegalStateException("a ring that is drained at every tick has no room for an event a tick");
            }
        }

        @Override
        public void close() {
            closings.add();
        }
    }
}
