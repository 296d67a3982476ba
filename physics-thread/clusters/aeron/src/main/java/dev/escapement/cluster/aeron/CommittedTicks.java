package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.transport.aeron.AeronDriver;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The ticks that the cluster has committed, on their way from the thread that reads the log to the physics thread: a run that is followed
 * while it goes on.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread gets each tick once, in order, with all that the log has before its cut, and waits for nothing.</li>
 *   <li>Events are in the order of their time, ties in that of the log. Those that happen while time stands still change what is held, and are
 *       in no tick.</li>
 * </ol>
 *
 * <p><b>Threads.</b> The log's thread offers, the physics thread takes. A tick allocates nothing for events, and for commands what they have.
 */
final class CommittedTicks implements TickSource, TickSource.Run, TickRing.Visitor {

    private final TickRate rate;
    private final long leadNanos;
    private final long client;
    private final PendingAnswers answers;

    /** The way of all this to the physics thread. The log's thread offers. */
    final TickRing ring;

    // Volatile: written by the log's thread, read by any; nothing else is ordered by it.
    private volatile boolean isLeader;

    // Volatile: the log's thread stops waiting soon after; nothing else is ordered by it.
    private volatile boolean ended;
    private final FirstFailure failure = new FirstFailure();

    private final TickHashes.Own hashes = new TickHashes.Own();

    /** Of the first tick that this node runs. Written before the tick is offered. */
    private long firstTick = 1;

    // Set once. Volatile: the physics thread that sees it sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    // Set and taken back by the log's thread. Volatile: any thread that sees it sees all of it.
    private volatile @Nullable Divergence dispute;

    // The rest is the physics thread's.
    private @Nullable CommandHandlers handlers;
    private @Nullable Restorable restorable;
    private @Nullable BodyStates bodies;
    private final NextTick next = new NextTick();
    private boolean ready;
    private long number;
    private TimeScale scale = TimeScale.ONE;
    private boolean standsStill;
    private long batchNanos;
    private long batchClient;
    private boolean batchPaused;
    private boolean batchRefused;

    private final InputBatch.Reader stage = new InputBatch.Reader() {
        @Override
        void event(InputKind kind, int code, float x, float y, int beforeNanos) {
            if (batchPaused) {
                next.level(kind, code, x);
            } else {
                next.event(batchClient, batchNanos - beforeNanos, kind, code, x, y);
            }
        }

        @Override
        void command(CommandData command) {
            String refusal = ReceivedBatches.refusal(handlers().handles(command.type()), !batchRefused, command.type());
            PendingAnswers.Asked own = batchClient == client ? answers.found(refusal) : null;
            if (refusal == null) {
                next.command(command, own);
            }
        }
    };

    /** Of a node whose own client has that number. */
    CommittedTicks(ClusterNode node, long client, PendingAnswers answers) {
        rate = node.rate();
        leadNanos = node.leadNanos();
        ring = new TickRing(node.mostWaiting(), this);
        this.client = client;
        this.answers = answers;
    }

    /** This node goes on after a tick. The log's thread, before it offers anything. */
    void beginAfter(long tick) {
        firstTick = tick + 1;
        hashes.beginAfter(tick);
    }

    /** Whether states are saved. Any thread, after {@link #open}. */
    boolean savesStates() {
        return restorable != null;
    }

    private Restorable restorable() {
        return Objects.requireNonNull(
                restorable,
                "a node of this cluster starts from a saved state, but its simulation is not Restorable;"
                        + " start it with an empty folder and a cluster that has saved none");
    }

    /** Those of the simulation. Any thread, after {@link #open}. */
    CommandHandlers handlers() {
        return Objects.requireNonNull(handlers, "no simulation runs yet");
    }

    /** Of the ticks that this node has run. */
    TickHashes.Own hashes() {
        return hashes;
    }

    /** No further tick is taken: who waits for room is to stop. Any thread. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** The log cannot be followed any more: no further tick runs here. Any thread. */
    void fail(Throwable cause) {
        failure.add(new IllegalStateException(
                "this node cannot follow the cluster any more: " + AeronDriver.firstLine(cause), cause));
    }

