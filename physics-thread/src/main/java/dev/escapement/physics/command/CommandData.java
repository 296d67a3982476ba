package dev.escapement.physics.command;

/**
 * A command as bytes, which can be stored and sent. Immutable, as long as nothing writes to its bytes.
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
     * @param bytes what the type's writer has written, not copied
     */
    public CommandData(CommandName type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /**
     * Its type.
     *
     * @return what the type is called
     */
    public CommandName type() {
        return type;
    }

    /**
     * Turns a command into data, in a process that has no simulation with a handler for it.
     *
     * @param type    its type
     * @param command what is to be done
     * @param <C>     the data
     * @return what its writer writes
     * @throws IllegalArgumentException if it cannot be written
     */
    public static <C> CommandData of(CommandType<C, ?> type, C command) {
        return new CommandData(type.name(), type.write(command));
    }

    /**
     * What the type's writer has written.
     *
     * @return not copied; only to be read
     */
    public byte[] bytes() {
        return bytes;
    }
}
