package dev.escapement.state.world;

import dev.escapement.state.exchange.SnapshotReader;
import java.util.Optional;

/**
 * A world that is received from another process into a local exchange, as a viewer sees it. Any thread may ask.
 *
 * <pre>{@code
 * if (world.isReady()) {
 *     FrameView view = FrameView.of(world.newReader());
 * }
 * }</pre>
 */
public interface ReceivedWorld {

    /** {@return whether the world is known, so that {@link #newReader()} may be called} */
    boolean isReady();

    /**
     * Attaches a reader to the world.
     *
     * @return a reader for one thread, to be closed by it
     * @throws IllegalStateException if the world is not known yet
     */
    SnapshotReader newReader();

    /** {@return for how long nothing was received, nanoseconds of the local clock} */
    long silentNanos();

    /** {@return the reason why the world is not shown, a sentence; empty if there is none} */
    default Optional<String> problem() {
        return Optional.empty();
    }
}
