package dev.escapement.physics.command;

/**
 * A command as data: bytes that can be stored and sent. Immutable if no caller writes to the bytes.
 *
 * @see CommandHandlers
 */
public final class CommandData {

    private final CommandName type;
    private final byte[] bytes;

    /**
     * Wraps bytes that were stored or received.
     *
     * @param type  its type
     * @param bytes the bytes that the type's writer has written; not copied
     */
    public CommandData(CommandName type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** {@return the name and version of the command's type} */
    public CommandName type() {
        return type;
    }

    /**
     * Turns a command into data without its handler, for processes that do not have the simulation.
     *
     * @param type    its type
     * @param command the command
     * @param <C>     the data
     * @return the type, and the bytes that its writer has written
     * @throws IllegalArgumentException if it cannot be written
     */
    public static <C> CommandData of(CommandType<C, ?> type, C command) {
        return new CommandData(type.name(), type.write(command));
    }

    /** {@return the bytes that the type's writer has written; not copied, only to be read} */
    public byte[] bytes() {
        return bytes;
    }
}
