package dev.escapement.physics.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.BodyId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A simulation around a world of an engine that the game already has and keeps using: the service steps it, and readers see those
 * of its bodies that are attached. What the game does to the world it does in commands.
 *
 * <pre>{@code
 * simulation.attach(crateBody, crateNumber);                           // bodies that are there before the first tick
 * PhysicsService physics = PhysicsService.builder(simulation).start();
 * long barrel = physics.spawn((tick, id) -> {                          // later: on the physics thread, before a tick
 *     Body body = makeBarrel(simulation.world());
 *     simulation.attach(id, body, BARREL);
 *     return body;
 * }).id();
 * physics.command(tick -> applyExplosion(simulation.world()));
 * }</pre>
 *
 * <p><b>Threads.</b> Until the service starts, and after {@link #close()}, any thread may touch the world. In between, only the thread that
 * ticks may touch the world, its bodies and this object; {@link #world()}, {@link #attach}
 * and {@link #detach} refuse all others. References that a game has kept from before cannot be refused: {@link #touchWatch()}
 * finds out what was done through them.
 *
 * <p><b>Bodies.</b> A body is shown from the capture after it was attached to the capture after it was detached, where the engine
 * has it, awake or asleep. Detach it before you remove it from the engine's world: one that is attached and not in the world any
 * more fails the service.
 *
 * <p>Closing gives the world back, and frees nothing of it. When a service fails, the world has been given back before its state says
 * so, and the service can be restarted with another simulation around it.
 *
 * @param <W> the engine's world
 * @param <B> the engine's bodies; equal objects are the same body
 */
public abstract class WorldSimulation<W, B> extends EngineCalls<B> implements Simulation, BodyStates {

    /** What the state of a body in three dimensions consists of, if its rotation is a quaternion. */
    protected static final List<String> RIGID_BODY = List.of(
            "position x",
            "position y",
            "position z",
            "rotation x",
            "rotation y",
            "rotation z",
            "rotation w",
            "velocity x",
            "velocity y",
            "velocity z",
            "angular velocity x",
            "angular velocity y",
            "angular velocity z");

    private final W world;
    private final WorldLease lease;
    private final ShownBodies<B> bodies = new ShownBodies<>();
    private final ContactPairs pairs = new ContactPairs();
    private final BodyStateBits<B> states;
    private @Nullable TouchWatch<B> touchWatch;
    private boolean closed;

    /**
     * Takes a world, until {@link #close()}.
     *
     * @param world      what to tick
     * @param components what the state of a body consists of, see {@link #stateComponents()}, those of its pose first
     * @throws IllegalStateException if another simulation has it
     */
    protected WorldSimulation(W world, List<String> components) {
        this.world = world;
        states = new BodyStateBits<>(components);
        lease = WorldLease.take(world);
    }

    /**
     * The engine's world, for the thread that may touch it.
     *
     * @return the world that was given
     * @throws IllegalStateException if called by another thread than that which ticks, while it does; or closed, and another
     *                               simulation has the world now
     */
    public final W world() {
        lease.requireAccess();
        if (closed) {
            WorldLease.requireFree(world);
        }
        return world;
    }

    /**
     * Shows a body from the next capture on. Its id is known then, see {@link #idOf}.
     *
     * @param body       a body that is in the world
     * @param userData   a number of the game's own, which readers see beside the id
     * @throws IllegalArgumentException if it is attached already, or not in the world
     * @throws IllegalStateException    if called by another thread than that which ticks, while it does, or closed
     */
    public final void attach(B body, long userData) {
        attach(new ShownBody<>(body, userData));
    }

    /**
     * Shows a body under an id that was reserved, from the next capture on.
     *
     * @param id         what a {@link dev.escapement.physics.command.SpawnCommand} was given
     * @param body       a body that is in the world
     * @param userData   a number of the game's own, which readers see beside the id
     * @throws IllegalArgumentException if it is attached already, or not in the world, or the id is none that was reserved
     * @throws IllegalStateException    if called by another thread than that which ticks, while it does, or closed
     */
    public final void attach(long id, B body, long userData) {
        if (!BodyId.isLive(BodyId.generation(id))) {
            throw new IllegalArgumentException(BodyId.toString(id) + " is no body's id and cannot be that of " + body
                    + "; give the one that the command of spawn was given, or none");
        }
        attach(new ShownBody<>(body, userData, id));
    }

    private void attach(ShownBody<B> added) {
        lease.requireAccess(); // first: no other thread may ask whether it is closed
        requireOpen();
        if (!isInWorld(added.body)) {
            throw new IllegalArgumentException(
                    added.body + " cannot be attached, for it is not in " + world + "; add it to the world first");
        }
        states.changed();
        bodies.attach(added);
        bodyAttached(added.body);
    }

    /**
     * Stops showing a body, from the next capture on. Do so before it is removed from the world.
     *
     * @param body one that is attached
     * @throws IllegalArgumentException if it is not
     * @throws IllegalStateException    if called by another thread than that which ticks, while it does
     */
    public final void detach(B body) {
        lease.requireAccess();
        states.changed();
        bodies.detach(body);
        bodyDetached(body);
    }

    /**
     * The id under which readers see a body.
     *
     * @param body one that is attached
     * @return its {@link dev.escapement.state.snapshot.BodyId}
     * @throws IllegalArgumentException if it is not attached
     * @throws IllegalStateException    if it has no id before its first capture, or if called by another thread than that which
     *                                  ticks, while it does
     */
    public final long idOf(B body) {
        lease.requireAccess();
        ShownBody<B> shown = bodies.require(body);
        if (!shown.isReserved() && !shown.isSpawned()) {
            throw new IllegalStateException(
                    shown + " gets its id in its first capture; ask in a later tick, or reserve one"
                            + " with physics.spawn(...)");
        }
        return shown.id();
    }

    /**
     * A check for development: compares the state of every attached body before each tick with what the tick before has left,
     * and fails the service where another thread has moved one, or a query has. It reads every body twice a tick. While time stands
     * still, or goes slowly, it looks once, for commands may change bodies there before a tick tells how they are. A service that is
     * restarted keeps its sources and watches no more: its next simulation was not there to be watched.
     *
     * <pre>{@code
     * PhysicsService.builder(simulation).source(simulation.touchWatch())
     * }</pre>
     *
     * @return the check, for the service that ticks this simulation
     */
    public final InputSource touchWatch() {
        if (touchWatch == null) {
            touchWatch = new TouchWatch<>(this, bodies, states);
        }
        return touchWatch;
    }

    /**
     * Says that the game has put the world back to an earlier state by the engine's own means, with the bodies attached that are now.
     * The next capture sets every body, those that sleep too; contacts are then known as if events had not been wanted before.
     *
     * @throws IllegalStateException if called by another thread than that which ticks, while it does, or closed
     * @see dev.escapement.physics.replay.Restorable
     */
    public final void worldRestored() {
        lease.requireAccess();
        requireOpen();
        states.changed();
        bodies.showAllAgain();
        pairs.forget(bodies.slotsUsed());
        if (touchWatch != null) {
            touchWatch.forget();
        }
    }

    @Override
    public final void begin() {
        requireOpen();
        lease.enter();
    }

    @Override
    public final void step(Tick tick) throws Exception {
        requireOpen();
        lease.enter(); // again: a simulation around this one may not have passed on begin()
        bodies.beginStep();
        if (!tick.eventsWanted()) {
            pairs.forget(bodies.slotsUsed());
        }
        lease.beginStep();
        try {
            advance(tick);
        } catch (Throwable thrown) {
            close();
            throw thrown;
        } finally {
            lease.endStep();
        }
        states.stepped();
    }

    @Override
    public final void capture(PoseWriter poses) {
        requireOpen();
        try {
            states.captured();
            bodies.capture(this, states, poses);
            if (touchWatch != null) {
                touchWatch.remember();
            }
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
    }

    @Override
    public final void events(EventWriter events) {
        requireOpen();
        try {
            pairs.endOf(bodies.gone(), events);
            pairs.newcomers(bodies.came());
            tellContacts(pairs);
            pairs.tell(bodies.asleepBefore(), events);
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
    }

    /** A hash over the states of the attached bodies, in an order that depends on nothing but how they came and went. */
    @Override
    public final long hash() {
        requireOpen();
        return states.hash(this);
    }

    /**
     * How many bodies are attached.
     *
     * @return bodies 0 to {@code bodyCount() - 1}, in the order in which they were attached; when one is detached, the last one takes
     *         its number
     */
    @Override
    public final int bodyCount() {
        return bodies.size();
    }

    @Override
    public final List<String> stateComponents() {
        return states.components;
    }

    @Override
    public final void readState(int body, long[] bits, int at) {
        requireOpen();
        states.copy(this, body, bits, at);
    }

    /**
     * Gives the world back. Idempotent.
     *
     * @throws IllegalStateException if another thread still ticks it; close its service instead
     */
    @Override
    public final void close() {
        if (!closed) {
            lease.requireToClose();
            closed = true;
            try {
                released();
            } finally {
                lease.leave();
                lease.release(); // last: the next simulation finds the world as it was before
            }
        }
    }

    /** Whether the calling thread ticks this simulation, which is not closed. */
    final boolean isTicking() {
        return lease.isTicking();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this simulation was closed and has given back " + world + "; make another one around it");
        }
    }

    /**
     * The slot of a body that may touch another.
     *
     * @param body a body of the engine, null for what has none
     * @return its slot, {@link EventWriter#NO_BODY} if it is not shown
     */
    protected final int slotOf(@Nullable B body) {
        return bodies.slotOf(body);
    }

    /**
     * For engines that say when a step begins: refuses one that is not this simulation's own. Any thread.
     *
     * @throws IllegalStateException if it is another thread's, between the start and the end
     */
    protected final void requireOwnStep() {
        lease.requireOwnStep();
    }

    /**
     * One of the bodies that are attached, in an order that depends on nothing but how they came and went.
     *
     * @param index from 0 to {@code bodyCount() - 1}
     * @return the body
     */
    protected final B attached(int index) {
        return bodies.get(index).body;
    }

    /**
     * The contacts of this simulation, for engines that say which bodies touch in callbacks of their step and not when asked in
     * {@link #tellContacts}. Not to be told of between steps.
     *
     * @return where to
     */
    protected final ContactPairs contacts() {
        return pairs;
    }
}
