package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandType;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.transport.aeron.AeronDriver;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jctools.queues.MpscArrayQueue;

/**
 * Sends input and commands to a cluster from a process that is no node, for example a player's. The process receives snapshots with {@link
 * dev.escapement.transport.aeron.AeronReceiver#startOfReplicas}.
 *
 * <pre>{@code
 * try (AeronDriver driver = AeronDriver.embedded();
 *         ClusterSender sender = ClusterSender.start(driver, hosts, ClusterNode.FIRST_PORT, "player-7")) {
 *     sender.input().offer(System.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
 *     sender.command(Push.TYPE, new Push(3, 5)).join();   // now it is in the log
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Accepted input is applied once, in the order of acceptance, as long as this process lives and the cluster gets a leader again.</li>
 *   <li>Bounded memory: while the cluster acknowledges nothing, input and commands are refused once the queues are full.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class ClusterSender implements AutoCloseable {

    // A sender sends numbered batches, at most one in 8 ms, and keeps each until the cluster acknowledges it. It sends
    // kept batches again to a new leader, and after 200 ms without an acknowledgement. A node sends its own input with
    // a sender whose thread it does not start. Instead a thread of the node calls work() and all methods below it.

    interface Link {

        /** Looks for a leader, without waiting. Returns whether this link is connected to one. */
        boolean connect(ClusterSender sender);

        boolean isOpen();

        /** Receives messages, and passes them to the sender. */
        void poll();

        /** Sends a batch, which may be lost. Returns false if the link can send nothing now. */
        boolean offer(DirectBuffer batch);

        /** Closes the connection. {@link #connect} may open it again. */
        void close();
    }

    /**
     * Maximum number of batches from the oldest unacknowledged one to the newest. For so many of a client's last batches the cluster
     * remembers, in the bits of a long, whether it had room for their commands.
     */
    static final int MAX_KEPT = Long.SIZE;

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final int QUEUE = 4096;

    /**
     * Capacity of the ring of input. As many more events may wait outside the ring until their time comes. A batch has room for all of
     * them.
     */
    private static final int MAX_EVENTS = 2048;

    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * After this time without a batch, the sender sends an empty one. Without any batch, its session would end soon, and later the cluster
     * would count it as having left.
     */
    private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record SentBatch(long number, UnsafeBuffer bytes, List<PendingAnswers.Asked> commands) {}

    private final PendingAnswers answers;
    private final NanoClock clock;
    private final Link link;
    private final InputRing input;
    private final InputSampler sampler;
    private final Queue<Consumer<Batch.Writer>> requests = new MpscArrayQueue<>(QUEUE);
    private final Batch.Writer next;
    private final List<PendingAnswers.Asked> nextCommands = new ArrayList<>();
    private final Deque<SentBatch> kept = new ArrayDeque<>();
    private long lastNumber;
    private long lastSent;
    private long builtNanos;
    private long acknowledgedNanos;
    private long resentNanos;

    /** Calls {@link #work} in a process that is no node. A node does not start this thread. */
    private final Thread thread = new Thread(this::run, "escapement-cluster-sender");

    // Volatile: any thread sees changes of the fields below soon; nothing else is ordered by them.
    private volatile boolean joins;
    private volatile int senderNumber;
    private volatile boolean closing;

    /** Creates a sender. {@code clientId} is unique among all clients. */
    ClusterSender(long clientId, PendingAnswers answers, NanoClock clock, Link link) {
        this.answers = answers;
        input = new InputRing(MAX_EVENTS, clock);
        this.clock = clock;
        this.link = link;
        sampler = new InputSampler(input);
        next = new Batch.Writer(clientId);
        builtNanos = clock.nanoTime() - KEEP_ALIVE_NANOS;
        thread.setDaemon(true);
    }

    /**
     * Starts a sender. The cluster need not have a leader yet.
     *
     * @param driver    a driver that stays open until the sender is closed
     * @param hosts     the machines of all nodes, in their order
     * @param firstPort the {@link ClusterNode#firstPort} of the nodes
     * @param ownHost   a name or address of this machine that the nodes can reach
     * @return the sender, which the caller closes
     */
    public static ClusterSender start(AeronDriver driver, List<String> hosts, int firstPort, String ownHost) {
        return start(new AeronLink(driver::newClientContext, hosts, firstPort, ownHost, ClusterSender::note));
    }

    static ClusterSender start(Link link) {
        NanoClock clock = NanoClock.system();
        PendingAnswers answers =
                new PendingAnswers("the sender to the cluster", false, PendingAnswers.TIMEOUT_NANOS, clock);
        ClusterSender started = new ClusterSender(new SecureRandom().nextLong(), answers, clock, link);
        started.join();
        started.thread.start();
        return started;
    }

    /** {@return the ring for input to the next tick of all nodes; it refuses input when it is full} */
    public InputRing input() {
        return input;
    }

    /**
     * {@return the number that the cluster gave this process, as in {@link dev.escapement.state.input.InputEvent#sender}; 0 before it has
     * one} A process without input gets a number, too. The number stays the same when another node leads. It changes only after this
     * process was disconnected for more than 5 s. The cluster counts that as leaving, and the number may be 0 until the process joins
     * again. If there are more than 1,024 senders, the last ones have the number 0, and the cluster ignores their input until others leave.
     */
    public int sender() {
        return senderNumber;
    }

    /**
     * Runs a command on all nodes, before the same tick. The cluster does not send back its result. The future completes in one of three
     * ways:
     *
     * <ol>
     *   <li>normally: a majority of the nodes has stored the command, and each node runs it before its next tick
     *   <li>with a {@link java.util.concurrent.RejectedExecutionException}: the cluster refused the command for the reason in the message,
     *       and it never runs
     *   <li>with a {@link java.util.concurrent.TimeoutException}: it is unknown whether the command runs, because no answer came within 30
     *       s, or before the close
     * </ol>
     *
     * @param type    the command's type; without a handler for it in the simulation, the cluster refuses the command
     * @param command the command's data
     * @param <C>     the type of the data
     * @return the future, completed as above
     * @throws IllegalArgumentException if the type cannot write the data
     */
    public <C> CompletableFuture<Void> command(CommandType<C, ?> type, C command) {
        return command(CommandData.of(type, command)).thenApply(stored -> null);
    }

    private void run() {
        long endNanos = System.nanoTime() + LAST_NANOS; // set here, too, because close() may come before the first pass
        try {
            while (!closing || (!hasSentAll() && System.nanoTime() - endNanos < 0)) {
                if (!closing) {
                    endNanos = System.nanoTime() + LAST_NANOS;
                }
                try {
                    work();
                } catch (Exception e) { // Agrona also throws undeclared checked exceptions
                    note(e);
                }
                LockSupport.parkNanos(PARK_NANOS);
            }
        } finally {
            answers.end(null); // before leave(), which may throw
            leave();
        }
    }

    private static void note(Throwable error) {
        LOG.log(System.Logger.Level.WARNING, "Sender to a cluster: " + AeronDriver.firstLine(error));
    }

    /**
     * Waits up to 2 s until the cluster has all accepted input, fails all commands without an answer, and waits up to 2 s for callbacks.
     * Idempotent.
     */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread, CLOSE_NANOS);
        answers.awaitCallbacks(LAST_NANOS);
    }

    /** Joins as a sender of input with the next batch. Any thread may call it. */
    void join() {
        joins = true;
    }

    /** Adds a command to the next batch, if there is room. */
    <T> CompletableFuture<Answer<T>> command(CommandData command) {
        return answers.await(
                command.type(),
                asked -> offer(batch -> {
                    if (asked.mayBeSent()) {
                        batch.command(command);
                        nextCommands.add(asked);
                    }
                }));
    }

    /** Queues an entry, which {@link #work} adds to the next batch after all earlier ones. Returns false if the queue is full. */
    boolean offer(Consumer<Batch.Writer> request) {
        return requests.offer(request);
    }

    boolean hasSentAll() {
        return kept.isEmpty() && next.isEmpty() && requests.isEmpty() && sampler.pending() == 0;
    }

    /** Receives acknowledgements, builds a batch if one is due, and sends batches, without waiting. */
    void work() {
        answers.expire();
        long nowNanos = clock.nanoTime();
        if (nowNanos - builtNanos >= BATCH_NANOS && mayBuild()) {
            build(nowNanos);
        }
        if (link.isOpen() && !kept.isEmpty() && nowNanos - acknowledgedNanos > SILENCE_NANOS) {
            link.close(); // the cluster may have closed the session
        }
        if (!link.isOpen()) {
            if (link.connect(this)) {
                sendAllAgain();
                acknowledgedNanos = nowNanos;
            }
            return;
        }
        link.poll();
        if (kept.isEmpty()) {
            acknowledgedNanos = nowNanos;
        } else if (nowNanos - Math.max(acknowledgedNanos, resentNanos) > RESEND_NANOS) {
            sendAllAgain();
            resentNanos = nowNanos;
        }
        send();
    }

    /**
     * Returns false if the next batch would be {@link #MAX_KEPT} batches after the oldest kept one, because the cluster would then have
     * forgotten how to acknowledge that one.
     */
    private boolean mayBuild() {
        return kept.isEmpty() || lastNumber + 1 - kept.element().number < MAX_KEPT;
    }

    private void build(long nowNanos) {
        Consumer<Batch.Writer> request;
        while (next.hasRoom() && (request = requests.poll()) != null) {
            request.accept(next);
        }
        if (next.hasRoom()) {
            sampler.drainWhilePaused(nowNanos, false, (event, state) -> {
                if (event.kind().hasCode(event.code())) { // skips local joins and leaves: this process is one sender
                    joins = true;
                    next.event(event.kind(), event.code(), event.x(), event.y(), nowNanos - event.timeNanos());
                }
            });
        }
        if (!next.isEmpty() || (link.isOpen() && nowNanos - builtNanos >= KEEP_ALIVE_NANOS)) {
            builtNanos = nowNanos;
            next.role(joins ? Batch.JOINS : 0);
            keep();
        }
    }

    private void keep() {
        lastNumber++;
        kept.add(new SentBatch(lastNumber, new UnsafeBuffer(next.take(lastNumber)), List.copyOf(nextCommands)));
        nextCommands.clear();
    }

    /** Sends the kept batches that were not yet sent to the current leader. */
    private void send() {
        for (SentBatch batch : kept) {
            if (batch.number > lastSent) {
                if (!link.offer(batch.bytes)) {
                    return; // the next call sends the rest
                }
                lastSent = batch.number;
            }
        }
    }

    /**
     * Handles the acknowledgement of a batch, which says which of its commands are refused. If an acknowledgement is lost, the sender sends
     * the batch again.
     */
    void acknowledged(DirectBuffer acknowledgement, int offset) {
        senderNumber = Batch.Acknowledgement.sender(acknowledgement, offset);
        long number = Batch.Acknowledgement.batchNumber(acknowledgement, offset);
        for (Iterator<SentBatch> batches = kept.iterator(); batches.hasNext(); ) {
            SentBatch batch = batches.next();
            if (batch.number == number) {
                acknowledgedNanos = batch.equals(kept.element()) ? clock.nanoTime() : acknowledgedNanos;
                batches.remove();
                for (int i = 0; i < batch.commands.size(); i++) {
                    PendingAnswers.Asked sent = batch.commands.get(i);
                    sent.stored(Batch.Acknowledgement.refusal(acknowledgement, offset, i, sent.type));
                }
                return;
            }
        }
    }

    /** Lets the next {@link #work} send all kept batches again, because another leader may lack them, or an acknowledgement was lost. */
    void sendAllAgain() {
        lastSent = kept.isEmpty() ? lastNumber : kept.element().number - 1;
    }

    /** Sends once that this sender leaves. If the message is lost, the cluster notices the silence. */
    void leave() {
        input.close(); // later input would be in no batch
        try {
            if (link.isOpen()) {
                next.role(Batch.LEAVES);
                keep();
                send();
            }
        } finally {
            link.close();
        }
    }
}
