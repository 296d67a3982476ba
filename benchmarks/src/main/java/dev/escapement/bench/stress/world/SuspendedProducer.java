package dev.escapement.bench.stress.world;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;

/**
 * A producer that stops in the middle of {@link InputRing#offer}, after it has claimed its place and before it publishes, as one does
 * that the operating system suspends there. No user of a ring can stop there, so this reaches into it by reflection. One thread.
 */
public final class SuspendedProducer {

    private final RingBuffer<InputEvent> ring;
    private final Method set;
    private long claimed;

    private SuspendedProducer(RingBuffer<InputEvent> ring, Method set) {
        this.ring = ring;
        this.set = set;
    }

    /**
     * A producer of this ring.
     *
     * @throws SkippedException if the JVM lets nobody in
     */
    @SuppressWarnings("unchecked") // it is a ring of nothing else
    public static SuspendedProducer of(InputRing ring) throws SkippedException {
        try {
            Field field = InputRing.class.getDeclaredField("ring");
            Method set = InputEvent.class.getDeclaredMethod(
                    "set", long.class, InputKind.class, int.class, float.class, float.class);
            field.setAccessible(true);
            set.setAccessible(true);
            return new SuspendedProducer((RingBuffer<InputEvent>) field.get(ring), set);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new SkippedException("a producer can only be stopped within offer by reflection, and that fails: " + e
                    + "; run on the class path");
        }
    }

    /** Claims the next place, and is stuck. */
    public void claim() {
        try {
            claimed = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            throw new IllegalStateException("there was to be room for the producer that is to be suspended", full);
        }
    }

    /** Goes on where it was stuck. */
    public boolean goOn(long timeNanos, int code, float x, float y) {
        try {
            set.invoke(ring.get(claimed), timeNanos, InputKind.APPLICATION, code, x, y);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("an event cannot be written: " + e, e);
        }
        ring.publish(claimed);
        return true;
    }
}
