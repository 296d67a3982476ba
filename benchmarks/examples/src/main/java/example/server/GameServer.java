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

/** A pile of boxes, and one box per client, which the client pushes over UDP. Any thread may query and close it. */
public final class GameServer implements AutoCloseable {

    static final TickRate RATE = TickRate.hertz(100);

    /** The name of the world, the same on both sides. */
    static final String WORLD = "pile";

    /** The maximum errors of a client's picture: 1 mm, 3 mrad. */
    private static final WireFormat FORMAT = new WireFormat(0.001f, 0.003f);

    private final Recording recording;
    private final PhysicsService physics;
    private final UdpLoop<ServerEndpoint> udp;

    /** Starts a server for programs of this machine; port 0 takes any free port. */
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

    /** Why ticks, packets or the recording have ended; empty if they continue. */
    public Optional<Throwable> failure() {
        return physics.failure().or(udp::failure).or(() -> recording.failure().map(RecordingFailure::cause));
    }

    /** One line for the log of the server. */
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

    /** Closes the network, then the ticks; then the recording is complete. */
    @Override
    public void close() throws IOException {
        udp.close();
        physics.close();
        recording.close();
    }
}
