package dev.escapement.physics.loop;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The commands and queries of a loop.
 *
 * <p>Any thread offers, reads the counts and calls {@link #end}; the physics thread calls the rest.
 *
 * <p>See {@code TickingWorld}.
 */
public final class Requests {

    /** No body has this id, because its generation is even. */
    private static final long NO_BODY = 0;

    final CommandQueue commands;
    final CommandQueue queries;

    private final TickLoop loop;
    private final CommandQueue.Answers answers;

    /** Sealed only once the service is built: after a refused build, the simulation still takes handlers. */
    final CommandHandlers handlers;

    private long executed;

    Requests(TickLoop loop, CommandQueue.Answers answers) {
        this.loop = loop;
        this.answers = answers;
        Settings settings = loop.settings;
        Simulation simulation = loop.simulation;
        handlers = Objects.requireNonNull(
                simulation.commands(),
                () -> "commands() of " + simulation + " must not return null; where there are none,"
                        + " CommandHandlers.none()");
        commands = new CommandQueue(
                "commands", settings.commandCapacity(), settings.commandsPerTick(), answers, loop.guard);
        queries = new CommandQueue(
                "queries", settings.commandCapacity(), settings.commandsPerTick(), answers, loop.guard);
    }

    /** Offers a command that no recording can repeat. */
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> command(Command<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what to do before the next tick");
        Command<T> local = tick -> {
            noteLocal(tick, command);
            return run(command, tick);
        };
        return offered(commands.offer(local, null, command));
    }

    public <C, T extends @Nullable Object> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        Objects.requireNonNull(type, "type must not be null; pass that for which the simulation has a handler");
        CommandData data = handlers.write(type, command);
        @SuppressWarnings("unchecked") // its handler was added for that type
        Command<T> read = (Command<T>) handlers.read(data);
        if (loop.isReplica) { // a source log is the only source of commands that are data
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "a replay runs the commands that were recorded, and takes no others that are"
                            + " data, as this one of type " + type));
        }
        Command<T> noted = tick -> {
            if (!loop.hooks.isEmpty()) {
                loop.tick.addCommand(data);
                loop.hooks.command(tick, data);
            }
            return run(read, tick);
        };
        return offered(commands.offer(noted, null, type));
    }

    private void noteLocal(long simulationTick, Object command) {
        loop.tick.addLocal(TickHook.Stepped.COMMAND);
        loop.hooks.command(simulationTick, command);
    }

    private <T extends @Nullable Object> T run(Command<T> command, long tick) throws Exception {
        try {
            return command.run(tick);
        } catch (Throwable thrown) {
            if (!loop.guard.isAbandoned()) {
                loop.hooks.fault(TickHook.Fault.Reason.THREW, tick, thrown, "");
            }
            throw thrown;
        }
    }

    /** Offers a call of a hook between two ticks. Logs do not store it as a command: hooks receive {@code sought} instead. */
    <T extends @Nullable Object> CompletableFuture<Answer<T>> submit(String name, Command<T> run) {
        return offered(commands.offer(run, null, name));
    }

    public <T extends @Nullable Object> CompletableFuture<Answer<T>> query(Command<T> query) {
        Objects.requireNonNull(query, "query must not be null; pass what to look up between two ticks");
        return offered(queries.offer(query));
    }

    /**
     * Reserves an id, and offers the command that creates its body. After an error of the JVM between the two, such as a stack overflow,
     * the id stays reserved, because the command may be in the queue: that costs one slot.
     */
    public <T extends @Nullable Object> Spawned<T> spawn(Command.Spawn<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what makes the body");
        Throwable refusal = commands.refuseIfFullOrEnded();
        if (refusal != null) {
            // No id is reserved: repeated attempts would use up slots while no tick takes them back.
            return new Spawned<>(NO_BODY, CompletableFuture.failedFuture(refusal));
        }
        long id = loop.reservations.reserve();
        Command<T> spawning = tick -> {
            loop.reservations.requireUncounted(); // reserve() does not know that before the first capture
            noteLocal(tick, command);
            return run(ticking -> command.run(ticking, id), tick);
        };
        return new Spawned<>(id, offered(commands.offer(spawning, () -> loop.reservations.release(id), command)));
    }

    /** Answers the spawns of the first tick after its capture, which shows whether the simulation takes ids. Within user code. */
    void captured() {
        if (commands.isHolding()) {
            IllegalStateException counted = null;
            try {
                loop.reservations.requireUncounted();
            } catch (IllegalStateException thrown) {
                counted = thrown;
            }
            commands.answerHeld(counted);
        }
    }

    /** Runs the waiting commands before a simulation tick. Returns whether any ran. Physics thread. */
    boolean runCommands(long simulationTick) {
        return run(commands, simulationTick);
    }

    /** Runs the waiting queries after a simulation tick. Physics thread. */
    void runQueries(long simulationTick) {
        run(queries, simulationTick);
    }

    /** Runs the waiting commands of a queue as one call of user code, because most are short. */
    private boolean run(CommandQueue queue, long simulationTick) {
        if (queue.isIdle()) {
            return false;
        }
        loop.guard.enter();
        int ran = queue.run(simulationTick);
        loop.guard.exit();
        executed += ran;
        return ran > 0;
    }

    private <T> T offered(T future) {
        loop.wake();
        return future;
    }

    /** Returns how many commands and queries have run since the last call. Physics thread. */
    long takeExecuted() {
        long sinceLast = executed;
        executed = 0;
        return sinceLast;
    }

    boolean hasMore() {
        return commands.hasMore() || queries.hasMore();
    }

    public long refused() {
        return commands.refused() + queries.refused();
    }

    public long failed() {
        return commands.failed() + queries.failed();
    }

    public Optional<String> running() {
        return commands.running().or(queries::running);
    }

    /**
     * Ends both queues, then the thread that completes their futures. Waiting commands and later offers fail with {@code why}. Idempotent.
     */
    public void end(IllegalStateException why) {
        commands.end(why);
        queries.end(why);
        answers.end();
    }
}
