package dev.escapement.physics.replay;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The records of a log. All numbers are little-endian.
 *
 * <pre>
 *   header    magic, 8 bytes | version, int | length of the content, int | content | CRC-32C of all before, int
 *   record    length of the payload, int | CRC-32C of these four bytes, int | CRC-32C of the payload, int | payload
 *   ...       one for each tick
 *   record    with a length of 0, and nothing after it: the recording was closed
 * </pre>
 *
 * <p>The length has a checksum of its own, so that a damaged length is not mistaken for a record that was cut off.
 */
final class LogFormat {

    static final byte[] MAGIC = {(byte) 0x89, 'E', 'S', 'C', 'L', 'O', 'G', '\n'};
    static final int VERSION = 1;

    static final int RECORD_HEADER_BYTES = 3 * Integer.BYTES;

    /** The largest record: a tick of two million bodies. */
    static final int MOST_RECORD_BYTES = 1 << 26;

    private LogFormat() {}

    /** The checksum of a part of a buffer. Does not move its position. */
    static int checksum(ByteBuffer buffer, int from, int to) {
        ByteBuffer part = buffer.duplicate();
        part.limit(to).position(from);
        CRC32C checksum = new CRC32C();
        checksum.update(part);
        return (int) checksum.getValue();
    }
}
