package dev.escapement.physics.replay;

import dev.escapement.state.time.TickRate;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What must be known to run a log again.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param engine        which engine, or other simulation
 * @param engineVersion which version of it: others may compute other bits
 * @param scene         which scene, in words from which it can be built again
 * @param seed          the seed of the scene, 0 if it has none
 * @param rate          the rate of the ticks
 * @see Recording#create
 */
public record RunDescription(String engine, String engineVersion, String scene, long seed, TickRate rate) {

    private static final int MOST_BYTES = 4096;

    /**
     * Checks that a header has room for it.
     *
     * @param engine        which engine
     * @param engineVersion which version of it
     * @param scene         which scene
     * @param seed          the seed of the scene
     * @param rate          the rate of the ticks
     * @throws IllegalArgumentException if one of the texts is too long
     */
    public RunDescription {
        requireShort("engine", engine);
        requireShort("engineVersion", engineVersion);
        requireShort("scene", scene);
        Objects.requireNonNull(rate, "rate must not be null; a log is of one rate");
    }

    private static void requireShort(String name, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("the " + name + " of a log may have " + MOST_BYTES
                    + " bytes in UTF-8, but has " + bytes + "; name it, and keep the content elsewhere");
        }
    }
}
