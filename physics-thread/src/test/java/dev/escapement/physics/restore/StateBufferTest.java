package dev.escapement.physics.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
        assertThatIllegalStateException().isThrownBy(buffer::getBoolean);
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
}
