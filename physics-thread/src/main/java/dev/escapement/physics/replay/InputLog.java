package dev.escapement.physics.replay;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.command.CommandName;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A log that a {@link Recording} has written. Opening it reads it once from start to end, so that damage is found before the log is used.
 *
 * <pre>{@code
 * InputLog log = InputLog.open(Path.of("run.esclog"));
 * InlineDriver driver = PhysicsService.builder(sceneOf(log.run())).replay(log).inline(clock);
 * }</pre>
 *
 * <p>Immutable, and keeps no file open; any thread may use it. Of a log that is still being written, it has the ticks that were complete
 * when it was opened.
 */
public final class InputLog implements TickSource.Run {

    private final LogSource source;
    private final LogHeader header;
    private final long ticks;
    private final Set<CommandName> types;
    private final boolean complete;

    private InputLog(LogSource source, LogHeader header, long ticks, Set<CommandName> types, boolean complete) {
        this.types = types;
        this.source = source;
        this.header = header;
        this.ticks = ticks;
        this.complete = complete;
    }

    /**
     * Opens a log. A tick that a crash left unfinished is not part of it.
     *
     * @param file the log's file
     * @return the log
     * @throws DamagedLogException if the file is no log, is damaged, or was written by another version
     * @throws IOException         if it cannot be read
     */
    public static InputLog open(Path file) throws IOException {
        return open(new FileSource(file));
    }

    static InputLog open(LogSource source) throws IOException {
        try (LogReader reader = new LogReader(source, Long.MAX_VALUE)) {
            Set<CommandName> types = new LinkedHashSet<>();
            while (reader.next()) { // which checks each tick
                reader.tick().commands.forEach(command -> types.add(command.type()));
            }
            return new InputLog(source, reader.header(), reader.tick().number, types, reader.isClosedInOrder());
        }
    }

    /** Starts a pass over the ticks. The reader is to be closed. */
    LogReader reader() throws IOException {
        return new LogReader(source, ticks);
    }

    /** {@return the description with which the recording was created} */
    public RunDescription run() {
        return header.run();
    }

    /**
     * The components of each body's state in the log.
     *
     * @return names of components, empty if the log has no body states
     * @see BodyStates
     */
    public List<String> components() {
        return header.components();
    }

    /** The types of its commands. */
    Set<CommandName> commandTypes() {
        return types;
    }

    @Override
    public TickRate rate() {
        return run().rate();
    }

    /** {@return how many ticks were recorded, which is the number of the last one} */
    public long ticks() {
        return ticks;
    }

    @Override
    public TickSource open(Simulation simulation) {
        if (ticks == 0) {
            throw new IllegalArgumentException("there is nothing to replay: " + this);
        }
        return new LogTicks(this, simulation);
    }

    /**
     * {@return whether the recording was closed in order} If not, it failed, or its process ended: the log has the ticks that were written
     * completely, and the run may have had more.
     */
    public boolean isComplete() {
        return complete;
    }

    private record FileSource(Path file) implements LogSource {

        @Override
        public long size() throws IOException {
            return Files.size(file);
        }

        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file); // not a FileChannel, which an interrupt closes
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    @Override
    public String toString() {
        return source + ": " + ticks + " ticks of " + run() + (complete ? "" : ", cut off");
    }
}
