package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Matrix4;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneOrigin;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.model.RandomSimulation;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.joml.Matrix4f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyInstancesTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);

    private final CapturedWorld world = new CapturedWorld(1, 4, PoseLayout.PLAIN);
    private final FrameView view = FrameView.inline(world.newReader());
    private final Model crate = new Model();
    private final Map<Long, ModelInstance> made = new HashMap<>();
    private final BodyInstances instances = new BodyInstances(view, this::make);

    private ModelInstance make(long bodyId, long userData) {
        ModelInstance instance = new ModelInstance(crate);
        instance.userData = userData;
        made.put(bodyId, instance);
        return instance;
    }

    /** Everything that a simulation may do, seen at every tick, or at some only. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldHaveAnInstanceForEveryBodyWhereTheFrameShowsIt(int ticksPerFrame) {
        RandomSimulation simulation = new RandomSimulation(PoseLayout.PLAIN, false, ticksPerFrame);
        for (int tick = 1; tick <= 300; tick++) {
            simulation.moment(world.tick(simulation));
            if (tick % ticksPerFrame == 0 && tick >= 3) {
                for (float alpha : new float[] {0, 0.6f}) {
                    showFrame(alpha);
                    assertInstancesAreTheBodies();
                }
            }
        }
        assertThat(made).hasSizeGreaterThan(instances.instances().size + 500);
    }

    /** In the frame that a slot changes hands, the old instance goes and the new one comes. */
    @Test
    void shouldNotMistakeABodyForTheOneThatHadItsSlot() {
        spawnOne(1);
        showFrame(0.5f);
        ModelInstance old = instances.instances().first();
        world.tick(poses -> {
            poses.despawn(BodyId.of(0, 1));
            poses.spawn(2);
            poses.set(0, 500, 0, 0, 0, 0, 0, 1);
        });
        showFrame(0.9f);
        assertThat(instances.instances()).as("before the tick").containsExactly(old);
        assertThat(place(old)).as("no streak").isEqualTo(new Vector3(1, 2, 3));
        world.tick();
        showFrame(0);
        assertThat(instances.instances())
                .extracting(instance -> instance.userData)
                .containsExactly(2L);
        assertThat(place(instances.instances().first())).isEqualTo(new Vector3(500, 0, 0));
    }

    @Test
    void shouldShowNoStreakWhenABodyTeleports() {
        spawnOne(1);
        world.tick(poses -> {
            poses.teleport(0);
            poses.set(0, 1000, 0, 0, 0, 0, 0, 1);
        });
        for (float alpha : new float[] {0, 0.01f, 0.5f, 0.99f}) {
            showFrame(alpha);
            assertThat(place(instances.instances().first())).isEqualTo(new Vector3(1, 2, 3));
        }
        world.tick();
        showFrame(0);
        assertThat(place(instances.instances().first())).isEqualTo(new Vector3(1000, 0, 0));
    }

    @Test
    void shouldBePlacedFromTheScenesOrigin() {
        SceneOrigin origin = new SceneOrigin();
        BodyInstances moved = new BodyInstances(view, this::make, origin);
        spawnOne(1);
        view.advance(world.timeline().dueNanos(world.ticks()));
        moved.update();
        origin.set(1, 1, 1);
        moved.update();
        assertThat(place(moved.instances().first())).isEqualTo(new Vector3(0, 1, 2));
    }

    @Test
    void shouldSayWhatToDoAboutABodyWithoutAnInstance() {
        BodyInstances without = new BodyInstances(view, (bodyId, userData) -> nothing());
        spawnOne(42);
        assertThatIllegalStateException()
                .isThrownBy(() -> without.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage(
                        "the factory's answer to body 0#1 (user data 42) was no instance: return one, of an empty Model"
                                + " if the body is not to be seen");
    }

    /** But one whose body is gone may stand for another. */
    @Test
    void shouldRefuseOneInstanceForTwoBodies() {
        ModelInstance only = new ModelInstance(crate);
        BodyInstances shared = new BodyInstances(view, (bodyId, userData) -> only);
        spawnOne(1);
        assertThat(shared.advance(world.timeline().dueNanos(world.ticks()))).isTrue();
        world.tick(poses -> {
            poses.spawn(2);
            poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        });
        world.tick();
        assertThatIllegalStateException()
                .isThrownBy(() -> shared.advance(world.timeline().dueNanos(world.ticks())))
                .withMessage("the factory's answer to body 1#1 (user data 2) was the instance of another body: return"
                        + " another for each body, a copy() say");
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
    void shouldRefuseAViewOfAnotherThreadAndAClosedOne() {
        spawnOne(1);
        showFrame(0);
        assertThatThrownBy(() -> CompletableFuture.runAsync(instances::update).join())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to one thread");
        view.close();
        assertThatIllegalStateException().isThrownBy(instances::update).withMessageContaining("detached");
        assertThatIllegalStateException().isThrownBy(() -> showFrame(0.5f)).withMessageContaining("detached");
    }

    /** Without a check of the compiler's, as most of our users are. */
    @SuppressWarnings("NullAway")
    private static ModelInstance nothing() {
        return null;
    }

    private static Vector3 place(ModelInstance instance) {
        return instance.transform.getTranslation(new Vector3());
    }

    /** Slot 0, seen from the next frame on. */
    private void spawnOne(long userData) {
        world.tick(poses -> {
            poses.spawn(userData);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
        });
        world.tick();
        world.tick();
    }

    private void showFrame(float alpha) {
        assertThat(instances.advance(world.timeline().dueNanos(world.ticks()) + (long) (alpha * TICK_NANOS)))
                .isTrue();
    }

    /** Asks AssertJ only once a frame: there are a million bodies in all of them. */
    private void assertInstancesAreTheBodies() {
        Snapshot shown = view.shown();
        Bodies bodies = shown.bodies();
        Set<ModelInstance> expected = new HashSet<>();
        List<String> wrong = new ArrayList<>();
        Matrix4f transform = new Matrix4f();
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                ModelInstance instance = Objects.requireNonNull(made.get(bodies.id(slot)));
                expected.add(instance);
                view.transformOfSlot(slot, transform);
                transform.m30((float) (transform.m30() + shown.originX()));
                transform.m31((float) (transform.m31() + shown.originY()));
                transform.m32((float) (transform.m32() + shown.originZ()));
                if (!instance.userData.equals(bodies.userData(slot)) || !isSame(instance.transform, transform)) {
                    wrong.add(instance.userData + " at " + instance.transform + " for " + bodies.userData(slot) + " at "
                            + transform);
                }
            }
        }
        instances.instances().forEach(expected::remove);
        assertThat(wrong).isEmpty();
        assertThat(expected).as("not shown").isEmpty();
        assertThat(instances.instances().size).isEqualTo(bodies.count());
    }

    /** Places to the bit; turns as two libraries compute the same matrix. */
    private static boolean isSame(Matrix4 actual, Matrix4f expected) {
        float[] floats = expected.get(new float[16]);
        boolean same = true;
        for (int i = 0; i < 16; i++) {
            same &= i < 12 ? Math.abs(actual.val[i] - floats[i]) < 1e-5f : actual.val[i] == floats[i];
        }
        return same;
    }
}
