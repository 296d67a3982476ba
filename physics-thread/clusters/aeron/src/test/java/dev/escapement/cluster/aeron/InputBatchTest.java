package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class InputBatchTest {

    private final List<String> read = new ArrayList<>();
    private final InputBatch.Visitor visitor = new InputBatch.Visitor() {
        @Override
        public void event(InputKind kind, int code, float x, float y, int beforeNanos) {
            read.add(kind + " " + code + " " + x + " " + y + " " + beforeNanos);
        }

        @Override
        public void command(CommandData command) {
            read.add(command.type() + " " + command.bytes().length);
        }

        @Override
        public void time(InputBatch.Request request) {
            read.add(request.toString());
        }

        @Override
        public void scale(TimeScale scale) {
            read.add(scale.toString());
        }

        @Override
        public void hash(int node, long tick, long hash) {
            read.add(node + " " + tick + " " + hash);
        }

        @Override
        public void groups(int node, long tick, DirectBuffer buffer, int at, int count) {
            for (int group = 0; group < count; group++) {
                read.add(node + " " + tick + " group " + buffer.getInt(at + Integer.BYTES * group));
            }
        }
    };

    private static InputBatch filled() {
        InputBatch batch = new InputBatch(-7);
        batch.event(InputKind.POINTER_MOVED, 1, 0.5f, -2, 1_000_000);
        batch.event(InputKind.APPLICATION, -9, 0, 0, Long.MAX_VALUE);
        batch.command(new CommandData(new CommandName("stoß", 3), new byte[70]));
        batch.time(InputBatch.Request.STEP);
        batch.scale(new TimeScale(1, 4));
        batch.groups(2, 42, new int[] {-5});
        batch.hashes(2, 41, new long[] {-41, -42});
        return batch;
    }

    @Test
    void allComesOutAsItWentIn() {
        InputBatch batch = filled();
        UnsafeBuffer bytes = new UnsafeBuffer(batch.take(12));
        InputBatch.read(bytes, 0, bytes.capacity(), visitor);
        assertThat(read)
                .containsExactly(
                        "POINTER_MOVED 1 0.5 -2.0 1000000",
                        "APPLICATION -9 0.0 0.0 " + Integer.MAX_VALUE,
                        "'stoß' version 3 70",
                        "STEP",
                        new TimeScale(1, 4).toString(),
                        "2 42 group -5",
                        "2 41 -41",
                        "2 42 -42");
        assertThat(InputBatch.client(bytes, 0)).isEqualTo(-7);
        assertThat(InputBatch.number(bytes, 0)).isEqualTo(12);
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void whatIsNoBatchIsRefused() {
        UnsafeBuffer bytes = new UnsafeBuffer(filled().take(1));
        for (int length = 0; length < bytes.capacity(); length++) {
            int cut = length;
            read.clear();
            try {
                InputBatch.read(bytes, 0, cut, visitor);
                assertThat(read).hasSizeLessThan(8); // it ends after an entry
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("a batch of inputs");
            }
        }
        bytes.putByte(0, (byte) 9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InputBatch.read(bytes, 0, bytes.capacity(), visitor))
                .withMessageContaining("of version 9");
    }

    /** All that is wrong is told in the same way. */
    @Test
    void damageIsNoOtherFailure() {
        byte[] whole = filled().take(1);
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                InputBatch.read(new UnsafeBuffer(damaged), 0, damaged.length, visitor);
            } catch (IllegalArgumentException told) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1000, 19_000);
    }
}
