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
     * The interest region of each client, by address. The references are weak: the sender holds a region while it serves the client, and
     * after that the region is garbage-collected.
     */
    final Map<SocketAddress, WeakReference<InterestRegion>> regions = new ConcurrentHashMap<>();

    /** Makes a sender send each client only the bodies in its region. Call it before the first packet. */
    public SnapshotSender limit(SnapshotSender sender) {
        return sender.interests(this::of, InterestSettings.DEFAULT);
    }

    InterestRegion of(SocketAddress client) {
        regions.values().removeIf(region -> region.refersTo(null));
        InterestRegion region = new InterestRegion(RADIUS_METRES);
        regions.put(client, new WeakReference<>(region));
        return region;
    }

    /** Moves the region of a client to the position of its player. Does nothing for a client that has not joined. */
    public void moved(SocketAddress client, double x, double y, double z) {
        WeakReference<InterestRegion> known = regions.get(client);
        InterestRegion region = known == null ? null : known.get();
        if (region != null) {
            region.moveTo(x, y, z);
        }
    }
}
