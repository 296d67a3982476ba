package dev.escapement.physics.query;

import dev.escapement.physics.query.QueryFeed.KnownBody;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Form;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The collision shapes of a world at a moment that a reader chooses. Rays, overlaps and sweeps are the engine's own queries on the reader's
 * thread; they neither wait for the physics thread nor delay it.
 *
 * <pre>{@code
 * QueryWorld queries = simulation.queryWorld(0);   // before start(); later physics.query(tick -> simulation.queryWorld(0))
 * QueryHits hits = new QueryHits();
 *
 * if (view.advance(System.nanoTime())) {           // in each frame
 *     queries.at(view);                            // as the frame shows it
 * }
 * if (queries.ray(eyeX, eyeY, eyeZ, wayX, wayY, wayZ, QueryFilter.ALL, hits)) {
 *     select(hits.bodyId(0));
 * }
 *
 * queries.at(history.at(shot.tick(), shot.alpha()));   // on a server: what the client saw
 * }</pre>
 *
 * <p><b>Bodies.</b> Queries hit an attached body while and where the moment shows it, with its shape, groups and sensor flag as of that
 * tick: pass changes of these to {@code WorldSimulation.reshaped}. Static bodies that are not attached stay as they were when the query
 * world was made: attach static bodies that come or go later. A body that is attached later is hit only in moments since then. Queries do
 * not hit parts, soft bodies, or other bodies that move: the log has their number, once. A moment before the query world was made lacks
 * bodies that were detached until then.
 *
 * <p><b>Precision.</b> An engine in single precision is most exact near the origin that it had when the query world was made. After
 * {@code originShifted} by more than some kilometres, make another one.
 *
 * <p><b>Shapes</b> are shared with the world that is stepped. Do not change a shape in place; set another one. Close the query world before
 * the game frees what the engine shares, such as Jolt's layers.
 *
 * <p>Assumptions:
 * <ol>
 * <li>One thread uses the query world; the first thread that does owns it.
 * <li>Every moment comes from the service that ticks the simulation.
 * </ol>
 *
 * <p>Guarantees:
 * <ol>
 * <li>After {@link #at}, queries hit the bodies of the moment, at its poses, and the static bodies that are not attached.
 * <li>Bodies that are gone, and shapes that were replaced, are kept for {@code pastTicks} ticks, and then until the next {@link #at}.
 * </ol>
 *
 * <p>Progress: wait-free, apart from the allocation of native memory. {@link #at} takes time for each body that has moved, come or gone
 * since the last call. It allocates only when bodies come.
 *
 * @see ShownWorld
 */
public final class QueryWorld extends ThreadConfined implements AutoCloseable {

    /** Single precision has no greater squares. */
    private static final double MAX_METRES = 1e18;

    private final QueryFeed<?, Object> feed;
    private final QueryEngine<Object, Object> engine;
    private final int pastTicks;

    /** The engine's own zero in the world when this object was made: what the engine measures from, exact in single precision, too. */
    final double[] zero;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private QueryBlock<Object, Object>[] blocks = new QueryBlock[0];

    /** The copies of static bodies that are not attached, and their descriptions, by their keys. */
    private final Map<Object, Fixed> fixed = new HashMap<>();

    private record Fixed(KnownBody<Object> body, Object copy) {}

    /**
     * The newest tick of all moments so far. {@link #oldestTick} is {@code pastTicks} before it; later moments must not show an older tick,
     * whose bodies may be forgotten.
     */
    private long newestTick = Long.MIN_VALUE;

    private long oldestTick = Long.MIN_VALUE;
    private double originX;
    private double originY;
    private double originZ;

    /** Whether a copy came, went or moved since the last call of {@link QueryEngine#moved}, also in a call that failed. */
    private boolean changed;

    private boolean asked;

    /** Whether a query is in progress, whose predicate may call this object. */
    private boolean asking;

    private boolean closed;

    @SuppressWarnings("unchecked") // the feed's descriptions and copies are the engine's own
    <D> QueryWorld(QueryFeed<?, D> feed, QueryEngine<D, ?> engine, double[] zero, int pastTicks) {
        this.feed = (QueryFeed<?, Object>) feed;
        this.engine = (QueryEngine<Object, Object>) engine;
        this.zero = zero;
        this.pastTicks = pastTicks;
    }

    @Override
    protected String what() {
        return "query world";
    }

    /**
     * Places the bodies as a moment shows them. Queries see that moment until the next call.
     *
     * @param moment the moment of a view or a history
     * @throws IllegalArgumentException if the moment is older than {@code pastTicks} before the newest one so far
     * @throws IllegalStateException    if the moment shows nothing yet; if the query world is closed, or belongs to another thread; if the
     *                                  game has freed what the engine shares; or if more than 65,536 bodies were attached or reshaped
     *                                  between two earlier calls
     */
    public void at(ShownWorld moment) {
        requireOpen();
        requireIdle();
        Snapshot shown = moment.shown();
        PoseBlocks poses = moment.poses();
        if (shown.tick() < oldestTick) {
            throw new IllegalArgumentException(
                    "this query world goes back to tick " + oldestTick + ", but the moment is of tick " + shown.tick()
                            + "; make it by queryWorld(N), with N more than " + pastTicks);
        }
        newestTick = Math.max(newestTick, shown.tick());
        oldestTick = Math.max(newestTick, Long.MIN_VALUE + pastTicks) - pastTicks;
        changed |= !asked; // the last call may have thrown
        asked = false;
        take();
        if (originX != shown.originX() || originY != shown.originY() || originZ != shown.originZ()) {
            originX = shown.originX();
            originY = shown.originY();
            originZ = shown.originZ();
            for (QueryBlock<Object, Object> block : blocks) {
                block.forgetPoses();
            }
        }
        for (int b = 0; b < blocks.length; b++) {
            int slots = b < poses.blockCount() ? poses.slotsIn(b) : 0;
            changed |= blocks[b].show(shown, slots, oldestTick);
            if (slots > 0) {
                changed |=
                        blocks[b].move(poses.block(b), slots, originX - zero[0], originY - zero[1], originZ - zero[2]);
            }
        }
        if (changed) {
            engine.moved();
            changed = false;
        }
        asked = true;
    }

    private void take() {
        if (feed.isOverrun()) {
            throw new IllegalStateException(
                    "more than " + feed.capacity() + " bodies came since this query world was asked last,"
                            + " and some of them are not known; close it, make another one, and call at(...) more often");
        }
        engine.begin();
        takeFixed(feed.fixed());
        for (KnownBody<Object> body = feed.peek(); body != null; body = feed.peek()) {
            reserve(BodyId.slot(body.id) >>> PoseBlock.SHIFT);
            Fixed unattached = fixed.remove(body.key);
            if (unattached != null) {
                changed = true;
                engine.remove(unattached.copy);
                engine.free(unattached.body.description);
            }
            feed.poll(); // last, after all that may throw: from here on, only this object frees the body
            blocks[BodyId.slot(body.id) >>> PoseBlock.SHIFT].take(body, oldestTick);
        }
    }

    /** Adds static bodies. A call that throws, because there is no room, can be repeated. */
    private void takeFixed(List<KnownBody<Object>> added) {
        while (!added.isEmpty()) {
            changed = true;
            KnownBody<Object> body = added.get(added.size() - 1);
            fixed.put(body.key, new Fixed(body, engine.add(body.description, -1)));
            added.remove(added.size() - 1);
        }
    }

    private void reserve(int block) {
        while (block >= blocks.length) {
            QueryBlock<Object, Object> added = new QueryBlock<>(blocks.length, engine);
            blocks = Arrays.copyOf(blocks, blocks.length + 1);
            blocks[blocks.length - 1] = added;
        }
    }

    /**
     * Casts a ray, and finds the nearest hit.
     *
     * @param x      start, metres in the world
     * @param y      start
     * @param z      start
     * @param wayX   the way from the start to the end of the ray, metres
     * @param wayY   along y
     * @param wayZ   along z
     * @param filter the bodies that it may hit
     * @param hits   takes the hit
     * @return whether it hit a body
     * @throws IllegalArgumentException if a number is not finite, or the way has length 0
     * @throws IllegalStateException    before the first {@link #at}; if the query world is closed, or belongs to another thread
     */
    public boolean ray(
            double x, double y, double z, double wayX, double wayY, double wayZ, QueryFilter filter, QueryHits hits) {
        return castRay(x, y, z, wayX, wayY, wayZ, filter, hits, true) > 0;
    }

    /**
     * Casts a ray, and finds all hits, the nearest first. A body has several hits if the ray hits several of its shapes.
     *
     * @param x      as in {@link #ray}, with its errors
     * @param y      start
     * @param z      start
     * @param wayX   the way from the start to the end of the ray, metres
     * @param wayY   along y
     * @param wayZ   along z
     * @param filter the bodies that it may hit
     * @param hits   takes the hits
     * @return the number of hits
     */
    public int rayAll(
            double x, double y, double z, double wayX, double wayY, double wayZ, QueryFilter filter, QueryHits hits) {
        return castRay(x, y, z, wayX, wayY, wayZ, filter, hits, false);
    }

    private int castRay(
            double x,
            double y,
            double z,
            double wayX,
            double wayY,
            double wayZ,
            QueryFilter filter,
            QueryHits hits,
            boolean first) {
        requireMoment();
        requireWay(x, y, z, wayX, wayY, wayZ);
        begin(filter, hits, first);
        try {
            engine.ray(x - zero[0], y - zero[1], z - zero[2], wayX, wayY, wayZ, hits);
        } finally {
            end(hits);
        }
        return hits.count();
    }

    /**
     * Finds the shapes that overlap a form, in any order. The engine caches one shape for each distinct form, until {@link #close()}.
     *
     * @param form   a box, a ball or a capsule; in two dimensions its outline in the plane
     * @param x      its position, metres in the world
     * @param y      its position
     * @param z      its position
     * @param qx     its rotation, unit quaternion x; in two dimensions only the rotation about z counts
     * @param qy     its rotation, unit quaternion y
     * @param qz     its rotation, unit quaternion z
     * @param qw     its rotation, unit quaternion w
     * @param filter the bodies that may overlap
     * @param hits   takes the overlapping shapes
     * @return the number of overlapping shapes
     * @throws IllegalArgumentException      if a number is not finite, the rotation is no unit quaternion, or the form has no size
     * @throws IllegalStateException         as in {@link #ray}
     * @throws UnsupportedOperationException if the engine has no such form
     */
    public int overlap(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            QueryFilter filter,
            QueryHits hits) {
        requireMoment();
        requirePose(form, x, y, z, qx, qy, qz, qw);
        begin(filter, hits, false);
        try {
            engine.overlap(form, x - zero[0], y - zero[1], z - zero[2], qx, qy, qz, qw, hits);
        } finally {
            end(hits);
        }
        return hits.count();
    }

    /**
     * Moves a form along a way without turning it, and finds the first body that it hits.
     *
     * @param form   as in {@link #overlap}, with its errors
     * @param x      its position at the start, metres in the world
     * @param y      its position
     * @param z      its position
     * @param qx     its rotation, unit quaternion x
     * @param qy     its rotation, unit quaternion y
     * @param qz     its rotation, unit quaternion z
     * @param qw     its rotation, unit quaternion w
     * @param wayX   the way, metres
     * @param wayY   along y
     * @param wayZ   along z
     * @param filter the bodies that it may hit
     * @param hits   takes the hit
     * @return whether it hit a body
     * @throws IllegalArgumentException      also if the way has length 0
     * @throws UnsupportedOperationException also if the engine has no sweeps
     */
    public boolean sweep(
            Form form,
            double x,
            double y,
            double z,
            float qx,
            float qy,
            float qz,
            float qw,
            double wayX,
            double wayY,
            double wayZ,
            QueryFilter filter,
            QueryHits hits) {
        requireMoment();
        requirePose(form, x, y, z, qx, qy, qz, qw);
        requireWay(x, y, z, wayX, wayY, wayZ);
        begin(filter, hits, true);
        try {
            engine.sweep(form, x - zero[0], y - zero[1], z - zero[2], qx, qy, qz, qw, wayX, wayY, wayZ, hits);
        } finally {
            end(hits);
        }
        return hits.count() > 0;
    }

    private void begin(QueryFilter filter, QueryHits hits, boolean first) {
        requireIdle();
        Objects.requireNonNull(filter, "filter must not be null; pass QueryFilter.ALL");
        hits.begin(this, filter, first);
        asking = true;
    }

    private void requireIdle() {
        if (asking) { // native code is between the query and the predicate
            throw new IllegalStateException(
                    "a query is in progress: a predicate must not ask; note the candidates, and ask after the query");
        }
    }

    private void end(QueryHits hits) {
        asking = false;
        hits.end();
    }

    long idOf(int slot) {
        KnownBody<Object> body = shown(slot);
        return body == null ? 0 : body.id;
    }

    long userDataOf(int slot) {
        KnownBody<Object> body = shown(slot);
        return body == null ? 0 : body.userData;
    }

    private @Nullable KnownBody<Object> shown(int slot) {
        return slot < 0 ? null : blocks[slot >>> PoseBlock.SHIFT].shown(slot);
    }

    private static void requireWay(double x, double y, double z, double wayX, double wayY, double wayZ) {
        double squared = wayX * wayX + wayY * wayY + wayZ * wayZ;
        if (!(squared > 0 && squared < MAX_METRES * MAX_METRES) || !Double.isFinite(x + y + z)) {
            throw new IllegalArgumentException(
                    "a query needs a finite start and a way that is longer than 0 m and below 1e18 m,"
                            + " but starts at (" + x + ", " + y + ", " + z + ") and goes along (" + wayX + ", " + wayY
                            + ", "
                            + wayZ + ") m; pass the way from the start to the end");
        }
    }

    private static void requirePose(Form form, double x, double y, double z, float qx, float qy, float qz, float qw) {
        float least = Float.NaN;
        if (form instanceof BodyShape.Box box) {
            least = Math.min(box.halfX(), Math.min(box.halfY(), box.halfZ())); // NaN if one is
        } else if (form instanceof BodyShape.Sphere ball) {
            least = ball.radius();
        } else if (form instanceof BodyShape.Capsule capsule) {
            least = Math.min(capsule.radius(), capsule.halfHeight());
        }
        if (!(least > 0)) {
            throw new IllegalArgumentException(
                    "a query takes a box, a ball or a capsule with sizes above 0 m, but got " + form);
        }
        float squared = qx * qx + qy * qy + qz * qz + qw * qw;
        if (!(Math.abs(squared - 1) < 0.01f) || !Double.isFinite(x + y + z)) {
            throw new IllegalArgumentException("a form needs a finite position and a unit quaternion, but is at (" + x
                    + ", " + y + ", " + z + ") with (" + qx + ", " + qy + ", " + qz + ", " + qw
                    + "); pass 0, 0, 0, 1 for no rotation");
        }
    }

    private void requireMoment() {
        requireOpen();
        if (!asked) {
            throw new IllegalStateException("this query world shows no moment yet; call at(view) first");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this query world was closed; make another one with simulation.queryWorld(...)");
        }
        own();
    }

    /**
     * Frees the copies and all references to shapes. Idempotent. The owner may call this; any thread may once the owner has died.
     *
     * @throws IllegalStateException if the query world belongs to another living thread
     */
    @Override
    public void close() {
        requireIdle();
        if (retire()) {
            closed = true;
            for (QueryBlock<Object, Object> block : blocks) {
                block.free();
            }
            fixed.values().forEach(body -> engine.free(body.body.description));
            feed.close();
        }
    }
}
