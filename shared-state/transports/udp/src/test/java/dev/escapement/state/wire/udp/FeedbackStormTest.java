package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Slice;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that say that they live, and acknowledge nothing: what they cost, and what others notice. */
class FeedbackStormTest {

    private static final int BODIES = 300;
    private static final int STORM = 60;
    private static final int VIEWERS = 3;
    private static final int FIRST_VIEWER = 1000;
    private static final int FEEDBACK_BITS = 1 + Integer.BYTES + 1;
    private static final int FEEDBACK_BYTES = 36;

    /** What a hostile client does with the feedback of a true one. */
    private enum Storm {
        NOBODY,
        /** Nothing has arrived. */
        EMPTY,
        /** All has arrived, of another stream. */
        OTHER_STREAM,
        /** The length is 0. */
        NONE,
        /** It cannot be read. */
        CUT,
        /** Nothing has arrived, and once a second the program begins anew, as another client. */
        AGAIN,
        /** It is true: what a server sends on that lets all feedback earn. */
        TRUE
    }

    private final Timeline timeline = new Timeline(EndpointFixture.RATE);
    private final Capture capture = new Capture(this::write, PoseLayout.PLAIN, EndpointFixture.RATE, BODIES);
    private final SnapshotExchange exchange = new SnapshotExchange(3, 2, BODIES, EndpointFixture.RATE);
    private final long[] ids = new long[BODIES];
    private final Map<SocketAddress, SplittableRandom> ways = new HashMap<>();
    private final Map<SocketAddress, Long> sentBytes = new HashMap<>();
    private final List<SnapshotReceiver> viewers = new ArrayList<>();
    private TestNetwork network = new TestNetwork(1);
    private Storm storm = Storm.NOBODY;
    private double viewersLose;
    private long tick;

    private void write(PoseWriter poses) {
        for (int body = 0; body < BODIES; body++) {
            ids[body] = tick == 1 ? poses.spawn(body) : ids[body];
            float angle = (tick + 7L * body) / 50f;
            poses.set(poses.slotOf(ids[body]), body + (float) Math.sin(angle), (float) Math.cos(angle), 0, 0, 0, 0, 1);
        }
    }

    private void begin(long seed) {
        network = new TestNetwork(seed);
        ServerEndpoint server = new ServerEndpoint(
                new SnapshotSender(exchange.attach(), WireFormat.rounded(0.001f, 0.003f), 1),
                null,
                "marbles",
                EndpointFixture.PLAIN,
                Limits.DEFAULT,
                new Random(seed),
                sink(EndpointFixture.SERVER));
        network.add(EndpointFixture.SERVER, server);
        timeline.start(network.clock.nanoTime());
    }

    /** To and from each viewer packets are lost and late as a seed of its own says, also if others do what they want beside it. */
    private BiConsumer<ByteBuffer, SocketAddress> sink(SocketAddress from) {
        return (packet, to) -> {
            byte[] bytes = new byte[packet.remaining()];
            packet.get(bytes);
            sentBytes.merge(to, (long) bytes.length, Long::sum);
            SplittableRandom way = ways.get(from.equals(EndpointFixture.SERVER) ? to : from);
            if (way == null || way.nextDouble() >= viewersLose) {
                long jitterNanos = way == null ? 0 : way.nextLong(8 * TestNetwork.MILLI);
                network.deliverIn(2 * TestNetwork.MILLI + jitterNanos, new TestNetwork.Sent(bytes, from, to));
            }
        };
    }

    private ClientEndpoint connect(
            SocketAddress at, SnapshotReceiver receiver, BiConsumer<ByteBuffer, SocketAddress> sink) {
        ClientEndpoint client = new ClientEndpoint(
                EndpointFixture.SERVER,
                "marbles",
                EndpointFixture.PLAIN,
                receiver,
                network.clock,
                new Random(network.random.nextLong()),
                sink);
        network.add(at, client);
        return client;
    }

    private ClientEndpoint view(int index) {
        SocketAddress at = TestNetwork.address(FIRST_VIEWER + index);
        ways.put(at, network.random.split());
        SnapshotReceiver receiver = EndpointFixture.receiver(network.clock);
        viewers.add(receiver);
        return connect(at, receiver, sink(at));
    }

    private ClientEndpoint attack(int port) {
        SocketAddress at = TestNetwork.address(port);
        BiConsumer<ByteBuffer, SocketAddress> sink = sink(at);
        network.remove(at);
        return connect(at, EndpointFixture.receiver(network.clock), (packet, to) -> {
            boolean isFeedback = packet.get(packet.position()) == Protocol.FEEDBACK;
            sink.accept(isFeedback ? changed(packet) : packet, to);
        });
    }

    private ByteBuffer changed(ByteBuffer feedback) {
        switch (storm) {
            case OTHER_STREAM -> feedback.put(FEEDBACK_BITS + 1, (byte) 2);
            case CUT -> feedback.limit(FEEDBACK_BITS + 4);
            case NONE -> {
                byte[] rest = new byte[feedback.limit() - FEEDBACK_BITS - FEEDBACK_BYTES];
                feedback.get(FEEDBACK_BITS + FEEDBACK_BYTES, rest);
                feedback.put(FEEDBACK_BITS - 1, (byte) 0)
                        .put(FEEDBACK_BITS, rest)
                        .limit(FEEDBACK_BITS + rest.length);
            }
            case TRUE -> {}
            default -> feedback.put(FEEDBACK_BITS + 4, new byte[FEEDBACK_BYTES - 4]);
        }
        return feedback;
    }

