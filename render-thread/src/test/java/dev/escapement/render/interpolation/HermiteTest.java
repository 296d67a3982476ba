package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Smooth curves: a body that swings with an amplitude of one metre, twice a second. */
class HermiteTest {

    private static final double H = CapturedWorld.RATE.dtSeconds();
    private static final double OMEGA = 2 * Math.PI * 2;
    private static final int FRAMES_PER_TICK = 16;

    private final Interpolator hermite = new Interpolator(new Interpolation(Interpolation.Positions.HERMITE));

    @Test
    void shouldBeWithinFiveMicrometresOfExactSamples() {
        Snapshot[] swing = new Snapshot[2];
        CapturedWorld world = new CapturedWorld(1, 1, new PoseLayout(Tangents.DERIVED, List.of()));
        double worst = 0;
        for (int tick = 1; tick <= 100; tick++) {
            double x = Math.sin(OMEGA * tick * H);
            double v = OMEGA * Math.cos(OMEGA * tick * H);
            swing[1] = world.tick(poses -> {
                poses.bodyCount(1);
                poses.set(0, (float) x, 0, 0, 0, 0, 0, 1);
            });
            swing[1].motion(0).vx[0] = (float) v;
            for (int frame = 0; tick > 1 && frame <= FRAMES_PER_TICK; frame++) {
                float alpha = frame / (float) FRAMES_PER_TICK;
                double exact = Math.sin(OMEGA * (tick - 1 + alpha) * H);
                worst = Math.max(worst, Math.abs(shown(swing, alpha) - exact));
            }
            swing[0] = swing[1];
        }
        assertThat(worst).isLessThan(5e-6);
    }

    /** The reason for derived velocities: with the engine's own ones the acceleration ripples. */
    @Test
    void shouldNotRippleBehindSemiImplicitEuler() {
        double derived = peakAcceleration(false);
        double raw = peakAcceleration(true);
        double trueAcceleration = OMEGA * OMEGA;
        assertThat(raw / trueAcceleration).isBetween(3.2, 4.2);
        assertThat(derived / trueAcceleration).isLessThan(1.1);
    }

    /** A ball that bounces: between the two ticks of the bounce there is no curve to follow. */
    @Test
    void shouldNotSwingOutWhenABodyHitsTheFloor() {
        CapturedWorld world = new CapturedWorld(1, 1, new PoseLayout(Tangents.DERIVED, List.of()));
        Snapshot[] pair = new Snapshot[2];
        double v = 0;
        double y = 2;
        double lowest = 2;
        for (int tick = 1; tick <= 300; tick++) {
            v -= 9.81 * H;
            v = y + v * H < 0 ? -0.8 * v : v;
            y += v * H;
            float height = (float) y;
            pair[1] = world.tick(poses -> {
                poses.bodyCount(1);
                poses.set(0, height, 0, 0, 0, 0, 0, 1);
            });
            for (int frame = 0; tick > 1 && frame <= FRAMES_PER_TICK; frame++) {
                lowest = Math.min(lowest, shown(pair, frame / (float) FRAMES_PER_TICK));
            }
            pair[0] = pair[1];
        }
        assertThat(lowest).isGreaterThan(-1e-3);
    }

    /** Second differences of the shown path of semi-implicit Euler, with its own velocities or with those of capture. */
    private double peakAcceleration(boolean raw) {
        CapturedWorld world = new CapturedWorld(1, 1, new PoseLayout(Tangents.DERIVED, List.of()));
        Snapshot[] pair = new Snapshot[2];
        double x = 1;
        double v = 0;
        double peak = 0;
        double[] path = {0, 0, 0};
        int points = 0;
        for (int tick = 1; tick <= 200; tick++) {
            v -= OMEGA * OMEGA * x * H;
            x += v * H;
            float position = (float) x;
            pair[1] = world.tick(poses -> {
                poses.bodyCount(1);
                poses.set(0, position, 0, 0, 0, 0, 0, 1);
            });
            if (raw) {
                pair[1].motion(0).vx[0] = (float) v;
            }
            for (int frame = 0; tick > 10 && frame < FRAMES_PER_TICK; frame++) {
                path[0] = path[1];
                path[1] = path[2];
                path[2] = shown(pair, frame / (float) FRAMES_PER_TICK);
                double step = H / FRAMES_PER_TICK;
                if (++points >= 3) {
                    peak = Math.max(peak, Math.abs(path[2] - 2 * path[1] + path[0]) / (step * step));
                }
            }
            pair[0] = pair[1];
        }
        return peak;
    }

    private float shown(Snapshot[] pair, float alpha) {
        hermite.show(pair[0], pair[1], alpha, H);
        return hermite.poses().block(0).px[0];
    }
}
