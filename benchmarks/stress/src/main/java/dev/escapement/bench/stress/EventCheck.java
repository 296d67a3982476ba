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
 * Checks that the events of bodies match the snapshots. It keeps the set of bodies that events report, and compares it with the bodies of
 * snapshots.
 *
 * <p>The events of a tick are delivered before the next tick is published. So a window's last snapshot but one has the bodies that result
 * from all events up to its tick, and all these events can be drained.
 */
final class EventCheck implements Part {

    private static final int CAPACITY = 1 << 14;

    private final Trial trial;
    private final Check check;
    private @Nullable SnapshotReader reader;
    private @Nullable EventStream events;

    /** Events of ticks that are not compared yet. */
    private final Queue<Delivered> waiting = new ArrayDeque<>();

    /** The bodies by all events up to {@link #checkedTick}. */
    private final Set<Long> bodies = new HashSet<>();

    /**
     * The first tick whose snapshot may replace {@link #bodies}, because events of earlier ticks may be missing; Long.MAX_VALUE while
     * events are being missed.
     */
    private long baseTick = Long.MAX_VALUE;

    private boolean isBased;
    private long missed;
    private long checkedTick = Long.MIN_VALUE;
    private boolean plantedOne;

    private record Delivered(long tick, Kind kind, long body, long other) {}

    EventCheck(Life life) {
        isBased = !life.isHosted(); // a hosted service ticks before this check listens to its events
        trial = life.trial;
        check = trial.check(Promise.EVENTS_MATCH);
    }

    @Override
    public void read(TickingWorld physics) {
        reader = physics.newReader();
        events = physics.events(CAPACITY);
    }

    /** Compares with the latest window, if there is a new one. */
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
        // Reads the count, because the event of a gap is delivered only when there is room again.
        if (events.missed() != missed) {
            missed = events.missed();
            isBased = false;
            baseTick = Long.MAX_VALUE;
        } else if (baseTick == Long.MAX_VALUE) {
            baseTick = window.newest().tick(); // the gap is older than the last look, so it has no later events
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
            default -> {} // a contact may end after its bodies are gone
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
        if (isBased && !(match && bodies.isEmpty())) { // a check of a world without bodies proves nothing
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
