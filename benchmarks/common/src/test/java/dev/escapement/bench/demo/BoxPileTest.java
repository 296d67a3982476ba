package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.TickDriver;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The pile of boxes in every engine. */
@ParameterizedClass
@EnumSource(names = {"JOLT", "BULLET", "ODE4J", "DYN4J", "BOX2D", "PHYSX"})
class BoxPileTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int MANY = 60;

    /** The maximum overlap of resting bodies. */
    private static final double SLOP_METRES = 0.03;

    private final Engine engine;

    BoxPileTest(Engine engine) {
        this.engine = engine;
    }

    private EngineBodies<?> pile(int boxes) {
        return engine.pile(boxes);
    }

    @Test
    void boxesFallAndComeToRestOnTheFloor() throws Exception {
        try (EngineBodies<?> simulation = pile(MANY)) {
            TickDriver driver = new TickDriver(simulation, RATE);
            double startHeight =
                    heights(driver.capture()).stream().mapToDouble(h -> h).sum();
            driver.step(1000);
            List<Double> before = heights(driver.capture());
            driver.step(100);
            List<Double> after = heights(driver.capture());
            // The floor's top is at 0. So no centre may be lower than half an edge, or higher than where it started.
            assertThat(after).hasSize(MANY).allSatisfy(y -> assertThat(y).isBetween(0.5 - SLOP_METRES, 13.0));
            assertThat(after.stream().mapToDouble(h -> h).sum()).isLessThan(startHeight - 1);
            for (int body = 0; body < MANY; body++) {
                assertThat(after.get(body)).isCloseTo(before.get(body), within(0.01));
            }
            assertThat(driver.quarantinedPoses()).isZero();
        }
    }

    @Test
    void aPushWakesASleepingBox() throws Exception {
        try (EngineBodies<?> simulation = pile(1)) {
            TickDriver driver = new TickDriver(simulation, RATE);
            driver.step(300);
            long asleep = simulation.hash();
            driver.step(1);
            assertThat(simulation.hash()).isEqualTo(asleep);
            double x = simulation.position(0).x();
            double z = simulation.position(0).z();
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5);
            driver.step(10);
            // The push gave 5 m/s upwards and along x, and a tenth of a second has passed.
            assertThat(heights(driver.capture()).get(0)).isBetween(0.9, 1.0);
            assertThat(simulation.position(0).x() - x).isBetween(0.45, 0.51);
            assertThat(simulation.position(0).z() - z).isBetween(-0.01, 0.01);
        }
    }

    @Test
    void closingTwiceIsHarmlessAndUseAfterwardsIsRefused() throws Exception {
        EngineBodies<?> simulation = pile(3);
        TickDriver driver = new TickDriver(simulation, RATE);
        driver.step(1);
        simulation.close();
        simulation.close();
        assertThatThrownBy(() -> driver.step(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(driver::capture).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(simulation::hash).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> simulation.position(0).x()).hasMessageContaining("3 bodies was closed");
        assertThatThrownBy(() -> simulation.push(0, 1, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    private static List<Double> heights(Snapshot snapshot) {
        List<Double> heights = new ArrayList<>();
        for (int body = 0; body < snapshot.poses().slotCount(); body++) {
            heights.add((double) snapshot.poses().blockOf(body).py[body & PoseBlock.MASK]);
        }
        return heights;
    }
}
