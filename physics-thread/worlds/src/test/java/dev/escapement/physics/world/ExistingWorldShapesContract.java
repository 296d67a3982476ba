package dev.escapement.physics.world;

import static java.util.Collections.frequency;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.EventStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@code WorldSimulation} for contacts of several shapes, unattached bodies, sensors and sleeping bodies. A test per
 * engine extends this class.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldShapesContract<W, B> extends ExistingWorldFixture<W, B> {

    /** The boxes of a floor and a wall beside it, from a place on the floor. */
    private static final double[] CORNER = {0, -0.5, 5, 0.5, 5.5, 2, 0.5, 2};

    /** The number of ticks after which a change of filters or sensors has ended the contacts of sleeping bodies. */
    private static final int STEPS_TO_ASK = 8;

    /** A contact by both sides and shapes, for the set of current contacts. */
    private record Touch(long body, long other, long otherKey, int shape, int otherShape, boolean isSensor) {

        static Touch of(BodyEvent event) {
            return new Touch(
                    event.body(), event.other(), event.otherKey(), event.shape(), event.otherShape(), event.isSensor());
        }
    }

    private record Seen(Kind kind, Touch touch, boolean isOfBodies, float impulse, float closingSpeed) {}

    private static List<Seen> contacts(EventStream events) {
        List<Seen> seen = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() != Kind.SPAWNED && event.kind() != Kind.DESPAWNED) {
                seen.add(new Seen(
                        event.kind(), Touch.of(event), event.isOfBodies(), event.impulse(), event.closingSpeed()));
            }
        });
        return seen;
    }

    private static List<Seen> of(Kind kind, List<Seen> seen) {
        return seen.stream().filter(contact -> contact.kind == kind).toList();
    }

    @Test
    void anUnattachedWallIsNotTheFloor() {
        game.addFixed(4, 2, 0, 0, 0.5, 2);
        B box = attach(game.addBox(0, 0.5), 1);
        EventStream events = driver.events(256);
        tick(20);
        Seen floor = of(Kind.CONTACT_BEGAN, contacts(events)).get(0);
        command(() -> game.setVelocity(box, 10, 0));
        List<Seen> begun = new ArrayList<>();
        for (int tick = 0; tick < 60 && begun.isEmpty(); tick++) {
            tick(1);
            begun.addAll(of(Kind.CONTACT_BEGAN, contacts(events)));
            begun.removeIf(contact -> contact.touch.otherKey == floor.touch.otherKey);
        }
        assertThat(begun).hasSize(1);
        Seen wall = begun.get(0);
        assertThat(wall.touch.other).isEqualTo(BodyEvent.NO_BODY);
        assertThat(wall.isOfBodies).isTrue();
        assertThat(wall.closingSpeed).isBetween(5f, 10.5f);
        assertThat(floor.touch.otherKey).isNotZero().isNotEqualTo(wall.touch.otherKey);
    }

    @Test
    void aSecondTouchedShapeBeginsAndEndsToo() {
        B corner = attach(game.addFixed(50, 20, CORNER), 1);
        B box = attach(game.addBox(52, 20.5), 2);
        EventStream events = driver.events(256);
        tick(20);
        List<Seen> standing = of(Kind.CONTACT_BEGAN, contacts(events));
        assertThat(standing).hasSize(1);
        assertThat(standing.get(0).isOfBodies).isTrue();
        command(() -> game.setVelocity(box, 10, 0));
        List<Seen> hit = new ArrayList<>();
        for (int tick = 0; tick < 60 && hit.isEmpty(); tick++) {
            tick(1);
            hit.addAll(of(Kind.CONTACT_BEGAN, contacts(events)));
        }
        assertThat(hit).hasSize(1);
        assertThat(hit.get(0).isOfBodies).as("the floor still touches").isFalse();
        assertThat(hit.get(0).closingSpeed).isBetween(5f, 10.5f);
        assertThat(hit.get(0).touch.shape).isNotEqualTo(standing.get(0).touch.shape);
        assertThat(hit.get(0).touch.body).isEqualTo(simulation.idOf(corner));
        command(() -> game.setVelocity(box, -3, 0));
        tick(10);
        List<Seen> left = contacts(events);
        assertThat(of(Kind.CONTACT_ENDED, left)).extracting(Seen::touch).contains(hit.get(0).touch);
        assertThat(of(Kind.CONTACT_ENDED, left)).noneMatch(Seen::isOfBodies);
        command(() -> game.setVelocity(box, 0, 8));
        tick(20);
        List<Seen> last = of(Kind.CONTACT_ENDED, contacts(events));
        assertThat(last.stream().filter(Seen::isOfBodies)).hasSize(1);
    }

    @Test
    void eachPartOfABodyTouches() {
        assumeTrue(tellsPartsApart());
        B pair = attach(game.addShaped(0, 1.2, -2, 0, 0.5, 0.5, 2, 0, 0.5, 0.5), 1);
        EventStream events = driver.events(256);
        tick(100);
        List<Seen> seen = contacts(events);
        Set<Integer> shapes = new HashSet<>();
        of(Kind.CONTACT_BEGAN, seen).forEach(contact -> shapes.add(contact.touch.shape));
        assertThat(shapes).hasSize(2);
        assertThat(of(Kind.CONTACT_BEGAN, seen).stream().filter(Seen::isOfBodies))
                .hasSize(1);
        command(() -> game.setVelocity(pair, 0, 8));
        tick(20);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events)).stream().filter(Seen::isOfBodies))
                .hasSize(1);
    }

    @Test
    void aSensorThatBecomesSolidEndsWithASleeper() {
        endsASleepersSensor(sensor -> game.setSensor(sensor, false));
    }

    @Test
    void aSensorThatMayTouchNothingEndsWithASleeper() {
        endsASleepersSensor(sensor -> game.setTouches(sensor, false));
    }

    @Test
    void aSensorWhoseShapeGoesEndsWithASleeper() {
        endsASleepersSensor(game::removeShape);
    }

    @Test
    void aRemovedSensorEndsWithASleeper() {
        endsASleepersSensor(sensor -> {
            game.remove(sensor);
            return true;
        });
    }

    private void endsASleepersSensor(Predicate<B> end) {
        B sensor = game.addFixed(0, 1, 0, 0, 2, 2);
        assumeTrue(game.setSensor(sensor, true));
        B box = attach(game.addBox(0, 0.55), 1);
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        assertThat(game.isAsleep(box)).isTrue();
        List<Seen> begun = of(Kind.CONTACT_BEGAN, contacts(events)).stream()
                .filter(contact -> contact.touch.isSensor)
                .toList();
        assertThat(begun).hasSize(1);
        assertThat(begun.get(0).isOfBodies).isTrue();
        boolean[] can = new boolean[1];
        command(() -> can[0] = end.test(sensor));
        tick(10);
        assumeTrue(can[0]);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events)))
                .extracting(Seen::touch)
                .contains(begun.get(0).touch);
    }

    @Test
    void aFilterEndsAContactOfSolidsThatSleep() {
        B low = attach(game.addFixed(20, 5, 0, 0, 2, 0.5), 1);
        B box = attach(game.addBox(20, 6.05), 2);
        EventStream events = driver.events(256);
        tick(ASLEEP_TICK);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events))).isEmpty();
        assertThat(game.isAsleep(box)).isTrue();
        boolean[] can = new boolean[1];
        command(() -> can[0] = game.setTouches(low, false));
        tick(10);
        assumeTrue(can[0]);
        assertThat(of(Kind.CONTACT_ENDED, contacts(events))).hasSize(1);
    }

    @Test
    void aContactTellsItsImpulseWhileItLastsOnRequest() {
        B low = attach(game.addBox(0, 0.5), 1);
        B high = attach(game.addBox(0, 1.52), 2);
        B other = attach(game.addBox(5, 0.5), 3);
        EventStream events = driver.events(4096);
        tick(25);
        assertThat(of(Kind.CONTACT_LASTS, contacts(events))).as("not asked for").isEmpty();
        simulation.tellLastingContacts(low, true);
        command(() -> {
            game.setVelocity(low, 0.01, 0); // wakes the body
            game.setVelocity(high, 0.01, 0);
        });
        tick(8);
        List<Seen> lasting = of(Kind.CONTACT_LASTS, contacts(events));
        double floor = impulses(lasting, BodyEvent.NO_BODY);
        double box = impulses(lasting, simulation.idOf(high));
        if (tellsLastingImpulse()) {
            assertThat(lasting).allMatch(contact -> contact.touch.body == simulation.idOf(low));
            assertThat(floor / box).as("the floor holds two boxes").isBetween(1.5, 3.0);
        } else {
            assertThat(lasting).isEmpty();
        }
        simulation.tellLastingContacts(low, false);
        tick(2);
        assertThat(of(Kind.CONTACT_LASTS, contacts(events))).isEmpty();
        assertThat(simulation.idOf(other)).isPositive();
    }

    @Test
    void theOriginMayBeShifted() {
        B box = attach(game.addBox(1, 0.5), 1);
        B far = attach(game.addBox(6, 3), 2);
        EventStream events = driver.events(256);
        tick(30);
        contacts(events);
        float before = newest().poses().blockOf(0).px[0];
        double worldX = newest().originX() + before;
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
        List<Float> places = new ArrayList<>();
        for (int tick = 0; tick < 100; tick++) {
            tick(1);
            events.drain(event -> {
                if (event.kind() == Kind.CONTACT_BEGAN && event.body() == simulation.idOf(far)) {
                    places.add(event.x());
                }
            });
        }
        assertThat(places).isNotEmpty().allMatch(x -> Math.abs(64 + x - 6) < 0.7);
    }

    private static double impulses(List<Seen> lasting, long other) {
        return lasting.stream()
                .filter(contact -> contact.touch.other == other)
                .mapToDouble(Seen::impulse)
                .sum();
    }

    /** The contacts by events are the engine's contacts while bodies come, go, sleep, and change. */
    @Test
    void beginsAndEndsBalance() {
        Random random = new Random(17);
        List<B> boxes = new ArrayList<>();
        B sensor = attach(game.addFixed(0, 1, 0, 0, 3, 1), 7);
        game.addFixed(-7, 2, 0, 0, 0.5, 2);
        game.addFixed(7, 2, 0, 0, 0.5, 2);
        Set<Touch> open = new HashSet<>();
        EventStream events = driver.events(1 << 12);
        int checks = 0;
        int surePairs = 0;
        int settled = 0;
        for (int tick = 0; tick < 10_000; tick++) {
            boolean isCalm = tick % 2000 >= 1000; // lets all bodies fall asleep
            int what = random.nextInt(isCalm ? 600 : 60);
            settled = what == 2 || what == 3 ? 0 : settled + 1;
            List<Set<Long>> sure = new ArrayList<>();
            List<Set<Long>> possible = new ArrayList<>();
            boolean isChecked = tick % 8 == 7 && what > 3 && (settled > STEPS_TO_ASK || !game.collidesAnew());
            command(() -> {
                change(what, random, boxes, sensor);
                if (isChecked && game.collidesAnew()) {
                    findTouching(boxes, sensor, sure, possible);
                }
            });
            tick(1);
            events.drain(event -> {
                Touch touch = Touch.of(event);
                if (event.kind() == Kind.CONTACT_BEGAN) {
                    assertThat(open.add(touch)).as("begins once: %s", event).isTrue();
                } else if (event.kind() == Kind.CONTACT_ENDED) {
                    assertThat(open.remove(touch))
                            .as("ends what began: %s", event)
                            .isTrue();
                }
                assertThat(event.kind()).isNotEqualTo(Kind.GAP);
            });
            if (isChecked && !game.collidesAnew()) {
                findTouching(boxes, sensor, sure, possible);
            }
            if (isChecked) {
                List<Set<Long>> found = open.stream()
                        .map(touch -> Set.of(touch.body, touch.other))
                        .toList();
                for (Set<Long> bodies :
                        Stream.concat(found.stream(), possible.stream()).collect(toSet())) {
                    assertThat(frequency(found, bodies))
                            .as("open contacts of %s in tick %s", bodies, tick)
                            .isBetween(frequency(sure, bodies), frequency(possible, bodies));
                }
                surePairs += sure.size();
                checks++;
            }
        }
        assertThat(open).isNotEmpty();
        command(() -> {
            boxes.forEach(this::removeDetached);
            removeDetached(sensor);
        });
        tick(1);
        events.drain(event -> open.remove(Touch.of(event)));
        assertThat(open).isEmpty();
        assertThat(checks).isGreaterThan(1000);
        assertThat(surePairs).isGreaterThan(5 * checks);
    }

    /** Adds the ids of both bodies for each pair of shapes that touches. */
    private void findTouching(List<B> boxes, B sensor, List<Set<Long>> sure, List<Set<Long>> possible) {
        List<B> attached = new ArrayList<>(boxes);
        attached.add(sensor);
        game.findTouching((body, other, isSure) -> {
            long id = body != null && attached.contains(body) ? simulation.idOf(body) : BodyEvent.NO_BODY;
            long otherId = other != null && attached.contains(other) ? simulation.idOf(other) : BodyEvent.NO_BODY;
            B inSensor = body == sensor ? other : other == sensor ? body : null;
            // An engine need not collide a sleeping body when the sensor changes.
            boolean isStale = game.collidesAnew() && inSensor != null && game.isAsleep(inSensor);
            if (id != otherId) {
                possible.add(Set.of(id, otherId));
                if (isSure && !isStale) {
                    sure.add(Set.of(id, otherId));
                }
            }
        });
    }

    private void change(int what, Random random, List<B> boxes, B sensor) {
        switch (what) {
            case 0 -> {
                if (boxes.size() < 12) {
                    B box = random.nextBoolean()
                            ? game.addBox(random.nextInt(10) - 5, 4 + random.nextInt(4))
                            : game.addShaped(random.nextInt(6) - 3, 5, -0.6, 0, 0.4, 0.4, 0.6, 0, 0.4, 0.4);
                    boxes.add(attach(box, boxes.size()));
                }
            }
            case 1 -> {
                if (boxes.size() > 6) {
                    removeDetached(boxes.remove(random.nextInt(boxes.size())));
                }
            }
            case 2 -> game.setSensor(sensor, random.nextBoolean());
            case 3 -> game.setTouches(sensor, random.nextBoolean());
            case 4, 5, 6 -> {
                if (!boxes.isEmpty()) {
                    game.setVelocity(boxes.get(random.nextInt(boxes.size())), random.nextInt(9) - 4, random.nextInt(6));
                }
            }
            default -> {
                // Changes nothing.
            }
        }
    }
}
