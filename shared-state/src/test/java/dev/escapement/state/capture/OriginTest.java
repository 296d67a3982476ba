package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

class OriginTest {

    private static final int BODIES = 1500;
    private static final int RESTING = 1400;

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    private void spawn() {
        world.tick(poses -> {
            poses.bodyCount(BODIES);
            for (int slot = 0; slot < BODIES; slot++) {
                poses.set(slot, slot, 2, 3, 0, 0, 0.6f, 0.8f);
            }
        });
    }

    private static double worldX(Snapshot snapshot, int slot) {
        return snapshot.originX() + snapshot.poses().blockOf(slot).px[slot & PoseBlock.MASK];
    }

    @Test
    void shouldChangeNothingWhenSetToTheSameOrigin() {
        spawn();
        world.tick(poses -> poses.origin(5, 6, 7));
        Snapshot same = world.tick(poses -> poses.origin(5, 6, 7));
        assertThat(same.motion(0).changedTick()).isEqualTo(2);
        Snapshot thereAndBack = world.tick(poses -> {
            poses.origin(100, 0, 0);
            poses.origin(5, 6, 7);
        });
        assertThat(thereAndBack.motion(0).changedTick()).isEqualTo(2);
        assertThat(worldX(thereAndBack, RESTING)).isEqualTo(RESTING);
    }

    /** A simulation with its own doubles moves a body at 1 m/s, 10,000 km away from zero. */
    @Test
    void shouldMeasurePlacesInTheWorldBeforeTheyAreRounded() {
        for (int tick = 1; tick <= 200; tick++) {
            double x = 1e7 + 0.01 * tick;
            Snapshot snapshot = world.tick(poses -> {
                poses.origin(1e7, 0, -2e7);
                poses.bodyCount(1);
                poses.setInWorld(0, x, -0.0, -2e7 + 3, 0, 0, 0, 1);
            });
            PoseBlock block = snapshot.poses().block(0);
            assertThat(worldX(snapshot, 0)).isCloseTo(x, within(1e-7));
            assertThat(block.pz[0]).isEqualTo(3);
            assertThat(Float.floatToRawIntBits(block.py[0])).as("-0.0").isEqualTo(Integer.MIN_VALUE);
        }
    }
}
