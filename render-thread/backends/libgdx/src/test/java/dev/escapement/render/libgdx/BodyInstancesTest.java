package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Matrix4;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.HashMap;
import java.util.Map;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** The behaviour specific to libGDX. SceneBodiesTest checks for all engines that each body has its node at its pose. */
class BodyInstancesTest {

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final Model crate = new Model();

    @Test
    void shouldBePlacedFromTheScenesOrigin() {
        SceneOrigin origin = new SceneOrigin();
        BodyInstances moved = new BodyInstances(view, (bodyId, userData) -> new ModelInstance(crate), origin);
        world.spawnShown(1);
        view.advance(world.timeline().dueNanos(world.ticks()));
        moved.update();
        origin.set(1, 1, 1);
        moved.update();
        assertThat(place(moved.instances().first())).isEqualTo(new Vector3(0, 1, 2));
        world.tick(poses -> poses.set(0, 2, 2, 3, 0.6f, 0, 0, 0.8f));
        assertThat(moved.advance(world.timeline().dueNanos(world.ticks()) + CapturedWorld.RATE.nanosAt(1) / 3))
                .isTrue();
        Vector3f p = view.positionOfSlot(0, new Vector3f());
        Quaternionf q = view.rotationOfSlot(0, new Quaternionf());
        assertThat(moved.instances().first().transform.val)
                .containsExactly(new Matrix4().set(p.x - 1, p.y - 1, p.z - 1, q.x, q.y, q.z, q.w).val);
    }

    @Test
    void shouldExplainABodyWithoutAnInstance() {
        BodyInstances without = new BodyInstances(view, (bodyId, userData) -> nothing());
        world.spawnShown(42);
        assertThatIllegalStateException()
                .isThrownBy(() -> without.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage(
                        "the factory's answer to body 0#1 (user data 42) was no instance: return one, of an empty Model"
                                + " if the body is not to be seen");
    }

    /** The factory may return an instance again after the body that had it has vanished. */
    @Test
    void shouldRefuseOneInstanceForTwoBodies() {
        ModelInstance only = new ModelInstance(crate);
        BodyInstances shared = new BodyInstances(view, (bodyId, userData) -> only);
        world.spawnShown(1);
        assertThat(shared.advance(world.timeline().dueNanos(world.ticks()))).isTrue();
        world.spawnShown(2);
        assertThatIllegalStateException()
                .isThrownBy(() -> shared.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage("the factory's answer to body 1#1 (user data 2) was the instance of another body: return"
                        + " another for each body, for example a copy()");
        assertThat(shared.instances()).containsExactly(only);
        world.tick(poses -> {
            poses.despawn(BodyId.of(0, 1));
            poses.despawn(BodyId.of(1, 1));
        });
        world.tick(poses -> {
            poses.spawn(3);
            poses.set(0, 7, 0, 0, 0, 0, 0, 1);
        });
        world.tick();
        shared.advance(world.timeline().dueNanos(world.ticks()));
        assertThat(shared.instances()).containsExactly(only);
        assertThat(place(only)).isEqualTo(new Vector3(7, 0, 0));
    }

    @Test
    void shouldHaveTheFramesInstancesWhicheverBodiesVanish() {
        Map<Long, ModelInstance> made = new HashMap<>();
        BodyInstances each = new BodyInstances(view, (bodyId, userData) -> {
            made.put(userData, new ModelInstance(crate));
            return made.get(userData);
        });
        for (long body = 0; body < 5; body++) {
            world.spawnShown(body);
        }
        requireInstances(each, made);
        for (int slot : new int[] {0, 4, 2}) { // the first, the last, and one in the middle
            world.tick(poses -> poses.despawn(BodyId.of(slot, 1)));
            world.tick();
            world.tick();
            made.remove((long) slot);
            requireInstances(each, made);
        }
    }

    private void requireInstances(BodyInstances each, Map<Long, ModelInstance> made) {
        each.advance(world.timeline().dueNanos(world.ticks()));
        assertThat(each.instances()).containsExactlyInAnyOrderElementsOf(made.values());
    }

    /** Returns null, as a user's factory can if the user's compiler does not check for null. */
    @SuppressWarnings("NullAway")
    private static ModelInstance nothing() {
        return null;
    }

    private static Vector3 place(ModelInstance instance) {
        return instance.transform.getTranslation(new Vector3());
    }
}
