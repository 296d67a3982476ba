package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@code WorldSimulation} for frames: they show no teleporting body on its way, and spinning bodies that turn as far
 * as in the engine and in the same direction, even by many turns a tick.
 */
public abstract class ExistingWorldFramesContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int SPIN_TICKS = 8;

    /**
     * Jolt's limit of angular speed is a quarter turn a tick at 30 Hz. If the limit counted as fast, the speed of each body would be read,
     * though no body can be fast.
     */
    @Test
    void aQuarterTurnATickIsNotFastInFloats() {
        float limit = 0.25f * (float) Math.PI * 60;
        simulation.stepIs(1 / 30.0);
        assertThat(simulation.isFast(limit)).isFalse();
        assertThat(simulation.isFast(1.01 * limit)).isTrue();
    }

    /** The body is two boxes, the second 3 m off: in engines whose positions are not centres of mass, the centre is 1.5 m off. */
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
    @ValueSource(doubles = {0.24, 0.49, 0.51, 1, 20, -0.3, -3.2})
    void aSpinningBodyTurnsInFramesLikeInTheEngine(double turnsATick) throws Exception {
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
            assertThat(ticks.turn(shown.idOf(body), SPIN_TICKS, axis)).isCloseTo(SPIN_TICKS * each, within(1e-3));
        }
    }

    @Test
    void anUnannouncedTeleportLeavesNoStreak() {
        B box = attach(game.addBox(0, 30), 1);
        tick(50);
        command(() -> game.place(box, 4, 40));
        tick(1);
        assertShown(box);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN);
        assertThat(newest().bodies().teleports(0)).isEqualTo(1);
        tick(20);
        assertThat(breaks()).isEmpty();
        command(() -> game.place(box, -4, 40)); // the box moved before this jump
        tick(1);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN);
        assertThat(foundJumps()).isEqualTo(2);
        assertThat(newest().bodies().teleports(0)).isEqualTo(2);
    }

    /** The game places a platform in each tick, so engines know no velocity of it. Only the start of the motion may look like a jump. */
    @Test
    void anEvenMotionWithoutVelocityIsNoJump() {
        B platform = attach(game.addPlatform(0, 20), 1);
        tick(3);
        for (int tick = 1; tick <= 100; tick++) {
            double x = 0.8 * tick;
            command(() -> game.place(platform, x, 20));
            tick(1);
            assertShown(platform);
            assertThat(breaks()).hasSize(tick == 1 ? 1 : 0);
        }
        tick(1);
        assertThat(breaks()).as("it stops").isEmpty();
        assertThat(foundJumps()).isEqualTo(1);
    }

    @Test
    void anUnannouncedFlipIsNotSweptThrough() {
        B gate = attach(game.addPlatform(0, 20), 1);
        B box = attach(game.addBox(0, 30), 2);
        game.spin(box, 0, 0, 2);
        tick(5);
        command(() -> game.turn(gate, Math.toRadians(170)));
        tick(1);
        assertShown(gate);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN);
        assertThat(foundJumps()).isEqualTo(1);
        command(() -> game.turn(box, Math.toRadians(-140)));
        tick(1);
        assertThat(newest().bodies().teleports(1)).isEqualTo(1);
        command(() -> game.turn(gate, Math.toRadians(90)));
        tick(1);
        assertThat(foundJumps()).as("80 degrees are blended").isEqualTo(2);
    }

    /**
     * The windmill is placed in each tick, so engines know no angular velocity of it. The box spins up in one tick, and stops in another.
     */
    @Test
    void aWindmillAndASpinningBodyAreNoFlips() {
        B mill = attach(game.addPlatform(0, 20), 1);
        B box = attach(game.addBox(0, 60), 2);
        double angle = 0;
        for (int tick = 1; tick <= 60; tick++) {
            angle += Math.toRadians(Math.min(4 * tick, 175));
            double to = angle;
            int speed = tick % 4 < 2 ? 0 : tick;
            command(() -> game.turn(mill, to));
            command(() -> game.spin(box, 0, 0, 2 * Math.PI / DT_SECONDS * 0.02 * speed));
            tick(1);
        }
        assertThat(foundJumps()).isZero();
    }

    @Test
    void aPartThatJumpsLeavesNoStreak() {
        double[] at = {0};
        simulation.attachPart((slot, poses) -> poses.setInWorld(slot, at[0], 0, 0, 0, 0, 0, 1), 1);
        tick(3);
        for (double step : new double[] {30, 0, -30, 1, 1, 1, -28}) {
            at[0] += step;
            tick(1);
            assertThat(breaks()).hasSize(Math.abs(step) > 2 ? 1 : 0);
        }
        at[0] -= 50;
        command(simulation::worldRestored);
        tick(1);
        assertThat(breaks()).hasSize(1);
        assertThat(foundJumps()).as("the restore is none").isEqualTo(3);
        simulation.attachPart((slot, poses) -> poses.setInWorld(slot, 5.0 * poses.tick(), 0, 0, 0, 0, 0, 1), 2);
        tick(10);
        assertThat(foundJumps()).as("a spark may fly at once").isEqualTo(3);
    }

    @Test
    void aMoveInAPauseLeavesNoStreak() {
        B box = attach(game.addBox(0, 30), 1);
        B gate = attach(game.addPlatform(20, 20), 2);
        tick(3);
        driver.pause();
        tick(1);
        command(() -> game.place(box, 10, 30));
        command(() -> game.turn(gate, Math.PI - 0.1));
        tick(0);
        assertThat(breaks()).containsExactly(MotionBreaks.Kind.BROKEN, MotionBreaks.Kind.BROKEN);
        assertThat(foundJumps()).isEqualTo(2);
    }

    /** The ball bounces after three quarters of the tick that follows a command which changed nothing while time stood still. */
    @ParameterizedTest
    @ValueSource(ints = {137, 150, 171})
    void aBounceAfterACommandInAPauseIsNoJump(int speed) {
        B ball = attach(game.addBox(0, 60), 1);
        game.setVelocity(ball, speed, 0);
        tick(3);
        driver.pause();
        tick(1);
        command(() -> {});
        tick(0);
        driver.resume();
        driver.runDueTicks();
        command(() -> {
            double[] pose = game.pose(ball);
            game.place(ball, pose[0] + 1.5 * speed * DT_SECONDS, pose[1]);
            game.setVelocity(ball, -speed, 0);
        });
        tick(1);
        assertThat(foundJumps()).isZero();
    }

    /**
     * Two poses do not show by how many turns a body turned; in a tick without a step it did not turn. It is still no flip if the body
     * stops within the next step.
     */
    @Test
    void aSpinningBodyStandsStillInAPause() {
        B box = game.addBox(0, 30);
        boolean exact = game.spin(box, 0, 0, 10 * Math.PI / DT_SECONDS);
        attach(box, 1);
        tick(3);
        driver.pause();
        tick(1);
        command(() -> {});
        tick(0);
        assertThat(breaks()).isEmpty();
        driver.resume();
        driver.runDueTicks();
        command(() -> {
            double[] pose = game.pose(box);
            game.turn(box, 2 * Math.atan2(pose[5], pose[6]) + (exact ? 2.6 : 0));
            game.spin(box, 0, 0, 0);
        });
        tick(1);
        assertThat(foundJumps()).isZero();
    }

    /** The body goes back by 1.2 m in the tick that stops it, which a bounce can explain. A bounce cannot explain 3 m. */
    @ParameterizedTest
    @ValueSource(doubles = {1.2, 3})
    void aBodyMayBounceAndStopInTheSameTick(double metresBack) {
        B bullet = attach(game.addBox(-10, 60), 1);
        game.setVelocity(bullet, 150, 0);
        tick(5);
        command(() -> {
            double[] pose = game.pose(bullet);
            game.place(bullet, pose[0] - metresBack, pose[1]);
            game.setVelocity(bullet, 0, 0);
        });
        tick(1);
        assertThat(foundJumps()).isEqualTo(metresBack > 2 ? 1 : 0);
    }

    /** The body moves 1.5 m in the first step, and stops in the second. */
    @Test
    void aMoveWithinSeveralStepsIsNoJump() {
        B bullet = attach(game.addBox(0, 60), 1);
        tick(3);
        var stepped = driver.command(tick -> {
            game.setVelocity(bullet, 150, 0);
            simulation.step(Tick.of(TickRate.hertz(100), tick, 0, 0, new RecordedInput().frame(), false));
            game.setVelocity(bullet, 0, 0);
            return tick;
        });
        tick(1);
        assertThat(stepped).isCompleted();
        assertThat(game.pose(bullet)[0]).isGreaterThan(1.4);
        assertThat(foundJumps()).isZero();
    }

    @Test
    void aReattachedBodyIsAnotherAndNotBlended() {
        B box = attach(game.addBox(0, 30), 1);
        tick(3);
        command(() -> {
            simulation.detach(box);
            game.place(box, 4, 30);
            simulation.attach(box, 1);
        });
        tick(1);
        assertShown(box);
        assertThat(newest().bodies().count()).isEqualTo(1);
        assertThat(breaks()).isNotEmpty().containsOnly(MotionBreaks.Kind.BROKEN);
        tick(1);
        assertThat(breaks()).isEmpty();
        assertThat(foundJumps()).isZero();
    }

    private List<MotionBreaks.Kind> breaks() {
        MotionBreaks breaks = newest().motion(0).breaks();
        return IntStream.range(0, breaks.count()).mapToObj(breaks::kind).toList();
    }
}
