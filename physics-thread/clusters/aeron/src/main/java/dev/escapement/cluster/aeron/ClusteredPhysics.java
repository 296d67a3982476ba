package dev.escapement.cluster.aeron;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import dev.escapement.state.world.WorldControl;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.Aeron;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.HighResolutionClock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a simulation on several nodes. Each node runs the same ticks, with the same inputs, and has the same state. When a machine dies, the
 * other nodes continue.
 *
 * <pre>{@code
 * ClusterNode node = ClusterNode.of(0, hosts, folder, run);
 * try (ClusteredPhysics physics = ClusteredPhysics.start(PhysicsService.builder(simulation), node)) {
 *     SnapshotReader reader = physics.newReader();
 *     physics.command(Push.TYPE, new Push(3, 5));
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Ticks run as long as a majority of the nodes lives and reaches each other. When the leader dies, ticks stop, and continue once the
 *       others have elected another leader.</li>
 *   <li>Each tick has the same number, input and commands on every node. Each accepted command is in one tick. Each accepted event is in
 *       one tick, too, unless time is paused. During a pause an event only changes the levels, for example which keys are down, except that
 *       the end of a drag is in the next tick.</li>
 *   <li>A tick runs at its due time, on the physics thread of each node. The tick's input ends earlier, by {@link ClusterNode#leadNanos},
 *       which is an additional delay of all input.</li>
 *   <li>A restarted node continues from the last saved state, its own or the leader's, and runs the ticks since as fast as it can. Nodes
 *       save states once a minute if the simulation is {@link dev.escapement.physics.restore.Restorable}; otherwise a restarted node runs
 *       all ticks from the first.</li>
 *   <li>Bounded disk, if nodes save states: two states, and 512 MiB of the log.</li>
 * </ol>
 *
 * <p><b>Assumptions.</b> The simulation is built alike on each node, and is deterministic: its state depends on nothing but its ticks. Its
 * commands are data ({@link dev.escapement.physics.simulation.Simulation#commands()}), and it has a
 * {@link dev.escapement.physics.simulation.Simulation#hash()}.
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class ClusteredPhysics implements WorldControl, AutoCloseable {

    private static final long SAVE_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long KEPT_LOG_BYTES = 512L << 20;

    /** The lag from which on a node counts as behind. It counts as behind until its lag is below half of this. */
    private static final long MAX_LAG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ClusterNode node;
    private final PendingAnswers answers;
    private final CommittedTicks ticks;
    private final PhysicsService service;
    private final ClusterSender client;
    private final CommittedLog log;
    private final AeronNode aeron;
    private final Thread thread = new Thread(this::run, "escapement-cluster-client");

    /** Whether the node counts as behind. Only {@link #thread} uses it. */
    private boolean isBehind;

    // Volatile: other threads see changes of the fields below within one of their waits; nothing else is ordered by
    // them.
    private volatile boolean closing;
    private volatile TimeScale scaleWanted = TimeScale.ONE;

    /** Starts all parts of the node. If one cannot start, closes the others and throws. */
    ClusteredPhysics(PhysicsServiceBuilder builder, ClusterNode node, long saveEveryNanos, long keptLogBytes) {
        Objects.requireNonNull(builder, "builder must not be null; pass PhysicsService.builder(simulation)");
        this.node = node;
        thread.setDaemon(true);
        NanoClock clock = NanoClock.system();
        ClusterTime time = new ClusterTime(clock, HighResolutionClock.epochNanos() - clock.nanoTime());
        long clientId = new SecureRandom().nextLong();
        answers = new PendingAnswers("node " + node.number(), true, PendingAnswers.TIMEOUT_NANOS, clock);
        ticks = new CommittedTicks(node, clientId, answers);
        service = builder.follow(ticks).lateTicks(LateTicks.catchUp()).build();
        try {
            client = new ClusterSender(
                    clientId,
                    answers,
                    clock,
                    new AeronLink(this::clientContext, node.hosts(), node.firstPort(), node.host(), this::note));
            // Until nodes agree on a world: a node that is refused must have accepted no input.
            client.input().disable();
            NodeFolder folder = new NodeFolder(node.folder());
            log = new CommittedLog(
                    ticks,
                    node,
                    clientId,
                    reported -> client.offer(batch -> batch.hashes(node.number(), reported)),
                    folder::beginLog,
                    time,
                    saveEveryNanos);
            client.offer(batch -> batch.world(log.sharedByAll(), folder.worldOrProposal())); // must be the first entry
            aeron = new AeronNode(node, folder, keptLogBytes, time, log, this::note);
        } catch (Throwable e) {
            service.close();
            throw e;
        }
        try {
            service.start();
            thread.start();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    Aeron.Context clientContext() {
        return aeron.clientContext();
    }

    /**
     * Starts a node. Its first tick runs after a majority of the nodes has met, with the same world in their folders.
     *
     * @param builder the simulation and its settings, without a replay; the cluster replaces the rate and the policy for late ticks
     * @param node    the settings of this node
     * @return the running node
     * @throws IllegalStateException    if another node uses its folder, most nodes have another world, a port is in use, or the JVM was
     *                                  started without Aeron's flags; if the other nodes answer later, {@link #failure} has the exception
     * @throws IllegalArgumentException if a number of the builder is out of its range
     */
    public static ClusteredPhysics start(PhysicsServiceBuilder builder, ClusterNode node) {
        return new ClusteredPhysics(builder, node, SAVE_EVERY_NANOS, KEPT_LOG_BYTES);
    }

    /**
     * {@return whether this node leads, that is, orders the inputs of all nodes; false on all nodes while there is no leader} A leader that
     * loses the majority returns false before the others elect another leader: when a tick is overdue by the heartbeat timeout of {@link
     * Failover} less one heartbeat, or when the leader has heard from no majority for that timeout. In a pause, and for a lead and 0.1 s
     * after a save, no tick is overdue, so only the second condition counts.
     */
    public boolean isLeader() {
        return aeron.leads() && log.isAdvancing() && !ticks.hasEnded();
    }

    /**
     * {@return whether this node belongs to a majority of the cluster: it leads or follows, and ticks come from the log in time} Returns
     * false before and during an election, and when this node has ended: then no tick runs here. In a pause, or soon after a save, a node
     * that loses the majority returns true for up to the heartbeat timeout.
     */
    public boolean hasQuorum() {
        return aeron.knowsLeader() && log.isAdvancing() && !ticks.hasEnded();
    }

    /**
     * {@return the nanoseconds that this node is behind the cluster: from the due time of the last tick to its handover to the physics
     * thread; 0 if that was in time} The node logs a lag above 1 s, once until it has caught up.
     */
    public long lagNanos() {
        return log.localDue.lagNanos();
    }

    /**
     * {@return the service that runs the ticks on this node, for its statistics and for queries} The service's divergence says how the
     * state of this node differs from the majority's, or, without a majority, from other nodes'. Control time by this object, not by the
     * service.
     */
    public PhysicsService service() {
        return service;
    }

    @Override
    public SnapshotReader newReader() {
        return service.newReader();
    }

    @Override
    public EventStream events(int capacity) {
        return service.events(capacity);
    }

    /**
     * Returns the ring for input to the next tick of all nodes. The ring refuses input until the nodes agree on a world. All its input
     * comes from one {@link #sender}, which joins at the first call.
     */
    @Override
    public InputRing input() {
        client.join();
        return client.input();
    }

    /**
     * {@return the number that the cluster gave this node's input, as in {@link dev.escapement.state.input.InputEvent#sender}; 0 before it
     * has one} It gets one after the first call of {@link #input}.
     */
    public int sender() {
        return client.sender();
    }

    /**
     * Runs a command on all nodes, before the same tick. The future completes when the command has run on this node. It fails with a {@link
     * java.util.concurrent.RejectedExecutionException} if the cluster refuses the command, which then runs on no node. It fails with a
     * {@link java.util.concurrent.TimeoutException} if the outcome is unknown, because the cluster has not answered within 30 s, or this
     * node has ended.
     *
     * @param type    the command's type, for which the simulation has a handler; a lambda would run on this node alone
     * @param command the command's data
     * @param <C>     the type of the data
     * @param <T>     the type of the handler's result
     * @return the tick before which the command ran, and its result
     * @throws IllegalArgumentException if the simulation has no handler for the type, or the command cannot be written or read
     */
    public <C, T> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        return client.command(ticks.handlers().write(type, command));
    }

    @Override
    public void pause() {
        offer(batch -> batch.time(Batch.Request.PAUSE));
    }

    @Override
    public void resume() {
        offer(batch -> batch.time(Batch.Request.RESUME));
    }

    @Override
    public void step() {
        offer(batch -> batch.time(Batch.Request.STEP));
    }

    @Override
    public void timeScale(TimeScale scale) {
        Objects.requireNonNull(scale, "scale must not be null; for real time pass TimeScale.ONE, to stop time, pause");
        scale.times(rate()); // throws in the caller if the rate has no such scale
        offer(batch -> batch.scale(scale));
        scaleWanted = scale;
    }

    private void offer(Consumer<Batch.Writer> request) {
        answers.requireOpen();
        if (!client.offer(request)) {
            throw PendingAnswers.full();
        }
    }

    /** Returns the scale that this node requested last. */
    @Override
    public TimeScale timeScale() {
        return scaleWanted;
    }

    @Override
    public TickRate rate() {
        return ticks.rate();
    }

    @Override
    public Optional<Throwable> failure() {
        return service.failure();
    }

    @Override
    public boolean hasEnded() {
        return service.hasEnded();
    }

    @Override
    public ThreadGrants threadGrants() {
        return service.threadGrants();
    }

    @Override
    public MetricRing<TickMetric> tickMetrics() {
        return service.tickMetrics();
    }

    @Override
    public CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies) {
        return service.shapes(bodies);
    }

    @Override
    public CompletableFuture<List<BodyJoint>> joints(int max) {
        return service.joints(max);
    }

    private void run() {
        try {
            while (!closing && !service.hasEnded() && !aeron.hasEnded()) {
                if (aeron.tryToJoin()) {
                    client.input().enable();
                    work();
                } else {
                    answers.expire(); // sends no input, because the nodes that answer may have another world
                }
                LockSupport.parkNanos(PARK_NANOS);
            }
        } catch (Exception notBegun) { // Agrona also throws undeclared checked exceptions
            note(notBegun);
            ticks.fail(notBegun);
        } finally {
            leave();
        }
    }

    private void work() {
        tryTo(client::work);
        sayBehind();
        tryTo(aeron::purgeOld);
        aeron.progress.stuck(ticks.hashes.lastRun() + log.stateBytesRead()).ifPresent(ticks::fail);
    }

    private void tryTo(Runnable step) {
        try {
            step.run();
        } catch (Exception e) { // Agrona also throws undeclared checked exceptions
            note(e);
        }
    }

    /** Logs that this node has fallen behind, once until it has caught up. */
    private void sayBehind() {
        boolean wasBehind = isBehind;
        isBehind = lagNanos() > (wasBehind ? MAX_LAG_NANOS / 2 : MAX_LAG_NANOS);
        if (isBehind && !wasBehind) {
            note("a tick came " + TimeUnit.NANOSECONDS.toMillis(lagNanos())
                    + " ms after it was due; if this node was not down, its machine is too slow");
        }
    }

    /** Leaves the cluster, because a failed node must neither lead nor run ticks that others do not have. */
    private void leave() {
        boolean hasFailed = !closing;
        ticks.end();
        // Closes Aeron first, because only afterwards is it certain why the node has failed.
        CloseHelper.quietCloseAll(client::leave, aeron);
        Throwable cause = service.failure().orElse(null);
        if (hasFailed) {
            ticks.left(cause, aeron.progress::whyEnded);
        } else {
            answers.end(cause);
        }
    }

    private void note(Throwable error) {
        if (!closing) {
            note(AeronDriver.firstLine(error));
        }
    }

    private void note(String line) {
        System.getLogger("dev.escapement.cluster")
                .log(System.Logger.Level.WARNING, "Cluster, node " + node.number() + ": " + line);
    }

    /**
     * Ends this node, and waits at most 5 s, also for callbacks of its futures. The other nodes continue as long as they are a majority.
     * Idempotent.
     */
    @Override
    public void close() {
        long endNanos = System.nanoTime() + CLOSE_NANOS;
        closing = true;
        ticks.end();
        aeron.stopJoining();
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            CloseHelper.quietClose(aeron);
        } else {
            ThreadEnd.await(thread, CLOSE_NANOS); // the thread closes Aeron
        }
        service.close();
        answers.end(service.failure().orElse(null));
        answers.awaitCallbacks(endNanos - System.nanoTime());
    }
}
