package example.server;

import dev.escapement.render.FrameView;
import dev.escapement.render.tools.RemoteView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.UdpLoop;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The other side of {@link GameServer}: it sees the world as if it were simulated here, and pushes it. One thread. */
public final class GameClient implements AutoCloseable {

    private final RemoteView<SnapshotReceiver, UdpLoop<ClientEndpoint>> remote;

    public GameClient(InetSocketAddress server) {
        NanoClock clock = NanoClock.system();
        remote = RemoteView.open(
                clock,
                new SnapshotReceiver(ReceiverSettings.DEFAULT, clock),
                receiver -> UdpLoop.client(server, GameServer.WORLD, Access.thisMachine(), receiver, clock));
    }

    /** Sends the server a key. False if too many events are not acknowledged yet. */
    public boolean key(int code, boolean down) {
        InputKind kind = down ? InputKind.KEY_DOWN : InputKind.KEY_UP;
        return remote.stream().endpoint().inputs().offer(System.nanoTime(), kind, code, 0, 0);
    }

    /** Makes a frame. Null until the world has arrived. */
    public @Nullable FrameView frame() {
        return remote.frame();
    }

    /** The mean of all bodies' x in a frame, in metres. */
    public static double meanX(FrameView frame) {
        PoseBlocks poses = frame.poses();
        double sum = 0;
        for (int slot = 0; slot < poses.slotCount(); slot++) {
            sum += poses.blockOf(slot).px[slot & PoseBlock.MASK];
        }
        return sum / poses.slotCount();
    }

    @Override
    public void close() {
        remote.close();
    }
}
