package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoseWriterTest {

    private final PoseWriter poses = new PoseWriter();
    private final Snapshot first = new Snapshot(0);
    private final Snapshot second = new Snapshot(0);

    @Test
    void shouldAlignARotationsSignWithTheTickBefore() {
        poses.begin(first, null);
        poses.bodyCount(1);
        poses.set(0, 0, 0, 0, 0, 0, 0.6f, 0.8f);
        poses.begin(second, first);
        poses.bodyCount(1);
        poses.set(0, 0, 0, 0, -0f, -0f, -0.8f, -0.6f);

        PoseBlock block = second.poses().block(0);
        assertThat(block.qz[0]).isEqualTo(0.8f);
        assertThat(block.qw[0]).isEqualTo(0.6f);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldKeepTheLastGoodPoseInsteadOfOneThatIsNotFinite(float bad) {
        poses.begin(first, null);
        poses.bodyCount(1);
        poses.set(0, 1, 2, 3, 0, 0, 0.6f, 0.8f);
        poses.begin(second, first);
        poses.bodyCount(2);
        poses.set(0, 4, bad, 6, 0, 0, 0, 1);
        poses.set(1, 4, 5, 6, 0, bad, 0, 1);

        PoseBlock block = second.poses().block(0);
        assertThat(new float[] {block.px[0], block.py[0], block.pz[0], block.qz[0], block.qw[0]})
                .containsExactly(1, 2, 3, 0.6f, 0.8f);
        assertThat(block.qw[1]).as("a body without a past").isEqualTo(1);
        assertThat(block.px[1]).isZero();
        assertThat(poses.quarantinedPoses()).isEqualTo(2);
    }

    @Test
    void shouldNoticeEveryComponentThatIsNotFinite() {
        for (int component = 0; component < 7; component++) {
            float[] p = {1, 2, 3, 0, 0, 0, 1};
            p[component] = Float.NaN;
            poses.begin(first, null);
            poses.bodyCount(1);
            poses.set(0, p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
            assertThat(poses.quarantinedPoses()).isEqualTo(component + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 5000})
    void shouldRefuseBodiesThatDoNotExist(int body) {
        poses.begin(first, null);
        poses.bodyCount(2);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> poses.set(body, 0, 0, 0, 0, 0, 0, 1))
                .withMessage("there is no body " + body + ": this tick has 2 bodies");
    }
}
