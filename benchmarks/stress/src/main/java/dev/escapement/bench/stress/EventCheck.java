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
 * The events of bodies match the snapshots: keeps the set of bodies that events report, and compares it with those of snapshots.
 *
 * <p>The events of a tick are delivered before the next tick is published. So a window's last snapshot but one has the bodies that result
 * from all events up to its tick, and all of them can be drained.
 */
final class EventCheck implements PromiseCheck {

    private static final int CAPACITY = 1 << 14;

    private final Trial trial;
    private @Nullable SnapshotReader reader;
    private @Nullable EventStream events;

    /** Events of ticks that are still to be compared. */
    private final Queue<Told> waiting = new ArrayDeque<>();

    private final Set<Long> told = new HashSet<>();

    /** Whether {@link #told} is complete: not from a gap until its last tick, such as the ticks before the first event was heard. */
    private boolean known;

    /** Of no earlier snapshot all events are known; the greatest number while events are being missed. */
    private long lastMissedTick;

    private long missedBefore;

    private boolean lostOne;

    private long checkedTick = Long.MIN_VALUE;

    private record Told(long tick, Kind kind, long body, long other) {}

    EventCheck(Life life) {
        known = !life.isHosted(); // else the service ticks before its events are heard
        lastMissedTick = known ? Long.MIN_VALUE : Long.MAX_VALUE;
        trial = life.trial;
    }

    @Override
    public void of(TickingWorld physics) {
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
        events.drain(this::add);
        countMissed(events.missed(), window.newest().tick());
        if (snapshot.tick() <= checkedTick) {
            return;
        }
        checkedTick = snapshot.tick();
        while (!waiting.isEmpty() && waiting.element().tick() <= snapshot.tick()) {
            apply(waiting.remove(), snapshot);
        }
        compare(snapshot);
    }

    /** By the count, because a gap itself is told of only when there is room again. */
    private void countMissed(long missed, long newestTick) {
        if (missed != missedBefore) {
            missedBefore = missed;
            known = false;
            lastMissedTick = Long.MAX_VALUE;
        } else if (lastMissedTick == Long.MAX_VALUE) {
            lastMissedTick = newestTick; // missed before the last look, so not of a later tick
        }
    }

    /** Adds an event, to be compared with the snapshot of its tick. */
    private void add(BodyEvent event) {
        waiting.add(new Told(event.tick(), event.kind(), event.body(), event.other()));
    }

    private void apply(Told event, Snapshot snapshot) {
        switch (event.kind()) {
            case SPAWNED -> {
                boolean lost = trial.isPlanted(Promise.EVENTS_MATCH) && !lostOne;
                lostOne |= lost;
                if (!lost) {
                    changes(told.add(event.body()), event);
                }
            }
            case DESPAWNED -> changes(told.remove(event.body()), event);
            case CONTACT_BEGAN -> {
                if (event.tick() == snapshot.tick()) {
                    trial.check(Promise.EVENTS_MATCH)
                            .that(
                                    exists(event.body(), snapshot) && exists(event.other(), snapshot),
                                    () -> event + " of a body that is not in " + snapshot);
                }
            }
            default -> {} // bodies that no longer touch may be gone
        }
    }

    private void changes(boolean isNew, Told event) {
        if (known) {
            trial.check(Promise.EVENTS_MATCH).that(isNew, () -> event + " was told of already");
        }
    }

    private static boolean exists(long body, Snapshot snapshot) {
        return body == BodyEvent.NO_BODY || snapshot.bodies().exists(body);
    }

    private void compare(Snapshot snapshot) {
        Bodies bodies = snapshot.bodies();
        boolean match = bodies.count() == told.size() && told.stream().allMatch(bodies::exists);
        if (known && !(match && told.isEmpty())) { // a world without bodies shows nothing
            trial.check(Promise.EVENTS_MATCH)
                    .that(
                            match,
                            () -> "events tell of " + told.size() + " bodies where " + snapshot + " has "
                                    + bodies.count());
        }
        boolean isAfterGap = snapshot.tick() >= lastMissedTick;
        if (isAfterGap && (!known || bodies.count() != told.size())) {
            told.clear();
            for (int slot = 0; slot < bodies.slotCount(); slot++) {
                if (bodies.exists(slot)) {
                    told.add(bodies.id(slot));
                }
            }
            known = true;
        }
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
