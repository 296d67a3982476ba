package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.transport.aeron.AeronDriver;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the committed ticks from the thread that reads the log to the physics thread, which follows them as a {@link TickSource.Run}.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread gets each tick once, in order, with all input before it in the log, and never waits.</li>
 *   <li>Events are in the order of their time, ties in the order of the log. Events during a pause only change the levels, for example
 *       which keys are down, and are in no tick. The exception is the end of a drag, which is in the next tick.</li>
 * </ol>
 *
 * <p><b>Threads.</b> The thread that reads the log offers ticks, the physics thread takes them. A tick allocates only its commands' data.
 */
final class CommittedTicks implements TickSource, TickSource.Run {

    private final ClusterNode node;
    private final long clientId;
    private final PendingAnswers answers;

    final TickRing ring;

    // Volatile: the thread that reads the log sees it soon, and stops waiting for room; nothing else is ordered by it.
    private volatile boolean ended;
    private final FirstFailure failure = new FirstFailure();

    final TickHashes.Own hashes = new TickHashes.Own();

    /** The first tick that this node runs. The thread that reads the log writes it before it offers that tick. */
    private long firstTick = 1;

    // Written by the thread that reads the log. Volatile: a thread that sees the divergence sees all of it.
    private volatile TickSource.@Nullable Divergence divergence;

    // Written by open(), before any other thread uses these ticks.
    private @Nullable CommandHandlers handlers;
    private @Nullable Restorable restorable;

    // The fields below belong to the physics thread.
    private final NextTick next = new NextTick();
    private TickRing.@Nullable Cut ready;
    private TickRing.Cut taken = new TickRing.Cut(0, 0, 0, 0, TimeScale.ONE, false);

    /** Creates the ticks of a node. {@code clientId} is the number of the node's own client. */
    CommittedTicks(ClusterNode node, long clientId, PendingAnswers answers) {
        this.node = node;
        ring = new TickRing(node.maxTicks());
        this.clientId = clientId;
        this.answers = answers;
    }

    /** Sets the tick after which the node continues. Called by the thread that reads the log, before it offers anything. */
    void beginAfter(long tick) {
        firstTick = tick + 1;
        hashes.beginAfter(tick);
    }

    /** Whether this node saves states. Any thread may call it after {@link #open}. */
    boolean savesStates() {
        return restorable != null;
    }

    private Restorable restorable() {
        if (restorable == null) {
            throw new IllegalStateException(
                    "a state is to be saved or restored, but the simulation is not Restorable, or"
                            + " not in another process; run the one that the cluster has, and request no snapshot by Aeron's tools");
        }
        return restorable;
    }

    /** Returns the simulation's command handlers. Any thread may call it after {@link #open}. */
    CommandHandlers handlers() {
        return Objects.requireNonNull(handlers, "no simulation runs yet");
    }

    /** Ends the ticks. The thread that reads the log then stops waiting for room. Any thread may call it. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Fails the node, because it cannot follow the log any more: no further tick runs here. Any thread may call it. */
    void fail(Throwable cause) {
        failure.add(new IllegalStateException(
                "this node cannot follow the cluster any more: " + AeronDriver.firstLine(cause), cause));
    }

    /**
     * Ends the node after it has left the cluster by itself. Commands without an answer fail with the node's first failure. Any thread may
     * call it.
     *
     * @param ofService the failure of the physics thread; null if it has not failed, or has not read a failure of these ticks yet
     * @param reason    the reason why the node has left, if no failure came before
     */
    void left(@Nullable Throwable ofService, Supplier<Throwable> reason) {
        if (ofService == null && failure.cause().isEmpty()) {
            fail(reason.get());
        }
        answers.end(ofService == null ? failure.cause().orElseThrow() : ofService);
    }

    /**
     * Ends this node, because a majority has another state. No further tick runs here. Unless the node had failed before, {@link
     * #divergence} keeps returning {@code found}. Called by the thread that reads the log.
     */
    void endAsDiffering(TickSource.Divergence found) {
        noteDivergence(found);
        failure.add(new IllegalStateException("the state of this node differs from that of most others, so it ends: "
                + found + "; delete " + node.folder() + " and start it: it continues from the leader's state"));
    }

    /**
     * Notes that nodes have different states without a majority, and continues. {@code found} is null when a majority agrees again. Called
     * by the thread that reads the log.
     */
    void noteDivergence(TickSource.@Nullable Divergence found) {
        divergence = failure.cause().isEmpty() ? found : divergence;
    }

