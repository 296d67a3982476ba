package dev.escapement.state.wire.udp;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** A server and clients on a simulated network. Only tests that need snapshots publish them. */
class EndpointFixture {

    static final SocketAddress SERVER = TestNetwork.address(20121);
    static final Access KEY = Access.key(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    static final Access OTHER_KEY = Access.key(new byte[16]);
    static final Access PLAIN = Access.thisMachine();

    static final TickRate RATE = TickRate.hertz(100);

    final TestNetwork network;

    /** The exchange of the server that started last, and the receiver of the client that connected last. */
    SnapshotExchange exchange = newExchange();

    SnapshotReceiver receiver;
    InputRing ring;
    InputSampler sampler;

    private final Timeline timeline = new Timeline(RATE);
    private final Capture capture = new Capture(this::write, PoseLayout.PLAIN, RATE, 1);

    long tick;

    private long id;

    EndpointFixture(long seed) {
        network = new TestNetwork(seed);
        receiver = receiver(network.clock);
        newRing(1024);
    }

    final void newRing(int capacity) {
        ring = new InputRing(capacity, network.clock);
        sampler = new InputSampler(ring);
    }

    ServerEndpoint serve(Access access) {
        return serve(access, Limits.DEFAULT);
    }

    ServerEndpoint serve(Access access, Limits limits) {
        return serve(access, limits, 0);
    }

    /** Starts another server in place of the previous one. It sends each tick if {@code sendsPerSecond} is 0. */
    ServerEndpoint serve(Access access, Limits limits, int sendsPerSecond) {
        exchange = newExchange();
        SnapshotSender sender = sender(exchange);
        ServerEndpoint server = new ServerEndpoint(
                sendsPerSecond == 0
                        ? sender
                        : sender.interests(
                                at -> (body, kind, x, y, z) -> 1, new InterestSettings(sendsPerSecond, 300, 40_000)),
                ring,
                "marbles",
                access,
                limits,
                new Random(network.random.nextLong()),
                network.sink(SERVER));
        network.remove(SERVER);
        network.add(SERVER, server);
        return server;
    }

    ClientEndpoint connect(int port, Access access) {
        return connect(port, "marbles", access);
    }

    ClientEndpoint connect(int port, String world, Access access) {
        return connect(port, world, access, () -> List.of(SERVER), network.sink(TestNetwork.address(port)));
    }

    ClientEndpoint connect(int port, Access access, BiConsumer<ByteBuffer, SocketAddress> sink) {
        return connect(port, "marbles", access, () -> List.of(SERVER), sink);
    }

    /** Connects a client whose server may have several addresses. */
    ClientEndpoint connect(int port, Access access, Supplier<List<SocketAddress>> servers) {
        return connect(port, "marbles", access, servers, network.sink(TestNetwork.address(port)));
    }

    private ClientEndpoint connect(
            int port,
            String world,
            Access access,
            Supplier<List<SocketAddress>> servers,
            BiConsumer<ByteBuffer, SocketAddress> sink) {
        receiver = receiver(network.clock);
        Random nonce = new Random(network.random.nextLong());
        ClientEndpoint client = new ClientEndpoint(servers, world, access, receiver, network.clock, nonce, sink);
        network.add(TestNetwork.address(port), client);
        return client;
    }

    static SnapshotExchange newExchange() {
        return new SnapshotExchange(3, 2, 1, RATE, PoseLayout.PLAIN, null);
    }

    static SnapshotSender sender(SnapshotExchange exchange) {
        return new SnapshotSender(exchange.attach(), new WireFormat(1e-4f, 1e-3f), 1);
    }

    static SnapshotReceiver receiver(NanoClock clock) {
        return new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
    }

    /** Publishes the next tick of the last server's world, in which a body is at x = number of the tick. */
    final void publishTick() throws Exception {
        if (tick == 0) {
            timeline.start(network.clock.nanoTime() - RATE.nanosAt(1)); // so that each tick is published when it is due
        }
        tick++;
        WritableSnapshot snapshot = exchange.writer().nextSnapshot();
        snapshot.startTick(tick, timeline.dueNanos(tick));
        capture.captureInto(snapshot, exchange.writer().latest());
        exchange.writer().publish(timeline, network.clock.nanoTime());
    }

    final void pause() {
        timeline.pause(tick);
        exchange.writer().publishTimeline(timeline);
    }

    void write(PoseWriter poses) {
        if (tick == 1) {
            id = poses.spawn(42);
        }
        poses.set(poses.slotOf(id), (float) tick, 2, 3, 0, 0, 0, 1);
    }

    boolean offer(ClientEndpoint client, int code) {
        return client.inputs().offer(network.clock.nanoTime(), InputKind.APPLICATION, code, 0, 0);
    }

    /** Returns the codes of the events that came since the last call. */
    List<Integer> taken() {
        InputFrame frame = sampler.sample(network.clock.nanoTime(), network.clock.nanoTime());
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if (event.kind() == InputKind.APPLICATION) {
                codes.add(event.code());
            }
        }
        return codes;
    }
}
