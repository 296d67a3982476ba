package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TimeScale;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BatchTest {

    private static Batch.Writer filled() {
        Batch.Writer batch = new Batch.Writer(-7);
        batch.event(InputKind.POINTER_MOVED, 1, 0.5f, -2, 1_000_000);
        batch.event(InputKind.APPLICATION, -9, 0, 0, Long.MAX_VALUE);
        batch.event(InputKind.WHEEL, 0, 0.25f, -3, 7);
        batch.command(new CommandData(new CommandName("stoß", 3), new byte[70]));
        batch.time(Batch.Request.STEP);
        batch.scale(new TimeScale(1, 4));
        batch.hashes(2, StateCheckTest.hashes(48, -42));
        batch.world("of all", new UUID(5, 6));
        return batch;
    }

    @Test
    void allComesOutAsItWentIn() {
        Batch.Writer batch = filled();
        Batch read = Batch.of(batch.take(12));
        assertThat(read.entries().subList(0, 3))
                .containsExactly(
                        new Batch.Event(InputKind.POINTER_MOVED, 1, 0.5f, -2, 1_000_000),
                        new Batch.Event(InputKind.APPLICATION, -9, 0, 0, Integer.MAX_VALUE),
                        new Batch.Event(InputKind.WHEEL, 0, 0.25f, -3, 7));
        CommandData command = ((Batch.Command) read.entries().get(3)).data();
        assertThat(command.type()).isEqualTo(new CommandName("stoß", 3));
        assertThat(command.bytes()).hasSize(70);
        Batch.Hashes hashes = (Batch.Hashes) read.entries().get(6);
        assertThat(hashes.node()).isEqualTo(2);
        assertThat(hashes.hashes().isSameAs(StateCheckTest.hashes(48, -42))).isTrue();
        assertThat(read.entries())
                .hasSize(8)
                .contains(
                        Batch.Request.STEP,
                        new Batch.Scale(new TimeScale(1, 4)),
                        new Batch.World("of all", new UUID(5, 6)));
        assertThat(read.clientId()).isEqualTo(-7);
        assertThat(read.number()).isEqualTo(12);
        assertThat(batch.isEmpty()).isTrue();
    }

    @Test
    void damageIsNoOtherFailure() {
        byte[] whole = filled().take(1);
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, i % 2 == 0 ? whole.length : random.nextInt(1, whole.length));
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                Batch.of(damaged);
            } catch (IllegalArgumentException reported) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1000, 19_000);
    }
}
