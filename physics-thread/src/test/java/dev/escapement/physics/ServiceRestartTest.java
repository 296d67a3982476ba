package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes over from a simulation that failed to the next, and what does not. */
@Timeout(60)
class ServiceRestartTest {

    private static final int LAST_GOOD_TICK = 6;
    private static final TickRate RATE = TickRate.hertz(2000);

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final ScriptedSimulation failing = ScriptedSimulation.failingFrom(LAST_GOOD_TICK + 1, cause);
    private final PhysicsService service = builder(failing).build();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void shouldGoOnFromTheTickAfterTheLastGoodOne() throws Exception {
        service.start();
        SnapshotReader reader = service.newReader();
        failing.closed.await();
        assertThat(reader.acquire()).isTrue();
        long before = reader.window().newest().bodies().id(0);
        assertThat(reader.window().newestTick()).isEqualTo(LAST_GOOD_TICK);
        CompletableFuture<Long> first = new CompletableFuture<>();
        service.restart(new ScriptedSimulation(tick -> first.complete(tick.number())));
        Await.tickAfter(service, LAST_GOOD_TICK + 2);
        service.close();
        assertThat(first).isCompletedWithValue(LAST_GOOD_TICK + 1L);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().oldestTick()).isGreaterThan(LAST_GOOD_TICK);
        long after = reader.window().newest().bodies().id(0);
        assertThat(BodyId.toString(after)).as("another body").isNotEqualTo(BodyId.toString(before));
        assertThat(reader.window().timeline().simNanosAt(service.startedAtNanos()))
                .as("time stands still until the restart")
                .isEqualTo(RATE.nanosAt(LAST_GOOD_TICK));
    }

    @Test
    void shouldShowNothingToANewReaderUntilThereIsAWindow() throws Exception {
        fail();
        CountDownLatch inThird = new CountDownLatch(1);
        CountDownLatch attached = new CountDownLatch(1);
        service.restart(new ScriptedSimulation(tick -> {
            if (tick.number() == LAST_GOOD_TICK + 3) {
                inThird.countDown();
                attached.await();
            }
        }));
        inThird.await();
        SnapshotReader reader = service.newReader();
        assertThat(reader.acquire() || reader.hasWindow()).isFalse();
        attached.countDown();
        Await.tickAfter(service, LAST_GOOD_TICK + 2);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().oldestTick()).isGreaterThan(LAST_GOOD_TICK);
    }

    @Test
    void shouldHandInputThatCameMeanwhileToTheNextSimulation() throws Exception {
        fail();
        offer(17);
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        service.restart(new ScriptedSimulation(tick -> {
            if (tick.input().size() > 0) {
                seen.complete(tick.input().event(0).code());
            }
        }));
        assertThat(Await.get(seen)).isEqualTo(17);
    }

    /** What was sampled is in no tick that could be seen, and in no other. */
    @Test
    void shouldLoseTheInputOfTheTickThatFailed() throws Exception {
        List<Integer> codes = new ArrayList<>();
        ScriptedSimulation first = new ScriptedSimulation(tick -> {
            if (tick.input().size() > 0) {
                throw cause;
            }
        });
        try (PhysicsService losing = builder(first).start()) {
            losing.input().offer(System.nanoTime(), InputKind.APPLICATION, 1, 0, 0);
            first.closed.await();
            losing.input().offer(System.nanoTime(), InputKind.APPLICATION, 2, 0, 0);
            losing.restart(new ScriptedSimulation(tick -> {
                for (int i = 0; i < tick.input().size(); i++) {
                    codes.add(tick.input().event(i).code());
                }
            }));
            Await.until(() -> losing.pendingInputs() == 0);
            Await.get(losing.query(tick -> tick));
        }
        assertThat(codes).containsExactly(2);
    }

    @Test
    void shouldLetTimeRunAtTheScaleItHadThoughItWasToStandStill() throws Exception {
        TimeScale slow = new TimeScale(1, 4);
        service.timeScale(slow);
        fail();
        service.pause();
        long[] due = new long[2];
        CountDownLatch second = new CountDownLatch(2);
        service.restart(new ScriptedSimulation(tick -> {
            if (second.getCount() > 0) {
                due[2 - (int) second.getCount()] = tick.dueNanos();
                second.countDown();
            }
        }));
        second.await();
        assertThat(service.timeScale()).isEqualTo(slow);
        assertThat((due[1] - due[0]) % (4 * RATE.nanosAt(1))).isZero();
        service.pause(); // still obeyed
        Await.state(service, ServiceState.PAUSED);
    }

    @Test
    void shouldNotBeginBeforeTheFailedSimulationIsClosed() throws Exception {
        Thread restarting = Thread.currentThread();
        CountDownLatch mayClose = new CountDownLatch(1);
        AtomicBoolean nextStepped = new AtomicBoolean();
        AtomicBoolean closedFirst = new AtomicBoolean();
        ScriptedSimulation first =
                new ScriptedSimulation(tick -> {
                    throw cause;
                }) {
                    @Override
                    public void close() {
                        mayClose.countDown();
                        while (restarting.getState() != Thread.State.TIMED_WAITING && !nextStepped.get()) {
                            Thread.onSpinWait(); // until the restart waits, or does not
                        }
                        closedFirst.set(!nextStepped.get());
                    }
                };
        try (PhysicsService closing = builder(first).start()) {
            mayClose.await();
            closing.restart(new ScriptedSimulation(tick -> nextStepped.set(true)));
            Await.until(nextStepped::get);
        }
        assertThat(closedFirst).isTrue();
    }

    @Test
    void shouldCompleteFuturesOnOneThreadUntilARestart() throws Exception {
        CompletableFuture<Thread> before = completing(service);
        service.start();
        Thread answering = Await.get(before);
        failing.closed.await();
        service.restart(ScriptedSimulation.good());
        Thread answeringNext = Await.get(completing(service));
        assertThat(answeringNext).isNotSameAs(answering).isSameAs(Await.get(completing(service)));
        answering.join(); // with its life
    }

    private static CompletableFuture<Thread> completing(PhysicsService service) throws Exception {
        CountDownLatch mayRun = new CountDownLatch(1);
        CompletableFuture<Thread> thread = service.command(tick -> {
                    mayRun.await();
                    return tick;
                })
                .thenApply(answer -> Thread.currentThread());
        mayRun.countDown(); // so that it cannot be complete before something hangs on it
        return thread;
    }

    @Test
    void shouldRestartOnlyAfterAFailureAndBeforeTheClose() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> service.restart(ScriptedSimulation.good()))
                .withMessageContaining("but this one is NEW");
        fail();
        service.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> service.restart(ScriptedSimulation.good()))
                .withMessageContaining("but this one is CLOSED");
    }

    @Test
    void shouldRefuseEverySimulationItHasUsed() throws Exception {
        fail();
        ScriptedSimulation second = ScriptedSimulation.failingFrom(0, cause);
        service.restart(second);
        second.closed.await();
        for (ScriptedSimulation used : List.of(failing, second)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> service.restart(used))
                    .withMessageContaining("a simulation that failed was closed");
        }
        service.restart(ScriptedSimulation.good()); // a refusal changes nothing
        Await.tickAfter(service, LAST_GOOD_TICK);
    }

    private void fail() throws InterruptedException {
        service.start();
        failing.closed.await();
    }

    private void offer(int code) {
        assertThat(service.input().offer(System.nanoTime(), InputKind.APPLICATION, code, 0, 0))
                .isTrue();
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE);
    }
}
