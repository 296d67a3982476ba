package dev.escapement.bench.run;

import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.RunResult.Recorded;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/** The file of {@code --record}, and the recording that writes into it while the service runs. Main thread. */
record LogFile(Path file, Recording recording) implements AutoCloseable {

    /**
     * Checks, before a run starts, that it can be recorded.
     *
     * @param others the other files that the run will write
     * @throws IllegalArgumentException if the log file exists, cannot be written, or is one of the others
     */
    static void checkNew(Path file, Path... others) {
        WholeFile.checkWritable("--record", file);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException(
                    "--record: " + file + " exists, and no log is ever overwritten; name another");
        }
        for (Path other : others) {
            if (isSame(other, file)) {
                throw new IllegalArgumentException(
                        "--record: " + file + " is a file of other results of this run; name another");
            }
        }
    }

    static LogFile create(Path file, RunDescription run) {
        try {
            return new LogFile(file, Recording.create(file, run));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--record: " + file + " cannot be created (" + WholeFile.why(e) + "); name another", e);
        }
    }

    Recorded finish(long ranTicks) {
        recording.close();
        String failure = recording.failure().map(Object::toString).orElse("");
        try {
            long bytes = Files.size(file);
            InputLog log = InputLog.open(file);
            if (failure.isEmpty() && (log.ticks() != ranTicks || !log.isComplete())) {
                failure = "the log has " + log.ticks() + " ticks" + (log.isComplete() ? "" : " and no end") + ", but "
                        + ranTicks + " ran";
            }
            return new Recorded(file.toString(), log.ticks(), bytes, failure);
        } catch (IOException e) {
            return new Recorded(
                    file.toString(),
                    0,
                    0,
                    failure.isEmpty() ? "the log cannot be read back: " + WholeFile.why(e) : failure);
        }
    }

    @Override
    public void close() {
        recording.close();
    }

    private static boolean isSame(Path a, Path b) {
        try {
            return Objects.equals(a.getFileName(), b.getFileName())
                    && Files.isSameFile(a.resolveSibling("."), b.resolveSibling("."));
        } catch (IOException gone) {
            return false;
        }
    }
}
