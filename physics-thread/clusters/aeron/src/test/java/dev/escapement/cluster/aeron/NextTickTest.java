package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NextTickTest {

    private static Batch.Event event(int code, float x, float y) {
        return new Batch.Event(InputKind.APPLICATION, code, x, y, 7);
    }

    @Test
    void oneThatWasRestoredGoesOnAlike() {
        NextTick saved = new NextTick();
        saved.joined(1, 0, true);
        saved.joined(2, 0, true);
        saved.event(1, 0, new Batch.Event(InputKind.KEY_DOWN, 87, 0, 0, 0), true);
        saved.event(2, 0, new Batch.Event(InputKind.AXIS_MOVED, 1, 0.5f, 0, 0), true);
        saved.take(-1000, 0, 100);
        saved.command(new CommandData(new CommandName("push", 2), new byte[] {1, 2}), null);
        saved.event(1, 500, event(10, 1, 2), false);
        StateBuffer state = new StateBuffer();
        saved.save(state);
        NextTick restored = new NextTick();
        restored.restore(new StateBuffer(state.toBytes()));
        for (NextTick next : List.of(saved, restored)) {
            next.joined(2, 450, false); // the second join has no effect
            next.event(2, 450, event(20, 0, 0), false);
            next.event(1, 400, event(11, 0, 0), false);
            next.take(0, 1000, 100);
            InputFrame input = next.input();
            assertThat(IntStream.range(0, input.size()).map(i -> input.event(i).code()))
                    .containsExactly(20, 10, 11);
            assertThat(input.event(1).timeNanos()).isEqualTo(500);
            assertThat(input.event(1).kind()).isEqualTo(InputKind.APPLICATION);
            assertThat(List.of(input.event(1).x(), input.event(1).y())).containsExactly(1f, 2f);
            assertThat(input.event(0).sender()).isEqualTo(2);
            assertThat(input.event(1).sender()).isEqualTo(1);
            assertThat(input.state().isKeyDown(87)).isTrue();
            assertThat(input.state().axis(1)).isEqualTo(0.5f);
            assertThat(input.state(1).isKeyDown(87)).isTrue();
            assertThat(input.state(2).isKeyDown(87)).isFalse();
            assertThat(input.state(2).axis(1)).isEqualTo(0.5f);
            assertThat(next.commands()).hasSize(1);
            assertThat(next.commands().get(0).type()).isEqualTo(new CommandName("push", 2));
            assertThat(next.commands().get(0).bytes()).containsExactly(1, 2);
        }
    }

    private static List<String> events(NextTick next, long fromNanos) {
        next.take(fromNanos, fromNanos + 1000, 0);
        InputFrame input = next.input();
        return IntStream.range(0, input.size())
                .mapToObj(input::event)
                .map(event -> event.sender() + " " + event.kind() + " " + event.code())
                .toList();
    }

    /** A leaving sender releases what it holds before its leave, in the same tick. The leave also ends the sender's drag. */
    @Test
    void shouldReleaseWhatASenderHeldBeforeItHasLeft() {
        NextTick next = new NextTick();
        next.joined(1, 0, false);
        next.joined(2, 0, false);
        for (int sender = 1; sender <= 2; sender++) {
            next.event(sender, 10, new Batch.Event(InputKind.KEY_DOWN, 87, 0, 0, 0), false);
            next.event(sender, 10, new Batch.Event(InputKind.AXIS_MOVED, 3, -1, 0, 0), false);
            next.event(sender, 10, new Batch.Event(InputKind.APPLICATION, DragInput.HOLD, 5, 0, 0), false);
        }
        next.left(1, 5); // earlier than the events, by a leader whose clock is behind
        assertThat(events(next, 0))
                .containsExactly(
                        "1 SENDER_JOINED 0",
                        "2 SENDER_JOINED 0",
                        "1 KEY_DOWN 87",
                        "1 AXIS_MOVED 3",
                        "1 APPLICATION " + DragInput.HOLD,
                        "2 KEY_DOWN 87",
                        "2 AXIS_MOVED 3",
                        "2 APPLICATION " + DragInput.HOLD,
                        "1 KEY_UP 87",
                        "1 AXIS_MOVED 3",
                        "1 SENDER_LEFT 0");
        assertThat(next.input().senderCount()).isEqualTo(1);
        assertThat(next.input().state(2).axis(3)).isEqualTo(-1);
        next.left(2, 1005);
        assertThat(events(next, 1000)).containsExactly("2 KEY_UP 87", "2 AXIS_MOVED 3", "2 SENDER_LEFT 0");
        assertThat(next.input().state().isKeyDown(87)).isFalse();
        assertThat(next.input().state().axis(3)).isZero();
    }

    /** A join in a pause is input of the next tick. The tick also sees the keys that the sender pressed in the pause. */
    @Test
    void shouldKeepAPausesJoinForTheNextTick() {
        NextTick next = new NextTick();
        next.joined(2, 2000, true);
        next.event(2, 2000, new Batch.Event(InputKind.KEY_DOWN, 65, 0, 0, 0), true);
        assertThat(events(next, 3000)).containsExactly("2 SENDER_JOINED 0");
        assertThat(next.input().state(2).isKeyDown(65)).isTrue();
        assertThat(next.input().state().isKeyDown(65)).isTrue();
    }

    /** Each rotation of a mouse wheel is input of the tick, except in a pause. A leave releases no wheel. */
    @Test
    void shouldKeepAllTurnsOfAWheel() {
        NextTick next = new NextTick();
        Batch.Event turn = new Batch.Event(InputKind.WHEEL, 0, 0, 1, 0);
        next.joined(1, 0, false);
        next.event(1, 10, turn, true);
        next.event(1, 10, turn, false);
        next.event(1, 10, turn, false);
        assertThat(events(next, 0)).containsExactly("1 SENDER_JOINED 0", "1 WHEEL 0", "1 WHEEL 0");
        assertThat(next.input().event(2).y()).isEqualTo(1);
        next.left(1, 1000);
        assertThat(events(next, 1000)).containsExactly("1 SENDER_LEFT 0");
    }

    @Test
    void shouldEndADragReleasedDuringAPause() {
        NextTick next = new NextTick();
        next.joined(1, 0, false);
        next.event(1, 0, new Batch.Event(InputKind.APPLICATION, DragInput.HOLD, 5, 0, 0), false);
        next.take(0, 1000, 0);
        next.event(1, 2000, new Batch.Event(InputKind.APPLICATION, DragInput.END, 0, 0, 0), true);
        assertThat(events(next, 3000)).containsExactly("1 APPLICATION " + DragInput.END);
    }
}
