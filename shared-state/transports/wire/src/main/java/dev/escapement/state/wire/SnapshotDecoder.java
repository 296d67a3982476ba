package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets of a world's ticks, in any order and with any of them missing, and reports which ticks are whole. A
 * {@link PacketReader} passes them to it.
 *
 * <p>Reads or refuses any bytes; memory is bounded by the bytes and the slots that have arrived, and by the given number of bodies. The
 * decoder trusts that packets come from its sender: the transport must authenticate them.
 *
 * <p>One thread. Allocates nothing once the decoder has seen as many bodies and ticks as it keeps.
 */
final class SnapshotDecoder {

    private static final int TICKS = SnapshotEncoder.TICKS;

    /** The maximum distance of a packet's tick from the sender's newest tick, in seconds; packets of other ticks are refused. */
    private static final double MAX_AHEAD_SECONDS = 10;

    /** The maximum distance in ticks at which the decoder looks for a chunk that a tick lacks. */
    private static final int NEAR_TICKS = 16;

    /** The number of slots that all ticks together may have, however little has arrived: enough for worlds of 8,192 slots. */
    private static final long FREE_SLOTS = TICKS << 13;

    /**
     * The number of slots beyond {@link #FREE_SLOTS} for each arrived byte, and for each slot of a packet that was read. So all ticks have
     * enough slots once a world has arrived.
     */
    private static final int SLOTS_EACH = TICKS;

    private final int maxBodies;
    private final PacketHeader header = new PacketHeader();
    private final RangeDecoder range = new RangeDecoder(TickCoder.CONTEXTS);
    private final KeptContexts contexts = new KeptContexts();
    private final WireTick[] ticks = new WireTick[TICKS];
    private WireTick nothing = new WireTick(0);

    /** The code of poses; an arbitrary one until {@link #expect} names the format of the stream. */
    private PoseCode code = new PoseCode(new WireFormat(1, 0.1f));

    private TickCoder coder = new TickCoder(code, true, 0);

    /** The newest information of the only stream that is read; null before the first. */
    @Nullable
    StreamInfo info;

    private long expectedTicks;
    private long newestTick = Snapshot.NEVER_WRITTEN;

    /** Per chunk that has arrived: the newest tick with it. Chunks that a sender announces and never sends take no memory here. */
    private long[] reportedTicks = {};

    private long refused;

    /** The number of slots for which all ticks have memory. Limited, so that a packet of a few bytes cannot announce very many. */
    private long roomSlots;

    private long arrived;

    /** Whether the last packet that could not be read may become readable once other packets arrive. */
    private boolean needsOthers;

    SnapshotDecoder(int maxBodies) {
        this.maxBodies = maxBodies;
        Arrays.setAll(ticks, i -> new WireTick(0));
    }

    /** Restricts reading to packets of one stream, and to ticks that are not far from its newest one. */
    void expect(StreamInfo newer) {
        boolean isSame = isExpected(newer.streamId());
        info = newer;
        expectedTicks = (long) (MAX_AHEAD_SECONDS * newer.rate().inHertz()) + TICKS;
        if (isSame) {
            return;
        }
        int channels = newer.layout().channels().size();
        if (nothing.channelCount != channels) {
            Arrays.setAll(ticks, i -> new WireTick(channels));
            nothing = new WireTick(channels);
            roomSlots = 0;
        }
        for (WireTick tick : ticks) {
            tick.tick = Snapshot.NEVER_WRITTEN; // the tick keeps its large arrays for reuse
        }
        code = new PoseCode(newer.format());
        coder = new TickCoder(code, true, newer.ticksPerSend() > 0 ? maxBodies : 0);
        contexts.forget();
        Arrays.fill(reportedTicks, Snapshot.NEVER_WRITTEN);
        newestTick = Snapshot.NEVER_WRITTEN;
    }

