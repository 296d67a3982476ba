package dev.escapement.physics.host;

import static dev.escapement.physics.host.Hosts.awaitTicks;
import static dev.escapement.physics.host.Hosts.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostFailureTest {

    private final CountDownLatch letGo = new CountDownLatch(1);

    private static Dot failingAt(long last) {
        return new Dot(tick -> {
            if (tick == last) {
                throw new IllegalStateException("full");
            }
        });
    }

    private Dot hangingAt(long last, CountDownLatch hangs) {
        return new Dot(tick -> {
            if (tick == last) {
                hangs.countDown();
                letGo.await();
            }
        });
    }

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldGoOnBesideAHandlerThatHangs() throws Exception {
        CountDownLatch inHandler = new CountDownLatch(1);
        try (PhysicsHost host = PhysicsHost.builder().threads(1).start()) {
            PhysicsService other = host.add(world(new Dot()));
            PhysicsService failed = host.add(world(failingAt(3)).onFailure(failure -> {
                inHandler.countDown();
                Await.open(letGo);
            }));
            inHandler.await();
            awaitTicks(other);
            failed.close();
            assertThat(host.worlds()).containsExactly(other);
        }
    }

    @Test
    void shouldLetAHandlerAddAnotherWorldOfTheName() throws Exception {
        try (PhysicsHost host = PhysicsHost.builder().threads(2).start()) {
            CompletableFuture<PhysicsService> next = new CompletableFuture<>();
            host.add(world(failingAt(4))
                    .name("arena")
                    .onFailure(failure -> next.complete(
                            host.add(world(new Dot()).name("arena").firstTick(4)))));
            PhysicsService second = next.get();
            awaitTicks(second);
            assertThat(host.worlds()).containsExactly(second);
            assertThat(host.world("arena")).contains(second);
        }
    }

    @Test
    void shouldCloseWhileAWorldHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        PhysicsHost host = PhysicsHost.builder()
                .threads(1)
                .watchdog(PhysicsHostTest.HANG_MILLIS)
                .start();
        Dot dot = new Dot();
        PhysicsService other = host.add(world(dot));
        PhysicsService hung = host.add(world(hangingAt(1, hangs)).onFailure(failure -> {}));
        hangs.await();
        host.close();
        assertThat(hung.state()).isEqualTo(ServiceState.FAILED);
        assertThat(other.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(dot.closes).hasValue(1);
        assertThat(host.worlds()).isEmpty();
    }

    @Test
    void shouldHaveEndedWhenASecondCloserReturns() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        Dot dot = hangingAt(3, hangs);
        PhysicsHost host = PhysicsHost.builder().threads(2).start();
        PhysicsService world = host.add(world(dot));
        hangs.await();
        Thread first = new Thread(host::close);
        first.start();
        Await.until(() -> first.getState() == Thread.State.TIMED_WAITING);
        CompletableFuture<ServiceState> seen = new CompletableFuture<>();
        Thread second = new Thread(() -> {
            host.close();
            seen.complete(world.state());
        });
        second.start();
        Await.until(() -> second.getState() == Thread.State.TIMED_WAITING || seen.isDone());
        letGo.countDown();
        assertThat(seen.get()).isEqualTo(ServiceState.CLOSED);
        first.join();
        assertThat(dot.closes).hasValue(1);
    }

    /** Bound worlds begin on the other thread, although the hanging thread is the home of every second one. There is no watchdog. */
    @Test
    void shouldBeginBoundWorldsBesideAThreadThatHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        try (PhysicsHost host = PhysicsHost.builder().threads(2).start()) {
            host.add(world(hangingAt(1, hangs)));
            hangs.await();
            for (int i = 0; i < 4; i++) {
                awaitTicks(host.add(world(Dot.bound(new Dot()))));
            }
            letGo.countDown();
        }
    }

    @Test
    void shouldAnswerBesideACallbackThatBlocks() throws Exception {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch attached = new CountDownLatch(1);
        try (PhysicsHost host = PhysicsHost.builder().threads(2).start()) {
            PhysicsService first = host.add(world(new Dot()));
            PhysicsService second = host.add(world(new Dot()));
            var unused = first.command(tick -> {
                        attached.await(); // else the callback would run on this thread
                        return tick;
                    })
                    .thenRun(() -> {
                        blocks.countDown();
                        Await.open(letGo);
                    });
            attached.countDown();
            blocks.await();
            assertThat(second.command(tick -> 7).get().value()).isEqualTo(7);
            letGo.countDown();
        }
    }
}
