package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.LevelTracker;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The input that the log has for the tick that is cut next: events in the order of their time, ties in that of the log; levels; commands.
 * In saved states they are coded as {@link InputBatch}es.
 *
 * <p>Physics thread only. Allocates for commands, and otherwise only when more events wait than ever before.
 */
final class NextTick {

    private static final class Staged {
        long atNanos;
        InputBatch.Event event;

        Staged(InputBatch.Event event) {
            this.event = event;
        }
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
    void level(InputBatch.Event event) {
        input.level(event.kind(), event.code(), event.x());
    }

    void event(long client, long happenedNanos, InputBatch.Event event) {
        long atNanos = Math.max(happenedNanos, lastNanos.get(client));
        lastNanos.put(client, atNanos);
        add(atNanos, event);
    }

    /** Inserts an event by its time. Usually that is at the end. */
    private void add(long atNanos, InputBatch.Event event) {
        if (count == staged.size()) {
            staged.add(new Staged(event));
        }
        Staged added = staged.get(count);
        int place = count++;
        while (place > 0 && staged.get(place - 1).atNanos > atNanos) {
            staged.set(place, staged.get(place - 1));
            place--;
        }
        staged.set(place, added);
        added.atNanos = atNanos;
        added.event = event;
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
            long atNanos = staged.get(i).atNanos;
            InputBatch.Event event = staged.get(i).event;
            long offsetNanos = atNanos + leadNanos - fromNanos;
            long placeNanos = Math.max(0, Math.min(lengthNanos, offsetNanos));
            input.add(
                    sequence++, atNanos, event.kind(), event.code(), event.x(), event.y(), placeNanos, offsetNanos < 0);
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
        InputBatch batch = new InputBatch(0);
        new LevelTracker().follow(held.frame(), (kind, code, x) -> batch.event(kind, code, x, 0, 0));
        to.put(batch.take(0)).put((long) count);
        for (int i = 0; i < count; i++) {
            InputBatch.Event event = staged.get(i).event;
            batch.event(event.kind(), event.code(), event.x(), event.y(), 0);
            to.put(staged.get(i).atNanos).put(batch.take(0));
        }
        to.put((long) lastNanos.size());
        lastNanos.forEachLong((client, atNanos) -> to.put(client).put(atNanos));
        to.put((long) commands.size());
        for (CommandData command : commands) {
            batch.command(command);
            to.put(batch.take(0));
        }
    }

    /** Restores into a new object. Its commands come from an earlier process, so no pending answer belongs to them. */
    void restore(StateBuffer from) {
        sequence = from.getLong();
        entries(from, InputBatch.Event.class).forEach(this::level);
        for (long left = from.getLong(); left > 0; left--) {
            long atNanos = from.getLong();
            entries(from, InputBatch.Event.class).forEach(event -> add(atNanos, event));
        }
        for (long left = from.getLong(); left > 0; left--) {
            lastNanos.put(from.getLong(), from.getLong());
        }
        for (long left = from.getLong(); left > 0; left--) {
            entries(from, InputBatch.Command.class).forEach(saved -> command(saved.data(), null));
        }
    }

    private static <E extends InputBatch.Entry> Stream<E> entries(StateBuffer from, Class<E> kind) {
        return InputBatch.Received.of(from.getBytes()).entries().stream().map(kind::cast);
    }
}
