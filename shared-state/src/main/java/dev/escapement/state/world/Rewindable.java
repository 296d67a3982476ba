package dev.escapement.state.world;

import java.util.concurrent.CompletableFuture;

/**
 * A running world that can seek to a past tick, for tools that steer it. Any thread may call any method.
 *
 * @see WorldControl
 */
public interface Rewindable {

    /** {@return whether the world may seek: it has begun, and is no replica} */
    boolean canRewind();

    /**
     * Seeks to a past tick, drops all later ticks, and continues from there.
     *
     * @param tick a simulation tick ({@link dev.escapement.state.snapshot.Snapshot#simulationTick()})
     * @return completes after the seek; exceptionally, with the reason, if the world cannot reach the tick, for example because it no
     *         longer keeps the tick's state
     * @throws IllegalStateException if the world {@linkplain #canRewind() cannot} seek
     */
    CompletableFuture<?> rewind(long tick);
}
