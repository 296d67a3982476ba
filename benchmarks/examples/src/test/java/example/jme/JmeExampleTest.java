package example.jme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.jme3.scene.Spatial;
import com.jme3.system.JmeContext;
import dev.escapement.render.FrameView;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class JmeExampleTest {

    @Test
    @Timeout(120)
    void shouldPlayOnARealPhysicsThread() {
        JmeExample game = new JmeExample(2);
        game.play(JmeContext.Type.Headless);
        assertThat(game.getRootNode().getChildren())
                .as("a platform, 11 crates, one that came, less one that went")
                .hasSize(12);
        Spatial platform = game.getRootNode().getChild("platform");
        float height = platform.getLocalTranslation().y;
        double seconds = game.playedTick * 0.01; // 2 s, or more where frames came late
        assertThat((double) height)
                .as("the height at the last shown tick; its frame is at most two ticks off")
                .isCloseTo(1.5 - Math.cos(2 * Math.PI * seconds / 4), within(0.04));
        assertThat(game.getRootNode().getChildren())
                .filteredOn(spatial -> spatial.getName().equals("crate"))
                .as("one is carried by the platform, none has fallen through the floor")
                .anyMatch(crate -> crate.getLocalTranslation().y > height + 0.7f)
                .allMatch(crate -> crate.getLocalTranslation().y > 0.4f);
        assertThat(game.impacts()).isGreaterThan(10);
    }

    @Test
    @Timeout(120)
    void shouldRestartWithoutAFrameThatMissesBodies() {
        RestartedYard game = new RestartedYard();
        game.start(JmeContext.Type.Headless);
        assertThat(game.fewestSpatials.join()).as("a platform and 11 crates").isEqualTo(12);
        assertThat(game.getRootNode().getChildren()).as("none of the old ones").hasSize(12);
    }

    /** A game that starts its service again at tick 20, and ends at tick 20 of the second service. */
    private static final class RestartedYard extends CrateYard {

        final CompletableFuture<Integer> fewestSpatials = new CompletableFuture<>();
        private int fewest = Integer.MAX_VALUE;
        private @Nullable FrameView old;

        @Override
        public void simpleUpdate(float secondsPerFrame) {
            super.simpleUpdate(secondsPerFrame);
            if (shownTick() > 0 || fewest < Integer.MAX_VALUE) { // counts from the first frame on that shows bodies
                fewest = Math.min(fewest, getRootNode().getQuantity());
            }
            if (shownTick() >= 20 && old == null) {
                old = spatials.view();
                playAgain();
            } else if (shownTick() >= 20 && spatials.view() != old) {
                fewestSpatials.complete(fewest);
                stop();
            }
        }
    }
}
