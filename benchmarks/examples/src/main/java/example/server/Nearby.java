package example.server;

import dev.escapement.state.wire.InterestRegion;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.SnapshotSender;
import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits the data of each client of a large world to the bodies near it. Any thread. */
public final class Nearby {

    private static final double RADIUS_METRES = 60;

    /**
     * The regions by address, weakly referenced: the sender holds the region of each client that it serves, and a region is
     * garbage-collected after its client has left.
     */
    final Map<SocketAddress, WeakReference<InterestRegion>> regions = new ConcurrentHashMap<>();

    /** Limits what a sender sends. Call it before the first packet. */
    public SnapshotSender limit(SnapshotSender sender) {
        return sender.interests(this::of, InterestSettings.DEFAULT);
    }

    /** Creates the region of a client that joins. */
    InterestRegion of(SocketAddress client) {
        regions.values().removeIf(region -> region.refersTo(null));
        InterestRegion region = new InterestRegion(RADIUS_METRES);
        regions.put(client, new WeakReference<>(region));
        return region;
    }

    /** Moves the region of a client's player. Does nothing for a client that has not joined. */
    public void moved(SocketAddress client, double x, double y, double z) {
        WeakReference<InterestRegion> known = regions.get(client);
        InterestRegion region = known == null ? null : known.get();
        if (region != null) {
            region.moveTo(x, y, z);
        }
    }
}
