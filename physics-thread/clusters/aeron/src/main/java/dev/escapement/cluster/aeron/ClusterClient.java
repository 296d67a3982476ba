package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.logbuffer.Header;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends inputs to the cluster, in numbered batches, at most one in {@value #BATCH_MILLIS} ms. A batch is kept until it is acknowledged, and
 * sent again to a new leader, or if that takes long.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>What was accepted is applied once, in the order of acceptance, as long as this process lives and the cluster has a leader again.</li>
 *   <li>Bounded memory: {@value #MOST_KEPT} batches wait for their acknowledgement. Then nothing is taken from the queues, which refuse.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread offers; the rest is that of {@link #work}.
 */
final class ClusterClient implements EgressListener, AutoCloseable {

    private static final int BATCH_MILLIS = 8;
    private static final int MOST_KEPT = 64;
    private static final int QUEUE = 4096;

    /** Of the ring: as many more wait for their time, and all of them have room in a batch. */
    static final int MOST_EVENTS = 2048;

    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(BATCH_MILLIS);
    private static final long RESEND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long KEEP_ALIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private record Batch(long number, UnsafeBuffer bytes) {}

    private final NanoClock clock;
    private final Function<EgressListener, AeronCluster.AsyncConnect> connector;
    private final InputRing input;
    private final InputSampler sampler;
    private final Queue<Consumer<InputBatch>> requests = new MpscArrayQueue<>(QUEUE);
    private final InputBatch next;
    private final Deque<Batch> kept = new ArrayDeque<>();
    private final Consumer<InputBatch> addToEach;
    private final long client;
    private long lastNumber;
    private long lastSent;
    private long sentNanos;
    private long builtNanos;
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster connection;

    /** A client with a number that no other one has. {@code addToEach} may add something to each batch before it is sent. */
    ClusterClient(
            long client,
            NanoClock clock,
            Consumer<InputBatch> addToEach,
            Function<EgressListener, AeronCluster.AsyncConnect> connector) {
        this.addToEach = addToEach;
        this.client = client;
        input = new InputRing(MOST_EVENTS, clock);
        this.clock = clock;
        this.connector = connector;
        sampler = new InputSampler(input);
        next = new InputBatch(client);
        builtNanos = clock.nanoTime();
    }

    InputRing input() {
        return input;
    }

    /** Adds a command to the next batch, and tells when it is in one. False if there is no room. */
    boolean offer(CommandData command, Runnable inBatch) {
        return requests.offer(batch -> {
            batch.command(command);
            inBatch.run();
        });
    }

    boolean offer(InputBatch.Request request) {
        return requests.offer(batch -> batch.time(request));
    }

    boolean offer(TimeScale scale) {
        return requests.offer(batch -> batch.scale(scale));
    }

    /** Does what is to be done now, and does not wait. */
    void work() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - builtNanos >= BATCH_NANOS && kept.size() < MOST_KEPT) {
            build(nowNanos);
        }
        AeronCluster cluster = connection;
        if (cluster == null || cluster.isClosed()) {
            connect();
            return;
        }
        cluster.pollEgress();
        cluster.pollStateChanges();
        if (nowNanos - sentNanos > RESEND_NANOS && !kept.isEmpty()) {
            lastSent = kept.element().number - 1;
        }
        boolean sent = send(cluster);
        if (sent || (nowNanos - sentNanos > KEEP_ALIVE_NANOS && kept.isEmpty() && cluster.sendKeepAlive())) {
            sentNanos = nowNanos;
        }
    }

    private void build(long nowNanos) {
        addToEach.accept(next);
        Consumer<InputBatch> request;
        while (next.hasRoom() && (request = requests.poll()) != null) {
            request.accept(next);
        }
        if (next.hasRoom()) {
            sampler.drainWhilePaused(nowNanos, (event, state) -> {
                next.event(event.kind(), event.code(), event.x(), event.y(), nowNanos - event.timeNanos());
            });
        }
        if (!next.isEmpty()) {
            builtNanos = nowNanos;
            lastNumber++;
            kept.add(new Batch(lastNumber, new UnsafeBuffer(next.take(lastNumber))));
        }
    }

    /** Sends what was not sent to this leader. */
    private boolean send(AeronCluster cluster) {
        boolean sent = false;
        Iterator<Batch> batches = kept.iterator();
        while (batches.hasNext()) {
            Batch batch = batches.next();
            if (batch.number > lastSent) {
                long result = cluster.offer(batch.bytes, 0, batch.bytes.capacity());
                if (result == Publication.ADMIN_ACTION) {
                    result = cluster.offer(batch.bytes, 0, batch.bytes.capacity());
                }
                if (result <= 0) {
                    return sent; // later
                }
                lastSent = batch.number;
                sent = true;
            }
        }
        return sent;
    }

    private void connect() {
        CloseHelper.quietClose(connection);
        connection = null;
        lastSent = kept.isEmpty() ? lastNumber : kept.element().number - 1;
        try {
            if (connecting == null) {
                connecting = connector.apply(this);
            }
            connection = connecting.poll();
            if (connection != null) {
                connecting = null;
                sentNanos = clock.nanoTime();
            }
        } catch (RuntimeException noLeaderYet) {
            CloseHelper.quietClose(connecting);
            connecting = null;
        }
    }

    @Override
    public void onMessage(long session, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {
        if (length == CommittedLog.ACKNOWLEDGEMENT_BYTES && buffer.getLong(offset) == client) {
            long number = buffer.getLong(offset + Long.BYTES);
            while (!kept.isEmpty() && kept.element().number <= number) {
                kept.remove();
            }
        }
    }

    @Override
    public void onNewLeader(long session, long term, int leader, String endpoints) {
        lastSent = kept.isEmpty() ? lastNumber : kept.element().number - 1;
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(connecting, connection);
    }
}
