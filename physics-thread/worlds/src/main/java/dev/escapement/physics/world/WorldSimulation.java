package dev.escapement.physics.world;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.Contacts;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.ShapeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around an existing world of an engine. The service steps the world, and readers see its attached bodies; the game keeps
 * using the world, and changes it in commands.
 *
 * <pre>{@code
 * simulation.attach(crateBody, crateNumber);                           // bodies from before the first tick
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * long barrel = physics.spawn((tick, id) -> {                          // later: on the physics thread, before a tick
 *     Body body = makeBarrel(simulation.world());
 *     simulation.attach(id, body, BARREL);
 *     return body;
 * }).id();
 * physics.command(tick -> applyExplosion(simulation.world()));
 * }</pre>
 *
 * <p><b>Threads.</b> Before the service starts, and after {@link #close()}, any thread may touch the world. In between, only the physics
 * thread may touch the world, its bodies and this object; {@link #world()}, {@link #attach} and {@link #detach} refuse all others. Access
 * through references that a game has kept cannot be refused; {@link #touchWatch()} detects changes made through them.
 *
 * <p><b>Bodies.</b> Readers see a body, awake or asleep, from the capture after it was attached to the capture after it was detached.
 * Detach it before you remove it from the engine's world: an attached body that is not in the world any more fails the service.
 *
 * <p><b>Tools.</b> A page or a window can show the shapes of the bodies, and drag dynamic bodies with
 * {@link dev.escapement.state.input.DragInput}. Forces do not move kinematic and static bodies: these cannot be dragged.
 *
 * <p>Closing releases the world, but does not free it. A FAILED service has released the world already: another service can tick it, with
 * another simulation around it.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies; equal objects are the same body
 */
public abstract class WorldSimulation<W, B> extends EngineCalls<B> implements Simulation, ShapeSource, Contacts.Source {

    /** How many items a query for shapes reads: with about a microsecond for each, physics waits for a millisecond. */
    static final int ITEMS_PER_QUERY = 1024;

    private static final int MISSED_STEPS = 100;

    private final W world;
    final WorldLease lease;
    private final DragSpring drag = new DragSpring();
    private @Nullable TouchWatch<B> touchWatch;
    private int missedSteps;
    private final CommandHandlers commands = new CommandHandlers();
    // Created early, so that close() after an OutOfMemoryError need not allocate it.
    private final Runnable release = this::released;

    /**
     * Takes a world, until {@link #close()}.
     *
     * @param world       the world to tick
     * @param poseNumbers the number of values that {@link #readPose} reads
     * @param dimensions  2, or 3
     * @param memory      the memory that this world's steps use exclusively; null for none
     * @throws IllegalStateException if another simulation has the world or the memory
     */
    protected WorldSimulation(W world, int poseNumbers, int dimensions, @Nullable Object memory) {
        super(poseNumbers, dimensions);
        this.world = Objects.requireNonNull(world, "world must not be null; pass the engine's world");
        lease = WorldLease.take(world, memory);
        drag.zero = origin.zero;
    }

    /**
     * {@return the engine's world, for the thread that may touch it}
     *
     * @throws IllegalStateException if another thread ticks it
     */
    public final W world() {
        lease.requireAccess();
        return world;
    }

    /**
     * Attaches a body: readers see it from the next capture on, which gives it an id, see {@link #idOf}.
     *
     * @param body     a body that is in the world
     * @param userData the game's own number for the body, which readers see
     * @throws IllegalArgumentException if it is attached already, or not in the world
     * @throws IllegalStateException    if another thread ticks the world, or the simulation is closed
     */
    public final void attach(B body, long userData) {
        attach(new ShownBody<>(body, userData, ShownBody.NOT_YET, false));
    }

    /**
     * Attaches a body with a reserved id: readers see it from the next capture on.
     *
     * @param id       the id that a {@link dev.escapement.physics.command.Command.Spawn} received
     * @param body     a body that is in the world; threads and errors as in {@link #attach(Object, long)}
     * @param userData the game's own number for the body, which readers see
     * @throws IllegalArgumentException also if the id was not reserved
     */
    public final void attach(long id, B body, long userData) {
        requireLive(id, body);
        attach(new ShownBody<>(body, userData, id, false));
    }

    private static void requireLive(long id, @Nullable Object body) {
        if (!BodyId.isLive(BodyId.generation(id))) {
            throw new IllegalArgumentException(BodyId.toString(id)
                    + " is no body's id; give the one that the command of spawn was given, or none, to " + body);
        }
    }

    private void attach(ShownBody<B> added) {
        lease.requireAccess(); // first, because other threads may not read whether the simulation is closed
        lease.requireOpen();
        if (!isInWorld(added.body)) {
            throw new IllegalArgumentException("a body cannot be attached, for it is not in " + world
                    + "; add it to the world first, and detach bodies before you remove them: " + added.body);
        }
        bodies.attach(added);
        bodyAttached(added.body);
    }

    /**
     * Attaches a part, which is no body of the engine: readers see it from the next capture on, as a body.
     *
     * @param source   writes the pose in each capture
     * @param userData the game's own number for it, which readers see
     * @return the part; threads and errors as in {@link #attach}
     */
    public final Part attachPart(Part.Source source, long userData) {
        lease.requireAccess();
        lease.requireOpen();
        Part added = new Part(this, source, userData);
        bodies.parts.attach(added);
        return added;
    }

    /**
     * Detaches a body: readers do not see it any more from the next capture on. Call this before the body is removed from the world.
     *
     * @param body an attached body
     * @throws IllegalArgumentException if it is not attached
     * @throws IllegalStateException    if another thread ticks the world
     */
    public final void detach(B body) {
        lease.requireAccess();
        bodies.detach(body);
        bodyDetached(body);
    }

    /**
     * {@return the {@link dev.escapement.state.snapshot.BodyId} of a body}
     *
     * @param body an attached body
     * @throws IllegalArgumentException if it is not attached
     * @throws IllegalStateException    if the body has no id before its first capture, or another thread ticks the world
     */
    public final long idOf(B body) {
        lease.requireAccess();
        return bodies.require(body).requireId();
    }

    /**
     * {@return the attached body that has an id, null if there is none} The body of an event, for example, may be gone by now.
     *
     * @param id the {@link BodyId} of a body, present or gone
     * @throws IllegalStateException if another thread ticks the world
     */
    public final @Nullable B bodyOf(long id) {
        lease.requireAccess();
        ShownBody<B> shown = bodies.inSlot(BodyId.slot(id));
        return shown != null && shown.id() == id ? shown.body : null;
    }

    /**
     * Notes that the game has teleported a body: frames show it at its old place until this tick, and at the new one from then on. Call
     * it where the body is moved, in a command or in a step.
     *
     * @param body an attached body; threads and errors as in {@link #detach}
     */
    public final void teleported(B body) {
        lease.requireAccess();
        ShownBody<B> shown = bodies.require(body);
        shown.teleported();
        if (shown.isSpawned()) {
            bodies.displaced.set(shown.slot());
        }
        bodies.looksAround = true;
    }

    /**
     * Sets whether frames blend a body between two ticks, from the next capture on. Every body is blended at first. The setting is not part
     * of saved states.
     *
     * @param body    an attached body; threads and errors as in {@link #detach}
     * @param blended false to show it at its last tick until the next one
     */
    public final void blended(B body, boolean blended) {
        lease.requireAccess();
        bodies.require(body).blended(blended);
    }

    /**
     * Sets whether each tick reports the contacts of a body while they last, as {@code CONTACT_LASTS} with their impulse, where the engine
     * knows it. Initially none is reported. The setting is not part of saved states.
     *
     * @param body  an attached body; threads and errors as in {@link #detach}
     * @param tells true to report them
     */
    public final void tellLastingContacts(B body, boolean tells) {
        lease.requireAccess();
        ShownBody<B> shown = bodies.require(body);
        shown.tellsLasting = tells;
        if (shown.isSpawned()) {
            pairs.tellLasting(shown.slot(), tells);
        }
    }

    /**
     * Notes that the game has shifted the engine's origin. All bodies of the engine have moved by (-dx, -dy, -dz), for example by dyn4j's
     * {@code World.shift}, so the engine measures positions from another point in the world. The origin of the next snapshot moves by as
     * much, and nothing moves in the picture. Contacts and dragging stay in the world's coordinates. Positions that the game passes to the
     * engine and gets from it are measured from the new zero, also the positions that sources of {@linkplain Part parts} write.
     *
     * @param dx metres from the old zero to the new one; best a multiple of a power of two, so that no position is rounded
     * @param dy metres
     * @param dz metres
     * @throws IllegalArgumentException if the shift is not finite, or the new zero would be beyond 1e18 m
     * @throws IllegalStateException    if another thread ticks the world
     */
    public final void originShifted(double dx, double dy, double dz) {
        lease.requireAccess();
        origin.shift(dx, dy, dz);
        showAllAgain();
    }

    private void showAllAgain() {
        bodies.showAllAgain();
        if (touchWatch != null) {
            touchWatch.forget();
        }
    }

    /**
     * Notes that the game has given a body another shape, layer, filter or centre of mass: from the next capture on, query worlds have the
     * new values, frames blend the body about the new centre, and pages and windows ask for the new shape.
     *
     * @param body an attached body; threads and errors as in {@link #detach}
     */
    public final void reshaped(B body) {
        lease.requireAccess();
        bodies.require(body).tellAgain();
    }

    /**
     * Creates a query world, for one asking thread. Reads each body once.
     *
     * @param pastTicks the number of ticks that queries may go back from the newest moment so far; 0 for a view, which does not go back
     * @return a query world; the asking thread closes it
     * @throws IllegalArgumentException      if {@code pastTicks} is negative
     * @throws IllegalStateException         if another thread ticks the world, or the simulation is closed
     * @throws UnsupportedOperationException if the engine's binding does not allow queries on another thread
     */
    public final QueryWorld queryWorld(int pastTicks) {
        lease.requireAccess();
        lease.requireOpen();
        if (pastTicks < 0) {
            throw new IllegalArgumentException(
                    "pastTicks must be 0 or more, but is " + pastTicks + "; one second of 100 Hz is 100");
        }
        return feed(queryBodies()).open(pastTicks);
    }

    /**
     * {@return {@code detected-teleports}: the number of jumps of bodies that the game did not announce, counted again in re-simulated
     * ticks; an engine may add other counts} A body has jumped if it moves more than 0.5 m farther in a tick than its motion before and
     * after explains, or turns by more than a third of a turn without an angular velocity. A {@link Part} must move 2 m farther, because
     * its velocity is unknown. No frame shows it on the way, as after {@link #teleported}, and the first jump is logged. A jump is not
     * found if it is shorter than 0.5 m plus the distance that the body moved in the tick before: the body may have bounced.
     */
    @Override
    public Map<String, Long> counts() {
        return Map.of("detected-teleports", jumps.found.getOpaque());
    }

    /** {@return this object as the given interface; as an {@link InputSource} the {@link #touchWatch()} where assertions are enabled} */
    @Override
    public final <T> Optional<T> capability(Class<T> type) {
        if (type == Movable.class) {
            return mayMove() ? Optional.of(type.cast((Movable) lease::move)) : Optional.empty();
        }
        return type == InputSource.class
                        && !(this instanceof InputSource)
                        && WorldSimulation.class.desiredAssertionStatus()
                ? Optional.of(type.cast(touchWatch()))
                : Simulation.super.capability(type);
    }

    /**
     * {@return whether several threads may step this engine's world, one at a time} True by default. Constant.
     *
     * @see Movable
     */
    protected boolean mayMove() {
        return true;
    }

    /**
     * Returns a development check that detects unannounced changes of bodies between ticks. A service, but no {@code InlineDriver}, uses it
     * by itself where assertions are enabled ({@code -ea}). Before each tick the check compares the state of every attached body with the
     * state after the tick before, and fails the service if another thread, a query or a listener has changed one. It reads every body
     * twice a tick. While time stands still or runs slowly it checks only once after a tick, because commands may change bodies afterwards.
     *
     * <pre>{@code
     * PhysicsService.builder(simulation).source(simulation.touchWatch())
     * }</pre>
     *
     * @return the check, for the service that ticks this simulation
     */
    public final InputSource touchWatch() {
        if (touchWatch == null) {
            touchWatch = new TouchWatch<>(this);
        }
        return touchWatch;
    }

    /**
     * Notes that the game has restored an earlier state of the world by the engine's own means, with the same bodies attached. The next
     * capture sets every body, also sleeping ones; of contacts that exist now, only the end is reported. If a step comes before that
     * capture, no frame shows a body on its way from the place before. The game has to restore {@link #drag()} as well.
     *
     * @throws IllegalStateException if another thread ticks the world, or the simulation is closed
     * @see dev.escapement.physics.restore.Restorable
     */
    public final void worldRestored() {
        lease.requireAccess();
        lease.requireOpen();
        showAllAgain();
        if (!bodies.isRestored) {
            pairs.forget(bodies.slotsUsed());
        }
        bodies.isRestored = false;
        bodies.displaced.clear(); // the restored contacts are those of the restored poses
        restored = true;
    }

    @Override
    public final void begin() {
        lease.requireOpen();
        lease.enter();
        begun = true;
    }

    @Override
    public final void step(Tick tick) throws Exception {
        lease.requireOpen();
        lease.enter(); // again, because a wrapping simulation may not have passed on begin()
        if (restored) {
            bodies.teleportAll(); // because readers still see the places from before the restore
        }
        if (!tick.eventsWanted()) {
            pairs.forget(bodies.slotsUsed());
            bodies.forgetComingAndGoing();
        }
        restored = false;
        bodies.beginStep();
        stepIs(tick.dtSeconds());
        lease.beginStep();
        try {
            pullHeld(tick);
            closing.begin(tick);
            advance(tick);
        } catch (Throwable thrown) {
            close();
            throw thrown;
        } finally {
            lease.endStep();
        }
        jumps.stepped(tick.dtSeconds());
    }

    private void pullHeld(Tick tick) {
        drag.begin(tick);
        ShownBody<B> held = bodies.inSlot(drag.slot());
        if (held != null && drag.isHeld(held.id()) && isInWorld(held.body)) {
            pull(held.body, drag);
        }
    }

    @Override
    public final void capture(PoseWriter poses) {
        lease.requireOpen();
        try {
            restored = false;
            requireInWorld();
            bodies.capture(poses);
            if (jumps.captures == 0 && poses.isStepped() && ++missedSteps == MISSED_STEPS) {
                System.getLogger("dev.escapement.physics")
                        .log(
                                System.Logger.Level.WARNING,
                                "None of the first " + missedSteps + " ticks has stepped " + world
                                        + ": its bodies stand still. Call super.step(tick) in the step of the simulation around it.");
            }
            if (touchWatch != null) {
                touchWatch.remember();
            }
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
    }

    /** Checks all bodies before any pose is read, because the pose of a destroyed native body cannot be read. */
    private void requireInWorld() {
        int removed = findRemoved();
        if (removed >= 0) {
            throw new IllegalStateException(
                    bodies.get(removed) + " was removed from " + world
                            + " while it was attached; call detach(body) in the step or command that removes it, before it does");
        }
    }

    /**
     * Reports the contacts of the last step. If an engine reports contacts after it has solved them, wanted events cost time for each awake
     * body, even without contacts, because its velocities are read before each step.
     */
    @Override
    public final void events(EventWriter events) {
        lease.requireOpen();
        try {
            events.formerBodies(bodies);
            pairs.endOf(bodies.gone, events);
            pairs.newcomers(bodies.came);
            bodies.forgetComingAndGoing();
            shapes.beginStep();
            reportContacts(pairs);
            report(events);
            closing.reported();
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
    }

    /**
     * {@inheritDoc} Contacts of bodies that slept when contacts were first wanted are known once they wake, in engines that report none of
     * sleeping bodies: Jolt and ODE.
     */
    @Override
    public final void touching(EventWriter contacts) {
        lease.requireOpen();
        if (bodies.showsOthers) {
            throw new IllegalStateException(
                    "the world went back, and readers do not see that yet; ask again after the" + " next tick");
        }
        contacts.formerBodies(bodies);
        pairs.list(contacts);
    }

    /**
     * Returns a hash of the states of the attached bodies, in the order of attaching and detaching, and of all {@linkplain #keep kept}
     * state.
     */
    @Override
    public final long hash() {
        lease.requireOpen();
        return withKept(states.hash());
    }

    /**
     * {@return the number of attached bodies} The bodies' numbers are 0 to {@code bodyCount() - 1}, in the order in which they were
     * attached; when one is detached, the last one takes its number.
     */
    public final int bodyCount() {
        return bodies.size();
    }

    @Override
    public final @Nullable BodyShape shape(long body) {
        List<@Nullable BodyShape> shape = new ArrayList<>(1);
        while (shape.isEmpty()) {
            shapes(List.of(body), shape);
        }
        return shape.get(0);
    }

    /**
     * Adds the missing shapes. Stops when it has read {@value #ITEMS_PER_QUERY} bodies, parts of bodies, and corners or triangles of
     * parts, or one part that has more.
     */
    @Override
    public final void shapes(List<Long> asked, List<@Nullable BodyShape> shapes) {
        lease.requireOpen();
        int left = ITEMS_PER_QUERY;
        while (shapes.size() < asked.size() && left > 0) {
            long id = asked.get(shapes.size());
            ShownBody<B> shown = bodyOf(id) == null ? null : bodies.inSlot(BodyId.slot(id));
            BodyShape shape = null;
            left--;
            if (shown != null && isInWorld(shown.body)) {
                MeshBuilder mesh = shown.mesh == null ? new MeshBuilder() : shown.mesh;
                mesh.left = left;
                shape = shapeOf(shown.body, mesh);
                left = mesh.left;
                shown.mesh = mesh.isPartial ? mesh : null;
            }
            if (shown == null || shown.mesh == null) {
                shapes.add(shape);
            }
        }
        searched(ITEMS_PER_QUERY - left);
    }

    /**
     * Returns the joints with an end at a body that readers see. An end at any other body counts as fixed in the world, at its present
     * place.
     */
    @Override
    public final Stream<BodyJoint> joints() {
        lease.requireOpen();
        return jointsOf()
                .filter(joint -> joint.first().body() != BodyJoint.End.WORLD
                        || joint.second().body() != BodyJoint.End.WORLD);
    }

    /**
     * Returns the command handlers. Add handlers before the service is started: {@code simulation.commands().on(Push.TYPE, (tick, push) ->
     * ...)}.
     */
    @Override
    public final CommandHandlers commands() {
        return commands;
    }

    /**
     * {@return the spring of the body that {@link dev.escapement.state.input.DragInput} holds} The spring is part of the state of the
     * world: a simulation that is {@link dev.escapement.physics.restore.Restorable} saves and restores it with the rest.
     */
    public final DragSpring drag() {
        return drag;
    }

    /**
     * Releases the world. Idempotent.
     *
     * @throws IllegalStateException if another thread still ticks it; close its service instead
     */
    @Override
    public final void close() {
        lease.close(release);
    }

    /** {@return whether the calling thread ticks this simulation; false if it is closed} Any thread. */
    protected final boolean isTicking() {
        return lease.isTicking();
    }

    /**
     * Refuses a step that this simulation does not make, for engines with a callback at the start of a step. Any thread.
     *
     * @throws IllegalStateException if another thread makes the step while the service runs
     */
    protected final void requireOwnStep() {
        lease.requireOwnStep();
    }
}
