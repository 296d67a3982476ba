package dev.escapement.state.wire;

import java.nio.ByteBuffer;

/**
 * The header of a packet. Big endian.
 *
 * <pre>
 * u8   kind (4 bits): 1, or 5 if it needs the packet before it
 *      flags (4 bits): from the first chunk, to the last chunk, contexts are kept for the tick, usual ages
 * u16  stream
 * u16  packet number
 * u16  lower bits of the tick
 * u8   how many ticks before this tick the base is; 0: none
 * if the next two ages are not the usual ones, 1 and the age of the base:
 *      u8   how many ticks before the base the second tick is; 0: none
 *      u8   how many ticks before this tick the contexts were kept that this packet begins with; 0: none
 * if not from chunk 0: u24 first chunk
 * if not to the end:   u24 end of the chunks
 * then what {@link TickCoder} codes
 * </pre>
 *
 * <p>One thread.
 */
final class PacketHeader {

    /** The kind, in the first four bits, of a packet that depends on acknowledged packets alone. */
    static final int FREE = 1;

    /**
     * The kind, in the first four bits, of a packet that depends on the packet before it. The receiver reads such a packet at once if it
     * begins at the first chunk, has no second tick and no kept contexts, and has no base or one of which the receiver knows all chunks.
     */
    static final int CHAINED = 5;

    /** The number of flag bits below the kind in the first byte. */
    static final int FLAG_BITS = 4;

    static final int MAX_CHANNELS = 16;

    private static final int FROM_START = 1;
    private static final int TO_END = 2;
    private static final int KEEPS = 4;
    private static final int USUAL = 8;
    private static final int MIN_BYTES = 8;
    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;

    boolean isChained;
    int streamId;
    int number;
    long tick;
    int baseAge;
    int secondAge;
    int contextsAge;
    boolean keepsContexts;
    int firstChunk;

    /** The index after the packet's last chunk; -1 if the packet ends with the last chunk of the world. */
    int endChunk;

    int bytes() {
        return MIN_BYTES + (hasUsualAges() ? 0 : 2) + (firstChunk == 0 ? 0 : 3) + (endChunk < 0 ? 0 : 3);
    }

    private boolean hasUsualAges() {
        return secondAge == 1 && contextsAge == baseAge;
    }

    void write(ByteBuffer to) {
        int flags = (firstChunk == 0 ? FROM_START : 0)
                | (endChunk < 0 ? TO_END : 0)
                | (keepsContexts ? KEEPS : 0)
                | (hasUsualAges() ? USUAL : 0);
        to.put((byte) ((isChained ? CHAINED : FREE) << FLAG_BITS | flags));
        to.putShort((short) streamId);
        to.putShort((short) number);
        to.putShort((short) tick);
        to.put((byte) baseAge);
        if (!hasUsualAges()) {
            to.put((byte) secondAge);
            to.put((byte) contextsAge);
        }
        if (firstChunk != 0) {
            put24(to, firstChunk);
        }
        if (endChunk >= 0) {
            put24(to, endChunk);
        }
    }

    /**
     * Reads a header.
     *
     * @param nearTick a tick at most 32,000 ticks from the packet's tick
     * @return false if the packet is too short or of another kind
     */
    boolean read(ByteBuffer from, long nearTick) {
        if (from.remaining() < MIN_BYTES) {
            return false;
        }
        int first = from.get() & U8;
        streamId = from.getShort() & U16;
        number = from.getShort() & U16;
        tick = nearTick + (short) (from.getShort() - nearTick);
        baseAge = from.get() & U8;
        int rest =
                ((first & USUAL) == 0 ? 2 : 0) + ((first & FROM_START) == 0 ? 3 : 0) + ((first & TO_END) == 0 ? 3 : 0);
        isChained = first >>> FLAG_BITS == CHAINED;
        if (!isOfTick(first) || from.remaining() < rest) {
            return false;
        }
        keepsContexts = (first & KEEPS) != 0;
        secondAge = (first & USUAL) != 0 ? 1 : from.get() & U8;
        contextsAge = (first & USUAL) != 0 ? baseAge : from.get() & U8;
        firstChunk = (first & FROM_START) != 0 ? 0 : get24(from);
        endChunk = (first & TO_END) != 0 ? -1 : get24(from);
        return true;
    }

    /** Returns whether a packet with this first byte contains chunks of a tick. */
    static boolean isOfTick(int first) {
        int kind = first >>> FLAG_BITS;
        return kind == FREE || kind == CHAINED;
    }

    private static void put24(ByteBuffer to, int value) {
        to.put((byte) (value >>> Short.SIZE));
        to.putShort((short) value);
    }

    private static int get24(ByteBuffer from) {
        return ((from.get() & U8) << Short.SIZE) | (from.getShort() & U16);
    }
}
