package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.display.SlotSchedule;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.fault.FaultSeam;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Makes each call of foreign code on the render thread fail once, one fault per run. After each fault, the loop continues or reports why it
 * ended, the backend was closed once, the thread has ended, and the reader's place is free.
 */
@Timeout(60)
class RenderFaultSeamTest {

    private static final TickRate FAST = TickRate.hertz(2000);
    private static final int FRAMES = 5;

    @Test
    void shouldSurviveOrReportAFaultOfAnyForeignCall() throws Exception {
        FaultSeam counting = FaultSeam.counting();
        draw(counting);
        List<FaultSeam> seams = counting.oneFaultEach(2);
        assertThat(seams.stream().map(FaultSeam::place).distinct())
                .containsExactlyInAnyOrder(
                        "wait for display", "open", "draw", "close", "before acquire", "drawn", "clock", "park");
        for (FaultSeam seam : seams) {
            try {
                draw(seam);
            } catch (Throwable broken) {
                throw new AssertionError("after " + seam, broken);
            }
            assertThat(seam.hasStruck()).as("%s was reached", seam).isTrue();
        }
    }

    private static void draw(FaultSeam seam) throws Exception {
        PublishedWorld world = new PublishedWorld(3, tick -> 0);
        world.runUntil(5 * PublishedWorld.TICK_NANOS);
        SeamBackend backend = new SeamBackend(seam);
        Thread caller = Thread.currentThread();
        NanoClock clock = () -> {
            if (Thread.currentThread() != caller) { // the caller that creates the loop gets the fault at once
                seam.reached("clock");
            }
            return System.nanoTime();
        };
        RenderLoop loop = new RenderLoop(
                FrameView.of(world.newReader()), backend, backend, new SlotSchedule(FAST, clock, waiter(seam)));
        try {
            loop.start();
            backend.ended.await();
        } catch (Throwable thrown) {
            assertThat(thrown).isSameAs(seam.thrown().orElse(null));
        }
        loop.close();
        assertThat(loop.isRunning()).isFalse();
        assertThat(loop.failure()).isEqualTo(seam.thrown());
        assertThat(backend.closings).isEqualTo(1);
        SnapshotReader[] places = {world.newReader(), world.newReader()};
        assertThat(places).doesNotContainNull();
    }

    private static Waiter waiter(FaultSeam seam) {
        return new Waiter() {
            @Override
            public void park(long nanos) {
                seam.reached("park");
                Thread.onSpinWait();
            }

            @Override
            public void spin() {
                Thread.onSpinWait();
            }
        };
    }

    private static final class SeamBackend implements RenderBackend, FrameListener {

        /** Reaches zero when enough frames were drawn or drawing has ended. */
        final CountDownLatch ended = new CountDownLatch(1);

        volatile int closings;
        private final FaultSeam seam;
        private int frames;

        SeamBackend(FaultSeam seam) {
            this.seam = seam;
        }

        @Override
        public void waitForDisplay(boolean isToWait) {
            seam.reached("wait for display");
        }

        @Override
        public void open() {
            seam.reached("open");
        }

        @Override
        public void beforeAcquire(FrameView view) {
            seam.reached("before acquire");
        }

        @Override
        public void draw(FrameView view) {
            seam.reached("draw");
        }

        @Override
        public void drawn(FrameView view, long slotNanos, long completedNanos) {
            seam.reached("drawn");
            frames++;
            if (frames == FRAMES) {
                ended.countDown();
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void close() {
            closings++;
            ended.countDown();
            seam.reached("close");
        }
    }
}
