package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the budget for many receivers that send feedback and acknowledge nothing, and their effect on other receivers. */
class BudgetTest {

    private static final SocketAddress ANYWHERE = InetSocketAddress.createUnresolved("receiver", 1);
    private static final int BODIES = 200;
    private static final int STORM = 30;
    private static final long TICK_NANOS = 10_000_000;

    private final CapturedWorld world = new CapturedWorld(1, BODIES, PoseLayout.PLAIN);
    private final SnapshotSender sender = new SnapshotSender(world.newReader(), new WireFormat(0.001f, 0.003f), 1);
    private final ByteBuffer packet = ByteBuffer.allocate(2048);
    private final List<Client> storm = new ArrayList<>();
    private final List<Client> viewers = new ArrayList<>();
    private final List<Long> stormBytes = new ArrayList<>();
    private long nowNanos;

    private final class Client {
        private final SenderSession session = sender.newReceiver(ANYWHERE);
        private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> nowNanos);
        private final SplittableRandom way = new SplittableRandom(viewers.size());
        private final double lost;
        private final boolean answers;

        private Client(double lost, boolean answers) {
            this.lost = lost;
            this.answers = answers;
        }

        private long serve() {
            long bytes = 0;
            while (!session.isLost(nowNanos) && session.write(packet.clear(), nowNanos)) {
                bytes += packet.flip().remaining();
                if (answers && way.nextDouble() >= lost) {
                    receiver.packet(packet, nowNanos);
                }
            }
            if (answers) {
                receiver.run(nowNanos);
                receiver.writeFeedback(packet.clear());
                session.feedback(packet.flip(), nowNanos);
            } else {
                session.feedback(
                        ByteBuffer.allocate(ArrivedPackets.BYTES)
                                .putShort((short) 1)
                                .rewind(),
                        nowNanos);
            }
            return bytes;
        }
    }

    /** Runs the sender for this many seconds. The storm of clients begins after one; with {@code again}, other clients join after each. */
    private void run(int seconds, boolean hasStorm, boolean answers, boolean again) {
        for (int i = 0; i < seconds * 100; i++) {
            if (hasStorm && (i == 100 || (again && i % 100 == 0))) {
                storm.clear();
                for (int client = 0; client < STORM; client++) {
                    storm.add(new Client(0, answers));
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
            if (i % 100 == 0) {
                stormBytes.add(0L);
            }
            stormBytes.set(
                    i / 100,
                    stormBytes.get(i / 100)
                            + storm.stream().mapToLong(Client::serve).sum());
        }
    }

    /** A receiver that acknowledges nothing is slow a second after it began, or once new receivers have had their share. */
    @ParameterizedTest
    @CsvSource({"false, 2", "true, 4"})
    void shouldSendLittleToReceiversThatAcknowledgeNothing(boolean again, int slowFrom) {
        run(9, true, false, again);
        assertThat(stormBytes.subList(slowFrom, 6)).as("%s", stormBytes).allMatch(bytes -> bytes < STORM * 16_000);
        assertThat(stormBytes.subList(6, 9)).as("%s", stormBytes).allMatch(bytes -> bytes < 100_000);
    }

    @Test
    void shouldSendMuchToReceiversThatAcknowledge() {
        run(3, true, true, false);
        assertThat(stormBytes.get(2)).isGreaterThan(STORM * 16_000);
    }

    @ParameterizedTest
    @CsvSource({"0.02, false", "0.05, true"})
    void shouldNotLetAStormBeNoticedByOthers(double lost, boolean again) {
        BudgetTest alone = new BudgetTest();
        for (BudgetTest one : List.of(this, alone)) {
            for (int viewer = 0; viewer < 3; viewer++) {
                one.viewers.add(one.new Client(lost, true));
            }
            one.run(5, one == this, false, again);
        }
        for (int viewer = 0; viewer < 3; viewer++) {
            SnapshotReceiver beside = viewers.get(viewer).receiver;
            for (ReceiverMetric metric : List.of(ReceiverMetric.TICKS, ReceiverMetric.FILLED_TICKS)) {
                assertThat(beside.metric(metric))
                        .as("%s", metric)
                        .isEqualTo(alone.viewers.get(viewer).receiver.metric(metric));
            }
        }
    }

    /** The world is at rest, so there is nothing to acknowledge, and no receiver is lost. */
    @Test
    void shouldKeepAReceiverThatHasNothingToAcknowledge() {
        viewers.add(new Client(0.5, true));
        run(3, false, true, false);
        Client viewer = viewers.get(0);
        for (int second = 0; second < 30; second++) {
            nowNanos += 1_000_000_000L;
            sender.run(nowNanos);
            viewer.serve();
            assertThat(viewer.session.isLost(nowNanos)).as("second %d", second).isFalse();
        }
        long shown = viewer.receiver.metric(ReceiverMetric.TICKS);
        run(2, false, true, false);
        assertThat(viewer.receiver.metric(ReceiverMetric.TICKS) - shown).isGreaterThan(150);
    }
}
