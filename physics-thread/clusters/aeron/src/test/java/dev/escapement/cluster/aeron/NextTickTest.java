package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NextTickTest {

    /** And the events of a client stay in their order, whenever they arrive. */
    @Test
    void oneThatWasRestoredGoesOnAlike() {
        NextTick saved = new NextTick();
        saved.level(InputKind.KEY_DOWN, 87, 0);
        saved.level(InputKind.AXIS_MOVED, 1, 0.5f);
        saved.command(new CommandData(new CommandName("push", 2), new byte[] {1, 2}), null);
        saved.event(1, 500, InputKind.APPLICATION, 10, 1, 2);
        StateBuffer state = new StateBuffer();
        saved.save(state);
        NextTick restored = new NextTick();
        restored.restore(new StateBuffer(state.toBytes()));
        for (NextTick next : List.of(saved, restored)) {
            next.event(2, 450, InputKind.APPLICATION, 20, 0, 0);
            next.event(1, 400, InputKind.APPLICATION, 11, 0, 0);
            next.cut(0, 1000, 100);
            InputFrame input = next.input();
            assertThat(IntStream.range(0, input.size()).map(i -> input.event(i).code()))
                    .containsExactly(20, 10, 11);
            assertThat(input.state().isKeyDown(87)).isTrue();
            assertThat(input.state().axis(1)).isEqualTo(0.5f);
            assertThat(next.commands()).hasSize(1);
            assertThat(next.commands().get(0).type()).isEqualTo(new CommandName("push", 2));
        }
    }
}
