package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyIdsTest {

    private static final int LATER = 400;

    private static final class World implements BodyRestorer<Body> {

        final JoltGameWorld game = new JoltGameWorld();
        final BodyIds ids = new BodyIds(game.world(), game.bodyInterface());
        final List<Body> bodies = new ArrayList<>();

        /** Creates a body outside the system: Jolt's trees accept a limited number of changes between two updates. */
        Body create() {
            BoxShape shape = new BoxShape(1, 1, 1);
            try (BodyCreationSettings settings =
                    new BodyCreationSettings(shape, new RVec3(), new Quat(), EMotionType.Dynamic, 1)) {
                return game.bodyInterface().createBody(settings);
            } finally {
                JoltShapes.release(shape);
            }
        }

        Body attach() {
            Body body = create();
            ids.attached(body.getId());
            return body;
        }

        void destroy(Body body) {
            game.bodyInterface().destroyBody(body.getId());
        }

        /** Creates and destroys bodies at random, some of them often. Returns the ids of the created ones. */
        List<Integer> churn(Random random, int steps, int max) {
            List<Integer> came = new ArrayList<>();
            for (int step = 0; step < steps; step++) {
                int wanted = random.nextInt(max + 1);
                while (bodies.size() < wanted) {
                    bodies.add(create());
                    came.add(bodies.get(bodies.size() - 1).getId());
                }
                while (bodies.size() > wanted) {
                    destroy(bodies.remove(random.nextInt(bodies.size())));
                }
            }
            return came;
        }

        /**
         * Returns the ids of the living bodies. Checks their number, which is wrong if a placeholder was not destroyed, or if the stack was
         * lost.
         */
        List<Integer> living() {
            assertThat(game.world().getNumBodies()).isEqualTo(bodies.size() + 1); // plus the ground
            return bodies.stream().map(Body::getId).toList();
        }

        StateBuffer saved() {
            StateBuffer saved = new StateBuffer();
            ids.save(saved);
            return saved;
        }

        /** Destroys all bodies, restores a state, and puts back the bodies with the ids {@code living} in a random order. */
        void restore(StateBuffer state, List<Integer> living, Random random) {
            List<Integer> order = new ArrayList<>(living);
            Collections.shuffle(order, random);
            bodies.forEach(this::destroy);
            bodies.clear();
            try (BodyIds.Placeholders placeholders = ids.new Placeholders()) {
                order.forEach(id -> placeholders.before(this).restore(id, 0));
                state.rewind();
                placeholders.restore(state);
            }
            assertThat(living()).isEqualTo(order);
            bodies.sort((one, other) -> living.indexOf(one.getId()) - living.indexOf(other.getId()));
        }

        @Override
        public Body restore(long engineId, long userData) {
            bodies.add(attach());
            return bodies.get(bodies.size() - 1);
        }

        @Override
        public void remove(Body body, long userData) {
            throw new AssertionError("not called here");
        }
    }

    private final List<World> worlds = new ArrayList<>();

    private World newWorld() {
        worlds.add(new World());
        return worlds.get(worlds.size() - 1);
    }

    @AfterEach
    void close() {
        worlds.forEach(world -> world.game.close());
    }

    /** Restores random states: in the same world, in a new one, and in one with a different history. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void bodiesAfterARestoreHaveTheSameIds(long seed) {
        Random shape = new Random(seed);
        int max = 1 + shape.nextInt(60);
        int steps = shape.nextInt(seed % 3 == 0 ? 2000 : 40);
        World undisturbed = newWorld();
        undisturbed.churn(new Random(seed), steps, max);
        World saving = newWorld();
        Random churn = new Random(seed);
        saving.churn(churn, steps, max);
        assertThat(saving.saved().toBytes()).isEqualTo(saving.saved().toBytes());
        StateBuffer saved = saving.saved();
        List<Integer> living = saving.living();
        assertThat(living).isEqualTo(undisturbed.living());

        List<Integer> later = undisturbed.churn(new Random(-seed), LATER, max + 10);
        assertThat(saving.churn(new Random(-seed), LATER, max + 10))
                .as("after a save")
                .isEqualTo(later);
        World busy = newWorld();
        busy.churn(new Random(seed + 99), 300, 80);
        for (World restored : List.of(newWorld(), busy, saving)) {
            restored.restore(saved, living, shape);
            assertThat(restored.saved().toBytes()).isEqualTo(saved.toBytes());
            assertThat(restored.churn(new Random(-seed), LATER, max + 10)).isEqualTo(later);
            assertThat(restored.living()).isEqualTo(undisturbed.living());
        }
    }

    /** A full system has no room for a placeholder. */
    @Test
    void aFullSystemIsSavedAndRestored() {
        World full = newWorld();
        int max = full.game.world().getMaxBodies() - 1;
        full.churn(new Random(1), 3, max);
        while (full.bodies.size() < max) {
            full.restore(0, 0);
        }
        StateBuffer saved = full.saved();
        List<Integer> living = full.living();
        List<Integer> later = full.churn(new Random(2), 3, max);
        for (World restored : List.of(newWorld(), full)) {
            restored.restore(saved, living, new Random(3));
            assertThat(restored.churn(new Random(2), 3, max)).isEqualTo(later);
        }
    }

    /** A second save reads a single id of the stack, which takes at most 256 uses, although 895 ids are on the stack. */
    @Test
    void aSaveCostsTheIdsFreedSinceTheLastOne() {
        World world = newWorld();
        while (world.bodies.size() < 900) {
            world.restore(0, 0);
        }
        world.bodies.subList(5, 900).forEach(world::destroy);
        world.bodies.subList(5, 900).clear();
        byte[] saved = world.saved().toBytes();
        long before = world.ids.created;
        assertThat(world.saved().toBytes()).isEqualTo(saved);
        assertThat(world.ids.created - before).isLessThan(260);
    }

    /**
     * Bodies come after a save, and go again before its state is restored, as in a rollback. The known part of the stack must be right
     * after each step.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theKnownStackIsWhatAnotherLookFinds(long seed) {
        Random random = new Random(seed);
        World world = newWorld();
        for (int round = 0; round < 40; round++) {
            world.churn(random, random.nextInt(6), 1 + random.nextInt(20));
            StateBuffer saved = world.saved();
            assertThat(saved.toBytes()).isEqualTo(savedByAnother(world));
            List<Body> living = List.copyOf(world.bodies);
            int came = random.nextInt(30);
            for (int i = 0; i < came; i++) {
                world.restore(0, 0);
            }
            if (random.nextBoolean()) {
                world.saved();
            }
            Collections.shuffle(world.bodies, random);
            world.bodies.removeIf(body -> {
                boolean isNew = !living.contains(body);
                if (isNew) {
                    world.destroy(body);
                }
                return isNew;
            });
            saved.rewind();
            try (BodyIds.Placeholders placeholders = world.ids.new Placeholders()) {
                placeholders.restore(saved);
            }
            assertThat(savedByAnother(world)).isEqualTo(saved.toBytes());
            assertThat(world.saved().toBytes()).isEqualTo(saved.toBytes());
        }
    }

    /**
     * After 256 uses, the id on top of the stack has its old number again, but the id below it was used, too. Uses by bodies that are not
     * attached are not counted; only their ticks are.
     */
    @ParameterizedTest
    @CsvSource({"256, 1, true", "1, 256, true", "256, 1, false"})
    void anIndexWithItsOldNumberHidesNothing(int ticks, int bodiesPerTick, boolean isAttached) {
        World world = newWorld();
        useTheTop(world, ticks, bodiesPerTick, isAttached ? world::attach : world::create);
        assertThat(world.saved().toBytes()).isEqualTo(savedByAnother(world));
    }

    /** Saves with two indices on the stack; then uses the top one {@code ticks * bodiesPerTick} times, and the one below it once. */
    private static void useTheTop(World world, int ticks, int bodiesPerTick, Supplier<Body> comes) {
        Body low = world.create();
        Body high = world.create();
        world.destroy(high);
        world.destroy(low);
        world.saved();
        for (int use = 0; use < ticks * bodiesPerTick; use++) {
            if (use % bodiesPerTick == 0) {
                world.ids.ticked();
            }
            Body top = comes.get();
            if (use == 7) {
                world.destroy(comes.get());
            }
            world.destroy(top);
        }
    }

    /** Saves with a new {@link BodyIds}, which has not read the stack yet. */
    private static byte[] savedByAnother(World world) {
        StateBuffer saved = new StateBuffer();
        new BodyIds(world.game.world(), world.game.bodyInterface()).save(saved);
        return saved.toBytes();
    }
}
