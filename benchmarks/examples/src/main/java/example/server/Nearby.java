package example.server;

import dev.escapement.state.wire.InterestRegion;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.SnapshotSender;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits what the clients of a large world get to the bodies near each of them. Any thread. */
public final class Nearby {

    private static final double RADIUS_METRES = 60;

    private final Map<SocketAddress, InterestRegion> regions = new ConcurrentHashMap<>();

    /** Limits what a sender sends. Call it before the first packet. */
    public SnapshotSender limit(SnapshotSender sender) {
        return sender.interests(this::of, InterestSettings.DEFAULT);
    }

    private InterestRegion of(SocketAddress client) {
        return regions.computeIfAbsent(client, joins -> new InterestRegion(RADIUS_METRES));
    }

    /** A client's player has moved. */
    public void moved(SocketAddress client, double x, double y, double z) {
        of(client).moveTo(x, y, z);
    }
}
