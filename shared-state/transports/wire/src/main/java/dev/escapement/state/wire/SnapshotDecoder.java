package dev.escapement.state.wire;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets of a world that tell of its ticks, in any order and with any of them missing, and tells which ticks are whole. A
 * {@link PacketReader} gives them to it.
 *
 * <pre>{@code
 * reader.take(packet);
 * while (reader.next()) {
 *     acknowledge(decoder.packetNumber());
 *     if (decoder.isWhole(decoder.newestTick())) {
 *         decoder.read(decoder.newestTick(), snapshot);
 *     }
 * }
 * }</pre>
 *
 * <p>Any bytes are read or refused; memory is bounded by the number of bodies that it was told to expect. It trusts that packets come from
 * the sender that it belongs to: that is for the transport to make sure.
 *
 * <p>One thread. Allocates nothing once it has seen as many bodies and ticks as it keeps.
 */
public final class SnapshotDecoder {

    private static final int TICKS = SnapshotEncoder.TICKS;

    /** So far from a tick others are looked for that know what it lacks. */
    private static final int NEAR_TICKS = 16;

    /** Numbers of ticks beyond it are refused, so that sums and differences of numbers do not overflow. */
    private static final long MOST_TICK = 1L << 60;

    /** How much faster than it happened a recording is played. */
    double speed = 1;

    private boolean anyDue;
    private long firstDueNanos;
    private final int mostBodies;
    private final PacketHeader header = new PacketHeader();
    private final RangeDecoder range = new RangeDecoder(TickCoder.CONTEXTS);
    private final KeptContexts contexts = new KeptContexts();
    private final WireTick[] ticks = new WireTick[TICKS];
    private WireTick nothing = new WireTick(0, false);
    private int ticksPerSend;
    private @Nullable WireFormat format;
    private PoseCode code = PoseCode.of(WireFormat.EXACT);
    private TickCoder coder = new TickCoder(code, true, 0);
    private int streamId;

    // The only stream that is read; -1 if any is.
    private int expectedStream = -1;
    private int expectedChannels;
    private long expectedTick;
    private long expectedTicks;
    private long newestTick = Snapshot.NEVER_WRITTEN;

    /** Per chunk: the newest tick that told of it. A sender may say that there are many of which it never tells. */
    private long[] toldTicks = {};

    private long refused;

    /** Whether the packet that was to be read last tells what differs from a tick that is not known here. */
    private boolean needsOthers;

    /**
     * Creates a decoder that waits for a first packet.
     *
     * @param mostBodies how many slots a world has at most; packets that tell of more are refused
     */
    public SnapshotDecoder(int mostBodies) {
        this.mostBodies = mostBodies;
        Arrays.setAll(ticks, i -> new WireTick(0, false));
    }

    private void reset() {
        contexts.forget();
        ticksPerSend = header.ticksPerSend;
        if (channels() != header.channels || hasWorldSlots() != (ticksPerSend > 0)) {
            Arrays.setAll(ticks, i -> new WireTick(header.channels, ticksPerSend > 0));
            nothing = new WireTick(header.channels, ticksPerSend > 0);
        }
        for (WireTick tick : ticks) {
            tick.tick = Snapshot.NEVER_WRITTEN; // it keeps its arrays, which are large
        }
        Arrays.fill(toldTicks, Snapshot.NEVER_WRITTEN);
        newestTick = Snapshot.NEVER_WRITTEN;
    }

    /**
     * Reads a packet.
     *
     * @param packet the bytes from its position to its limit
     * @return whether it could be read, and is to be acknowledged
     */
    public boolean decode(ByteBuffer packet) {
        boolean isMine = header.read(packet, newestTick) && isExpected(header.streamId);
        needsOthers = isMine && format == null && header.baseAge != 0;
        if (needsOthers) {
            return false;
        }
        if (!isMine || Math.abs(header.tick / 2) > MOST_TICK / 2 || !isExpected()) {
            refused++;
            return false;
        }
        WireTick tick = ticks[at(header.tick)];
        if (tick.tick > header.tick || header.tick < oldestTick()) {
            refused++; // so late that nothing is to be done with it
            return false;
        }
        WireTick base = header.baseAge == 0 ? nothing : kept(header.tick - header.baseAge);
        WireTick second = header.secondAge == 0 || base == null ? base : kept(base.tick - header.secondAge);
        boolean hasContexts = header.contextsAge == 0 || contexts.has(header.tick - header.contextsAge);
        if (base == null || second == null || !hasContexts) {
            needsOthers = true;
            return false;
        }
        return read(packet, tick, base, second);
    }

