package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attached bodies of an engine's world. Readers see a body from the capture after it was attached to the capture after it was detached.
 *
 * <p>One thread at a time. Allocates when bodies are attached, but not in a capture.
 */
final class ShownBodies<B> implements EventWriter.FormerBodies {

    /** The generation of a slot that was never used. */
    private static final int BEFORE_FIRST = -1;

    /**
     * The interval in ticks at which {@link SnapshotOrigin} gets the places of all moving bodies. In 32 ticks at 100 Hz, a body at 5 km/s
     * moves 1.6 km. So a body within the 6.1 km that count as near stays within 8 km of the origin.
     */
    private static final int TICKS_BETWEEN_SIGHTS = 32;

    private final EngineCalls<B> engine;
    private final List<ShownBody<B>> shown = new ArrayList<>();
    private final Map<B, ShownBody<B>> byBody = new HashMap<>();

    /** The bodies of {@link #shown} that have a slot, by slot. */
    private final List<@Nullable ShownBody<B>> bySlot = new ArrayList<>();

    /** The bodies of {@link #shown} that no capture has spawned yet, in the order in which they were attached. */
    final List<ShownBody<B>> coming = new ArrayList<>();

    final ShownParts parts = new ShownParts(this);

    /**
     * The bodies of {@link #shown} that had ids in a restored state. The next capture spawns them under these ids, which its writer may not
     * know.
     */
    private final Set<ShownBody<B>> again = new LinkedHashSet<>();

    private final List<ShownBody<?>> going = new ArrayList<>();

    /** The reserved ids of bodies that were detached before any capture, in the order of detaching. */
    private final Set<Long> unusedIds = new LinkedHashSet<>();

    /** The id of the last body that was captured in a slot, by slot; 0 if there was none. */
    private long[] lastIds = {};

    /** The user data of the bodies of {@link #lastIds}, as far as this run has captured them. */
    private long[] lastUserData = {};

    /** The ids whose bodies a restored state does not contain. The next capture despawns them; its writer may not know some of them. */
    private final List<Long> goneAgain = new ArrayList<>();

    /** The slots of bodies that were detached and despawned since contacts were last reported or restored. */
    final BitSet gone = new BitSet();

    /** By slot in {@link #gone}, the first body that went: its contacts end. Null if readers never saw it. */
    private @Nullable ShownBody<?>[] goneBodies = {};

    /** The slots of bodies that were attached, and spawned since contacts were last reported or restored. */
    final BitSet came = new BitSet();

    /** Whether the contacts of a restored state replaced the present ones: {@link WorldSimulation#worldRestored} must keep them. */
    boolean isRestored;

    /** Whether a state was restored, and not captured since: readers may see other bodies. */
    boolean showsOthers;

    /** Whether the next capture must report the places of all bodies to {@link SnapshotOrigin}, because all may have moved far at once. */
    boolean looksAround = true;

    private final float[] offset = new float[3];

    /** The slots of bodies that slept at their last capture. */
    private final BitSet asleep = new BitSet();

    /** The slots of bodies that slept when the step began, and whose contacts the engine may not have examined. */
    final BitSet asleepBefore = new BitSet();

    /** The slots of sleeping bodies that the game has moved while they slept. */
    final BitSet movedAsleep = new BitSet();

    /** The slots of bodies that the game has moved since the last step. If they sleep, they left what they touched before. */
    final BitSet displaced = new BitSet();

    /** Whether captures note the poses of awake bodies as well, because a command may move a body and put it to sleep at once. */
    private boolean notesAwake;

    /** The newest tick in which bodies got slots. In this tick and later ones, readers see all bodies that have slots. */
    long shownTick;

    ShownBodies(EngineCalls<B> engine) {
        this.engine = engine;
    }

    void attach(ShownBody<B> added) {
        ShownBody<B> known = byBody.get(added.body);
        if (known != null) {
            throw new IllegalArgumentException(known + " is attached already; detach it first");
        }
        unusedIds.remove(added.id()); // the body is attached again, so its id is used after all
        looksAround = true;
        byBody.put(added.body, added);
        added.index = shown.size();
        shown.add(added);
        coming.add(added);
    }

    void detach(B body) {
        ShownBody<B> known = require(body);
        byBody.remove(body);
        ShownBody<B> last = shown.remove(shown.size() - 1);
        if (last != known) {
            shown.set(known.index, last);
            last.index = known.index;
        }
        withdraw(known, coming);
    }

