package dev.escapement.physics.contact;

import static dev.escapement.state.event.EventWriter.NO_BODY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
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
import org.junit.jupiter.api.Test;

/** Steps in which bodies 0 to 7 touch each other and the floor as a test says. */
class ContactPairsTest {

    private static final int BODIES = 8;

    private final ContactPairs pairs = new ContactPairs();
    private final BitSet asleep = new BitSet();
    private final ManualClock clock = new ManualClock(0);
    private Runnable touch = () -> {};
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
                    pairs.report(asleep, events);
                }
            })
            .inline(clock);
    private final EventStream events = driver.events(1024);

    @Test
    void shouldMeasureWhereContactsBeganFromTheOrigin() {
        touch = () -> {
            pairs.begin(1, 2, 1e7 + 0.125, 20, 0, 0, 1, 0);
            pairs.origin(1e7, 0, -3); // it moves in the capture after the step
        };
        tick();
        List<Float> places = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                places.addAll(List.of(event.x(), event.y(), event.z()));
            }
        });
        assertThat(places).containsExactly(0.125f, 20f, 3f);
    }

    @Test
    void shouldTurnTheNormalWithThePair() {
        List<Float> normals = new ArrayList<>();
        touch = () -> {
            pairs.begin(NO_BODY, 2, 1, 2, 3, 0, 1, 0);
            pairs.begin(1, 0, 1, 2, 3, 0, 1, 0);
            pairs.begin(1, 2, 1, 2, 3, 0, 1, 0);
        };
        tick();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                normals.add(event.ny());
            }
        });
        assertThat(normals).containsExactly(-1f, 1f, -1f); // 0 with 1, 1 with 2, 2 with the floor
    }

    @Test
    void shouldSumImpulsesOfPairsThatBeginInTheStep() {
        List<Float> impulses = new ArrayList<>();
        touch = () -> {
            assertThat(pairs.began(2, 3)).isFalse();
            touch(2, 3);
            assertThat(pairs.began(3, 2)).isTrue();
            touch(4, NO_BODY);
            assertThat(pairs.see(2, 3)).isTrue(); // of another manifold
            pairs.impulse(2, 3, 0.5);
            pairs.impulse(3, 2, 1);
            pairs.impulse(2, 3, Double.NaN);
            pairs.impulse(NO_BODY, NO_BODY, 9);
            pairs.impulse(2, NO_BODY, 9);
        };
        tick();
        touch = () -> {
            touch(2, 3);
            assertThat(pairs.began(2, 3)).isFalse();
            pairs.impulse(2, 3, 7); // of one that touched before
            touch(5, 6);
        };
        tick();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                impulses.add(event.impulse());
            }
        });
        assertThat(impulses).containsExactly(1.5f, Float.NaN, Float.NaN);
    }

    @Test
    void shouldKeepWhereEachBeganHoweverManyDo() {
        touch = () -> {
            for (int slot = 0; slot < BODIES; slot++) {
                for (int other = slot + 1; other < BODIES; other++) {
                    pairs.begin(slot, other, slot, other, 3, 0, 1, 0);
                }
            }
        };
        tick();
        int[] begun = new int[1];
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                assertThat(event.x()).isEqualTo((float) BodyId.slot(event.body()));
                assertThat(event.y()).isEqualTo((float) BodyId.slot(event.other()));
                assertThat(event.ny()).isEqualTo(1);
                begun[0]++;
            }
        });
        assertThat(begun[0]).isEqualTo(BODIES * (BODIES - 1) / 2);
    }

    @Test
    void shouldKeepContactsThatSleep() {
        step(() -> {
            touch(0, 1);
            touch(1, NO_BODY);
            touch(2, 1);
        });
        asleep.set(0, 2);
        assertThat(step(() -> {})).as("2 is awake").containsExactly("ended 1 2");
        assertThat(step(() -> {})).isEmpty();
        asleep.clear(1);
        assertThat(step(() -> touch(1, NO_BODY))).containsExactly("ended 0 1");
        assertThat(step(() -> {})).containsExactly("ended 1 -");
    }

    @Test
    void shouldNotReportWhatMayHaveTouchedBeforeAnybodyWatched() {
        step(() -> touch(0, 1));
        pairs.forget(BODIES); // a step that is not watched
        asleep.set(2, 4);
        assertThat(step(() -> {
                    touch(0, 1);
                    touch(0, NO_BODY);
                }))
                .as("as it was before, perhaps")
                .isEmpty();
        assertThat(step(() -> {
                    touch(0, 1);
                    touch(2, 3); // as they wake
                    touch(1, 2); // which would have been seen earlier
                    touch(1, NO_BODY);
                }))
                .containsExactly("ended 0 -", "began 1 -", "began 1 2");
        asleep.clear();
        assertThat(step(() -> {})).containsExactly("ended 0 1", "ended 1 -", "ended 1 2", "ended 2 3");
        assertThat(step(() -> touch(2, 3))).containsExactly("began 2 3");
    }

    @Test
    void shouldNotReportTheEndOfWhatMayHaveEndedWhileNobodyWatched() {
        step(() -> touch(0, 1));
        pairs.forget(BODIES);
        assertThat(step(() -> {})).isEmpty();
        assertThat(step(() -> touch(0, 1))).containsExactly("began 0 1");
    }

    @Test
    void shouldRefuseToBeginTwice() {
        step(() -> touch(2, 3));
        assertThatIllegalStateException()
                .isThrownBy(() -> pairs.begin(3, 2, 0, 0, 0, 0, 0, 0))
                .withMessage("bodies 3 and 2 touch already; ask see() first");
    }

    @Test
    void shouldReportTheDifferenceBetweenSteps() {
        Random random = new Random(11);
        TreeSet<String> before = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            TreeSet<String> now = new TreeSet<>();
            List<String> reported = step(() -> {
                for (int slot = 0; slot < BODIES; slot++) {
                    for (int other = NO_BODY; other < slot; other++) {
                        if (random.nextInt(3) == 0) {
                            touch(slot, other);
                            touch(slot, other);
                            if (other != NO_BODY) {
                                touch(other, slot);
                            }
                            now.add(other == NO_BODY ? slot + " -" : other + " " + slot);
                        }
                    }
                }
            });
            TreeSet<String> expected = new TreeSet<>();
            now.stream().filter(pair -> !before.contains(pair)).forEach(pair -> expected.add("began " + pair));
            before.stream().filter(pair -> !now.contains(pair)).forEach(pair -> expected.add("ended " + pair));
            assertThat(new TreeSet<>(reported)).isEqualTo(expected);
            assertThat(reported).doesNotHaveDuplicates();
            before.clear();
            before.addAll(now);
        }
    }

    private void touch(int slot, int other) {
        if (!pairs.see(slot, other)) {
            pairs.begin(slot, other, 0, 0, 0, 0, 1, 0);
        }
    }

    private List<String> step(Runnable touches) {
        touch = touches;
        tick();
        List<String> reported = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN || event.kind() == BodyEvent.Kind.CONTACT_ENDED) {
                reported.add((event.kind() == BodyEvent.Kind.CONTACT_BEGAN ? "began " : "ended ")
                        + BodyId.slot(event.body())
                        + " "
                        + (event.other() == BodyEvent.NO_BODY ? "-" : BodyId.slot(event.other())));
            }
        });
        return reported;
    }

    private void tick() {
        clock.advance(10_000_000);
        driver.runDueTicks();
    }
}
