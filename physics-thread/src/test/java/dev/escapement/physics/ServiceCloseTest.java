package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a service ends, and that nothing of it is left. */
@Timeout(60)
class ServiceCloseTest {

    private static final int HOUR_MILLIS = 3_600_000;

    private final ServiceThreads threads = new ServiceThreads();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldCloseTheSimulationOnceOnTheThreadThatTicked() throws Exception {
        AtomicReference<Thread> ticking = new AtomicReference<>();
        List<Thread> closing = new CopyOnWriteArrayList<>();
        PhysicsService service = builder(new ScriptedSimulation(
                        tick -> ticking.set(Thread.currentThread()), () -> closing.add(Thread.currentThread())))
                .start();
        Await.tickAfter(service, 1);
        service.close();
        service.close();
        assertThat(closing).containsExactly(ticking.get()).doesNotContain(Thread.currentThread());
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(service.failure()).isEmpty();
    }

    /** It is closed on the physics thread, which is started for that. */
    @Test
    void shouldNotBeginToCloseAServiceThatWasNeverStarted() {
        List<String> calls = new CopyOnWriteArrayList<>();
        Simulation simulation = new ScriptedSimulation(tick -> calls.add("step"), () -> calls.add("close")) {
            @Override
            public void begin() {
                calls.add("begin");
                throw new IllegalStateException("no such file");
            }
        };
        TickHook hook = new TickHook() {
            @Override
            public void start() {
                calls.add("start");
            }

            @Override
            public void end() {
                calls.add("end");
            }
        };
        PhysicsService service = builder(simulation).with(hook).build();
        service.close();
        assertThat(calls).containsExactly("close", "end");
        assertThat(service.failure()).isEmpty();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    @Test
    void shouldWaitForTheLastTickThoughInterrupted() throws Exception {
        PhysicsService service = builder(ScriptedSimulation.good()).start();
        Await.tickAfter(service, 1);
        Thread.currentThread().interrupt();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** The watchdog looks every 450 s, but ends now. */
    @Test
    void shouldEndItsThreads() throws Exception {
        PhysicsService service =
                builder(ScriptedSimulation.good()).watchdog(HOUR_MILLIS).start();
        Await.tickAfter(service, 3);
        List<Thread> alive = List.of(threads.physics(), threads.watchdog());
        service.close();
        for (Thread thread : alive) {
            thread.join();
        }
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Freeing memory is not watched: the watchdog has ended before. */
    @Test
    void shouldNotWatchASimulationThatIsBeingClosed() throws Exception {
        PhysicsService service = builder(
                        new ScriptedSimulation(tick -> {}, () -> joinUnchecked(threads.alive("escapement-watchdog"))))
                .watchdog(80)
                .start();
        Await.tickAfter(service, 3);
        service.close();
        assertThat(service.failure()).isEmpty();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    @Test
    void shouldAbandonAStepThatOutlivesTheClose() throws Exception {
        PhysicsServiceBuilder builder =
                builder(new ScriptedSimulation(tick -> hang())).watchdog(HOUR_MILLIS);
        builder.settings.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.start();
        hanging.await();
        Thread watchdog = threads.watchdog();
        CompletableFuture<?> waiting = service.command(tick -> tick);
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure().orElseThrow())
                .isInstanceOf(HungSimulationException.class)
                .hasMessageContaining("it did not end within 0.001 s");
        assertThat(Await.failure(waiting)).hasMessageContaining("the physics service has ended: FAILED");
        watchdog.join();
    }

    /** The time limit passes while the thread is not in the user's code; then it hangs. */
    @Test
    void shouldAbandonWhatHangsOnlyAfterTheCloseHasWaited() throws Exception {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> {}, this::hang));
        CountDownLatch closing = new CountDownLatch(1);
        builder.settings.closeTimeoutNanos = 1;
        builder.settings.waiter = new SpinningWaiter() {
            @Override
            public void park(long nanos) {
                Await.open(closing);
                long severalTimeouts = System.nanoTime() + 10_000_000;
                while (System.nanoTime() - severalTimeouts < 0) {
                    Thread.onSpinWait();
                }
            }
        };
        PhysicsService service = builder.start();
        closing.countDown();
        service.close();
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    /** What failed is freed before the state says so, but commands are not kept waiting for that. */
    @Test
    void shouldFailCommandsWhileTheFailedSimulationIsBeingClosed() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        PhysicsService service = builder(new ScriptedSimulation(
                        tick -> {
                            throw cause;
                        },
                        this::hang))
                .build();
        CompletableFuture<?> waiting = service.query(tick -> tick);
        service.start();
        assertThat(Await.failure(waiting)).hasCause(cause);
        assertThat(Await.failure(service.command(tick -> tick))).hasCause(cause);
        assertThat(service.failure()).containsSame(cause);
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
        letGo.countDown();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
    }

    private void hang() {
        hanging.countDown();
        Await.open(letGo);
    }

    private static void joinUnchecked(List<Thread> threads) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }
}