    /** Detaches a body or part: the next capture despawns it, unless no capture has spawned it. */
    void withdraw(ShownBody<?> known, List<? extends ShownBody<?>> waiting) {
        if (known.isSpawned()) {
            again.remove(known);
            going.add(known);
            bySlot.set(known.slot(), null);
        } else {
            waiting.remove(known);
            if (known.restored && known.reserved) {
                goneAgain.add(known.id());
            } else if (known.reserved) {
                unusedIds.add(known.id());
            }
        }
    }

    ShownBody<B> require(B body) {
        ShownBody<B> known = byBody.get(body);
        if (known == null) {
            throw new IllegalArgumentException("a body is not attached; attach it first, or leave it out: " + body);
        }
        return known;
    }

    boolean isAttached(B body) {
        return byBody.containsKey(body);
    }

    int slotOf(@Nullable Object body) {
        ShownBody<B> known = byBody.get(body);
        return known == null ? EventWriter.NO_SLOT : known.slot();
    }

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

    /** Returns one more than the highest slot that any body ever had. */
    int slotsUsed() {
        return bySlot.size();
    }

    /** Clears {@link #came} and {@link #gone}, because contacts were reported, or will not be. */
    void forgetComingAndGoing() {
        for (int slot = gone.nextSetBit(0); slot >= 0; slot = gone.nextSetBit(slot + 1)) {
            goneBodies[slot] = null; // a game may have destroyed the engine's body
        }
        gone.clear();
        came.clear();
    }

    @Override
    public long id(int slot) {
        ShownBody<?> body = goneFrom(slot);
        return body != null ? body.id() : gone.get(slot) ? BodyEvent.NO_BODY : lastIds[slot];
    }

    @Override
    public long userData(int slot) {
        ShownBody<?> body = goneFrom(slot);
        return body != null ? body.userData : lastUserData[slot];
    }

    private @Nullable ShownBody<?> goneFrom(int slot) {
        return gone.get(slot) ? goneBodies[slot] : null;
    }

    void beginStep() {
        asleepBefore.clear();
        asleepBefore.or(asleep);
        asleepBefore.andNot(displaced);
    }

    /** Notes whether a body sleeps now that the step begins: a command may have put it to sleep, or woken it, since the last capture. */
    void beginsStep(ShownBody<B> body, boolean isAsleep) {
        notesAwake = true;
        if (body.isSpawned() && isAsleep != body.wasAsleep) {
            asleepBefore.set(body.slot(), isAsleep && !displaced.get(body.slot()));
        }
    }

    /** Returns one more than the highest slot in which a body was ever captured. */
    int slotsEver() {
        int slots = lastIds.length;
        while (slots > 0 && lastIds[slots - 1] == 0) {
            slots--;
        }
        return slots;
    }

    long lastId(int slot) {
        return lastIds[slot];
    }

    /**
     * Replaces the shown bodies by those of a restored state, from the next capture on.
     *
     * @param restored    the attached bodies in their order, with ids, except those that no capture had shown
     * @param comingThen  the restored bodies that no capture had shown, in their order
     * @param lastIdsThen the results of {@link #lastId} at the save, by slot
     */
    void replace(List<ShownBody<B>> restored, Set<ShownBody<B>> comingThen, long[] lastIdsThen) {
        isRestored = true;
        showsOthers = true;
        forgetComingAndGoing(); // the contacts of the restored state are those of its bodies
        Set<Long> others = new LinkedHashSet<>(goneAgain); // not empty if another state was restored and not captured
        going.forEach(body -> others.add(body.id()));
        shown.stream().filter(ShownBody::isSpawned).forEach(body -> others.add(body.id()));
        parts.spawned().forEach(part -> others.add(part.id()));
        for (long id : lastIdsThen) { // after the ids above, because the last id of a slot sets its generation
            others.add(id);
        }
        int slots = slotsEver();
        for (int slot = lastIdsThen.length; slot < slots; slot++) {
            others.add(BodyId.of(slot, BEFORE_FIRST));
        }
        others.remove(0L);
        lastIds = lastIdsThen;
        for (ShownBody<B> body : restored) {
            ShownBody<B> before = byBody.get(body.body);
            if (before != null) {
                body.showAs(before);
            }
        }
        shown.clear();
        byBody.clear();
        going.clear();
        coming.clear();
        again.clear();
        Collections.fill(bySlot, null);
        for (ShownBody<B> body : restored) {
            body.index = shown.size();
            shown.add(body);
            byBody.put(body.body, body);
            if (!comingThen.contains(body)) {
                again.add(body);
                spawned(body, body.id());
                bySlot.set(body.slot(), body);
                others.remove(body.id());
            }
        }
        coming.addAll(comingThen);
        parts.keep(restored);
        Set<Long> kept = new HashSet<>();
        parts.spawned().forEach(part -> kept.add(part.id()));
        others.removeAll(kept);
        for (int slot = 0; slot < lastIdsThen.length; slot++) {
            if (inSlot(slot) == null && !kept.contains(lastIdsThen[slot])) {
                noteGone(slot, null); // the state may have contacts of a part that was detached since
            }
        }
        parts.spawned().forEach(part -> used(part.slot(), part.id(), part.userData));
        goneAgain.clear();
        goneAgain.addAll(others);
    }

