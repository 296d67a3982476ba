package dev.escapement.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SnapshotTest {

    @Test
    void shouldNoticeAnyChangedFloat() {
        WritableSnapshot snapshot = filled(1500);
        snapshot.seal();
        assertThat(snapshot.computeChecksum()).isEqualTo(snapshot.checksum()).isNotZero();
        for (int body : new int[] {0, 1, 1023, 1024, 1499}) {
            PoseBlock block = snapshot.poses().blockOf(body);
            int index = body & PoseBlock.MASK;
            for (float[] component :
                    new float[][] {block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw}) {
                float kept = component[index];
                component[index] = Math.nextUp(kept);
                assertThat(snapshot.computeChecksum()).isNotEqualTo(snapshot.checksum());
                component[index] = kept;
            }
        }
        assertThat(snapshot.computeChecksum()).isEqualTo(snapshot.checksum());
    }

    @Test
    void shouldNoticeAnotherTick() {
        WritableSnapshot snapshot = filled(3);
        snapshot.seal();
        long sealed = snapshot.checksum();
        snapshot.startTick(2, 0);
        assertThat(snapshot.computeChecksum()).isNotEqualTo(sealed);
    }

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

    private static WritableSnapshot filled(int bodies) {
        WritableSnapshot snapshot = new WritableSnapshot(bodies, PoseLayout.PLAIN);
        snapshot.startTick(1, 0);
        snapshot.resize(bodies);
        for (int i = 0; i < bodies; i++) {
            snapshot.poses().blockOf(i).set(i & PoseBlock.MASK, i, i + 1, i + 2, 0.1f, 0.2f, 0.3f, 0.4f);
        }
        return snapshot;
    }
}
