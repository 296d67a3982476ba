package dev.escapement.bench.handoff;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An unbounded queue of frames for every reader, drained to the latest. */
public final class LinkedQueueHandoff implements Handoff {

    private final CopyOnWriteArrayList<Queue<PoseBlocks>> queues = new CopyOnWriteArrayList<>();
    private final int bodies;
    private PoseBlocks writing;

    /** Frames of so many bodies. */
    public LinkedQueueHandoff(int bodies) {
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
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).add(writing);
        }
        return true;
    }

    @Override
    public Reader newReader() {
        Queue<PoseBlocks> queue = new ConcurrentLinkedQueue<>();
        queues.add(queue);
        return new Reader() {
            private @Nullable PoseBlocks held;

            @Override
            public boolean acquire() {
                boolean changed = false;
                PoseBlocks next;
                while ((next = queue.poll()) != null) {
                    held = next;
                    changed = true;
                }
                return changed;
            }

            @Override
            public PoseBlocks poses() {
                return Objects.requireNonNull(held);
            }
        };
    }
}
