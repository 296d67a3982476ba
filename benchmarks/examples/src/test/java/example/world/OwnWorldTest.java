package example.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import java.util.function.Consumer;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** Runs the worlds of physics-thread/docs/world.md, and checks that they do what the page says. */
class OwnWorldTest {

    @Test
    void shouldDriveRoundThePostAndWalkToIt() {
        float[] farthest = new float[1];
        run(OwnJoltWorld.makeWorld(), 600, view -> {
            Vector3f car = at(view, 1);
            assertThat((double) car.distance(0, car.y, 0)).as("the tether").isCloseTo(6, within(0.3));
            assertThat((double) car.y).as("on its wheels").isCloseTo(1, within(0.1));
            farthest[0] = Math.max(farthest[0], car.distance(6, car.y, 0));
            assertThat((double) at(view, 2).x).isBetween(-7.0, -0.9);
        });
        assertThat(farthest[0]).as("metres from its start").isGreaterThan(10);
    }

    @Test
    void shouldHoldAVehicleAndItsSledgeTogetherInBullet() {
        float[] gone = new float[1];
        run(OwnBulletWorld.makeWorld(), 600, view -> {
            gone[0] = at(view, 0).z;
            assertThat((double) (at(view, 0).z - at(view, 1).z)).as("the joint").isCloseTo(1.5, within(0.1));
        });
        assertThat(gone[0]).as("from -4").isGreaterThan(0);
    }

    @Test
    void shouldHoldAChainTogetherInOde4j() {
        float[] lowest = {9};
        run(OwnOde4jWorld.makeWorld(), 300, view -> {
            for (int link = 1; link < 6; link++) {
                assertThat((double) at(view, link).distance(at(view, link - 1)))
                        .as("between links %d and %d", link - 1, link)
                        .isLessThan(1.35);
            }
            lowest[0] = Math.min(lowest[0], at(view, 5).y);
        });
        assertThat(lowest[0]).as("the last link swings").isLessThan(5);
    }

    private static Vector3f at(FrameView view, int slot) {
        return view.positionOfSlot(slot, new Vector3f());
    }

    private static void run(Simulation simulation, int ticks, Consumer<FrameView> eachTick) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            for (int tick = 1; tick <= ticks; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
                if (view.advance(clock.nanoTime())) {
                    eachTick.accept(view);
                }
            }
        }
    }
}
