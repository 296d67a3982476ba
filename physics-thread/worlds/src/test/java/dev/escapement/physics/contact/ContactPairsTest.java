package dev.escapement.physics.contact;

import static dev.escapement.state.event.BodyEvent.NO_SHAPE;
import static dev.escapement.state.event.EventWriter.NO_SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ContactPairsTest {

    private static final int BODIES = 8;

    private final ContactPairs pairs = new ContactPairs();
    private final BitSet asleep = new BitSet();
    private final ManualClock clock = new ManualClock(0);
    private Runnable touch = () -> {};
    private ContactPairs.Sleepers sleepers = ContactPairs.Sleepers.TOUCH;
    private final InlineDriver driver = PhysicsService.builder(new Simulation() {
                @Override
                public void step(Tick tick) {
                    touch.run();
                }

                @Override
                public void capture(PoseWriter poses) {
                    poses.bodyCount(BODIES);
                    for (int slot = 0; slot < BODIES; slot++) {
                        poses.set(slot, 0, 0, 0, 0, 0, 0, 1);
                    }
                }

                @Override
                public void events(EventWriter events) {
                    pairs.report(asleep, sleepers, events);
                }
            })
            .inline(clock);
    private final EventStream events = driver.events(1024);

    @Test
    void shouldMeasureWhereContactsBeganFromTheOrigin() {
        touch = () -> {
            pairs.touch(1, 2);
            pairs.point(1e7 + 0.125, 20, 0, 0, 1, 0, 0);
            pairs.origin(1e7, 0, -3); // the origin moves in the capture after the step
        };
        tick();
        assertThat(began(event -> List.of(event.x(), event.y(), event.z()))).containsExactly(List.of(0.125f, 20f, 3f));
    }

    @Test
    void shouldReportTheDeepestPointTurnedWithThePair() {
        touch = () -> {
            pairs.touch(NO_SLOT, 2);
            pairs.point(1, 2, 3, 0, 1, 0, 0);
            pairs.touch(1, 0);
            pairs.point(1, 2, 3, 0, 1, 0, 0);
            pairs.touch(1, 2);
            pairs.point(1, 0, 0, 0, -1, 0, -0.01);
            pairs.point(2, 0, 0, 0, 1, 0, 0.02);
            pairs.point(3, 0, 0, 0, -1, 0, 0.01);
        };
        tick();
        assertThat(began(event -> List.of(event.x(), event.ny())))
                .containsExactly(
                        List.of(1f, -1f), List.of(2f, 1f), List.of(1f, -1f)); // 0 with 1, 1 with 2, 2 with the floor
    }

    @Test
    void shouldSumImpulsesOfPairsThatBeginInTheStep() {
        touch = () -> {
            assertThat(pairs.touch(2, 3)).isTrue();
            pairs.impulse(0.5);
            touch(4, NO_SLOT);
            assertThat(pairs.touch(3, 2)).as("another manifold").isTrue();
            pairs.impulse(1);
            pairs.impulse(Double.NaN);
            pairs.impulse(3, NO_SHAPE, 2, NO_SHAPE, 2); // reported by an engine separately from the contact
            pairs.impulse(NO_SLOT, NO_SHAPE, NO_SLOT, NO_SHAPE, 9);
            pairs.impulse(2, NO_SHAPE, NO_SLOT, NO_SHAPE, 9);
        };
        tick();
        touch = () -> {
            assertThat(pairs.touch(2, 3)).isFalse();
            pairs.impulse(7); // does not count, because the contact touched before
            pairs.impulse(2, NO_SHAPE, 3, NO_SHAPE, 7);
            touch(5, 6);
        };
        tick();
        assertThat(began(BodyEvent::impulse)).containsExactly(3.5f, Float.NaN, Float.NaN);
    }

    @Test
    void shouldKeepContactsThatSleep() {
        step(() -> {
            touch(0, 1);
            touch(1, NO_SLOT);
            touch(2, 1);
        });
        asleep.set(0, 2);
        assertThat(step(() -> {})).as("2 is awake").containsExactly("ended 1 2");
        assertThat(step(() -> {})).isEmpty();
        asleep.clear(1);
        assertThat(step(() -> touch(1, NO_SLOT))).containsExactly("ended 0 1");
        assertThat(step(() -> {})).containsExactly("ended 1 -");
    }

    @Test
    void shouldNotReportWhatMayHaveTouchedBeforeAnybodyWatched() {
        step(() -> touch(0, 1));
        pairs.forget(BODIES); // a step that is not watched
        asleep.set(2, 4);
        assertThat(step(() -> {
                    touch(0, 1);
                    touch(0, NO_SLOT);
                }))
                .as("as it was before, perhaps")
                .isEmpty();
        assertThat(step(() -> {
                    touch(0, 1);
                    touch(2, 3); // may have touched in their sleep: not reported
                    touch(1, 2); // 1 was awake, so the contact is new
                    touch(1, NO_SLOT);
                }))
                .containsExactly("ended 0 -", "began 1 -", "began 1 2");
        asleep.clear();
        assertThat(step(() -> {})).containsExactly("ended 0 1", "ended 1 -", "ended 1 2", "ended 2 3");
        assertThat(step(() -> touch(2, 3))).containsExactly("began 2 3");
    }

    @Test
    void shouldTellWhatIsNotAttachedApart() {
        Object floor = "floor";
        assertThat(step(() -> {
                    touch(1, pairs.unattachedObject(floor));
                    touch(1, ContactPairs.unattached(77));
                    // No side is attached, so this is no contact.
                    touch(ContactPairs.unattached(77), pairs.unattachedObject(floor));
                }))
                .containsExactly("began 1 - key 1", "began 1 - key 77");
        assertThat(step(() -> touch(pairs.unattachedObject(floor), 1))).containsExactly("ended 1 - key 77");
        assertThat(pairs.objectOf(pairs.unattachedObject(floor))).isSameAs(floor);
    }

    @Test
    void shouldReportFirstAndLastPairsOfShapes() {
        assertThat(step(() -> {
                    pairs.touch(2, 7, 1, 5, false);
                    pairs.touch(1, 5, 2, 8, false);
                }))
                .containsExactly("began 1 2 shapes 5 7 of bodies", "began 1 2 shapes 5 8");
        assertThat(step(() -> {
                    pairs.touch(1, 5, 2, 8, false);
                    pairs.touch(1, 6, 2, 8, false);
                }))
                .as("they touched all the time")
                .containsExactly("ended 1 2 shapes 5 7", "began 1 2 shapes 6 8");
        assertThat(step(() -> pairs.touch(1, 6, 2, 8, false))).containsExactly("ended 1 2 shapes 5 8");
        assertThat(step(() -> {})).containsExactly("ended 1 2 shapes 6 8 of bodies");
    }

    @Test
    void shouldEndAContactOfASensorThatBecomesSolid() {
        assertThat(step(() -> pairs.touch(1, 0, 2, 0, true))).containsExactly("began 1 2 shapes 0 0 sensor of bodies");
        assertThat(step(() -> pairs.touch(1, 0, 2, 0, false)))
                .containsExactly("ended 1 2 shapes 0 0 sensor of bodies", "began 1 2 shapes 0 0 of bodies");
    }

    @Test
    void shouldReportLastingImpulsesOfChosenBodiesOnly() {
        List<String> lasts = new ArrayList<>();
        Runnable both = () -> {
            for (int slot = 1; slot < 3; slot++) {
                if (pairs.touch(slot, NO_SLOT)) {
                    pairs.point(slot, 0, 0, 0, -1, 0, 0);
                    pairs.impulse(0.5);
                }
            }
            pairs.touch(1, 3); // without a known impulse
        };
        step(both);
        pairs.tellLasting(1, true);
        touch = both;
        tick();
        events.drain(event -> lasts.add(event.kind() + " " + BodyId.slot(event.body()) + " " + event.impulse() + " "
                + event.x() + " " + event.closingSpeed()));
        assertThat(lasts).containsExactly("CONTACT_LASTS 1 0.5 1.0 NaN");
        pairs.tellLasting(1, false);
        assertThat(step(both)).isEmpty();
        assertThat(step(() -> {})).hasSize(3);
    }

    @Test
    void shouldCheckSleepersOnceInEightSteps() {
        step(() -> {
            pairs.touch(0, 4, 1, 5, true);
            pairs.touch(2, 3);
        });
        asleep.set(0, 4);
        List<String> asked = new ArrayList<>();
        sleepers = (side, shape, other, otherShape, isSensor) -> {
            asked.add(side + " " + shape + " " + other + " " + otherShape + " " + isSensor);
            return true;
        };
        for (int i = 0; i < 8; i++) {
            assertThat(step(() -> {})).isEmpty();
        }
        assertThat(asked).containsExactlyInAnyOrder("0 4 1 5 true", "2 -1 3 -1 false");
        sleepers = (side, shape, other, otherShape, isSensor) -> !isSensor;
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ended.addAll(step(() -> {}));
        }
        assertThat(ended).containsExactly("ended 0 1 shapes 4 5 sensor of bodies");
    }

    @Test
    void shouldContinueFromASavedState() {
        step(() -> {
            pairs.touch(1, 0, 2, 0, false);
            pairs.touch(1, 1, 2, 0, false);
            touch(3, ContactPairs.unattached(9));
        });
        StateBuffer state = new StateBuffer();
        pairs.save(state);
        step(() -> {});
        state.rewind();
        pairs.restore(state);
        assertThat(step(() -> {
                    pairs.touch(1, 1, 2, 0, false);
                    touch(3, ContactPairs.unattached(9));
                }))
                .containsExactly("ended 1 2 shapes 0 0");
        assertThat(step(() -> {})).containsExactly("ended 1 2 shapes 1 0 of bodies", "ended 3 - key 9");
    }

    @Test
    void shouldReportTheDifferenceBetweenSteps() {
        Random random = new Random(11);
        TreeSet<String> before = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            TreeSet<String> now = new TreeSet<>();
            List<String> reported = step(() -> {
                for (int slot = 0; slot < BODIES; slot++) {
                    for (int other = NO_SLOT; other < slot; other++) {
                        if (random.nextInt(3) == 0) {
                            touch(slot, other);
                            touch(slot, other);
                            if (other != NO_SLOT) {
                                touch(other, slot);
                            }
                            now.add(other == NO_SLOT ? slot + " -" : other + " " + slot);
                        }
                    }
                }
            });
            TreeSet<String> expected = new TreeSet<>();
            now.stream().filter(pair -> !before.contains(pair)).forEach(pair -> expected.add("began " + pair));
            before.stream().filter(pair -> !now.contains(pair)).forEach(pair -> expected.add("ended " + pair));
            assertThat(reported).containsExactlyInAnyOrderElementsOf(expected);
            before.clear();
            before.addAll(now);
        }
    }

    private <T> List<T> began(Function<BodyEvent, T> what) {
        List<T> began = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                began.add(what.apply(event));
            }
        });
        return began;
    }

    private void touch(long slot, long other) {
        pairs.touch(slot, other);
    }

    private List<String> step(Runnable touches) {
        touch = touches;
        tick();
        List<String> reported = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN || event.kind() == BodyEvent.Kind.CONTACT_ENDED) {
                boolean hasShapes = event.shape() != NO_SHAPE;
                reported.add((event.kind() == BodyEvent.Kind.CONTACT_BEGAN ? "began " : "ended ")
                        + BodyId.slot(event.body())
                        + " "
                        + (event.other() == BodyEvent.NO_BODY ? "-" : BodyId.slot(event.other()))
                        + (event.otherKey() == 0 ? "" : " key " + event.otherKey())
                        + (hasShapes ? " shapes " + event.shape() + " " + event.otherShape() : "")
                        + (event.isSensor() ? " sensor" : "")
                        + (hasShapes && event.isOfBodies() ? " of bodies" : ""));
            }
        });
        return reported;
    }

    private void tick() {
        clock.advance(10_000_000);
        driver.runDueTicks();
    }
}
