package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jctools.queues.MpscArrayQueue;

/**
 * Sends inputs to the cluster, in numbered batches, at most one in {@value #BATCH_MILLIS} ms. A batch is kept until it is acknowledged; it
 * is sent again to a new leader, and after 200 ms without an acknowledgement.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Accepted input is applied once, in the order of acceptance, as long as this process lives and the cluster gets a leader again.</li>
 *   <li>Bounded memory: at most {@value #MAX_KEPT} batches wait for their acknowledgement. Then the queues fill up, and refuse.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread offers; the thread that calls {@link #work} makes all other calls.
 */
final class ClusterClient implements AutoCloseable {

    /** A connection to the leader of the cluster. */
    interface Link extends AutoCloseable {

        /** Looks for a leader, without waiting. Returns whether it is connected. */
        boolean connect(ClusterClient client);

        boolean isOpen();

        /** Receives messages, and passes them to the client. */
        void poll();

        /** Sends a batch. False if that is not possible now; otherwise it may still be lost. */
        boolean offer(DirectBuffer batch);

        /** Closes the connection. It can be connected again. */
        @Override
        void close();
    }

    private static final int BATCH_MILLIS = 8;

    /** At most this many batches in a row are kept: the cluster remembers, as bits of a long, which of them had room for their commands. */
    static final int MAX_KEPT = Long.SIZE;

    private static final int QUEUE = 4096;

    /** The size of the ring; as many events again wait outside it for their time. All of them have room in a batch. */
    static final int MAX_EVENTS = 2048;

    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(BATCH_MILLIS);
    private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** A client sends at least one batch in this time: a session ends, and a sender leaves, after a longer silence. */
    private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

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

    // Volatile: any thread sees them soon; nothing else is ordered by them.
    private volatile boolean joins;
    private volatile int sender;

    /** A client with a number that no other one has. */
    ClusterClient(long clientId, PendingAnswers answers, NanoClock clock, Link link) {
        this.answers = answers;
        input = new InputRing(MAX_EVENTS, clock);
        this.clock = clock;
        this.link = link;
        sampler = new InputSampler(input);
        next = new Batch.Writer(clientId);
        builtNanos = clock.nanoTime() - KEEP_ALIVE_NANOS;
    }

    InputRing input() {
        return input;
    }

    /** Lets the client become a sender before its first event. Any thread. */
    void join() {
        joins = true;
    }

    /** The number that the cluster has given this client as a sender; 0 until it has. Any thread. */
    int sender() {
        return sender;
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

    /** Adds another entry to the next batch, after all earlier ones, on the client's thread. False if there is no room. */
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
        sender = Acknowledgement.sender(acknowledgement, offset);
        long number = Acknowledgement.batchNumber(acknowledgement, offset);
        for (Iterator<SentBatch> batches = kept.iterator(); batches.hasNext(); ) {
            SentBatch batch = batches.next();
            if (batch.number == number) {
                acknowledgedNanos = batch.equals(kept.element()) ? clock.nanoTime() : acknowledgedNanos;
                batches.remove();
                for (int i = 0; i < batch.commands.size(); i++) {
                    PendingAnswers.Asked sent = batch.commands.get(i);
                    sent.stored(Acknowledgement.refusal(acknowledgement, offset, i, sent.type));
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
    @Override
    public void close() {
        input.close(); // later input would be in no batch
        if (link.isOpen()) {
            next.role(Batch.LEAVES);
            keep();
            send();
        }
        link.close();
    }
}
