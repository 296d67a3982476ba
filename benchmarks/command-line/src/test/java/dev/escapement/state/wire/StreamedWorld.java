package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/** Opens the seeded world of the codec's tests to tests of other packages. Its bodies spawn, despawn, teleport, sleep and get parents. */
public final class StreamedWorld {

    public static final TickRate RATE = WireWorld.RATE;

    private final WireWorld world;

    /** Creates a world of up to this many bodies. A share of them moves. */
    public StreamedWorld(long seed, int bodies, double moving, PoseLayout layout) {
        world = new WireWorld(seed, bodies, moving, layout);
        world.rides = true;
    }

    /** The timeline of the world. The caller pauses and resumes it. */
    public Timeline timeline() {
        return world.timeline;
    }

    /** Runs the next tick, and writes it into a snapshot. */
    public void tickInto(WritableSnapshot snapshot) {
        world.tickInto(snapshot);
    }
}
