package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands, queries and time control of a real thread; every wait is for an answer, never for a time. */
@Timeout(60)
class ServiceControlTest {

    private final Counting simulation = new Counting();
    private final PhysicsService service =
            PhysicsService.builder(simulation).rate(TickRate.hertz(2000)).start();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void shouldRunCommandsBeforeATickAndQueriesAfterIt() throws Exception {
        Answer<Long> command = get(service.command(tick -> simulation.stepped));
        assertThat(command.value()).isEqualTo(command.tick() - 1);
        Answer<Long> query = get(service.query(tick -> simulation.stepped));
        assertThat(query.value()).isEqualTo(query.tick());
        Answer<Thread> thread = get(service.query(tick -> Thread.currentThread()));
        assertThat(thread.value().getName()).isEqualTo("escapement-physics");
    }

    @Test
    void shouldStandStillAndStillAnswer() throws Exception {
        pause();
        long standing = get(service.query(tick -> simulation.stepped)).value();
        assertThat(get(service.command(tick -> tick))).isEqualTo(new Answer<>(standing + 1, standing + 1));
        assertThat(get(service.query(tick -> simulation.stepped)).value()).isEqualTo(standing);
        assertThat(service.state()).isEqualTo(ServiceState.PAUSED);

        CountDownLatch two = simulation.after(2);
        service.step();
        service.step();
        two.await();
        pause();
        assertThat(get(service.query(tick -> simulation.stepped)).value()).isEqualTo(standing + 2);

        CountDownLatch more = simulation.after(100);
        service.resume();
        more.await();
        assertThat(get(service.query(tick -> tick)).value()).isGreaterThanOrEqualTo(standing + 102);
    }

    @Test
    void shouldCloseWhileTimeStandsStill() throws Exception {
        pause();
        long givenUp = service.givenUpTicks();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(service.givenUpTicks()).as("standing still gives nothing up").isEqualTo(givenUp);
    }

    @Test
    void shouldFailCommandsOnceItHasEnded() {
        service.close();
        CompletableFuture<?> late = service.command(tick -> tick);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(late))
                .withMessageContaining("the physics service has ended: CLOSED");
    }

    @Test
    void shouldFailPendingCommandsWithTheCauseWhenTheSimulationFails() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch given = new CountDownLatch(1);
        simulation.next = () -> {
            inStep.countDown();
            given.await();
            throw cause;
        };
        inStep.await();
        CompletableFuture<?> pending = service.command(tick -> tick);
        given.countDown();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(pending))
                .withMessageContaining("the physics service has ended: FAILED")
                .havingRootCause()
                .isSameAs(cause);
    }

    @Test
    void shouldLetACommandGiveCommandsAndCloseTheService() throws Exception {
        CompletableFuture<String> inner = new CompletableFuture<>();
        get(service.command(
                tick -> service.command(t -> inner.complete("inner")).isDone()));
        assertThat(get(inner)).isEqualTo("inner");
        get(service.command(tick -> {
            service.close();
            return tick;
        }));
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** The id is known at once, and the body in the tick of the command. */
    @Test
    void shouldSpawnABodyThatReadersSee() throws Exception {
        Crates crates = new Crates();
        try (PhysicsService spawning =
                PhysicsService.builder(crates).rate(TickRate.hertz(2000)).start()) {
            SnapshotReader reader = spawning.newReader();
            Spawned<Boolean> crate = spawning.spawn((tick, id) -> crates.add(id, 1));
            long tick = get(crate.answer()).tick();
            assertThat(get(spawning.query(t -> t)).tick()).isGreaterThanOrEqualTo(tick);
            while (!reader.acquire()) {
                Thread.onSpinWait();
            }
            assertThat(reader.window().newest().bodies().exists(crate.id())).isTrue();
            assertThat(reader.window().newest().bodies().spawnTick(0)).isEqualTo(tick);

            spawning.pause();
            while (spawning.state() != ServiceState.PAUSED) {
                get(spawning.query(t -> t));
            }
            Spawned<Boolean> second = spawning.spawn((t, id) -> crates.add(id, 2));
            assertThat(get(second.answer()).value()).as("woken from its pause").isTrue();
        }
    }

    @Test
    void shouldBeClosableByACommandWhileTimeStandsStill() throws Exception {
        pause();
        Answer<ServiceState> closing = get(service.command(tick -> {
            service.close();
            return service.state();
        }));
        service.close();
        assertThat(closing.value()).isEqualTo(ServiceState.PAUSED);
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Neither time nor the end of the service waits for a command that gives itself again for ever. */
    @Test
    void shouldTickAndCloseHoweverManyCommandsAreAdded() throws Exception {
        Counting counting = new Counting();
        PhysicsService busy = PhysicsService.builder(counting)
                .rate(TickRate.hertz(2000))
                .commands(8, 2)
                .start();
        again(busy);
        CountDownLatch ticks = counting.after(20);
        ticks.await();
        busy.pause();
        while (busy.state() != ServiceState.PAUSED) {
            accepted(() -> busy.query(tick -> tick));
        }
        assertThat(accepted(() -> busy.command(tick -> "while paused")).value()).isEqualTo("while paused");
        busy.close();
        assertThat(busy.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Tries again where commands have all places, because the thread that answers them got no core. */
    private static <T> Answer<T> accepted(Supplier<CompletableFuture<Answer<T>>> offer) throws Exception {
        while (true) {
            try {
                return get(offer.get());
            } catch (ExecutionException refused) {
                assertThat(refused).hasCauseInstanceOf(RejectedExecutionException.class);
            }
        }
    }

    private static boolean again(PhysicsService busy) {
        return busy.command(tick -> again(busy)).isCompletedExceptionally();
    }

    @Test
    void shouldRunAllThatWaitsWhilePausedHoweverLowTheLimit() throws Exception {
        try (PhysicsService slow = PhysicsService.builder(new Counting())
                .rate(TickRate.hertz(1))
                .commands(64, 1)
                .start()) {
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            slow.pause();
            for (int i = 0; i < 10; i++) {
                waiting.add(slow.query(tick -> tick)); // before the first tick, at whose end time stands still
            }
            for (CompletableFuture<?> future : waiting) {
                get(future);
            }
        }
    }

    @Test
    void shouldRefuseAScaleThatTheRateCannotHaveInTheCallersThread() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.timeScale(new TimeScale(64, 1)))
                .withMessageContaining("a scale of 64 cannot be used at 2000 Hz");
        get(service.query(tick -> tick));
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
    }

    /** A query that is answered only once time stands still. */
    private void pause() throws Exception {
        service.pause();
        while (service.state() != ServiceState.PAUSED) {
            get(service.query(tick -> tick));
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private interface Action {

        void run() throws Exception;
    }

    private static final class Counting implements Simulation {

        private volatile long stepped;
        private volatile Action next = () -> {};
        private volatile CountDownLatch latch = new CountDownLatch(0);

        CountDownLatch after(int ticks) {
            CountDownLatch waiting = new CountDownLatch(ticks);
            latch = waiting;
            return waiting;
        }

        @Override
        public void step(Tick tick) throws Exception {
            next.run();
            stepped = tick.number();
            latch.countDown();
        }

        @Override
        public void capture(PoseWriter poses) {}
    }
}
