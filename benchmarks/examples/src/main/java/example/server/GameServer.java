package example.server;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.Traffic;
import dev.escapement.state.wire.udp.UdpLoop;
import example.BoxYard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** Serves a pile of boxes over UDP, with one more box per client, which this client pushes. Any thread may query and close it. */
public final class GameServer implements AutoCloseable {

    static final TickRate RATE = TickRate.hertz(100);

    /** The name of the served world. Client and server must use the same. */
    static final String WORLD = "pile";

    /** The largest error of a client's picture: 1 mm, 3 mrad. */
    private static final WireFormat FORMAT = new WireFormat(0.001f, 0.003f);

    private final Recording recording;
    private final PhysicsService physics;
    private final UdpLoop<ServerEndpoint> udp;

    /** Starts a server for programs on the same machine; port 0 takes any free port. */
    public GameServer(int port, int boxes, Path log) throws IOException {
        recording = Recording.create(log, describe(boxes));
        physics = PhysicsService.builder(new Players(new BoxYard(boxes, Players.ROOM)))
                .rate(RATE)
                .preallocate(boxes + Players.ROOM)
                .maxReaders(1)
                .waitStrategy(WaitStrategy.PARK_ONLY)
                .watchdog(2_000)
                .with(recording)
                .start();
        udp = UdpLoop.server(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                WORLD,
                Access.thisMachine(),
                new SnapshotSender(physics.newReader(), FORMAT, new SecureRandom().nextInt()),
                physics.input(),
                Limits.DEFAULT,
                NanoClock.system());
    }

    private static RunDescription describe(int boxes) {
        return new RunDescription("jolt", JoltWorldSimulation.version(), boxes + " boxes", 0, RATE);
    }

    public InetSocketAddress address() {
        return udp.address();
    }

    /** The failure that ended the ticks, the network or the recording; empty while all of them run. */
    public Optional<Throwable> failure() {
        return physics.failure().or(udp::failure).or(() -> recording.failure().map(RecordingFailure::cause));
    }

    public String stats() {
        return String.format(
                "%s, real-time factor %.3f, lateness p99 %d us, step p99 %d us, packets %d, input %d (%d refused)",
                physics.state(),
                physics.realTimeFactor(),
                physics.stats().latenessNanos().percentile(99) / 1000,
                physics.stats().stepNanos().percentile(99) / 1000,
                udp.endpoint().count(Traffic.PACKETS_OUT),
                udp.endpoint().count(Traffic.INPUTS_TAKEN),
                udp.endpoint().count(Traffic.INPUTS_DROPPED));
    }

    /** Closes the network first, then the ticks. After the last tick the recording is complete. */
    @Override
    public void close() throws IOException {
        udp.close();
        physics.close();
        recording.close();
    }
}
