package dev.escapement.cluster.aeron;

import io.aeron.archive.checksum.Checksum;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The checksum that the archive of a node stores with each frame, and compares when it is read again. Aeron's own ones need access to one more
 * package of the JDK.
 *
 * <p>Eight bytes at a time, by steps that can be undone: two frames of which one bit or one byte differs always have different 64 bits, of which the
 * upper half is kept. It protects from disks, not from attackers.
 *
 * <p>One thread. Allocates nothing.
 */
final class FrameChecksum implements Checksum {

    private static final long SEED = 0x9E37_79B9_7F4A_7C15L;
    private static final long FACTOR = 0xD6E8_FEB8_6659_FD93L; // odd: the product can be divided again

    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);

    @Override
    public int compute(long address, int offset, int length) {
        frame.wrap(address + offset, length);
        long sum = SEED ^ length;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            sum = mix(sum ^ frame.getLong(at));
        }
        for (; at < length; at++) {
            sum = mix(sum ^ (frame.getByte(at) & 0xFF));
        }
        return (int) (mix(sum) >>> 32);
    }

    private static long mix(long sum) {
        long product = sum * FACTOR;
        return product ^ (product >>> 29);
    }
}
