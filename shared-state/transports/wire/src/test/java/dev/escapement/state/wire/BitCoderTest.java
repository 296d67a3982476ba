package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a decoder reads what an encoder wrote: any values, with any contexts. */
class BitCoderTest {

    private static final int CONTEXTS = 4 * BitCoder.CONTEXTS_PER_NUMBER;
    private static final int REST = 3 * BitCoder.CONTEXTS_PER_NUMBER;
    private static final int[] EDGES = {
        0, 1, -1, 2, -2, 255, 256, 1 << 17, -(1 << 18), Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1
    };

    private final RangeEncoder encoder = new RangeEncoder(CONTEXTS, 100_000);
    private final RangeEncoder mark = new RangeEncoder(CONTEXTS, 100_000);
    private final RangeDecoder decoder = new RangeDecoder(CONTEXTS);

    /** The decoder returns every value that the encoder wrote, even those written after a return to a mark. */
    @Test
    void shouldReadAnySequence() {
        for (int seed = 0; seed < 500; seed++) {
            encoder.forget();
            decoder.forget();
            encoder.begin();
            code(encoder, new SplittableRandom(seed), true);
            mark.copy(encoder);
            code(encoder, new SplittableRandom(~seed), true);
            encoder.copy(mark);
            code(encoder, new SplittableRandom(seed + 1000), true);
            decode(encoder.end());
            boolean isSame = code(decoder, new SplittableRandom(seed), false)
                    && code(decoder, new SplittableRandom(seed + 1000), false);
            assertThat(isSame).as("seed %s", seed).isTrue();
            assertThat(encoder.contexts).isEqualTo(decoder.contexts);
        }
    }

    /** Codes bits, raw bits and numbers from a seed. Returns false if a decoder reads a value that was not written. */
    private static boolean code(BitCoder coder, SplittableRandom random, boolean writes) {
        boolean same = true;
        int count = random.nextInt(400);
        int sureness = random.nextInt(1, 40);
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(5);
            int bits = random.nextInt(Integer.SIZE);
            int any = random.nextInt(4) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt() >> bits;
            int value = random.nextInt(sureness) == 0 ? any : 0;
            int read;
            if (kind == 0) {
                value &= 1;
                read = coder.bit(7, writes ? value : 0);
            } else if (kind == 1) {
                value &= (1 << bits) - 1;
                read = coder.raw(bits, writes ? value : 0);
            } else if (kind == 2) {
                int[] values = writes ? new int[] {value, ~value, -1} : new int[3];
                coder.rests(REST, 0, values);
                read = values[0];
                same &= values[1] == ~value && values[2] == -1;
            } else if (kind == 3) {
                long wide = (long) value << 17;
                read = coder.wide(BitCoder.CONTEXTS_PER_NUMBER, writes ? wide : 0) == wide ? value : ~value;
            } else {
                read = coder.number(BitCoder.CONTEXTS_PER_NUMBER, writes ? value : 0);
            }
            same &= read == value;
        }
        return same;
    }

    /** The longest write, 57 bits, follows up to 7 bits of an incomplete byte, so that one long must hold up to 64 bits. */
    @Test
    void shouldWriteTheLongestRunOfBits() {
        int[] read = new int[3];
        for (int high = -24; high < 24; high++) {
            int value = (high << 9) + 511;
            for (int bits = 0; bits < Byte.SIZE; bits++) {
                for (BitCoder coder : new BitCoder[] {encoder, decoder}) {
                    if (coder == encoder) {
                        encoder.begin();
                    } else {
                        decode(encoder.end());
                    }
                    for (int i = 0; i < 60; i++) { // moves the mean to the table row with the longest codes
                        coder.rests(REST, 0, new int[] {2250, 2250, 2250});
                    }
                    coder.raw(bits, 0);
                    Arrays.fill(read, coder == encoder ? value : 0);
                    coder.rests(REST, 0, read);
                    assertThat(coder.raw(Integer.SIZE, 0))
                            .as("after %s of %s bits", value, bits)
                            .isZero();
                    assertThat(read).containsExactly(value, value, value);
                }
            }
        }
    }

    /** Many likely bits in a row leave the range's low end just below a carry. The carry then runs through bytes of 255. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCarry(int likely) {
        encoder.begin();
        for (int i = 0; i < 20_000; i++) {
            encoder.bit(0, i % 997 == 0 ? 1 - likely : likely);
        }
        int size = encoder.end();
        assertThat(size).isLessThan(200);
        decode(size);
        for (int i = 0; i < 20_000; i++) {
            assertThat(decoder.bit(0, 0)).isEqualTo(i % 997 == 0 ? 1 - likely : likely);
        }
    }

    private void decode(int size) {
        decoder.begin(ByteBuffer.wrap(encoder.bytes(), 0, size));
    }
}
