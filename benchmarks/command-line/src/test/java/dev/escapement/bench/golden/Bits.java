package dev.escapement.bench.golden;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Computes a CRC32C of the exact bits of values. One thread. */
final class Bits {

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);

    Bits add(long number) {
        return add(value.clear().putLong(number).flip());
    }

    Bits add(float... numbers) {
        for (float number : numbers) {
            add((long) Float.floatToRawIntBits(number));
        }
        return this;
    }

    Bits add(String text) {
        return add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    Bits add(ByteBuffer bytes) {
        crc.update(bytes.duplicate());
        return this;
    }

    String take() {
        String digits = HexFormat.of().toHexDigits((int) crc.getValue());
        crc.reset();
        return digits;
    }
}
