package dev.escapement.state.wire;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends a world: takes its ticks from a reader, and encodes them in packets for each receiver.
 *
 * <pre>{@code
 * SnapshotSender sender = new SnapshotSender(physics.newReader(), new WireFormat(0.001f, 0.003f), streamId);
 * SenderSession receiver = sender.newReceiver(address);
 * ...
 * long nextNanos = sender.run(now);
 * while (receiver.write(packet.clear(), now)) {
 *     channel.send(packet.flip(), address);
 * }
 * receiver.feedback(answer, now);   // what SnapshotReceiver.writeFeedback wrote
 * }</pre>
 *
 * <p>One thread, never the physics thread, so receivers do not slow the world. A receiver that reads nothing does not delay the others.
 */
public final class SnapshotSender implements AutoCloseable {

    private static final long NO_WINDOW_NANOS = 5_000_000;

    private static final long POLL_NANOS = 250_000;

    /** In slow motion, where the next tick is far away, the speed may change before it is due. */
    private static final long LOOK_NANOS = 10_000_000;

    static final long INFO_NANOS = 100_000_000;

    private static final double SECOND_NANOS = 1e9;

    /** The limit of all receivers together. Sending so much keeps a core busy. */
    private static final double MAX_BYTES_PER_SECOND = 40_000_000;

    /** The limit of receivers that have acknowledged nothing yet: dozens can join at once, but not for long. */
    private static final double NEW_BYTES_PER_SECOND = 30_000;

    private static final double NEW_BYTES = 8_000_000;

    /** The limit of all receivers together that no longer acknowledge anything. */
    private static final double SLOW_BYTES_PER_SECOND = 20_000;

    private static final int U16 = 0xFFFF;

    private final SnapshotReader reader;
    private final WireFormat format;
    final int streamId;
    private boolean isReplica;

    @Nullable
    SnapshotEncoder encoder;

    TickRate rate = TickRate.hertz(1);
    private PoseLayout layout = PoseLayout.PLAIN;
    boolean stands;

    final SharedBudget ofProven = new SharedBudget(MAX_BYTES_PER_SECOND, MAX_BYTES_PER_SECOND);
    final SharedBudget ofNew = new SharedBudget(NEW_BYTES_PER_SECOND, NEW_BYTES);
    final SharedBudget ofSlow = new SharedBudget(SLOW_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND);
    private @Nullable Function<SocketAddress, @Nullable Interest> interests;
    private InterestSettings interestSettings = InterestSettings.DEFAULT;
    int views;

    /**
     * Creates a sender.
     *
     * @param reader   a reader that nothing else uses
     * @param format   the precision of poses
     * @param streamId distinguishes this stream from an earlier one of the same world, best a random number; 16 bits
     */
    public SnapshotSender(SnapshotReader reader, WireFormat format, int streamId) {
        this.reader = reader;
        this.format = format;
        this.streamId = streamId & U16;
    }

    /**
     * Declares that other senders have the same world, tick for tick, each with another stream id. A receiver that loses this sender
     * continues with another. Call it before anything else.
     *
     * @return this
     */
    public SnapshotSender ofReplica() {
        isReplica = true;
        return this;
    }

