package example.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import com.jme3.system.JmeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each migrated loop until its body has fallen a metre, and checks that it draws the fall. */
@Timeout(60)
class MigrationTest {

    static Stream<BiConsumer<World, Screen>> loops() {
        return Stream.of(AccumulatorBefore::run, PhysicsThreadAfter::run);
    }

    @ParameterizedTest
    @MethodSource("loops")
    void shouldShowTheFall(BiConsumer<World, Screen> loop) {
        List<Double> drawn = new ArrayList<>();
        Screen screen = new Screen() {
            @Override
            public boolean isOpen() {
                return drawn.isEmpty() || drawn.get(drawn.size() - 1) > 99;
            }

            @Override
            public void draw(double y) {
                if (drawn.isEmpty() || drawn.get(drawn.size() - 1) != y) {
                    drawn.add(y);
                }
            }
        };
        loop.accept(new World(), screen);
        // The number of frames and the drawn heights depend on the machine, because these loops run in real time. So
        // only their order is checked.
        assertThat(drawn)
                .hasSizeGreaterThan(1)
                .allMatch(y -> y <= 100)
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void shouldMoveAScenesPhysicsByTenChangedLines() throws IOException {
        List<String> changed = code("SceneAfter");
        changed.removeAll(code("SceneBefore"));
        assertThat(changed).hasSizeBetween(5, 10);
    }

    private static List<String> code(String name) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/main/java/example/migration", name + ".java"));
        lines.removeIf(line -> line.startsWith("/**") || line.startsWith("class "));
        return lines;
    }

    @Test
    void shouldShowTheSceneOfAPhysicsThread() {
        CompletableFuture<Integer> heard = new CompletableFuture<>();
        SceneAfter game = new SceneAfter() {
            @Override
            public void simpleUpdate(float secondsPerFrame) {
                Spatial crate = rootNode.getChild("crate");
                Spatial hero = rootNode.getChild("hero");
                if (impacts > 0 && crate.getLocalTranslation().y < 0.6f) {
                    walk(new Vector3f(3, 0, 0));
                    kick(crate);
                }
                if (hero.getLocalTranslation().x > 6 && crate.getLocalTranslation().y > 1) {
                    heard.complete(impacts);
                    stop();
                }
            }
        };
        game.start(JmeContext.Type.Headless);
        assertThat(heard.join()).isPositive();
    }
}
