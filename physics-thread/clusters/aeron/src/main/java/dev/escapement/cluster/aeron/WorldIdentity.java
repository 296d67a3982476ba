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
 * The identity of the world whose log is in a folder, in a file beside it. It is random: each node proposes one, and the first that is
 * committed is that of the world.
 *
 * <p>Any thread may call any method.
 */
final class WorldIdentity {

    private final Path file;
    private final UUID proposed = UUID.randomUUID();

    // Volatile: the thread that answers other nodes sees it soon; nothing else is ordered by it.
    private volatile @Nullable UUID known;

    WorldIdentity(Path folder) {
        file = folder.resolve("world");
    }

    /** Reads the file, if there is one; throws if it has something else. Call it when the folder is locked. */
    void read() throws IOException {
        if (Files.exists(file)) {
            known = UUID.fromString(Files.readString(file, StandardCharsets.ISO_8859_1));
        }
    }

    /** The identity; null if the folder has none so far. */
    @Nullable
    UUID known() {
        return known;
    }

    UUID knownOrProposed() {
        return Objects.requireNonNullElse(known, proposed);
    }

    /** Stores the identity; throws if the folder has another one. A process that is killed leaves all of the file, or none. */
    synchronized void note(UUID world) {
        UUID before = known;
        if (before != null) {
            if (!before.equals(world)) {
                throw new IllegalStateException(file + " names world " + before + ", but the log is of world " + world
                        + "; start this node with its own folder, or an empty one");
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
