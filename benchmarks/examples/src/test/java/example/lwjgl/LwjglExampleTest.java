package example.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.state.input.InputKind;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class LwjglExampleTest {

    /** The key code of GLFW, which all demonstration worlds use. */
    private static final int KEY_RIGHT = 262;

    @Test
    void shouldDrawThePileAndWhatPushesIt() throws Exception {
        try (PhysicsService physics = LwjglExample.startPhysics(50)) {
            int[] early = pixels(draw(physics, 1));
            assertThat(physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, KEY_RIGHT, 0, 0))
                    .isTrue();
            int[] late = pixels(draw(physics, 30));
            assertThat(Arrays.stream(early).distinct().count()).as("colours").isGreaterThan(20);
            assertThat(late).as("pushed to the right").isNotEqualTo(early);
            assertThat(physics.state()).isEqualTo(ServiceState.RUNNING);
        }
    }

    private static BufferedImage draw(PhysicsService physics, int frames) throws Exception {
        try {
            return LwjglExample.drawOffscreen(physics, LwjglExample.scene(), frames);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }

    private static int[] pixels(BufferedImage image) {
        return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    }
}
