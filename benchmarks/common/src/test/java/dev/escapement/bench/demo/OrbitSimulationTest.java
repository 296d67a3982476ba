package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

class OrbitSimulationTest {

    private static final int BODIES = 300;
    private static final double DT = 0.01;

    /** The bodies go round at constant speeds: where each is after any number of ticks follows from two of them. */
    @Test
    void shouldGoRoundInCircles() {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(new OrbitSimulation(BODIES))
                        .maxReaders(1)
                        .preallocate(BODIES)
                        .inline(clock);
                SnapshotReader reader = driver.newReader()) {
            double[] startRadians = new double[BODIES];
            double[] radius = new double[BODIES];
            for (int tick = 1; tick <= 300; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
                if (reader.acquire() || tick > 3) {
                    Snapshot newest = reader.window().newest();
                    for (int body = 0; body < BODIES; body++) {
                        check(newest, body, tick, startRadians, radius);
                    }
                }
            }
            assertThat(driver.quarantinedPoses()).isZero();
        }
    }

    private static void check(Snapshot snapshot, int body, int tick, double[] startRadians, double[] radius) {
        PoseBlock block = snapshot.poses().blockOf(body);
        int i = body & PoseBlock.MASK;
        double radians = Math.atan2(-block.pz[i], block.px[i]);
        double distance = Math.hypot(block.px[i], block.pz[i]);
        if (radius[body] == 0) {
            radius[body] = distance;
            startRadians[body] = radians - tick * radiansATick(distance);
        }
        assertThat(distance).isCloseTo(radius[body], within(1e-5 * distance));
        double expected = startRadians[body] + tick * radiansATick(distance);
        assertThat(Math.IEEEremainder(radians - expected, 2 * Math.PI)).isCloseTo(0, within(1e-4));
        // The same side to the axis: the rotation around y is the angle of the place.
        double facing = 2 * Math.atan2(block.qy[i], block.qw[i]);
        assertThat(Math.IEEEremainder(facing - radians, 2 * Math.PI)).isCloseTo(0, within(1e-5));
        assertThat(block.qx[i]).isZero();
        assertThat(block.qz[i]).isZero();
        assertThat(block.py[i]).isBetween(0f, 3f);
    }

    /** Half a turn a second at five metres, and Kepler's third law. */
    private static double radiansATick(double metres) {
        return Math.PI * Math.sqrt(125 / (metres * metres * metres)) * DT;
    }

    @Test
    void shouldRefuseANegativeNumber() {
        assertThat(new OrbitSimulation(0).hash()).isEqualTo(new OrbitSimulation(0).hash());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OrbitSimulation(-1))
                .withMessage("there cannot be -1 bodies");
    }
}
