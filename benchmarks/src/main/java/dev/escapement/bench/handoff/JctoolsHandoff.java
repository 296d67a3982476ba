package dev.escapement.bench.handoff;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.Queue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A JCTools queue of frames to one reader, drained to the latest, and another one that brings the frames back. When the
 * reader does not keep up there is no frame left, and the newest tick is dropped.
 */
public final class JctoolsHandoff implements Handoff {

    private static final int FRAMES = 8;

    private final Queue<PoseBlocks> full = new SpscVarHandleArrayQueue<>(FRAMES);
    private final Queue<PoseBlocks> empty = new SpscVarHandleArrayQueue<>(FRAMES);
    private final PoseBlocks dropped;
    private @Nullable PoseBlocks writing;

    /** Eight frames of so many bodies, and one for what is dropped. */
    public JctoolsHandoff(int bodies) {
        dropped = Poses.room(bodies);
        for (int i = 0; i < FRAMES; i++) {
            empty.add(Poses.room(bodies));
        }
    }

    @Override
    public PoseBlocks begin() {
        writing = empty.poll();
        return writing == null ? dropped : writing;
    }

    @Override
    public boolean publish() {
        return writing != null && full.offer(writing);
    }

    @Override
    public Reader newReader() {
        return new Reader() {
            private @Nullable PoseBlocks held;

            @Override
            public boolean acquire() {
                boolean changed = false;
                PoseBlocks next;
                while ((next = full.poll()) != null) {
                    if (held != null) {
                        empty.add(held);
                    }
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
