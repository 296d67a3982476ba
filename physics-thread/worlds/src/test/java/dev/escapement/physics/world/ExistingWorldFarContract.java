package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

/** The contract of every {@code WorldSimulation} with positions in {@code double}, far from the world's zero. */
public abstract class ExistingWorldFarContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final double FAR = 1e7;

    /** The height of the bodies, so that none touches the floor by accident. */
    private static final double HEIGHT = 50;

    private B moving(double x, double metresPerSecond) {
        B platform = attach(game.addPlatform(x, HEIGHT), 1);
        game.setVelocity(platform, metresPerSecond, 0);
        tick(3); // until a reader has a window
        return platform;
    }

    private int slot(B body) {
        return BodyId.slot(simulation.idOf(body));
    }

    /** Asserts that a body is as exact as a float from the snapshot's origin can be. */
    private void assertExact(B body) {
        Snapshot shown = newest();
        PoseBlock poses = shown.poses().blockOf(slot(body));
        double[] pose = game.pose(body);
        int i = slot(body) & PoseBlock.MASK;
        assertThat(new float[] {poses.px[i], poses.py[i], poses.pz[i]})
                .as("in tick %d, from (%s, %s, %s)", shown.tick(), shown.originX(), shown.originY(), shown.originZ())
                .containsExactly((float) (pose[0] - shown.originX()), (float) (pose[1] - shown.originY()), (float)
                        (pose[2] - shown.originZ()));
    }

    @Test
    void aSlowBodyIsExactTenThousandKilometresAway() {
        B body = moving(FAR, 1);
        assertExact(body);
        assertThat(reader.window().snapshot(0).originX())
                .as("of the first tick")
                .isEqualTo(newest().originX());
        tick(200);
        assertExact(body);
        assertThat(newest().originX()).isCloseTo(FAR, within(32.0));
    }

    /** When the origin moves, no body jumps in frames: neither the moving body, nor the sleeping one that is left behind. */
    @Test
    void aLongRideMovesTheOriginWithoutJumps() {
        B box = attach(game.addBox(0, 0.5), 2);
        B body = moving(-300, 150);
        int moves = 0;
        double origin = 0;
        for (int tick = 0; tick < 9000; tick++) {
            tick(1);
            assertExact(body);
            assertExact(box);
            assertThat(newest().motion(0).breaks().count()).isZero();
            moves += newest().originX() == origin ? 0 : 1;
            origin = newest().originX();
            assertThat(Math.abs(game.pose(body)[0] - origin)).isLessThan(8000);
        }
        assertThat(game.isAsleep(box)).isTrue();
        assertThat(moves).isBetween(2, 3);
    }

    @Test
    void aSleepingBodyIsExactWhenTheOriginReturns() {
        B box = attach(game.addBox(0.1, 0.5), 2);
        tick(ASLEEP_TICK);
        B body = moving(0, 0.1);
        tick(40);
        for (double to : new double[] {FAR, -20_000, 3 * FAR, 0}) {
            command(() -> {
                game.place(body, to, HEIGHT);
                simulation.teleported(body);
            });
            tick(1);
            assertExact(body);
            assertExact(box);
            assertThat(newest().originX()).isCloseTo(to, within(32.0));
            tick(40);
            assertThat(newest().motion(0).breaks().count()).isZero();
        }
        assertThat(game.isAsleep(box)).isTrue();
        assertThat(newest().originX()).isZero();
    }

    /** At this distance neighbouring floats are a metre apart. A move by such a rounding step is no jump. */
    @Test
    void aSlowDistantBodyIsNoJump() {
        for (int i = 0; i < 3; i++) {
            moving(10 * i, 0.5);
        }
        moving(FAR, 3);
        tick(300);
        assertThat(newest().originX()).isZero();
        assertThat(foundJumps()).isZero();
    }
}
