package dev.escapement.bench.stress.world;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventVisitor;

/** Drains the events of a world in which two bodies begin to touch in every tick, throws at every third, and checks that it is handed each once. One thread. */
public final class ThrowingVisitor implements EventVisitor {

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
    public ThrowingVisitor(Trial trial) {
        this.trial = trial;
        once = trial.check(Promise.HANDED_OUT_ONCE);
    }

    /** Drains what there is, up to where it throws. */
    public void drain(EventStream events) {
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
        once.that(given == expected, () -> "the event of tick " + given + " came where " + expected + " was to come");
        nextTick = tick + 1;
    }

    /** How often it threw. Whoever has seen its thread end. */
    public long thrown() {
        return thrown;
    }
}
