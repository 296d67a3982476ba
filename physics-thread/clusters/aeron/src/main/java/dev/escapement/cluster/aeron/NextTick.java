package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.LevelTracker;
import dev.escapement.state.input.RecordedInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The input that the log has for the tick that is cut next: events in the order of their time, ties in that of the log; levels; commands.
 *
 * <p>Physics thread only. Allocates for commands, and otherwise only when more events wait than ever before.
 */
final class NextTick {

    private static final class Staged {
        long atNanos;
        InputKind kind = InputKind.APPLICATION;
        int code;
        float x;
        float y;
    }

    private final RecordedInput input = new RecordedInput();
    private final List<CommandData> commands = new ArrayList<>();

    /** By command: its pending answer, if this node's own client sent it. */
    private final List<PendingAnswers.@Nullable Asked> asked = new ArrayList<>();

    private final List<Staged> staged = new ArrayList<>();
    private int count;
    private long sequence;

    /** By client, the time of its last event: batches that waited for a leader arrive together, and their events must stay in order. */
    private final Long2LongHashMap lastNanos = new Long2LongHashMap(Long.MIN_VALUE);

    /** Takes an event that happened while time stood still: it changes the levels, and is in no tick. */
    void level(InputKind kind, int code, float x) {
        input.level(kind, code, x);
    }

    void event(long client, long happenedNanos, InputKind kind, int code, float x, float y) {
        long atNanos = Math.max(happenedNanos, lastNanos.get(client));
        lastNanos.put(client, atNanos);
        add(atNanos, kind, code, x, y);
    }

    /** Inserts an event by its time. Usually that is at the end. */
    private void add(long atNanos, InputKind kind, int code, float x, float y) {
        if (count == staged.size()) {
            staged.add(new Staged());
        }
        Staged event = staged.get(count);
        int place = count++;
        while (place > 0 && staged.get(place - 1).atNanos > atNanos) {
            staged.set(place, staged.get(place - 1));
            place--;
        }
        staged.set(place, event);
        event.atNanos = atNanos;
        event.kind = kind;
        event.code = code;
        event.x = x;
        event.y = y;
    }

    void command(CommandData command, PendingAnswers.@Nullable Asked own) {
        commands.add(command);
        asked.add(own);
    }

    /** All events become the input of the tick that is cut, placed a lead later than they happened. */
    void cut(long fromNanos, long dueNanos, long leadNanos) {
        long lengthNanos = dueNanos - fromNanos;
        input.begin(lengthNanos);
        for (int i = 0; i < count; i++) {
            Staged event = staged.get(i);
            long offsetNanos = event.atNanos + leadNanos - fromNanos;
            long placedNanos = Math.max(0, Math.min(lengthNanos, offsetNanos));
            input.add(
                    sequence++, event.atNanos, event.kind, event.code, event.x, event.y, placedNanos, offsetNanos < 0);
        }
        count = 0;
        lastNanos.clear();
    }

    /** Moves the events of the tick that was cut to the clock of this node. */
    void moveTo(long localFromNanos, long dueHereNanos) {
        input.moveTo(localFromNanos, dueHereNanos);
    }

    /** The input of the tick that was cut. */
    InputFrame input() {
        return input.frame();
    }

    /** The commands that have not run. */
    List<CommandData> commands() {
        return commands;
    }

    PendingAnswers.@Nullable Asked asked(int command) {
        return asked.get(command);
    }

    /** Called when all commands have run. */
    void forgetCommands() {
        commands.clear();
        asked.clear();
    }

    /** Saves all between two ticks. */
    void save(StateBuffer to) {
        to.put(sequence);
        RecordedInput held = new RecordedInput();
        held.copyFrom(input.frame());
        held.begin(1); // without events, so that the tracker gets all levels
        StateBuffer levels = new StateBuffer();
        new LevelTracker()
                .follow(
                        held.frame(),
                        (kind, code, x) -> levels.put((long) kind.number())
                                .put((long) code)
                                .put((double) x));
        to.put(levels.toBytes());
        to.put((long) count);
        for (int i = 0; i < count; i++) {
            Staged event = staged.get(i);
            to.put(event.atNanos)
                    .put((long) event.kind.number())
                    .put((long) event.code)
                    .put((double) event.x)
                    .put((double) event.y);
        }
        to.put((long) lastNanos.size());
        lastNanos.forEachLong((client, atNanos) -> to.put(client).put(atNanos));
        to.put((long) commands.size());
        for (CommandData command : commands) {
            CommandName type = command.type();
            to.put(type.name().getBytes(StandardCharsets.UTF_8))
                    .put((long) type.version())
                    .put(command.bytes());
        }
    }

    /** Restores into a new object. Its commands come from an earlier process, so no pending answer belongs to them. */
    void restore(StateBuffer from) {
        sequence = from.getLong();
        StateBuffer levels = new StateBuffer(from.getBytes());
        while (levels.hasMore()) {
            level(kind(levels.getLong()), (int) levels.getLong(), (float) levels.getDouble());
        }
        for (long left = from.getLong(); left > 0; left--) {
            add(from.getLong(), kind(from.getLong()), (int) from.getLong(), (float) from.getDouble(), (float)
                    from.getDouble());
        }
        for (long left = from.getLong(); left > 0; left--) {
            lastNanos.put(from.getLong(), from.getLong());
        }
        for (long left = from.getLong(); left > 0; left--) {
            String name = new String(from.getBytes(), StandardCharsets.UTF_8);
            command(new CommandData(new CommandName(name, (int) from.getLong()), from.getBytes()), null);
        }
    }

    private static InputKind kind(long number) {
        return Objects.requireNonNull(InputKind.ofNumber((byte) number), () -> "no kind of event has number " + number);
    }
}
