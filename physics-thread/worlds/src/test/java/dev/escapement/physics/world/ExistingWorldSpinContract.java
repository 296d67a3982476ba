package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a simulation around a world that the game already has promises of bodies that spin: frames show them turn as far as the engine turns
 * them, and the same way round, though that is many turns a tick. A test per engine extends this.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies
 */
@NullMarked
public abstract class ExistingWorldSpinContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int TICKS = 8;

    /** Jolt's, at 30 Hz; otherwise the speed of each body would be read, though none can be fast. */
    @Test
    void aLimitOfAQuarterTurnATickIsNotFastAlsoInFloats() {
        float limit = 0.25f * (float) Math.PI * 60;
        simulation.stepIs(1 / 30.0);
        assertThat(simulation.isFast(limit)).isFalse();
        assertThat(simulation.isFast(1.01 * limit)).isTrue();
    }

    /** Two boxes, of which the second is 3 m off: in engines whose positions are not centres of mass, the centre is 1.5 m off. */
    @Test
    void aBodyIsBlendedAboutItsCentreOfMass() throws Exception {
        try (GameWorld<W, B> spinning = createGame();
                WorldSimulation<W, B> shown = wrap(spinning);
                SlowTicks ticks = new SlowTicks(shown)) {
            B body = spinning.addShaped(0, 20, 0, 0, 0.5, 0.5, 3, 0, 0.5, 0.5);
            spinning.spin(body, 0, 0, 7);
            shown.attach(body, 1);
            double[] centre = spinning.pose(body);
            shown.centreOfMass(body, centre);
            double offset = centre[0];
            ticks.tick(4);
            for (int frame = 0; frame < 5 * SlowTicks.FRAMES_A_TICK; frame++) {
                double[] pose = ticks.frame(shown.idOf(body));
                double x = pose[0] + offset * (1 - 2 * (pose[4] * pose[4] + pose[5] * pose[5]));
                assertThat(x).as("falls straight down, in frame %s", frame).isCloseTo(offset, within(5e-4));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.24, 0.3, 0.49, 0.51, 0.557, 0.9, 1, 1.5, 7.3, 20, -0.3, -0.557, -1, -3.2, -20})
    void aBodyThatSpinsTurnsInFramesAsFarAsInTheEngine(double turnsATick) throws Exception {
        double wanted = 2 * Math.PI * turnsATick;
        double speed = wanted / SlowTicks.DT;
        boolean flat = simulation.states.motionAt[2] < 0;
        double[] axis = flat ? new double[] {0, 0, 1} : new double[] {0.48, 0.6, 0.64};
        try (GameWorld<W, B> spinning = createGame();
                WorldSimulation<W, B> shown = wrap(spinning);
                SlowTicks ticks = new SlowTicks(shown)) {
            B body = spinning.addBox(0, 15);
            boolean exact = spinning.spin(body, speed * axis[0], speed * axis[1], speed * axis[2]);
            shown.attach(body, 1);
            ticks.tick(2);
            double[] before = spinning.pose(body);
            ticks.tick(1);
            double each = exact ? wanted : SlowTicks.angle(spinning.pose(body), before, axis);
            assertThat(Math.signum(each)).isEqualTo(Math.signum(wanted));
            assertThat(ticks.turn(shown.idOf(body), TICKS, axis)).isCloseTo(TICKS * each, within(1e-3));
        }
    }
}
