package dev.escapement.physics.query;

import dev.escapement.physics.query.QueryFeed.KnownBody;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of a {@link QueryWorld} in the slots of one block, and the poses at which they are.
 *
 * <p>While the block's bodies are the same as at the moment before, only poses are compared, component by component, because the JIT
 * compiler compares arrays with vector instructions. So the time of a moment is that of the bodies that moved.
 */
final class QueryBlock<D, H> {

    private static final int SLOTS = PoseBlock.CAPACITY;

    private final int firstSlot;
    private final QueryEngine<D, H> engine;

    // Index: within the block. `known` has the bodies that the feed offered for the slot, the newest first; `shown` has
    // the one of them whose copy is in the engine.
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private final @Nullable KnownBody<D>[] known = new KnownBody[SLOTS];

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable KnownBody<D>[] shown = new KnownBody[SLOTS];

    private final @Nullable Object[] copies = new Object[SLOTS];
    private final PoseBlock poses = new PoseBlock();
    private int[] generations = {};

    /** Whether all moments show the same bodies as the last one, unless a generation changes, or a body comes from the feed. */
    private boolean settled;

    QueryBlock(int index, QueryEngine<D, H> engine) {
        firstSlot = index << PoseBlock.SHIFT;
        this.engine = engine;
    }

    @Nullable
    KnownBody<D> shown(int slot) {
        return shown[slot & PoseBlock.MASK];
    }

    /** Takes a body from the feed, the newest of its slot. Frees the bodies that no tick from {@code oldestTick} on shows. */
    void take(KnownBody<D> body, long oldestTick) {
        int at = BodyId.slot(body.id) & PoseBlock.MASK;
        body.older = known[at];
        known[at] = body;
        settled = false;
        body.forgetReplaced(oldestTick, engine);
    }

    /** Makes all bodies move at the next moment, because the origin of poses has moved. */
    void forgetPoses() {
        Arrays.fill(poses.px, Float.NaN); // differs from every pose
    }

    /** Shows the bodies that the block has at a tick. Returns whether a copy came or went. */
    boolean show(Snapshot moment, int slots, long oldestTick) {
        int[] now = slots == 0 ? new int[0] : moment.bodyBlock(firstSlot >>> PoseBlock.SHIFT).generation;
        if (settled && Arrays.equals(now, 0, slots, generations, 0, generations.length)) {
            return false;
        }
        boolean changed = false;
        settled = true;
        for (int at = 0; at < SLOTS; at++) {
            if (known[at] != null || shown[at] != null) {
                long id = at < slots ? BodyId.of(firstSlot + at, now[at]) : 0;
                KnownBody<D> chosen = choose(at, id, moment.tick(), oldestTick);
                KnownBody<D> newest = known[at];
                settled &= newest == null || (newest == chosen && newest.isSettled(moment.tick()));
                if (shown[at] != chosen) {
                    changed = true;
                    replace(at, chosen);
                }
            }
        }
        generations = Arrays.copyOf(now, slots); // once all copies are there: a call that throws is repeated
        return changed;
    }

    /** Returns the known body that a slot shows at a tick; null if there is none. Forgets the bodies that no moment can show any more. */
    private @Nullable KnownBody<D> choose(int at, long id, long tick, long oldestTick) {
        KnownBody<D> chosen = known[at];
        if (chosen != null && chosen.isGone(id, tick, oldestTick)) {
            chosen.free(engine);
            chosen = null;
            known[at] = null;
        } else if (chosen != null) {
            chosen.forgetReplaced(oldestTick, engine);
        }
        while (chosen != null && !chosen.shows(id, tick)) {
            chosen = chosen.older;
        }
        return chosen;
    }

    private void replace(int at, @Nullable KnownBody<D> chosen) {
        remove(at);
        if (chosen != null) {
            copies[at] = engine.add(chosen.description, firstSlot + at);
            shown[at] = chosen;
            poses.px[at] = Float.NaN; // differs from every pose
        }
    }

    @SuppressWarnings("unchecked") // all copies are the engine's
    private void remove(int at) {
        if (copies[at] != null) {
            engine.remove((H) copies[at]);
            copies[at] = null;
        }
        shown[at] = null;
    }

    /** Moves the copies whose poses have changed. Returns whether any has. */
    @SuppressWarnings("unchecked") // all copies are the engine's
    boolean move(PoseBlock now, int slots, double originX, double originY, double originZ) {
        boolean moved = false;
        for (int at = next(now, 0, slots); at < slots; at = next(now, at + 1, slots)) {
            poses.copyPose(now, at);
            if (copies[at] != null) {
                moved = true;
                engine.move(
                        (H) copies[at],
                        originX + now.px[at],
                        originY + now.py[at],
                        originZ + now.pz[at],
                        now.qx[at],
                        now.qy[at],
                        now.qz[at],
                        now.qw[at]);
            }
        }
        return moved;
    }

    /** Returns the first index from {@code at} on whose pose differs; {@code end} if there is none. */
    private int next(PoseBlock now, int at, int end) {
        if (at >= end || now.px[at] != poses.px[at]) { // most bodies of a world in which all move
            return at;
        }
        int first = first(now.px, poses.px, at, end);
        first = first(now.py, poses.py, at, first);
        first = first(now.pz, poses.pz, at, first);
        first = first(now.qx, poses.qx, at, first);
        first = first(now.qy, poses.qy, at, first);
        first = first(now.qz, poses.qz, at, first);
        return first(now.qw, poses.qw, at, first);
    }

    private static int first(float[] now, float[] before, int at, int end) {
        int found = Arrays.mismatch(now, at, end, before, at, end);
        return found < 0 ? end : at + found;
    }

    /** Frees all descriptions. The engine frees the copies. */
    void free() {
        for (KnownBody<D> body : known) {
            if (body != null) {
                body.free(engine);
            }
        }
    }
}
