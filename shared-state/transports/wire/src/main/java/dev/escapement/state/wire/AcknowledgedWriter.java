package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes packets for one receiver that acknowledges them. Each packet contains the differences from a tick that the receiver has
 * acknowledged, so the receiver can read it even if all packets in between were lost.
 *
 * <p>While losses stay short, the writer trusts the receiver, that is, assumes that it has or can repair all packets. Each packet then
 * contains the differences from the packets before it, which takes fewer bytes, and {@linkplain RepairCode repair packets} replace lost
 * ones. The more packets are {@linkplain #losses lost}, the more repair packets it writes. When a receiver {@linkplain #distrust misses}
 * packets for long, the writer stops trusting it for a while, for few ticks if many packets are lost.
 *
 * <p>If a new tick comes before all chunks of the previous tick were written, the writer continues with the new tick at the first unwritten
 * chunk. So a slow connection gets some bodies with each tick, and all bodies within several ticks.
 *
 * <p>Used by the thread of the {@link SnapshotEncoder}.
 */
final class AcknowledgedWriter {

    private static final int TICKS = SnapshotEncoder.TICKS;

    /** The number of latest packets that the writer remembers. It ignores acknowledgements of older ones. */
    static final int PACKETS = 4096;

    private static final int U16 = 0xFFFF;

    /**
     * The first number of ticks without a report of missing packets after which the writer trusts the receiver, that is, assumes that it
     * has or can repair all packets. Each report that ends the trust while few packets are lost doubles it, up to {@link #MAX_CALM_TICKS};
     * a long time without a report resets it.
     */
    private static final int MIN_CALM_TICKS = 512;

    private static final int MAX_CALM_TICKS = 16 * MIN_CALM_TICKS;

    /**
     * The number of ticks from the receiver's last report of missing packets until the writer trusts it again, if single packets are lost
     * steadily. It is small because the writer sends no repair packets without trust, so the receiver misses more poses. It suffices for
     * the receiver to read packets again and to stop reporting.
     */
    private static final int SHORT_CALM_TICKS = 8;

    /** The maximum number of ticks by which a delta base that all chunks share may be older than a single chunk's newest base. */
    private static final int MAX_OLDER = 3;

    /** A packet that is not acknowledged yet. */
    private static final class Sent {
        private int number = -1;
        private long tick;
        private int firstChunk;
        private int endChunk;
        private boolean keepsContexts;
    }

    private final SnapshotEncoder encoder;
    private final TickCoder coder;
    private final RangeEncoder range = new RangeEncoder(TickCoder.CONTEXTS, 2 * SenderSession.MAX_PACKET_BYTES);
    private final RangeEncoder marked = new RangeEncoder(TickCoder.CONTEXTS, 2 * SenderSession.MAX_PACKET_BYTES);
    private final PacketHeader header = new PacketHeader();
    private final Sent[] sent = new Sent[PACKETS];
    private final WireTick nothing;
    private final RepairWriter repairs;

    /** The acknowledged ticks per chunk: bit n mod 64 is set if the receiver has acknowledged the chunk at tick n. */
    private long[] acknowledged = {};

    /**
     * The ticks per chunk, tick n in bit n mod 64, at which the receiver has acknowledged the chunk or is trusted to have it. Packets may
     * contain the differences from any of these ticks.
     */
    private long[] known = {};

    private final KeptContexts contexts = new KeptContexts();
    private long contextsAcknowledged;
    private long contextsKnown;
    private final boolean isBroadcast;

    /** False if the encoder leaves out ticks, because the packets after a lost one would then wait too long for its repair packet. */
    private final boolean mayTrust;

    private boolean trusts;

    /** True if the receiver had acknowledged all of the previous tick when this one began. Trust and repair packets then save nothing. */
    private boolean answersAtOnce;

    /** The tick in which the receiver last reported missing packets, or first answered; {@link Snapshot#NEVER_WRITTEN} until then. */
    private long distrustedTick = Snapshot.NEVER_WRITTEN;

    private int calmTicks = MIN_CALM_TICKS;
    private int lossPercent;

    private int number;
    private long tick = Snapshot.NEVER_WRITTEN;
    private int nextChunk;
    private int restChunks;
    private boolean keptContexts;

    /** The ticks of which the receiver has all chunks, one bit each: tick n has bit n mod 64. */
    private long everywhere;

    /** Creates a writer that begins with the whole world. It always trusts a broadcast's receivers: the transport loses nothing. */
    AcknowledgedWriter(SnapshotEncoder encoder, boolean isBroadcast) {
        this.encoder = encoder;
        this.isBroadcast = isBroadcast;
        trusts = isBroadcast;
        mayTrust = encoder.ticksPerSend == 0;
        repairs = new RepairWriter(encoder.streamId);
        coder = new TickCoder(encoder.code, false, encoder.ticksPerSend > 0 ? Integer.MAX_VALUE : 0);
        nothing = new WireTick(encoder.channelCount);
        Arrays.setAll(sent, i -> new Sent());
        header.streamId = encoder.streamId;
    }

    /** Writes the next packet of the newest tick, with as many chunks as fit. Returns false if all of the tick was written before. */
    boolean write(ByteBuffer packet) {
        if (repairs.isDue()) {
            repairs.write(packet);
            return true;
        }
        WireTick newest = encoder.newest();
        if (newest == null) {
            return false;
        }
        if (newest.tick != tick) {
            begin(newest);
        }
        if (restChunks == 0) {
            return false;
        }
        WireTick base = newestKnown(nextChunk, tick - 1);
        WireTick second = base == nothing ? nothing : newestKnown(nextChunk, base.tick - 1);
        second = second == nothing ? base : second;
        describe(base, second);
        header.endChunk = 0; // assumes the longest header, because the end is not known yet
        int end = encode(newest, base, second, RepairCode.MAX_BYTES - header.bytes() - 2);
        remember(end);
        header.endChunk = end == newest.chunks() ? -1 : end;
        header.isChained = trusts && !needsOnlyAcknowledged(base, second, end);
        int start = packet.position();
        header.write(packet);
        packet.put(range.bytes(), 0, range.end());
        if (trusts && !isBroadcast) {
            repairs.sent(header.number, packet, start, !answersAtOnce);
        }
        restChunks = newest.slots == 0 ? 0 : restChunks - (end - nextChunk);
        nextChunk = end == newest.chunks() ? 0 : end;
        return true;
    }

    private void begin(WireTick newest) {
        int chunks = newest.chunks();
        if (known.length < chunks) {
            acknowledged = Arrays.copyOf(acknowledged, chunks);
            known = Arrays.copyOf(known, chunks);
        }
        // Tick n reuses the bit of tick n - 64, so this clears the bits of all ticks after the previous one.
        long forgotten = tick == Snapshot.NEVER_WRITTEN || newest.tick - tick >= TICKS
                ? -1
                : Long.rotateLeft((1L << (newest.tick - tick)) - 1, (int) (tick + 1));
        contextsAcknowledged &= ~forgotten;
        contextsKnown &= ~forgotten;
        tick = newest.tick;
        if (distrustedTick != Snapshot.NEVER_WRITTEN) {
            trusts |= mayTrust && tick - distrustedTick > (lossPercent > 0 ? SHORT_CALM_TICKS : calmTicks);
            calmTicks = tick - distrustedTick > calmTicks + MAX_CALM_TICKS ? MIN_CALM_TICKS : calmTicks;
        }
        everywhere = chunks == 0 ? 0 : -1;
        long everywhereAcknowledged = everywhere;
        for (int chunk = 0; chunk < known.length; chunk++) {
            acknowledged[chunk] &= ~forgotten;
            known[chunk] &= ~forgotten;
            everywhere &= chunk < chunks ? known[chunk] : -1;
            everywhereAcknowledged &= chunk < chunks ? acknowledged[chunk] : -1;
        }
        answersAtOnce = (everywhereAcknowledged >>> (tick - 1) & 1) != 0;
        // Continues at the first unwritten chunk. If there is none, begins at chunk 0: a packet cannot continue from
        // the last chunk at the first, so beginning elsewhere would take one more packet.
        nextChunk = restChunks > 0 && nextChunk < chunks ? nextChunk : 0;
        restChunks = Math.max(1, chunks); // a world without bodies takes one packet, too
        keptContexts = false;
    }

    /**
     * Returns the newest tick, at most {@code latest}, at which the receiver knows a chunk. Prefers a tick at which it knows all chunks, if
     * that is at most {@link #MAX_OLDER} ticks older, because only chunks with the same bases share a packet.
     */
    private WireTick newestKnown(int chunk, long latest) {
        WireTick own = newest(chunk < known.length ? known[chunk] : 0, latest);
        WireTick common = newest(everywhere, latest);
        return common != nothing && own.tick - common.tick <= MAX_OLDER ? common : own;
    }

    private WireTick newest(long bits, long latest) {
        int age = age(bits, latest);
        WireTick found = age == Long.SIZE || tick - (latest - age) >= TICKS ? null : encoder.tick(latest - age);
        return found == null ? nothing : found;
    }

    /**
     * Returns how many ticks before {@code latest} the newest tick of {@code bits} is, among those up to {@code latest}; 64 if {@code bits}
     * is 0. If it has later ticks only, these count as the oldest.
     */
    private static int age(long bits, long latest) {
        // Rotates the bit of tick latest to the top, so that the leading zeros count the ticks back from it. Bits of
        // later ticks wrap to the bottom, and count as the oldest.
        return Long.numberOfLeadingZeros(Long.rotateLeft(bits, (int) (Long.SIZE - 1 - latest)));
    }

    private void describe(WireTick base, WireTick second) {
        header.number = number;
        header.tick = tick;
        header.baseAge = base == nothing ? 0 : (int) (tick - base.tick);
        header.secondAge = second == base ? 0 : (int) (base.tick - second.tick);
        header.firstChunk = nextChunk;
        header.keepsContexts = !keptContexts;
        int contextsAge = 1 + age(contextsKnown, tick - 1);
        header.contextsAge = contextsAge < TICKS ? contextsAge : 0;
    }

    /** Codes as many chunks as fit, and returns the index after the last of them. */
    private int encode(WireTick newest, WireTick base, WireTick second, int maxBytes) {
        int end = code(newest, base, second, maxBytes);
        if (end == nextChunk && newest.slots > 0) {
            // Not even one chunk fits, perhaps because the contexts (adaptive probabilities) have adapted to very
            // different chunks. With fresh contexts each bit takes about a bit, so a chunk fits.
            header.contextsAge = 0;
            end = code(newest, base, second, maxBytes);
        }
        return end;
    }

    private int code(WireTick newest, WireTick base, WireTick second, int maxBytes) {
        contexts.begin(header, range);
        range.begin();
        coder.begin(tick, newest, base, second);
        coder.slots(range, newest.slots);
        coder.header(range);
        int chunk = nextChunk;
        int end = sameBases(Math.min(newest.chunks(), nextChunk + restChunks), base, second);
        int markedChunk = chunk;
        int markedBytes = range.size();
        int largestChunk = 0;
        marked.copy(range);
        while (chunk < end && coder.mayChange(range.size() - RangeEncoder.END_BYTES)) {
            int before = range.size();
            coder.chunk(range, chunk++);
            if (!range.fits(maxBytes)) {
                range.copy(marked);
                return markedChunk;
            }
            largestChunk = Math.max(largestChunk, range.size() - before);
            // A mark copies all contexts, which is slow. So there are few marks while the packet has much room, and one
            // after each chunk near the packet's end.
            if (maxBytes - range.size() < 3 * largestChunk || range.size() - markedBytes > maxBytes / 3) {
                marked.copy(range);
                markedChunk = chunk;
                markedBytes = range.size();
            }
        }
        return chunk;
    }

    /** Returns the end of the chunks, from {@code nextChunk} on, that can share the two bases, because the receiver knows them at both. */
    private int sameBases(int max, WireTick base, WireTick second) {
        int end = nextChunk + 1;
        long both = 1L << base.tick | 1L << second.tick;
        while (end < max && (base == nothing ? newestKnown(end, tick - 1) == nothing : (known[end] & both) == both)) {
            end++;
        }
        return Math.min(end, max);
    }

    private void remember(int end) {
        Sent packet = sent[number & (PACKETS - 1)];
        packet.number = number;
        packet.tick = tick;
        packet.firstChunk = nextChunk;
        packet.endChunk = end;
        packet.keepsContexts = header.keepsContexts;
        number = number + 1 & U16;
        if (header.keepsContexts) {
            keptContexts = true;
            contexts.keep(tick, range);
        }
        if (trusts) {
            know(packet, known);
            contextsKnown |= packet.keepsContexts ? 1L << tick : 0;
        }
    }

    private boolean needsOnlyAcknowledged(WireTick base, WireTick second, int end) {
        long both = 1L << base.tick | 1L << second.tick;
        boolean has = header.contextsAge == 0 || (contextsAcknowledged >>> (tick - header.contextsAge) & 1) != 0;
        for (int chunk = nextChunk; has && chunk < end && base != nothing; chunk++) {
            has = (acknowledged[chunk] & both) == both;
        }
        return has;
    }

    private static void know(Sent packet, long[] chunks) {
        for (int chunk = packet.firstChunk; chunk < packet.endChunk && chunk < chunks.length; chunk++) {
            chunks[chunk] |= 1L << packet.tick;
        }
    }

    /** Sets the percentage of packets with which a loss begins; consecutive lost packets are one loss. */
    void losses(int percent) {
        lossPercent = percent;
        repairs.losses(percent);
    }

    /** Notes that the receiver misses packets for longer than a repair takes. For a while, packets then depend on acknowledged ones. */
    void distrust() {
        distrustedTick = tick;
        if (trusts) {
            trusts = false;
            calmTicks = lossPercent > 0 ? calmTicks : Math.min(2 * calmTicks, MAX_CALM_TICKS);
            repairs.forget();
            System.arraycopy(acknowledged, 0, known, 0, known.length);
            contextsKnown = contextsAcknowledged;
            everywhere = 0; // begin() recomputes it with the next tick
        }
    }

    /** Makes later packets depend on the last written tick alone. Call it when the receiver has all of that tick. */
    void needOnlyLast() {
        for (int chunk = 0; chunk < known.length; chunk++) {
            known[chunk] &= 1L << tick;
        }
        contextsKnown = 0;
    }

    /** Writes the newest tick again, unless the receiver has all of it. The sender calls this when the next tick may not come for long. */
    void repeat() {
        if (trusts) {
            distrust(); // because no later packet would repair the repeated ones
            calmTicks = MIN_CALM_TICKS;
        }
        WireTick newest = encoder.tick(tick);
        if (newest == null || restChunks > 0) {
            return;
        }
        int chunk = 0;
        while (chunk < newest.chunks() && (acknowledged[chunk] >>> tick & 1) != 0) {
            chunk++;
        }
        if (chunk < newest.chunks() || newest.chunks() == 0) {
            nextChunk = 0;
            restChunks = Math.max(1, newest.chunks());
        }
    }

    /** Notes that the receiver has acknowledged a packet. Returns false if the packet was not sent, or was acknowledged before. */
    boolean acknowledge(int packetNumber) {
        Sent packet = sent[packetNumber & (PACKETS - 1)];
        if (packet.number != packetNumber) {
            return false;
        }
        packet.number = -1;
        if (tick - packet.tick >= TICKS) {
            return true; // the packet's tick is too old to be a base
        }
        distrustedTick = distrustedTick == Snapshot.NEVER_WRITTEN ? tick : distrustedTick;
        know(packet, acknowledged);
        know(packet, known);
        long keptContexts = packet.keepsContexts ? 1L << packet.tick : 0;
        contextsAcknowledged |= keptContexts;
        contextsKnown |= keptContexts;
        return true;
    }
}
