package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class TangentsTest {

    private static final double DT = CapturedWorld.RATE.dtSeconds();

    private final CapturedWorld world = new CapturedWorld(1, 4, new PoseLayout(Tangents.DERIVED, List.of()));

    /** The next tick of one body, along x. */
    private MotionBlock move(double x) {
        return world.tick(poses -> {
                    poses.bodyCount(1);
                    poses.set(0, (float) x, 0, 0, 0, 0, 0, 1);
                })
                .motion(0);
    }

    static boolean has(MotionBlock motion, MotionBreaks.Kind kind) {
        for (int s = 0; s < motion.breaks().count(); s++) {
            if (motion.breaks().kind(s) == kind) {
                return true;
            }
        }
        return false;
    }

    /** Measured: 0.6 % of the largest speed at worst, over all phases. */
    @Test
    void shouldBeTheDerivativeOfASmoothMotion() {
        double omega = 2 * Math.PI * 2;
        for (int tick = 1; tick <= 2000; tick++) {
            double t = tick * DT * 1.000_37; // so that all phases come by
            MotionBlock motion = move(Math.sin(omega * t));
            if (tick > 3) {
                assertThat(motion.vx[0])
                        .isCloseTo((float) (omega * Math.cos(omega * t)), within((float) (0.01 * omega)));
                assertThat(motion.breaks().count()).isZero();
            }
            assertThat(motion.vy[0]).isZero();
            assertThat(motion.vz[0]).isZero();
        }
    }

    /** Twice a second around a circle of a hundred metres: a chord is 10 cm off the arc, so that none may be straight. */
    @Test
    void shouldFollowACurveHoweverFast() {
        double omega = 2 * Math.PI * 2;
        for (int tick = 1; tick <= 200; tick++) {
            double angle = tick * DT * omega;
            MotionBlock motion = world.tick(poses -> {
                        poses.bodyCount(1);
                        poses.set(0, (float) (50 * Math.cos(angle)), (float) (50 * Math.sin(angle)), 0, 0, 0, 0, 1);
                    })
                    .motion(0);
            if (tick > 3) {
                assertThat(motion.breaks().count()).as("tick %d", tick).isZero();
            }
        }
    }

    @Test
    void shouldFindTheVelocityAlongEachAxis() {
        Snapshot snapshot = world.tick();
        for (int tick = 1; tick <= 10; tick++) {
            float t = (float) (tick * DT);
            snapshot = world.tick(poses -> {
                poses.bodyCount(3);
                poses.set(2, 1 * t, -2 * t, 3 * t, 0, 0, 0, 1);
                poses.set(0, 4 * t, 5 * t, -6 * t, 0, 0, 0, 1);
                poses.set(1, 0, 0, 0, 0, 0, 0, 1);
            });
        }
        MotionBlock motion = snapshot.motion(0);
        assertThat(velocity(motion, 2)).containsExactly(new float[] {1, -2, 3}, within(1e-4f));
        assertThat(velocity(motion, 0)).containsExactly(new float[] {4, 5, -6}, within(1e-4f));
        assertThat(velocity(motion, 1)).containsExactly(0, 0, 0);
    }

    private static float[] velocity(MotionBlock motion, int i) {
        return new float[] {motion.vx[i], motion.vy[i], motion.vz[i]};
    }

    /** The engine's own integrator: x moves by v(n) from n-1 to n, while x'(n) lies half a tick's acceleration further. */
    @Test
    void shouldBelongToTheTickAndNotToTheMiddleBeforeIt() {
        double v = 0;
        double x = 0;
        for (int tick = 1; tick <= 50; tick++) {
            v += 10 * DT;
            x += v * DT;
            MotionBlock motion = move(x);
            if (tick > 3) {
                assertThat(motion.vx[0]).isCloseTo((float) (v + 5 * DT), within(1e-3f));
            }
        }
    }

    @Test
    void shouldRememberTheMotionOfEveryBodyWhileTheWorldGrows() {
        double v = 0;
        double x = 0;
        for (int tick = 1; tick <= 30; tick++) {
            v += 10 * DT;
            x += v * DT;
            float place = (float) x;
            int bodies = tick * tick;
            MotionBlock motion = world.tick(poses -> {
                        poses.bodyCount(bodies);
                        for (int slot = 0; slot < bodies; slot++) {
                            poses.set(slot, place, 0, 0, 0, 0, 0, 1);
                        }
                    })
                    .motion(0);
            if (tick > 3) {
                assertThat(motion.vx[0]).as("tick %d", tick).isCloseTo((float) (v + 5 * DT), within(1e-3f));
            }
        }
    }

    @Test
    void shouldBeZeroAtRestAndStartAgainWithoutAPast() {
        for (int tick = 1; tick <= 10; tick++) {
            move(tick * 0.1);
        }
        for (int tick = 1; tick <= 5; tick++) {
            assertThat(world.tick().motion(0).vx[0]).isZero();
        }
        for (int tick = 1; tick <= 5; tick++) {
            assertThat(move(1).vx[0]).as("set, but to where it was").isZero();
        }
        assertThat(move(1.05).vx[0]).isCloseTo(5, within(1e-3f));
        assertThat(move(1.10).vx[0]).isCloseTo(5, within(1e-3f));
    }

    @Test
    void shouldForgetAtRestHowABodySpedUp() {
        move(0);
        move(0.5 * DT);
        move(1.5 * DT);
        move(3 * DT);
        world.tick();
        world.tick();
        assertThat(move(3.2 * DT).vx[0]).isCloseTo(0.2f, within(0.01f));
    }

    @Test
    void shouldNotContainATeleport() {
        for (int tick = 1; tick <= 20; tick++) {
            boolean jumps = tick == 10;
            double x = tick * 0.05 + (tick < 10 ? 0 : 1000);
            MotionBlock motion = world.tick(poses -> {
                        poses.bodyCount(1);
                        if (jumps) {
                            poses.teleport(0);
                        }
                        poses.set(0, (float) x, 0, 0, 0, 0, 0, 1);
                    })
                    .motion(0);
            boolean isNew = tick == 1 || tick == 10;
            assertThat(motion.vx[0]).isCloseTo(isNew ? 0 : 5, within(0.02f));
            assertThat(has(motion, MotionBreaks.Kind.BROKEN)).isEqualTo(isNew);
        }
    }

    @Test
    void shouldNotContainThePlaceOfTheSlotsFirstBody() {
        move(-1000);
        move(-999);
        Snapshot respawned = world.tick(poses -> {
            poses.despawn(1L << 32);
            poses.spawn(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        });
        assertThat(respawned.motion(0).vx[0]).isZero();
        assertThat(move(0.05).vx[0]).isCloseTo(5, within(1e-3f));
        assertThat(move(0.10).vx[0]).isCloseTo(5, within(1e-3f));
    }

    @Test
    void shouldNotContainAJumpBesideTheMotion() {
        for (int tick = 1; tick <= 20; tick++) {
            boolean jumps = tick % 5 == 0;
            int jumped = tick / 5;
            double x = tick * 0.05 + 64 * jumped;
            MotionBlock motion = world.tick(poses -> {
                        poses.bodyCount(1);
                        poses.set(0, (float) x, 2 * jumped, 0, 0, 0, 0, 1);
                        if (jumps) {
                            poses.teleportBy(0, 60, 2, 0);
                            poses.teleportBy(0, 4, 0, 0);
                        }
                    })
                    .motion(0);
            if (tick > 1) {
                assertThat(motion.vx[0]).isCloseTo(5, within(0.01f));
                assertThat(motion.vy[0]).isZero();
                assertThat(has(motion, MotionBreaks.Kind.SHIFTED)).isEqualTo(jumps);
                assertThat(has(motion, MotionBreaks.Kind.STRAIGHT))
                        .as("from no velocity at all to one")
                        .isEqualTo(tick == 2);
            }
        }
    }

    @Test
    void shouldLetABlockRestOnceItsVelocitiesAreZero() {
        for (int tick = 1; tick <= 20; tick++) {
            float x = tick;
            Snapshot snapshot = world.tick(poses -> {
                poses.bodyCount(1);
                if (x <= 5) {
                    poses.set(0, x, 0, 0, 0, 0, 0, 1);
                }
            });
            assertThat(snapshot.motion(0).changedTick()).isEqualTo(Math.min(tick, 6));
            assertThat(snapshot.bodyBlock(0).changedTick()).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeNoRoomWhereThereAreNone() {
        CapturedWorld plain = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        MotionBlock motion = plain.tick(poses -> {
                    poses.bodyCount(1);
                    poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                })
                .motion(0);
        assertThat(velocityArrays(motion)).allMatch(array -> array.length == 0);
    }

    private static List<float[]> velocityArrays(MotionBlock motion) {
        return List.of(motion.vx, motion.vy, motion.vz);
    }
}
