package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which shapes the pages receive, and the limits of their number and size. */
class ShapesTest {

    private static final int MANY = 10_000;

    private final TestWorld world = TestWorld.of(MANY);
    private final SnapshotReader reader = world.driver.newReader();
    private final FakeWire wire = new FakeWire();
    private final List<Client> clients = new ArrayList<>();
    private final List<Integer> queries = new ArrayList<>();
    private Shapes shapes = new Shapes(world.driver, world.clock.nanoTime());

    ShapesTest() {
        world.shapes = body -> sphere(1);
        add(wire);
    }

    private void add(FakeWire of) {
        clients.add(new Client(of, world.clock));
        clients.get(clients.size() - 1).greeted = true;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            int before = world.shapeQueries;
            world.tick();
            int asked = world.shapeQueries - before;
            if (asked > 0) {
                queries.add(asked);
            }
            if (reader.acquire()) {
                shapes.round(reader.window().newest(), clients, world.clock.nanoTime());
            }
        }
    }

    private static List<JsonElement> bodies(FakeWire of) {
        return of.take("shapes").stream()
                .map(message -> message.getAsJsonArray("bodies"))
                .flatMap(bodies -> bodies.asList().stream())
                .toList();
    }

    private static BodyShape sphere(float radius) {
        return new BodyShape(new BodyShape.Sphere(radius), false);
    }

    private static BodyShape capsule(float radius) {
        return new BodyShape(new BodyShape.Capsule(radius, 2), false);
    }

    @Test
    void shouldAskForAFewBodiesInATick() {
        rounds(4 + MANY / KnownShapes.BODIES_PER_QUERY);
        assertThat(queries).isNotEmpty().allMatch(asked -> asked <= KnownShapes.BODIES_PER_QUERY);
        assertThat(bodies(wire)).hasSize(MANY);
        FakeWire late = new FakeWire();
        add(late);
        rounds(1);
        assertThat(bodies(late)).hasSize(MANY);
        assertThat(bodies(wire)).isEmpty();
        assertThat(world.shapeQueries).isEqualTo(MANY);
    }

    @Test
    void shouldDescribeTheFormsThatItCan() {
        world.capture = TestWorld.of(5).capture;
        world.shapes = body -> switch (BodyId.slot(body)) {
            case 0 -> new BodyShape(new BodyShape.Sphere(1), true);
            case 1 -> sphere(Float.NaN);
            case 2 -> capsule(1);
            case 3 -> new BodyShape(new BodyShape.Box(1, 2, 3), false);
            default -> null;
        };
        rounds(5);
        assertThat(wire.texts)
                .containsExactly(
                        "{\"type\":\"shapes\",\"forms\":[{\"id\":0,\"form\":\"capsule\",\"radius\":1.0,\"halfHeight\":2.0}],"
                                + "\"bodies\":[[0,1,0,1,[1.0]],[1,1,0,0,[0.5,0.5,0.5]],[2,1,0,0,0],[3,1,0,0,[1.0,2.0,3.0]]],"
                                + "\"dropped\":[]}");
    }

    /** A page forgets all shapes when it is greeted, so it must not get shapes before. */
    @Test
    void shouldWaitForTheGreetingAndForRoom() {
        clients.get(0).greeted = false;
        rounds(4 + MANY / KnownShapes.BODIES_PER_QUERY);
        clients.get(0).greeted = true;
        wire.reads = false;
        clients.get(0).text("x".repeat(Client.MAX_TEXT_BYTES));
        wire.texts.clear();
        rounds(1);
        assertThat(bodies(wire)).isEmpty();
        wire.read();
        rounds(1);
        assertThat(bodies(wire)).hasSize(MANY);
    }

    @Test
    void shouldKeepNoMoreCharactersThanItMay() {
        shapes = new Shapes(world.driver, world.clock.nanoTime(), 100, 500);
        world.shapes = body -> BodyId.slot(body) == 3
                ? new BodyShape(new TriangleMesh(new float[9 * 20]), false) // a form with more than 500 characters
                : capsule(1 + BodyId.slot(body) % 50);
        rounds(60);
        List<JsonObject> messages = wire.take("shapes");
        long characters = messages.stream()
                .flatMap(message -> message.getAsJsonArray("forms").asList().stream())
                .mapToLong(form -> form.toString().length())
                .sum();
        assertThat(characters).isBetween(400L, 500L);
        assertThat(messages.toString()).doesNotContain("mesh");
    }

    @Test
    void shouldReportOfAnotherBodyInTheSamePlace() {
        long[] id = new long[1];
        world.capture = poses -> id[0] = CapturedWorld.spawn(poses, 1);
        world.shapes = body -> sphere(BodyId.generation(body));
        rounds(1);
        world.capture = poses -> {};
        rounds(6);
        world.capture = poses -> poses.despawn(id[0]);
        rounds(1);
        world.capture = poses -> CapturedWorld.spawn(poses, 1);
        rounds(1);
        world.capture = poses -> {};
        rounds(4);
        assertThat(bodies(wire)).hasToString("[[0,1,0,0,[1.0]], [0,3,0,0,[3.0]]]");
    }

    /** At first 200 bodies live at a time, then 30. A page that reads slowly gets each form before its bodies, and hears of its end. */
    @Test
    void shouldCountFormsByTheBodiesThatHaveThem() {
        shapes = new Shapes(world.driver, world.clock.nanoTime(), 220, 1 << 20);
        Deque<Long> living = new ArrayDeque<>();
        world.shapes = body -> capsule(BodyId.slot(body) + 1000 * BodyId.generation(body));
        world.capture = poses -> {
            living.add(CapturedWorld.spawn(poses, 1));
            while (living.size() > (world.ticks < 1000 ? 200 : 30)) {
                poses.despawn(living.remove());
            }
        };
        Set<JsonElement> has = new HashSet<>();
        for (int round = 0; round < 3000; round++) {
            wire.reads = round % 100 < 50;
            rounds(1);
            wire.read();
            for (JsonObject message : wire.take("shapes")) {
                message.getAsJsonArray("forms")
                        .forEach(form -> has.add(form.getAsJsonObject().get("id")));
                for (JsonElement body : message.getAsJsonArray("bodies")) {
                    assertThat(has).contains(body.getAsJsonArray().get(4));
                }
                assertThat(has.removeAll(message.getAsJsonArray("dropped").asList()))
                        .isEqualTo(!message.getAsJsonArray("dropped").isEmpty());
            }
            assertThat(has).hasSizeLessThanOrEqualTo(220);
        }
        assertThat(has)
                .as("without the newest, which the world has yet to describe")
                .hasSize(29 + Shapes.MAX_UNUSED);
    }

    @Test
    void shouldSendEachNewShapeOfABodyWithItsTick() {
        float[] radius = {1};
        world.shapes = body -> sphere(radius[0]);
        world.capture = poses -> {
            CapturedWorld.setAll(poses, 1);
            if (world.ticks > 4 && world.ticks % 4 == 0) {
                radius[0]++;
                poses.reshape(0);
            }
        };
        rounds(14);
        assertThat(bodies(wire)).hasToString("[[0,1,0,0,[1.0]], [0,1,8,0,[2.0]], [0,1,12,0,[3.0]]]");
        assertThat(world.shapeQueries).isEqualTo(3);
    }
}
