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
import java.util.ArrayList;
import java.util.List;
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
        world.capture = TestWorld.of(4).capture;
        world.shapes = body -> switch (BodyId.slot(body)) {
            case 0 -> new BodyShape(new BodyShape.Sphere(1), true);
            case 1 -> sphere(Float.NaN);
            case 2 -> new BodyShape(new BodyShape.Capsule(1, 2), false);
            default -> null;
        };
        rounds(5);
        assertThat(wire.texts)
                .containsExactly("{\"type\":\"shapes\",\"forms\":[{\"id\":0,\"form\":\"sphere\",\"radius\":1.0},"
                        + "{\"id\":1,\"form\":\"capsule\",\"radius\":1.0,\"halfHeight\":2.0}],"
                        + "\"bodies\":[[0,1,0,1],[2,1,1,0]]}");
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
                : sphere(1 + BodyId.slot(body) % 50);
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
        assertThat(bodies(wire)).hasToString("[[0,1,0,0], [0,3,1,0]]");
    }
}
