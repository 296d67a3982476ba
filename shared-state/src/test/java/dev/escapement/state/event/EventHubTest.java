package dev.escapement.state.event;

import static dev.escapement.state.capture.CapturedWorld.setAll;
import static dev.escapement.state.capture.CapturedWorld.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventHubTest {

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final EventHub hub = new EventHub();
    private @Nullable Snapshot latest;

    @Test
    void shouldForgetWhatIsDiscarded() throws Exception {
        List<String> asked = new ArrayList<>();
        EventHub.Source source = contacts -> {
            contacts.contactBegan(3, 4, 0, 0, 0, 0, 0, 1);
            contacts.contactEnded(3, EventWriter.NO_SLOT);
            asked.add("asked");
        };
        hub.beginTick(false);
        hub.discard(source);
        assertThat(asked).as("no subscriber").isEmpty();
        hub.beginTick(true);
        hub.discard(source);
        assertThat(asked).hasSize(1);
        EventStream stream = hub.subscribe(16);
        tick(poses -> spawn(poses, 70));
        assertThat(drained(stream)).containsExactly("BodyEvent[tick 1 SPAWNED 0#1 user data 70]");
    }

    @Test
    void shouldReportNoBodyThatNoSnapshotEverShowed() throws Exception {
        EventStream stream = hub.subscribe(16);
        tick(poses -> spawn(poses, 6));
        drained(stream);
        tick(poses -> poses.despawn(spawn(poses, 9)));
        tick(poses -> {
            poses.despawn(BodyId.of(0, 1));
            poses.despawn(spawn(poses, 8));
            spawn(poses, 7);
        });
        assertThat(drained(stream))
                .containsExactly(
                        "BodyEvent[tick 3 DESPAWNED 0#1 user data 6]", "BodyEvent[tick 3 SPAWNED 0#5 user data 7]");
    }

    @Test
    void shouldFollowWholeBlocksThatComeAndGo() throws Exception {
        EventStream stream = hub.subscribe(8192);
        int[] live = new int[1];
        for (int bodies : new int[] {10, 3000, 5, 1025, 0}) {
            tick(poses -> setAll(poses, bodies));
            stream.drain(event -> live[0] += event.kind() == BodyEvent.Kind.SPAWNED ? 1 : -1);
            assertThat(live[0]).isEqualTo(bodies);
        }
    }

    @Test
    void shouldEndContactsOfDespawnedBodiesUnderTheirOldIds() throws Exception {
        EventStream stream = withBodies(3);
        tick(
                poses -> {
                    poses.despawn(BodyId.of(2, 1));
                    poses.despawn(BodyId.of(1, 1));
                    spawn(poses, 5); // reuses slot 1
                },
                events -> {
                    events.contactEnded(2, 0);
                    events.contactEnded(0, 1);
                    events.contactBegan(1, 0, 0, 0, 0, 1, 0, 0);
                });
        assertThat(drained(stream))
                .containsExactly(
                        "BodyEvent[tick 2 CONTACT_ENDED 0#1 with 1#1]",
                        "BodyEvent[tick 2 CONTACT_ENDED 0#1 with 2#1]",
                        "BodyEvent[tick 2 CONTACT_BEGAN 0#1 with 1#3 at (0.0, 0.0, 0.0) normal (-1.0, 0.0, 0.0)]",
                        "BodyEvent[tick 2 DESPAWNED 1#1 user data 0]",
                        "BodyEvent[tick 2 DESPAWNED 2#1 user data 0]",
                        "BodyEvent[tick 2 SPAWNED 1#3 user data 5]");
    }

    /** In a pause, a body despawns before a viewer subscribes. Its contact ends in the next tick. */
    @Test
    void shouldEndContactsOfBodiesDespawnedBeforeSubscribing() throws Exception {
        tick(poses -> setAll(poses, 3));
        unstepped(poses -> poses.bodyCount(2));
        EventStream stream = hub.subscribe(16);
        tick(poses -> {}, events -> events.contactEnded(2, EventWriter.NO_SLOT));
        assertThat(drained(stream))
                .containsExactly("BodyEvent[tick 3 CONTACT_ENDED 2#1 with something without a pose]");
    }

    /** Each command replaces 200 bodies, a million in all. Only slot 0 had a body in the last step. */
    @Test
    void shouldKeepOneBodyForEachSlotOfAPause() throws Exception {
        List<Long> bodies = new ArrayList<>();
        tick(poses -> bodies.add(spawn(poses, 7)));
        for (int command = 0; command < 5000; command++) {
            unstepped(poses -> {
                bodies.forEach(poses::despawn);
                bodies.clear();
                for (int body = 0; body < 200; body++) {
                    bodies.add(spawn(poses, 8));
                }
            });
        }
        assertThat(hub.unstepped.count()).isEqualTo(200);
        EventStream stream = hub.subscribe(16);
        tick(poses -> {}, events -> {
            events.contactEnded(0, EventWriter.NO_SLOT);
            events.contactEnded(1, EventWriter.NO_SLOT);
        });
        List<String> ended = new ArrayList<>();
        stream.drain(event -> ended.add(BodyId.toString(event.body()) + " " + event.userData()));
        assertThat(ended).containsExactly("0#1 7", BodyId.toString(bodies.get(1)) + " 8");
        assertThat(hub.unstepped.count()).isZero();
    }

    /** A search in a list for each ended contact would take a minute. */
    @Test
    @Timeout(30)
    void shouldEndTheContactsOfAClearedScene() throws Exception {
        int bodies = 300_000;
        tick(poses -> setAll(poses, bodies));
        unstepped(poses -> poses.bodyCount(0));
        EventStream stream = hub.subscribe(1 << 19);
        tick(poses -> {}, events -> {
            for (int slot = 0; slot < bodies; slot++) {
                events.contactEnded(slot, EventWriter.NO_SLOT);
            }
        });
        assertThat(stream.drain(event -> {})).isEqualTo(bodies);
    }

    private void unstepped(Capture.Source poses) {
        Snapshot before = latest;
        latest = world.tick(poses);
        hub.collectLifecycles(before, latest);
        hub.deliver();
    }

    @Test
    void shouldNameTheTouchingShapesInBodyOrder() throws Exception {
        EventStream stream = withBodies(2);
        tick(poses -> {}, events -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> events.shapes(0, 1, 2, false, true))
                    .withMessage("no contact was reported yet in this tick; report one before you say more of it");
            began(events, 1, 0);
            events.shapes(0, 5, 6, true, false);
            events.contactEnded(EventWriter.NO_SLOT, 1);
            events.shapes(77, 8, 9, false, false);
            events.contactBegan(1, 0, 1, 2, 3, 0, -1, 0);
            events.lasts();
            events.shapes(0, 7, 6, false, true);
            events.strength(2, Float.NaN);
            events.contactEnded(0, 1);
        });
        assertThat(drained(stream))
                .containsExactly(
                        "BodyEvent[tick 2 CONTACT_ENDED 0#1 with 1#1]",
                        "BodyEvent[tick 2 CONTACT_BEGAN 0#1 with 1#1 (shapes 6 and 5), a sensor"
                                + " at (0.0, 0.0, 0.0) normal (0.0, -1.0, 0.0)]",
                        "BodyEvent[tick 2 CONTACT_LASTS 0#1 with 1#1 (shapes 6 and 7)"
                                + " at (1.0, 2.0, 3.0) normal (0.0, 1.0, 0.0) impulse 2.0 N s]",
                        "BodyEvent[tick 2 CONTACT_ENDED 1#1 with something without a pose (shapes 9 and 8)]");
        tick(poses -> {}, events -> {
            events.contactEnded(EventWriter.NO_SLOT, 1);
            events.shapes(77, 8, 9, false, false);
            events.contactEnded(0, 1);
        });
        List<String> told = new ArrayList<>();
        stream.drain(event -> told.add(event.shape() + " " + event.otherShape() + " " + event.otherKey() + " "
                + event.isSensor() + " " + event.isOfBodies()));
        assertThat(told).containsExactly("-1 -1 0 false true", "9 8 77 false false");
    }

    /** Whichever shapes an engine reports first, the first contact that begins and the last that ends are of the bodies. */
    @Test
    void shouldOrderContactsOfTwoBodiesByKindBeforeShape() throws Exception {
        EventStream stream = withBodies(2);
        tick(poses -> {}, events -> {
            began(events, 0, 1);
            events.shapes(0, 4, 0, false, true);
            events.contactEnded(0, 1);
            events.shapes(0, 2, 0, false, true);
            began(events, 0, 1);
            events.shapes(0, 1, 0, false, false);
            events.contactEnded(0, 1);
            events.shapes(0, 3, 0, false, false);
            began(events, 0, 1);
            events.shapes(0, 0, 0, true, true);
        });
        List<String> told = new ArrayList<>();
        stream.drain(event ->
                told.add(event.kind() + " " + event.shape() + " " + event.isSensor() + " " + event.isOfBodies()));
        assertThat(told)
                .containsExactly(
                        "CONTACT_ENDED 2 false false",
                        "CONTACT_ENDED 3 false true",
                        "CONTACT_BEGAN 1 false true",
                        "CONTACT_BEGAN 4 false false",
                        "CONTACT_BEGAN 0 true true");
    }

    @Test
    void shouldHaveUserDataOfBothSidesAlsoAfterDespawn() throws Exception {
        EventStream stream = hub.subscribe(16);
        tick(poses -> {
            spawn(poses, 70);
            spawn(poses, 71);
        });
        List<String> told = new ArrayList<>();
        tick(
                poses -> {
                    poses.despawn(BodyId.of(0, 1));
                    spawn(poses, 72); // reuses slot 0
                },
                events -> {
                    events.contactEnded(1, 0);
                    began(events, 1, 0);
                    began(events, EventWriter.NO_SLOT, 1);
                });
        stream.drain(event -> told.add(event.kind() + " " + event.userData() + " " + event.otherUserData()));
        assertThat(told)
                .containsExactly(
                        "SPAWNED 70 0",
                        "SPAWNED 71 0",
                        "DESPAWNED 70 0",
                        "CONTACT_ENDED 70 71",
                        "CONTACT_BEGAN 71 0",
                        "CONTACT_BEGAN 71 72",
                        "SPAWNED 72 0");
    }

    @Test
    void shouldReportWhatIsNotFiniteAsUnknown() throws Exception {
        EventStream stream = withBodies(1);
        tick(poses -> {}, events -> {
            events.contactBegan(0, EventWriter.NO_SLOT, 1, 2, Float.NaN, 0, 1, 0);
            events.contactBegan(0, EventWriter.NO_SLOT, 1, 2, 3, Float.POSITIVE_INFINITY, 1, 0);
        });
        assertThat(drained(stream))
                .containsOnly("BodyEvent[tick 2 CONTACT_BEGAN 0#1 with something without a pose at (0.0, 0.0, 0.0)"
                        + " normal (0.0, 0.0, 0.0)]")
                .hasSize(2);
    }

    @Test
    void shouldRefuseContactsThatCannotBe() throws Exception {
        withBodies(2);
        List<EventWriter> kept = new ArrayList<>();
        tick(poses -> {}, events -> {
            kept.add(events);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> began(events, 0, 2))
                    .withMessage("there is no body in slot 2 at tick 2, which has 2 bodies in slots 0 to 1");
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> began(events, -2, 0))
                    .withMessageContaining("no body in slot -2");
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> events.contactEnded(0, 2))
                    .withMessageContaining("there is no body in slot 2 at tick 2");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> began(events, 1, 1))
                    .withMessage("body 1 cannot touch itself in tick 2");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> events.contactEnded(EventWriter.NO_SLOT, EventWriter.NO_SLOT))
                    .withMessage("a contact needs a body, but both sides are NO_SLOT");
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> began(kept.get(0), 0, 1))
                .withMessage("contacts can be reported only while a tick's events are collected");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hub.subscribe(3))
                .withMessageStartingWith("the capacity of an event stream must be a positive power of two, but is 3");
    }

    @Test
    void shouldCollectNothingWithoutSubscribers() throws Exception {
        tick(poses -> spawn(poses, 0), events -> {
            throw new AssertionError("events are not wanted");
        });
        EventStream stream = hub.subscribe(4);
        assertThat(hub.beginTick(false)).isTrue();
        stream.close();
        stream.close();
        assertThat(hub.beginTick(false)).isFalse();
        assertThat(drained(stream)).isEmpty();
    }

    @Test
    void shouldDeliverTicksThatBeganAfterTheSubscription() throws Exception {
        hub.beginTick(false);
        EventStream stream = hub.subscribe(4);
        Snapshot snapshot = world.tick(poses -> spawn(poses, 0));
        hub.collect(null, snapshot, events -> {
            throw new AssertionError("this tick began before");
        });
        latest = snapshot;
        tick(poses -> spawn(poses, 1));
        assertThat(drained(stream)).containsExactly("BodyEvent[tick 2 SPAWNED 1#1 user data 1]");
    }

    @Test
    void shouldRefuseToDrainAStreamWhileItIsDrained() throws Exception {
        EventStream stream = hub.subscribe(16);
        tick(poses -> spawn(poses, 70));
        assertThatIllegalStateException()
                .isThrownBy(() -> stream.drain(event -> stream.drain(inner -> {})))
                .withMessageContaining("drains one that is being drained");
        tick(poses -> spawn(poses, 71));
        assertThat(drained(stream)).as("it can resume").hasSize(1);
    }

    private EventStream withBodies(int bodies) throws Exception {
        EventStream stream = hub.subscribe(64);
        tick(poses -> setAll(poses, bodies));
        drained(stream);
        return stream;
    }

    private void tick(Capture.Source poses) throws Exception {
        tick(poses, events -> {});
    }

    private void tick(Capture.Source poses, EventHub.Source contacts) throws Exception {
        hub.beginTick(false);
        Snapshot before = latest;
        Snapshot now = world.tick(poses);
        latest = now;
        try {
            hub.collect(before, now, contacts);
        } finally {
            hub.deliver();
        }
    }

    /** Drains the stream into texts, because the stream reuses its event objects. */
    private static List<String> drained(EventStream stream) {
        List<String> texts = new ArrayList<>();
        stream.drain(event -> texts.add(event.toString()));
        return texts;
    }

    private static void began(EventWriter events, int slot, int other) {
        events.contactBegan(slot, other, 0, 0, 0, 0, 1, 0);
    }
}
