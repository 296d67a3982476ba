package dev.escapement.render;

import dev.escapement.render.display.DisplaySchedule;
import dev.escapement.render.display.FrameSchedule;
import dev.escapement.render.display.SlotSchedule;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Draws on a thread of its own, at a given rate or at the display's, independent of the physics thread.
 *
 * <p>A frame that takes too long misses slots, which the loop counts. The next frame starts at the next slot of the given rate, or of the
 * display.
 *
 * <pre>{@code
 * try (RenderLoop loop = RenderLoop.start(view, window.backend(), listener)) {
 *     window.waitAndDispatch(physics.input(), () -> loop.failure().isEmpty());
 * }
 * }</pre>
 *
 * <p>Any thread may start, observe and close it.
 */
public final class RenderLoop implements AutoCloseable {

    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Render thread only. */
    private FrameView view;

    /** Holds the view that replaces {@link #view} as soon as it has a window. */
    private final Succession<FrameView> succession = new Succession<>(this::advance, FrameView::close);

    private final RenderBackend backend;
    private final FrameListener listener;
    private final FrameSchedule schedule;
    private final Thread thread;

    // opaque: setOpaque in awaitFrame pairs with getOpaque in missedSlots(); a plain read in a loop could stay at an
    // old value for ever. Only the render thread writes the counter, and no other field depends on it.
    private final AtomicLong missedSlots = new AtomicLong();
    private final FirstFailure failure = new FirstFailure();

    /** Creates a loop without starting it. Tests replace the schedule's clock and waiting, and the thread. */
    RenderLoop(
            FrameView view,
            RenderBackend backend,
            FrameListener listener,
            FrameSchedule schedule,
            ThreadFactory threads) {
        this.view = Objects.requireNonNull(view, "view must not be null; pass FrameView.of(physics.newReader())");
        this.backend = requireBackend(backend);
        this.listener = Objects.requireNonNull(listener, "listener must not be null; pass new FrameListener() {}");
        this.schedule = schedule;
        thread = threads.newThread(this::run);
        thread.setName("escapement-render");
        thread.setDaemon(true);
    }

    /**
     * Starts a loop that draws at a given rate.
     *
     * @param view            a view that nothing else uses; the loop closes it after the last frame
     * @param backend         the renderer
     * @param framesPerSecond the rate
     * @param listener        is called for every frame
     * @return the running loop
     * @throws OutOfMemoryError if the process cannot start more threads; the view was closed
     */
    public static RenderLoop start(
            FrameView view, RenderBackend backend, TickRate framesPerSecond, FrameListener listener) {
        FrameSchedule schedule = new SlotSchedule(framesPerSecond, NanoClock.system(), Waiter.system());
        return new RenderLoop(view, backend, listener, schedule, Thread::new).start();
    }

    /**
     * Starts a loop that draws at the display's rate: the backend's draw waits for the display.
     *
     * <p>The loop learns the display's rhythm from the times at which drawing returns. Once it knows the rhythm, each frame shows the
     * moment at which it will be displayed. If drawing does not wait, as with a minimised window, the loop waits itself, so that it draws
     * about one frame per display period. Three short frames in a row mean that drawing does not wait; {@link RenderBackend#displayHertz}
     * defines how short. A software renderer takes long without waiting for the display, so give its loop a rate.
     *
     * @param view     a view that nothing else uses; the loop closes it after the last frame
     * @param backend  the renderer
     * @param listener is called for every frame, with estimated display times
     * @return the running loop
     * @throws OutOfMemoryError if the process cannot start more threads; the view was closed
     */
    public static RenderLoop start(FrameView view, RenderBackend backend, FrameListener listener) {
        FrameSchedule schedule =
                new DisplaySchedule(NanoClock.system(), Waiter.system(), requireBackend(backend)::displayHertz);
        return new RenderLoop(view, backend, listener, schedule, Thread::new).start();
    }

    private static RenderBackend requireBackend(RenderBackend backend) {
        return Objects.requireNonNull(backend, "backend must not be null; pass what draws");
    }

    RenderLoop start() {
        try {
            thread.start();
        } catch (Throwable noMemoryForAThread) {
            closeViews();
            throw noMemoryForAThread;
        }
        return this;
    }

    /**
     * Shows another view, for example of a service that replaces a failed one, from the first frame for which that view has a window.
     *
     * <p>Until then the loop draws the old view. Then it closes the old view, {@link FrameView#changes} of the new view reports that the
     * old bodies vanished, and the backend and the listener get the new view. If this is called again before that, or the new view fails
     * before its first frame, the loop closes the new view and keeps the old one. Any thread.
     *
     * @param next a view that nothing else uses, of the same clock; the loop closes it, immediately if drawing has ended
     */
    public void show(FrameView next) {
        succession.submit(
                Objects.requireNonNull(next, "view must not be null; pass FrameView.of(physics.newReader())"));
    }

    /** {@return how many slots had no frame because the frame before took too long} Any thread. */
    public long missedSlots() {
        return missedSlots.getOpaque();
    }

    /** {@return true while the render thread runs} After {@link #close()}, true means that a frame hangs. */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /** {@return the exception of the backend or the listener that has ended drawing; empty if there is none} */
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    /** Ends drawing. Idempotent. Waits for the current frame, at most 5 seconds; on the render thread this returns immediately. */
    @Override
    public void close() {
        schedule.pacer().cancel();
        ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS);
    }

    private void run() {
        try {
            drawFrames();
        } finally { // closes the views even if storing a failure throws an OutOfMemoryError
            closeViews();
        }
        failure.cause().ifPresent(this::reportFailure);
    }

    private void closeViews() {
        try {
            view.close();
        } catch (Throwable thrown) {
            failure.add(thrown); // for example, another thread has used the view
        } finally {
            succession.close();
        }
    }

    private void drawFrames() {
        try {
            backend.waitForDisplay(schedule instanceof DisplaySchedule);
            backend.open();
            while (awaitFrame()) {
                drawFrame();
            }
            listener.beforeAcquire(view); // FrameListener promises this call, too
        } catch (Throwable thrown) {
            failure.add(thrown);
        }
        try {
            backend.close();
        } catch (Throwable thrown) {
            failure.add(thrown);
        }
    }

    private boolean awaitFrame() {
        boolean continues = schedule.awaitFrame();
        missedSlots.setOpaque(schedule.missedSlots());
        return continues;
    }

    private void drawFrame() throws Exception {
        listener.beforeAcquire(view);
        FrameView next = succession.take(); // take() has already advanced it to this frame
        if (next != null) {
            next.changes.replace(view.changes);
            FrameView last = view;
            view = next;
            last.close();
        }
        if (next != null || advance(view)) {
            backend.draw(view);
            listener.drawn(view, schedule.displayNanos(), schedule.clock().nanoTime());
        }
    }

    private boolean advance(FrameView next) {
        return next.advance(schedule.targetNanos(), schedule.displayNanos());
    }

    private void reportFailure(Throwable cause) {
        try {
            listener.failed(cause);
        } catch (Throwable thrown) {
            failure.add(thrown); // failure() still returns the first cause
        }
    }
}
