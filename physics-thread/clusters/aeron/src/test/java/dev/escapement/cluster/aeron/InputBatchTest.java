package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InputBatchTest {

    private final List<String> read = new ArrayList<>();
    private final InputBatch.Reader reader = new InputBatch.Reader() {
        @Override
        void event(InputKind kind, int code, float x, float y, int beforeNanos) {
            read.add(kind + " " + code + " " + x + " " + y + " " + beforeNanos);
        }

        @Override
        void command(CommandData command) {
            read.add(command.type() + " " + command.bytes().length);
        }

        @Override
        void time(InputBatch.Request request) {
            read.add(request.toString());
        }

        @Override
        void scale(TimeScale scale) {
            read.add(scale.toString());
        }

        @Override
        void hashes(int node, ByteBuffer bytes, int length) {
            read.add(node + " " + bytes.getLong(bytes.position()) + " " + length);
        }

        @Override
        void run(String sharedByAll) {
            read.add(sharedByAll);
        }
    };

    private static InputBatch filled() {
        InputBatch batch = new InputBatch(-7);
        batch.event(InputKind.POINTER_MOVED, 1, 0.5f, -2, 1_000_000);
        batch.event(InputKind.APPLICATION, -9, 0, 0, Long.MAX_VALUE);
        batch.command(new CommandData(new CommandName("stoß", 3), new byte[70]));
        batch.time(InputBatch.Request.STEP);
        batch.scale(new TimeScale(1, 4));
        batch.hashes(2, StateCheckTest.hashes(48, -42, -5));
        batch.run("of all");
        return batch;
    }

    @Test
    void allComesOutAsItWentIn() {
        InputBatch batch = filled();
        ByteBuffer bytes = ByteBuffer.wrap(batch.take(12));
        reader.read(bytes);
        assertThat(read)
                .containsExactly(
                        "POINTER_MOVED 1 0.5 -2.0 1000000",
                        "APPLICATION -9 0.0 0.0 " + Integer.MAX_VALUE,
                        "'stoß' version 3 70",
                        "STEP",
                        new TimeScale(1, 4).toString(),
                        "2 48 140",
                        "of all");
        assertThat(InputBatch.client(bytes)).isEqualTo(-7);
        assertThat(InputBatch.number(bytes)).isEqualTo(12);
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void whatIsNoBatchIsRefused() {
        byte[] bytes = filled().take(1);
        for (int length = 0; length < bytes.length; length++) {
            read.clear();
            try {
                reader.read(ByteBuffer.wrap(Arrays.copyOf(bytes, length)));
                assertThat(read).hasSizeLessThan(7); // it ends after an entry
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("a batch of inputs");
            }
        }
        bytes[0] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reader.read(ByteBuffer.wrap(bytes)))
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
                reader.read(ByteBuffer.wrap(damaged));
            } catch (IllegalArgumentException told) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1000, 19_000);
    }
}