    /** Makes the next capture mark all bodies that readers see as teleported, so that no frame blends them from their old places. */
    void teleportAll() {
        shown.stream().filter(ShownBody::isSpawned).forEach(ShownBody::teleported);
        parts.spawned().forEach(ShownBody::teleported);
        looksAround = true;
    }

    /** Makes the next capture set all bodies, including sleeping ones. */
    void showAllAgain() {
        looksAround = true;
        parts.spawned().forEach(ShownBody::showAgain);
        asleep.clear();
        movedAsleep.clear();
        boolean areInWorld = engine.findRemoved() < 0;
        for (int i = 0; i < shown.size(); i++) {
            ShownBody<B> body = shown.get(i);
            body.showAgain();
            boolean isReadable = areInWorld && body.isSpawned();
            body.wasAsleep = isReadable && engine.isAsleep(body.body);
            if (body.wasAsleep || (isReadable && notesAwake)) {
                body.poseHash = engine.states.poseHash(body.body);
                asleep.set(body.slot(), body.wasAsleep);
            }
        }
    }

    /**
     * Spawns and despawns the bodies that were attached and detached since the last capture, and writes the poses that may have changed.
     */
    void capture(PoseWriter poses) {
        showsOthers = false;
        writeComingAndGoing(poses);
        engine.jumps.begin(poses);
        if (engine.jumps.shownSteps > 0) {
            displaced.clear();
        }
        boolean originMoved = moveOrigin(poses);
        for (int i = 0; i < shown.size(); i++) {
            ShownBody<B> body = shown.get(i);
            boolean isAsleep = engine.isAsleep(body.body);
            if (isAsleep) {
                captureAsleep(body, originMoved, poses);
            } else {
                engine.writePose(body.body, body.slot(), poses);
                movedAsleep.clear(body.slot());
                if (notesAwake) {
                    hasMoved(body);
                }
            }
            if (body.hasMarks) {
                writeMarks(body, poses);
            }
            body.wasAsleep = isAsleep;
            asleep.set(body.slot(), isAsleep);
        }
        parts.capture(poses, engine.jumps);
    }

    private void writeMarks(ShownBody<B> body, PoseWriter poses) {
        if (body.restarts()) {
            engine.jumps.restart(body);
        }
        body.writeMarks(poses);
        if (body.tells()) {
            engine.pairs.tellLasting(body.slot(), body.tellsLasting);
            Arrays.fill(offset, 0);
            engine.centreOffset(body.body, offset);
            poses.centreOfMass(body.slot(), offset[0], offset[1], offset[2]);
            poses.reshape(body.slot()); // nothing for a body that is new to readers
            engine.bodyShown(body.body, body.id(), poses.tick());
            shownTick = poses.tick();
            engine.feeds.removeIf(feed -> !feed.offer(body.body, body.id(), body.userData, shownTick, shownTick));
        }
    }

    /** Moves the origin towards the moving bodies. Returns whether it moved since the last capture. */
    private boolean moveOrigin(PoseWriter poses) {
        SnapshotOrigin origin = engine.origin;
        if (looksAround || poses.tick() % TICKS_BETWEEN_SIGHTS == 0) {
            for (int i = 0; i < shown.size() && engine.doubleAxes() > 0; i++) {
                ShownBody<B> body = shown.get(i);
                if (came.get(body.slot()) || !engine.isAsleep(body.body)) {
                    engine.states.show(body.body);
                }
            }
            looksAround = false;
        }
        boolean moved = origin.follow();
        if (moved) {
            poses.origin(origin.at[0], origin.at[1], origin.at[2]);
            poses.zero(origin.zero[0], origin.zero[1], origin.zero[2]);
            engine.pairs.origin(
                    origin.at[0] - origin.zero[0], origin.at[1] - origin.zero[1], origin.at[2] - origin.zero[2]);
        }
        return moved;
    }

