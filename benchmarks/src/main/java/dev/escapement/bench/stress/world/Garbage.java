package dev.escapement.bench.stress.world;

import dev.escapement.state.time.TickRate;

/** A thread that allocates half a gigabyte a second, in pieces of many sizes, and keeps some of them for a while. */
public final class Garbage implements AutoCloseable {

    private static final TickRate SLICES = TickRate.hertz(1000);
    private static final long BYTES_PER_SLICE = 500_000;
    private static final int SMALLEST = 64;
    private static final int SIZES = 10;
    private static final int KEPT = 2048;

    private final byte[][] kept = new byte[KEPT][];
    private final long startNanos = System.nanoTime();
    private int piece;

    // Written by the allocating thread before it ends, read after.
    private long bytes;
    private long endNanos;

    private final Worker worker =
            Worker.start("stress-garbage", SLICES, this::allocateSlice, () -> endNanos = System.nanoTime());

    private Garbage() {}

    /** Starts to allocate. */
    public static Garbage start() {
        return new Garbage();
    }

    private void allocateSlice() {
        for (long end = bytes + BYTES_PER_SLICE; bytes < end; piece++) {
            // From 64 bytes to 32 kB; kept ones are overwritten in turn, so the collector has something to move.
            byte[] made = new byte[SMALLEST << piece % SIZES];
            kept[piece % KEPT] = made;
            bytes += made.length;
        }
    }

    /**
     * Ends it.
     *
     * @throws IllegalStateException if it does not end, or found no memory
     */
    @Override
    public void close() {
        worker.close();
    }

    /** Once closed: bytes a second. */
    public double bytesPerSecond() {
        return bytes * 1e9 / (endNanos - startNanos);
    }
}
