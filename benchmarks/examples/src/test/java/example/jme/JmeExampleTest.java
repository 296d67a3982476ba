package example.jme;

import static org.assertj.core.api.Assertions.assertThat;

import com.jme3.scene.Spatial;
import com.jme3.system.JmeContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole application, but for a display. */
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
        assertThat(platform.getLocalTranslation().y)
                .as("half a period after the start")
                .isGreaterThan(2.4f);
        assertThat(game.getRootNode().getChildren())
                .filteredOn(spatial -> spatial.getName().equals("crate"))
                .as("one is carried by the platform, none has fallen through the floor")
                .anyMatch(crate -> crate.getLocalTranslation().y > 3)
                .allMatch(crate -> crate.getLocalTranslation().y > 0.4f);
        assertThat(game.impacts()).isGreaterThan(10);
    }
}
