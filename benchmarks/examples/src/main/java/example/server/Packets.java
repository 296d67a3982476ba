package example.server;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;

/** What goes over the wire. Each packet can be read alone, for any other may be lost. */
final class Packets {

    /** Small enough for every network, so that no packet is cut in two. */
    static final int MOST_BYTES = 1400;

    static final int MOST_BODIES = 40;

    private static final int HELLO_BYTES = 1;
    private static final int KEY_BYTES = Integer.BYTES + 1;

    private Packets() {}

    /**
     * Writes bodies from a slot on: the tick, how many they are, and for each its slot and pose.
     *
     * @return the slot to go on from in the next packet, the snapshot's slot count if there is none
     */
    static int putBodies(Snapshot snapshot, int fromSlot, ByteBuffer to) {
        to.clear().putLong(snapshot.tick()).putInt(0);
        int slot = fromSlot;
        int count = 0;
        for (; slot < snapshot.poses().slotCount() && count < MOST_BODIES; slot++) {
            if (snapshot.bodies().exists(slot)) {
                PoseBlock block = snapshot.poses().blockOf(slot);
                int i = slot & PoseBlock.MASK;
                to.putInt(slot);
                to.putFloat(block.px[i]).putFloat(block.py[i]).putFloat(block.pz[i]);
                to.putFloat(block.qx[i])
                        .putFloat(block.qy[i])
                        .putFloat(block.qz[i])
                        .putFloat(block.qw[i]);
                count++;
            }
        }
        to.putInt(Long.BYTES, count).flip();
        return slot;
    }

    /** Not an empty packet, which not every network delivers. */
    static void putHello(ByteBuffer to) {
        to.clear().put((byte) 0).flip();
    }

    static boolean isHello(ByteBuffer packet) {
        return packet.remaining() == HELLO_BYTES;
    }

    static void putKey(int code, boolean down, ByteBuffer to) {
        to.clear().putInt(code).put((byte) (down ? 1 : 0)).flip();
    }

    /**
     * Offers what a client has sent. The stamp is the server's own: a client's clock proves nothing.
     *
     * @return false if it was no input, or there is no room for more
     */
    static boolean offerInput(ByteBuffer packet, PhysicsService physics) {
        if (packet.remaining() != KEY_BYTES) {
            return false;
        }
        int code = packet.getInt();
        InputKind kind = packet.get() == 0 ? InputKind.KEY_UP : InputKind.KEY_DOWN;
        return kind.hasCode(code) && physics.input().offer(System.nanoTime(), kind, code, 0, 0);
    }
}