    /** Writes the pose of a sleeping body if it must. Compares pose hashes, because not every engine wakes a body that the game moves. */
    private void captureAsleep(ShownBody<B> body, boolean originMoved, PoseWriter poses) {
        boolean hasMoved = hasMoved(body);
        boolean isUnmoved = body.wasAsleep && !hasMoved;
        if (!isUnmoved) {
            movedAsleep.set(body.slot(), body.wasAsleep);
        }
        if (hasMoved) {
            asleepBefore.clear(body.slot()); // contacts of the body may have ended since it fell asleep
        }
        if (!isUnmoved
                || body.isShownAgain
                || originMoved) { // from the engine's pose: moving the writer's own values would round them each time
            engine.writePose(body.body, body.slot(), poses);
        }
    }

    /** Notes the pose of a body. Returns whether it differs from the pose that was noted last. */
    private boolean hasMoved(ShownBody<B> body) {
        long before = body.poseHash;
        body.poseHash = engine.states.poseHash(body.body);
        boolean hasMoved = body.poseHash != before;
        if (hasMoved && engine.jumps.shownSteps == 0 && (body.wasAsleep || notesAwake)) {
            displaced.set(body.slot());
        }
        return hasMoved;
    }

    private void writeComingAndGoing(PoseWriter poses) {
        for (int i = 0; i < goneAgain.size(); i++) {
            poses.despawnAs(goneAgain.get(i));
        }
        goneAgain.clear();
        for (int i = 0; i < going.size(); i++) {
            ShownBody<?> body = going.get(i);
            boolean wasSeen = true;
            if (body.restored) {
                wasSeen = poses.despawnAs(body.id());
            } else {
                poses.despawn(body.id());
            }
            noteGone(body.slot(), wasSeen ? body : null);
            engine.pairs.tellLasting(body.slot(), false);
            asleep.clear(body.slot());
            movedAsleep.clear(body.slot());
        }
        going.clear();
        giveBack(poses);
        if (!again.isEmpty()) { // avoids an iterator in every tick
            again.forEach(body -> poses.spawnAs(body.id(), body.userData));
            again.clear();
        }
        for (int i = 0; i < coming.size(); i++) {
            ShownBody<B> body = coming.get(i);
            spawn(body, poses);
            bySlot.set(body.slot(), body);
        }
        coming.clear();
        for (int i = 0; i < parts.coming.size(); i++) {
            spawn(parts.coming.get(i), poses);
        }
        parts.coming.clear();
    }

    private void noteGone(int slot, @Nullable ShownBody<?> body) {
        if (slot >= goneBodies.length) {
            goneBodies = Arrays.copyOf(goneBodies, Math.max(16, 2 * slot));
        }
        if (!gone.get(slot)) { // otherwise the slot has the contacts of a body that went before
            goneBodies[slot] = body;
            gone.set(slot);
        }
    }

    private void giveBack(PoseWriter poses) {
        if (!unusedIds.isEmpty()) { // avoids an iterator in every tick
            for (long id : unusedIds) {
                if (poses.isReserved(id)) { // false if the command of the id threw, which released the id
                    poses.despawn(id);
                }
            }
            unusedIds.clear();
        }
    }

    private void spawn(ShownBody<?> body, PoseWriter poses) {
        long id = body.id();
        if (!body.reserved) {
            id = poses.spawn(body.userData);
        } else if (body.restored) {
            poses.spawnAs(id, body.userData);
        } else {
            poses.spawn(id, body.userData);
        }
        spawned(body, id);
        came.set(body.slot());
    }

    private void spawned(ShownBody<?> body, long id) {
        body.spawned(id);
        used(body.slot(), id, body.userData);
    }

    private void used(int slot, long id, long userData) {
        while (bySlot.size() <= slot) {
            bySlot.add(null);
        }
        if (slot >= lastIds.length) {
            lastIds = Arrays.copyOf(lastIds, Math.max(16, 2 * slot));
        }
        if (lastUserData.length < lastIds.length) {
            lastUserData = Arrays.copyOf(lastUserData, lastIds.length);
        }
        lastIds[slot] = id;
        lastUserData[slot] = userData;
    }
}
