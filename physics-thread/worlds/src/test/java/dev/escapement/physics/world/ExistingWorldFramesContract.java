package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.time.TickRate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every {@code WorldSimulation} for frames: they show a part as they show a body, no teleporting body on its way, and
 * spinning bodies that turn as far as in the engine and in the same direction, even by many turns a tick.
 */
public abstract class ExistingWorldFramesContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int FRAMES_A_TICK = 2;
    private static final int SPIN_TICKS = 8;

    private static Part.Source at(float x) {
        return (slot, poses) -> poses.set(slot, x, 0, 0, 0, 0, 0, 1);
    }

    /** Copies the pose of a body that is awake, and teleports the part in the next capture if {@code teleports} says so. */
    private Part.Source copyOf(B body, boolean[] teleports) {
        boolean[] slept = {false};
        return (slot, poses) -> {
            if (game.isAsleep(body) && slept[0]) {
                return; // writes nothing, so the part stays where the body sleeps
            }
            slept[0] = game.isAsleep(body);
            double[] p = game.pose(body);
            poses.setInWorld(slot, p[0], p[1], p[2], (float) p[3], (float) p[4], (float) p[5], (float) p[6]);
            if (teleports[0]) {
                poses.teleport(slot);
            }
            teleports[0] = false;
        };
    }

    /** The part copies the body's pose in each tick, so each frame must show part and body at equal poses. */
    @Test
    void aPartIsShownLikeTheBodyItFollows() {
        attach(game.addBox(0, 0.8), 5);
        B high = attach(game.addBox(0.6, 2.5), 6); // topples off the lower box
        boolean[] teleports = {false};
        Part part = simulation.attachPart(copyOf(high, teleports), 7);
        try (FrameView view = FrameView.inline(driver.newReader())) {
            tick(3);
            boolean turned = false;
            for (int frame = 0; frame < ASLEEP_TICK * FRAMES_A_TICK; frame++) {
                if (frame == 150 * FRAMES_A_TICK) {
                    command(() -> {
                        game.place(high, 6, 4);
                        game.setVelocity(high, 0, 1); // the box wakes up
                        simulation.teleported(high);
                        teleports[0] = true;
                    });
                }
                clock.advance(TICK_NANOS / FRAMES_A_TICK);
                driver.runDueTicks();
                assertThat(view.advance(clock.nanoTime())).isTrue();
                double[] pose = SlowTicks.pose(view, simulation.idOf(high));
                assertThat(SlowTicks.pose(view, part.id())).containsExactly(pose, within(1e-6));
                turned |= pose[6] < 0.99;
            }
            assertThat(turned).as("a rotation was compared").isTrue();
            assertThat(newest().bodies().teleports(BodyId.slot(part.id()))).isEqualTo(1);
        }
        assertThat(newest().motion(0).changedTick())
                .as("of what rests with the body")
                .isLessThan(ASLEEP_TICK - 10);
    }

    @Test
    void partsComeAndGoWithIdsAsBodiesDo() {
        attach(game.addBox(0, 5), 1);
        Part.Source source = at(1);
        Part part = simulation.attachPart(source, 70);
        assertThatIllegalStateException()
                .isThrownBy(part::id)
                .withMessageContaining("(user data 70) gets its id in its first capture");
        tick(3);
        assertThat(newest().bodies().userData(BodyId.slot(part.id()))).isEqualTo(70);
        assertThat(simulation.bodyOf(part.id())).isNull();
        assertThat(simulation.shape(part.id())).isNull();
        assertThat(simulation.bodyCount()).as("of the engine").isEqualTo(1);
        long id = part.id();
        command(part::detach);
        tick(1);
        assertThat(newest().bodies().exists(id)).isFalse();
        assertThat(newest().bodies().count()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(part::detach).withMessageContaining("is not attached");
        Part again = simulation.attachPart(source, 73);
        tick(1);
        assertThat(again.id()).isNotEqualTo(id);
        assertThat(newest().bodies().exists(again.id())).isTrue();
    }

    @Test
    void aSourceThatThrowsIsNamed() {
        simulation.attachPart(
                (at, poses) -> {
                    throw new IllegalArgumentException("no such spark");
                },
                42);
        clock.advance(TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(driver::runDueTicks)
                .withMessageContaining("(user data 42), a part, threw")
                .withMessageContaining("no such spark");
    }

    @Test
    void aSourceCanDetachItsPart() {
        List<Part> sparks = new ArrayList<>();
        long[] captures = {0};
        for (int spark = 0; spark < 5; spark++) {
            int number = spark;
            sparks.add(simulation.attachPart(
                    (slot, poses) -> {
                        at(number).write(slot, poses);
                        if (++captures[0] > 15 && number % 2 == 0) {
                            sparks.get(number).detach();
                        }
                    },
                    spark));
        }
        tick(3);
        assertThat(newest().bodies().count()).isEqualTo(5);
        tick(2);
        assertThat(newest().bodies().count()).isEqualTo(2);
        assertThat(newest().bodies().exists(sparks.get(1).id())).isTrue();
        assertThat(newest().bodies().exists(sparks.get(3).id())).isTrue();
        assertThat(captures[0]).isEqualTo(3 * 5 + 5 + 2);
    }

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

    @Test
    void aWorldThatIsPutBackHasNotJumped() {
        B box = attach(game.addBox(0, 30), 1);
        tick(5);
        command(() -> {
            game.place(box, 3, 35);
            simulation.worldRestored();
        });
        tick(20);
        assertThat(foundJumps()).isZero();
    }

    /** Bullets are fired, hit other bodies, and vanish; a pile is hit, and other bodies fall and bounce. */
    @Test
    void aPileUnderFireHasNoJumps() {
        SplittableRandom random = new SplittableRandom(7);
        List<B> pile = new ArrayList<>();
        Deque<B> bullets = new ArrayDeque<>();
        for (int i = 0; i < 10; i++) {
            pile.add(attach(game.addBox(1.1 * (i % 5) - 2, 0.6 + 1.1 * Math.floorDiv(i, 5)), i));
        }
        for (int tick = 1; tick <= 1000; tick++) {
            if (tick % 10 == 0) {
                double y = random.nextDouble(1, 12);
                double vx = random.nextDouble(100, 300);
                double vy = random.nextDouble(-100, 20);
                command(() -> {
                    B bullet = attach(game.addBox(-15, y), 200);
                    game.setVelocity(bullet, vx, vy);
                    bullets.add(bullet);
                    if (bullets.size() > 4) {
                        removeDetached(bullets.remove());
                    }
                });
            }
            if (tick % 150 == 0) { // becomes fast from one tick to the next
                B thrown = pile.get(random.nextInt(pile.size()));
                double vy = random.nextDouble(30, 100);
                command(() -> game.setVelocity(thrown, 0, vy));
            }
            tick(1);
            assertThat(foundJumps()).as("tick %d", tick).isZero();
        }
    }

    private List<MotionBreaks.Kind> breaks() {
        MotionBreaks breaks = newest().motion(0).breaks();
        return IntStream.range(0, breaks.count()).mapToObj(breaks::kind).toList();
    }
}
