package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of input that a failed life had taken from the ring, but had given to no tick. */
@Timeout(60)
class RestartInputTest {

    private static final int W = 87;
    private static final long SOON_NANOS = 900_000_000;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");

    /** A tick begins a little late, and has by then taken what happened since it was due. */
    @Test
    void shouldHandOnWhatWasTakenFromTheRingForALaterTick() throws Exception {
        CompletableFuture<Long> seenAt = new CompletableFuture<>();
        ScriptedSimulation first = ScriptedSimulation.failingFrom(2, cause);
        try (PhysicsService service = builder(first, 100).build()) {
            long stampNanos = System.nanoTime() + SOON_NANOS;
            service.input().offer(stampNanos, InputKind.KEY_UP, W, 0, 0);
            service.start();
            first.closed.await();
            assertThat(service.pendingInputs()).isEqualTo(1);
            service.restart(new ScriptedSimulation(tick -> {
                if (tick.input().size() > 0) {
                    seenAt.complete(tick.input().event(0).timeNanos());
                }
            }));
            assertThat(Await.get(seenAt)).isEqualTo(stampNanos);
        }
    }

    /** The tick never ran. */
    @Test
    void shouldHandOnWhatWasThereWhenACommandHungBeforeTheStep() throws Exception {
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        CountDownLatch letGo = new CountDownLatch(1);
        ScriptedSimulation first = ScriptedSimulation.good();
        try (PhysicsService service = builder(first, 100).watchdog(8).build()) {
            service.input().offer(System.nanoTime(), InputKind.KEY_DOWN, W, 0, 0);
            CompletableFuture<Answer<Integer>> hanging = service.command(tick -> {
                letGo.await();
                return 0;
            });
            service.start();
            Await.state(service, ServiceState.FAILED);
            assertThat(Await.failure(hanging)).hasCauseInstanceOf(HungSimulationException.class);
            assertThat(service.pendingInputs()).isEqualTo(1);
            service.restart(new ScriptedSimulation(tick -> {
                if (tick.input().size() > 0) {
                    seen.complete(tick.input().event(0).code());
                }
            }));
            assertThat(Await.get(seen)).isEqualTo(W);
        } finally {
            letGo.countDown();
        }
    }

    @Test
    void shouldNotKeepAKeyHeldThatCameUpWhileAListenerThrew() throws Exception {
        ScriptedSimulation first = ScriptedSimulation.good();
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        try (PhysicsService service = paused(first, (event, state) -> {
            if (event.kind() == InputKind.APPLICATION) {
                throw cause;
            }
        })) {
            long nowNanos = System.nanoTime();
            offerAtOnce(service, nowNanos, InputKind.KEY_DOWN, InputKind.APPLICATION, InputKind.KEY_UP);
            first.closed.await();
            service.restart(new ScriptedSimulation(
                    tick -> held.complete(tick.input().state().isKeyDown(W))));
            assertThat(Await.get(held)).isFalse();
        }
    }

    @Test
    void shouldFailOfAListenerThatThrowsAndGiveTheNextTickWhatCameAfter() throws Exception {
        List<Integer> codes = new ArrayList<>();
        CompletableFuture<List<Integer>> seen = new CompletableFuture<>();
        try (PhysicsService service = paused(ScriptedSimulation.good(), (event, state) -> {
            throw cause;
        })) {
            offerAtOnce(service, System.nanoTime(), InputKind.KEY_DOWN, InputKind.APPLICATION, InputKind.KEY_UP);
            Await.state(service, ServiceState.FAILED);
            assertThat(service.failure()).containsSame(cause);
            service.restart(new ScriptedSimulation(tick -> {
                for (int i = 0; i < tick.input().size(); i++) {
                    codes.add(tick.input().event(i).code());
                }
                if (codes.size() == 2) {
                    seen.complete(codes);
                }
            }));
            assertThat(Await.get(seen)).containsExactly(1, W);
        }
    }

    /** For another thread may tell the same listener by now. */
    @Test
    void shouldTellNothingMoreOnAThreadThatWasAbandonedInAListener() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Integer> told = new CopyOnWriteArrayList<>();
        ScriptedSimulation first = ScriptedSimulation.good();
        List<Integer> second = new ArrayList<>();
        CompletableFuture<List<Integer>> seen = new CompletableFuture<>();
        try (PhysicsService service = paused(first, (event, state) -> {
            told.add(event.code());
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            long nowNanos = System.nanoTime();
            offerAtOnce(service, nowNanos, InputKind.KEY_DOWN, InputKind.APPLICATION, InputKind.KEY_UP);
            Await.state(service, ServiceState.FAILED);
            service.restart(new ScriptedSimulation(tick -> {
                for (int i = 0; i < tick.input().size(); i++) {
                    second.add(tick.input().event(i).code());
                }
                if (second.size() == 2) {
                    seen.complete(second);
                }
            }));
            goOn.countDown();
            first.closed.await();
            assertThat(told).containsExactly(W);
            assertThat(Await.get(seen)).containsExactly(1, W);
        }
    }

    /** All three are in the ring before the physics thread looks. */
    private static void offerAtOnce(PhysicsService service, long nanos, InputKind... kinds) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch offered = new CountDownLatch(1);
        CompletableFuture<?> ran = service.command(tick -> {
            running.countDown();
            offered.await();
            return tick;
        });
        running.await();
        for (int i = 0; i < kinds.length; i++) {
            assertThat(service.input().offer(nanos + i, kinds[i], kinds[i] == InputKind.APPLICATION ? 1 : W, 0, 0))
                    .isTrue();
        }
        offered.countDown();
        Await.get(ran);
    }

    private static PhysicsService paused(Simulation simulation, PausedInputListener listener) throws Exception {
        PhysicsService service =
                builder(simulation, 2000).pausedInput(listener).watchdog(400).build();
        service.pause();
        service.start();
        Await.state(service, ServiceState.PAUSED);
        return service;
    }

    private static PhysicsServiceBuilder builder(Simulation simulation, long hertz) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(hertz));
    }
}
