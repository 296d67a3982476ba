package dev.escapement.state.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoseWriterTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);

    @Test
    void shouldAlignARotationsSignWithTheTickBefore() {
        world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0.6f, 0.8f);
        });
        PoseBlock block = world.tick(poses -> poses.set(0, 0, 0, 0, -0f, -0f, -0.8f, -0.6f))
                .poses()
                .block(0);
        assertThat(block.qz[0]).isEqualTo(0.8f);
        assertThat(block.qw[0]).isEqualTo(0.6f);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 3e38f})
    void shouldKeepTheLastGoodPoseInsteadOfOneThatIsNotFinite(float bad) {
        world.tick(poses -> {
            poses.bodyCount(1);
            poses.set(0, 1, 2, 3, 0, 0, 0.6f, 0.8f);
        });
        PoseBlock block = world.tick(poses -> {
                    poses.bodyCount(2);
                    poses.set(0, 4, bad, 6, 0, 0, 0, 1);
                    poses.set(1, 4, 5, 6, 0, bad, 0, 1);
                })
                .poses()
                .block(0);
        assertThat(new float[] {block.px[0], block.py[0], block.pz[0], block.qz[0], block.qw[0]})
                .containsExactly(1, 2, 3, 0.6f, 0.8f);
        assertThat(block.qw[1]).as("a body without a past").isEqualTo(1);
        assertThat(block.px[1]).isZero();
        assertThat(world.capture().quarantinedPoses()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 5000})
    void shouldRefuseBodiesThatDoNotExist(int body) {
        world.tick(poses -> {
            poses.bodyCount(2);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> poses.set(body, 0, 0, 0, 0, 0, 0, 1))
                    .withMessage("there is no body " + body + ": this tick has 2 bodies");
            poses.bodyCount(0);
        });
    }
}
