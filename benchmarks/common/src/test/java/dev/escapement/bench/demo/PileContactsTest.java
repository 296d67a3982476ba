package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every engine tells of the contacts in a pile of boxes. */
@ParameterizedClass
@EnumSource(Piles.class)
class PileContactsTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int MANY = 60;

    /** A box falls half a metre to the floor: 0.319 s by Galilei. */
    private static final long FALLEN_TICK = 32;

    /** By then a box that fell has come to rest and sleeps. */
    private static final int ASLEEP_TICK = 300;

    private final ManualClock clock = new ManualClock(0);

    private final Piles engine;

    PileContactsTest(Piles engine) {
        this.engine = engine;
    }

    @Test
    void aBoxThatFallsBeginsToTouchTheFloorOnce() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(1)))) {
            EventStream events = driver.events(64);
            tick(driver, ASLEEP_TICK);
            List<String> told = new ArrayList<>();
            events.drain(event -> {
                told.add(event.kind().toString());
                if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                    assertThat(event.tick()).isBetween(FALLEN_TICK - 1, FALLEN_TICK + 1);
                    assertThat(event.body()).isEqualTo(BodyId.of(0, 1));
                    assertThat(event.other()).isEqualTo(BodyEvent.NO_BODY);
                    assertThat(event.y()).isCloseTo(0, within(0.05f));
                    assertThat(event.x()).isBetween(-0.7f, 0.7f);
                    assertThat(event.z()).isBetween(-0.7f, 0.7f);
                    assertThat(event.nx()).isCloseTo(0, within(0.01f));
                    assertThat(event.ny()).isCloseTo(-1, within(0.01f));
                    assertThat(event.nz()).isCloseTo(0, within(0.01f));
                }
            });
            assertThat(told).containsExactly("SPAWNED", "CONTACT_BEGAN");
        }
    }

    @Test
    void aContactThatRestsAsleepHasNotEndedUntilTheBoxesArePushedApart() {
        try (EnginePile<?> simulation = engine.create(new BoxPile(1))) {
            InlineDriver driver = drive(simulation);
            EventStream events = driver.events(64);
            tick(driver, ASLEEP_TICK);
            long asleep = simulation.hash();
            tick(driver, 10);
            assertThat(simulation.hash()).as("it sleeps").isEqualTo(asleep);
            drain(events);
            push(driver);
            tick(driver, 4);
            assertThat(drain(events)).hasSize(1).first().asString().contains("CONTACT_ENDED 0#1 with what has no pose");
            tick(driver, ASLEEP_TICK);
            assertThat(drain(events))
                    .as("it fell again")
                    .isNotEmpty()
                    .last()
                    .asString()
                    .contains("CONTACT_BEGAN");
        }
    }

    @Test
    void everyContactBeginsAndEndsInTurn() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(MANY)))) {
            EventStream events = driver.events(4096);
            Set<String> open = new HashSet<>();
            int[] ended = new int[1];
            for (int tick = 0; tick < 800; tick++) {
                if (tick % 50 == 0) {
                    push(driver);
                }
                tick(driver, 1);
                events.drain(event -> {
                    String pair = BodyId.toString(event.body()) + " " + BodyId.toString(event.other());
                    switch (event.kind()) {
                        case CONTACT_BEGAN ->
                            assertThat(open.add(pair)).as("%s", event).isTrue();
                        case CONTACT_ENDED -> {
                            assertThat(open.remove(pair)).as("%s", event).isTrue();
                            ended[0]++;
                        }
                        default -> assertThat(event.kind()).isEqualTo(BodyEvent.Kind.SPAWNED);
                    }
                });
            }
            assertThat(ended[0]).isGreaterThan(10);
            assertThat(open).as("all boxes lie on something").hasSizeGreaterThanOrEqualTo(MANY);
        }
    }

    @Test
    void aContactBeginsWhereBothBodiesAre() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(MANY)))) {
            EventStream events = driver.events(4096);
            SnapshotReader reader = driver.newReader();
            tick(driver, 3);
            int[] pairs = new int[1];
            for (int tick = 0; tick < 300; tick++) {
                tick(driver, 1);
                assertThat(reader.acquire()).isTrue();
                PoseBlock poses = reader.window().newest().poses().block(0);
                events.drain(event -> {
                    if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN && event.other() != BodyEvent.NO_BODY) {
                        assertReaches(poses, BodyId.slot(event.body()), event, 1);
                        assertReaches(poses, BodyId.slot(event.other()), event, -1);
                        pairs[0]++;
                    }
                });
            }
            assertThat(pairs[0]).isGreaterThan(MANY / 2);
        }
    }

    /** No point of a box is further than half its diagonal from its centre; a fast one moves a tenth of a metre in a tick. */
    private static void assertReaches(PoseBlock poses, int slot, BodyEvent event, int towards) {
        double x = event.x() - poses.px[slot];
        double y = event.y() - poses.py[slot];
        double z = event.z() - poses.pz[slot];
        assertThat(Math.sqrt(x * x + y * y + z * z)).as("%s", event).isLessThan(0.87 + 0.2);
        assertThat(towards * (x * event.nx() + y * event.ny() + z * event.nz()))
                .as("the normal points from the body to the other: %s", event)
                .isPositive();
    }

    @Test
    void twoRunsTellTheSameInTheSameOrder() {
        List<String> first = eventsOfAPile();
        assertThat(first).hasSizeGreaterThan(2 * MANY);
        assertThat(eventsOfAPile()).isEqualTo(first);
    }

    @Test
    void whoListensDoesNotChangeTheBits() {
        try (EnginePile<?> heard = engine.create(new BoxPile(MANY));
                EnginePile<?> unheard = engine.create(new BoxPile(MANY))) {
            InlineDriver one = drive(heard);
            InlineDriver other = drive(unheard);
            EventStream events = one.events(64);
            for (int tick = 0; tick < 200; tick++) {
                if (tick == 50) {
                    push(one);
                    push(other);
                }
                if (tick == 150) {
                    events.close();
                }
                clock.advance(TICK_NANOS);
                one.runDueTicks();
                other.runDueTicks();
                assertThat(heard.hash()).isEqualTo(unheard.hash());
            }
        }
    }

    @Test
    void whatTouchedBeforeAnybodyListenedDoesNotBeginLater() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(1)))) {
            tick(driver, (int) FALLEN_TICK + 10);
            EventStream early = driver.events(64);
            tick(driver, 10);
            assertThat(drain(early)).as("it lies there, awake").isEmpty();
            push(driver);
            tick(driver, 4);
            assertThat(drain(early)).hasSize(1).first().asString().contains("CONTACT_ENDED");
            early.close();
            tick(driver, ASLEEP_TICK);
            EventStream late = driver.events(64);
            tick(driver, 10);
            push(driver);
            tick(driver, 4);
            assertThat(drain(late)).hasSize(1).first().asString().contains("CONTACT_ENDED");
        }
    }

    @Test
    void aPileOfNoBoxesHasNoContacts() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(0)))) {
            EventStream events = driver.events(1);
            tick(driver, 5);
            assertThat(drain(events)).isEmpty();
        }
    }

    private List<String> eventsOfAPile() {
        try (InlineDriver driver = drive(engine.create(new BoxPile(MANY)))) {
            EventStream events = driver.events(8192);
            tick(driver, 100);
            push(driver);
            tick(driver, 100);
            return drain(events);
        }
    }

    private InlineDriver drive(EnginePile<?> simulation) {
        return PhysicsService.builder(simulation).inline(clock);
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(ticks);
    }

    private void push(InlineDriver driver) {
        assertThat(driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5))
                .isTrue();
    }

    private static List<String> drain(EventStream events) {
        List<String> texts = new ArrayList<>();
        events.drain(event -> texts.add(event.toString()));
        return texts;
    }
}
