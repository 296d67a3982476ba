package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the packets of a client with many unsent events. */
class InputOutboxTest {

    private static final int CROWD = 128;

    private final InputOutbox outbox = new InputOutbox(() -> 0);

    @Test
    void shouldReplaceMovesButSendEachTurnOfAWheel() {
        for (int i = 0; i < CROWD; i++) {
            outbox.ring.offer(0, InputKind.APPLICATION, i, 0, 0);
        }
        outbox.ring.offer(0, InputKind.POINTER_MOVED, 0, 1, 1);
        outbox.ring.offer(0, InputKind.POINTER_MOVED, 0, 2, 2);
        outbox.ring.offer(0, InputKind.WHEEL, 0, 0, 3);
        outbox.ring.offer(0, InputKind.WHEEL, 0, 0.5f, 4);
        outbox.ring.offer(0, InputKind.POINTER_MOVED, 0, 5, 5);
        outbox.collect(0);
        assertThat(sent().subList(CROWD, CROWD + 4))
                .containsExactly(
                        "POINTER_MOVED (2.0, 2.0)", "WHEEL (0.0, 3.0)", "WHEEL (0.5, 4.0)", "POINTER_MOVED (5.0, 5.0)");
    }

    /** Half of the places are taken and the ring is full when a server that was started again needs a held key. */
    @Test
    void shouldOverwriteNothingWithWhatIsHeld() {
        outbox.ring.offer(0, InputKind.KEY_DOWN, 11, 0, 0);
        outbox.collect(0);
        sent();
        outbox.acknowledge(1);
        offerFullRing(0);
        outbox.collect(0);
        outbox.offerHeldAgain();
        offerFullRing(1);
        outbox.collect(0);
        outbox.collect(0);
        assertThat(sent().get(0)).isEqualTo("APPLICATION (0.0, 0.0)");
    }

    private void offerFullRing(float x) {
        int code = 0;
        while (outbox.ring.offer(0, InputKind.APPLICATION, code, x, 0)) {
            code++;
        }
    }

    private List<String> sent() {
        ByteBuffer packet = ByteBuffer.allocate(10_000);
        outbox.write(packet);
        packet.flip().getLong();
        List<String> sent = new ArrayList<>();
        for (int left = packet.get() & 0xFF; left > 0; left--) {
            packet.getLong();
            InputKind kind = InputKind.ofNumber(packet.get());
            packet.getInt();
            sent.add(kind + " (" + packet.getFloat() + ", " + packet.getFloat() + ")");
        }
        return sent;
    }
}
