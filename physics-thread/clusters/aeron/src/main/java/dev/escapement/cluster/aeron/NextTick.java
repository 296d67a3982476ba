package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the events, levels and commands of the next tick, until its input ends. Events are in the order of their time, ties in the order
 * of the log.
 *
 * <p>The join of a sender comes before its other events, and its leave after the release of everything that it held.
 *
 * <p>Physics thread only. Allocates for commands, when a sender joins or leaves, and when more events wait than ever before.
 */
final class NextTick {

    private static final class Staged {
        long atNanos;
        int sender;
        Batch.Event event;

        Staged(Batch.Event event) {
            this.event = event;
        }
    }

    private static final Batch.Event JOINED = new Batch.Event(InputKind.SENDER_JOINED, 0, 0, 0, 0);
    private static final Batch.Event LEFT = new Batch.Event(InputKind.SENDER_LEFT, 0, 0, 0, 0);

    private final RecordedInput input = new RecordedInput();
    private final List<CommandData> commands = new ArrayList<>();

    /** The pending answer of each command that this node's own client sent; null for other commands. */
    private final List<PendingAnswers.@Nullable Asked> asked = new ArrayList<>();

    private final List<Staged> staged = new ArrayList<>();
    private int count;
    private long sequence;

    /** The highest number of a sender that has joined. Senders join in the order of their numbers. */
    private int lastJoined;

    /**
     * The time of each sender's last event. A later event never gets an earlier time. The times of batches that waited for
     * a leader and arrive together would otherwise overlap.
     */
    private final Long2LongHashMap lastNanos = new Long2LongHashMap(Long.MIN_VALUE);

    /** Adds the join of a sender that has not joined yet. Does nothing for sender 0, which means no sender. */
    void joined(int sender, long nowNanos, boolean paused) {
        if (sender > lastJoined) {
            lastJoined = sender;
            stage(sender, nowNanos, JOINED);
            if (paused) {
                input.levels().set(sender, InputKind.SENDER_JOINED, 0, 0); // so that the sender can hold keys
            }
        }
    }

    void left(int sender, long atNanos) {
        stage(sender, atNanos, LEFT);
    }

    /** Adds an event. During a pause, an event only changes the levels, and is in no tick, unless it ends a drag. */
    void event(int sender, long happenedNanos, Batch.Event event, boolean paused) {
        if (paused && !isDragEnd(event)) {
            input.levels().set(sender, event.kind(), event.code(), event.x());
            input.levels().set(InputLevels.ALL, event.kind(), event.code(), event.x());
        } else {
            stage(sender, happenedNanos, event);
        }
    }

    private void stage(int sender, long happenedNanos, Batch.Event event) {
        long atNanos = Math.max(happenedNanos, lastNanos.get(sender));
        lastNanos.put(sender, atNanos);
        add(atNanos, sender, event);
    }

    private static boolean isDragEnd(Batch.Event event) {
        return event.kind() == InputKind.APPLICATION && event.code() == DragInput.END;
    }

    /** Inserts an event by its time, usually at the end. */
    private void add(long atNanos, int sender, Batch.Event event) {
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
        added.sender = sender;
        added.event = event;
    }

    void command(CommandData command, PendingAnswers.@Nullable Asked own) {
        commands.add(command);
        asked.add(own);
    }

    /** Makes the collected events the input of the tick. The time of each is a lead later than it happened, but within the tick. */
    void take(long fromNanos, long dueNanos, long leadNanos) {
        long lengthNanos = dueNanos - fromNanos;
        input.begin(lengthNanos);
        for (int i = 0; i < count; i++) {
            Staged event = staged.get(i);
            long offsetNanos = event.atNanos + leadNanos - fromNanos;
            long placeNanos = Math.max(0, Math.min(lengthNanos, offsetNanos));
            if (event.event.kind() == InputKind.SENDER_LEFT) {
                release(event, placeNanos, offsetNanos < 0);
            }
            addInput(event, event.event, placeNanos, offsetNanos < 0);
        }
        count = 0;
        lastNanos.clear();
    }

    /** Releases everything that a leaving sender holds, at the time of its leave. */
    private void release(Staged left, long placeNanos, boolean late) {
        List<Batch.Event> releases = new ArrayList<>(); // kept, because adding them changes the visited levels
        input.levels()
                .visitHeld(
                        left.sender,
                        (sender, held, code, x) -> releases.add(new Batch.Event(held.release(), code, 0, 0, 0)));
        for (Batch.Event release : releases) {
            addInput(left, release, placeNanos, late);
        }
    }

    private void addInput(Staged at, Batch.Event event, long placeNanos, boolean late) {
        input.add(
                at.sender, sequence++, at.atNanos, event.kind(), event.code(), event.x(), event.y(), placeNanos, late);
    }

    /** Moves the events of the taken tick to the clock of this node. */
    void moveTo(long localFromNanos, long localDueNanos) {
        input.moveTo(localFromNanos, localDueNanos);
    }

    InputFrame input() {
        return input.frame();
    }

    List<CommandData> commands() {
        return commands;
    }

    PendingAnswers.@Nullable Asked asked(int command) {
        return asked.get(command);
    }

    void forgetCommands() {
        commands.clear();
        asked.clear();
    }

    /** Saves the collected input. Call it between two ticks. */
    void save(StateBuffer to) {
        to.put(sequence);
        to.put((long) lastJoined);
        input.levels().visitHeld((sender, kind, code, x) -> {
            to.put(true);
            put(sender, new Batch.Event(kind, code, x, 0, 0), to);
        });
        to.put(false).put((long) count);
        for (int i = 0; i < count; i++) {
            Staged event = staged.get(i);
            to.put(event.atNanos);
            put(event.sender, event.event, to);
        }
        to.put((long) lastNanos.size());
        lastNanos.forEachLong((sender, atNanos) -> to.put(sender).put(atNanos));
        Batch.Writer batch = new Batch.Writer(0); // commands are saved in the format of batches
        to.put((long) commands.size());
        for (CommandData command : commands) {
            batch.command(command);
            to.put(batch.take(0));
        }
    }

    private static void put(int sender, Batch.Event event, StateBuffer to) {
        to.put((long) sender).put((long) event.kind().number()).put((long) event.code());
        to.put((double) event.x()).put((double) event.y());
    }

    /** Reads an event that {@link #put} wrote. The caller has read the event's sender before. */
    private static Batch.Event event(StateBuffer from) {
        // Never null, because the state has a checksum.
        InputKind kind = Objects.requireNonNull(InputKind.ofNumber((byte) from.getLong()));
        return new Batch.Event(kind, (int) from.getLong(), (float) from.getDouble(), (float) from.getDouble(), 0);
    }

    /**
     * Restores the state of {@link #save} into a new object. Its commands come from an earlier process, so they have no pending answers.
     */
    void restore(StateBuffer from) {
        sequence = from.getLong();
        lastJoined = (int) from.getLong();
        while (from.getBoolean()) {
            int sender = (int) from.getLong();
            Batch.Event level = event(from);
            input.levels().set(sender, level.kind(), level.code(), level.x());
        }
        for (long left = from.getLong(); left > 0; left--) {
            add(from.getLong(), (int) from.getLong(), event(from));
        }
        for (long left = from.getLong(); left > 0; left--) {
            lastNanos.put(from.getLong(), from.getLong());
        }
        for (long left = from.getLong(); left > 0; left--) {
            Batch.of(from.getBytes()).commands().forEach(saved -> command(saved, null));
        }
    }
}
