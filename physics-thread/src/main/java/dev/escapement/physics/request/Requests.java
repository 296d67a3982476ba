package dev.escapement.physics.request;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.SpawnCommand;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The commands and queries of a loop, and those since the last tick, for a recording.
 *
 * <p>Any thread offers; the rest is called by the thread that ticks, except {@link #end}.
 *
 * @see dev.escapement.physics.TickingWorld
 */
public final class Requests {

    /** An id that no body ever has, because its generation is even. */
    private static final long NO_BODY = 0;

    /** A recording has room for at most this many commands before a tick. */
    private static final int MAX_RAN = 1 << 16;

    private static final long MAX_RAN_BYTES = 1 << 24;

    private final CommandQueue commands;
    private final CommandQueue queries;
    private final CommandQueue.Answers answers;
    private final List<CommandData> ran = new ArrayList<>();
    private long ranBytes;
    private boolean localRan;

    private final CommandHandlers handlers;
    private final Capture capture;
    private final boolean isRecorded;
    private final boolean follows;

    /**
     * Creates the queues.
     *
     * @param handlers   the handlers of commands that are data; takes no others from now on
     * @param capacity   how many commands, and how many queries, may wait
     * @param perTick    how many of each run at once
     * @param capture    reserves the ids of bodies to spawn
     * @param answers    completes the futures
     * @param guard      around each command
     * @param isRecorded whether there is a recording, which gets the commands that ran
     * @param follows    whether a run is followed: then commands that are data come from it alone
     */
    public Requests(
            CommandHandlers handlers,
            int capacity,
            int perTick,
            Capture capture,
            CommandQueue.Answers answers,
            UserCodeGuard guard,
            boolean isRecorded,
            boolean follows) {
        this.handlers = handlers.seal();
        this.capture = capture;
        this.answers = answers;
        this.isRecorded = isRecorded;
        this.follows = follows;
        commands = new CommandQueue("commands", capacity, perTick, answers, guard);
        queries = new CommandQueue("queries", capacity, perTick, answers, guard);
    }

    /** {@return the queue of commands} */
    public CommandQueue commands() {
        return commands;
    }

    /** {@return the queue of queries} */
    public CommandQueue queries() {
        return queries;
    }

    /** {@return the commands that are data and ran since the last tick, if there is a recording} */
    public List<CommandData> ran() {
        return ran;
    }

    /** {@return whether commands that are not data ran since the last tick} */
    public boolean localRan() {
        return localRan;
    }

    /**
     * Offers a command, which no recording can repeat. Any thread.
     *
     * @param <T>     what it returns
     * @param command the command
     * @return its future answer
     */
    public <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what to do before the next tick");
        Command<T> local = tick -> {
            localRan = true;
            return command.run(tick);
        };
        return commands.offer(local, null, command);
    }

    /**
     * Offers a command that is data. Any thread.
     *
     * @param <C>     the command's type
     * @param <T>     what it returns
     * @param type    its type
     * @param command the command
     * @return its future answer
     */
    public <C, T> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        Objects.requireNonNull(type, "type must not be null; pass that for which the simulation has a handler");
        CommandData data = handlers.write(type, command);
        @SuppressWarnings("unchecked") // its handler was added for that type
        Command<T> read = (Command<T>) handlers.read(data);
        if (follows) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "a replay runs the commands that were recorded, and takes no others that are"
                            + " data, as this one of type " + type));
        }
        Command<T> noted = tick -> {
            if (isRecorded) {
                note(data);
            }
            return read.run(tick);
        };
        return commands.offer(noted, null, type);
    }

    /** Adds a command to those of the recording. Throws if there is no room: then it does not run, so that the run can be repeated. */
    private void note(CommandData data) {
        if (ran.size() == MAX_RAN || ranBytes + data.bytes().length > MAX_RAN_BYTES) {
            throw new IllegalStateException(
                    ran.size() + " commands with " + ranBytes
                            + " bytes ran since the last tick, and a recording has room for no more; offer fewer while time stands still");
        }
        ran.add(data);
        ranBytes += data.bytes().length;
    }

    /**
     * Notes the commands that the run that is followed had before this tick, so that a recording has them.
     *
     * @param commands  the commands
     * @param alsoLocal whether commands that are not data ran
     */
    public void noteRepeated(List<CommandData> commands, boolean alsoLocal) {
        for (int i = 0; isRecorded && i < commands.size(); i++) {
            ran.add(commands.get(i));
        }
        localRan |= alsoLocal;
    }

    /**
     * Offers a query. Any thread.
     *
     * @param <T>   what it returns
     * @param query the query
     * @return its future answer
     */
    public <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        Objects.requireNonNull(query, "query must not be null; pass what to look up between two ticks");
        return queries.offer(query);
    }

    /**
     * Reserves an id, and offers the command that creates its body. If a stack overflow or another JVM error comes between the two, the
     * id is not given back, because the command may be in the queue: that costs one slot. Any thread.
     *
     * @param <T>     what the command returns
     * @param command the command
     * @return the id, and the future answer
     */
    public <T> Spawned<T> spawn(SpawnCommand<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what makes the body");
        Throwable refusal = commands.refuseIfFullOrEnded();
        if (refusal != null) {
            // No id is reserved: repeated attempts would use up slots while no tick takes them back.
            return new Spawned<>(NO_BODY, CompletableFuture.failedFuture(refusal));
        }
        long id = capture.reserve();
        Command<T> spawning = tick -> {
            localRan = true;
            return command.run(tick, id);
        };
        return new Spawned<>(id, commands.offer(spawning, new Reserved(capture, id), command));
    }

    /** Called when a tick was recorded with the commands before it. */
    public void forgetRan() {
        ran.clear();
        ranBytes = 0;
        localRan = false;
    }

    /** {@return how many ran since this was asked last} */
    public long takeRan() {
        return commands.takeRan() + queries.takeRan();
    }

    /** {@return whether some wait} */
    public boolean hasMore() {
        return commands.hasMore() || queries.hasMore();
    }

    /** {@return how many were refused; any thread} */
    public long refused() {
        return commands.refused() + queries.refused();
    }

    /** {@return how many threw; any thread} */
    public long failed() {
        return commands.failed() + queries.failed();
    }

    /** {@return the command or query that runs now; any thread} */
    public Optional<String> running() {
        return commands.running().or(queries::running);
    }

    /**
     * Ends both queues, then the thread that completes their futures. Idempotent.
     *
     * @param why the exception that waiting commands and later offers get
     */
    public void end(IllegalStateException why) {
        commands.end(why);
        queries.end(why);
        answers.end();
    }

    private record Reserved(Capture capture, long id) implements CommandQueue.Reservation {

        @Override
        public void require() {
            capture.requireReserving();
        }

        @Override
        public void giveBack() {
            capture.giveBack(id);
        }
    }
}
