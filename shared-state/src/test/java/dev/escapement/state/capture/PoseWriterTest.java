package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoseWriterTest {

    /** The bodies fill one block, which is checked in vectorised passes; 10 more are in a second block, which is checked body by body. */
    private static final int BODIES = PoseBlock.CAPACITY + 10;

    private static final double[] BAD_LENGTHS = {0, 1e-20, 0.94, 1.06, -1.5, 1e10, 0x1p60, Double.NaN};

    private final SplittableRandom random = new SplittableRandom(5);
    private final float[] positions = new float[3 * BODIES];
    private final float[] rotations = new float[4 * BODIES];

    static Stream<PoseLayout> layouts() {
        return Stream.of(PoseLayout.PLAIN, new PoseLayout(List.of(new Channel("weight", Channel.Blending.STEP))));
    }

    /**
     * Compares two worlds. In the second one, the last body of each block has a bad pose in every tick, which forces the check body by
     * body.
     */
    @ParameterizedTest
    @MethodSource("layouts")
    void shouldGiveTheSameBitsInPassesAsSingly(PoseLayout layout) {
        CapturedWorld world = new CapturedWorld(1, BODIES, layout);
        CapturedWorld twin = new CapturedWorld(1, BODIES, layout);
        for (int tick = 0; tick < 30; tick++) {
            fill(tick % 3);
            Snapshot inPasses = world.tick(this::writeInRuns);
            positions[3 * (PoseBlock.CAPACITY - 1)] = Float.NaN;
            positions[3 * (BODIES - 1)] = Float.NaN;
            Snapshot oneByOne = twin.tick(this::writeEach);
            for (int slot = 0; slot < BODIES - 1; slot++) {
                if (slot != PoseBlock.CAPACITY - 1) {
                    assertThat(contents(inPasses, slot)).isEqualTo(contents(oneByOne, slot));
                }
            }
        }
        assertThat(world.capture().quarantinedPoses()).isGreaterThan(10);
    }

    private static float[] contents(Snapshot snapshot, int slot) {
        float[] contents = Arrays.copyOf(pose(snapshot.poses().blockOf(slot), slot & PoseBlock.MASK), 9);
        contents[7] = snapshot.motion(slot >>> PoseBlock.SHIFT).turn[slot & PoseBlock.MASK];
        contents[8] = snapshot.bodies().isQuarantined(slot) ? 1 : 0;
        return contents;
    }

    /** Fills the poses. Kind 0 has unit quaternions with rounding errors, kind 1 drifted quaternions, kind 2 a few bad poses. */
    private void fill(int kind) {
        for (int slot = 0; slot < BODIES; slot++) {
            double length = 1 + random.nextDouble(-3e-7, 3e-7);
            if (kind == 1 && random.nextInt(3) > 0) {
                length = 1 + (random.nextBoolean() ? random.nextDouble(-3e-6, 3e-6) : random.nextDouble(-0.04, 0.04));
            } else if (kind == 2 && random.nextInt(200) == 0) {
                length = BAD_LENGTHS[random.nextInt(BAD_LENGTHS.length)];
            }
            float[] q = Quaternions.scaled(Quaternions.random(random), length);
            System.arraycopy(q, 0, rotations, 4 * slot, 4);
            for (int axis = 0; axis < 3; axis++) {
                boolean isBad = kind == 2 && random.nextInt(500) == 0;
                positions[3 * slot + axis] = isBad ? Float.POSITIVE_INFINITY : (float) random.nextDouble(-100, 100);
            }
        }
    }

    private void writeInRuns(PoseWriter poses) {
        poses.bodyCount(BODIES);
        int cut = random.nextInt(BODIES);
        poses.setAll(0, cut, positions, rotations);
        float[] otherPositions = new float[3 * (BODIES - cut)];
        float[] otherRotations = new float[4 * (BODIES - cut)];
        System.arraycopy(positions, 3 * cut, otherPositions, 0, otherPositions.length);
        System.arraycopy(rotations, 4 * cut, otherRotations, 0, otherRotations.length);
        poses.setAll(cut, BODIES - cut, otherPositions, otherRotations);
    }

    private void writeEach(PoseWriter poses) {
        poses.bodyCount(BODIES);
        float[] p = positions;
        float[] q = rotations;
        for (int i = 0; i < BODIES; i++) {
            poses.set(i, p[3 * i], p[3 * i + 1], p[3 * i + 2], q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
        }
    }

    /** A quaternion is a drifted rotation while its squared length differs from 1 by at most 0.1; beyond that it is bad. */
    @ParameterizedTest
    @CsvSource({"1.0999, false", "1.1001, true", "0.9001, false", "0.8999, true"})
    void shouldDistinguishDriftFromWhatIsNoRotation(double squared, boolean isReplaced) {
        CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
        for (int tick = 0; tick < 2; tick++) {
            float w = tick == 0 ? 1 : (float) Math.sqrt(squared);
            for (int i = 0; i < BODIES; i++) {
                rotations[4 * i + 3] = w;
            }
            Snapshot snapshot = world.tick(this::writeInRuns);
            for (int i = 0; i < BODIES; i++) {
                assertThat(snapshot.poses().blockOf(i).qw[i & PoseBlock.MASK]).isEqualTo(1);
                assertThat(snapshot.bodies().isQuarantined(i)).isEqualTo(tick == 1 && isReplaced);
            }
        }
    }

    @Test
    void shouldNotPublishThePoseOfADespawnedBody() {
        CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = world.tick(poses -> {
            long id = poses.spawn(1);
            poses.set(0, Float.NaN, 0, 0, 0, 0, 0, 1);
            poses.set(poses.slotOf(poses.spawn(2)), 1, 2, 3, 0, 0, 0, 1);
            poses.despawn(id);
        });
        assertThat(pose(snapshot.poses().block(0), 0)).containsExactly(0, 0, 0, 0, 0, 0, 1);
        assertThat(world.capture().quarantinedPoses()).isZero();
    }

    static float[] pose(PoseBlock block, int i) {
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }

    /** A block that has not changed has its content in the reused snapshot, too; the test marks that content. */
    @Test
    void shouldCopyOnlyBlocksThatHaveChanged() {
        CapturedWorld world = new CapturedWorld(1, 1, PoseLayout.PLAIN);
        world.spawnShown(7);
        for (int tick = 0; tick < 10; tick++) {
            world.tick();
        }
        Snapshot marked = world.tick();
        world.tick();
        marked.poses().block(0).px[0] = 99;
        List<Snapshot> later = Stream.generate(world::tick).limit(10).toList();
        assertThat(later).contains(marked);
        assertThat(marked.poses().block(0).px[0]).isEqualTo(99);
    }

    private static final PoseLayout WHEEL = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.LINEAR)));
    private static final float[] GOOD = {1, 2, 3, 0, 0, 0.6f, 0.8f};
    private static final float[] OTHER = {4, 5, 6, 0, 0.8f, 0, 0.6f};

    private final CapturedWorld world = new CapturedWorld(1, 4, WHEEL);

    static Stream<Arguments> badPoses() {
        float[] bad = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 3e38f, -3e38f};
        return IntStream.range(0, 7)
                .boxed()
                .flatMap(component -> IntStream.range(0, bad.length)
                        .boxed()
                        .flatMap(i -> Stream.of(true, false).map(atOnce -> Arguments.of(component, bad[i], atOnce))));
    }

    /** A re-simulated tick replaces the pose of a body that is despawned, and its slot reused, before the next publish. */
    @Test
    void shouldNameAPoseReplacedInAReSimulatedTick() throws Exception {
        world.tick(poses -> poses.set(BodyId.slot(poses.spawn(7)), 1, 2, 3, 0, 0, 0, 1));
        long id = BodyId.of(0, 1);
        world.again(poses -> poses.set(0, Float.NaN, 2, 3, 0, 0, 0, 1));
        world.tick(poses -> {
            poses.despawn(id);
            poses.set(BodyId.slot(poses.spawn(8)), 1, 2, 3, 0, 0, 0, 1);
        });
        assertThat(world.capture().firstQuarantined())
                .isEqualTo("the pose of body " + BodyId.toString(id) + " (user data 7) in tick 2");
    }

    @ParameterizedTest
    @MethodSource("badPoses")
    void shouldKeepTheLastGoodPoseUntilTheNextOne(int component, float bad, boolean atOnce) {
        setBoth(GOOD, OTHER, atOnce);
        float[] pose = OTHER.clone();
        pose[component] = bad;
        for (int tick = 1; tick <= 8; tick++) {
            Snapshot snapshot = setBoth(pose, tick % 2 == 0 ? OTHER : GOOD, atOnce);
            assertThat(pose(snapshot.poses().block(0), 0)).containsExactly(GOOD);
            assertThat(snapshot.motion(0).turn[0]).isZero();
            assertThat(snapshot.bodies().isQuarantined(0)).isTrue();
            assertThat(pose(snapshot.poses().block(0), 1)).containsExactly(tick % 2 == 0 ? OTHER : GOOD);
            assertThat(snapshot.bodies().isQuarantined(1)).isFalse();
            assertThat(world.capture().quarantinedPoses()).isEqualTo(tick);
        }
        Snapshot resting = world.tick();
        assertThat(resting.bodies().isQuarantined(0)).as("until the next pose").isTrue();
        assertThat(pose(resting.poses().block(0), 0)).containsExactly(GOOD);

        Snapshot recovered = setBoth(OTHER, OTHER, atOnce);
        assertThat(recovered.bodies().isQuarantined(0)).isFalse();
        assertThat(pose(recovered.poses().block(0), 0)).containsExactly(OTHER);
        assertThat(world.tick().bodies().isQuarantined(0)).isFalse();
        assertThat(world.capture().quarantinedPoses()).isEqualTo(8);
    }

    @Test
    void shouldNotJumpToTheLastGoodPose() {
        setBoth(GOOD, OTHER, true);
        MotionBreaks breaks = world.tick(poses -> {
                    poses.teleportBy(0, 1, 2, 3);
                    poses.teleportBy(0, 1, 0, 0);
                    poses.set(0, Float.NaN, 0, 0, 0, 0, 0, 1);
                })
                .motion(0)
                .breaks();
        float[] sum = new float[3];
        for (int s = 0; s < breaks.count(); s++) {
            sum[0] += breaks.x(s);
            sum[1] += breaks.y(s);
            sum[2] += breaks.z(s);
        }
        assertThat(sum).containsExactly(0, 0, 0);
    }

    /** The square of the largest valid distance, 2^60 m, is still a finite float. */
    @Test
    void shouldDistinguishTheFarthestPlaceFromOneBeyond() {
        float far = 0x1p60f;
        setBoth(GOOD, new float[] {far, 0, 0, 0, 0, 0, 1}, true);
        Snapshot snapshot = setBoth(GOOD, new float[] {0, 0, Math.nextUp(far), 0, 0, 0, 1}, true);
        assertThat(pose(snapshot.poses().block(0), 1)).containsExactly(far, 0, 0, 0, 0, 0, 1);
        assertThat(world.capture().quarantinedPoses()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldDropOtherValuesThatAreNotFinite(float bad) {
        setBoth(GOOD, OTHER, true);
        world.tick(poses -> poses.channel(1, 0, 5));
        Snapshot snapshot = world.tick(poses -> {
            poses.set(1, 4, 5, 6, 0, 0, 0, 1);
            poses.angularVelocity(1, bad, 0, 0);
            poses.channel(1, 0, bad);
        });
        assertThat(snapshot.motion(0).breaks().count()).isZero();
        assertThat(snapshot.poses().block(0).channels[0][1]).isEqualTo(5);
        assertThat(snapshot.bodies().isQuarantined(1)).as("the pose is good").isFalse();
        assertThat(pose(snapshot.poses().block(0), 1)).containsExactly(4, 5, 6, 0, 0, 0, 1);
        assertThat(world.capture().quarantinedPoses()).isEqualTo(2);
    }

    /** The JVM counts the bytes exactly; a string for each value would be a million. */
    @Test
    void shouldAllocateNothingForChannelsThatAreNotFinite() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        setBoth(GOOD, OTHER, true);
        long[] bytes = new long[1];
        world.tick(poses -> {
            poses.channel(1, 0, Float.NaN);
            bytes[0] = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                poses.channel(1, 0, Float.NaN);
            }
            bytes[0] = threads.getCurrentThreadAllocatedBytes() - bytes[0];
        });
        assertThat(bytes[0]).isLessThan(10_000);
    }

    private Snapshot setBoth(float[] a, float[] b, boolean atOnce) {
        return world.tick(poses -> {
            poses.bodyCount(2);
            if (atOnce) {
                poses.setAll(0, 2, new float[] {a[0], a[1], a[2], b[0], b[1], b[2]}, new float[] {
                    a[3], a[4], a[5], a[6], b[3], b[4], b[5], b[6]
                });
            } else {
                poses.set(0, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
                poses.set(1, b[0], b[1], b[2], b[3], b[4], b[5], b[6]);
            }
        });
    }

    private Snapshot turn(float[] q) {
        return world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, q[0], q[1], q[2], q[3]);
        });
    }

    private static float[] rotation(Snapshot snapshot) {
        PoseBlock block = snapshot.poses().block(0);
        return new float[] {block.qx[0], block.qy[0], block.qz[0], block.qw[0]};
    }

    /** The quaternions have unit length up to the rounding of float arithmetic. */
    @Test
    void shouldKeepTheBitsOfUnitQuaternionsExceptTheirSign() {
        float[] before = {0, 0, 0, 1};
        int flips = 0;
        for (int tick = 0; tick < 200; tick++) {
            float[] q = Quaternions.scaled(Quaternions.random(random), 1 + random.nextDouble(-3e-7, 3e-7));
            float[] stored = rotation(turn(q));
            boolean flipped = tick > 0 && Quaternions.dot(q, before) < 0;
            assertThat(stored).containsExactly(flipped ? Quaternions.negated(q) : q);
            flips += flipped ? 1 : 0;
            before = stored;
        }
        assertThat(flips).isBetween(50, 150);
    }

    @Test
    void shouldKeepTheSignOfABodyWithoutAPast() {
        assertThat(rotation(turn(new float[] {0, 0, -0.6f, -0.8f}))).containsExactly(0, 0, -0.6f, -0.8f);
        Snapshot respawned = world.tick(poses -> {
            poses.despawn(1L << 32);
            poses.set(poses.slotOf(poses.spawn(0)), 0, 0, 0, 0, 0, 0.8f, 0.6f);
            poses.angularVelocity(0, 1000, 0, 0);
        });
        assertThat(rotation(respawned)).containsExactly(0, 0, 0.8f, 0.6f);
        assertThat(respawned.motion(0).turn[0]).isZero();
        assertThat(respawned.motion(0).breaks().has(MotionBreaks.Kind.SPINNING, 0))
                .isFalse();
    }

    /** The error is relative: a thousandth of a degree keeps as many digits as half a turn. Measured: 1.04e-6 at worst. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-2, 0.1, 0.5, 1, 2, 3.1})
    void shouldReportHowFarABodyTurned(double maxRadians) {
        float[] before = Quaternions.random(random);
        turn(before);
        for (int tick = 0; tick < 200; tick++) {
            double radians = random.nextDouble(maxRadians / 2, maxRadians);
            float[] next = Quaternions.floats(Quaternions.product(
                    Quaternions.around(Quaternions.randomAxis(random), radians),
                    new double[] {before[0], before[1], before[2], before[3]}));
            Snapshot snapshot = turn(random.nextBoolean() ? next : Quaternions.negated(next));
            float[] stored = rotation(snapshot);
            double cosine = Quaternions.dot(before, stored) / Quaternions.length(before) / Quaternions.length(stored);
            float turn = snapshot.motion(0).turn[0];
            assertThat(turn / (cosine - 1)).isCloseTo(1, within(2e-6));
            assertThat(turn).isEqualTo(snapshot.motion(0).leastTurn()).isNegative();
            before = stored;
        }
    }

    @Test
    void shouldSayByHowMuchABodyWasTurnedWrongly() throws Exception {
        MotionBreaks breaks = breaksAfter(new float[] {0, 0, 0.6f, 0.8f}, new float[] {0, 0, 0, 1});
        assertThat(breaks.count()).isEqualTo(1);
        assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.CORRECTED_TURN);
        assertThat(breaks.z(0)).isBetween(1.28f, 1.29f);
    }

    /** Readers divide by the length of the rotation vector. Computed in floats, the length of such a small one would be 0. */
    @ParameterizedTest
    @ValueSource(floats = {Float.MIN_VALUE, 1e-39f})
    void shouldIgnoreATurnThatIsZeroAsAFloat(float tiny) throws Exception {
        assertThat(breaksAfter(new float[] {0, 0, tiny, 1}, new float[] {0, 0, tiny, 1 - Math.ulp(0.5f)})
                        .count())
                .isZero();
    }

    /** Returns the motion breaks of the tick after a wrong rotation that a re-simulation corrected. */
    private MotionBreaks breaksAfter(float[] wrong, float[] right) throws Exception {
        turn(new float[] {0, 0, 0, 1});
        turn(wrong);
        world.again(poses -> poses.set(0, 0, 0, 0, right[0], right[1], right[2], right[3]));
        return turn(right).motion(0).breaks();
    }

    /** Captures a wheel that turns evenly. Its reported angular velocity is {@code said} times the true one. */
    private MotionBreaks spin(double[] axis, double turnsPerTick, double said) {
        double radians = 2 * Math.PI * turnsPerTick;
        double speed = said * radians / CapturedWorld.RATE.dtSeconds();
        double[] start = Quaternions.around(Quaternions.randomAxis(random), 1);
        CapturedWorld wheels = new CapturedWorld(1, 4, PoseLayout.PLAIN);
        Snapshot snapshot = wheels.tick();
        for (int tick = 1; tick <= 3; tick++) {
            float[] q = Quaternions.floats(Quaternions.product(Quaternions.around(axis, tick * radians), start));
            snapshot = wheels.tick(poses -> {
                poses.bodyCount(3);
                poses.set(1, 0, 0, 0, q[0], q[1], q[2], q[3]);
                poses.angularVelocity(
                        1, (float) (speed * axis[0]), (float) (speed * axis[1]), (float) (speed * axis[2]));
                poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                poses.set(2, 0, 0, 0, 0, 0, 0, 1);
            });
        }
        return snapshot.motion(0).breaks();
    }

    /** The angular velocity gives the number of full turns, even if it is wrong by less than half a turn; the rotations give the rest. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5001, 0.9, 1, 1.001, 1.5, 2.7, 10.3})
    void shouldReportTurnsAboveHalfATurn(double turnsPerTick) {
        double radians = 2 * Math.PI * turnsPerTick;
        for (int i = 0; i < 50; i++) {
            double[] axis = Quaternions.randomAxis(random);
            double error = turnsPerTick < 0.9 ? 0 : random.nextDouble(-0.4, 0.4) / turnsPerTick;
            MotionBreaks breaks = spin(axis, turnsPerTick, 1 + error);
            assertThat(breaks.count()).isEqualTo(1);
            assertThat(breaks.kind(0)).isEqualTo(MotionBreaks.Kind.SPINNING);
            assertThat(breaks.index(0)).isEqualTo(1);
            double dx = breaks.x(0) - radians * axis[0];
            double dy = breaks.y(0) - radians * axis[1];
            double dz = breaks.z(0) - radians * axis[2];
            assertThat(Math.sqrt(dx * dx + dy * dy + dz * dz)).isLessThan(1e-3 * radians);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.49, 0.4999})
    void shouldLeaveSlowerWheelsToTheirRotations(double turnsPerTick) {
        assertThat(spin(Quaternions.randomAxis(random), turnsPerTick, 1).count())
                .isZero();
    }
}
