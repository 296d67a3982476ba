package dev.escapement.bench.handoff;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A new snapshot for every tick, in an atomic reference; the garbage collector does the rest. */
public final class FreshSnapshotHandoff implements Handoff {

    private final AtomicReference<@Nullable PoseBlocks> latest = new AtomicReference<>();
    private final int bodies;
    private PoseBlocks writing;

    /** Snapshots of so many bodies. */
    public FreshSnapshotHandoff(int bodies) {
        this.bodies = bodies;
        writing = Poses.room(bodies);
    }

    @Override
    public PoseBlocks begin() {
        writing = Poses.room(bodies);
        return writing;
    }

    @Override
    public boolean publish() {
        latest.set(writing);
        return true;
    }

    @Override
    public Reader newReader() {
        return new Reader() {
            private @Nullable PoseBlocks held;

            @Override
            public boolean acquire() {
                PoseBlocks newest = latest.get();
                boolean changed = newest != held;
                held = newest;
                return changed;
            }

            @Override
            public PoseBlocks poses() {
                return Objects.requireNonNull(held);
            }
        };
    }
}
