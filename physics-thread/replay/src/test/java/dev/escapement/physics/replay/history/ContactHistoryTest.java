package dev.escapement.physics.replay.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContactHistoryTest {

    private static final int LASTING = 7;

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private @Nullable Snapshot latest;

    /** Tries all ways in which a contact is on and off in three ticks, and in the same ticks after a re-simulation. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheRightContactsAfterACorrection(boolean before) throws Exception {
        latest = world.tick(poses -> {
            poses.bodyCount(2);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        });
        for (int delivered = 0; delivered < 8; delivered++) {
            for (int right = 0; right < 8; right++) {
                assertThat(isOnAfter(before, delivered, right, false))
                        .as("contact before: %s, delivered: %s, right: %s", before, delivered, right)
                        .isEqualTo((right & 4) != 0);
                assertThat(isOnAfter(before, delivered, right, true))
                        .as(
                                "changes in the next tick; contact before: %s, delivered: %s, right: %s",
                                before, delivered, right)
                        .isEqualTo((right & 4) == 0);
            }
        }
    }

    /**
     * Whether two shapes touch by the events that a listener received. Two other shapes of the same bodies touch all the time. Bit 0 of
     * {@code delivered} and {@code right} says whether the shapes touched in the first tick, bit 1 in the second, and so on.
     */
    private boolean isOnAfter(boolean before, int delivered, int right, boolean changes) throws Exception {
        EventHub hub = new EventHub();
        ContactHistory history = new ContactHistory(8);
        hub.correctBy(history);
        EventStream stream = hub.subscribe(64);
        List<Snapshot> ticks = new ArrayList<>();
        boolean was = false;
        for (int i = -1; i < 3; i++) {
            boolean is = i < 0 ? before : (delivered >> i & 1) != 0;
            collect(hub, ticks, change(was, is));
            was = is;
        }
        was = before;
        for (int i = 0; i < 3; i++) {
            boolean is = (right >> i & 1) != 0;
            Snapshot now = ticks.get(i + 1);
            hub.collectInto(history.beginResimulated(now.tick(), now), ticks.get(i), now, change(was, is));
            was = is;
        }
        collect(hub, ticks, change(was, was != changes));
        boolean[] on = new boolean[1];
        stream.drain(event -> {
            if (event.shape() == LASTING) {
                assertThat(event.kind()).as("never retracted").isEqualTo(Kind.CONTACT_LASTS);
            } else if (event.kind() != Kind.SPAWNED) {
                on[0] = event.kind() == Kind.CONTACT_BEGAN || event.kind() == Kind.CONTACT_ENDED_RETRACTED;
            }
        });
        return on[0];
    }

    private void collect(EventHub hub, List<Snapshot> ticks, EventHub.Source contacts) throws Exception {
        hub.beginTick(false);
        Snapshot last = latest;
        Snapshot now = world.tick(poses -> {});
        latest = now;
        hub.collect(last, now, contacts);
        hub.deliver();
        ticks.add(now);
    }

    private static EventHub.Source change(boolean was, boolean is) {
        return events -> {
            if (is && !was) {
                events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            } else if (was && !is) {
                events.contactEnded(0, 1);
            }
            events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
            events.lasts();
            events.shapes(0, LASTING, LASTING, false, true);
        };
    }
}
