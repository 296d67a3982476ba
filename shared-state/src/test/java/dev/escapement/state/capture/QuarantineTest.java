package dev.escapement.state.capture;

import static dev.escapement.state.capture.PoseWriterTest.pose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are not finite never leave the physics thread: readers see the last good value, flagged and counted. */
class QuarantineTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("wheel", Channel.Blending.LINEAR)));
    private static final float[] GOOD = {1, 2, 3, 0, 0, 0.6f, 0.8f};
    private static final float[] OTHER = {4, 5, 6, 0, 0.8f, 0, 0.6f};

    private final CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);

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
        assertThat(world.capture().firstQuarantined(world.tick()))
                .isEqualTo("the pose of body " + BodyId.toString(id) + " in tick 2");
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

    /** The squared largest distance is still a finite float. */
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
}
