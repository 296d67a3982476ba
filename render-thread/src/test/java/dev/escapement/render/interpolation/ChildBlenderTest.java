package dev.escapement.render.interpolation;

import static dev.escapement.render.interpolation.Exact.distance;
import static dev.escapement.render.interpolation.Exact.rotated;
import static dev.escapement.render.interpolation.Exact.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests passengers 5 m from the axis of a platform that turns by half a radian per tick, like 10 rad/s at 20 Hz. */
class ChildBlenderTest {

    private static final double[] AXIS = {0.48, 0.6, 0.64};
    private static final double[] SEAT = {4, 0, -3};
    private static final double[] OTHER_SEAT = {-2, 1, 1.5};
    private static final double MILLIMETRE = 1e-3;
    private static final double ROUNDING = 2e-5;
    private static final int FRAMES = 128;
    private static final int PLATFORM = 0;
    private static final int RIDER = 1;

    /** A slot in another block than the slots of the other bodies. */
    private static final int FAR = 1500;

    private final LastTicks last = new LastTicks(new CapturedWorld(4, 1, 0, new PoseLayout(List.of())));
    private final Interpolator view = new Interpolator(Interpolation.DEFAULT);

    private static final class Pose {

        final double[] place;
        final double[] turn;

        Pose(double[] place, double[] turn) {
            this.place = place;
            this.turn = turn;
        }

        /** Returns the pose of a body with this rotation whose position is {@code seat} relative to this body. */
        Pose at(double[] seat) {
            return new Pose(sum(place, rotated(turn, seat), 1), turn);
        }

        double[] seatOf(Pose rider) {
            double[] back = {-turn[0], -turn[1], -turn[2], turn[3]};
            return rotated(back, sum(rider.place, place, -1));
        }
    }

    private static Pose platform(long tick) {
        return turning(tick, 0.5);
    }

    private static Pose turning(long tick, double radiansPerTick) {
        return new Pose(new double[] {10 + 0.3 * tick, 2, -1}, Quaternions.around(AXIS, radiansPerTick * tick));
    }

    private static void set(PoseWriter poses, int slot, Pose pose) {
        float[] q = Quaternions.floats(pose.turn);
        poses.set(slot, (float) pose.place[0], (float) pose.place[1], (float) pose.place[2], q[0], q[1], q[2], q[3]);
    }

    private static long id(int slot) {
        return BodyId.of(slot, 1);
    }

    /** Creates a world whose first tick fills two blocks. Only a few bodies move in later ticks. */
    ChildBlenderTest() {
        last.tick(poses -> CapturedWorld.setAll(poses, FAR + 10));
    }

    private void ticks(int count, Capture.Source moving) {
        for (int i = 0; i < count; i++) {
            last.tick(moving);
        }
    }

    private void ride(int rider, int parent) {
        ticks(3, poses -> {
            set(poses, parent, platform(poses.tick()));
            set(poses, rider, platform(poses.tick()).at(SEAT));
            poses.relativeTo(rider, id(parent));
        });
    }

    private Pose shown(Interpolator interpolator, int slot) {
        PoseBlock block = interpolator.block(slot >>> PoseBlock.SHIFT);
        int i = slot & PoseBlock.MASK;
        return new Pose(
                new double[] {block.px[i], block.py[i], block.pz[i]},
                new double[] {block.qx[i], block.qy[i], block.qz[i], block.qw[i]});
    }

    private Pose shown(int slot, double alpha) {
        view.show(last.previous, last.current, (float) alpha);
        return shown(view, slot);
    }

