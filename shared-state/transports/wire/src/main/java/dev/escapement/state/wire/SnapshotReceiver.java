package dev.escapement.state.wire;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.world.ReceivedWorld;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Receives a world: writes the ticks that arrive in packets into a local exchange, where readers see it as if it were simulated here.
 *
 * <pre>{@code
 * SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, System::nanoTime);
 * receiver.packet(packet, System.nanoTime());            // each packet that arrives
 * long nextNanos = receiver.run(System.nanoTime());      // publishes the ticks that are due
 * ...
 * FrameView view = FrameView.of(receiver.newReader());   // any thread, once it is ready
 * view.advance(System.nanoTime());
 * }</pre>
 *
 * <p>A tick is due here later than at the sender: late enough that nearly all ticks have arrived. Published ticks are consecutive. Poses
 * that are missing when a tick is due are {@linkplain Snapshot#isPredicted() predicted}, and prediction errors fade. If nothing comes for
 * long, the last picture stays. When packets come again, even from a restarted sender, ticks continue: a tick's number is the sender's
 * number plus {@link #tickShift()}. If another sender has the same world ({@link SnapshotSender#ofReplica}), the bodies continue, too. A
 * replica that is more than 1 s behind is not shown: it catches up, or has another world, which is shown after 10 s of silence.
 *
 * <p><b>Equal to the sender's</b>: ids, user data, poses within the bounds of the {@link WireFormat}, channels, the origin, inputs taken,
 * pauses, the speed of time. <b>Different</b>: due times are instants of the local clock; velocities are derived from the positions; {@code
 * sinceTick}, {@code teleports} and {@code reshapedTick} count from when the body was first seen here; a body that teleports in addition to
 * its motion just teleports; bodies that are not blended are blended; a quarantined body shows its last good pose without being marked; a
 * body beyond the range of the format is at its edge, and counted ({@link ReceiverMetric#CLAMPED_BODIES}); events are not sent.
 *
 * <p><b>Assumption.</b> One thread calls all methods but {@link #isReady}, {@link #newReader}, {@link #problem}, {@link #tickShift},
 * {@link #silentNanos} and {@link #metric}, which any thread may call.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Published ticks are consecutive, over losses, outages and restarts of the sender.
 *   <li>A snapshot equals the sender's, within the bounds of its format, or is marked as predicted.
 *   <li>No body jumps unless it jumped at the sender: errors of predictions fade, the smaller the sooner, within 0.1 s. Errors of up to ten
 *       times the bounds of the format, which nobody sees, are corrected at once.
 *   <li>The picture resumes after any outage, and becomes as young as possible.
 *   <li>No packet makes {@link #packet} or {@link #run} throw, or run for long.
 *   <li>Memory is bounded: 64 ticks of as many bodies as were allowed, about 60 bytes each, and 4,096 packets.
 * </ol>
 */
public final class SnapshotReceiver implements ReceivedWorld {

    private static final int MARGIN_TICKS = 8;

    /** A replica that is behind the shown world by more than this has an old state, or another world. */
    private static final double MAX_BEHIND_SECONDS = 1;

    /**
     * After this silence of the shown sender, a replica that is behind by more than {@link #MAX_BEHIND_SECONDS} counts as another world.
     * Until then it may be an old leader, which is the first to send again and will catch up.
     */
    private static final double MAX_WAIT_SECONDS = 10;

    /** The margin of the playout delay: a slightly longer wait makes the picture older, a shorter one makes it wrong. */
    private static final long MARGIN_NANOS = 1_000_000;

    /** The longest that a tick waits for late packets, beyond the delay of the fastest path. */
    private static final long MAX_DELAY_NANOS = 250_000_000;

    /** The maximum number of waiting packets that one call reads. */
    private static final int MAX_AT_ONCE = 64;

    private static final long ONE_SECOND_NANOS = 1_000_000_000L;

    private final ReceiverSettings settings;
    private final NanoClock clock;
    private final SnapshotDecoder decoder;
    private final PacketReader packets;
    private final PlayoutDelay delay;
    private final ReceiverMetrics metrics = new ReceiverMetrics();
    private final ArrivedPackets read = new ArrivedPackets();
    private int formerStream = -1;

    /**
     * True if the delays were measured while the world stood still. Such delays are too long, because the world's last tick was due long
     * before it was sent.
     */
    private boolean measuredStanding;

    /** The time of the stream's last information packet. For 1 s after it, information of the former stream is late, and refused. */
    private long heardNanos;

    private volatile @Nullable String problem;

    private volatile @Nullable String unanswered;

    /** The time of the last accepted packet. Volatile: any thread may read it. It orders nothing else. */
    private volatile long cameNanos;

    /** The playout; null until the world is known. Volatile: a thread that sees it sees its exchange complete. */
    private volatile @Nullable TickPlayout playout;

    /**
     * Creates a receiver that waits for packets.
     *
     * @param settings its bounds
     * @param clock    the local clock, by which readers make their frames
     */
    public SnapshotReceiver(ReceiverSettings settings, NanoClock clock) {
        this.settings = settings;
        this.clock = clock;
        decoder = new SnapshotDecoder(settings.maxBodies());
        packets = new PacketReader(decoder);
        delay = new PlayoutDelay(settings.quantile(), MARGIN_NANOS, MAX_DELAY_NANOS);
    }

    /**
     * Takes a packet.
     *
     * @param packet   any bytes, read from the buffer's position on
     * @param nowNanos when it arrived
     * @return whether it was accepted; refused packets are counted
     */
    public boolean packet(ByteBuffer packet, long nowNanos) {
        delay.runs(nowNanos);
        if (!isReady()) {
            cameNanos = nowNanos; // before the world is known, silence is counted from the last packet
        }
        int first = packet.hasRemaining() ? packet.get(packet.position()) : 0;
        boolean isInfo = first == StreamInfo.FIRST_BYTE;
        if (!isInfo && first >>> PacketHeader.FLAG_BITS == StreamInfo.KIND && !isReady()) {
            problem = "the sender has another version of the stream than this side; use the same one on both";
        }
        long undecodable = decoder.refused();
        boolean taken = isInfo ? info(StreamInfo.read(packet), nowNanos) : snapshot(packet, nowNanos);
        cameNanos = taken ? nowNanos : cameNanos;
        metrics.add(ReceiverMetric.REFUSED_PACKETS, (taken ? 0 : 1) + decoder.refused() - undecodable);
        return taken;
    }

    /** Begins another session: the sender may number packets from the start again. The received world stays. */
    public void beginSession() {
        read.forget();
        packets.forget();
    }

    /** Notes that the route of packets changes: delays measured so far say nothing about the new route. */
    public void forgetDelays() {
        delay.forget();
    }

    private boolean info(@Nullable StreamInfo read, long nowNanos) {
        StreamInfo known = decoder.info;
        if (read == null || (read.streamId() == formerStream && nowNanos - heardNanos < ONE_SECOND_NANOS)) {
            return false;
        }
        if (known != null
                && (!known.rate().equals(read.rate()) || !known.layout().equals(read.layout()))) {
            problem = "the sender now has " + read.rate() + " and " + read.layout() + ", but had " + known.rate()
                    + " and " + known.layout() + "; connect anew";
            return false;
        }
        boolean isNewStream = known == null || known.streamId() != read.streamId();
        if (known != null && isNewStream && mayCatchUp(known, read, nowNanos)) {
            return false;
        }
        if (known == null) {
            create(read);
        } else if (isNewStream) {
            formerStream = known.streamId();
            delay.forgetTicks();
            Objects.requireNonNull(playout).beginStream(isSameWorld(known, read));
        }
        if (isNewStream || nowNanos - heardNanos > ONE_SECOND_NANOS) {
            beginSession(); // packet numbers may have wrapped since the last information
        }
        if (isNewStream) {
            metrics.add(ReceiverMetric.STREAMS, 1);
        }
        if (known == null || isNewStream || known.newestTick() <= read.newestTick()) {
            decoder.expect(read);
        }
        heardNanos = nowNanos;
        return true;
    }

    /** Returns whether another replica is behind the shown world and may catch up, unless the shown sender was silent for long. */
    private boolean mayCatchUp(StreamInfo shown, StreamInfo other, long nowNanos) {
        double silentSeconds = (nowNanos - heardNanos) / (double) ONE_SECOND_NANOS;
        return shown.isReplica() && other.isReplica() && !isSameWorld(shown, other) && silentSeconds < MAX_WAIT_SECONDS;
    }

    private static boolean isSameWorld(StreamInfo before, StreamInfo now) {
        long maxBehind = (long) (MAX_BEHIND_SECONDS * now.rate().inHertz());
        return before.isReplica() && now.isReplica() && now.newestTick() >= before.newestTick() - maxBehind;
    }

    private void create(StreamInfo read) {
        // No longer, because older ticks are not kept.
        delay.atMost((SnapshotEncoder.TICKS - MARGIN_TICKS) * read.rate().nanosAt(1));
        SnapshotExchange created = new SnapshotExchange(
                TickPlayout.WINDOW_SIZE, settings.maxReaders(), 0, read.rate(), read.layout(), clock);
        playout = new TickPlayout(decoder, delay, metrics, read, created);
    }

    private boolean snapshot(ByteBuffer packet, long nowNanos) {
        StreamInfo known = decoder.info;
        if (known == null) {
            return false;
        }
        boolean taken = packets.take(packet);
        metrics.set(ReceiverMetric.LOST_PACKETS, packets.lost());
        for (int i = 0; i < MAX_AT_ONCE && packets.next(); i++) {
            read.add(decoder.packetNumber());
            boolean isUsual = packets.isUsual();
            if (isUsual || (known.standsStill() && !delay.isKnown())) {
                measure(known.standsStill(), nowNanos);
            }
        }
        return taken;
    }

    private void measure(boolean stands, long nowNanos) {
        if (measuredStanding && !stands) {
            delay.forget();
        }
        measuredStanding = stands && (measuredStanding || !delay.isKnown());
        long tick = decoder.packetTick();
        delay.arrived(tick, decoder.dueNanos(tick), nowNanos, decoder.isWhole(tick));
        metrics.set(ReceiverMetric.PLAYOUT_NANOS, delay.nanos() - delay.leastNanos());
    }

    /**
     * Writes feedback for {@link SenderSession#feedback}: the packets read and the packets lost. Send it every few ticks.
     *
     * @param to a buffer with room for 37 bytes
     */
    public void writeFeedback(ByteBuffer to) {
        StreamInfo known = decoder.info;
        read.write(to, known == null ? 0 : known.streamId());
        to.put((byte) (packets.lossPercent() << 1 | (packets.isMissingMuch() ? 1 : 0)));
    }

    /**
     * Publishes the ticks that are due.
     *
     * @param nowNanos the local clock now
     * @return when to call this again at the latest, unless a packet comes
     * @throws IllegalStateException if an error of the virtual machine has ended a publish
     */
    public long run(long nowNanos) {
        delay.runs(nowNanos);
        TickPlayout known = playout;
        return known == null ? nowNanos + TickPlayout.IDLE_NANOS : known.run(nowNanos);
    }

    /** {@return whether the world is known, so that readers can be created: true from the first information of the sender on} */
    @Override
    public boolean isReady() {
        return playout != null;
    }

    /**
     * {@return a reader of the received world, for the first thread that uses it}
     *
     * @throws IllegalStateException if nothing was received yet, or all readers are attached
     */
    @Override
    public SnapshotReader newReader() {
        TickPlayout known = playout;
        if (known == null) {
            throw new IllegalStateException(
                    "nothing was received from the sender yet; ask isReady() before a reader is created");
        }
        return known.exchange.attach();
    }

    /**
     * Sets why the transport gets no answer.
     *
     * @param why a sentence; null once an answer comes
     */
    public void unanswered(@Nullable String why) {
        unanswered = why;
    }

    @Override
    public Optional<String> problem() {
        String ofSender = problem;
        return Optional.ofNullable(ofSender == null ? unanswered : ofSender);
    }

    /**
     * {@return a tick's number here minus its number at the sender} The shift changes when ticks of the sender are not shown, because
     * nothing arrived for long, or the sender was started again.
     */
    public long tickShift() {
        TickPlayout known = playout;
        return known == null ? 0 : known.tickShift();
    }

    /**
     * {@return for how many nanoseconds nothing was received, by the local clock; 0 before the world is known} A sender whose world stands
     * still is not silent. The age of the picture is this time plus {@link ReceiverMetric#PLAYOUT_NANOS} plus the interpolation delay of a
     * frame.
     */
    @Override
    public long silentNanos() {
        return isReady() ? Math.max(0, clock.nanoTime() - cameNanos) : 0;
    }

    /**
     * {@return a metric's value so far}
     *
     * @param metric which one
     */
    public long metric(ReceiverMetric metric) {
        return metrics.get(metric);
    }
}
