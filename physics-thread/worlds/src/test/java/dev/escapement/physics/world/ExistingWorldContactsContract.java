package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.EventStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every {@code WorldSimulation} for contacts of bodies and shapes, attached or not, sensors, and sleeping bodies. */
public abstract class ExistingWorldContactsContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final double GRAVITY = 9.81;

    /** The sides and shapes that identify a contact. */
    private record Touch(long body, long other, long otherKey, int shape, int otherShape, boolean isSensor) {

        Set<Long> bodies() {
            return Set.of(body, other);
        }
    }

    private record Seen(
            Kind kind, Touch touch, boolean isOfBodies, float x, float y, float ny, float impulse, float closingSpeed) {

        static Seen of(BodyEvent e) {
            Touch touch = new Touch(e.body(), e.other(), e.otherKey(), e.shape(), e.otherShape(), e.isSensor());
            return new Seen(e.kind(), touch, e.isOfBodies(), e.x(), e.y(), e.ny(), e.impulse(), e.closingSpeed());
        }
    }

    private static List<Seen> contacts(EventStream events) {
        List<Seen> seen = new ArrayList<>();
        events.drain(event -> seen.add(Seen.of(event)));
        seen.removeIf(event -> event.kind == Kind.SPAWNED || event.kind == Kind.DESPAWNED);
        return seen;
    }

    private static List<Seen> of(Kind kind, List<Seen> seen) {
        return seen.stream().filter(contact -> contact.kind == kind).toList();
    }

    /** Adds contacts that begin, and removes contacts that end. A contact must not begin or end twice in a row. */
    private static void follow(Set<Touch> open, List<Seen> seen) {
        for (Seen event : seen) {
            assertThat(event.kind).isIn(Kind.CONTACT_BEGAN, Kind.CONTACT_ENDED);
            boolean isInTurn = event.kind == Kind.CONTACT_BEGAN ? open.add(event.touch) : open.remove(event.touch);
            assertThat(isInTurn).as("in turn: %s", event).isTrue();
        }
    }

    private static Stream<Set<Long>> open(List<Seen> seen) {
        Set<Touch> open = new HashSet<>();
        follow(open, seen);
        return open.stream().map(Touch::bodies);
    }

    private List<Seen> began(EventStream events, Runnable beforeTick, Predicate<Seen> isWanted) {
        List<Seen> began = List.of();
        for (int tick = 0; tick < 200 && began.isEmpty(); tick++) {
            beforeTick.run();
            tick(1);
            began = of(Kind.CONTACT_BEGAN, contacts(events)).stream()
                    .filter(isWanted)
                    .toList();
        }
        return began;
    }

    @Test
    void contactsOfAttachedBodiesBeginAndEnd() {
        B low = attach(game.addBox(0, 0.6), 1);
        B high = attach(game.addBox(0, 2), 2);
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        Set<Long> floor = Set.of(simulation.idOf(low), BodyEvent.NO_BODY);
        Set<Long> pair = Set.of(simulation.idOf(low), simulation.idOf(high));
        assertThat(open(contacts(events))).as("asleep too").containsExactlyInAnyOrder(floor, pair);
        command(() -> game.setVelocity(high, 0, 5));
        tick(10);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events)))
                .anyMatch(contact -> contact.touch.bodies().equals(pair));
    }

    @Test
    void aContactSaysWhereItBegan() {
        B low = attach(game.addBox(0, 0.5), 1);
        attach(game.addBox(0, 1.8), 2);
        List<Seen> began = began(driver.events(256), () -> {}, contact -> contact.touch.other != BodyEvent.NO_BODY);
        assertThat(began).hasSize(1);
        assertThat(began.get(0).touch.body).isEqualTo(simulation.idOf(low));
        assertThat(began.get(0).ny).as("from the lower to the upper").isCloseTo(1, within(0.05f));
        assertThat(began.get(0).y).isCloseTo(1, within(0.1f));
        assertThat(began.get(0).x).isBetween(-0.6f, 0.6f);
    }

    /** The other bodies continue to touch the detached body, as an object that readers do not see. */
    @Test
    void aContactWithADetachedBodyEnds() {
        B low = attach(game.addBox(0, 0.5), 1);
        B high = attach(game.addBox(0, 1.5), 2);
        EventStream events = driver.events(256);
        tick(20);
        Set<Long> pair = Set.of(simulation.idOf(low), simulation.idOf(high));
        Set<Long> rest = Set.of(simulation.idOf(high), BodyEvent.NO_BODY);
        assertThat(open(contacts(events))).contains(pair);
        simulation.detach(low);
        // Wakes the body, because an engine need not report sleeping bodies.
        command(() -> game.setVelocity(high, 0.01, 0));
        tick(1);
        assertThat(contacts(events))
                .extracting(Seen::kind, contact -> contact.touch.bodies())
                .contains(tuple(Kind.CONTACT_ENDED, pair), tuple(Kind.CONTACT_BEGAN, rest));
    }

    /** Not every engine wakes a body that the game moves. */
    @ParameterizedTest(name = "paused: {0}")
    @ValueSource(booleans = {false, true})
    void aSleepingBodyThatTheGameMovesLeavesItsContacts(boolean paused) {
        B box = attach(game.addBox(0, 0.6), 1);
        EventStream events = driver.events(64);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        Touch touch = contacts(events).get(0).touch;
        Runnable move = () -> game.place(box, 2, 9);
        if (paused) {
            commandInAPause(move, () -> {});
        } else {
            command(move);
        }
        tick(1);
        assertShown(box);
        assertThat(game.pose(box)[0]).isCloseTo(2, within(0.01));
        assertThat(foundJumps()).as("no streak").isEqualTo(1);
        assertThat(contacts(events))
                .extracting(Seen::kind, Seen::touch)
                .containsExactly(tuple(Kind.CONTACT_ENDED, touch));
    }

    /** In engines whose contacts begin before bodies touch, the impulse is only the part that the engine has applied by then. */
    @Test
    void anImpulseIsWhatStopsABox() {
        double[] kilograms = new double[2];
        double[] v = new double[6];
        for (int i = 0; i < 2; i++) {
            B box = attach(game.addBox(10 * i, 0.5 + 1 + 3 * i), 1);
            EventStream events = driver.events(256);
            double impulse = began(events, () -> simulation.states.velocities(box, v), contact -> true)
                    .get(0)
                    .impulse;
            events.close();
            double before = v[1];
            simulation.states.velocities(box, v);
            kilograms[i] = impulse / (v[1] - before + GRAVITY * DT_SECONDS);
            assertThat(Double.isNaN(impulse)).isEqualTo(!can(Ability.IMPULSE));
        }
        if (can(Ability.IMPULSE)) {
            assertThat(kilograms[0]).isPositive();
            assertThat(kilograms[1] / kilograms[0]).isCloseTo(1, withinPercentage(5));
        }
    }

    @Test
    void aClosingSpeedIsThatOfATurningPoint() {
        B box = attach(game.addBox(0, 3), 1);
        game.spin(box, 0, 0, 3);
        double[] v = new double[6];
        double[] x = new double[1];
        Runnable remember = () -> {
            simulation.states.velocities(box, v);
            x[0] = game.pose(box)[0];
        };
        Seen touched = began(driver.events(256), remember, contact -> true).get(0);
        double turning = v[5] * (touched.x - x[0]);
        assertThat(Math.abs(turning)).as("counts").isGreaterThan(0.5);
        assertThat((double) touched.closingSpeed).isCloseTo(-v[1] - turning, within(0.2));
    }

    @Test
    void aClosingSpeedIncludesCommandsOfTheTick() {
        EventStream events = driver.events(256);
        tick(1);
        command(() -> game.setVelocity(attach(game.addBox(0, 0.49), 1), 0, -7));
        tick(1);
        assertLands(events);
    }

    /** The contact that ends and the one that begins are of the same slots and shapes. */
    @Test
    void aContactInAReusedSlotSaysWhereItBegan() {
        B gone = attach(game.addBox(0, 0.5), 1);
        EventStream events = driver.events(256);
        tick(20);
        assertThat(open(contacts(events))).hasSize(1);
        commandInAPause(() -> removeDetached(gone), () -> game.setVelocity(attach(game.addBox(0, 0.49), 2), 0, -7));
        tick(1);
        assertLands(events);
    }

    private void assertLands(EventStream events) {
        List<Seen> began = of(Kind.CONTACT_BEGAN, contacts(events));
        assertThat(began).hasSize(1);
        assertThat(began.get(0).y).as("of a body that has just come").isCloseTo(0, within(0.1f));
        assertThat(began.get(0).ny).isCloseTo(-1, within(0.01f));
        if (closingSpeedSeesCommands()) {
            assertThat(began.get(0).closingSpeed).isCloseTo(7, within(0.2f));
        } else {
            assertThat(began.get(0).closingSpeed).isNaN();
        }
    }

    /** The body is detached before, in or after the tick in which it would touch. */
    @Test
    void aBodyDetachedInItsTouchingTickBeginsNothing() {
        for (int ticks = 8; ticks < 18; ticks++) {
            B box = attach(game.addBox(3 * ticks - 40, 0.6), 1);
            EventStream events = driver.events(256);
            tick(ticks);
            assertThat(open(contacts(events))).hasSizeLessThan(2);
            command(() -> removeDetached(box));
            tick(1);
            assertThat(of(Kind.CONTACT_BEGAN, contacts(events))).isEmpty();
            events.close();
        }
    }

    @Test
    void anUnattachedWallIsNotTheFloor() {
        B fixed = game.addFixed(4, 2, 0, 0, 0.5, 2);
        B box = attach(game.addBox(0, 0.5), 1);
        EventStream events = driver.events(256);
        tick(20);
        Seen floor = of(Kind.CONTACT_BEGAN, contacts(events)).get(0);
        command(() -> game.setVelocity(box, 10, 0));
        List<Seen> begun = began(events, () -> {}, contact -> contact.touch.otherKey != floor.touch.otherKey);
        assertThat(begun).hasSize(1);
        Seen wall = begun.get(0);
        assertThat(wall.touch.other).isEqualTo(BodyEvent.NO_BODY);
        assertThat(wall.isOfBodies).isTrue();
        assertThat(wall.closingSpeed).isBetween(5f, 10.5f);
        assertThat(floor.touch.otherKey).isNotZero().isNotEqualTo(wall.touch.otherKey);
        command(() -> game.remove(fixed));
        tick(1);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events)))
                .extracting(Seen::touch)
                .contains(wall.touch);
    }

    @Test
    void aSecondTouchedShapeBeginsAndEndsToo() {
        B corner = attach(game.addFixed(50, 20, 0, -0.5, 5, 0.5, 5.5, 2, 0.5, 2), 1); // a floor and a wall
        B box = attach(game.addBox(52, 20.5), 2);
        EventStream events = driver.events(256);
        tick(20);
        List<Seen> standing = of(Kind.CONTACT_BEGAN, contacts(events));
        assertThat(standing).hasSize(1);
        assertThat(standing.get(0).isOfBodies).isTrue();
        command(() -> game.setVelocity(box, 10, 0));
        List<Seen> hit = began(events, () -> {}, contact -> true);
        assertThat(hit).hasSize(1);
        assertThat(hit.get(0).isOfBodies).as("the floor still touches").isFalse();
        assertThat(hit.get(0).closingSpeed).isBetween(5f, 10.5f);
        assertThat(hit.get(0).touch.shape).isNotEqualTo(standing.get(0).touch.shape);
        assertThat(hit.get(0).touch.body).isEqualTo(simulation.idOf(corner));
        command(() -> game.setVelocity(box, -3, 0));
        tick(10);
        List<Seen> left = contacts(events);
        assertThat(of(Kind.CONTACT_ENDED, left)).extracting(Seen::touch).contains(hit.get(0).touch);
        assertThat(of(Kind.CONTACT_ENDED, left)).isNotEmpty().noneMatch(Seen::isOfBodies);
        command(() -> game.setVelocity(box, 0, 8));
        tick(20);
        List<Seen> last = of(Kind.CONTACT_ENDED, contacts(events));
        assertThat(last.stream().filter(Seen::isOfBodies)).hasSize(1);
    }

    @Test
    void aSensorThatBecomesSolidEndsWithASleeper() {
        endsASleepersSensor(true, sensor -> game.setSensor(sensor, false));
    }

    @Test
    void aSensorWhoseShapeGoesEndsWithASleeper() {
        endsASleepersSensor(can(Ability.SHAPE_REMOVAL), game::removeShape);
    }

    @Test
    void aRemovedSensorEndsWithASleeper() {
        endsASleepersSensor(true, sensor -> {
            game.remove(sensor);
            return true;
        });
    }

    private void endsASleepersSensor(boolean ends, Predicate<B> end) {
        B sensor = game.addFixed(0, 1, 0, 0, 2, 2);
        if (can(Ability.SENSORS, game.setSensor(sensor, true))) {
            endsAsleep(attach(game.addBox(0, 0.55), 1), true, ends, () -> end.test(sensor));
        }
    }

    @Test
    void aFilterEndsAContactOfSolidsThatSleep() {
        B low = attach(game.addFixed(20, 5, 0, 0, 2, 0.5), 1);
        endsAsleep(attach(game.addBox(20, 6.05), 2), false, can(Ability.FILTER_CHANGE), () -> game.touchNothing(low));
    }

    private void endsAsleep(B box, boolean isSensor, boolean ends, BooleanSupplier end) {
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        List<Touch> begun = touches(of(Kind.CONTACT_BEGAN, contacts(events)), isSensor);
        assertThat(begun).hasSize(1);
        boolean[] can = new boolean[1];
        command(() -> can[0] = end.getAsBoolean());
        tick(10);
        assertThat(can[0])
                .as("whether the engine can; the test names %s", abilities())
                .isEqualTo(ends);
        assertThat(touches(of(Kind.CONTACT_ENDED, contacts(events)), isSensor)).isEqualTo(ends ? begun : List.of());
    }

    private static List<Touch> touches(List<Seen> seen, boolean isSensor) {
        return seen.stream()
                .map(Seen::touch)
                .filter(touch -> touch.isSensor == isSensor)
                .toList();
    }

    @Test
    void aContactTellsItsImpulseWhileItLastsOnRequest() {
        B low = attach(game.addBox(0, 0.5), 1);
        B high = attach(game.addBox(0, 1.52), 2);
        attach(game.addBox(5, 0.5), 3);
        EventStream events = driver.events(4096);
        tick(25);
        contacts(events);
        simulation.tellLastingContacts(low, true);
        command(() -> {
            game.setVelocity(low, 0.01, 0); // wakes the body
            game.setVelocity(high, 0.01, 0);
        });
        tick(8);
        List<Seen> lasting = of(Kind.CONTACT_LASTS, contacts(events));
        double[] impulses = new double[2];
        lasting.forEach(contact -> impulses[contact.touch.other == BodyEvent.NO_BODY ? 0 : 1] += contact.impulse);
        if (can(Ability.LASTING_IMPULSE)) {
            assertThat(lasting).isNotEmpty().allMatch(contact -> contact.touch.body == simulation.idOf(low));
            assertThat(impulses[0] / impulses[1])
                    .as("the floor holds two boxes")
                    .isBetween(1.5, 3.0);
        } else {
            assertThat(lasting).isEmpty();
        }
        simulation.tellLastingContacts(low, false);
        tick(2);
        assertThat(of(Kind.CONTACT_LASTS, contacts(events))).isEmpty();
    }

    @Test
    void theOriginMayBeShifted() {
        B box = attach(game.addBox(1, 0.5), 1);
        B far = attach(game.addBox(6, 3), 2);
        EventStream events = driver.events(256);
        tick(30);
        contacts(events);
        double worldX = newest().originX() + newest().poses().blockOf(0).px[0];
        command(() -> {
            for (B body : List.of(box, far)) {
                double[] at = game.pose(body);
                game.place(body, at[0] - 64, at[1]);
            }
            game.addFixed(-63, -1, 0, 0, 20, 1);
            simulation.originShifted(64, 0, 0);
        });
        tick(1);
        assertThat(newest().originX() + newest().poses().blockOf(0).px[0]).isCloseTo(worldX, within(1e-4));
        assertThat(newest().originX()).isEqualTo(64);
        assertThat(newest().bodies().teleports(0)).isZero();
        assertThat(foundJumps()).isZero();
        List<Seen> landed = began(events, () -> {}, contact -> contact.touch.body == simulation.idOf(far));
        assertThat(landed).isNotEmpty().allMatch(contact -> Math.abs(64 + contact.x - 6) < 0.7);
    }
}
