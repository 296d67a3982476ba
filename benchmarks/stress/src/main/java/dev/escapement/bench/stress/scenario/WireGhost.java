package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.network.WireHost;
import dev.escapement.bench.network.WireWay;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.physics.Tick;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.ClientEndpoint;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * A client that says that it lives, and acknowledges nothing; it presses a key, and vanishes while that is down, with or without a word.
 * It must get little, and its key must come up.
 */
final class WireGhost extends WireHost {

    private static final long MILLI = WireWay.MILLI;
    private static final int KEY = 87;
    private static final long JOIN_NANOS = 100 * MILLI;
    private static final long PRESS_NANOS = 600 * MILLI;
    private static final long VANISH_NANOS = 3500 * MILLI;

    /** Full speed for a second, then ten packets a second, and what tells of the stream. */
    private static final long FULL_NANOS = 1500 * MILLI;

    private static final int FEW_BYTES = 4000;
    private static final double BYTES_PER_NANO = 18_000 / 1e9;

    /** The first byte of a packet of snapshots is higher. */
    private static final int LAST_OF_HANDSHAKE = 7;

    private final WireRun run;
    private final WireWay up;
    private final ClientEndpoint client;
    final SocketAddress address;
    private WireServer from;
    private long slowFromNanos = -1;
    private long bytes;

    /** Whether the key is down in the newest world. */
    private boolean isDown;

    WireGhost(WireRun run, SplittableRandom random, SocketAddress address) {
        super(run.time, random.nextLong() >> 1, 0);
        this.run = run;
        this.address = address;
        from = run.server;
        up = new WireWay(time, random.split());
        SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, this);
        client = new ClientEndpoint(
                WireRun.SERVER,
                WireRun.WORLD,
                run.access,
                receiver,
                this,
                new Random(random.nextLong()),
                (packet, to) -> up.send(packet, this::arrive));
        endpoint = client;
        boolean saysGoodbye = random.nextBoolean();
        time.at(JOIN_NANOS, this::wake);
        time.at(PRESS_NANOS, () -> client.inputs().offer(nanoTime(), InputKind.KEY_DOWN, KEY, 0, 0));
        time.at(VANISH_NANOS, () -> {
            if (saysGoodbye) {
                sayGoodbye();
            }
            crash();
        });
    }

    private void arrive(ByteBuffer packet) {
        if (!run.server.isGone()) {
            run.server.receive(packet, address);
        }
    }

    /** A server sends a packet. */
    void down(ByteBuffer packet) {
        if (from != run.server) {
            from = run.server;
            slowFromNanos = -1;
        }
        boolean isOfSnapshots = packet.get(packet.position()) > LAST_OF_HANDSHAKE;
        if (isOfSnapshots && slowFromNanos < 0) {
            slowFromNanos = time.nanos + FULL_NANOS;
            bytes = 0;
        }
        long slowNanos = slowFromNanos < 0 ? -1 : time.nanos - slowFromNanos;
        bytes += slowNanos < 0 ? 0 : packet.remaining();
        run.check(
                Promise.EARNED,
                slowNanos < 0 || bytes <= FEW_BYTES + BYTES_PER_NANO * slowNanos,
                () -> bytes + " bytes within " + slowNanos / MILLI + " ms to one that acknowledges nothing");
        if (!isOfSnapshots || run.trial.isPlanted(Promise.EARNED)) { // planted: feedback earns as if it acknowledged
            ByteBuffer arrived = ByteBuffer.allocate(packet.remaining())
                    .put(packet.duplicate())
                    .flip();
            time.after(MILLI, () -> receive(arrived, WireRun.SERVER));
        }
    }

    /** A tick of the newest world has come. */
    void see(Tick tick) {
        // Planted: a server that forgets the key.
        isDown = tick.input().state().isKeyDown(KEY) || (isDown && run.trial.isPlanted(Promise.RELEASED));
    }

    /** Long after it has vanished. */
    void checkEnd() {
        run.check(Promise.RELEASED, !isDown, () -> "key " + KEY + " of a client that is gone is down");
    }
}
