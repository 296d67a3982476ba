package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source or a listener of paused input that throws or hangs, and what is heard of it afterwards. */
@Timeout(60)
class FailedInputTest {

    private static final int W = 87;

    private final IllegalStateException cause = new IllegalStateException("menu");

    @Test
    void shouldFailOfAListenerThatThrowsAndKeepWhatCameAfterPending() throws Exception {
        try (PhysicsService service = paused(ScriptedSimulation.good(), (event, state) -> {
            throw cause;
        })) {
            offerAtOnce(service);
            Await.state(service, ServiceState.FAILED);
            assertThat(service.failure()).containsSame(cause);
            assertThat(service.input().droppedWhilePaused()).isZero();
        }
    }

    @Test
    void shouldTellNothingMoreOnAThreadThatWasAbandonedInAListener() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Integer> told = new CopyOnWriteArrayList<>();
        ScriptedSimulation simulation = ScriptedSimulation.good();
        try (PhysicsService service = paused(simulation, (event, state) -> {
            told.add(event.code());
            Await.open(goOn);
        })) {
            offerAtOnce(service);
            Await.state(service, ServiceState.FAILED);
            goOn.countDown();
            simulation.closed.await();
            assertThat(told).containsExactly(W);
        }
    }

    @Test
    void shouldNotHearADeviceOnceItWasAbandoned() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Boolean> accepted = new CompletableFuture<>();
        PhysicsService service = PhysicsService.builder(ScriptedSimulation.good())
                .source(ring -> {
                    Await.open(goOn);
                    accepted.complete(ring.offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0));
                })
                .watchdog(80)
                .start();
        Await.state(service, ServiceState.FAILED);
        goOn.countDown();
        assertThat(Await.get(accepted)).isFalse();
        service.close();
        assertThat(service.input().rejected()).isEqualTo(1);
    }

    /** All three are in the ring before the physics thread looks. */
    private static void offerAtOnce(PhysicsService service) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch offered = new CountDownLatch(1);
        CompletableFuture<?> ran = service.command(tick -> {
            running.countDown();
            offered.await();
            return tick;
        });
        running.await();
        long nowNanos = System.nanoTime();
        for (InputKind kind : new InputKind[] {InputKind.KEY_DOWN, InputKind.APPLICATION, InputKind.KEY_UP}) {
            assertThat(service.input().offer(nowNanos, kind, kind == InputKind.APPLICATION ? 1 : W, 0, 0))
                    .isTrue();
        }
        offered.countDown();
        Await.get(ran);
    }

    private static PhysicsService paused(Simulation simulation, PausedInputListener listener) throws Exception {
        PhysicsService service = PhysicsService.builder(simulation)
                .rate(TickRate.hertz(2000))
                .pausedInput(listener)
                .watchdog(400)
                .build();
        service.pause();
        service.start();
        Await.state(service, ServiceState.PAUSED);
        return service;
    }
}
