package dev.escapement.state.wire;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
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
 * <p>A tick is due here a while after it was due at the sender: so long that nearly all ticks have arrived. Published ticks are consecutive.
 * What is missing when a tick is due is {@linkplain Snapshot#isPredicted() predicted}, and what was predicted wrongly fades. If nothing
 * comes for long, the last picture stays. When packets come again, also from a sender that was started again, ticks go on: their numbers
 * are those of the sender plus {@link #tickShift()}.
 *
 * <p><b>What is as at the sender</b>: ids, user data, poses within the bounds of the {@link WireFormat}, channels, the origin, inputs taken,
 * pauses, the speed of time. <b>What differs</b>: due times are those of the local clock; velocities are derived from the positions;
 * {@code sinceTick} and {@code teleports} count from when the body was first seen here; a body that jumps in addition to its motion just
 * jumps; bodies that are not blended are blended; a quarantined body shows its last good pose without being marked; events are not sent.
 *
 * <p><b>Threads.</b> One, except {@link #isReady}, {@link #newReader}, {@link #problem} and the figures, which any thread may ask.
 * {@link #packet} throws for no bytes.
 */
public final class SnapshotReceiver {

    private static final int WINDOW_SIZE = 3;
    private static final double LONGEST_FILLED_SECONDS = 0.25;

    /** Frames lie between two ticks, so a wait that is a little longer than needed costs age, one that is too short costs truth. */
    private static final long MARGIN_NANOS = 1_000_000;

    private static final long IDLE_NANOS = 5_000_000;
    private static final long ONE_SECOND_NANOS = 1_000_000_000L;

    private final ReceiverSettings settings;
    private final NanoClock clock;
    private final SnapshotDecoder decoder;
    private final PlayoutDelay delay;
    private final AtomicLongArray figures = new AtomicLongArray(ReceiverFigure.values().length);

    private final ArrivedPackets arrived = new ArrivedPackets();
    private @Nullable StreamInfo info;
    private int formerStream = -1;

    /** Volatile: a thread that sees the exchange sees it complete. Written by the receiving thread. */
    private volatile @Nullable SnapshotExchange exchange;

    private volatile @Nullable String problem;

    private @Nullable Capture capture;
    private @Nullable ReceivedBodies bodies;
    private @Nullable PlayoutTimeline playout;
    private boolean started;

    /** Whether ticks of this stream are published. Before that, all of the world must have arrived. */
    private boolean joined;

    /** Whether a tick without bodies comes next, because another world follows. */
    private boolean empties;

    private long lastTick;

    /** The local number of a tick is that of the sender plus this. */
    private final AtomicLong shift = new AtomicLong();

    private int filledInARow;
    private int mostFilled;

    // The newest tick that was published as it is at the sender, and when it was due there.
    private long anchorTick;
    private long anchorDueNanos;

    /**
     * Creates a receiver that waits for packets.
     *
     * @param settings bounds and delays
     * @param clock    the local clock, by which readers make their frames
     */
    public SnapshotReceiver(ReceiverSettings settings, NanoClock clock) {
        this.settings = settings;
        this.clock = clock;
        decoder = new SnapshotDecoder(settings.mostBodies());
        delay = new PlayoutDelay(settings.quantile(), MARGIN_NANOS, settings.mostDelayNanos());
    }

    /**
     * Takes a packet.
     *
     * @param packet   any bytes; read from its position on
     * @param nowNanos when it arrived
     * @return whether it was of use; a packet that was not is counted
     */
    public boolean packet(ByteBuffer packet, long nowNanos) {
        add(ReceiverFigure.PACKETS, 1);
        add(ReceiverFigure.BYTES, packet.remaining());
        boolean isInfo = packet.hasRemaining() && packet.get(packet.position()) == StreamInfo.FIRST_BYTE;
        boolean taken = isInfo ? info(StreamInfo.read(packet)) : snapshot(packet, nowNanos);
        if (!taken) {
            add(ReceiverFigure.REFUSED_PACKETS, 1);
        }
        return taken;
    }

    /** The connection begins anew: the sender may number packets from the start again. What was received stays. */
    public void beginSession() {
        arrived.forget();
    }

    private boolean info(@Nullable StreamInfo read) {
        StreamInfo known = info;
        if (read == null || read.streamId() == formerStream) {
            return false;
        }
        if (known != null
                && (!known.rate().equals(read.rate()) || !known.layout().equals(read.layout()))) {
            problem = "the sender now has " + read.rate() + " and " + read.layout() + ", but had " + known.rate()
                    + " and " + known.layout() + "; connect anew";
            return false;
        }
        if (known == null) {
            create(read);
        } else if (known.streamId() != read.streamId()) {
            formerStream = known.streamId();
            arrived.forget();
            delay.forget();
            empties = started;
            joined = false;
        }
        if (known == null || known.streamId() != read.streamId()) {
            decoder.expect(read.streamId(), read.layout().channels().size());
            add(ReceiverFigure.STREAMS, 1);
        }
        info = read;
        return true;
    }

    private void create(StreamInfo read) {
        ReceivedBodies received = new ReceivedBodies(decoder, read.rate().dtSeconds());
        bodies = received;
        capture = new Capture(received, read.layout(), read.rate(), 0);
        playout = new PlayoutTimeline(read.rate());
        mostFilled = (int) Math.ceil(LONGEST_FILLED_SECONDS / read.rate().dtSeconds());
        exchange = new SnapshotExchange(WINDOW_SIZE, settings.maxReaders(), 0, read.rate(), read.layout(), clock);
    }

    private boolean snapshot(ByteBuffer packet, long nowNanos) {
        StreamInfo known = info;
        if (known == null || !decoder.decode(packet)) {
            return false;
        }
        add(ReceiverFigure.LOST_PACKETS, arrived.add(decoder.packetNumber()));
        long tick = decoder.packetTick();
        delay.arrived(tick, nowNanos - decoder.dueNanos(tick), decoder.isWhole(tick));
        set(ReceiverFigure.PLAYOUT_NANOS, delay.nanos() - delay.leastNanos());
        return true;
    }

    /**
     * Writes which packets have arrived, for {@link SnapshotSender.Receiver#feedback}. Send it every few ticks.
     *
     * @param to has room for 36 bytes
     */
    public void writeFeedback(ByteBuffer to) {
        StreamInfo known = info;
        arrived.write(to, known == null ? 0 : known.streamId());
    }

    /**
     * Publishes the ticks that are due.
     *
     * @param nowNanos the local clock now
     * @return when to call this again at the latest, unless a packet comes
     * @throws IllegalStateException if an error of the virtual machine has ended a publish
     */
    public long run(long nowNanos) {
        SnapshotExchange to = exchange;
        PlayoutTimeline due = playout;
        if (to == null || due == null || (!started && !join(due, nowNanos))) {
            return nowNanos + IDLE_NANOS;
        }
        if (due.isStanding() && !goOn(due, nowNanos)) {
            return nowNanos + IDLE_NANOS;
        }
        while (!due.isStanding() && nowNanos - due.dueNanos(lastTick + 1) >= 0) {
            if (stands()) {
                due.stand(lastTick);
                to.writer().publishAgain(due.timeline());
            } else {
                publish(to.writer(), due, nowNanos);
            }
        }
        return due.isStanding() ? nowNanos + IDLE_NANOS : due.dueNanos(lastTick + 1);
    }

    /** Begins with the newest tick of a stream, if all of the world is known. */
    private boolean join(PlayoutTimeline due, long nowNanos) {
        long first = decoder.newestTick();
        if (!delay.isKnown() || !decoder.knowsAll(first)) {
            return false;
        }
        if (!started) {
            started = true;
            lastTick = first - 1;
            due.start(first, wishedNanos(first, nowNanos));
        }
        begin(due, first, nowNanos);
        joined = true;
        return true;
    }

    private void begin(PlayoutTimeline due, long first, long nowNanos) {
        shift.setOpaque(lastTick + 1 - first);
        anchor(first);
        filledInARow = 0;
        if (due.isStanding()) {
            due.goOn(lastTick, Math.max(nowNanos, wishedNanos(first, nowNanos)));
        }
    }

    private void anchor(long tick) {
        anchorTick = tick;
        anchorDueNanos = decoder.dueNanos(tick);
    }

    /** When a tick should be due here. A sender that tells of a far future is not believed. */
    private long wishedNanos(long tick, long nowNanos) {
        long afterNow = decoder.dueNanos(tick) + delay.nanos() - nowNanos;
        return nowNanos + Math.min(afterNow, settings.mostDelayNanos() + ONE_SECOND_NANOS);
    }

    private long senderTick() {
        return lastTick - shift.getPlain();
    }

    /** Whether there is nothing to show after the last tick: the sender's time stands still, or nothing was heard for long. */
    private boolean stands() {
        if (empties) {
            return false;
        }
        StreamInfo known = info;
        boolean paused = known != null && known.standsStill() && known.newestTick() <= senderTick();
        return !joined || (decoder.newestTick() <= senderTick() && (paused || filledInARow >= mostFilled));
    }

    private boolean goOn(PlayoutTimeline due, long nowNanos) {
        if (empties) {
            due.goOn(lastTick, nowNanos);
            return true;
        }
        if (!joined) {
            return join(due, nowNanos);
        }
        long first = senderTick() + 1;
        long newest = decoder.newestTick();
        if (newest < first || !delay.isKnown()) {
            return false;
        }
        first = Math.max(first, newest - SnapshotEncoder.TICKS + 1);
        while (decoder.kept(first) == null) {
            first++;
        }
        begin(due, first, nowNanos);
        return true;
    }

    private void publish(SnapshotWriter writer, PlayoutTimeline due, long nowNanos) {
        long tick = lastTick + 1;
        long fromSender = senderTick() + 1;
        WireTick kept = joined ? decoder.kept(fromSender) : null;
        Snapshot snapshot = writer.nextSnapshot();
        snapshot.startTick(tick, due.dueNanos(tick));
        if (kept != null) {
            snapshot.inputsTaken(kept.inputsTaken);
        }
        capture(snapshot, writer.latest(), fromSender);
        writer.publish(due.timeline(), nowNanos);
        lastTick = tick;
        add(ReceiverFigure.TICKS, 1);
        empties = false;
        filledInARow = kept == null ? filledInARow + 1 : 0;
        if (joined) {
            follow(due, kept, nowNanos);
        }
    }

    private void capture(Snapshot snapshot, @Nullable Snapshot latest, long fromSender) {
        ReceivedBodies received = Objects.requireNonNull(bodies);
        received.next(fromSender, latest, empties);
        try {
            Objects.requireNonNull(capture).captureInto(snapshot, latest);
        } catch (Exception e) {
            throw new IllegalStateException("tick " + fromSender + " of the sender cannot be written", e);
        }
        snapshot.seal();
        if (!received.isTrue()) {
            snapshot.predicted();
        }
        if (!received.isWhole()) {
            add(ReceiverFigure.FILLED_TICKS, 1);
        }
    }

    /** Lets the next tick be due when it should be. */
    private void follow(PlayoutTimeline due, @Nullable WireTick kept, long nowNanos) {
        long fromSender = senderTick();
        if (kept != null) {
            scale(due, kept);
            anchor(fromSender);
        }
        long next = fromSender + 1;
        // If it has not arrived, it follows the newest one at the same pace.
        long known = decoder.kept(next) == null ? decoder.newestTick() : next;
        long aheadNanos = (next - known) * due.periodNanos();
        long givenUpNanos =
                decoder.dueNanos(known) + aheadNanos - anchorDueNanos - (next - anchorTick) * due.periodNanos();
        boolean gaveUp = known == next && givenUpNanos > due.periodNanos() / 2;
        due.follow(lastTick, wishedNanos(known, nowNanos) + aheadNanos, gaveUp);
    }

    private void scale(PlayoutTimeline due, WireTick kept) {
        try {
            due.senderScale(kept.scaleNumerator, kept.scaleDenominator, lastTick);
        } catch (IllegalArgumentException noScale) {
            add(ReceiverFigure.REFUSED_PACKETS, 1);
        }
    }

    /**
     * Whether the world is known, so that readers can be created.
     *
     * @return true from the first information of the sender on
     */
    public boolean isReady() {
        return exchange != null;
    }

    /**
     * Creates a reader of the received world.
     *
     * @return a reader for the first thread that uses it
     * @throws IllegalStateException if nothing was received yet, or all readers are attached
     */
    public SnapshotReader newReader() {
        SnapshotExchange known = exchange;
        if (known == null) {
            throw new IllegalStateException(
                    "nothing was received from the sender yet; ask isReady() before a reader is created");
        }
        return known.attach();
    }

    /**
     * What keeps the sender's world from being shown.
     *
     * @return a sentence, empty if there is none
     */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /**
     * The difference between the numbers of ticks here and at the sender. It changes where ticks of the sender are not shown, because
     * nothing arrived for long, or it was started again.
     *
     * @return what to add to a number of the sender
     */
    public long tickShift() {
        return shift.getOpaque();
    }

    /**
     * A figure.
     *
     * @param figure which one
     * @return its value so far
     */
    @SuppressWarnings("EnumOrdinal") // the enum names the places of the array
    public long figure(ReceiverFigure figure) {
        return figures.getOpaque(figure.ordinal());
    }

    @SuppressWarnings("EnumOrdinal")
    private void set(ReceiverFigure figure, long value) {
        figures.setOpaque(figure.ordinal(), value); // only this thread writes; any thread may read
    }

    private void add(ReceiverFigure figure, long count) {
        set(figure, figure(figure) + count);
    }
}
