package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import java.util.concurrent.locks.LockSupport;

/** A visitor of events throws on its own thread: the service does not fail, and no event is handed out twice or lost. */
final class ListenerThrows {

    private static final int BODIES = 50;
    private static final int EVENTS = 1 << 14;
    private static final long DRAIN_NANOS = 300_000;
    private static final int THROWS_EVERY = 3;

    private final Trial trial;
    private final RuntimeException deliberate = new IllegalArgumentException("thrown on purpose");

    // What the visitor has seen. One thread, and threads that have joined it.
    private long nextTick;
    private long visits;

    private ListenerThrows(Trial trial) {
        this.trial = trial;
    }

    static Scenario scenario() {
        return new Scenario(
                "listener-throws",
                "a visitor of events throws at every third",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.HANDED_OUT_ONCE),
                trial -> new ListenerThrows(trial).run());
    }

    private void run() {
        // Its first two bodies begin to touch in every tick, so that it has exactly one such event.
        PredictableWorld touching = new PredictableWorld(BODIES) {
            @Override
            public void events(EventWriter events) {
                events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            }
        };
        WatchedService.run(trial, touching, builder -> builder, service -> {
            EventStream events = service.service().events(EVENTS);
            Worker.during(1, unused -> drain(events), service::awaitEnd);
        });
        trial.info("times the visitor threw", visits / THROWS_EVERY);
    }

    /** Drains events until the visitor throws. */
    private void drain(EventStream events) {
        try {
            events.drain(this::visit);
        } catch (RuntimeException caught) {
            if (caught != deliberate) {
                throw caught;
            }
        }
        LockSupport.parkNanos(DRAIN_NANOS);
    }

    private void visit(BodyEvent event) {
        switch (event.kind()) {
            case CONTACT_BEGAN -> {
                long expected = nextTick == 0 ? event.tick() : nextTick;
                long given = trial.isPlanted(Promise.HANDED_OUT_ONCE) ? 2 * event.tick() : event.tick();
                trial.check(Promise.HANDED_OUT_ONCE)
                        .that(given == expected, () -> "the event of tick " + given + " came instead of " + expected);
                nextTick = event.tick() + 1;
            }
            case GAP -> nextTick = event.lastMissedTick() + 1;
            default -> {
                // bodies that the simulation spawns and despawns
            }
        }
        if (++visits % THROWS_EVERY == 0) {
            throw deliberate;
        }
    }
}
