package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyIdVector;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which ids Jolt gives to the bodies that are created next. They are part of a saved state, because the order in which Jolt solves contacts
 * depends on ids; Jolt's own states do not have them, and the binding can neither read nor set them.
 *
 * <p>An id is an index, and a sequence number of 8 bits that counts how often the index was used. When a body is destroyed, its index goes
 * on top of a stack. The next body gets the index on top, or a new index if the stack is empty. So placeholders, bodies that are never
 * in the world, find the content of the stack when they are created, and set it when they are destroyed. After 256 uses an index has the
 * same sequence number again: saving or restoring a state uses each index at most that often. A save takes some 25 us for each free index.
 *
 * <p>One thread: the one that may touch the system.
 */
final class BodyIds {

    private static final int INDEX_MASK = 0x7F_FFFF;
    private static final int SEQUENCE_MASK = 0xFF;

    private final PhysicsSystem system;
    private final BodyInterface bodies;

    /** This many indices have been used, as far as is known. Higher ones were never used. */
    private int used;

    BodyIds(PhysicsSystem system, BodyInterface bodies) {
        this.system = system;
        this.bodies = bodies;
    }

    /** Notes that a body has an id. */
    void saw(int id) {
        used = Math.max(used, index(id) + 1);
    }

    /** Saves which ids come next. Saving does not change them. */
    void save(StateBuffer to) {
        try (Placeholders placeholders = new Placeholders()) {
            List<Integer> stack = placeholders.takeAll();
            to.put((long) stack.size());
            stack.forEach(next -> to.put((long) next));
            placeholders.release(stack);
        }
    }

    private static int index(int id) {
        return id & INDEX_MASK;
    }

    /** The placeholders while a state is saved or restored. Closing destroys those that are left. */
    final class Placeholders implements AutoCloseable {

        private final SphereShape shape = new SphereShape(1);
        private final BodyCreationSettings settings =
                new BodyCreationSettings(shape, new RVec3(), new Quat(), EMotionType.Static, 0);

        /** Their ids, by index. From {@link #takeAll} to {@link #release}, each index up to the highest has a body or a placeholder. */
        private final Map<Integer, Integer> held = new HashMap<>();

        private boolean taken;

        /** The lowest bit of the sequence number in an id, which differs between versions of Jolt; 0 if not known yet. */
        private int shift;

        /** Restores bodies as another restorer does, each after making its old id the next one. */
        BodyRestorer<Body> before(BodyRestorer<Body> restorer) {
            return new BodyRestorer<>() {
                @Override
                public Body restore(long engineId, long userData) {
                    takeAll();
                    growBeyond(index((int) engineId));
                    release((int) engineId);
                    return restorer.restore(engineId, userData);
                }

                @Override
                public void remove(Body body, long userData) {
                    restorer.remove(body, userData);
                }
            };
        }

        /** Restores which ids come next. Call it when all bodies are there. */
        void restore(StateBuffer from) {
            List<Integer> stack = new ArrayList<>();
            for (long left = from.getLong(); left > 0; left--) {
                stack.add((int) from.getLong());
            }
            takeAll();
            stack.forEach(next -> growBeyond(index(next)));
            release(stack);
        }

        /** Takes all ids from the stack, in their order. Afterwards the stack is empty. */
        private List<Integer> takeAll() {
            List<Integer> stack = new ArrayList<>();
            if (!taken) {
                taken = true;
                sawHighest();
                while (hasRoom()) {
                    int next = take();
                    int there = system.getNumBodies();
                    if (there > used && index(next) == there - 1 && next == after(index(next))) {
                        break; // all below have a body now, and this one was never used
                    }
                    stack.add(next);
                    saw(next);
                }
            }
            return stack;
        }

        private void sawHighest() {
            try (BodyIdVector ids = new BodyIdVector()) {
                system.getBodies(ids);
                if (ids.size() > 0) {
                    saw(ids.get(ids.size() - 1)); // the highest, because Jolt lists them by index
                }
            }
        }

        private boolean hasRoom() {
            return system.getNumBodies() < system.getMaxBodies();
        }

        private void growBeyond(int index) {
            while (system.getNumBodies() <= index && hasRoom()) {
                take();
            }
        }

        private int take() {
            int id = create();
            if (shift == 0) { // one of two consecutive numbers is odd
                bodies.destroyBody(id);
                int following = create();
                shift = ((id | following) & (INDEX_MASK + 1)) != 0 ? 23 : 24;
                held.put(index(id), following);
            } else {
                held.put(index(id), id);
            }
            return id;
        }

        private int create() {
            return bodies.createBody(settings).getId();
        }

        /** The id that comes when an index is used once more. */
        private int after(int id) {
            return index(id) | ((((id >>> shift) + 1) & SEQUENCE_MASK) << shift);
        }

        /** Puts ids on the stack. Below them come all other free indices, the lowest first, as if never used. */
        private void release(List<Integer> stack) {
            Set<Integer> unused = new HashSet<>(held.keySet());
            stack.forEach(next -> unused.remove(index(next)));
            List<Integer> order = new ArrayList<>(stack);
            unused.stream().sorted().forEach(index -> order.add(after(index)));
            used = system.getNumBodies() - unused.size();
            Collections.reverse(order);
            order.forEach(this::release);
        }

        /** Puts the index of an id on the stack, so that this id comes next. Does nothing if a body has the index. */
        private void release(int next) {
            Integer id = held.remove(index(next));
            if (id != null) {
                int last = id;
                while (after(last) != next) {
                    bodies.destroyBody(last);
                    last = create();
                }
                bodies.destroyBody(last);
            }
        }

        @Override
        public void close() {
            held.values().forEach(bodies::destroyBody);
            settings.close();
            shape.close();
        }
    }
}
