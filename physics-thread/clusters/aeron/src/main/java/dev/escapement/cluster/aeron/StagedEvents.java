package dev.escapement.cluster.aeron;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;

/**
 * The events that wait for the cut of their tick, in the order of their time, ties in that of the log.
 *
 * <p>One thread. Allocates only when more wait than ever before.
 */
final class StagedEvents {

    private static final class Staged {
        long atNanos;
        InputKind kind = InputKind.APPLICATION;
        int code;
        float x;
        float y;
    }

    private final List<Staged> staged = new ArrayList<>();
    private int count;
    private long sequence;

    /** Most come in the order of time, and are added at the end. */
    void add(long atNanos, InputKind kind, int code, float x, float y) {
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

    /** All become the input of a tick, a lead later than they happened. */
    void moveInto(RecordedInput input, long fromNanos, long dueNanos, long leadNanos) {
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
    }
}
