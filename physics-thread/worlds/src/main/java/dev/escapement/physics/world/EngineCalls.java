package dev.escapement.physics.world;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryFeed;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a {@link WorldSimulation} makes to an engine's adapter, and the helpers for the adapter. The calling thread is always the
 * one that may touch the world: until the service starts, the one that attaches bodies; then the physics thread.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineCalls<B> {

    private static final BitSet NONE = new BitSet();
    private static final double QUARTER_TURN = Math.PI / 2;

    /**
     * The angular speed that turns a body by a little more than a quarter turn in a step, in radians a second; infinite before the first
     * step.
     */
    private double quarterTurnSpeed = Double.POSITIVE_INFINITY;

    final BodyStateBits<B> states;
    final ShownBodies<B> bodies = new ShownBodies<>(this);
    final JumpFinder<B> jumps = new JumpFinder<>(this);
    final ClosingSpeed<B> closing = new ClosingSpeed<>(this);
    final ContactPairs pairs = new ContactPairs(closing);
    final SnapshotOrigin origin = new SnapshotOrigin();
    final ShapeIndices<B> shapes = new ShapeIndices<>(this);
    final List<QueryFeed<B, ?>> feeds = new ArrayList<>();
    long searched;

    /** Whether a state was restored, and the world was neither captured nor stepped since. */
    boolean restored;

    private final List<Restorable> kept = new ArrayList<>();

    /** Whether the service has started. Volatile: the physics thread sets it; any thread may call {@link #keep} and must see it. */
    volatile boolean begun;

    private final StateBuffer keptNow = new StateBuffer();

    EngineCalls(int poseNumbers, int dimensions) {
        states = new BodyStateBits<>(this, poseNumbers, dimensions);
    }

    /**
     * Adds a part of the game to the state, such as a score that handlers of {@link WorldSimulation#commands()} change: it is hashed after
     * each step, and simulations that are {@link Restorable} save and restore it with the world. Without this, a replay, a node of a
     * cluster or a restored simulation continues with another value, and no hash shows that.
     *
     * <pre>{@code
     * simulation.keep(score);
     * simulation.commands().on(Goal.TYPE, (tick, goal) -> score.add(goal.team()));
     * }</pre>
     *
     * <p>Call it before the service starts, in the same order in all simulations that are built alike.
     *
     * @param state saves and restores its values; allocates nothing to save them
     * @throws IllegalStateException if the service has started
     */
    public final void keep(Restorable state) {
        if (begun) {
            throw new IllegalStateException(
                    "the service has started, and what it has saved lacks " + state + "; keep it before the start");
        }
        kept.add(Objects.requireNonNull(state, "state must not be null; pass what saves and restores it"));
    }

    final long withKept(long hash) {
        if (kept.isEmpty()) {
            return hash;
        }
        keptNow.clear();
        for (int i = 0; i < kept.size(); i++) { // an iterator would be allocated
            kept.get(i).save(keptNow);
        }
        return StateHash.finish(StateHash.add(hash, keptNow.hash()));
    }

    /**
     * Notes that a body was attached. The body has no slot yet. Override it for engines whose callbacks identify bodies by other keys.
     *
     * @param body the body
     */
    protected void bodyAttached(B body) {}

    /**
     * Notes that a capture shows a body for the first time, or for the first time after {@link WorldSimulation#reshaped}. Override it for
     * engines that tell readers more about a body than its pose.
     *
     * @param body an attached body, which is in the world
     * @param id   its {@link dev.escapement.state.snapshot.BodyId}
     * @param tick the tick of the snapshot that this capture writes
     */
    protected void bodyShown(B body, long id, long tick) {}

    /**
     * {@return what describes the bodies of this world to query worlds} By default query worlds are refused.
     *
     * @throws UnsupportedOperationException if the engine's binding does not allow queries on another thread
     */
    protected QueryBodies<B, ?> queryBodies() {
        throw new UnsupportedOperationException(
                "query worlds cannot ask this engine; ask it on the physics thread, with physics.query(...)");
    }

    final <D> QueryFeed<B, D> feed(QueryBodies<B, D> described) {
        QueryFeed<B, D> feed = new QueryFeed<>(described, bodies::isAttached, origin.zero);
        try {
            for (int i = 0; i < bodies.size(); i++) {
                ShownBody<B> body = bodies.get(i);
                if (body.isSpawned() && isInWorld(body.body)) {
                    feed.offer(body.body, body.id(), body.userData, QueryFeed.ALWAYS, bodies.shownTick);
                }
            }
        } catch (Throwable thrown) {
            feed.close();
            throw thrown;
        }
        feeds.removeIf(QueryFeed::isClosed);
        feeds.add(feed);
        return feed;
    }

    /**
     * Notes that a body was detached.
     *
     * @param body the body
     */
    protected void bodyDetached(B body) {}

    /**
     * Steps the engine's world, on the physics thread.
     *
     * @param tick the tick, with its length
     * @throws Exception if the engine cannot continue
     */
    protected abstract void advance(Tick tick) throws Exception;

    /**
     * Returns whether the world has a body. Called when a body is attached and by {@link WorldSimulation#touchWatch()}; also for every
     * attached body in every capture, before all other calls, unless {@link #findRemoved} is overridden.
     *
     * @param body an attached body, or one that is to be attached
     * @return false if the game has removed it
     */
    protected abstract boolean isInWorld(B body);

    /**
     * {@return the number of an attached body that the game has removed from the world, see {@link #attached}; -1 if the world has all}
     * Called in each capture, before {@link #isAsleep} and {@link #writePose}. The default calls {@link #isInWorld} for each body. Override
     * it if the engine can check many bodies in one call; the calls that follow may use the values that this call has read, until the end
     * of the capture.
     */
    protected int findRemoved() {
        for (int i = 0; i < bodies.size(); i++) {
            if (!isInWorld(attached(i))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * {@return whether a body sleeps, or is static: the engine does not move it, and may leave its contacts unreported}
     *
     * @param body an attached body
     */
    protected abstract boolean isAsleep(B body);

    /**
     * Writes the pose of a body, and its spin, see {@link #writeSpin}.
     *
     * @param body  an attached body
     * @param slot  its slot
     * @param poses takes the pose
     */
    protected abstract void writePose(B body, int slot, PoseWriter poses);

    final void stepIs(double dtSeconds) {
        // A little more than a quarter turn, so that a body at exactly this speed is not fast because a float was
        // rounded up.
        quarterTurnSpeed = 1.001 * QUARTER_TURN / dtSeconds;
    }

    /**
     * {@return whether an angular speed turns a body by more than a quarter turn in a step} Pass the engine's limit of angular speed first:
     * if even this limit is not fast, no body's speed need be read.
     *
     * @param radiansPerSecond an angular speed
     */
    protected final boolean isFast(double radiansPerSecond) {
        return !(radiansPerSecond <= quarterTurnSpeed); // true for NaN, so that the writer gets and counts it
    }

    /**
     * Writes the angular velocity of a body, if it {@linkplain #isFast is fast}: two poses cannot show a rotation by more than half a turn.
     *
     * @param poses takes the velocity; the pose must be written before
     * @param slot  the slot of the body
     * @param wx    radians a second about the world's x axis, in the last step
     * @param wy    about y
     * @param wz    about z
     */
    protected final void writeSpin(PoseWriter poses, int slot, double wx, double wy, double wz) {
        double squared = wx * wx + wy * wy + wz * wz; // avoids a root, because this runs for each body
        if (!(squared <= quarterTurnSpeed * quarterTurnSpeed)) {
            poses.angularVelocity(slot, (float) wx, (float) wy, (float) wz);
        }
    }

    /**
     * Writes the pose of a body of an engine in two dimensions, whose rotation is about z.
     *
     * @param poses takes the pose
     * @param slot  the slot of the body
     * @param x     x of its position, metres
     * @param y     y of its position, metres
     * @param cos   the cosine of its angle
     * @param sin   the sine of its angle
     */
    protected static void writeFlatPose(PoseWriter poses, int slot, double x, double y, double cos, double sin) {
        // Halves the angle without trigonometry. Each branch takes the root of a sum of two positive terms, because the
        // other formula would lose digits in a difference of nearly equal numbers.
        double halfCos;
        double halfSin;
        if (cos >= 0) {
            halfCos = Math.sqrt((1 + cos) / 2);
            halfSin = sin / (2 * halfCos);
        } else {
            halfSin = Math.sqrt((1 - cos) / 2);
            halfCos = sin / (2 * halfSin);
        }
        poses.setInWorld(slot, x, y, 0, 0, 0, (float) halfSin, (float) halfCos);
    }

    /**
     * {@return how many of the first numbers of {@link #readPose} are coordinates in {@code double}; 0, the default, if positions are
     * {@code float}} With {@code double} the origin of snapshots follows awake bodies.
     */
    protected int doubleAxes() {
        return 0;
    }

    /**
     * Reads the engine's own pose of a body, its position first. Every tick calls this for each sleeping body, so it should allocate
     * nothing.
     *
     * @param body an attached body
     * @param bits takes the raw bits of each number
     * @param at   the index for the first number
     * @return the index after the last number
     */
    protected abstract int readPose(B body, long[] bits, int at);

    /**
     * Reads the engine's own velocity of a body, metres a second, and its angular velocity, radians a second: x, y and z of both; in two
     * dimensions x, y and the one angular velocity. Called for closing speeds, jumps, hashes and {@link WorldSimulation#touchWatch()}.
     *
     * @param body an attached body
     * @param bits takes the raw bits, which follow those of the pose
     * @param at   the index for the first number
     */
    protected abstract void readVelocities(B body, long[] bits, int at);

    /**
     * Reports the pairs of shapes that touch after the step that was captured last, see {@link ContactPairs#touch} and {@link #sideOf}.
     * Called only if contacts are wanted.
     *
     * @param touching takes the contacts
     */
    protected abstract void reportContacts(ContactPairs touching);

    /** {@return when the points of a contact that begins are passed to {@link ContactPairs#point}} */
    protected ContactTiming contactTiming() {
        return ContactTiming.POINTS_BEFORE_STEP;
    }

    /**
     * Computes the centre of mass of a body, to which the engine's velocity belongs. By default the centre of mass is the body's position.
     *
     * @param body an attached body
     * @param at   contains the position that {@link #readPose} reads; takes that of the centre of mass, metres in the world
     */
    protected void centreOfMass(B body, double[] at) {}

    /**
     * Computes the centre of mass in the body's own coordinates. A frame between two ticks rotates the body about this point. Called when a
     * body is shown first, and after {@link WorldSimulation#reshaped}. The default is the body's position.
     *
     * @param body   an attached body, which is in the world
     * @param offset contains zeros; takes x, y and z of the centre of mass, measured from the body's position in metres
     */
    protected void centreOffset(B body, float[] offset) {}

    /** {@return the closing speeds of attached bodies, for engines that report contacts of bodies without a slot} */
    protected final ContactPairs.ClosingSpeeds closingSpeeds() {
        return closing;
    }

    /**
     * {@return the test for contacts of sleeping bodies; null, the default, if {@link #reportContacts} reports their contacts} The test is
     * called for unreported contacts whose sides both sleep and have not moved.
     */
    protected ContactPairs.@Nullable Sleepers sleepers() {
        return null;
    }

    final void report(EventWriter events) {
        ContactPairs.Sleepers sleepers = sleepers();
        if (sleepers == null) {
            pairs.report(NONE, ContactPairs.Sleepers.TOUCH, events);
        } else {
            pairs.report(bodies.asleepBefore, sleepers, events);
        }
    }

    /**
     * Notes whether a body sleeps when {@link #advance} begins. Only for engines with {@link #sleepers()} and bodies that commands put to
     * sleep; without this call a body sleeps in a step if it slept in the capture before.
     *
     * @param index    the body's number, see {@link #attached}
     * @param isAsleep whether it sleeps
     */
    protected final void beginsStep(int index, boolean isAsleep) {
        bodies.beginsStep(bodies.get(index), isAsleep);
    }

    /**
     * Pulls a body that is dragged, if forces move it: passes its position to {@link DragSpring#pull}, and if that returns true, changes
     * its velocity and wakes it. Allocates nothing. Called in a tick before {@link #advance}. By default no body can be dragged.
     *
     * @param body   an attached body, which is in the world
     * @param spring the spring that pulls
     */
    protected void pull(B body, DragSpring spring) {}

    /**
     * {@return the shape of a body, in the coordinates of the pose that {@link #writePose} writes; null, the default, if unknown} Physics
     * waits for this call. So it adds the parts of a shape only while {@link MeshBuilder#next} returns true, and is called again with the
     * same mesh for the rest; a result before the last part does not matter.
     *
     * @param body an attached body, which is in the world
     * @param mesh takes the parts of a shape that is none of the simple forms
     */
    protected @Nullable BodyShape shapeOf(B body, MeshBuilder mesh) {
        return null;
    }

    /**
     * {@return the joints that the engine reports, found lazily; none by default} A joint end at a body for which {@link #jointId} returns
     * no id is an end in the world.
     */
    protected Stream<BodyJoint> jointsOf() {
        return Stream.empty();
    }

    /**
     * {@return the id of a body at the end of a joint; {@link BodyJoint.End#WORLD} if the body is not attached, or was not captured yet}
     *
     * @param body a body of the engine, null if there is none
     */
    protected final long jointId(@Nullable B body) {
        ShownBody<B> shown = bodies.inSlot(bodies.slotOf(body));
        return shown == null ? BodyJoint.End.WORLD : shown.id();
    }

    /**
     * Refuses a shift that {@link WorldSimulation#originShifted} would refuse. Call it before the engine shifts its origin, because a
     * refusal after that comes too late.
     *
     * @param dx metres
     * @param dy metres
     * @param dz metres
     */
    protected final void requireShift(double dx, double dy, double dz) {
        origin.requireShift(dx, dy, dz);
    }

    /** Removes what the adapter has added to the engine's world, such as listeners. Called once, when the simulation closes. */
    protected void released() {}

    /**
     * {@return the side of an object of the engine, to report its contacts} The side is the slot of an attached body, or of the part whose
     * contacts the object has; other objects are unattached.
     *
     * @param object a body, or another object that touches
     * @see Part.Source#engineObject()
     */
    protected final long sideOf(Object object) {
        int slot = attachedSlot(object);
        return slot == EventWriter.NO_SLOT ? pairs.unattachedObject(object) : slot;
    }

    /**
     * {@return the slot of an attached body, or of the part whose contacts an object has; {@link EventWriter#NO_SLOT} if there is none, or
     * the body was not captured yet}
     *
     * @param object an object of the engine, null if there is none
     */
    protected final int attachedSlot(@Nullable Object object) {
        int slot = bodies.slotOf(object);
        return slot == EventWriter.NO_SLOT ? bodies.parts.slotOf(object) : slot;
    }

    /**
     * {@return the index of a shape of a body, to report its contacts; {@link BodyEvent#NO_SHAPE} if it has another body} For adapters that
     * override {@link #shapeCount} and {@link #shapeAt}, which must not search: this method calls them for each contact.
     *
     * @param body  a body of the engine, attached or not
     * @param shape a shape
     */
    protected final int shapeIndex(B body, Object shape) {
        return shapes.of(body, shape);
    }

    /**
     * {@return the number of shapes of a body}
     *
     * @param body a body of the engine, attached or not
     */
    protected int shapeCount(B body) {
        return 0;
    }

    /**
     * {@return a shape of a body}
     *
     * @param body  a body of the engine, attached or not
     * @param index from 0 to {@code shapeCount(body) - 1}
     */
    protected Object shapeAt(B body, int index) {
        throw new IllegalStateException("the adapter counts no shapes");
    }

    /**
     * Counts items that a search has looked at. Tests compare the count of a small world with that of a large one: a search per contact,
     * attached body or query takes a second only where somebody has thousands.
     *
     * @param items the number of items
     */
    protected final void searched(int items) {
        searched += items;
    }

    /** {@return whether any attached part has the contacts of an object of the engine} */
    protected final boolean haveObjects() {
        return bodies.parts.haveObjects();
    }

    /**
     * {@return the body in a slot, to test whether its contacts still touch; null if there is none}
     *
     * @param slot the slot of an attached body
     */
    protected final @Nullable B bodyAt(int slot) {
        ShownBody<B> shown = bodies.inSlot(slot);
        return shown == null ? null : shown.body;
    }

    /**
     * {@return the slot of an attached body, to report its contacts; {@link EventWriter#NO_SLOT} if the body was not captured yet}
     *
     * @param index the body's number, see {@link #attached}
     */
    protected final int slotAt(int index) {
        return bodies.get(index).slot();
    }

    /**
     * {@return whether contacts of the slot's former body are yet to end} Then the present body's are all new, although {@link
     * ContactPairs#knows} may know the former ones.
     *
     * @param slot the slot of an attached body or part
     */
    protected final boolean hasPastContacts(int slot) {
        return bodies.gone.get(slot);
    }

    /**
     * {@return whether the game has moved a sleeping body, and the body still sleeps} For engines that keep the contacts from before the
     * move.
     *
     * @param side a side, see {@link #sideOf}
     */
    protected final boolean isMovedAsleep(long side) {
        return side >= 0 && bodies.movedAsleep.get((int) side);
    }

    /**
     * {@return one of the attached bodies, in an order that depends only on the order of attaching and detaching}
     *
     * @param index from 0 to {@code bodyCount() - 1}
     */
    protected final B attached(int index) {
        return bodies.get(index).body;
    }

    /**
     * {@return the contacts, for engines that report them in callbacks of their step and not in {@link #reportContacts}} Do not report
     * contacts between steps.
     */
    protected final ContactPairs contacts() {
        return pairs;
    }

    /**
     * Saves the attached bodies with their ids, and the {@linkplain #keep kept} state.
     *
     * @param to        takes the state
     * @param engineIds returns the engine's id of a body, even if the body was removed from the world
     */
    protected final void saveBodies(StateBuffer to, ToLongFunction<B> engineIds) {
        new SavedBodies<>(this, engineIds, null).save(to);
        pairs.save(to);
        to.put(origin.zero[0]).put(origin.zero[1]).put(origin.zero[2]);
        kept.forEach(state -> state.save(to));
    }

    /**
     * Attaches the bodies of a saved state, in their order, under their ids, and restores the kept state. Call it before the engine's own
     * state is restored, and {@link WorldSimulation#worldRestored} after that.
     *
     * @param from      the saved state
     * @param engineIds the same function as for the save
     * @param restorer  puts back and removes bodies; null if none may have come or gone
     * @param check     called before any change, if the same bodies are attached as at the save; throws if the rest of the state does not
     *                  fit
     * @throws RestoreRefusedException if other bodies are attached and there is no restorer
     * @throws IllegalStateException   if the restorer puts back a body with another engine id, or outside of the world
     */
    protected final void restoreBodies(
            StateBuffer from, ToLongFunction<B> engineIds, @Nullable BodyRestorer<B> restorer, Runnable check) {
        new SavedBodies<>(this, engineIds, restorer).restore(from, check);
        pairs.restore(from);
        double[] zero = origin.zero;
        origin.shift(from.getDouble() - zero[0], from.getDouble() - zero[1], from.getDouble() - zero[2]);
        try {
            kept.forEach(state -> state.restore(from));
        } catch (RestoreRefusedException late) {
            throw tooLate(late);
        }
    }

    /** Returns the exception to throw instead of a refusal once the world has changed: a refusal promises an unchanged world. */
    static IllegalStateException tooLate(RestoreRefusedException late) {
        return new IllegalStateException(late.getMessage(), late);
    }
}
