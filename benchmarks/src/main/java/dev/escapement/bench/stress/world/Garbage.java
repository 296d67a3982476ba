package dev.escapement.bench.stress.world;

import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;

/** A thread that allocates half a gigabyte a second, in pieces of many sizes, and keeps some of them for a while. */
public final class Garbage implements AutoCloseable {

    private static final TickRate SLICES = TickRate.hertz(1000);
    private static final long BYTES_PER_SLICE = 500_000;
    private static final int SMALLEST = 64;
    private static final int SIZES = 10;
    private static final int KEPT = 2048;
    private static final long CLOSE_NANOS = 10_000_000_000L;

    private final Pacer pacer = Pacer.system();
    private final byte[][] kept = new byte[KEPT][];
    private final Thread thread = new Thread(this::allocate, "stress-garbage");
    private final long startNanos = System.nanoTime();

    // Written by the allocating thread before it ends, read after.
    private long bytes;
    private long endNanos;
    private @Nullable Throwable failure;

    private Garbage() {
        thread.setDaemon(true);
    }

    /** Starts to allocate. */
    public static Garbage start() {
        Garbage garbage = new Garbage();
        garbage.thread.start();
        return garbage;
    }

    private void allocate() {
        try {
            int piece = 0;
            for (long slice = 1; pacer.awaitUntil(startNanos + SLICES.nanosAt(slice)); slice++) {
                for (long end = bytes + BYTES_PER_SLICE; bytes < end; piece++) {
                    // From 64 bytes to 32 kB; kept ones are overwritten in turn, so the collector has something to
                    // move.
                    byte[] made = new byte[SMALLEST << piece % SIZES];
                    kept[piece % KEPT] = made;
                    bytes += made.length;
                }
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            failure = e;
        }
        endNanos = System.nanoTime();
    }

    /**
     * Ends it.
     *
     * @throws IllegalStateException if it does not end, or found no memory
     */
    @Override
    public void close() {
        pacer.cancel();
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            throw new IllegalStateException("the thread that allocates does not end");
        }
        if (failure != null) {
            throw new IllegalStateException("the thread that allocates failed: " + failure, failure);
        }
    }

    /** Once closed: bytes a second. */
    public double bytesPerSecond() {
        return bytes * 1e9 / (endNanos - startNanos);
    }
}
