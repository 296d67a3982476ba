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
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Saves and restores the ids that Jolt assigns to the bodies created next. These ids are part of a saved state, because the order in which
 * Jolt solves contacts depends on ids. Jolt's own states lack them, and the binding can neither read nor set them.
 *
 * <p>An id is an index, and a sequence number of 8 bits that counts how often the index was used. When a body is destroyed, its index goes
 * on top of a stack. The next body gets the index on top, or a new index if the stack is empty. So the creation of placeholders, bodies
 * that are never in the world, reveals the content of the stack, and their destruction sets it. After 256 uses an index has the same
 * sequence number again. So reading or setting an index takes at most 256 uses, some 25 us.
 *
 * <p>Reading the stack, a <i>look</i>, stops at the first id that the previous look has found, too. A use of that id would have changed its
 * number; and if it was not used, no id below it was. So the time of a look is proportional to the number of indices that have come to the
 * stack since the previous look.
 *
 * <p>Only the thread that may touch the system uses it.
 */
final class BodyIds {

    private static final int INDEX_MASK = 0x7F_FFFF;
    private static final int SEQUENCE_MASK = 0xFF;

    /**
     * The maximum number of ticks or uses between two looks, once the stack was saved. An index that is used 256 times has its old number
     * again, and a look would take it for unused.
     */
    private static final int MAX_BETWEEN_LOOKS = 128;

    private final PhysicsSystem system;
    private final BodyInterface bodies;

    /** The number of indices used, as far as known. Higher indices were never used. */
    private int used;

    /**
     * The known part of the stack, from the last look, with the top at the end. The less of the stack is known, the longer a look takes.
     */
    private final List<Integer> known = new ArrayList<>();

    private int ticksSinceLook;

    /** The number of bodies attached since the last look: no index was used more often. */
    private int usesSinceLook;

    /** Whether a save or a restore is in progress. The bodies that it attaches existed before, and do not count as uses. */
    private boolean placing;

    /** The number of bodies that were created to look at the stack or to set it. */
    long created;

    BodyIds(PhysicsSystem system, BodyInterface bodies) {
        this.system = system;
        this.bodies = bodies;
    }

    private void saw(int id) {
        used = Math.max(used, index(id) + 1);
    }

    void attached(int id) {
        saw(id);
        if (!placing && ++usesSinceLook > SEQUENCE_MASK) {
            known.clear();
        }
    }

    void ticked() {
        ticksSinceLook++;
        if (!known.isEmpty() && Math.max(ticksSinceLook, usesSinceLook) >= MAX_BETWEEN_LOOKS) {
            look();
        }
    }

    /** Saves the ids that come next. The save does not change them. */
    void save(StateBuffer to) {
        look();
        to.put((long) known.size());
        for (int i = known.size() - 1; i >= 0; i--) {
            to.put((long) known.get(i));
        }
    }

    private void look() {
        try (Placeholders placeholders = new Placeholders()) {
            placeholders.look();
        }
    }

    private static int index(int id) {
        return id & INDEX_MASK;
    }

    /** The placeholders of a save or a restore. Closing destroys the remaining ones. */
    final class Placeholders implements AutoCloseable {

        private final SphereShape shape = new SphereShape(1);
        private final BodyCreationSettings settings =
                new BodyCreationSettings(shape, new RVec3(), new Quat(), EMotionType.Static, 0);

        /**
         * The ids of the living placeholders, by index. From {@link #takeAll} to {@link #release}, each index up to the highest has a
         * placeholder or a body.
         */
        private final Map<Integer, Integer> held = new HashMap<>();

        private boolean taken;

        /** The lowest bit of the sequence number in an id, which differs between versions of Jolt; 0 if not known yet. */
        private int shift;

        Placeholders() {
            placing = true;
        }

        /** Wraps a restorer: before it restores a body, makes the body's old id the next id that Jolt assigns. */
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

        /** Reads the ids that come next, and leaves them unchanged. */
        void look() {
            List<Integer> back = takeUnknown();
            release(back, known.size());
            known.addAll(back);
            ticksSinceLook = 0;
            usesSinceLook = 0;
        }

        /** Restores the ids that come next. Call it when all bodies are restored. */
        void restore(StateBuffer from) {
            List<Integer> stack = new ArrayList<>();
            for (long left = from.getLong(); left > 0; left--) {
                stack.add((int) from.getLong());
            }
            Collections.reverse(stack);
            if (!taken) {
                look();
            }
            int same = 0;
            if (known.size() == stack.size()) { // the same indices, in another order or used more often
                while (same < stack.size() && known.get(same).equals(stack.get(same))) {
                    same++;
                }
                for (int i = same; i < stack.size(); i++) {
                    take();
                }
            } else {
                takeAll();
                stack.forEach(next -> growBeyond(index(next)));
            }
            known.clear();
            release(stack.subList(same, stack.size()), same);
            known.addAll(stack);
        }

        /** Takes all ids from the stack, so that it is empty. */
        private void takeAll() {
            if (!taken) {
                taken = true;
                known.clear();
                takeUnknown();
            }
        }

        /**
         * Takes ids from the stack until one is in {@link #known}, or was never used. Then {@link #known} has the ids that are left on the
         * stack. Returns the taken ids, the last one first, without an id that was never used.
         */
        private List<Integer> takeUnknown() {
            List<Integer> came = new ArrayList<>();
            int left = -1;
            sawHighest();
            while (left < 0 && hasRoom()) {
                int next = take();
                left = known.lastIndexOf(next);
                int there = system.getNumBodies();
                if (left < 0 && there > used && index(next) == there - 1 && next == after(index(next))) {
                    break; // all lower ids have a body now, and this one was never used
                }
                came.add(next);
                saw(next);
            }
            known.subList(Math.max(0, left), known.size()).clear();
            Collections.reverse(came);
            return came;
        }

        private void sawHighest() {
            try (BodyIdVector ids = new BodyIdVector()) {
                system.getBodies(ids);
                if (ids.size() > 0) {
                    saw(ids.get(ids.size() - 1)); // the highest id, because Jolt lists bodies by index
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
            if (shift == 0) { // one of two consecutive numbers is odd, which shows the lowest bit
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
            created++;
            return bodies.createBody(settings).getId();
        }

        /** Returns the id after one more use of an index. */
        private int after(int id) {
            return index(id) | ((((id >>> shift) + 1) & SEQUENCE_MASK) << shift);
        }

        /**
         * Puts ids on the stack, which has {@code below} ids already. The indices of all other placeholders come between the old and the
         * new ids, the lowest on top, as if they had never been used.
         */
        private void release(List<Integer> stack, int below) {
            Set<Integer> unused = new HashSet<>(held.keySet());
            stack.forEach(next -> unused.remove(index(next)));
            used = system.getNumBodies() + below - unused.size();
            unused.stream().sorted(Collections.reverseOrder()).forEach(index -> release(after(index)));
            stack.forEach(this::release);
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
            placing = false;
            held.values().forEach(bodies::destroyBody);
            settings.close();
            JoltShapes.release(shape);
        }
    }
}
