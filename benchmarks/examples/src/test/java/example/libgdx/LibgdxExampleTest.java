package example.libgdx;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.math.Vector3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole application, but for a display. */
class LibgdxExampleTest {

    @Test
    @Timeout(120)
    void shouldPlayOnARealPhysicsThread() {
        LibgdxExample game = LibgdxExample.playHeadless(2);
        assertThat(game.instances())
                .as("a lift, 11 barrels, one that came, less one that went")
                .hasSize(12);
        assertThat(game.instances())
                .filteredOn(instance -> instance.userData.equals(BarrelGame.LIFT))
                .extracting(instance -> instance.transform.getTranslation(new Vector3()).y)
                .as("it went up for two seconds")
                .hasSize(1)
                .allMatch(y -> y > 2.4f);
        assertThat(game.instances())
                .filteredOn(instance -> instance.userData.equals(BarrelGame.BARREL))
                .extracting(instance -> instance.transform.getTranslation(new Vector3()).y)
                .as("one is carried by the lift, none has fallen through the floor")
                .anyMatch(y -> y > 2.9f)
                .allMatch(y -> y > 0.4f);
        assertThat(game.impacts()).isGreaterThan(5);
    }
}
