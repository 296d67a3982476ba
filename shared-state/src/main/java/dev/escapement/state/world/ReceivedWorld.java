package dev.escapement.state.world;

import dev.escapement.state.exchange.SnapshotReader;
import java.util.Optional;

/**
 * A world received from another process into a local exchange, as a viewer sees it. Any thread may ask.
 *
 * <pre>{@code
 * if (world.isReady()) {
 *     FrameView view = FrameView.of(world.newReader());
 * }
 * }</pre>
 */
public interface ReceivedWorld {

    /** {@return whether enough of the world has arrived that {@link #newReader()} works} */
    boolean isReady();

    /**
     * Attaches a reader to the world.
     *
     * @return a reader for one thread, which closes it
     * @throws IllegalStateException if the world is not {@linkplain #isReady() ready}
     */
    SnapshotReader newReader();

    /** {@return the time since the last packet, nanoseconds of the local clock} */
    long silentNanos();

    /** {@return the sentence that says why nothing is shown; empty if the world is shown} */
    default Optional<String> problem() {
        return Optional.empty();
    }
}
