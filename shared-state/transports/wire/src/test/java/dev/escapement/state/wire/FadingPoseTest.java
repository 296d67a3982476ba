package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.PoseBlock;
import org.junit.jupiter.api.Test;

class FadingPoseTest {

    /** A quaternion and its negative are the same rotation, so the pose must not rotate between them. */
    @Test
    void shouldNotTurnTowardsTheNegativeOfItsQuaternion() {
        PoseBlock to = new PoseBlock();
        to.set(0, 4, 0, 0, 0, 0, 0, -1);
        FadingPose pose = new FadingPose(10);
        pose.set(0, 0, 0, 0, 0, 0, 1);
        pose.towards(to, 0, 0.5f);
        pose.get(to, 1);
        assertThat(to.px[1]).isEqualTo(2);
        assertThat(to.qw[1]).isEqualTo(1);
    }
}