    /**
     * Takes the ticks that were published since the last call.
     *
     * @param nowNanos the clock of the world now
     * @return when to call this again
     */
    public long run(long nowNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return nowNanos + NO_WINDOW_NANOS;
        }
        Window window = reader.window();
        SnapshotEncoder to = encoder;
        if (to == null) {
            rate = window.timeline().rate();
            layout = window.newest().layout();
            int longestGap = interests == null ? 1 : (int) Math.ceil(interestSettings.ticksPerSend(rate));
            to = new SnapshotEncoder(format, layout, streamId, longestGap);
            encoder = to;
        }
        for (int i = 0; i < window.size(); i++) {
            if (window.snapshot(i).tick() > to.newestTick()) {
                to.take(window.snapshot(i), i == 0 ? null : window.snapshot(i - 1), window.timeline());
            }
        }
        ofProven.begin(nowNanos);
        ofNew.begin(nowNanos);
        ofSlow.begin(nowNanos);
        stands = window.timeline().isPaused();
        long nextDueNanos = stands ? nowNanos : window.timeline().dueNanos(window.newestTick() + 1);
        // subtracts before comparing, because instants may wrap
        return nowNanos + Math.max(POLL_NANOS, Math.min(LOOK_NANOS, nextDueNanos - nowNanos));
    }

    /**
     * Gives each client that a server accepts an interest of its own.
     *
     * <p>A client gets only the bodies of its interest, with the ids of the world. A body that enters the interest appears there, and a
     * body that leaves it vanishes. Call this before anything else.
     *
     * <pre>{@code
     * sender.interests(address -> near.computeIfAbsent(address, joins -> new InterestRegion(60)), InterestSettings.DEFAULT);
     * }</pre>
     *
     * @param of       returns the interest of the client at an address; null for the whole world. The sender's thread calls it when the
     *                 client joins
     * @param settings how often and how much the sender sends to each client
     * @return this
     */
    public SnapshotSender interests(Function<SocketAddress, @Nullable Interest> of, InterestSettings settings) {
        interests = Objects.requireNonNull(of, "there is no function");
        interestSettings = Objects.requireNonNull(settings, "there are no settings");
        return this;
    }

    /**
     * {@return a new session for a client, which encodes its packets and takes its feedback: with its interest, or of the whole world}
     *
     * @param address the client's address, by which {@link #interests} knows it
     */
    public SenderSession newReceiver(SocketAddress address) {
        Function<SocketAddress, @Nullable Interest> known = interests;
        return new SenderSession(this, known == null ? null : known.apply(address), interestSettings);
    }

    /**
     * {@return the writer of the packets for any number of receivers that do not answer, over a transport that sends lost packets again,
     * and keeps the order}
     */
    public Broadcast newBroadcast() {
        return new Broadcast();
    }

    StreamInfo info(SnapshotEncoder from) {
        return new StreamInfo(streamId, from.newestTick(), stands, isReplica, rate, format, from.ticksPerSend, layout);
    }

    /** {@return the newest tick that was taken; {@link Snapshot#NEVER_WRITTEN} before the first} */
    public long newestTick() {
        return encoder == null ? Snapshot.NEVER_WRITTEN : encoder.newestTick();
    }

    /** Closes the reader. */
    @Override
    public void close() {
        reader.close();
    }

    /**
     * A stream to any number of receivers that do not answer: all get the same packets. A refresh sends the whole world once in {@value
     * #REFRESH_SECONDS} s. A receiver that joins late waits for the next refresh to begin and to end: once to twice that time. Used by the
     * thread of the sender.
     */
    public final class Broadcast {

        private static final double REFRESH_SECONDS = 0.5;

        private @Nullable BroadcastWriter writer;
        private long informedNanos;
        private boolean informedOfStanding;

        private Broadcast() {}

        /**
         * Writes the next packet, if it is time for one.
         *
         * @param packet   a buffer with room for {@value SenderSession#MAX_PACKET_BYTES} bytes
         * @param nowNanos the clock now
         * @return false if there is nothing to send now
         * @throws IllegalArgumentException if there is less room
         */
        public boolean write(ByteBuffer packet, long nowNanos) {
            SenderSession.checkRoom(packet);
            SnapshotEncoder from = encoder;
            if (from == null) {
                return false;
            }
            BroadcastWriter to = writer;
            boolean isFirst = to == null;
            if (to == null) {
                to = new BroadcastWriter(from, (int) Math.ceil(REFRESH_SECONDS * rate.inHertz()));
                writer = to;
            }
            if (isFirst || stands != informedOfStanding || nowNanos - informedNanos >= INFO_NANOS) {
                informedNanos = nowNanos;
                informedOfStanding = stands;
                if (stands) {
                    to.repeat((int) Math.ceil(rate.inHertz() * INFO_NANOS / SECOND_NANOS));
                }
                info(from).write(packet);
                return true;
            }
            return to.write(packet);
        }
    }
}
