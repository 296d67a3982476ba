package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.display.SlotSchedule;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.fault.FaultSeam;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Makes each call of foreign code on the render thread fail once, one fault per run. After each fault, the loop continues or reports why it
 * ended, the backend was closed once, the thread has ended, and its reader is detached, so that another one can be attached.
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
                        "waitForDisplay", "open", "draw", "close", "beforeAcquire", "drawn", "clock", "park");
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
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger closings = new AtomicInteger();
        Foreign backend = backend(seam, ended, closings);
        Thread caller = Thread.currentThread();
        NanoClock clock = () -> {
            if (Thread.currentThread() != caller) { // the thread that creates the loop would throw the fault itself
                seam.reached("clock");
            }
            return System.nanoTime();
        };
        Waiter waiter = new Waiter() {
            @Override
            public void park(long nanos) {
                seam.reached("park");
                Thread.onSpinWait();
            }
        };
        RenderLoop loop = new RenderLoop(
                FrameView.of(world.newReader()), backend, backend, new SlotSchedule(FAST, clock, waiter), Thread::new);
        loop.start();
        ended.await();
        loop.close();
        assertThat(loop.isRunning()).isFalse();
        assertThat(loop.failure()).isEqualTo(seam.thrown());
        assertThat(closings).hasValue(1);
        SnapshotReader[] places = {world.newReader(), world.newReader()};
        assertThat(places).doesNotContainNull();
    }

    private interface Foreign extends RenderBackend, FrameListener {}

    /** Counts down when enough frames were drawn, or drawing has ended. */
    private static Foreign backend(FaultSeam seam, CountDownLatch ended, AtomicInteger closings) {
        AtomicInteger frames = new AtomicInteger();
        return (Foreign) Proxy.newProxyInstance(
                Foreign.class.getClassLoader(), new Class<?>[] {Foreign.class}, (proxy, method, arguments) -> {
                    String call = method.getName();
                    if (call.equals("close")) {
                        closings.incrementAndGet();
                        ended.countDown();
                    }
                    if (!call.equals("failed")) {
                        seam.reached(call);
                    }
                    if (call.equals("drawn") && frames.incrementAndGet() == FRAMES) {
                        ended.countDown();
                    }
                    return null;
                });
    }
}
