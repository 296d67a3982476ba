package dev.escapement.render;

import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread that draws at its own rate, whatever the physics thread does. Frames have slots, computed from their number; a
 * frame that takes too long misses slots, which are counted, and the next one keeps to the grid.
 *
 * <p>Any thread may start, observe and close it.
 */
public final class RenderLoop implements AutoCloseable {

    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FrameView view;
    private final RenderBackend backend;
    private final TickRate framesPerSecond;
    private final FrameListener listener;
    private final NanoClock clock = NanoClock.system();
    private final Pacer pacer = new Pacer(clock, Waiting.system());
    private final Thread thread = new Thread(this::run, "escapement-render");

    // Written by the render thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong missedSlots = new AtomicLong();
    private final FirstFailure failure = new FirstFailure();

    private RenderLoop(FrameView view, RenderBackend backend, TickRate framesPerSecond, FrameListener listener) {
        this.view = view;
        this.backend = backend;
        this.framesPerSecond = framesPerSecond;
        this.listener = listener;
        thread.setDaemon(true);
    }

    /**
     * Starts to draw.
     *
     * @param view            a view that nothing else uses; the loop closes it after the last frame
     * @param backend         what draws
     * @param framesPerSecond how often
     * @param listener        who is told of every frame
     * @return the running loop
     */
    public static RenderLoop start(
            FrameView view, RenderBackend backend, TickRate framesPerSecond, FrameListener listener) {
        RenderLoop loop = new RenderLoop(view, backend, framesPerSecond, listener);
        loop.thread.start();
        return loop;
    }

    /**
     * How many slots passed without a frame because the one before took too long.
     *
     * @return slots
     */
    public long missedSlots() {
        return missedSlots.getOpaque();
    }

    /**
     * Whether the render thread still runs.
     *
     * @return false once it has ended; after {@link #close()}, true means that a frame hangs
     */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /**
     * Why drawing ended.
     *
     * @return what the backend or the listener threw, empty if nothing did
     */
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    /** Ends drawing. Idempotent. Waits for the current frame, at most 5 seconds; on the render thread it returns at once. */
    @Override
    public void close() {
        pacer.cancel();
        ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS);
    }

    private void run() {
        try {
            backend.open();
            drawFrames();
            listener.beforeAcquire(view); // the last window, too, has had its last use
        } catch (Throwable thrown) {
            failure.add(thrown);
        }
        try {
            backend.close();
        } catch (Throwable thrown) {
            failure.add(thrown);
        }
        view.close();
    }

    private void drawFrames() throws Exception {
        long originNanos = clock.nanoTime();
        long slot = 1;
        while (pacer.awaitUntil(originNanos + framesPerSecond.nanosAt(slot))) {
            drawFrame(originNanos + framesPerSecond.nanosAt(slot));
            long lastPassedSlot = framesPerSecond.tickAt(clock.nanoTime() - 1 - originNanos);
            if (lastPassedSlot > slot) {
                missedSlots.setOpaque(missedSlots.getPlain() + lastPassedSlot - slot);
                slot = lastPassedSlot;
            }
            slot++;
        }
    }

    private void drawFrame(long slotNanos) throws Exception {
        listener.beforeAcquire(view);
        if (view.advance(slotNanos)) {
            backend.draw(view);
            listener.drawn(view, slotNanos, clock.nanoTime());
        }
    }
}
