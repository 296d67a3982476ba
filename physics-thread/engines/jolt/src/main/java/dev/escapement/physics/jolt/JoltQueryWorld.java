package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.readonly.ConstBroadPhaseLayerInterface;
import dev.escapement.physics.jolt.BodyFeed.KnownBody;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The collision shapes of a Jolt world at a moment that a reader chooses, in a second system that is never stepped. Rays, sweeps and
 * overlaps are Jolt's own queries on the reader's thread; they neither wait for the physics thread nor delay it.
 *
 * <pre>{@code
 * JoltQueryWorld queries = physics.query(tick -> JoltQueryWorld.of(simulation, 0)).join().value();   // before start(): of(...) alone
 *
 * view.advance(System.nanoTime());   // in each frame
 * queries.at(view);                  // as the frame shows it
 * if (queries.system().getNarrowPhaseQueryNoLock().castRay(ray, result)) {
 *     long hit = queries.bodyId(result.getBodyId());
 * }
 *
 * queries.at(history.at(shot.tick(), shot.alpha()));   // on a server: what the client saw
 * }</pre>
 *
 * <p><b>Bodies.</b> Queries hit an attached body while and where the moment shows it, with its shape, layer, group and sensor flag as of
 * that tick: pass changes of these to {@link JoltWorldSimulation#reshaped}. Static bodies that are not attached stay as they are in the
 * call of {@link #of}: attach static bodies that come or go later. Queries hit a body that is attached later only in moments since then.
 * They do not hit other bodies that move, or soft bodies: {@code of} logs their number. A moment before {@code of} lacks bodies that were
 * detached until then.
 *
 * <p><b>Shapes</b> are shared with the stepped system. Do not change a shape in place, such as a {@code MutableCompoundShape}; set another
 * one. Close the query world before the game frees the system's layer interface and filters, which both use. The stepped system may be
 * freed before.
 *
 * <p>Assumptions:
 * <ol>
 * <li>One thread uses the query world and {@link #system()}; the first thread that does owns both.
 * <li>Every moment comes from the service that ticks the simulation.
 * </ol>
 *
 * <p>Guarantees:
 * <ol>
 * <li>After {@link #at}, the bodies of the moment are in the system, at its poses, and no others.
 * <li>The broad phase is rebuilt whenever a body came, went or moved, so that queries do not become slower.
 * <li>Bodies that are gone, and shapes that were replaced, are kept for {@code pastTicks} ticks, and then until the next {@link #at}.
 * </ol>
 *
 * <p>Progress: wait-free. {@link #at} takes time for each body; if one has moved, also for rebuilding the broad phase with all bodies,
 * static ones included. It allocates only when bodies come.
 *
 * @see dev.escapement.state.snapshot.ShownWorld
 */
public final class JoltQueryWorld extends ThreadConfined implements AutoCloseable {

    private final BodyFeed feed;
    private final int pastTicks;
    private final PhysicsSystem system;
    private final BodyInterface bodyInterface;
    private final ConstBroadPhaseLayerInterface layers;

    // Index of the arrays below: a slot; poses have several numbers for each slot. `known` has the bodies that the feed
    // offered for the slot, the newest first; `placed` has the one of them that is in the system. The other arrays have
    // its native body, the native body's id, and its pose.
    private @Nullable KnownBody[] known = {};
    private @Nullable KnownBody[] placed = {};
    private @Nullable Body[] bodies = {};
    private int[] engineIds = {};
    private double[] positions = {};
    private float[] rotations = {};

    /** Index: the place of a native body in {@link #system}. The id of the attached body that it stands for; 0 if there is none. */
    private final long[] ids;

    /** Static bodies that are not attached, by their ids in the stepped system. */
    private final Map<Integer, Body> fixed = new HashMap<>();

    /**
     * The newest tick of all moments so far. {@link #oldestTick} is {@code pastTicks} before it; later moments must not show an older tick,
     * whose bodies may be forgotten.
     */
    private long newestTick = Long.MIN_VALUE;

    private long oldestTick = Long.MIN_VALUE;

    /** Whether a body came, went or moved since the broad phase was rebuilt, also in a call that failed. */
    private boolean stale;

    private boolean closed;

    // Scratch objects, because new ones for each body would be garbage.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();

    private JoltQueryWorld(PhysicsSystem queried, BodyFeed feed, int pastTicks) {
        this.feed = feed;
        this.pastTicks = pastTicks;
        layers = queried.getBroadPhaseLayerInterface();
        requireLayers(layers);
        // Room for the bodies of two moments, because a call may add bodies of its moment before it removes those of
        // the last one; and for static bodies that the queried system may have lost.
        int maxBodies = Math.min(2 * queried.getMaxBodies() + feed.fixed().size(), BodyReads.PLACE);
        ids = new long[maxBodies];
        system = new PhysicsSystem(); // a new system without bodies and step listeners
        JoltCalls.init(
                system, maxBodies, 1, 1, layers, JoltCalls.broadPhaseFilter(queried), JoltCalls.pairFilter(queried));
        bodyInterface = JoltCalls.bodies(system);
    }

    /**
     * Creates a query world with the present static bodies and the attached bodies, which it follows. Reads each body once. Logs the number
     * of bodies that it cannot place to the {@link System.Logger} {@code dev.escapement.physics}, at WARNING.
     *
     * @param simulation the simulation around the system to query
     * @param pastTicks  the number of ticks that queries may go back from the newest moment so far; 0 for a view, which does not go back
     * @return a world for one thread
     * @throws IllegalArgumentException if {@code pastTicks} is negative
     * @throws IllegalStateException    if another thread ticks the world; or the game has freed the system's layers
     */
    public static JoltQueryWorld of(JoltWorldSimulation simulation, int pastTicks) {
        PhysicsSystem queried = simulation.world();
        if (pastTicks < 0) {
            throw new IllegalArgumentException(
                    "pastTicks must be 0 or more, but is " + pastTicks + "; one second of 100 Hz is 100");
        }
        BodyFeed feed = new BodyFeed(2 * queried.getMaxBodies());
        try {
            simulation.feed(feed);
            return new JoltQueryWorld(queried, feed, pastTicks);
        } catch (Throwable thrown) {
            feed.close();
            throw thrown;
        }
    }

    @Override
    protected String what() {
        return "query world";
    }

    /**
     * Places the bodies as a moment shows them. Queries see that moment until the next call.
     *
     * @param moment the moment of a view or a history
     * @throws IllegalStateException if the moment shows nothing yet; if the query world is closed, or belongs to another thread; if the
     *                               game has freed the system's layers; or if more bodies came since the last call than twice the system's
     *                               maximum
     */
    public void at(ShownWorld moment) {
        requireOpen();
        Snapshot shown = moment.shown();
        PoseBlocks poses = moment.poses();
        newestTick = Math.max(newestTick, shown.tick());
        oldestTick = Math.max(newestTick, Long.MIN_VALUE + pastTicks) - pastTicks;
        take();
        int slots = poses.slotCount();
        reserve(slots);
        for (int slot = 0; slot < known.length; slot++) {
            if (known[slot] == null && placed[slot] == null) {
                continue;
            }
            int b = slot >>> PoseBlock.SHIFT;
            int i = slot & PoseBlock.MASK;
            long id = slot < slots ? BodyId.of(slot, shown.bodyBlock(b).generation[i]) : 0;
            show(slot, choose(slot, id, shown.tick()));
            if (bodies[slot] != null) {
                place(slot, poses.block(b), i, shown);
            }
        }
        if (stale) {
            system.optimizeBroadPhase();
            stale = false;
        }
    }

    private void take() {
        if (feed.isOverrun()) {
            throw new IllegalStateException(
                    "more than " + feed.capacity() + " bodies came since this query world was asked last,"
                            + " and some of them are not known; close it, make another one, and call at(...) more often");
        }
        requireLayers(layers);
        takeFixed(feed.fixed());
        for (KnownBody body = feed.peek(); body != null; body = feed.peek()) {
            int slot = BodyId.slot(body.id);
            reserve(slot + 1);
            Body unattached = fixed.remove(body.steppedId);
            if (unattached != null) {
                stale = true;
                bodyInterface.removeBody(unattached.getId());
                bodyInterface.destroyBody(unattached.getId());
            }
            feed.poll(); // last, after all that may throw: from here on, only this object frees the body
            body.older = known[slot];
            known[slot] = body;
            body.forgetReplaced(oldestTick);
        }
    }

    /** Adds static bodies. A call that throws, because there is no room, can be repeated. */
    private void takeFixed(List<KnownBody> added) {
        while (!added.isEmpty()) {
            stale = true;
            KnownBody body = added.get(added.size() - 1);
            Body created = bodyInterface.createBody(body.settings);
            bodyInterface.addBody(created, EActivation.DontActivate);
            fixed.put(body.steppedId, created);
            added.remove(added.size() - 1).free();
        }
    }

    /** Throws if the game has freed the layers, because Jolt would end the JVM. */
    private static void requireLayers(ConstBroadPhaseLayerInterface layers) {
        if (!layers.hasAssignedNativeObject()) {
            throw new IllegalStateException("the game has freed the layers of the queried system, which query worlds"
                    + " use too; close query worlds before");
        }
    }

    private void reserve(int slots) {
        if (slots > known.length) {
            int length = Math.max(slots, 2 * known.length);
            placed = Arrays.copyOf(placed, length);
            bodies = Arrays.copyOf(bodies, length);
            engineIds = Arrays.copyOf(engineIds, length);
            positions = Arrays.copyOf(positions, 3 * length);
            rotations = Arrays.copyOf(rotations, 4 * length);
            known = Arrays.copyOf(known, length); // last, so that all are allocated again if one allocation throws
        }
    }

    /** Returns the known body that a slot shows at a tick; null if there is none. Forgets the bodies that no moment can show any more. */
    private @Nullable KnownBody choose(int slot, long id, long tick) {
        KnownBody newest = known[slot];
        if (newest != null && newest.isGone(id, tick) && newest.goneTick <= oldestTick) {
            newest.free();
            newest = null;
            known[slot] = null;
        } else if (newest != null && newest.older != null) {
            newest.forgetReplaced(oldestTick);
        }
        KnownBody chosen = newest;
        while (chosen != null && (chosen.id != id || chosen.fromTick > tick)) {
            chosen = chosen.older;
        }
        return chosen;
    }

    /** Shows a body in a slot, in place of the present one; null leaves the slot empty. */
    private void show(int slot, @Nullable KnownBody chosen) {
        if (placed[slot] == chosen) {
            return;
        }
        stale = true;
        if (placed[slot] != null) {
            ids[engineIds[slot] & BodyReads.PLACE] = 0;
            bodyInterface.removeBody(engineIds[slot]);
            bodyInterface.destroyBody(engineIds[slot]);
            placed[slot] = null;
            bodies[slot] = null;
        }
        if (chosen != null) {
            Body body = bodyInterface.createBody(chosen.settings);
            int engineId = body.getId();
            ids[engineId & BodyReads.PLACE] = chosen.id;
            bodyInterface.addBody(body, EActivation.DontActivate);
            positions[3 * slot] = Double.NaN; // differs from every pose
            engineIds[slot] = engineId;
            bodies[slot] = body;
            placed[slot] = chosen;
        }
    }

    /** Moves a slot's body if its pose has changed. The broad phase is not notified, because it is rebuilt from the bodies' bounds. */
    private void place(int slot, PoseBlock poses, int i, Snapshot shown) {
        double x = shown.originX() + poses.px[i];
        double y = shown.originY() + poses.py[i];
        double z = shown.originZ() + poses.pz[i];
        int p = 3 * slot;
        int r = 4 * slot;
        if (positions[p] == x
                && positions[p + 1] == y
                && positions[p + 2] == z
                && rotations[r] == poses.qx[i]
                && rotations[r + 1] == poses.qy[i]
                && rotations[r + 2] == poses.qz[i]
                && rotations[r + 3] == poses.qw[i]) {
            return;
        }
        stale = true;
        positions[p] = x;
        positions[p + 1] = y;
        positions[p + 2] = z;
        rotations[r] = poses.qx[i];
        rotations[r + 1] = poses.qy[i];
        rotations[r + 2] = poses.qz[i];
        rotations[r + 3] = poses.qw[i];
        position.set(x, y, z);
        rotation.set(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        Objects.requireNonNull(bodies[slot]).setPositionAndRotationInternal(position, rotation, false);
    }

    /**
     * {@return the system to query, empty before the first {@link #at}} Do not step or change it. The system's queries without locks are
     * faster, and as safe. The system does not refuse other threads.
     *
     * @throws IllegalStateException if the query world is closed, or belongs to another thread
     */
    public PhysicsSystem system() {
        requireOpen();
        return system;
    }

    /**
     * {@return the {@link BodyId} of a body that a query has hit, 0 for a static body that is not attached, which has none} The game's
     * number for the body is {@code shown().bodies().userData(slot)} of the moment; Jolt's user data comes from the stepped system.
     *
     * @param engineId Jolt's id of a body in {@link #system()}, from a query since the last {@link #at}
     * @throws IllegalStateException if the query world is closed, or belongs to another thread
     */
    public long bodyId(int engineId) {
        requireOpen();
        int place = engineId & BodyReads.PLACE;
        long id = place < ids.length ? ids[place] : 0;
        return id != 0 && engineIds[BodyId.slot(id)] == engineId ? id : 0;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this query world was closed; make another one with JoltQueryWorld.of(...)");
        }
        own();
    }

    /**
     * Frees the system and all references to shapes. Idempotent. The owner may call this; any thread may once the owner has died.
     *
     * @throws IllegalStateException if the query world belongs to another living thread
     */
    @Override
    public void close() {
        if (retire()) {
            closed = true;
            feed.close();
            for (KnownBody body : known) {
                if (body != null) {
                    body.free();
                }
            }
            system.close(); // also frees the bodies
        }
    }
}
