package dev.escapement.physics.replay;

import dev.escapement.state.time.TickRate;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Describes a run: the engine, scene and rate that a replay of its log needs.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param engine        the engine, or other simulation
 * @param engineVersion the engine's version; another version may compute other bits
 * @param scene         the scene, in words from which a program can build it again
 * @param seed          the seed of the scene, 0 if it has none
 * @param rate          the rate of the ticks
 * @see dev.escapement.physics.replay.log.Recording#create
 */
public record RunDescription(String engine, String engineVersion, String scene, long seed, TickRate rate) {

    private static final int MAX_BYTES = 4096;

    /**
     * Checks that a log's header has room for each text.
     *
     * @param engine        the engine
     * @param engineVersion its version
     * @param scene         the scene
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
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("the " + name + " of a log may have " + MAX_BYTES
                    + " bytes in UTF-8, but has " + bytes + "; name it, and keep the content elsewhere");
        }
    }
}
