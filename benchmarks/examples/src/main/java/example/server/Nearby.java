package example.server;

import dev.escapement.state.wire.InterestRegion;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.SnapshotSender;
import java.lang.ref.WeakReference;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits what the clients of a large world get to the bodies near each of them. Any thread. */
public final class Nearby {

    private static final double RADIUS_METRES = 60;

    /** By address. The sender holds the region of each client that it serves: with that client, the region goes. */
    final Map<SocketAddress, WeakReference<InterestRegion>> regions = new ConcurrentHashMap<>();

    /** Limits what a sender sends. Call it before the first packet. */
    public SnapshotSender limit(SnapshotSender sender) {
        return sender.interests(this::of, InterestSettings.DEFAULT);
    }

    /** Asked when a client joins. */
    InterestRegion of(SocketAddress client) {
        regions.values().removeIf(region -> region.refersTo(null));
        InterestRegion region = new InterestRegion(RADIUS_METRES);
        regions.put(client, new WeakReference<>(region));
        return region;
    }

    /** A client's player has moved. Without effect for a client that has not joined. */
    public void moved(SocketAddress client, double x, double y, double z) {
        WeakReference<InterestRegion> known = regions.get(client);
        InterestRegion region = known == null ? null : known.get();
        if (region != null) {
            region.moveTo(x, y, z);
        }
    }
}
