package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.SpawnCommand;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.guard.UserCodeGuard;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.capture.Capture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The commands and queries of a loop, and what of them a recording has.
 *
 * <p>Any thread offers; the rest is called by the thread that ticks, except {@link #end}.
 */
final class Requests {

    /** An id that no body ever has, because its generation is even. */
    private static final long NO_BODY = 0;

    /** Before one tick, for a recording. */
    private static final int MOST_RAN = 1 << 16;

    private static final long MOST_RAN_BYTES = 1 << 24;

    final CommandQueue commands;
    final CommandQueue queries;
    final CommandQueue.Answers answers;

    /** The commands that are data and ran since the last tick, if there is a recording. */
    final List<CommandData> ran = new ArrayList<>();

    private long ranBytes;

    /** Whether others ran since the last tick. */
    boolean localRan;

    private final CommandHandlers handlers;
    private final Capture capture;
    private final boolean isRecorded;
    private final boolean isReplay;

    Requests(
            Settings settings,
            Simulation simulation,
            Capture capture,
            CommandQueue.Answers answers,
            UserCodeGuard guard,
            boolean isRecorded,
            boolean isReplay) {
        this.capture = capture;
        this.answers = answers;
        this.isRecorded = isRecorded;
        this.isReplay = isReplay;
        handlers = Objects.requireNonNull(
                        simulation.commands(),
                        () -> "commands() of " + simulation + " must not return null; where there are none,"
                                + " CommandHandlers.none()")
                .seal();
        int capacity = settings.commandCapacity();
        int perTick = settings.commandsPerTick();
        commands = new CommandQueue("commands", capacity, perTick, answers, guard);
        queries = new CommandQueue("queries", capacity, perTick, answers, guard);
    }

    <T> CompletableFuture<Answer<T>> command(Command<T> command) {
        Objects.requireNonNull(command, "command must not be null; pass what to do before the next tick");
        return commands.offer(tick -> {
            localRan = true;
            return command.run(tick);
        });
    }

    <C, T> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        Objects.requireNonNull(type, "type must not be null; pass that for which the simulation has a handler");
        CommandData data = handlers.write(type, command);
        @SuppressWarnings("unchecked") // its handler was added for that type
        Command<T> read = (Command<T>) handlers.read(data);
        if (isReplay) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "a replay runs the commands that were recorded, and takes no others that are"
                            + " data, as this one of type " + type));
        }
        return commands.offer(tick -> {
            if (isRecorded) {
                note(data);
            }
            return read.run(tick);
        });
    }

    /** Throws if a recording has no room for it: then it does not run, so that the run can be repeated. */
    private void note(CommandData data) {
        if (ran.size() == MOST_RAN || ranBytes + data.bytes().length > MOST_RAN_BYTES) {
            throw new IllegalStateException(
                    ran.size() + " commands with " + ranBytes
                            + " bytes ran since the last tick, and a recording has room for no more; offer fewer while time stands still");
        }
        ran.add(data);
        ranBytes += data.bytes().length;
    }

    /** A replay has run these. */
    void noteRepeated(List<CommandData> commands, boolean alsoLocal) {
        for (int i = 0; isRecorded && i < commands.size(); i++) {
            ran.add(commands.get(i));
        }
        localRan |= alsoLocal;
    }

    <T> CompletableFuture<Answer<T>> query(Command<T> query) {
        Objects.requireNonNull(query, "query must not be null; pass what to look up between two ticks");
        return queries.offer(query);
    }

    /**
     * Reserves an id, and offers the command that creates its body. If a stack overflow or another JVM error comes between the two, the id is
     * not given back, because the command may be in the queue: that costs one slot.
     */
    <T> Spawned<T> spawn(SpawnCommand<T> command) {
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
        return new Spawned<>(id, commands.offer(spawning, new Reserved(capture, id)));
    }

    /** A tick has what ran before it. */
    void forgetRan() {
        ran.clear();
        ranBytes = 0;
        localRan = false;
    }

    long takeRan() {
        return commands.takeRan() + queries.takeRan();
    }

    boolean hasMore() {
        return commands.hasMore() || queries.hasMore();
    }

    /** Any thread. */
    long refused() {
        return commands.refused() + queries.refused();
    }

    /** Ends both queues, then the thread that completes their futures. Idempotent. */
    void end(IllegalStateException why) {
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
