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
 * Sends inputs to a cluster from a process that is no node, for example a player's. The process receives snapshots with
 * {@link dev.escapement.transport.aeron.AeronReceiver#startOfReplicas}.
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
    // them again to a new leader, and after 200 ms without an acknowledgement.
    //
    // A node sends its own input with a sender whose thread it does not start: a thread of the node calls work() and
    // all methods below it.

    /** A connection to the leader of the cluster. */
    interface Link {

        /** Looks for a leader, without waiting. Returns whether it is connected. */
        boolean connect(ClusterSender sender);

        boolean isOpen();

        /** Receives messages, and passes them to the sender. */
        void poll();

        /** Sends a batch. False if that is not possible now; otherwise it may still be lost. */
        boolean offer(DirectBuffer batch);

        /** Closes the connection. It can be connected again. */
        void close();
    }

    /** At most this many batches in a row are kept: the cluster remembers, as bits of a long, which of them had room for their commands. */
    static final int MAX_KEPT = Long.SIZE;

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final int QUEUE = 4096;

    /** The size of the ring; as many events again wait outside it for their time. All of them have room in a batch. */
    private static final int MAX_EVENTS = 2048;

    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A sender sends at least one batch in this time: a session ends, and a sender leaves, after a longer silence. */
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

    /** Sends the input of a player; a node does not start it. */
    private final Thread thread = new Thread(this::run, "escapement-cluster-sender");

    // Volatile: any thread sees them soon; nothing else is ordered by them.
    private volatile boolean joins;
    private volatile int senderNumber;
    private volatile boolean closing;

    /** Creates a sender, whose number as a client no other one has. */
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
     * Starts a sender, also if the cluster has no leader yet.
     *
     * @param driver    a driver that stays open until this is closed
     * @param hosts     the machines of all nodes, in their order
     * @param firstPort the {@link ClusterNode#firstPort} of the nodes
     * @param ownHost   a name or address of this machine that the nodes can reach
     * @return a sender, to be closed
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

    /** {@return the ring that takes input for the next tick of all nodes, and refuses when it is full} */
    public InputRing input() {
        return input;
    }

    /**
     * {@return the number of this process in {@link dev.escapement.state.input.InputEvent#sender}, which the cluster gives; 0 until it has}
     * It needs no input for that, and stays the same when another node leads. It changes only after this process was cut off for more than
     * 5 s: then it had left, and may be 0 until it joins again. Of more than 1,024 senders, the last have the
     * number 0, and their input is ignored until others leave.
     */
    public int sender() {
        return senderNumber;
    }

    /**
     * Runs a command on all nodes, before the same tick. Its result is not sent back. The future completes in one of three ways:
     *
     * <ol>
     *   <li>normally: a majority of the nodes has stored it, and it runs on each before its next tick
     *   <li>with a {@link java.util.concurrent.RejectedExecutionException}: it is refused for the reason in the message, and never runs
     *   <li>with a {@link java.util.concurrent.TimeoutException}: unknown whether it runs: no answer came within 30 s, or before this
     *       was closed
     * </ol>
     *
     * @param type    the type; without a handler for it in the simulation, the command is refused
     * @param command the data
     * @param <C>     its type
     * @return completed as above
     * @throws IllegalArgumentException if it cannot be written
     */
    public <C> CompletableFuture<Void> command(CommandType<C, ?> type, C command) {
        return command(CommandData.of(type, command)).thenApply(stored -> null);
    }

    private void run() {
        long endNanos = System.nanoTime() + LAST_NANOS; // also if this is closed before the first turn
        try {
            while (!closing || (!hasSentAll() && System.nanoTime() - endNanos < 0)) {
                if (!closing) {
                    endNanos = System.nanoTime() + LAST_NANOS;
                }
                try {
                    work();
                } catch (Exception e) { // Agrona throws checked ones, too
                    note(e);
                }
                LockSupport.parkNanos(PARK_NANOS);
            }
        } finally {
            answers.end(null); // first, because leave() may throw
            leave();
        }
    }

    private static void note(Throwable error) {
        LOG.log(System.Logger.Level.WARNING, "Sender to a cluster: " + AeronDriver.firstLine(error));
    }

    /** Waits up to 2 s until the cluster has all accepted input; then commands without an answer fail. Idempotent. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread, CLOSE_NANOS);
    }

    /** Joins as a sender of input with the next batch. Any thread. */
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

    /** Adds another entry to the next batch, after all earlier ones, in {@link #work}. False if there is no room. */
    boolean offer(Consumer<Batch.Writer> request) {
        return requests.offer(request);
    }

    /** Whether the cluster has all input that was offered. */
    boolean hasSentAll() {
        return kept.isEmpty() && next.isEmpty() && requests.isEmpty() && sampler.pending() == 0;
    }

    /** Receives, builds and sends what is due now, without waiting. */
    void work() {
        answers.expire();
        long nowNanos = clock.nanoTime();
        if (nowNanos - builtNanos >= BATCH_NANOS && mayBuild()) {
            build(nowNanos);
        }
        if (link.isOpen() && !kept.isEmpty() && nowNanos - acknowledgedNanos > SILENCE_NANOS) {
            link.close(); // perhaps the cluster has closed the session
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

    /** False if the oldest kept batch would be {@link #MAX_KEPT} behind: its acknowledgement would be forgotten. */
    private boolean mayBuild() {
        return kept.isEmpty() || lastNumber + 1 - kept.element().number < MAX_KEPT;
    }

    private void build(long nowNanos) {
        Consumer<Batch.Writer> request;
        while (next.hasRoom() && (request = requests.poll()) != null) {
            request.accept(next);
        }
        if (next.hasRoom()) {
            sampler.drainWhilePaused(nowNanos, (event, state) -> {
                if (event.kind().hasCode(event.code())) { // not that one here has joined or left: all are one sender
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

    /** Sends what was not sent to this leader. */
    private void send() {
        for (SentBatch batch : kept) {
            if (batch.number > lastSent) {
                if (!link.offer(batch.bytes)) {
                    return; // later
                }
                lastSent = batch.number;
            }
        }
    }

    /** The cluster has a batch; the acknowledgement says which of its commands are refused. If it is lost, the batch is sent again. */
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

    /** Sends all batches again that are not acknowledged: another leader may lack them, or the acknowledgement was lost. */
    void sendAllAgain() {
        lastSent = kept.isEmpty() ? lastNumber : kept.element().number - 1;
    }

    /** Tells the cluster that this sender leaves, if it hears it now; otherwise it notices the silence. */
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
