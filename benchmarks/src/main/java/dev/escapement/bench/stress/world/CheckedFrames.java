package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A thread with a {@link CheckingReader} that takes a window a frame. */
final class CheckedFrames implements AutoCloseable {

    private static final long CLOSE_NANOS = 10_000_000_000L;

    private final CheckingReader checking;
    private final SnapshotReader reader;
    private final TickRate fps;
    private final Pacer pacer = Pacer.system();
    private final Thread thread = new Thread(this::run, "stress-frames");

    // Written by the reading thread alone, release; whoever waits for more reads it, acquire, now and then.
    private final AtomicLong taken = new AtomicLong();

    // Written before the thread ends, read after.
    private @Nullable RuntimeException failure;

    private CheckedFrames(Trial trial, WatchedService service, Expectation expected, long fps) {
        reader = service.service().newReader();
        checking = new CheckingReader(trial, service, reader, expected);
        this.fps = TickRate.hertz(fps);
        thread.setDaemon(true);
    }

    /** Starts to take windows. */
    static CheckedFrames start(Trial trial, WatchedService service, Expectation expected, long fps) {
        CheckedFrames frames = new CheckedFrames(trial, service, expected, fps);
        frames.thread.start();
        return frames;
    }

    private void run() {
        try (reader) {
            takeWindows();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void takeWindows() {
        long originNanos = System.nanoTime();
        for (long frame = 1; pacer.awaitUntil(originNanos + fps.nanosAt(frame)); frame++) {
            checking.take();
            if (reader.hasWindow()) {
                taken.setRelease(taken.getPlain() + 1);
            }
        }
    }

    /** How many frames had a window. */
    long taken() {
        return taken.getAcquire();
    }

    /**
     * Returns when the last window was checked and the reader is gone.
     *
     * @throws IllegalStateException if the reader threw, or does not end
     */
    @Override
    public void close() {
        pacer.cancel();
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            throw new IllegalStateException("the reading thread does not end");
        }
        if (failure != null) {
            throw new IllegalStateException("the reader failed: " + failure, failure);
        }
    }
}
