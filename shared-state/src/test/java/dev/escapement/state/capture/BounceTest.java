package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ball that falls and bounces: a curve through the blow would swing out. */
class BounceTest {

    private static final double DT = CapturedWorld.RATE.dtSeconds();
    private static final double GRAVITY = 9.81;
    private static final double RESTITUTION = 0.8;

    private final CapturedWorld world = new CapturedWorld(1, 4, new PoseLayout(Tangents.DERIVED, List.of()));

    private MotionBlock move(double y) {
        return world.tick(poses -> {
                    poses.bodyCount(1);
                    poses.set(0, 0, (float) y, 0, 0, 0, 0, 1);
                })
                .motion(0);
    }

    /** As an engine does that steps by semi-implicit Euler: a contact turns the velocity, then the body moves for a tick. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 1.003, 1.5, 1.977, 3})
    void shouldGoStraightThroughTheTickOfABlow(double height) {
        double y = height;
        double v = 0;
        int bounces = 0;
        double fastest = 0;
        for (int tick = 1; tick <= 150; tick++) {
            v -= GRAVITY * DT;
            boolean hits = y + v * DT < 0;
            v = hits ? -RESTITUTION * v : v;
            y += v * DT;
            bounces += hits ? 1 : 0;
            fastest = Math.max(fastest, Math.abs(v) / (hits ? RESTITUTION : 1));
            MotionBlock motion = move(y);
            assertThat(Math.abs((double) motion.vy[0])).isLessThan(1.1 * fastest + GRAVITY * DT);
            if (tick > 2) {
                assertThat(TangentsTest.has(motion, MotionBreaks.Kind.STRAIGHT))
                        .as("tick %d", tick)
                        .isEqualTo(hits);
            }
        }
        assertThat(bounces).isPositive();
    }

    /** As an engine does that finds the time of impact: it moves down and up again within one tick. */
    @Test
    void shouldNotSwingOutAfterABlowAmidATick() {
        for (double height = 1; height < 2; height += 0.01) {
            double fastest = Math.sqrt(2 * GRAVITY * height);
            CapturedWorld falling = new CapturedWorld(1, 4, new PoseLayout(Tangents.DERIVED, List.of()));
            for (int tick = 1; tick <= 100; tick++) {
                float y = (float) fall(height, tick * DT);
                MotionBlock motion = falling.tick(poses -> {
                            poses.bodyCount(1);
                            poses.set(0, 0, y, 0, 0, 0, 0, 1);
                        })
                        .motion(0);
                assertThat((double) Math.abs(motion.vy[0]))
                        .as("from %s m, tick %d", height, tick)
                        .isLessThan(1.1 * fastest);
            }
        }
    }

    @Test
    void shouldGoStraightFromWhereAJumpPutTheBall() {
        for (int tick = 1; tick <= 10; tick++) {
            move(tick * 0.1);
        }
        MotionBlock motion = world.tick(poses -> {
                    poses.teleportBy(0, 3, 20, 0);
                    poses.set(0, 3, 20.95f, 0, 0, 0, 0, 1);
                })
                .motion(0);
        int last = motion.breaks().count() - 1;
        assertThat(motion.breaks().kind(last)).isEqualTo(MotionBreaks.Kind.STRAIGHT);
        assertThat(motion.breaks().x(last)).isEqualTo(3);
        assertThat(motion.breaks().y(last)).isEqualTo(20);
        assertThat(motion.breaks().z(last)).isZero();
    }

    @Test
    void shouldNotSwingOutWhenARestingBodyIsHit() {
        for (int tick = 1; tick <= 10; tick++) {
            move(0);
        }
        assertHalfwayThroughATickIsNoCurve();
    }

    @Test
    void shouldNotSwingOutWhenABodyIsHitThatWasNeverSetAgain() {
        move(0);
        for (int tick = 2; tick <= 10; tick++) {
            world.tick();
        }
        assertHalfwayThroughATickIsNoCurve();
    }

    /** A hit then shows as half the new velocity over that tick, and all of it over the next. */
    private void assertHalfwayThroughATickIsNoCurve() {
        assertThat(move(2.5 * DT).vy[0]).isBetween(2.4f, 5.5f);
        for (int tick = 1; tick <= 5; tick++) {
            assertThat(move((2.5 + 5 * tick) * DT).vy[0]).isBetween(4.5f, 5.5f);
        }
    }

    private static double fall(double height, double seconds) {
        double y = height;
        double v = 0;
        double left = seconds;
        while (true) {
            double impact = (v + Math.sqrt(v * v + 2 * GRAVITY * y)) / GRAVITY;
            if (impact > left) {
                return y + v * left - GRAVITY / 2 * left * left;
            }
            v = -RESTITUTION * (v - GRAVITY * impact);
            y = 0;
            left -= impact;
        }
    }
}
