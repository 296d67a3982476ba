package dev.escapement.cluster.aeron;

import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the world whose log is in a folder, in a file beside it, and whether that log is there. The identity is random: each
 * node proposes one, and the first that is committed is that of the world.
 *
 * <p>Any thread may call any method.
 */
final class WorldIdentity {

    private final Path file;
    private final UUID proposed = UUID.randomUUID();

    // Volatile: the thread that answers other nodes sees them soon; nothing else is ordered by them.
    private volatile @Nullable UUID known;
    private volatile boolean hasLog;

    WorldIdentity(Path folder) {
        file = folder.resolve("world");
    }

    /** Reads the file, if there is one; throws if it has something else. Call it when the folder is locked; say whether that has a log. */
    void read(boolean withLog) throws IOException {
        hasLog = withLog;
        if (Files.exists(file)) {
            known = UUID.fromString(Files.readString(file, StandardCharsets.ISO_8859_1));
        }
    }

    /** The identity; null if the folder has none so far. */
    @Nullable
    UUID known() {
        return known;
    }

    boolean hasLog() {
        return hasLog;
    }

    /** Stores the identity that the log or a saved state has; throws if the folder has another one. */
    void begun(UUID world) {
        note(world);
        hasLog = true;
    }

    UUID knownOrProposed() {
        return Objects.requireNonNullElse(known, proposed);
    }

    /** Stores the identity; throws if the folder has another one. A process that is killed leaves all of the file, or none. */
    synchronized void note(UUID world) {
        UUID before = known;
        if (before != null) {
            if (!before.equals(world)) {
                throw new IllegalStateException(
                        file + " names world " + before + ", but the log is of world " + world
                                + ": the folder is of another node, or damaged; start this node with its own folder, or an empty one");
            }
            return;
        }
        Path next = file.resolveSibling("world.next");
        try {
            Files.writeString(
                    next, "" + world, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the identity of the world cannot be kept in " + file + ": " + FailureReport.why(e), e);
        }
        known = world;
    }
}
