package dev.escapement.bench.view;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A game loop with an accumulator, in a thread of its own so that its steps do not hold up the picture beside it: at each slot of the
 * display it runs the ticks that are due, blends the last two and hands over the picture. Where steps take longer than a slot it misses
 * some, and its last picture stays.
 *
 * <p>The main thread creates and closes it, the render thread takes pictures.
 */
final class AccumulatorLoop implements AutoCloseable {

    private static final long MOST_FRAME_NANOS = 250_000_000;
    private static final long CLOSE_TIMEOUT_NANOS = 5_000_000_000L;

    private final TickRate display;
    private final FrameClock released;
    private final InlineDriver driver;
    private final FrameView view;
    private final Pacer pacer = Pacer.system();
    private final Thread thread = new Thread(this::run, "escapement-accumulator");

    // A picture is filled by the loop, handed over here, drawn by the render thread, and comes back to be filled again.
    // The loop's set
    // makes what it filled visible to the render thread that takes it, and the other way around.
    private final AtomicReference<@Nullable Picture> newest = new AtomicReference<>();
    private final AtomicReference<@Nullable Picture> spare = new AtomicReference<>(new Picture());

    // Volatile: written by the loop when it ends, read by the main thread; nothing else is ordered by it.
    private volatile @Nullable Throwable failure;

    /** What a frame has drawn. */
    static final class Picture {
        private final PoseBlocks poses = new PoseBlocks(0);
        private long shownSimNanos;

        PoseBlocks poses() {
            return poses;
        }

        long shownSimNanos() {
            return shownSimNanos;
        }

        private void fill(FrameView view) {
            PoseBlocks shown = view.poses();
            poses.resize(shown.slotCount());
            for (int block = 0; block < shown.blockCount(); block++) {
                poses.block(block).copyFrom(shown.block(block), 0, shown.slotsIn(block));
            }
            shownSimNanos = view.clock().shownSimNanos();
        }
    }

    /** A loop that has run nothing. */
    AccumulatorLoop(Simulation simulation, TickRate rate, TickRate display, NanoClock clock) {
        this.display = display;
        released = new FrameClock(clock, new Accumulator(MOST_FRAME_NANOS));
        driver = PhysicsService.builder(simulation)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        view = FrameView.inline(driver.newReader());
        thread.setDaemon(true);
    }

    AccumulatorLoop start() {
        thread.start();
        return this;
    }

    /** For its input, and for how time passes in it. */
    TickingWorld world() {
        return driver;
    }

    /** What went wrong, null if nothing did. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /**
     * Render thread: the newest picture.
     *
     * @param shown the one taken last, which is not used any more if there is another; null at first
     * @return {@code shown} if there is no newer one
     */
    @Nullable
    Picture take(@Nullable Picture shown) {
        Picture next = newest.getAndSet(null);
        if (next == null) {
            return shown;
        }
        if (shown != null) {
            spare.set(shown);
        }
        return next;
    }

    /** The loop's thread, and tests: a frame. */
    void frame() {
        released.beginFrame();
        driver.runDueTicks();
        if (view.advance(released.nanoTime())) {
            Picture picture = newest.getAndSet(null); // not taken: out of date
            if (picture == null) {
                picture = spare.getAndSet(null);
            }
            if (picture == null) {
                picture = new Picture(); // once: the first one is drawn until the second is there
            }
            picture.fill(view);
            newest.set(picture);
        }
    }

    private void run() {
        try (driver) {
            long originNanos = System.nanoTime();
            for (long slot = 1; pacer.awaitUntil(originNanos + display.nanosAt(slot)); ) {
                frame();
                slot = Math.max(slot, display.tickAt(System.nanoTime() - originNanos)) + 1;
            }
        } catch (Throwable thrown) {
            failure = thrown;
        }
    }

    @Override
    public void close() {
        pacer.cancel();
        ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS);
    }
}
