package example.server;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import example.BoxRules;
import example.BoxYard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A pile of boxes that clients push around over UDP. Any thread may ask and close it. */
public final class GameServer implements AutoCloseable {

    static final TickRate RATE = TickRate.hertz(100);

    private final Recording recording;
    private final PhysicsService physics;
    private final DatagramChannel channel;
    private final InputReceiver receiver;
    private final SnapshotSender sender;

    /** Starts on the loopback interface; port 0 takes any that is free. */
    public GameServer(int port, int boxes, Path log) throws IOException {
        channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        recording = Recording.create(log, describe(boxes));
        physics = PhysicsService.builder(new BoxRules(new BoxYard(boxes)))
                .rate(RATE)
                .preallocate(boxes)
                .maxReaders(1)
                .pacing(Pacing.PARK_ONLY)
                .watchdog(2_000)
                .record(recording)
                .start();
        Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();
        receiver = new InputReceiver(channel, physics, clients);
        sender = new SnapshotSender(physics.newReader(), channel, clients);
    }

    private static RunDescription describe(int boxes) {
        return new RunDescription("jolt", JoltWorldSimulation.version(), boxes + " boxes", 0, RATE);
    }

    public SocketAddress address() throws IOException {
        return channel.getLocalAddress();
    }

    /** Why ticks, packets or the recording do not go on, empty if all do. */
    public Optional<Throwable> failure() {
        return physics.failure()
                .or(sender::failure)
                .or(() -> recording.failure().map(RecordingFailure::cause));
    }

    /** One line for the log of the server. */
    public String stats() {
        return String.format(
                "%s, time factor %.3f, lateness p99 %d us, step p99 %d us, packets %d, input %d (%d refused)",
                physics.state(),
                physics.timeFactor(),
                physics.stats().latenessNanos().getValueAtPercentile(99) / 1000,
                physics.stats().stepNanos().getValueAtPercentile(99) / 1000,
                sender.sent(),
                receiver.accepted(),
                receiver.refused());
    }

    /** Nobody sends or hears any more, then ticks end, then the recording is complete. */
    @Override
    public void close() throws IOException {
        sender.close();
        channel.close();
        physics.close();
        recording.close();
    }
}
