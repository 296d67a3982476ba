package dev.escapement.physics.command;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A type of commands that are data: unlike lambdas, they can be recorded, sent, and repeated in a replay.
 *
 * <pre>{@code
 * record Push(int crate, float newtonSeconds) {
 *
 *     static final CommandType<Push, Boolean> TYPE = CommandType.of("push", 1,
 *             (push, to) -> {
 *                 to.writeInt(push.crate());
 *                 to.writeFloat(push.newtonSeconds());
 *             },
 *             from -> new Push(from.readInt(), from.readFloat()));
 * }
 *
 * simulation.commands().on(Push.TYPE, (tick, push) -> yard.push(push.crate(), push.newtonSeconds()));
 * ...
 * physics.command(Push.TYPE, new Push(3, 5));
 * }</pre>
 *
 * <p>When the bytes of a type change, give it another version. To replay older logs, keep a handler for the old version.
 *
 * <p>Immutable; any thread may use it. Threads that offer commands, and threads that replay them, call the writer and the reader.
 *
 * @param <C> the data
 * @param <T> what its handler returns
 * @see CommandHandlers
 */
@SuppressWarnings("UnusedTypeParameter") // T gives answers the type of what handlers return
public final class CommandType<C, T extends @Nullable Object> {

    /** A command has at most this many bytes. */
    public static final int MAX_BYTES = 1 << 16;

    /**
     * Writes a command.
     *
     * @param <C> the data
     */
    @FunctionalInterface
    public interface Writer<C> {

        /**
         * Writes all that the reader needs.
         *
         * @param command the command to write
         * @param to      takes its bytes
         * @throws IOException if it cannot be written
         */
        void write(C command, DataOutput to) throws IOException;
    }

    /**
     * Reads a command.
     *
     * @param <C> the data
     */
    @FunctionalInterface
    public interface Reader<C> {

        /**
         * Reads what the writer has written, all of it.
         *
         * @param from the bytes
         * @return the command
         * @throws IOException if they are no command
         */
        C read(DataInput from) throws IOException;
    }

    private final CommandName name;
    private final Writer<C> writer;
    private final Reader<C> reader;

    private CommandType(CommandName name, Writer<C> writer, Reader<C> reader) {
        this.name = name;
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * Creates a type.
     *
     * @param name    distinguishes it from other types of the simulation; stays the same from version to version
     * @param version the version of its bytes, at least 1
     * @param writer  writes commands
     * @param reader  reads what the writer has written
     * @param <C>     the data
     * @param <T>     what its handler returns
     * @return a type
     * @throws IllegalArgumentException if the name is blank or longer than 100 characters, or the version less than 1
     */
    public static <C, T extends @Nullable Object> CommandType<C, T> of(
            String name, int version, Writer<C> writer, Reader<C> reader) {
        return new CommandType<>(
                new CommandName(name, version),
                Objects.requireNonNull(writer, "writer must not be null"),
                Objects.requireNonNull(reader, "reader must not be null"));
    }

    CommandName name() {
        return name;
    }

    byte[] write(C command) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writer.write(Objects.requireNonNull(command, "command must not be null"), new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalArgumentException(command + " cannot be written as " + this + ": " + e.getMessage(), e);
        }
        if (bytes.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    command + " has " + bytes.size() + " bytes as " + this + ", but may have " + MAX_BYTES);
        }
        return bytes.toByteArray();
    }

    C read(byte[] bytes) {
        ByteArrayInputStream from = new ByteArrayInputStream(bytes);
        try {
            C command = reader.read(new DataInputStream(from));
            if (from.available() > 0) {
                throw new IOException(from.available() + " of them are left");
            }
            return command;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "these " + bytes.length + " bytes cannot be read as " + this + ": " + e.getMessage()
                            + "; the reader takes what the writer has written, in the same order",
                    e);
        }
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
