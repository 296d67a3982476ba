package dev.escapement.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SnapshotTest {

    @Test
    void shouldGrowByBlocksWithoutMovingAnything() {
        PoseBlocks poses = new PoseBlocks(1);
        poses.resize(1);
        PoseBlock first = poses.block(0);
        poses.resize(2049);

        assertThat(poses.blockCount()).isEqualTo(3);
        assertThat(poses.block(0)).isSameAs(first);
        assertThat(poses.slotsIn(0)).isEqualTo(1024);
        assertThat(poses.slotsIn(2)).isEqualTo(1);
        assertThat(poses.blockOf(2048)).isSameAs(poses.block(2));
        poses.resize(0);
        assertThat(poses.blockCount()).isZero();
    }

    @Test
    void shouldRefuseNegativeNumbersOfBodies() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PoseBlocks(0).resize(-1))
                .withMessage("the number of slots must not be negative, but is -1");
    }
}
