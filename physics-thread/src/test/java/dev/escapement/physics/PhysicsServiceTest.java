package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real thread; every wait is for an event, never for a time. */
@Timeout(60)
class PhysicsServiceTest {

    private static final TickRate FAST = TickRate.hertz(2000);

    @Test
    void shouldTickOnAThreadOfItsOwnAndCloseTheSimulationThere() throws Exception {
        CountDownLatch ticks = new CountDownLatch(5);
        AtomicReference<Thread> stepping = new AtomicReference<>();
        AtomicReference<Thread> closing = new AtomicReference<>();
        AtomicInteger closed = new AtomicInteger();
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        stepping.set(Thread.currentThread());
                        ticks.countDown();
                    }

                    @Override
                    public void close() {
                        closing.set(Thread.currentThread());
                        closed.incrementAndGet();
                    }
                })
                .rate(FAST)
                .start();
        ticks.await();
        service.close();
        service.close();

        assertThat(stepping.get()).isNotSameAs(Thread.currentThread()).isSameAs(closing.get());
        assertThat(closed).hasValue(1);
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(service.failure()).isEmpty();
    }

    @Test
    void shouldShowTheCauseOfAFailureAndKeepTheLastGoodWindow() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        if (tick.number() == 7) {
                            throw cause;
                        }
                    }

                    @Override
                    public void close() {
                        closed.countDown();
                    }
                })
                .rate(FAST)
                .start();
        SnapshotReader reader = service.newReader();
        closed.await();
        service.close();

        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(6);
    }

    /** A simulation that captures on a helper of its own: half a tick is never shown, even if nobody looks at the exception. */
    @Test
    void shouldFailWhenAnotherThreadWritesPoses() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    private int captures;

                    @Override
                    public void capture(PoseWriter poses) {
                        super.capture(poses);
                        if (++captures == 7) {
                            CompletableFuture<Void> helper = CompletableFuture.runAsync(
                                    () -> poses.teleport(0), r -> new Thread(r, "helper").start());
                            helper.handle((nothing, ignored) -> true).join();
                        }
                    }

                    @Override
                    public void close() {
                        closed.countDown();
                    }
                })
                .rate(FAST)
                .start();
        SnapshotReader reader = service.newReader();
        closed.await();
        service.close();

        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure().orElseThrow())
                .hasMessage("tick 7 is not complete: another thread tried to write poses")
                .hasRootCauseMessage(
                        "poses can be written by the thread that captures only: thread 'helper' tried while"
                                + " thread 'escapement-physics' captures; compute on other threads, and write on this one");
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(6);
    }

    @Test
    void shouldHandOverEveryAcceptedInputOnce() throws Exception {
        int events = 50_000;
        CountDownLatch seen = new CountDownLatch(events);
        AtomicInteger next = new AtomicInteger();
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        for (int i = 0; i < tick.input().size(); i++) {
                            assertThat(tick.input().event(i).code()).isEqualTo(next.getAndIncrement());
                            seen.countDown();
                        }
                    }
                })
                .rate(FAST)
                .inputCapacity(256)
                .start();
        long start = System.nanoTime();
        int accepted = 0;
        while (accepted < events && service.state() == ServiceState.RUNNING) {
            if (service.input().offer(start, InputKind.APPLICATION, accepted, 0, 0)) {
                accepted++;
            }
        }
        assertThat(service.failure()).isEmpty();
        seen.await();
        service.close();
        assertThat(service.failure()).isEmpty();
        assertThat(service.pendingInputs()).isZero();
        assertThat(service.input().accepted()).isEqualTo(events);
    }

    @Test
    void shouldGiveUpWhatASlowTickMissed() throws Exception {
        CountDownLatch ticks = new CountDownLatch(2);
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        if (tick.number() == 1) {
                            long tenPeriodsLater = tick.dueNanos() + 10 * FAST.nanosAt(1);
                            while (System.nanoTime() - tenPeriodsLater < 0) {
                                Thread.onSpinWait();
                            }
                        }
                        ticks.countDown();
                    }
                })
                .rate(FAST)
                .start();
        ticks.await();
        service.close();
        assertThat(service.givenUpTicks()).isGreaterThanOrEqualTo(9);
        assertThat(service.closedAtNanos() - service.startedAtNanos()).isPositive();
    }

    @Test
    void shouldShowAFailureToCloseToo() throws Exception {
        IllegalStateException cause = new IllegalStateException("native memory is gone");
        for (boolean stepFails : new boolean[] {false, true}) {
            CountDownLatch stepped = new CountDownLatch(1);
            PhysicsService service = PhysicsService.builder(new TestSimulation() {
                        @Override
                        public void step(Tick tick) {
                            stepped.countDown();
                            if (stepFails) {
                                throw cause;
                            }
                        }

                        @Override
                        public void close() {
                            throw cause; // the very same, which cannot be suppressed by itself
                        }
                    })
                    .rate(FAST)
                    .start();
            stepped.await();
            service.close();
            assertThat(service.state()).isEqualTo(ServiceState.FAILED);
            assertThat(service.failure()).containsSame(cause);
        }
    }

    @Test
    void shouldWaitForTheLastTickThoughInterrupted() throws Exception {
        CountDownLatch stepping = new CountDownLatch(1);
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        stepping.countDown();
                    }
                })
                .rate(FAST)
                .start();
        stepping.await();
        Thread.currentThread().interrupt();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldBeClosableFromWithinAStep() throws Exception {
        CompletableFuture<PhysicsService> self = new CompletableFuture<>();
        CompletableFuture<ServiceState> whileStepping = new CompletableFuture<>();
        CountDownLatch closed = new CountDownLatch(1);
        PhysicsService service = PhysicsService.builder(new TestSimulation() {
                    @Override
                    public void step(Tick tick) {
                        self.join().close();
                        whileStepping.complete(self.join().state());
                    }

                    @Override
                    public void close() {
                        closed.countDown();
                    }
                })
                .rate(FAST)
                .start();
        self.complete(service);
        closed.await();
        service.close();
        assertThat(whileStepping).isCompletedWithValue(ServiceState.RUNNING);
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Does nothing but what a test overrides. */
    private abstract static class TestSimulation implements Simulation {

        @Override
        public void step(Tick tick) throws Exception {}

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        }
    }
}