    /** Most other nodes have another state: no further tick runs here. Any thread. */
    void differs(Divergence found) {
        divergence.compareAndSet(null, found);
        failure.add(new IllegalStateException(
                "the state of this node differs from that of most others, so it ends: " + found));
    }

    /** Nodes have different states, and no majority says which is right: they go on. Null when most agree again. The log's thread. */
    void disputed(@Nullable Divergence found) {
        dispute = found;
    }

    /** Whether this node leads. The log's thread. */
    void leads(boolean leads) {
        isLeader = leads;
    }

    /** Whether this node leads. Any thread. */
    boolean isLeader() {
        return isLeader;
    }

    @Override
    public TickRate rate() {
        return rate;
    }

    @Override
    public TickSource open(Simulation simulation) {
        handlers = simulation.commands();
        bodies = simulation instanceof BodyStates states ? states : null;
        restorable = simulation instanceof Restorable saves && saves.restoresElsewhere() ? saves : null;
        return this;
    }

    @Override
    public void poll() {
        failure.cause().ifPresent(cause -> {
            throw (IllegalStateException) cause;
        });
        while (!ready && ring.read()) {
            // until the next cut
        }
    }

    @Override
    public boolean isReady() {
        return ready && failure.cause().isEmpty(); // otherwise poll() throws
    }

    @Override
    public void batch(long timestamp, boolean paused, boolean refused, DirectBuffer buffer, int offset, int length) {
        batchNanos = timestamp;
        batchPaused = paused;
        batchRefused = refused;
        batchClient = InputBatch.client(buffer, offset);
        stage.read(buffer, offset, length);
    }

    @Override
    public void tick() {
        ready = true;
    }

    @Override
    public void save(StateBuffer to) {
        next.save(to);
        restorable().save(to);
    }

    @Override
    public void restore(StateBuffer from) {
        next.restore(from);
        restorable().restore(from);
    }

    @Override
    public long nextTick(long expected) {
        return expected == 1 ? firstTick : expected;
    }

    @Override
    public long dueNanos(long expectedNanos) {
        return ring.tick.localDueNanos;
    }

    @Override
    public void take(long tick) {
        TickRing.Cut cut = ring.tick;
        if (tick != cut.number) {
            throw new IllegalStateException("tick " + tick + " is to run, but tick " + cut.number + " was committed");
        }
        number = tick;
        next.cut(cut.fromNanos, cut.dueNanos, leadNanos);
        scale = cut.scale;
        standsStill = cut.standsStill;
        ready = false;
        ring.taken();
    }

    @Override
    public InputFrame input(long localFromNanos, long dueHereNanos) {
        next.moveTo(localFromNanos, dueHereNanos);
        return next.input();
    }

    @Override
    public List<CommandData> commands() {
        return next.commands();
    }

    @Override
    public void runCommand(int command) {
        Answer<?> answer = null;
        Throwable thrown = null;
        try {
            answer = new Answer<>(
                    number, handlers().read(next.commands().get(command)).run(number));
        } catch (Throwable failed) { // as in a queue of commands
            thrown = failed;
        }
        PendingAnswers.Asked asked = next.asked(command);
        if (asked != null) {
            asked.complete(answer, thrown);
        }
    }

    /** Depends on the machine: it is the same on all nodes. */
    @Override
    public double budgetUsed(double measured) {
        return 0;
    }

    /** The same on all nodes. */
    @Override
    public boolean eventsWanted() {
        return true;
    }

    @Override
    public TimeScale scale(TimeScale requested) {
        return scale;
    }

    @Override
    public boolean standsStill() {
        return standsStill;
    }

    @Override
    public void compare(long stateHash) {
        hashes.ran(number, stateHash, bodies);
        next.forgetCommands();
    }

    @Override
    public Optional<Divergence> divergence() {
        Divergence found = divergence.get();
        return Optional.ofNullable(found == null ? dispute : found);
    }
}
