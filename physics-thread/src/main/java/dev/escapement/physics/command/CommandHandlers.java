package dev.escapement.physics.command;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handlers with which a simulation runs commands that are data, one for each type.
 *
 * <pre>{@code
 * private final CommandHandlers commands = new CommandHandlers()
 *         .on(Push.TYPE, (tick, push) -> push(push.crate(), push.newtonSeconds()))
 *         .on(Explode.TYPE, (tick, explosion) -> explode(explosion.at()));
 * }</pre>
 *
 * <p>Handlers are added before a service is built with the simulation. After that, any thread may use this.
 *
 * <p>See {@code Simulation.commands}.
 */
public final class CommandHandlers {

    private static final CommandHandlers NONE = new CommandHandlers().seal();

    /**
     * Runs a command.
     *
     * @param <C> the data
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface Handler<C, T extends @Nullable Object> {

        /**
         * Runs on the physics thread. For deterministic runs it may depend only on the simulation's state, the tick and the command, and
         * what it changes is part of that state: hashed, saved and restored with it.
         *
         * @param tick    the tick that runs next
         * @param command the data
         * @return the result that the future is completed with
         * @throws Exception completes the future exceptionally; the service keeps ticking
         */
        T run(long tick, C command) throws Exception;
    }

    private record Bound<C, T extends @Nullable Object>(CommandType<C, T> type, Handler<C, T> handler) {

        Command<T> command(byte[] bytes) {
            C read = type.read(bytes);
            return tick -> handler.run(tick, read);
        }
    }

    private final Map<CommandName, Bound<?, ?>> all = new LinkedHashMap<>();
    private boolean sealed;

    /** Creates a set without handlers. */
    public CommandHandlers() {}

    /** {@return the handlers of a simulation that has none: an empty set to which none can be added} */
    public static CommandHandlers none() {
        return NONE;
    }

    /**
     * Adds a handler.
     *
     * @param type    the type of the commands
     * @param handler runs them
     * @param <C>     the data
     * @param <T>     what it returns
     * @return this
     * @throws IllegalArgumentException if there is one for that name and version already
     * @throws IllegalStateException    if a service was built with the simulation
     */
    public <C, T extends @Nullable Object> CommandHandlers on(CommandType<C, T> type, Handler<C, T> handler) {
        if (sealed) {
            throw new IllegalStateException("a handler for " + type + " comes too late: the service was built");
        }
        Bound<C, T> bound = new Bound<>(type, Objects.requireNonNull(handler, "handler must not be null"));
        if (all.putIfAbsent(type.name(), bound) != null) {
            throw new IllegalArgumentException("there is a handler for " + type + " already");
        }
        return this;
    }

    /** {@return this, to which no handler can be added any more} Called when a service is built. Idempotent. */
    public CommandHandlers seal() {
        sealed = true;
        return this;
    }

    /** {@return the types that have a handler, in the order in which they were added} */
    public List<CommandName> types() {
        return List.copyOf(all.keySet());
    }

    /**
     * {@return whether there is a handler}
     *
     * @param type a type of commands
     */
    public boolean handles(CommandName type) {
        return all.containsKey(type);
    }

    /**
     * Turns a command into data.
     *
     * @param type    its type
     * @param command the command
     * @param <C>     the data
     * @return the type, and the bytes that its writer has written
     * @throws IllegalArgumentException if it cannot be written, or nothing handles it
     */
    public <C> CommandData write(CommandType<C, ?> type, C command) {
        bound(type.name());
        return CommandData.of(type, command);
    }

    /**
     * Turns data into a command.
     *
     * @param data what {@link #write} returned, in this process or another one
     * @return a command that runs its handler
     * @throws IllegalArgumentException if it cannot be read, or nothing handles it
     */
    public Command<?> read(CommandData data) {
        return bound(data.type()).command(data.bytes());
    }

    /**
     * Checks that there is a handler for each of the types.
     *
     * @param types the types of commands that may come
     * @throws IllegalArgumentException if one of them is not handled
     */
    public void require(Collection<CommandName> types) {
        types.forEach(this::bound);
    }

    private Bound<?, ?> bound(CommandName type) {
        Bound<?, ?> bound = all.get(type);
        if (bound == null) {
            throw new IllegalArgumentException("the simulation has no handler for commands of type " + type
                    + ", only for " + (all.isEmpty() ? "none" : types()) + "; add one with commands().on(...)");
        }
        return bound;
    }
}
