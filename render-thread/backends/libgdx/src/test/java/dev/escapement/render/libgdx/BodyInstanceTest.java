package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Matrix4;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.concurrent.CompletableFuture;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class BodyInstanceTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);
    private static final long BODY = BodyId.of(0, 1);

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final ModelInstance knight = new ModelInstance(new Model());
    private final BodyInstance player = new BodyInstance(view, BODY, knight);

    @Test
    void shouldHaveExactlyThePoseOfTheFrame() {
        spawnMoving();
        showFrame(0.3f);
        assertThat(player.update()).isTrue();
        Vector3f p = view.positionOfSlot(0, new Vector3f());
        Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
        assertThat(p.x).as("really blended").isBetween(1.29f, 1.31f);
        assertThat(knight.transform.val).containsExactly(new Matrix4().set(p.x, p.y, p.z, q.x, q.y, q.z, q.w).val);
        Vector3 nose = new Vector3(0, 0, 1).mul(knight.transform);
        Vector3f expected = q.transform(new Vector3f(0, 0, 1)).add(p);
        assertThat(nose.dst(expected.x, expected.y, expected.z)).isLessThan(1e-6f);
    }

    @Test
    void shouldBePlacedFromTheScenesOrigin() {
        SceneOrigin origin = new SceneOrigin();
        origin.set(1, 1, 1);
        spawnMoving();
        showFrame(0);
        assertThat(new BodyInstance(view, BODY, knight, origin).update()).isTrue();
        assertThat(knight.transform.getTranslation(new Vector3())).isEqualTo(new Vector3(0, 1, 2));
    }

    @Test
    void shouldTellWhetherThereIsABodyToDraw() {
        assertThat(player.update()).as("no window yet").isFalse();
        world.tick();
        world.tick();
        world.tick();
        showFrame(0.5f);
        assertThat(player.update()).as("yet to appear").isFalse();
        spawnMoving();
        showFrame(0);
        assertThat(player.update()).isTrue();
        world.tick(poses -> {
            poses.despawn(BODY);
            poses.spawn(8); // takes the slot
            poses.set(0, 100, 0, 0, 0, 0, 0, 1);
        });
        world.tick();
        showFrame(0);
        assertThat(player.update()).as("gone").isFalse();
        assertThat(knight.transform.getTranslation(new Vector3()))
                .as("not where its heir is")
                .isEqualTo(new Vector3(1, 2, 3));
    }

    @Test
    void shouldRefuseWhatIsNoBodysId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BodyInstance(view, 0, knight))
                .withMessageContaining("0#0 is no body's id");
    }

    @Test
    void shouldRefuseAViewOfAnotherThreadAndAClosedOne() {
        spawnMoving();
        showFrame(0);
        assertThatThrownBy(() -> CompletableFuture.supplyAsync(player::update).join())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to one thread");
        assertThat(player.update()).isTrue();
        view.close();
        assertThatIllegalStateException().isThrownBy(player::update).withMessageContaining("detached");
    }

    /** One metre a tick along x, turning; shown from (1, 2, 3) on. */
    private void spawnMoving() {
        world.tick(poses -> {
            poses.spawn(7);
            poses.set(0, 0, 2, 3, 0, 0, 0, 1);
        });
        world.tick(poses -> poses.set(0, 1, 2, 3, 0, 0, 0, 1));
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
    }

    private void showFrame(float alpha) {
        assertThat(view.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
    }
}
