package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest {

    private static final int WHEEL = 0;
    private static final int WEIGHT = 1;
    private static final PoseLayout LAYOUT = new PoseLayout(
            Tangents.NONE,
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.STEP)));

    private final CapturedWorld world = new CapturedWorld(1, 4, LAYOUT);

    private void spawnThree() {
        world.tick(poses -> {
            poses.bodyCount(3);
            setThree(poses);
        });
    }

    private static void setThree(PoseWriter poses) {
        poses.setAll(0, 3, new float[9], new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    }

    private static float value(Snapshot snapshot, int slot, int channel) {
        return snapshot.poses().block(0).channels[channel][slot];
    }

    @Test
    void shouldKeepAValueUntilTheNextOneInWhicheverSnapshot() {
        spawnThree();
        world.tick(poses -> poses.channel(1, WEIGHT, 5));
        for (int tick = 0; tick < 20; tick++) {
            boolean moving = tick % 3 > 0;
            Snapshot snapshot = world.tick(poses -> {
                if (moving) {
                    setThree(poses);
                }
            });
            assertThat(value(snapshot, 1, WEIGHT)).isEqualTo(5);
            assertThat(value(snapshot, 1, WHEEL)).isZero();
            assertThat(value(snapshot, 0, WEIGHT)).isZero();
            assertThat(value(snapshot, 2, WEIGHT)).isZero();
        }
        assertThat(value(world.tick(poses -> poses.channel(1, WEIGHT, -0.5f)), 1, WEIGHT))
                .isEqualTo(-0.5f);
    }

    @Test
    void shouldLetTheLastValueOfATickCount() {
        spawnThree();
        Snapshot snapshot = world.tick(poses -> {
            poses.channel(2, WHEEL, 1);
            setThree(poses);
            poses.channel(2, WHEEL, 2);
            poses.channel(0, WHEEL, 3);
        });
        assertThat(value(snapshot, 2, WHEEL)).isEqualTo(2);
        assertThat(value(snapshot, 0, WHEEL)).isEqualTo(3);
    }

    @Test
    void shouldKeepAValueThatIsWrittenBeforeThePose() {
        spawnThree();
        assertThat(value(
                        world.tick(poses -> {
                            poses.channel(2, WHEEL, 1);
                            setThree(poses);
                        }),
                        2,
                        WHEEL))
                .isEqualTo(1);
    }

    @Test
    void shouldStartEveryBodyAtZeroAlsoTheSecondOfASlot() {
        spawnThree();
        world.tick(poses -> poses.channel(1, WHEEL, 5));
        Snapshot respawned = world.tick(poses -> {
            poses.channel(1, WEIGHT, 6);
            poses.despawn(BodyId.of(1, 1));
            assertThat(poses.spawn(7)).isEqualTo(BodyId.of(1, 3));
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        });
        assertThat(value(respawned, 1, WHEEL)).isZero();
        assertThat(value(respawned, 1, WEIGHT)).isZero();
    }

    @Test
    void shouldCountAsAChangeOfTheBlock() {
        spawnThree();
        Snapshot snapshot = world.tick(poses -> poses.channel(1, WHEEL, 5));
        assertThat(snapshot.motion(0).changedTick()).isEqualTo(2);
        assertThat(world.tick().motion(0).changedTick()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldKeepTheLastValueInsteadOfOneThatIsNotFinite(float bad) {
        spawnThree();
        world.tick(poses -> poses.channel(1, WHEEL, 5));
        Snapshot snapshot = world.tick(poses -> poses.channel(1, WHEEL, bad));
        assertThat(value(snapshot, 1, WHEEL)).isEqualTo(5);
        assertThat(snapshot.motion(0).changedTick()).as("nothing was written").isEqualTo(2);
        assertThat(snapshot.bodies().isQuarantined(1)).as("the pose is good").isFalse();
        assertThat(world.capture().quarantinedPoses()).isEqualTo(1);
    }
}
