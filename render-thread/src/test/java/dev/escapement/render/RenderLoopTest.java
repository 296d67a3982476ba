package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.render.display.SlotSchedule;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the loop on a real thread. Every wait is for an event, never for a time. */
@Timeout(60)
class RenderLoopTest {

    private static final TickRate FAST = TickRate.hertz(2000);

    private final PublishedWorld world = new PublishedWorld(3, tick -> 0);

    RenderLoopTest() {
        world.runUntil(5 * PublishedWorld.TICK_NANOS);
    }

    private RenderLoop draw(FrameView view, RenderBackend backend) {
        return RenderLoop.start(view, backend, FAST, new FrameListener() {});
    }

    private FrameView view() {
        return FrameView.of(world.newReader());
    }

    @Test
    void shouldCloseItsViewWithoutMemoryForAThread() {
        FrameView view = view();
        SlotSchedule schedule = new SlotSchedule(FAST, NanoClock.system(), Waiter.system());
        RenderLoop loop = new RenderLoop(view, drawn -> {}, new FrameListener() {}, schedule, work -> new Thread(work) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread: the test allows none");
            }
        });
        assertThatThrownBy(loop::start).hasMessageContaining("the test allows none");
        assertThatThrownBy(() -> view.advance(0)).hasMessageContaining("was detached");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawOnAThreadOfItsOwn(boolean followsDisplay) throws Exception {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch frames = new CountDownLatch(3);
        RenderBackend backend = new RenderBackend() {
            @Override
            public void waitForDisplay(boolean isToWait) {
                calls.add("wait " + isToWait + " in " + Thread.currentThread().getName());
            }

            @Override
            public void open() {
                calls.add("open in " + Thread.currentThread().getName());
            }

            @Override
            public void draw(FrameView view) {
                frames.countDown();
            }

            @Override
            public void close() {
                calls.add("close in " + Thread.currentThread().getName());
            }
        };
        FrameView view = view();
        FrameListener listener = new FrameListener() {};
        RenderLoop loop = followsDisplay
                ? RenderLoop.start(view, backend, listener)
                : RenderLoop.start(view, backend, FAST, listener);
        frames.await();
        loop.close();
        loop.close();
        assertThat(loop.failure()).isEmpty();
        String thread = " in escapement-render";
        assertThat(calls).containsExactly("wait " + followsDisplay + thread, "open" + thread, "close" + thread);
    }

    @Test
    void shouldReportOrLogAFailedDrawingOnce() throws Exception {
        IllegalStateException cause = new IllegalStateException("context lost");
        RenderBackend backend = view -> {
            throw cause;
        };
        List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
        try (Logged logged = new Logged("render")) {
            FrameListener handles = new FrameListener() {
                @Override
                public void failed(Throwable failure) {
                    reported.add(failure);
                }
            };
            endOf(RenderLoop.start(view(), backend, FAST, handles));
            assertThat(reported).containsExactly(cause);
            assertThat(logged.records).isEmpty();
            endOf(draw(view(), backend));
            assertThat(logged.records).extracting(LogRecord::getThrown).containsExactly(cause);
            assertThat(logged.records.get(0).getMessage()).contains("Drawing has ended", "FrameListener.failed");
        }
    }

    private static void endOf(RenderLoop loop) {
        Await.until(() -> !loop.isRunning());
    }

    @Test
    void shouldShowEveryWindowAgainBeforeItsRelease() throws Exception {
        CountDownLatch frames = new CountDownLatch(3);
        int[] looksAndFrames = new int[2];
        FrameListener listener = new FrameListener() {
            @Override
            public void beforeAcquire(FrameView view) {
                looksAndFrames[0] += view.hasWindow() ? 1 : 0;
            }

            @Override
            public void drawn(FrameView view, long slotNanos, long completedNanos) {
                looksAndFrames[1]++;
                frames.countDown();
            }
        };
        RenderLoop loop = RenderLoop.start(view(), view -> {}, FAST, listener);
        frames.await();
        loop.close();
        assertThat(looksAndFrames[0]).isEqualTo(looksAndFrames[1]).isGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldKeepTheOldViewUntilTheNextIsReady() throws Exception {
        PublishedWorld next = new PublishedWorld(3, tick -> 0);
        FrameView last = view();
        FrameView coming = FrameView.of(next.newReader());
        List<String> reported = Collections.synchronizedList(new ArrayList<>());
        BlockingQueue<FrameView> drawn = new LinkedBlockingQueue<>();
        RenderBackend backend = view -> {
            view.changes(new BodyVisitor() {
                @Override
                public void appeared(long bodyId, long userData) {
                    reported.add("appeared in " + (view == last ? "the last" : "the next"));
                }

                @Override
                public void vanished(long bodyId, long userData) {
                    reported.add("vanished in " + (view == last ? "the last" : "the next"));
                }
            });
            drawn.add(view);
        };
        RenderLoop loop = draw(last, backend);
        assertThat(drawn.take()).isSameAs(last);
        loop.show(coming);
        drawn.clear();
        for (int frame = 0; frame < 10; frame++) {
            assertThat(drawn.take()).as("there is no window yet").isSameAs(last);
        }
        next.runUntil(3 * PublishedWorld.TICK_NANOS);
        FrameView shown = last;
        while (shown == last) {
            shown = drawn.take();
        }
        assertThat(shown).isSameAs(coming);
        assertThat(drawn.take()).as("which reports no body again").isSameAs(coming);
        loop.close();
        assertThat(loop.failure()).isEmpty();
        assertThat(reported).containsExactly("appeared in the last", "vanished in the next", "appeared in the next");
    }

    /** The loop still runs here. After its end, the exchange would free the readers of its dead thread anyway. */
    @Test
    void shouldFreeTheReadersOfReplacedViewsWhileDrawing() throws Exception {
        BlockingQueue<FrameView> drawn = new LinkedBlockingQueue<>();
        try (RenderLoop loop = draw(view(), drawn::add)) {
            for (int round = 0; round < 5; round++) { // more often than there are readers
                FrameView next = view();
                loop.show(next);
                while (drawn.take() != next) {}
            }
        }
    }

    @Test
    void shouldEndItsCloseWhileAFrameHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        RenderBackend backend = view -> {
            hangs.countDown();
            released.await();
        };
        RenderLoop loop = draw(view(), backend);
        hangs.await();
        CompletableFuture.runAsync(loop::close).get();
        assertThat(loop.isRunning()).as("a frame hangs").isTrue();
        released.countDown();
        endOf(loop);
        assertThat(loop.failure()).isEmpty();
    }

    @Test
    void shouldCloseViewsThatItNeverShows() throws Exception {
        PublishedWorld empty = new PublishedWorld(3, tick -> 0);
        Semaphore frames = new Semaphore(0);
        RenderLoop loop = draw(view(), view -> frames.release());
        for (int view = 0; view < 5; view++) { // more often than there are readers
            FrameView another = FrameView.of(empty.newReader());
            loop.show(another);
            frames.drainPermits();
            frames.acquire(2); // the loop has asked the new view for a window
            loop.show(FrameView.of(empty.newReader()));
            frames.drainPermits();
            frames.acquire(2);
        }
        loop.close();
        loop.show(FrameView.of(empty.newReader()));
        assertThat(List.of(empty.newReader(), empty.newReader())).hasSize(2);
        assertThat(loop.failure()).isEmpty();
    }

    @Test
    void shouldKeepTheOldViewIfTheNextFails() throws Exception {
        BlockingQueue<FrameView> drawn = new LinkedBlockingQueue<>();
        FrameView first = view();
        FrameView closedView = view();
        closedView.close();
        FrameView usedHere = view();
        usedHere.advance(5 * PublishedWorld.TICK_NANOS);
        RenderLoop loop = draw(first, drawn::add);
        for (FrameView broken : List.of(closedView, usedHere)) {
            loop.show(broken);
            drawn.clear();
            for (int frame = 0; frame < 10; frame++) {
                assertThat(drawn.take()).isSameAs(first);
            }
        }
        loop.close();
        assertThat(loop.failure()).isEmpty();
    }
}
