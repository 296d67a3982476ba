package dev.escapement.physics;

import dev.escapement.physics.command.Action;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.event.Contacts;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.ShapeSource;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Simulation} that is being ticked, as other threads of a game see it: a {@link PhysicsService}, or an {@link InlineDriver} in the
 * game's own loop.
 *
 * <pre>{@code
 * void play(TickingWorld world) {
 *     SnapshotReader reader = world.newReader();
 *     world.input().offer(nanos, InputKind.KEY_DOWN, KEY_W, 0, 0);
 *     world.command(tick -> engine.applyExplosion());
 *     world.timeScale(new TimeScale(1, 4));
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any thread may call any method of a service. A driver lets any thread call {@link #newReader()}, {@link #events},
 * {@link #command}, {@link #query}, {@link #spawn}, {@link #input()} and the statistics; all other methods belong to the thread that runs
 * its ticks.
 */
public abstract sealed class TickingWorld implements WorldControl, AutoCloseable permits PhysicsService, InlineDriver {

    final TickLoop loop;

    TickingWorld(TickLoop loop) {
        this.loop = loop;
    }

    @Override
    public String name() {
        return loop.settings.name();
    }

    @Override
    public EventStream events(int capacity) {
        return loop.events.subscribe(capacity);
    }

    @Override
    public InputRing input() {
        return loop.input;
    }

    /**
     * Runs a command on the physics thread before the next tick; within about 10 ms if time stands still, or if that tick is more than 20
     * ms away in slow motion. Any thread; commands of one thread run in their order. A command may offer further commands, which run one
     * tick later than it. While time stands still they run immediately, so a command that offers itself again keeps a core busy.
     *
     * <p>While time stands still, readers see at once what a command did: the world is captured and published again without a step, as
     * their next tick, with the same {@linkplain dev.escapement.state.snapshot.Snapshot#simulationTick() simulation tick}. A run that
     * follows another one publishes only the ticks of that one.
     *
     * <p>A service completes all futures on one separate thread. Do slow work with {@code thenAcceptAsync}: work on that thread delays all
     * later answers, and full queues then refuse commands, because a command keeps its place in the queue until its future is completed.
     * When the service ends, up to seven more threads complete the remaining futures. A driver completes futures on the thread that runs
     * its ticks.
     *
     * @param command what to run
     * @param <T>     what it returns
     * @return completed with the tick before which the command ran and its result; exceptionally if it threw, if the queue is full, or if
     *     ticking ends first
     */
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> command(Command<T> command) {
        return loop.requests.command(command);
    }

    /**
     * Runs a command that returns nothing, as {@link #command(Command)} does. It has a name of its own, because compilers cannot tell
     * whether a lambda such as {@code tick -> world.explode()} is a {@link Command} or an {@link Action}.
     *
     * @param command what to run
     * @return completed as by {@link #command(Command)}; the value of the answer is null
     */
    public CompletableFuture<Answer<@Nullable Void>> execute(Action command) {
        return command(command);
    }

    /**
     * Runs a command that is data, as {@link #command(Command)} does. A recording stores the command, and a replay repeats it before the
     * same tick, in the same order. Any thread.
     *
     * <pre>{@code
     * physics.command(Push.TYPE, new Push(3, 5));
     * }</pre>
     *
     * <p>The type's writer encodes the command; the physics thread runs the command that the type's reader decodes. A replay runs the
     * recorded commands, and refuses all other commands that are data.
     *
     * @param type    the type of the command
     * @param command the data
     * @param <C>     its type
     * @param <T>     what its handler returns
     * @return completed as by {@link #command(Command)}; exceptionally, too, if this is a replay
     * @throws IllegalArgumentException if the simulation has no handler for the type, or the command cannot be written or read
     * @see Simulation#commands()
     */
    public <C, T extends @Nullable Object> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        return loop.requests.command(type, command);
    }

    /**
     * Runs a query, for example a ray cast, on the physics thread after the next tick was published. If time stands still, or that tick is
     * more than 20 ms away in slow motion, it runs within about 10 ms: it then sees the state after the last tick and the commands that ran
     * since. Any thread.
     *
     * @param query what to run
     * @param <T>   what it returns
     * @return completed as by {@link #command}, with the last tick before the query and the result of the query
     */
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> query(Command<T> query) {
        return loop.requests.query(query);
    }

    /**
     * Reserves the id of a body, and runs a command that creates the body, as {@link #command} does. Any thread. Later commands of the same
     * thread may use the id, because they run after this one.
     *
     * @param command creates the body
     * @param <T>     what it returns
     * @return the id, and the future of the command; if the queue is full or ticking has ended, an id that no body ever has
     * @throws IllegalStateException if the simulation numbers its bodies itself, by {@code bodyCount}, or if there are too many bodies.
     *                               Before the first capture it is not known whether the simulation calls {@code bodyCount}: the
     *                               future waits for that capture, and fails if it does
     */
    public <T extends @Nullable Object> Spawned<T> spawn(Command.Spawn<T> command) {
        return loop.requests.spawn(command);
    }

    /** {@return the number of commands and queries that were refused because their queue was full} */
    public long refusedCommands() {
        return loop.requests.refused();
    }

    /**
     * {@return the number of commands and queries that threw} The first command and the first query that threw are logged, in one line
     * each. The future of each has the cause.
     */
    public long failedCommands() {
        return loop.requests.failed();
    }

    @Override
    public void pause() {
        loop.time.pause();
    }

    @Override
    public void resume() {
        loop.time.resume();
        loop.wake();
    }

    @Override
    public void step() {
        loop.time.step();
        loop.wake();
    }

    @Override
    public void timeScale(TimeScale scale) {
        loop.time.requestScale(scale);
    }

    @Override
    public TimeScale timeScale() {
        return loop.time.requestedScale();
    }

    @Override
    public TickRate rate() {
        return loop.rate();
    }

    @Override
    public MetricRing<TickMetric> tickMetrics() {
        return loop.stats.metrics();
    }

    @Override
    public CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies) {
        return shapes(
                List.copyOf(Objects.requireNonNull(bodies, "bodies must not be null; pass the ids of the bodies")),
                new ArrayList<>());
    }

    /** Asks for the missing shapes, in one query after another: a source answers as many in each as physics may wait for. */
    private CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> asked, List<@Nullable BodyShape> known) {
        Command<Boolean> look = tick -> {
            Optional<ShapeSource> source = loop.simulation.capability(ShapeSource.class);
            source.ifPresent(from -> from.shapes(asked, known));
            return source.isEmpty() || known.size() == asked.size();
        };
        return query(look).thenCompose(answer -> answer.value() ? meshed(known) : shapes(asked, known));
    }

    /** Computes meshes on another thread, because later answers and a frame would have to wait for them. */
    private static CompletableFuture<List<@Nullable BodyShape>> meshed(List<@Nullable BodyShape> shapes) {
        List<TriangleMesh> meshes = shapes.stream()
                .map(shape -> shape == null ? null : shape.form())
                .filter(TriangleMesh.class::isInstance)
                .map(TriangleMesh.class::cast)
                .filter(mesh -> !mesh.isComputed())
                .toList();
        return meshes.isEmpty()
                ? CompletableFuture.completedFuture(shapes)
                : CompletableFuture.runAsync(() -> meshes.forEach(TriangleMesh::corners))
                        .thenApply(computed -> shapes);
    }

    @Override
    public CompletableFuture<List<BodyJoint>> joints(int max) {
        if (max < 0) {
            throw new IllegalArgumentException("max is " + max + "; pass how many joints to return at most, 0 or more");
        }
        Command<List<BodyJoint>> look = tick -> loop.simulation.capability(ShapeSource.class).stream()
                .flatMap(ShapeSource::joints)
                .limit(max)
                .toList();
        return query(look).thenApply(Answer::value);
    }

    /**
     * Asks for the contacts that last, as a {@link #query} does. Any thread. Ask after subscribing to events, after a gap, and after a
     * rewind, which retracts no contacts.
     *
     * @return completed with the contacts; exceptionally with an {@link IllegalStateException} if they are known only after the next tick,
     *     because nobody was subscribed in the last one, or the run went back since; and with an {@link UnsupportedOperationException} if
     *     the simulation is no {@link Contacts.Source}
     */
    public CompletableFuture<Contacts> contacts() {
        Command<Contacts> look = tick -> loop.events.list(
                Objects.requireNonNull(loop.exchange.writer().latest(), "queries run after a tick was published"),
                loop.simulation
                        .capability(Contacts.Source.class)
                        .orElseThrow(() -> new UnsupportedOperationException(
                                loop.simulation.getClass().getName() + " does not implement Contacts.Source")));
        return query(look).thenApply(Answer::value);
    }

    @Override
    public ThreadGrants threadGrants() {
        return stats().threadGrants();
    }

    /** {@return statistics, since the start, of how late the ticks started and how long they took; they keep changing} */
    public PhysicsStats stats() {
        return loop.stats;
    }

    /**
     * {@return the number of accepted input events that belong to no tick yet; exact after {@link #close()}, when no thread offers any
     * more}
     */
    public long pendingInputs() {
        return loop.sampler.pending();
    }

    /**
     * {@return the share of the elapsed time since the start that was simulated, 0 to 1; NaN if the service has failed} It is less than 1
     * if time was slowed down or skipped because ticks took too long. Pauses do not count, and a requested {@link #timeScale time scale} is
     * no loss.
     *
     * @see PhysicsStats#speed()
     */
    public double realTimeFactor() {
        return loop.schedule.account.realTimeFactor();
    }

    /** {@return the number of deadlines that were skipped because ticks took too long} */
    public long skippedTicks() {
        return loop.schedule.account.skippedTicks();
    }

    /**
     * {@return the nanoseconds of the clock that were skipped because ticks took too long} Exact for every policy, while {@link
     * #skippedTicks()} counts whole deadlines only.
     */
    public long skippedNanos() {
        return loop.schedule.account.skippedNanos();
    }

    /** {@return the nanoseconds of the clock by which ticks lasted longer because time was slowed down, by {@link LateTicks#dilate()}} */
    public long slowedNanos() {
        return loop.schedule.account.slowedNanos();
    }

    /**
     * {@return the number of poses, values of channels and angular velocities that were replaced by their body's last good one because they
     * were not finite, or a rotation was no unit quaternion} The first is logged, in a line that names the body.
     */
    public long quarantinedPoses() {
        return loop.capture.quarantinedPoses();
    }

    /**
     * {@return the first tick after which the state differed from that in the source log; empty while all states are equal, and without a
     * source log} The run continues after it.
     *
     * @see PhysicsServiceBuilder#follow
     */
    public Optional<TickSource.Divergence> divergence() {
        return loop.source.divergence();
    }

    /**
     * Ends ticking, and closes the simulation and the input sources. Idempotent. Afterwards readers keep the last window, existing streams
     * can be drained, and counts be read. Input is refused, commands and queries fail, requests to change the time do nothing, no reader
     * can be attached, and new streams have no events.
     */
    @Override
    public abstract void close();
}
