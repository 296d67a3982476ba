package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the budget for many receivers that send feedback and acknowledge nothing, and their effect on other receivers. */
class BudgetTest {

    private static final int BODIES = 200;
    private static final int STORM = 30;
    private static final int TICKS_PER_SECOND = 100;
    private static final long TICK_NANOS = 10_000_000;

    private final CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
    private final SnapshotSender sender = new SnapshotSender(world.newReader(), new WireFormat(0.001f, 0.003f), 1);
    private final ByteBuffer packet = ByteBuffer.allocate(2048);
    private final List<Client> storm = new ArrayList<>();
    private final List<Client> viewers = new ArrayList<>();
    private long nowNanos;

    /** A receiver that loses a share of the packets. If it loses all, it acknowledges nothing. */
    private final class Client {
        private final SenderSession session = sender.newReceiver(InetSocketAddress.createUnresolved("receiver", 1));
        private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> nowNanos);
        private final SplittableRandom way = new SplittableRandom(viewers.size());
        private final double lost;

        private Client(double lost) {
            this.lost = lost;
        }

        private long serve() {
            long bytes = 0;
            while (!session.isLost(nowNanos) && session.write(packet.clear(), nowNanos)) {
                bytes += packet.flip().remaining();
                if (way.nextDouble() >= lost) {
                    receiver.packet(packet, nowNanos);
                }
            }
            receiver.run(nowNanos);
            receiver.writeFeedback(packet.clear());
            session.feedback(packet.flip(), nowNanos);
            return bytes;
        }
    }

    /**
     * Runs the sender. After each of the first seconds another storm begins: many clients connect at once. Returns the bytes to all storms
     * in each second.
     */
    private long[] run(int seconds, int storms, double lost) {
        long[] bytes = new long[seconds];
        for (int tick = 0; tick < seconds * TICKS_PER_SECOND; tick++) {
            int second = tick / TICKS_PER_SECOND;
            if (tick % TICKS_PER_SECOND == 0 && second > 0 && second <= storms) {
                storm.clear();
                for (int client = 0; client < STORM; client++) {
                    storm.add(new Client(lost));
                }
            }
            world.tick(poses -> {
                poses.bodyCount(BODIES);
                for (int body = 0; body < BODIES; body++) {
                    float angle = (world.ticks() + 7L * body) / 50f;
                    poses.set(body, body + (float) Math.sin(angle), (float) Math.cos(angle), 0, 0, 0, 0, 1);
                }
            });
            nowNanos += TICK_NANOS;
            sender.run(nowNanos);
            viewers.forEach(Client::serve);
            bytes[second] += storm.stream().mapToLong(Client::serve).sum();
        }
        return bytes;
    }

    /**
     * A receiver that acknowledges nothing gets little a second after it began, or earlier if the budget of all new receivers is used up.
     */
    @ParameterizedTest
    @CsvSource({"1, 2", "9, 4"})
    void shouldSendLittleToReceiversThatAcknowledgeNothing(int storms, int slowFrom) {
        long[] bytes = run(9, storms, 1);
        for (int second = slowFrom; second < bytes.length; second++) {
            assertThat(bytes[second]).as("second %d", second).isLessThan(second < 6 ? STORM * 16_000 : 100_000);
        }
    }

    @Test
    void shouldSendMuchToReceiversThatAcknowledge() {
        assertThat(run(3, 1, 0)[2]).isGreaterThan(STORM * 16_000);
    }

    @Test
    void shouldNotLetAStormBeNoticedByOthers() {
        BudgetTest alone = new BudgetTest();
        for (BudgetTest one : List.of(this, alone)) {
            for (int viewer = 0; viewer < 3; viewer++) {
                one.viewers.add(one.new Client(0.05));
            }
            one.run(5, one == this ? 5 : 0, 1);
        }
        for (int viewer = 0; viewer < 3; viewer++) {
            for (ReceiverMetric metric : List.of(ReceiverMetric.TICKS, ReceiverMetric.FILLED_TICKS)) {
                assertThat(viewers.get(viewer).receiver.metric(metric))
                        .as("%s", metric)
                        .isEqualTo(alone.viewers.get(viewer).receiver.metric(metric));
            }
        }
    }

    /** The world is at rest, so there is nothing to acknowledge, and the sender must not count the receiver as lost. */
    @Test
    void shouldKeepAReceiverThatHasNothingToAcknowledge() {
        Client viewer = new Client(0.5);
        viewers.add(viewer);
        run(3, 0, 0);
        for (int second = 0; second < 30; second++) {
            nowNanos += TICKS_PER_SECOND * TICK_NANOS;
            sender.run(nowNanos);
            viewer.serve();
            assertThat(viewer.session.isLost(nowNanos)).as("second %d", second).isFalse();
        }
        long shown = viewer.receiver.metric(ReceiverMetric.TICKS);
        run(2, 0, 0);
        assertThat(viewer.receiver.metric(ReceiverMetric.TICKS) - shown).isGreaterThan(150);
    }
}
