package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.escapement.physics.command.Spawned;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for the contacts of attached bodies. Runs on one thread. A test per engine extends this
 * class.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldContactsContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final double GRAVITY = 9.81;

    @Test
    void contactsOfAttachedBodiesBeginAndEnd() {
        B low = attach(game.addBox(0, 0.6), 1);
        B high = attach(game.addBox(0, 2), 2);
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        String floor = BodyId.toString(simulation.idOf(low)) + " with something without a pose";
        String pair = BodyId.toString(simulation.idOf(low)) + " with " + BodyId.toString(simulation.idOf(high));
        assertThat(open(contacts(events))).as("asleep too").containsExactlyInAnyOrder(floor, pair);
        command(() -> game.setVelocity(high, 0, 5));
        tick(10);
        assertThat(contacts(events)).anyMatch(event -> event.contains("CONTACT_ENDED " + pair));
    }

    @Test
    void aContactSaysWhereItBegan() {
        B low = attach(game.addBox(0, 0.5), 1);
        attach(game.addBox(0, 1.8), 2);
        EventStream events = driver.events(256);
        List<Float> seen = new ArrayList<>();
        for (int tick = 0; tick < 100 && seen.isEmpty(); tick++) {
            tick(1);
            events.drain(event -> {
                if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN && event.other() != BodyEvent.NO_BODY) {
                    assertThat(event.body()).isEqualTo(simulation.idOf(low));
                    assertThat(event.ny()).as("from the lower to the upper").isCloseTo(1, within(0.05f));
                    assertThat(event.y()).isCloseTo(1, within(0.1f));
                    assertThat(event.x()).isBetween(-0.6f, 0.6f);
                    seen.add(event.y());
                }
            });
        }
        assertThat(seen).hasSize(1);
    }

    @Test
    void aContactEndsWithTheBodyOfItsSlot() throws Exception {
        Spawned<B> first = spawn(0, 0.6, 1);
        EventStream events = driver.events(256);
        tick(30);
        assertThat(contacts(events))
                .hasSize(1)
                .first()
                .asString()
                .contains("CONTACT_BEGAN 0#1 with something without a pose");
        B gone = first.answer().get().value();
        command(() -> removeDetached(gone));
        tick(1);
        assertThat(contacts(events))
                .hasSize(1)
                .first()
                .asString()
                .contains("CONTACT_ENDED 0#1 with something without a pose");
        tick(3);
        spawn(0, 0.6, 2);
        tick(30);
        assertThat(contacts(events))
                .hasSize(1)
                .first()
                .asString()
                .contains("CONTACT_BEGAN 0#3 with something without a pose");
    }

    /** The other bodies continue to touch the detached body as an object without a pose. */
    @Test
    void aContactWithADetachedBodyEnds() {
        B low = attach(game.addBox(0, 0.5), 1);
        B high = attach(game.addBox(0, 1.5), 2);
        EventStream events = driver.events(256);
        tick(20);
        String pair = BodyId.toString(simulation.idOf(low)) + " with " + BodyId.toString(simulation.idOf(high));
        String rest = BodyId.toString(simulation.idOf(high)) + " with something without a pose";
        assertThat(open(contacts(events))).contains(pair);
        simulation.detach(low);
        command(() -> game.setVelocity(high, 0.01, 0)); // awake: an engine may report no sleepers
        tick(1);
        assertThat(contacts(events))
                .anyMatch(event -> event.contains("CONTACT_ENDED " + pair))
                .anyMatch(event -> event.contains("CONTACT_BEGAN " + rest));
    }

    /** Not every engine wakes a body that the game moves. */
    @Test
    void aSleepingBodyThatTheGameMovesLeavesItsContacts() {
        B box = attach(game.addBox(0, 0.6), 1);
        EventStream events = driver.events(64);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_BEGAN");
        command(() -> game.place(box, 2, 9));
        tick(1);
        assertShown(box);
        assertThat(game.pose(box)[0]).isCloseTo(2, within(0.01));
        assertThat(foundJumps()).as("no streak").isEqualTo(1);
        assertThat(contacts(events)).hasSize(1).first().asString().contains("CONTACT_ENDED");
    }

    /** The impulse is the part that the engine has applied, where contacts begin before bodies touch. */
    @Test
    void anImpulseIsWhatStopsABox() {
        double[] kilograms = new double[2];
        for (int i = 0; i < 2; i++) {
            B box = attach(game.addBox(10 * i, 0.5 + 1 + 3 * i), 1);
            EventStream events = driver.events(256);
            double before = 0;
            List<Began> began = List.of();
            for (int tick = 0; tick < 120 && began.isEmpty(); tick++) {
                before = velocities(box)[1];
                began = began(events, 1);
            }
            events.close();
            double stopped = velocities(box)[1] - before + GRAVITY * DT_SECONDS;
            kilograms[i] = began.get(0).impulse / stopped;
            assertThat(Double.isNaN(kilograms[i])).isEqualTo(!tellsImpulse());
        }
        if (tellsImpulse()) {
            assertThat(kilograms[0]).isPositive();
            assertThat(kilograms[1] / kilograms[0]).isCloseTo(1, withinPercentage(5));
        }
    }

    @Test
    void aClosingSpeedIsThatOfATurningPoint() {
        B box = attach(game.addBox(0, 3), 1);
        game.spin(box, 0, 0, 3);
        EventStream events = driver.events(256);
        double[] v = {};
        double x = 0;
        List<Began> began = List.of();
        for (int tick = 0; tick < 200 && began.isEmpty(); tick++) {
            v = velocities(box);
            x = game.pose(box)[0];
            began = began(events, 1);
        }
        Began touched = began.get(0);
        double turning = v[5] * (touched.x - x);
        assertThat(turning).as("counts").matches(speed -> Math.abs(speed) > 0.5);
        assertThat(touched.closingSpeed).isCloseTo(-v[1] - turning, within(0.2));
    }

    @Test
    void aClosingSpeedIncludesCommandsOfTheTick() {
        EventStream events = driver.events(256);
        tick(1);
        List<B> thrown = new ArrayList<>();
        command(() -> {
            B box = attach(game.addBox(0, 0.49), 1);
            game.setVelocity(box, 0, -7);
            thrown.add(box);
        });
        List<Began> began = began(events, 1);
        double closingSpeed = first(began, thrown.get(0)).closingSpeed;
        if (closingSpeedSeesCommands()) {
            assertThat(closingSpeed).isCloseTo(7, within(0.2));
        } else {
            assertThat(closingSpeed).isNaN();
        }
    }

    /** The body is detached before, in or after the tick in which it would touch. */
    @Test
    void aBodyDetachedInItsTouchingTickBeginsNothing() {
        for (int ticks = 8; ticks < 18; ticks++) {
            B box = attach(game.addBox(3 * ticks - 40, 0.6), 1);
            EventStream events = driver.events(256);
            tick(ticks);
            List<String> known = contacts(events);
            command(() -> removeDetached(box));
            tick(1);
            assertThat(open(known)).hasSizeLessThan(2);
            assertThat(contacts(events)).noneMatch(event -> event.contains("BEGAN"));
            events.close();
        }
    }

    private record Began(long body, float x, double impulse, double closingSpeed) {}

    private List<Began> began(EventStream events, int ticks) {
        tick(ticks);
        List<Began> began = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                assertThat(Float.isNaN(event.impulse())).isEqualTo(!tellsImpulse());
                began.add(new Began(event.body(), event.x(), event.impulse(), event.closingSpeed()));
            }
        });
        return began;
    }

    private Began first(List<Began> began, B body) {
        return began.stream()
                .filter(event -> event.body == simulation.idOf(body))
                .findFirst()
                .orElseThrow();
    }

    private double[] velocities(B body) {
        double[] velocities = new double[6];
        simulation.states.velocities(body, velocities);
        return velocities;
    }

    private static List<String> contacts(EventStream events) {
        List<String> reported = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN || event.kind() == BodyEvent.Kind.CONTACT_ENDED) {
                reported.add(event.toString().replaceAll(" \\(shapes [^)]*\\)", ""));
            }
        });
        return reported;
    }

    /** Returns the pairs that began and have not ended. Checks that each begins and ends in turn. */
    private static List<String> open(List<String> reported) {
        List<String> open = new ArrayList<>();
        for (String event : reported) {
            String pair = event.replaceAll("^.*CONTACT_(BEGAN|ENDED) ", "").replaceAll("( at .*)?]$", "");
            if (event.contains("CONTACT_BEGAN")) {
                assertThat(open).doesNotContain(pair);
                open.add(pair);
            } else {
                assertThat(open.remove(pair)).as(event).isTrue();
            }
        }
        return open;
    }
}