    /** Returns a child's largest distance from its seat, in frames between the last two ticks. */
    private double worst(Interpolator interpolator, int rider, int parent, float ahead) {
        double worst = 0;
        for (int frame = 0; frame <= FRAMES; frame++) {
            interpolator.show(last.beforePrevious, last.previous, last.current, (float) frame / FRAMES, ahead);
            double[] seat = shown(interpolator, parent).seatOf(shown(interpolator, rider));
            worst = Math.max(worst, distance(seat, SEAT));
        }
        return worst;
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1501, 0", "0, 1501"})
    void shouldKeepAPassengerOnItsSeat(int rider, int parent) {
        ride(rider, parent);
        assertThat(worst(view, rider, parent, 0)).isLessThan(ROUNDING);
        PoseBlock scratch = new PoseBlock();
        view.show(last.previous, last.current, 0.5f);
        assertThat(view.blockOrBlendInto(rider >>> PoseBlock.SHIFT, scratch).px[rider & PoseBlock.MASK])
                .as("without keeping the block")
                .isEqualTo((float) shown(view, rider).place[0]);
    }

    /** A child may name a parent in a slot that does not exist: in a damaged stream, or after the parent has despawned. */
    @ParameterizedTest
    @ValueSource(floats = {0, 0.5f})
    void shouldBlendInTheWorldIfParentSlotIsInvalid(float ahead) {
        for (int i = 0; i < 3; i++) {
            last.tick(poses -> {
                poses.set(RIDER, (float) (9 * poses.tick()), 0, 0, 0, 0, 0, 1);
                poses.relativeTo(RIDER, id(PLATFORM));
                poses.teleportBy(RIDER, 8, 0, 0);
            });
            last.current.bodyBlock(0).parent(RIDER, id(1 << 20));
        }
        view.show(last.beforePrevious, last.previous, last.current, 0.5f, ahead);
        double withoutTeleport = 9 * last.world.ticks() - (ahead == 0 ? 0.5 : 0);
        assertThat(shown(view, RIDER).place[0]).isEqualTo(withoutTeleport);
    }

    /** The origin moves in the last tick, in the one before it, or never. */
    @ParameterizedTest
    @CsvSource({"4, 0", "4, 2", "3, 0.5", "9, 1"})
    void shouldKeepPassengersSeatedWhereTheOriginMoves(long moves, float ahead) {
        ticks(3, poses -> {
            double origin = poses.tick() >= moves ? 128 : 0;
            poses.origin(origin, 0, 0);
            Pose inWorld = platform(poses.tick());
            Pose platform = new Pose(sum(inWorld.place, new double[] {origin, 0, 0}, -1), inWorld.turn);
            set(poses, FAR, platform);
            set(poses, RIDER, platform.at(SEAT));
            poses.relativeTo(RIDER, id(FAR));
        });
        assertThat(worst(view, RIDER, FAR, ahead)).isLessThan(MILLIMETRE);
    }

    /** The child is on the platform, changes to another platform, and returns to the ground, where it walks. */
    @ParameterizedTest
    @ValueSource(floats = {0, 0.5f, 2})
    void shouldNotJumpWhereRidesBeginAndEnd(float ahead) {
        ticks(2, this::hop);
        double[] before = null;
        for (int tick = 4; tick <= 16; tick++) {
            ticks(1, this::hop);
            double[][] places = new double[3][];
            float[] alphas = {0, 1f / 1024, 1023f / 1024};
            for (int frame = 0; frame < alphas.length; frame++) {
                view.show(last.beforePrevious, last.previous, last.current, alphas[frame], ahead);
                places[frame] = shown(view, RIDER).place;
            }
            assertThat(distance(places[1], places[0])).as("tick %s", tick).isLessThan(0.06);
            assertThat(before == null ? 0 : distance(places[0], before))
                    .as("tick %s", tick)
                    .isLessThan(0.06);
            before = places[2];
        }
    }

    private void hop(PoseWriter poses) {
        long tick = poses.tick();
        Pose other = turning(tick, -0.4);
        Pose ground = new Pose(
                sum(platform(7).at(SEAT).place, new double[] {0.2, 0, 0}, (double) tick), new double[] {0, 0, 0, 1});
        set(poses, PLATFORM, platform(tick));
        set(poses, FAR, other);
        boolean isOn = tick >= 7 && tick < 10;
        boolean isOnOther = tick >= 10 && tick < 13;
        set(poses, RIDER, isOn ? platform(tick).at(SEAT) : isOnOther ? other.at(OTHER_SEAT) : ground);
        poses.relativeTo(RIDER, isOn ? id(PLATFORM) : isOnOther ? id(FAR) : 0);
    }

    @Test
    void shouldEndACircleOfADamagedStream() {
        ride(RIDER, PLATFORM);
        for (Snapshot tick : List.of(last.previous, last.current)) {
            tick.bodyBlock(0).parent(PLATFORM, id(RIDER));
        }
        assertThat(shown(RIDER, 0.5).place).doesNotContain(Double.NaN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryRidersWhenTheParentTeleports(boolean riderSaysSo) {
        ride(RIDER, PLATFORM);
        jump(poses -> {
            poses.teleport(PLATFORM);
            if (riderSaysSo) {
                poses.teleport(RIDER);
            }
        });
        assertThat(worst(view, RIDER, PLATFORM, 0)).isLessThan(MILLIMETRE);
        assertThat(shown(RIDER, 0.99).place).as("before").containsExactly(shown(RIDER, 0).place, within(ROUNDING));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryRidersWhenTheParentJumpsAndMovesOn(boolean riderSaysSo) {
        ride(RIDER, PLATFORM);
        jump(poses -> {
            poses.teleportBy(PLATFORM, 100, 0, 0);
            if (riderSaysSo) {
                poses.teleportBy(RIDER, 100, 0, 0);
            }
        });
        assertThat(distance(shown(PLATFORM, 0.01).seatOf(shown(RIDER, 0.01)), SEAT))
                .isLessThan(MILLIMETRE);
        assertThat(shown(RIDER, 0.01).place[0]).as("behind the portal").isGreaterThan(80);
    }

    /**
     * If a platform teleports, an engine leaves behind the bodies that stand on it. Here the body stands on the platform, or on another
     * body there, which is left behind or carried along.
     */
    @ParameterizedTest
    @CsvSource({"false, 128, false", "true, 0, false", "true, 0, true"})
    void shouldLeaveBehindWhatAJumpDoesNotCarry(boolean isOnAnother, double origin, boolean carriesAnother) {
        ticks(3, poses -> {
            double x = 0.1 * (double) poses.tick();
            double shift = 0;
            if (poses.tick() == 4) {
                poses.origin(origin, 0, 0);
                poses.teleport(PLATFORM);
                shift = -origin;
            }
            double jumped = x + (poses.tick() == 4 ? 100 : 0);
            poses.set(PLATFORM, (float) (shift + jumped), 0, 0, 0, 0, 0, 1);
            poses.set(FAR, (float) (shift + (carriesAnother ? jumped : x)), 1, 0, 0, 0, 0, 1);
            poses.set(RIDER, (float) (shift + x), 2, 0, 0, 0, 0, 1);
            poses.relativeTo(FAR, id(PLATFORM));
            poses.relativeTo(RIDER, id(isOnAnother ? FAR : PLATFORM));
        });
        assertThat(shown(RIDER, 0.5).place).containsExactly(new double[] {0.35, 2, 0}, within(ROUNDING));
        double standing = carriesAnother ? 0.3 : 0.35; // before its jump, or half-way on its walk
        assertThat(shown(FAR, 0.5).place)
                .containsExactly(new double[] {standing, 1, 0}, within(carriesAnother ? 0.1 : ROUNDING));
        for (float alpha : new float[] {0.01f, 0.5f, 0.9f}) {
            view.show(last.beforePrevious, last.previous, last.current, alpha, 0.5f);
            double[] predicted = {0.1 * (3.5 + alpha) - view.shown().originX(), 2, 0};
            assertThat(shown(view, RIDER).place).as("predicted").containsExactly(predicted, within(0.03));
        }
    }

    /** Runs a tick that moves the platform and its child by 100 m. */
    private void jump(Capture.Source marks) {
        ticks(1, poses -> {
            Pose near = platform(poses.tick());
            Pose there = new Pose(sum(near.place, new double[] {100, 0, 0}, 1), near.turn);
            set(poses, PLATFORM, there);
            set(poses, RIDER, there.at(SEAT));
            marks.capture(poses);
        });
    }

    /** The child teleports to another seat, or through a portal on the platform. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShowARiderThatTeleportsAlone(boolean movesOn) {
        ride(RIDER, PLATFORM);
        ticks(1, poses -> {
            Pose near = platform(poses.tick()).at(SEAT);
            set(poses, PLATFORM, platform(poses.tick()));
            set(poses, RIDER, new Pose(sum(near.place, new double[] {100, 0, 0}, 1), near.turn));
            if (movesOn) {
                poses.teleportBy(RIDER, 100, 0, 0);
            } else {
                poses.teleport(RIDER);
            }
        });
        double x = shown(RIDER, 0).place[0];
        assertThat(shown(RIDER, 0.01).place[0] - x).isBetween(movesOn ? 80.0 : 0.0, movesOn ? 120.0 : 0.0);
    }

    @Test
    void shouldBlendInTheWorldWithNewOrGoneParent() {
        long[] parent = new long[1];
        CapturedWorld coming = new CapturedWorld(1, 0, PoseLayout.PLAIN);
        last.previous = coming.tick(poses -> set(poses, poses.slotOf(poses.spawn(1)), platform(1)));
        last.current = coming.tick(poses -> {
            parent[0] = poses.spawn(2);
            set(poses, poses.slotOf(parent[0]), platform(2));
            set(poses, 0, platform(2).at(SEAT));
            poses.relativeTo(0, parent[0]);
        });
        assertIsHalfWay(0);
        last.previous = coming.tick(poses -> {
            set(poses, 1, platform(3));
            set(poses, 0, platform(3).at(SEAT));
        });
        last.current = coming.tick(poses -> {
            poses.despawn(parent[0]);
            set(poses, poses.slotOf(poses.spawn(3)), platform(4));
            set(poses, 0, platform(4).at(SEAT));
        });
        assertIsHalfWay(0);
    }

    private void assertIsHalfWay(int slot) {
        double[] from = shown(slot, 0).place;
        double[] to = shown(slot, 1).place;
        double[] way = sum(to, from, -1);
        assertThat(shown(slot, 0.5).place).containsExactly(sum(from, way, 0.5), within(ROUNDING));
        view.show(last.previous, last.previous, last.current, 0.5f, 1);
        assertThat(shown(view, slot).place).as("predicted").containsExactly(sum(to, way, 0.5), within(ROUNDING));
    }

    @Test
    void shouldLetARiderRestThatIsNotSet() {
        ride(RIDER, PLATFORM);
        ticks(1, poses -> set(poses, PLATFORM, platform(poses.tick())));
        assertThat(shown(RIDER, 0.5).place).isEqualTo(shown(RIDER, 0).place);
    }

    /** A re-simulation puts the platform and the seat elsewhere. The picture continues from where it was. */
    @ParameterizedTest
    @ValueSource(floats = {0, 1})
    void shouldNotJumpWhenTicksRunAgain(float ahead) throws Exception {
        ride(RIDER, PLATFORM);
        float almost = 1 - 1e-4f;
        view.show(last.beforePrevious, last.previous, last.current, almost, ahead);
        double[] before = shown(view, RIDER).place;
        for (int tick = 3; tick <= 4; tick++) {
            int undone = tick;
            last.world.again(poses -> setOtherwise(poses, undone));
        }
        last.tick(poses -> setOtherwise(poses, 5));
        view.fade.correct(last.current);
        view.show(last.beforePrevious, last.previous, last.current, 1 - almost, ahead);
        assertThat(distance(shown(view, RIDER).place, before)).isLessThan(2 * MILLIMETRE);
    }

    private static void setOtherwise(PoseWriter poses, int tick) {
        Pose right = turning(tick, 0.6);
        Pose platform = new Pose(sum(right.place, OTHER_SEAT, 0.3), right.turn);
        set(poses, PLATFORM, platform);
        set(poses, RIDER, platform.at(sum(SEAT, OTHER_SEAT, 0.2)));
    }

    @Test
    void shouldAllocateNothing() {
        ride(RIDER, FAR);
        ticks(3, poses -> {
            set(poses, FAR, platform(poses.tick()));
            set(poses, RIDER, platform(poses.tick()).at(SEAT));
            poses.centreOfMass(FAR, 1, 2, 3);
        });
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        worst(view, RIDER, FAR, 1);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int frame = 0; frame < FRAMES; frame++) {
            view.show(last.beforePrevious, last.previous, last.current, (float) frame / FRAMES, frame % 2);
            view.poses();
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
    }
}
