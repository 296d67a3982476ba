package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Matrix4;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** SceneBodyTest tests which body it follows, and when. */
class BodyInstanceTest {

    private static final long BODY = BodyId.of(0, 1);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final ModelInstance knight = new ModelInstance(new Model());
    private final BodyInstance player = new BodyInstance(view, BODY, knight);

    @Test
    void shouldHaveExactlyThePoseOfTheFrame() {
        world.tick(poses -> {
            poses.spawn(7);
            poses.set(0, 0, 2, 3, 0, 0, 0, 1);
        });
        assertThat(player.update()).as("no window yet").isFalse();
        world.tick(poses -> poses.set(0, 1, 2, 3, 0, 0, 0, 1));
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
        view.advance(world.timeline().dueNanos(world.ticks()) + 3 * CapturedWorld.RATE.nanosAt(1) / 10);
        assertThat(player.update()).isTrue();
        Vector3f p = view.positionOfSlot(0, new Vector3f());
        Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
        assertThat(p.x).as("really blended").isBetween(1.29f, 1.31f);
        assertThat(knight.transform.val).containsExactly(new Matrix4().set(p.x, p.y, p.z, q.x, q.y, q.z, q.w).val);
        Vector3 nose = new Vector3(0, 0, 1).mul(knight.transform);
        Vector3f expected = q.transform(new Vector3f(0, 0, 1)).add(p);
        assertThat(nose.dst(expected.x, expected.y, expected.z)).isLessThan(1e-6f);
        SceneOrigin origin = new SceneOrigin();
        origin.set(1, 1, 1);
        assertThat(new BodyInstance(view, BODY, knight, origin).update()).isTrue();
        assertThat(knight.transform.getTranslation(new Vector3())).isEqualTo(new Vector3(p.x - 1, 1, 2));
    }
}
