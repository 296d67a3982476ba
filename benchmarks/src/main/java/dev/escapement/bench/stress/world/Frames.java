package dev.escapement.bench.stress.world;

import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A thread that looks once a frame. */
final class Frames implements AutoCloseable {

    private final TickRate fps;
    private final BooleanSupplier look;
    private final Runnable atEnd;

    // Written by the looking thread alone, release; whoever waits for more reads it, acquire, now and then.
    private final AtomicLong seen = new AtomicLong();

    private final Worker worker;

    /**
     * Starts to look.
     *
     * @param fps   frames per second
     * @param look  looks once, and tells whether there was anything to see
     * @param atEnd gives back what it looked through, on the same thread
     */
    Frames(long fps, BooleanSupplier look, Runnable atEnd) {
        this.fps = TickRate.hertz(fps);
        this.look = look;
        this.atEnd = atEnd;
        worker = Worker.start("stress-frames", this::run);
    }

    private void run(Worker self) {
        try {
            Pacer pacer = Pacer.system();
            long originNanos = System.nanoTime();
            for (long frame = 1; self.goesOn(); frame++) {
                pacer.awaitUntil(originNanos + fps.nanosAt(frame));
                if (look.getAsBoolean()) {
                    seen.setRelease(seen.getPlain() + 1);
                }
            }
        } finally {
            atEnd.run();
        }
    }

    /** Whether so many frames had anything to see, or there are no more to come because a look threw. */
    boolean hasSeen(long enough) {
        return seen.getAcquire() >= enough || worker.hasEnded();
    }

    /**
     * Returns when the last frame is over.
     *
     * @throws IllegalStateException if a look threw, or the thread does not end
     */
    @Override
    public void close() {
        worker.close();
    }
}
