package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NextTickTest {

    private static InputBatch.Event event(int code, float x, float y) {
        return new InputBatch.Event(InputKind.APPLICATION, code, x, y, 7);
    }

    /** And the events of a client stay in their order, whenever they arrive. */
    @Test
    void oneThatWasRestoredGoesOnAlike() {
        NextTick saved = new NextTick();
        saved.level(new InputBatch.Event(InputKind.KEY_DOWN, 87, 0, 0, 0));
        saved.level(new InputBatch.Event(InputKind.AXIS_MOVED, 1, 0.5f, 0, 0));
        saved.command(new CommandData(new CommandName("push", 2), new byte[] {1, 2}), null);
        saved.event(1, 500, event(10, 1, 2));
        StateBuffer state = new StateBuffer();
        saved.save(state);
        NextTick restored = new NextTick();
        restored.restore(new StateBuffer(state.toBytes()));
        for (NextTick next : List.of(saved, restored)) {
            next.event(2, 450, event(20, 0, 0));
            next.event(1, 400, event(11, 0, 0));
            next.cut(0, 1000, 100);
            InputFrame input = next.input();
            assertThat(IntStream.range(0, input.size()).map(i -> input.event(i).code()))
                    .containsExactly(20, 10, 11);
            assertThat(input.event(1).timeNanos()).isEqualTo(500);
            assertThat(input.event(1).kind()).isEqualTo(InputKind.APPLICATION);
            assertThat(List.of(input.event(1).x(), input.event(1).y())).containsExactly(1f, 2f);
            assertThat(input.state().isKeyDown(87)).isTrue();
            assertThat(input.state().axis(1)).isEqualTo(0.5f);
            assertThat(next.commands()).hasSize(1);
            assertThat(next.commands().get(0).type()).isEqualTo(new CommandName("push", 2));
            assertThat(next.commands().get(0).bytes()).containsExactly(1, 2);
        }
    }

    @Test
    void shouldRefuseAStateWithAnUnknownKindOfEvent() {
        NextTick saved = new NextTick();
        saved.level(new InputBatch.Event(InputKind.KEY_DOWN, 87, 0, 0, 0));
        StateBuffer state = new StateBuffer();
        saved.save(state);
        byte[] damaged = state.toBytes();
        int kindAt = 2 * Long.BYTES + 1 + 2 * Long.BYTES + 1; // sequence and size, then the beginning of a batch
        assertThat(damaged[kindAt]).isEqualTo(InputKind.KEY_DOWN.number());
        damaged[kindAt] = 99;
        assertThatThrownBy(() -> new NextTick().restore(new StateBuffer(damaged)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("damaged");
    }
}
