package dev.escapement.bench.jmh;

import dev.escapement.state.snapshot.PoseBlocks;
import org.jspecify.annotations.Nullable;

/** One writer hands the poses of all bodies to its readers; a reader wants the latest. Each side has one thread. */
public interface Handoff {

    /** Where the next poses go: room for all bodies, not cleared. */
    PoseBlocks begin();

    /**
     * Hands them over.
     *
     * @return false if they could not be handed over to everybody, because a reader did not keep up
     */
    boolean publish();

    /** A reader for one thread. */
    Reader newReader();

    @FunctionalInterface
    interface Reader {

        /**
         * Takes the latest poses.
         *
         * @return null if there are none that are newer than before; the poses are not written until the next call
         */
        @Nullable
        PoseBlocks acquire();
    }

    /**
     * Lets a reader stall where it hurts the writer most: while holding what it reads, or in the middle of taking it.
     *
     * @param stall returns when the stall is over
     */
    default void stall(Reader reader, Runnable stall) {
        reader.acquire();
        stall.run();
    }
}