    /** Whether the packet is of the stream that is read. A stream begins with packets that need nothing before them. */
    private boolean isExpected() {
        if (expectedStream >= 0 && Math.abs(header.tick - expectedTick) > expectedTicks) {
            return false;
        }
        if (format != null && header.streamId == streamId) {
            return true;
        }
        if (header.baseAge != 0
                || header.channels > PacketHeader.MOST_CHANNELS
                || (expectedStream >= 0 && header.channels != expectedChannels)) {
            return false;
        }
        try {
            format = new WireFormat(header.maxPositionError, header.maxRotationError);
        } catch (IllegalArgumentException noFormat) {
            return false;
        }
        streamId = header.streamId;
        code = PoseCode.of(format);
        coder = new TickCoder(code, true, mostBodies);
        reset();
        return true;
    }

    /** Whether packets of a stream are read. */
    boolean isExpected(int stream) {
        return expectedStream < 0 || stream == expectedStream;
    }

    /** Ticks before it are too late. */
    private long oldestTick() {
        return newestTick == Snapshot.NEVER_WRITTEN ? newestTick : newestTick - TICKS + 1;
    }

    /** Reads only packets of a stream from now on, with so many channels. */
    void expect(int stream, int channels) {
        expectedStream = stream;
        expectedChannels = channels;
        format = null;
        reset();
    }

    /** Refuses ticks that are farther away from a tick. */
    void expectNear(long tick, long ticks) {
        expectedTick = tick;
        expectedTicks = ticks + TICKS;
    }

    /** When a tick of which something is known was due at the sender, at the speed of a replay. */
    long dueNanos(long tick) {
        WireTick kept = kept(tick);
        if (kept == null || speed == 1) {
            return kept == null ? 0 : kept.dueNanos;
        }
        if (!anyDue) {
            anyDue = true;
            firstDueNanos = kept.dueNanos;
        }
        return firstDueNanos + (long) ((kept.dueNanos - firstDueNanos) / speed);
    }

    /** A tick near another one of which a chunk is known, the later ones last. */
    @Nullable
    WireTick near(long tick, int chunk) {
        if (chunk >= toldTicks.length || toldTicks[chunk] < tick - NEAR_TICKS) {
            return null;
        }
        for (long age = 0; age <= NEAR_TICKS; age++) {
            WireTick before = kept(tick - age);
            if (before != null && before.knows(chunk)) {
                return before;
            }
        }
        return later(tick, chunk);
    }

    /** The first tick after another one of which a chunk is known. */
    @Nullable
    WireTick later(long tick, int chunk) {
        for (long later = tick + 1; later <= Math.min(newestTick, tick + NEAR_TICKS); later++) {
            WireTick kept = kept(later);
            if (kept != null && kept.knows(chunk)) {
                return kept;
            }
        }
        return null;
    }

    /** How many chunks of the packet that was read last were not as in the base: the work that it took. */
    int changedChunks() {
        return coder.changedChunks();
    }

    /** Whether each chunk of a tick is known at it or a little before. */
    boolean knowsAll(long tick) {
        WireTick kept = kept(tick);
        int chunk = 0;
        while (kept != null && chunk < kept.chunks() && near(tick, chunk) != null) {
            chunk++;
        }
        return kept != null && chunk == kept.chunks();
    }

    PoseCode code() {
        return code;
    }

    /** How many ticks are left out from one that is sent to the next: after one that has arrived they are still to be expected. */
    int ticksLeftOut() {
        return Math.max(0, ticksPerSend - 1);
    }

    /** Whether the stream is of an interest. */
    private boolean hasWorldSlots() {
        return nothing.worldSlots != null;
    }

    /** The tick of the packet that was read last. */
    long packetTick() {
        return header.tick;
    }

    private static int at(long tick) {
        return (int) tick & (TICKS - 1);
    }

    /** A tick of which anything is known; null if nothing is, or it was too long ago. */
    @Nullable
    WireTick kept(long tick) {
        WireTick kept = ticks[at(tick)];
        return kept.tick == tick ? kept : null;
    }

