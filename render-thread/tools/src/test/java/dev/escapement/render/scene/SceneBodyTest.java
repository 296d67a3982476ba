package dev.escapement.render.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.render.FrameView;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SceneBodyTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);
    private static final long BODY = BodyId.of(0, 1);
    private static final long HEIR = BodyId.of(0, 3);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final SceneOrigin origin = new SceneOrigin();
    private final SceneBody body = new SceneBody(view, BODY, origin);
    private final SceneBody heir = new SceneBody(view, HEIR, origin);

    @Test
    void shouldFollowItsBodyAndNotTheNextInTheSameSlot() {
        assertThat(body.update()).as("before there is a window").isFalse();
        world.tick();
        world.tick();
        world.tick();
        showFrame(0.5f);
        assertThat(body.update()).as("before the body is there").isFalse();
        world.tick(poses -> {
            poses.spawn(7);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
        });
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
        showFrame(0.5f);
        assertThat(body.update()).isTrue();
        assertThat(body.position()).isEqualTo(new Vector3f(1.5f, 2, 3));
        assertThat(body.rotation()).isEqualTo(view.rotationOfSlot(0, new Quaternionf()));
        assertThat(heir.update()).isFalse();
        world.tick(poses -> {
            poses.despawn(BODY);
            poses.spawn(8);
            poses.set(0, 100, 0, 0, 0, 0, 0, 1);
        });
        world.tick();
        showFrame(0.5f);
        assertThat(body.update()).isFalse();
        assertThat(body.position()).as("stays as it was").isEqualTo(new Vector3f(1.5f, 2, 3));
        assertThat(heir.update()).isTrue();
        assertThat(heir.position()).isEqualTo(new Vector3f(100, 0, 0));
        view.close();
        assertThatIllegalStateException().isThrownBy(heir::update).withMessageContaining("detached");
    }

    /**
     * Body, engine's origin and scene's origin are so far away that floats are 2 m apart or more; the body's place is exact to a
     * micrometre.
     */
    @Test
    void shouldLoseNothingFarFromZero() {
        world.tick(poses -> {
            poses.origin(33_554_432.125, -33_554_432.25, 33_554_432.5);
            poses.spawn(7);
            poses.set(0, 33_554_432, -33_554_432, 33_554_432, 0, 0, 0, 1);
        });
        world.tick();
        world.tick();
        showFrame(0.5f);
        origin.set(67_108_864.5, -67_108_863.5, 67_108_864.75);
        assertThat(body.update()).isTrue();
        assertThat(body.position()).isEqualTo(new Vector3f(-0.375f, -0.75f, -0.25f));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 17, 2L << Integer.SIZE})
    void shouldRefuseWhatIsNoBodysId(long id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SceneBody(view, id, origin))
                .withMessageStartingWith(BodyId.toString(id) + " is no body's id")
                .withMessageContaining("spawn()");
    }

    @Test
    void shouldRefuseAnOriginThatIsNone() {
        origin.set(1, 2, 3);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> origin.set(bad, 0, 0))
                    .withMessageContaining("" + bad);
            assertThatIllegalArgumentException().isThrownBy(() -> origin.set(0, bad, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> origin.set(0, 0, bad));
        }
        assertThat(new double[] {origin.x, origin.y, origin.z}).containsExactly(1, 2, 3);
    }

    private void showFrame(float alpha) {
        assertThat(view.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
    }
}
