package dev.escapement.render.tools;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a world for the shape of each new or reshaped body, in batches. It is for a thread that shows the bodies.
 *
 * <pre>{@code
 * KnownShapes shapes = new KnownShapes(world, clock.nanoTime(), (shape, slot) -> meshes[slot] = meshOf(shape));
 * shapes.update(view.shown(), clock.nanoTime());   // in each frame
 * }</pre>
 *
 * <p>One thread. Allocates only in updates with new or reshaped bodies.
 */
public final class KnownShapes {

    /** The maximum number of bodies in a query, which runs between two ticks. Each body takes 0.6 to 1 us in Jolt. */
    public static final int BODIES_PER_QUERY = 256;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long UNSEEN = Snapshot.NEVER_WRITTEN + 1; // no block of a snapshot has this version

    private final WorldControl world;
    private final ObjIntConsumer<BodyShape> listener;

    /** Per block: the tick of its last change of bodies, as of the last update. A block with the same tick is skipped. */
    private long[] versions = {};

    // By slot: the generation of its body, 0 without one; its last reshape; whether the world has answered for it;
    // whether with a shape.
    private int[] generation = {};
    private long[] reshapedTick = {};
    private boolean[] answered = {};
    private boolean[] known = {};

    private final Set<Long> unknown = new LinkedHashSet<>();

    private final List<Long> asked = new ArrayList<>();

    private @Nullable CompletableFuture<List<@Nullable BodyShape>> answer;
    private long retryNanos;

    /**
     * Creates a registry without bodies.
     *
     * @param world    the world that is asked for shapes
     * @param nowNanos an instant of the clock of {@link #update}
     * @param listener gets the shape and the slot of each body, and again after each reshape, when the world has answered; {@link
     *                 #update} calls it
     */
    public KnownShapes(WorldControl world, long nowNanos, ObjIntConsumer<BodyShape> listener) {
        this.world = world;
        this.listener = listener;
        retryNanos = nowNanos;
    }

    /**
     * Notes new and reshaped bodies, takes the world's answer, and sends the next query. A query that the world refuses is repeated a
     * second later.
     *
     * @param shown    the snapshot whose bodies are shown
     * @param nowNanos now
     */
    public void update(Snapshot shown, long nowNanos) {
        look(shown);
        if (answer != null && answer.isDone()) {
            take(answer, nowNanos);
        }
        if (answer == null && !unknown.isEmpty() && nowNanos - retryNanos >= 0) {
            ask(nowNanos);
        }
    }

    /**
     * {@return whether the listener got a shape of the body that is in a slot in the snapshot of the last update} After a reshape that is
     * the former shape, until the world has answered.
     *
     * @param slot its slot
     */
    public boolean isKnown(int slot) {
        return slot < known.length && known[slot];
    }

    /**
     * {@return whether the world has answered for the body that is in a slot in the snapshot of the last update, with a shape or without} A
     * renderer that draws the body before the answer may later have to draw another shape.
     *
     * @param slot its slot
     */
    public boolean isAnswered(int slot) {
        return slot < answered.length && answered[slot];
    }

    /**
     * {@return the generation of a slot in the snapshot of the last update, see {@link BodyId}}
     *
     * @param slot a slot that had a body
     */
    public int generation(int slot) {
        return generation[slot];
    }

    /**
     * {@return the {@link BodyBlock#reshapedTick} of a slot in the snapshot of the last update}
     *
     * @param slot a slot that had a body
     */
    public long reshapedTick(int slot) {
        return reshapedTick[slot];
    }

    /** {@return whether the world has answered for all bodies so far, with a shape or without} */
    public boolean isComplete() {
        return answer == null && unknown.isEmpty();
    }

    /** Queues the new and reshaped bodies of changed blocks for the next queries. */
    private void look(Snapshot shown) {
        int blocks = shown.poses().blockCount();
        reserve(blocks);
        for (int b = 0; b < versions.length; b++) {
            long version = b < blocks ? shown.bodyBlock(b).changedTick() : UNSEEN;
            boolean changed = versions[b] != version;
            versions[b] = version;
            for (int i = 0; changed && i < PoseBlock.CAPACITY; i++) {
                boolean exists = b < blocks && i < shown.poses().slotsIn(b);
                look((b << PoseBlock.SHIFT) | i, exists ? shown.bodyBlock(b) : null, i);
            }
        }
    }

    private void look(int slot, @Nullable BodyBlock bodies, int i) {
        int newGeneration = bodies == null ? 0 : bodies.generation[i];
        long newReshape = bodies == null ? 0 : bodies.reshapedTick(i);
        boolean isSame = generation[slot] == newGeneration;
        if (!isSame || reshapedTick[slot] != newReshape) {
            generation[slot] = newGeneration;
            reshapedTick[slot] = newReshape;
            answered[slot] &= isSame;
            known[slot] &= isSame;
            if (BodyId.isLive(newGeneration)) {
                unknown.add(BodyId.of(slot, newGeneration));
            }
        }
    }

    private void reserve(int blocks) {
        int before = versions.length;
        if (blocks > before) {
            versions = Arrays.copyOf(versions, blocks);
            Arrays.fill(versions, before, blocks, UNSEEN);
            generation = Arrays.copyOf(generation, blocks << PoseBlock.SHIFT);
            reshapedTick = Arrays.copyOf(reshapedTick, blocks << PoseBlock.SHIFT);
            answered = Arrays.copyOf(answered, blocks << PoseBlock.SHIFT);
            known = Arrays.copyOf(known, blocks << PoseBlock.SHIFT);
        }
    }

    private void ask(long nowNanos) {
        asked.clear();
        Iterator<Long> next = unknown.iterator();
        while (next.hasNext() && asked.size() < BODIES_PER_QUERY) {
            long body = next.next();
            next.remove();
            if (exists(body)) {
                asked.add(body);
            }
        }
        try {
            answer = world.shapes(List.copyOf(asked));
        } catch (RuntimeException refused) {
            askAgain(nowNanos);
        }
    }

    private boolean exists(long body) {
        return generation[BodyId.slot(body)] == BodyId.generation(body);
    }

    private void askAgain(long nowNanos) {
        retryNanos = nowNanos + RETRY_NANOS;
        unknown.addAll(asked);
    }

    private void take(CompletableFuture<List<@Nullable BodyShape>> done, long nowNanos) {
        answer = null;
        List<@Nullable BodyShape> shapes;
        try {
            shapes = done.join();
        } catch (RuntimeException notNow) {
            askAgain(nowNanos); // the queue was full, or ticking has ended
            return;
        }
        for (int i = 0; i < asked.size(); i++) {
            int slot = BodyId.slot(asked.get(i));
            BodyShape shape = i < shapes.size() ? shapes.get(i) : null; // a simulation may return fewer than asked
            boolean exists = exists(asked.get(i));
            answered[slot] |= exists;
            known[slot] = exists ? shape != null : known[slot];
            if (shape != null && exists) {
                listener.accept(shape, slot);
            }
        }
    }
}