    @Override
    public TickRate rate() {
        return node.rate();
    }

    @Override
    public TickSource open(Simulation simulation) {
        handlers = simulation.commands();
        restorable = simulation
                .capability(Restorable.class)
                .filter(Restorable::restoresElsewhere)
                .orElse(null);
        return this;
    }

    @Override
    public void poll() {
        failure.cause().ifPresent(cause -> {
            throw (IllegalStateException) cause;
        });
        TickRing.RingEntry entry;
        while (ready == null && (entry = ring.poll()) != null) {
            read(entry);
        }
    }

    @Override
    public boolean isReady() {
        return ready != null && failure.cause().isEmpty(); // if it has failed, poll() throws
    }

    private void read(TickRing.RingEntry entry) {
        if (entry instanceof TickRing.Inputs inputs) {
            next.joined(inputs.sender(), inputs.nowNanos(), inputs.paused());
            List<Batch.Entry> entries = inputs.batch().entries();
            for (int i = 0; i < entries.size(); i++) {
                stage(entries.get(i), inputs);
            }
        } else if (entry instanceof TickRing.Left left) {
            next.left(left.sender(), left.atNanos());
        } else if (entry instanceof TickRing.Cut cut) {
            ready = cut;
        } else if (entry instanceof TickRing.Save save) {
            StateBuffer state = new StateBuffer();
            next.save(state);
            restorable().save(state);
            save.state().setRelease(state);
        } else if (entry instanceof TickRing.Restore restore) {
            next.restore(restore.state());
            restorable().restore(restore.state());
        }
    }

    private void stage(Batch.Entry entry, TickRing.Inputs inputs) {
        if (entry instanceof Batch.Event event) {
            if (inputs.sender() != 0) {
                next.event(inputs.sender(), inputs.nowNanos() - event.beforeNanos(), event, inputs.paused());
            }
        } else if (entry instanceof Batch.Command command) {
            CommandName type = command.data().type();
            String refusal = Batch.Acknowledgement.refusal(handlers().handles(type), inputs.hasRoom(), type);
            PendingAnswers.Asked own = inputs.batch().clientId() == clientId ? answers.found(refusal) : null;
            if (refusal == null) {
                next.command(command.data(), own);
            }
        }
    }

    @Override
    public long nextTick(long expected) {
        return expected == 1 ? firstTick : expected;
    }

    @Override
    public long dueNanos(long expectedNanos) {
        return ready().localDueNanos();
    }

    @Override
    public void take(long tick) {
        taken = ready();
        if (tick != taken.number()) {
            throw new IllegalStateException(
                    "tick " + tick + " is to run, but tick " + taken.number() + " was committed");
        }
        next.take(taken.fromNanos(), taken.dueNanos(), node.leadNanos());
        ready = null;
        ring.taken();
    }

    private TickRing.Cut ready() {
        return Objects.requireNonNull(ready, "isReady has returned false");
    }

    @Override
    public InputFrame input(long localFromNanos, long localDueNanos) {
        next.moveTo(localFromNanos, localDueNanos);
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
                    taken.number(),
                    handlers().read(next.commands().get(command)).run(taken.number()));
        } catch (Throwable failed) { // fails this command only; later ones run
            thrown = failed;
        }
        PendingAnswers.Asked asked = next.asked(command);
        if (asked != null) {
            asked.complete(answer, thrown);
        }
    }

    /** Returns 0 on each node, because the measured value depends on the machine, and the state must not depend on it. */
    @Override
    public double budgetUsed(double measured) {
        return 0;
    }

    /** Returns true on each node, because the simulation's state may depend on whether events are wanted. */
    @Override
    public boolean eventsWanted() {
        return true;
    }

    /** Returns the scale that the log had after the last tick. After a pause, time resumes with the scale of the next tick. */
    @Override
    public TimeScale scale(TimeScale requested) {
        return taken.standsStill() && ready != null ? ready.scale() : taken.scale();
    }

    @Override
    public boolean standsStill() {
        return taken.standsStill();
    }

    @Override
    public void compare(TickHook.Stepped stepped) {
        hashes.ran(taken.number(), stepped.stateHash());
        next.forgetCommands();
    }

    @Override
    public Optional<TickSource.Divergence> divergence() {
        return Optional.ofNullable(divergence);
    }
}
