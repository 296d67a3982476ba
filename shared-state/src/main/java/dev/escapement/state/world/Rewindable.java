package dev.escapement.state.world;

import java.util.concurrent.CompletableFuture;

/**
 * Lets a running world go back to a tick of its past, for tools that steer it. Any thread may call any method.
 *
 * @see WorldControl
 */
public interface Rewindable {

    /** {@return whether the world may go back: it has begun, and is no copy of another} */
    boolean canRewind();

    /**
     * Goes back to a past tick, and goes on from there: what came after it is dropped.
     *
     * @param tick a simulation tick ({@link dev.escapement.state.snapshot.Snapshot#simulationTick()})
     * @return completed when the world went back; exceptionally, with the reason, if it did not, for example because it no longer keeps that
     *     tick
     * @throws IllegalStateException if the world {@linkplain #canRewind() cannot} go back
     */
    CompletableFuture<?> rewind(long tick);
}
