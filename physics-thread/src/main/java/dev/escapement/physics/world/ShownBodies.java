package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attached bodies of an engine's world: readers see them from the capture after they were attached to the one after they were detached.
 *
 * <p>One thread at a time. Allocates when bodies are attached, but not in a capture.
 */
final class ShownBodies<B> {

    private final List<ShownBody<B>> shown = new ArrayList<>();
    private final Map<B, ShownBody<B>> byBody = new HashMap<>();

    /** Those of {@link #shown} that have a slot, by slot. */
    private final List<@Nullable ShownBody<B>> bySlot = new ArrayList<>();

    /** Those of {@link #shown} that no capture has spawned yet, in the order in which they were attached. */
    private final List<ShownBody<B>> coming = new ArrayList<>();

    /** Those of {@link #coming} whose id was reserved, by id. */
    private final Map<Long, ShownBody<B>> comingById = new HashMap<>();

    private final List<ShownBody<B>> going = new ArrayList<>();

    /** Reserved ids of bodies that were detached before any capture, in that order. */
    private final Set<Long> unusedIds = new LinkedHashSet<>();

    /** Slots of the bodies that the last capture despawned. */
    private final BitSet gone = new BitSet();

    /** Slots of the bodies that the last capture spawned. */
    private final BitSet came = new BitSet();

    /** Slots of bodies that slept when they were captured last. */
    private final BitSet asleep = new BitSet();

    /** Slots of bodies that slept when the step began. */
    private final BitSet asleepBefore = new BitSet();

    void attach(ShownBody<B> added) {
        ShownBody<B> known = byBody.get(added.body);
        if (known != null) {
            throw new IllegalArgumentException(known + " is attached already; detach it first");
        }
        if (added.isReserved()) {
            reserve(added);
        }
        byBody.put(added.body, added);
        added.index = shown.size();
        shown.add(added);
        coming.add(added);
    }

    private void reserve(ShownBody<B> added) {
        ShownBody<B> known = comingById.putIfAbsent(added.id(), added);
        if (known != null) {
            throw new IllegalArgumentException(known + " has that id already; each body needs one of its own");
        }
        unusedIds.remove(added.id()); // attached again: not given back after all
    }

    void detach(B body) {
        ShownBody<B> known = require(body);
        byBody.remove(body);
        ShownBody<B> last = shown.remove(shown.size() - 1);
        if (last != known) {
            shown.set(known.index, last);
            last.index = known.index;
        }
        if (known.isSpawned()) {
            going.add(known);
            bySlot.set(known.slot(), null);
        } else {
            coming.remove(known);
            if (known.isReserved()) {
                comingById.remove(known.id());
                unusedIds.add(known.id());
            }
        }
    }

    ShownBody<B> require(B body) {
        ShownBody<B> known = byBody.get(body);
        if (known == null) {
            throw new IllegalArgumentException(body + " is not attached; attach it first, or leave it out");
        }
        return known;
    }

    int slotOf(@Nullable B body) {
        ShownBody<B> known = byBody.get(body);
        return known == null ? EventWriter.NO_BODY : known.slot();
    }

    /** The attached body in a slot, null if there is none. */
    @Nullable
    ShownBody<B> inSlot(int slot) {
        return slot >= 0 && slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    int size() {
        return shown.size();
    }

    ShownBody<B> get(int index) {
        return shown.get(index);
    }

    BitSet gone() {
        return gone;
    }

    BitSet came() {
        return came;
    }

    /** Slots of the bodies that slept when the step began: the engine may not have looked at what they touch. */
    BitSet asleepBefore() {
        return asleepBefore;
    }

    /** One more than the highest slot that any body ever had. */
    int slotsUsed() {
        return bySlot.size();
    }

    void beginStep() {
        asleepBefore.clear();
        asleepBefore.or(asleep);
    }

    /** Lets the next capture set all bodies, also sleeping ones. */
    void showAllAgain() {
        asleep.clear();
        for (int i = 0; i < shown.size(); i++) {
            shown.get(i).wasAsleep = false;
        }
    }

    /**
     * Spawns and despawns the bodies that were attached and detached since the last capture, and writes the poses that may have changed.
     */
    void capture(WorldSimulation<?, B> engine, BodyStateBits<B> states, PoseWriter poses) {
        requireInWorld(engine);
        writeComingAndGoing(poses);
        for (int i = 0; i < shown.size(); i++) {
            ShownBody<B> body = shown.get(i);
            boolean isAsleep = engine.isAsleep(body.body);
            if (!isAsleep || hasMovedAsleep(body, states.poseHash(engine, body.body))) {
                engine.writePose(body.body, body.slot(), poses);
            }
            body.wasAsleep = isAsleep;
            asleep.set(body.slot(), isAsleep);
        }
    }

    /** Checks all bodies before any pose is read, because the pose of a destroyed native body cannot be read. */
    private void requireInWorld(WorldSimulation<?, B> engine) {
        int removed = engine.findRemoved();
        if (removed >= 0) {
            throw new IllegalStateException(get(removed) + " was removed from " + engine.world()
                    + " while it was attached; call detach(body) in the command that removes it, before it does");
        }
    }

    /**
     * Whether a sleeping body has moved since the last capture, or has just fallen asleep. Not every engine wakes a body that the game
     * moves.
     */
    private boolean hasMovedAsleep(ShownBody<B> body, long poseHash) {
        boolean moved = !body.wasAsleep || poseHash != body.sleepingPoseHash;
        body.sleepingPoseHash = poseHash;
        if (moved) {
            asleepBefore.clear(body.slot()); // its contacts may have ended since it fell asleep
        }
        return moved;
    }

    private void writeComingAndGoing(PoseWriter poses) {
        gone.clear();
        came.clear();
        for (int i = 0; i < going.size(); i++) {
            ShownBody<B> body = going.get(i);
            poses.despawn(body.id());
            gone.set(body.slot());
            asleep.clear(body.slot());
        }
        going.clear();
        giveBack(poses);
        for (int i = 0; i < coming.size(); i++) {
            spawn(coming.get(i), poses);
        }
        coming.clear();
        comingById.clear();
    }

    private void giveBack(PoseWriter poses) {
        if (!unusedIds.isEmpty()) { // avoids an iterator in every tick
            for (long id : unusedIds) {
                if (poses.isReserved(id)) { // otherwise its command threw, and it was given back
                    poses.despawn(id);
                }
            }
            unusedIds.clear();
        }
    }

    private void spawn(ShownBody<B> body, PoseWriter poses) {
        if (body.isReserved()) {
            poses.spawn(body.id(), body.userData);
            body.spawned(body.id());
        } else {
            body.spawned(poses.spawn(body.userData));
        }
        came.set(body.slot());
        while (bySlot.size() <= body.slot()) {
            bySlot.add(null);
        }
        bySlot.set(body.slot(), body);
    }
}
