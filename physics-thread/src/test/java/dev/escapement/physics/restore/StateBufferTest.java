package dev.escapement.physics.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StateBufferTest {

    private final StateBuffer buffer = new StateBuffer();

    @Test
    void shouldGiveBackWhatWasPutHoweverMuch() {
        for (int i = 0; i < 1000; i++) {
            buffer.put((long) i).put(-0.0 - i).put(i % 3 == 0).put(new byte[i % 5]);
        }
        for (int pass = 0; pass < 2; pass++) {
            buffer.rewind();
            for (int i = 0; i < 1000; i++) {
                assertThat(buffer.getLong()).isEqualTo(i);
                assertThat(Double.doubleToRawLongBits(buffer.getDouble()))
                        .isEqualTo(Double.doubleToRawLongBits(-0.0 - i));
                assertThat(buffer.getBoolean()).isEqualTo(i % 3 == 0);
                assertThat(buffer.getBytes()).hasSize(i % 5);
            }
        }
        assertThat(buffer.size()).isEqualTo(1000 * 25 + 2000);
    }

    @Test
    void shouldNotGiveWhatWasNotPut() {
        buffer.put(1L);
        buffer.clear();
        buffer.put(true);
        buffer.rewind();
        assertThatIllegalStateException()
                .isThrownBy(buffer::getLong)
                .withMessageStartingWith("8 bytes are to follow byte 0 of a state, but 1 were saved");
        assertThat(buffer.getBoolean()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(buffer::getBoolean)
                .withMessageContaining("1 bytes are to follow byte 1 of a state, but 1 were saved");
    }

    @Test
    void shouldRefuseALengthThatNoBytesFollow() {
        for (long length : new long[] {-1, 9, Long.MAX_VALUE}) {
            buffer.clear();
            buffer.put(length).put(2L);
            buffer.rewind();
            assertThatIllegalStateException()
                    .isThrownBy(buffer::getBytes)
                    .withMessageStartingWith(length + " bytes are to follow byte 8 of a state, but 16 were saved");
        }
    }

    /** The states include an empty one and buffers reused for a shorter state. */
    @Test
    void shouldRefuseBytesThatDiffer() {
        buffer.put(new byte[5000]);
        for (int values = 0; values < 5; values++) {
            buffer.clear();
            for (int i = 0; i < values; i++) {
                buffer.put(i + 0.1);
            }
            byte[] saved = buffer.toBytes();
            assertThat(new StateBuffer(saved).toBytes()).isEqualTo(saved);
            for (int bit = 0; bit < Byte.SIZE * saved.length; bit++) {
                byte[] flipped = saved.clone();
                flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                refuses(flipped, bit < Byte.SIZE * buffer.size() ? "damaged: its checksum was " : "");
            }
            for (int length = 0; length < saved.length; length++) {
                refuses(Arrays.copyOf(saved, length), length + " bytes are no saved state, or no whole one");
            }
            refuses(Arrays.copyOf(saved, saved.length + 1), "they do not end with its seal");
        }
    }

    private static void refuses(byte[] state, String reason) {
        assertThatThrownBy(() -> new StateBuffer(state))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void shouldRefuseTheStateOfAnotherWorld() {
        StateBuffer saved = new StateBuffer(
                buffer.putHeader("engine 1.0", 12).put(3L).put(true).toBytes());
        assertThatThrownBy(() -> saved.getHeader("engine 1.1"))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessage(
                        "the state was saved by engine 1.0, but is to be restored by engine 1.1; restore it where it was"
                                + " saved");
        saved.rewind();
        assertThat(saved.getHeader("engine 1.0")).isEqualTo(12);
        assertThat(saved.getLong()).isEqualTo(3);
        assertThat(saved.getBoolean()).isTrue();
    }

    @Test
    void shouldRefuseAStateWithoutAHeader() {
        StateBuffer kept = StateBuffer.unsealed(Arrays.copyOf(buffer.put(3L).array(), buffer.size()));
        assertThatThrownBy(() -> kept.getHeader("engine 1.0"))
                .isInstanceOf(RestoreRefusedException.class)
                .hasMessageContaining("saved by another simulation");
        buffer.clear();
        byte[] header = Arrays.copyOf(buffer.putHeader("engine 1.0", 12).array(), buffer.size());
        for (int length = 0; length < header.length; length++) {
            StateBuffer shorter = StateBuffer.unsealed(Arrays.copyOf(header, length));
            assertThatThrownBy(() -> shorter.getHeader("engine 1.0"))
                    .isInstanceOf(RestoreRefusedException.class)
                    .hasMessageContaining("or is only the beginning of one");
        }
    }

    @Test
    void shouldSayWhatDiffers() {
        assertThat(difference(b -> b.put(5L), b -> b.put(6L))).contains("was 5 and is 6");
        assertThat(difference(b -> b.put(0.0), b -> b.put(-0.0))).contains("was 0 and is -0.0");
        assertThat(difference(b -> b.put(true), b -> b.put(false))).contains("was true and is false");
        assertThat(difference(b -> b.put(new byte[1]), b -> b.put(new byte[] {1})))
                .contains("value 2 of the saved state", "differs from its byte 0 on");
        byte[] eight = new byte[Long.BYTES];
        eight[3] = 1;
        assertThat(difference(b -> b.put(new byte[Long.BYTES]), b -> b.put(eight)))
                .contains("differs from its byte 3 on");
        assertThat(difference(b -> b.put(5L), b -> b.put(5L).put(6L))).contains("is more than was saved before");
        assertThat(difference(b -> b.put(5L).put(6L), b -> b.put(5L)))
                .isEqualTo("only 8 bytes were saved, and 16 before");
        assertThat(difference(b -> b.put(5L), b -> b.put(5L))).isEmpty();
    }

    private static String difference(Consumer<StateBuffer> before, Consumer<StateBuffer> now) {
        StateBuffer saved = new StateBuffer();
        before.accept(saved);
        Restorable simulation = new Restorable() {
            @Override
            public void save(StateBuffer to) {
                now.accept(to);
            }

            @Override
            public void restore(StateBuffer from) {}
        };
        return new StateBuffer().saveAndCompare(simulation, saved);
    }
}