    /** Reads a packet, from its position to its limit. Returns whether it was read, and must be acknowledged. */
    boolean decode(ByteBuffer packet) {
        needsOthers = false;
        boolean isMine = header.read(packet, nearTick()) && isExpected(header.streamId);
        WireTick tick = ticks[at(header.tick)];
        boolean isLate = tick.tick > header.tick
                // the packet's tick is too old to be used
                || (newestTick != Snapshot.NEVER_WRITTEN && newestTick - header.tick >= TICKS);
        if (!isMine || isLate || Math.abs(header.tick - info().newestTick()) > expectedTicks) {
            refused++;
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

    /** Returns a tick near the ticks of arriving packets, for {@link PacketHeader#read}. */
    long nearTick() {
        return Math.max(info().newestTick(), newestTick);
    }

    StreamInfo info() {
        return Objects.requireNonNull(info, "no stream is known");
    }

    boolean isExpected(int stream) {
        StreamInfo known = info;
        return known != null && stream == known.streamId();
    }

    /** Returns when a tick was due at the sender; 0 if nothing of the tick is known. */
    long dueNanos(long tick) {
        WireTick kept = kept(tick);
        return kept == null ? 0 : kept.dueNanos;
    }

    /** Returns {@code tick} or one near it at which a chunk is known; null if there is none. Prefers ticks that are not later. */
    @Nullable
    WireTick near(long tick, int chunk) {
        if (chunk >= reportedTicks.length || reportedTicks[chunk] < tick - NEAR_TICKS) {
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

    /** Returns the first tick after {@code tick} at which a chunk is known; null if there is none. */
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

    /** Returns the number of chunks of the last packet that differed from the base: a measure of the work to read it. */
    int changedChunks() {
        return coder.changedChunks();
    }

    /** Returns whether each chunk of a tick is known at that tick or at one near it. */
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

    /** Returns the tick of the packet that was read last. */
    long packetTick() {
        return header.tick;
    }

    private static int at(long tick) {
        return (int) tick & (TICKS - 1);
    }

    /** Returns a tick of which anything is known; null if nothing is, or the tick is too old. */
    @Nullable
    WireTick kept(long tick) {
        WireTick kept = ticks[at(tick)];
        return kept.tick == tick ? kept : null;
    }

    private boolean read(ByteBuffer packet, WireTick tick, WireTick base, WireTick second) {
        int bytes = packet.remaining();
        arrived += bytes;
        contexts.begin(header, range);
        range.begin(packet);
        boolean isNew = tick.tick != header.tick;
        coder.begin(header.tick, tick, base, second);
        int slots = coder.slots(range, 0);
        boolean fits = slots <= tick.room() || roomSlots + slots <= FREE_SLOTS + SLOTS_EACH * arrived;
        if (slots < 0 || slots > maxBodies || (isNew ? !fits : slots != tick.slots)) {
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
            roomSlots -= tick.room();
            tick.begin(header.tick, slots);
            roomSlots += tick.room();
            newestTick = Math.max(newestTick, header.tick);
        }
        coder.header(range);
        int chunk = header.firstChunk;
        while (chunk < end && !range.isBeyondEnd() && coder.mayChange(bytes)) {
            coder.chunk(range, chunk++);
        }
        if (chunk < end || range.isBeyondEnd() || coder.hasWrongSlot()) {
            tick.forget(header.firstChunk, chunk);
            refused++;
            return false;
        }
        if (header.keepsContexts) {
            contexts.keep(header.tick, range);
        }
        // Slots count, too, because one byte can code many unchanged ones.
        arrived += (long) (end - header.firstChunk) << WireTick.CHUNK_SHIFT;
        reported(end);
        return true;
    }

    private void reported(int end) {
        int known = reportedTicks.length;
        if (known < end) {
            reportedTicks = Arrays.copyOf(reportedTicks, Math.max(end, 2 * known));
            Arrays.fill(reportedTicks, known, reportedTicks.length, Snapshot.NEVER_WRITTEN);
        }
        for (int chunk = header.firstChunk; chunk < end; chunk++) {
            reportedTicks[chunk] = Math.max(reportedTicks[chunk], header.tick);
        }
    }

    /** Returns the number of the packet that was read last. */
    int packetNumber() {
        return header.number;
    }

    long newestTick() {
        return newestTick;
    }

    boolean isWhole(long tick) {
        WireTick kept = kept(tick);
        return kept != null && kept.isWhole();
    }

    /** Returns how many packets were refused: malformed, of another stream or version, too old, or of too many bodies. */
    long refused() {
        return refused;
    }

    boolean needsOthers() {
        return needsOthers;
    }
}