    private boolean read(ByteBuffer packet, WireTick tick, WireTick base, WireTick second) {
        int bytes = packet.remaining();
        contexts.begin(header, range);
        range.begin(packet);
        boolean isNew = tick.tick != header.tick;
        coder.begin(header.tick, tick, base, second);
        int slots = coder.slots(range, 0);
        if (slots < 0 || slots > mostBodies || (!isNew && slots != tick.slots)) {
            refused++;
            return false;
        }
        int chunks = (slots + WireTick.CHUNK - 1) >> WireTick.CHUNK_SHIFT;
        int end = header.endChunk < 0 ? chunks : header.endChunk;
        if (header.firstChunk > end || end > chunks) {
            refused++;
            return false;
        }
        if (base != nothing && !(base.knows(header.firstChunk, end) && second.knows(header.firstChunk, end))) {
            needsOthers = true;
            return false;
        }
        if (isNew) {
            tick.begin(header.tick, slots);
            newestTick = Math.max(newestTick, header.tick);
        }
        coder.header(range);
        int chunk = header.firstChunk;
        while (chunk < end && !range.isBeyondEnd() && coder.mayChange(bytes)) {
            chunk += coder.chunk(range, chunk, chunk == header.firstChunk, end);
        }
        if (chunk < end || range.isBeyondEnd() || coder.hasWrongSlot()) {
            tick.forget(header.firstChunk, chunk);
            refused++;
            return false;
        }
        if (header.keepsContexts) {
            contexts.keep(header.tick, range);
        }
        told(end);
        return true;
    }

    private void told(int end) {
        int known = toldTicks.length;
        if (known < end) {
            toldTicks = Arrays.copyOf(toldTicks, Math.max(end, 2 * known));
            Arrays.fill(toldTicks, known, toldTicks.length, Snapshot.NEVER_WRITTEN);
        }
        for (int chunk = header.firstChunk; chunk < end; chunk++) {
            toldTicks[chunk] = Math.max(toldTicks[chunk], header.tick);
        }
    }

    /**
     * The number of the packet that was read last.
     *
     * @return what {@link AcknowledgedWriter#acknowledge} takes
     */
    public int packetNumber() {
        return header.number;
    }

    /**
     * The newest tick of which anything is known.
     *
     * @return its number, {@link Snapshot#NEVER_WRITTEN} before the first
     */
    public long newestTick() {
        return newestTick;
    }

    /**
     * Whether all of a tick is known.
     *
     * @param tick its number
     * @return false also if it was so long ago that it is not kept
     */
    public boolean isWhole(long tick) {
        WireTick kept = kept(tick);
        return kept != null && kept.isWhole();
    }

    /**
     * How exactly poses are sent.
     *
     * @return the sender's choice, null before the first packet
     */
    public @Nullable WireFormat format() {
        return format;
    }

    /**
     * How many channels the bodies of the stream have.
     *
     * @return 0 before the first packet
     */
    public int channels() {
        return nothing.channels.length;
    }

    /**
     * How many packets were refused: malformed, of another stream or version, too late, or of too many bodies.
     *
     * @return packets
     */
    public long refused() {
        return refused;
    }

    /** Whether the packet that could not be read last could be read once others have come. */
    boolean needsOthers() {
        return needsOthers;
    }

    /**
     * Writes a tick into a snapshot, all of it anew. Bodies of chunks that are not known are left out. Those at the edge of what the
     * {@link WireFormat} can tell are marked as quarantined: they may be beyond it.
     *
     * @param tick the tick
     * @param into has as many channels as the stream, and no velocities
     * @return false if nothing is known of the tick
     * @throws IllegalArgumentException if it has another number of channels
     */
    public boolean read(long tick, WritableSnapshot into) {
        WireTick kept = kept(tick);
        if (kept == null) {
            return false;
        }
        if (into.layout().channels().size() != channels()) {
            throw new IllegalArgumentException("a snapshot with "
                    + into.layout().channels().size() + " channels cannot take a stream with " + channels());
        }
        into.startTick(tick, kept.dueNanos);
        into.inputsTaken(kept.inputsTaken);
        into.origin(kept.originX, kept.originY, kept.originZ);
        into.publishedAt(kept.publishedNanos);
        into.resize(kept.slotsOfWorld());
        for (int b = 0; b < into.poses().blockCount(); b++) {
            BodyBlock bodies = into.bodyBlock(b);
            bodies.clear();
            bodies.changedAt(tick);
            into.motion(b).resetMotion(tick);
        }
        for (int slot = 0; slot < kept.slots; slot++) {
            int at = kept.worldSlot(slot);
            int b = at >> PoseBlock.SHIFT;
            if (!hasWorldSlots() || kept.hasBody(slot)) {
                kept.read(slot, code, into.bodyBlock(b), into.poses().block(b), at & PoseBlock.MASK);
            }
        }
        return true;
    }
}
