package dev.escapement.physics.command;

/**
 * A command as data: bytes that can be stored and sent. Immutable, as long as nothing writes to them.
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
     * Turns a command into data, in a process that has no simulation with a handler for it.
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
