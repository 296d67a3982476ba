package dev.escapement.render.interpolation;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;

/** Keeps the last three snapshots of a captured world. */
final class LastTicks {

    final CapturedWorld world;
    Snapshot beforePrevious = new Snapshot(PoseLayout.PLAIN);
    Snapshot previous = beforePrevious;
    Snapshot current = beforePrevious;

    LastTicks(CapturedWorld world) {
        this.world = world;
    }

    void tick(Capture.Source poses) {
        beforePrevious = previous;
        previous = current;
        current = world.tick(poses);
    }
}
