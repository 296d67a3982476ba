package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks which shapes pages are sent, and the bounds. */
class ShapesTest {

    private static final int MANY = 10_000;

    private final TestWorld world = TestWorld.of(MANY);
    private final SnapshotReader reader = world.driver.newReader();
    private final FakeWire wire = new FakeWire();
    private final List<Client> clients = List.of(new Client(wire, world.clock));
    private final List<Integer> queries = new ArrayList<>();
    private Shapes shapes = new Shapes(world.driver, world.clock.nanoTime());

    ShapesTest() {
        clients.get(0).greeted = true;
    }

    /** Runs rounds with a tick before each. */
    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            int before = world.shapeQueries;
            world.tick();
            int asked = world.shapeQueries - before;
            if (asked > 0) {
                queries.add(asked);
            }
            assertThat(reader.acquire()).isTrue();
            shapes.round(reader.window().newest(), clients, world.clock.nanoTime());
        }
    }

    private List<JsonArray> reported(String field) {
        List<JsonArray> all = new ArrayList<>();
        for (JsonObject message : wire.take("shapes")) {
            message.getAsJsonArray(field)
                    .forEach(one -> all.add(one.isJsonArray() ? one.getAsJsonArray() : new JsonArray()));
        }
        return all;
    }

    private static BodyShape sphere(float radius) {
        return new BodyShape(new BodyShape.Sphere(radius), false);
    }

    @Test
    void shouldAskForAFewBodiesInATick() {
        world.shapes = body -> sphere(1);
        world.ticks(2);
        rounds(2 + MANY / KnownShapes.BODIES_PER_QUERY);
        assertThat(queries).allMatch(asked -> asked <= KnownShapes.BODIES_PER_QUERY);
        assertThat(reported("bodies")).hasSize(MANY);
        assertThat(world.shapeQueries).isEqualTo(MANY);
    }

    /** A later greeting would make the page forget all shapes. */
    @Test
    void shouldSendNothingToAPageThatWasNotGreeted() {
        world.shapes = body -> sphere(1);
        world.ticks(2);
        clients.get(0).greeted = false;
        rounds(2 + MANY / KnownShapes.BODIES_PER_QUERY);
        assertThat(reported("bodies")).isEmpty();
        clients.get(0).greeted = true;
        rounds(2);
        assertThat(reported("bodies")).hasSize(MANY);
    }

    @Test
    void shouldKeepNoMoreCharactersThanItMay() {
        shapes = new Shapes(world.driver, world.clock.nanoTime(), 100, 500);
        world.shapes = body -> BodyId.slot(body) == 3
                ? new BodyShape(new TriangleMesh(new float[9 * 20]), false) // a form with more than 500 characters
                : sphere(1 + BodyId.slot(body) % 50);
        world.ticks(2);
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
    void shouldResumeWhereAPageHadNoRoom() {
        world.shapes = body -> sphere(1);
        wire.reads = false;
        clients.get(0).text("x".repeat(Client.MAX_TEXT_BYTES));
        wire.texts.clear();
        world.ticks(2);
        rounds(60);
        assertThat(reported("bodies")).isEmpty();
        wire.read();
        rounds(1);
        assertThat(reported("bodies")).hasSize(MANY);
    }

    @Test
    void shouldReportOfAnotherBodyInTheSamePlace() {
        TestWorld few = new TestWorld();
        long[] id = new long[1];
        few.capture = poses -> id[0] = spawn(poses);
        few.shapes = body -> sphere(BodyId.generation(body));
        shapes = new Shapes(few.driver, few.clock.nanoTime());
        SnapshotReader of = few.driver.newReader();
        for (int i = 0; i < 12; i++) {
            few.tick();
            few.capture = poses -> {};
            if (of.acquire()) {
                shapes.round(of.window().newest(), clients, few.clock.nanoTime());
            }
            if (i == 6) {
                few.capture = poses -> poses.despawn(id[0]);
            } else if (i == 7) {
                few.capture = ShapesTest::spawn;
            }
        }
        assertThat(reported("bodies").toString()).isEqualTo("[[0,1,0,0], [0,3,1,0]]");
    }

    private static long spawn(PoseWriter poses) {
        long id = poses.spawn(1);
        poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
        return id;
    }
}
