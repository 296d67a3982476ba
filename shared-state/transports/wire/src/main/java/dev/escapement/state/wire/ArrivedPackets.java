package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Records which packets of a stream have arrived: the number of the newest, and a bit for each of the latest {@value #BITS}.
 *
 * <p>Each feedback of a receiver contains the whole record, so that lost feedback does not matter. Big endian: u16 stream, u16 newest
 * packet, 4 u64 of bits, the newest lowest.
 *
 * <p>One thread.
 */
final class ArrivedPackets {

    private static final int LONGS = 4;
    private static final int BITS = LONGS * Long.SIZE;
    private static final int U16 = 0xFFFF;

    /** The number of consecutive packets over which losses are counted. */
    static final int SOME = Long.SIZE;

    static final int BYTES = 2 * Short.BYTES + LONGS * Long.BYTES;

    /** The approximate number of latest packets over which the shares of losses are averaged; older packets count less. */
    private static final double MEASURED = 256;

    private static final double PERCENT = 100;

    /**
     * How many times more packets than of independent losses are lost in a row on average if losses count as bursts. Of independent losses
     * of the share p, 1 / (1 - p) packets are lost in a row.
     */
    private static final double BURST = 1.6;

    private final long[] bits = new long[LONGS];
    private int newest;

    /** The share of packets with which a loss begins: the first of consecutive lost packets. */
    private double lossShare;

    private double lostShare;

    /** Forgets all packets, because another stream begins. */
    void forget() {
        Arrays.fill(bits, 0);
        lossShare = 0;
        lostShare = 0;
    }

    /** Adds a packet. Returns the change of the number of missing packets: -1 if a missing one arrives late. */
    int add(int number) {
        if ((short) (number - newest) < -AcknowledgedWriter.PACKETS) {
            forget(); // older than a sender remembers, so the sender has started again, or numbers have wrapped
        }
        boolean any = bits[0] != 0; // the lowest bit is that of the newest packet
        int ahead = any ? (short) (number - newest) : 1;
        int missing = any ? ahead - 1 : 0;
        if (ahead > 0) {
            shift(ahead);
            newest = number;
            bits[0] |= 1;
            return missing;
        }
        int age = -ahead;
        boolean isNew = age < BITS && (bits[age / Long.SIZE] >>> age & 1) == 0;
        if (isNew) {
            bits[age / Long.SIZE] |= 1L << age;
        }
        return isNew ? -1 : 0;
    }

    private void shift(int by) {
        if (by >= Long.SIZE) {
            Arrays.fill(bits, 0); // forgets older packets; after so many missing ones that loses nothing
            return;
        }
        measure(by);
        for (int i = LONGS - 1; i > 0; i--) {
            bits[i] = bits[i] << by | bits[i - 1] >>> (Long.SIZE - by);
        }
        bits[0] <<= by;
    }

    /** Counts losses among packets that leave the newest 64, too old to still arrive. Consecutive lost packets are one loss. */
    private void measure(int by) {
        long old = bits[0] >>> (Long.SIZE - by);
        long before = old >>> 1 | (bits[1] & 1) << (by - 1);
        int losses = Long.bitCount(before & ~old);
        lossShare += (losses - by * lossShare) / MEASURED;
        lostShare += (by - Long.bitCount(old) - by * lostShare) / MEASURED;
    }

    /**
     * Returns the percentage of recent packets with which a loss began.
     *
     * <p>Does not count packets that may still come. Independent losses of 10, 20 and 30 % of the packets give 9, 16 and 21 %. Returns 0 if
     * losses are mostly bursts, because repair packets restore a burst too late.
     */
    int lossPercent() {
        return (1 - lostShare) * lostShare > BURST * lossShare ? 0 : (int) (PERCENT * Math.max(0, lossShare));
    }

    /**
     * Returns how many of {@value #SOME} consecutive packets have not arrived. The newest {@value #SOME} do not count, because they may
     * still come.
     */
    int missing() {
        return SOME - Long.bitCount(bits[1]);
    }

    void write(ByteBuffer to, int streamId) {
        to.putShort((short) streamId).putShort((short) newest);
        for (long some : bits) {
            to.putLong(some);
        }
    }

    /** Reads feedback, and passes on the numbers of arrived packets. Returns false if the feedback is too short or of another stream. */
    static boolean read(ByteBuffer from, int streamId, IntConsumer arrived) {
        if (from.remaining() < BYTES) {
            return false;
        }
        boolean isOurs = (from.getShort() & U16) == streamId;
        int newest = from.getShort() & U16;
        for (int i = 0; i < LONGS; i++) {
            for (long rest = from.getLong(); isOurs && rest != 0; rest &= rest - 1) {
                arrived.accept(newest - Long.SIZE * i - Long.numberOfTrailingZeros(rest) & U16);
            }
        }
        return isOurs;
    }
}
