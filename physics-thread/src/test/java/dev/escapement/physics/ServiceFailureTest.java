package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.PhysicsService.State;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a service whose simulation, or listener, or command goes wrong; every wait is for an event. */
@Timeout(60)
class ServiceFailureTest {

    private static final int LAST_GOOD_TICK = 6;
    private final IllegalStateException cause = new IllegalStateException("bodies overlap");

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldAbandonASimulationThatHangsAndTellWhereItIs() throws Exception {
        PhysicsService service = builder(this::hang).watchdog(80).start();
        SnapshotReader reader = service.newReader();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(commandAfter(service, LAST_GOOD_TICK)))
                .withMessageContaining("the physics service has ended: FAILED")
                .withCauseInstanceOf(IllegalStateException.class);
        assertThat(service.state()).isEqualTo(State.FAILED);
        Throwable failure = service.failure().orElseThrow();
        assertThat(failure)
                .isInstanceOf(HungSimulationException.class)
                .hasMessageContaining("tick " + LAST_GOOD_TICK + " was its last")
                .hasMessageContaining("0.08 s");
        assertThat(failure.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("hang"));

        letGo.countDown();
        closed.await(); // by its own thread, when it came back
        reader.acquire();
        assertThat(reader.window().newestTick()).as("nothing it did is seen").isEqualTo(LAST_GOOD_TICK);
        service.close();
        assertThat(service.state()).isEqualTo(State.FAILED);
    }

    @Test
    void shouldGoOnWithAnotherSimulationAfterAHang() throws Exception {
        PhysicsService service = builder(this::hang).watchdog(80).start();
        SnapshotReader reader = service.newReader();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> get(commandAfter(service, LAST_GOOD_TICK)));
        CountDownLatch ticks = new CountDownLatch(10);
        service.restart(new Scripted(tick -> ticks.countDown()));
        ticks.await();
        letGo.countDown();
        closed.await();
        assertThat(get(service.query(tick -> tick)).tick()).isGreaterThanOrEqualTo(LAST_GOOD_TICK + 10);
        service.close();
        while (reader.acquire()) {
            assertThat(reader.window().newestTick()).isGreaterThanOrEqualTo(LAST_GOOD_TICK);
        }
        assertThat(reader.window().newestTick()).isGreaterThanOrEqualTo(LAST_GOOD_TICK + 10);
        assertThat(service.state()).isEqualTo(State.CLOSED);
        assertThat(service.failure()).isEmpty();
    }

    @Test
    void shouldGoOnFromTheTickAfterTheLastGoodOne() throws Exception {
        PhysicsService service = builder(this::fail).start();
        SnapshotReader reader = service.newReader();
        closed.await();
        CompletableFuture<Long> first = new CompletableFuture<>();
        CountDownLatch ticks = new CountDownLatch(3);
        service.restart(new Scripted(tick -> {
            first.complete(tick.number());
            ticks.countDown();
        }));
        ticks.await();
        service.close();
        assertThat(first).isCompletedWithValue(LAST_GOOD_TICK + 1L);
        assertThat(reader.acquire()).isTrue();
        long before = reader.window().newest().bodies().id(0);
        long failedAt = reader.window().newestTick();
        assertThat(failedAt).isEqualTo(LAST_GOOD_TICK);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().oldestTick()).isGreaterThan(failedAt);
        long after = reader.window().newest().bodies().id(0);
        assertThat(BodyId.toString(after)).as("another body").isNotEqualTo(BodyId.toString(before));
        long simNanosBefore = reader.window().timeline().simNanosAt(service.startedAtNanos());
        assertThat(simNanosBefore)
                .as("time stands still until the restart")
                .isEqualTo(service.rate().nanosAt(LAST_GOOD_TICK));
    }

    @Test
    void shouldHandInputThatCameMeanwhileToTheNextSimulation() throws Exception {
        PhysicsService service = builder(this::fail).start();
        closed.await();
        assertThat(service.input().offer(System.nanoTime(), InputKind.APPLICATION, 17, 0, 0))
                .isTrue();
        CompletableFuture<Integer> seen = new CompletableFuture<>();
        service.restart(new Scripted(tick -> {
            if (tick.input().size() > 0) {
                seen.complete(tick.input().event(0).code());
            }
        }));
        assertThat(get(seen)).isEqualTo(17);
        service.close();
    }

    @Test
    void shouldRefuseAWatchdogThatBitesAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder(tick -> {}).watchdog(7))
                .withMessage("the watchdog's limit must be at least 8 ms, but is 7 ms; leave it out to have none");
    }

    @Test
    void shouldRestartOnlyAfterAFailureAndWithAnotherSimulation() throws Exception {
        Scripted failing = new Scripted(this::fail);
        PhysicsService service =
                PhysicsService.builder(failing).rate(TickRate.hertz(2000)).build();
        assertThatIllegalStateException()
                .isThrownBy(() -> service.restart(new Scripted(tick -> {})))
                .withMessageContaining("but this one is NEW");
        service.start();
        closed.await();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.restart(failing))
                .withMessageContaining("a simulation that failed was closed");
        service.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> service.restart(new Scripted(tick -> {})))
                .withMessageContaining("but this one is CLOSED");
    }

    @Test
    void shouldFailWhenAListenerThrows() throws Exception {
        PhysicsService service = PhysicsService.builder(new Scripted(tick -> {}))
                .rate(TickRate.hertz(2000))
                .listener((tick, due, started, stepped, published) -> {
                    if (tick == LAST_GOOD_TICK) {
                        throw cause;
                    }
                })
                .start();
        SnapshotReader reader = service.newReader();
        closed.await();
        service.close();
        assertThat(service.state()).isEqualTo(State.FAILED);
        assertThat(service.failure()).containsSame(cause);
        reader.acquire();
        assertThat(reader.window().newestTick()).isEqualTo(LAST_GOOD_TICK);
    }

    @Test
    void shouldSurviveCommandsThatThrowWhatever() throws Exception {
        PhysicsService service = builder(tick -> {}).start();
        for (Throwable thrown : new Throwable[] {cause, new StackOverflowError(), new Exception("checked")}) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> get(service.command(tick -> {
                        ServiceFailureTest.<RuntimeException>sneak(thrown);
                        return tick;
                    })))
                    .havingCause()
                    .isSameAs(thrown);
        }
        get(service.query(tick -> tick));
        assertThat(service.state()).isEqualTo(State.RUNNING);
        service.close();
    }

    @Test
    void shouldFailWithAnErrorToo() throws Exception {
        PhysicsService service = builder(tick -> {
                    throw new StackOverflowError();
                })
                .start();
        closed.await();
        service.close();
        assertThat(service.failure()).containsInstanceOf(StackOverflowError.class);
    }

    @Test
    void shouldKeepGoingWhenEverythingIsNotANumber() throws Exception {
        PhysicsService service = PhysicsService.builder(new Scripted(tick -> {}) {
                    @Override
                    public void capture(PoseWriter poses) {
                        float nan = Float.NaN;
                        poses.bodyCount(1);
                        poses.set(0, nan, nan, nan, nan, nan, nan, nan);
                    }
                })
                .rate(TickRate.hertz(2000))
                .start();
        get(commandAfter(service, 10));
        assertThat(service.state()).isEqualTo(State.RUNNING);
        assertThat(service.quarantinedPoses()).isGreaterThanOrEqualTo(10);
        service.close();
    }

    @Test
    void shouldDoWhatWasAskedForBeforeTheStart() throws Exception {
        PhysicsService service = builder(tick -> {}).build();
        assertThat(service.state()).isEqualTo(State.NEW);
        CompletableFuture<Answer<Long>> early = service.command(tick -> tick);
        SnapshotReader reader = service.newReader();
        assertThat(early).isNotDone();
        service.start();
        assertThat(get(early)).isEqualTo(new Answer<>(1, 1L));
        assertThatIllegalStateException()
                .isThrownBy(service::start)
                .withMessage("this service was started before, it is RUNNING");
        service.close();
        assertThat(reader.acquire() || !reader.hasWindow()).isTrue();
    }

    @Test
    void shouldCloseTheSimulationOfAServiceThatNeverStarted() throws Exception {
        PhysicsService service = builder(tick -> {}).build();
        CompletableFuture<?> early = service.command(tick -> tick);
        service.close();
        assertThat(service.state()).isEqualTo(State.CLOSED);
        assertThat(closed.getCount()).isZero();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> get(early));
        assertThatIllegalStateException().isThrownBy(service::start).withMessageContaining("it is CLOSED");
    }

    private void hang(Tick tick) throws Exception {
        if (tick.number() == LAST_GOOD_TICK + 1) {
            letGo.await();
        }
    }

    private void fail(Tick tick) {
        if (tick.number() == LAST_GOOD_TICK + 1) {
            throw cause;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private PhysicsServiceBuilder builder(Step step) {
        return PhysicsService.builder(new Scripted(step)).rate(TickRate.hertz(2000));
    }

    /** Completes when a tick ran, or exceptionally when the service ended before. */
    private static CompletableFuture<?> commandAfter(PhysicsService service, long tick) {
        return service.query(now -> now)
                .thenCompose(answer ->
                        answer.tick() > tick ? CompletableFuture.completedFuture(null) : commandAfter(service, tick));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private interface Step {

        void run(Tick tick) throws Exception;
    }

    private class Scripted implements Simulation {

        private final Step step;

        Scripted(Step step) {
            this.step = step;
        }

        @Override
        public void step(Tick tick) throws Exception {
            step.run(tick);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
