package example.server;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The other side of {@link GameServer}, as small as can be: it knows where bodies were last heard to be. */
public final class GameClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 10_000;

    private final DatagramSocket socket = new DatagramSocket();
    private final byte[] bytes = new byte[Packets.MOST_BYTES];
    private final ByteBuffer packet = ByteBuffer.wrap(bytes);
    private final Map<Integer, Float> xBySlot = new HashMap<>();

    public GameClient(SocketAddress server) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(server);
    }

    /** Makes itself known. */
    public void hello() throws IOException {
        Packets.putHello(packet);
        send();
    }

    public void key(int code, boolean down) throws IOException {
        Packets.putKey(code, down, packet);
        send();
    }

    private void send() throws IOException {
        socket.send(new DatagramPacket(bytes, packet.limit()));
    }

    /** Waits for a packet, and returns of which tick it is. */
    public long receive() throws IOException {
        DatagramPacket received = new DatagramPacket(bytes, bytes.length);
        socket.receive(received);
        packet.clear().limit(received.getLength());
        long tick = packet.getLong();
        for (int bodies = packet.getInt(); bodies > 0; bodies--) {
            int slot = packet.getInt();
            xBySlot.put(slot, packet.getFloat());
            packet.position(packet.position() + 6 * Float.BYTES);
        }
        return tick;
    }

    public int bodiesHeardOf() {
        return xBySlot.size();
    }

    /** The mean of all bodies' x, in metres. */
    public double meanX() {
        return xBySlot.values().stream().mapToDouble(x -> x).average().orElseThrow();
    }

    @Override
    public void close() {
        socket.close();
    }
}
