package example.server;

import dev.escapement.render.BodyVisitor;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.RemoteView;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.UdpLoop;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/**
 * The client of {@link GameServer}. It draws the server's world as if it were simulated in this process, and pushes the box of its player.
 * One thread.
 */
public final class GameClient implements AutoCloseable {

    private final RemoteView<SnapshotReceiver, UdpLoop<ClientEndpoint>> remote;
    private final Boxes boxes = new Boxes();

    public GameClient(InetSocketAddress server) {
        NanoClock clock = NanoClock.system();
        remote = RemoteView.open(
                clock,
                new SnapshotReceiver(ReceiverSettings.DEFAULT, clock),
                receiver -> UdpLoop.client(server, GameServer.WORLD, Access.thisMachine(), receiver, clock));
    }

    /** Sends a key event to the server. Returns false if the server has not yet acknowledged too many earlier events. */
    public boolean key(int code, boolean down) {
        InputKind kind = down ? InputKind.KEY_DOWN : InputKind.KEY_UP;
        return remote.stream().endpoint().inputs().offer(System.nanoTime(), kind, code, 0, 0);
    }

    /** Advances the view to the frame that is displayed next. Returns null until the world has arrived. */
    public @Nullable FrameView frame() {
        FrameView frame = remote.frame();
        if (frame != null) {
            frame.changes(boxes);
        }
        return frame;
    }

    /** Returns why there is no frame, or no new one; empty if there is nothing new to report. Call it about once per frame. */
    public Optional<String> look() {
        return remote.stream()
                .endpoint()
                .refusal()
                .map(why -> "the server refuses: " + why)
                .or(remote::look);
    }

    /** The number of this client's player, which the server assigns; 0 until it has answered. */
    public int player() {
        return remote.stream().endpoint().sender();
    }

    /** The x of this client's box in a frame, in metres; NaN if the box does not exist. */
    public double x(FrameView frame) {
        Long id = boxes.idsByPlayer.get((long) player());
        return id == null ? Double.NaN : frame.position(id, new Vector3f()).x;
    }

    @Override
    public void close() {
        remote.close();
    }

    /** Collects the ids of the boxes by player. The user data of a box is the number of its player. */
    private static final class Boxes implements BodyVisitor {

        private final Map<Long, Long> idsByPlayer = new HashMap<>();

        @Override
        public void appeared(long id, long userData) {
            if (userData != 0) {
                idsByPlayer.put(userData, id);
            }
        }

        @Override
        public void vanished(long id, long userData) {
            idsByPlayer.remove(userData, id);
        }
    }
}
