package dev.escapement.bench.stress;

import dev.escapement.physics.TickingWorld;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the events of bodies match the snapshots. It applies spawn and despawn events to a set of bodies, and compares this set with
 * the bodies of snapshots.
 *
 * <p>The events of a tick are delivered before the next tick is published. So once a window has arrived, all events up to the tick of its
 * last snapshot but one can be drained. This snapshot is therefore the one to compare with.
 */
final class EventCheck implements Part {

    private static final int CAPACITY = 1 << 14;

    private final Trial trial;
    private final Check check;
    private @Nullable SnapshotReader reader;
    private @Nullable EventStream events;

    /** Drained events of ticks later than {@link #checkedTick}. */
    private final Queue<Delivered> waiting = new ArrayDeque<>();

    /** The bodies that exist after the events of all ticks up to {@link #checkedTick}. */
    private final Set<Long> bodies = new HashSet<>();

    /**
     * After missed events, {@link #bodies} is wrong. The snapshot of this tick or a later one may replace it, because no events after this
     * tick are missing. Long.MAX_VALUE while events are still being missed.
     */
    private long baseTick = Long.MAX_VALUE;

    private boolean isBased;
    private long missed;
    private long checkedTick = Long.MIN_VALUE;
    private boolean plantedOne;

    private record Delivered(long tick, Kind kind, long body, long other) {}

    EventCheck(Life life) {
        isBased = !life.isHosted(); // a hosted service has already ticked before this check receives events
        trial = life.trial;
        check = trial.check(Promise.EVENTS_MATCH);
    }

    @Override
    public void read(TickingWorld physics) {
        reader = physics.newReader();
        events = physics.events(CAPACITY);
    }

    /** Drains the events and compares them with the latest window, if a new one has arrived. */
    @Override
    public void look() {
        if (reader == null || events == null) {
            return;
        }
        reader.acquire();
        if (!reader.hasWindow()) {
            return;
        }
        Window window = reader.window();
        Snapshot snapshot = window.snapshot(window.size() - 2);
        events.drain(event -> waiting.add(new Delivered(event.tick(), event.kind(), event.body(), event.other())));
        // Reads the count of missed events, because the stream delivers its GAP event only when it has room again.
        if (events.missed() != missed) {
            missed = events.missed();
            isBased = false;
            baseTick = Long.MAX_VALUE;
        } else if (baseTick == Long.MAX_VALUE) {
            // Nothing was missed since the last look, so no event after this tick is missing.
            baseTick = window.newest().tick();
        }
        if (snapshot.tick() > checkedTick) {
            checkedTick = snapshot.tick();
            while (!waiting.isEmpty() && waiting.element().tick() <= checkedTick) {
                apply(waiting.remove(), snapshot);
            }
            compare(snapshot);
        }
    }

    private void apply(Delivered event, Snapshot snapshot) {
        switch (event.kind()) {
            case SPAWNED -> {
                boolean isLost = trial.isPlanted(Promise.EVENTS_MATCH) && !plantedOne;
                plantedOne |= isLost;
                if (!isLost) {
                    changes(bodies.add(event.body()), event);
                }
            }
            case DESPAWNED -> changes(bodies.remove(event.body()), event);
            case CONTACT_BEGAN -> {
                if (event.tick() == snapshot.tick()) {
                    check.that(
                            exists(event.body(), snapshot) && exists(event.other(), snapshot),
                            () -> event + " of a body that is not in " + snapshot);
                }
            }
            default -> {} // not compared: a contact may end after its bodies are gone
        }
    }

    private void changes(boolean isNew, Delivered event) {
        if (isBased) {
            check.that(isNew, () -> event + " was delivered already");
        }
    }

    private static boolean exists(long body, Snapshot snapshot) {
        return body == BodyEvent.NO_BODY || snapshot.bodies().exists(body);
    }

    private void compare(Snapshot snapshot) {
        Bodies there = snapshot.bodies();
        boolean match = there.count() == bodies.size() && bodies.stream().allMatch(there::exists);
        if (isBased && !(match && bodies.isEmpty())) { // comparing two empty sets proves nothing
            int reported = bodies.size();
            check.that(
                    match, () -> "events tell of " + reported + " bodies where " + snapshot + " has " + there.count());
        }
        if (!match && snapshot.tick() >= baseTick) {
            bodies.clear();
            for (int slot = 0; slot < there.slotCount(); slot++) {
                if (there.exists(slot)) {
                    bodies.add(there.id(slot));
                }
            }
        }
        isBased |= snapshot.tick() >= baseTick;
    }

    @Override
    public void stopped() {
        if (reader != null && events != null) {
            events.close();
            reader.close();
            reader = null;
        }
    }
}