    private void tick() throws Exception {
        tick++;
        WritableSnapshot snapshot = exchange.writer().nextSnapshot();
        snapshot.startTick(tick, timeline.dueNanos(tick));
        capture.captureInto(snapshot, exchange.writer().latest());
        exchange.writer().publish(timeline, network.clock.nanoTime());
        network.run(10);
        network.sent.clear();
    }

    private long bytesToStorm() {
        long bytes = 0;
        for (int port = 1; port <= STORM; port++) {
            bytes += sentBytes.getOrDefault(TestNetwork.address(port), 0L);
        }
        return bytes;
    }

    /** Runs so many seconds, and returns how many bytes the storm got in each. */
    private List<Long> run(Storm of, int seconds) throws Exception {
        storm = of;
        List<Long> bytes = new ArrayList<>();
        List<ClientEndpoint> attackers = new ArrayList<>();
        for (int i = 0; i < seconds * 100; i++) {
            if (of != Storm.NOBODY && (i == 100 || (of == Storm.AGAIN && i % 100 == 0))) {
                for (int port = 1; port <= STORM; port++) {
                    if (attackers.size() == STORM) {
                        attackers.remove(0).close(network.clock.nanoTime());
                    }
                    attackers.add(attack(port));
                }
            }
            if (i % 150 == 50 && viewers.size() < VIEWERS) {
                view(viewers.size());
            }
            long before = bytesToStorm();
            tick();
            if (i % 100 == 0) {
                bytes.add(0L);
            }
            bytes.set(i / 100, bytes.get(i / 100) + bytesToStorm() - before);
        }
        return bytes;
    }

    private List<Long> predicted() {
        return viewers.stream()
                .map(viewer -> viewer.figure(ReceiverFigure.FILLED_TICKS))
                .toList();
    }

    private List<Long> shown() {
        return viewers.stream()
                .map(viewer -> viewer.figure(ReceiverFigure.TICKS))
                .toList();
    }

    static Stream<Storm> storms() {
        return Slice.current().of(List.copyOf(EnumSet.complementOf(EnumSet.of(Storm.NOBODY, Storm.TRUE))));
    }

    /** The storm begins after a second: slow after two, all in all little five seconds later. */
    @ParameterizedTest
    @MethodSource("storms")
    void shouldCostLittle(Storm of) throws Exception {
        begin(1);
        List<Long> bytes = run(of, 9);
        for (int second = of == Storm.AGAIN ? 4 : 2; second < 6; second++) {
            assertThat(bytes.get(second)).as("second %d of %s", second, bytes).isLessThan(STORM * 16_000);
        }
        for (long late : bytes.subList(6, 9)) {
            assertThat(late).as("%s", bytes).isLessThan(100_000);
        }
    }

    @Test
    void shouldFindFeedbackThatEarns() throws Exception {
        begin(1);
        assertThat(run(Storm.TRUE, 4).get(3)).isGreaterThan(STORM * 16_000);
    }

    static Stream<Arguments> stormsBesideLoss() {
        return Slice.current()
                .of(List.of(
                        Arguments.of(0, Storm.EMPTY),
                        Arguments.of(0.02, Storm.OTHER_STREAM),
                        Arguments.of(0.05, Storm.AGAIN)));
    }

    /** In all, and within what differs from one seed to the next. */
    @ParameterizedTest
    @MethodSource("stormsBesideLoss")
    void shouldNotBeNoticedByOthers(double lost, Storm of) throws Exception {
        List<Long> alone = new ArrayList<>();
        List<Long> beside = new ArrayList<>();
        List<Long> shownAlone = new ArrayList<>();
        List<Long> shownBeside = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            for (Storm now : List.of(Storm.NOBODY, of)) {
                FeedbackStormTest one = new FeedbackStormTest();
                one.viewersLose = lost;
                one.begin(seed);
                one.run(now, 7);
                (now == of ? beside : alone).addAll(one.predicted());
                (now == of ? shownBeside : shownAlone).addAll(one.shown());
            }
        }
        assertThat(sum(beside))
                .as("%s beside a storm, alone %s", beside, alone)
                .isLessThanOrEqualTo(sum(alone) * 11 / 10 + 9);
        assertThat(sum(shownBeside)) // who joins gets a picture as soon
                .as("%s beside a storm, alone %s", shownBeside, shownAlone)
                .isGreaterThanOrEqualTo(sum(shownAlone) * 98 / 100);
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    /** There is nothing to acknowledge, or the feedback is lost for a while: nobody is dropped for that. */
    @Test
    void shouldKeepWhoHasNothingToAcknowledge() throws Exception {
        viewersLose = 0.5;
        begin(3);
        ClientEndpoint client = view(0);
        network.run(2000); // no world yet
        assertThat(client.isConnected()).isTrue();
        for (int i = 0; i < 300; i++) {
            tick();
            assertThat(client.isConnected()).as("tick %d", i).isTrue();
        }
        viewersLose = 0;
        timeline.pause(tick);
        exchange.writer().publishAgain(timeline);
        for (int second = 0; second < 20; second++) {
            network.run(1000);
            assertThat(client.isConnected())
                    .as("second %d of the pause", second)
                    .isTrue();
        }
        timeline.resume(network.clock.nanoTime(), TimeScale.ONE);
        exchange.writer().publishAgain(timeline);
        long predictedBefore = predicted().get(0);
        long shownBefore = shown().get(0);
        for (int i = 0; i < 100; i++) {
            tick();
        }
        assertThat(shown().get(0) - shownBefore).isGreaterThan(90);
        assertThat(predicted().get(0) - predictedBefore)
                .as("for packets are late by 8 ms")
                .isLessThan(40);
        network.run(20_000); // the world has died
        assertThat(client.isConnected()).isTrue();
    }
}
