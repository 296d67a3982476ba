package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The watchdog abandons a thread that hangs in the user's code; when that thread comes back, it has no effect. */
@Timeout(60)
class ServiceAbandonTest {

    private static final int LAST_GOOD_TICK = 6;

    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final ScriptedSimulation good = ScriptedSimulation.good();
    private final ScriptedSimulation hangs = new ScriptedSimulation(this::hangAfterTheLastGoodTick);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldAbandonAHangingSimulationAndReportWhereItIs() throws Exception {
        PhysicsService service = watched(hangs).start();
        SnapshotReader reader = service.newReader();
        hanging.await();
        CompletableFuture<?> waiting = service.command(tick -> tick);
        assertThat(Await.failure(waiting))
                .hasMessageContaining("the physics service has ended: FAILED")
                .hasCauseInstanceOf(HungSimulationException.class);
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        Throwable failure = service.failure().orElseThrow();
        assertThat(failure)
                .isInstanceOf(HungSimulationException.class)
                .hasMessageContaining("tick " + LAST_GOOD_TICK + " was its last")
                .hasMessageContaining("0.08 s");
        assertThat(failure.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("hangAfterTheLastGoodTick"));

        letGo.countDown();
        hangs.closed.await(); // by its own thread, when it came back
        reader.acquire();
        assertThat(reader.window().newestTick()).as("nothing it did is seen").isEqualTo(LAST_GOOD_TICK);
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
    }

    /** No reader has seen the tick: a replay must not have it either. */
    @Test
    void shouldRecordNoTickWhoseHashComesAfterItsAbandonment(@TempDir Path folder) throws Exception {
        ScriptedSimulation comesBack = new ScriptedSimulation(tick -> {}) {
            private int hashed;

            @Override
            public long hash() {
                if (++hashed > LAST_GOOD_TICK) {
                    Await.open(letGo);
                }
                return hashed;
            }
        };
        Path file = folder.resolve("run");
        RunDescription run = new RunDescription("scripted", "1", "", 0, TickRate.hertz(2000));
        try (Recording recording = Recording.create(file, run)) {
            PhysicsService service = watched(comesBack).with(recording).start();
            Await.state(service, ServiceState.FAILED);
            letGo.countDown();
            comesBack.closed.await();
            service.close();
        }
        assertThat(InputLog.open(file).ticks()).isEqualTo(LAST_GOOD_TICK);
    }

    @Test
    void shouldNotBeginAStepOnceAbandonedInACommand() throws Exception {
        AtomicBoolean returned = new AtomicBoolean();
        AtomicBoolean stepped = new AtomicBoolean();
        ScriptedSimulation first = new ScriptedSimulation(tick -> stepped.compareAndSet(false, returned.get()));
        PhysicsService service = watched(first).start();
        CompletableFuture<?> command = service.command(tick -> {
            hang(tick);
            returned.set(true);
            return tick;
        });
        hanging.await();
        CompletableFuture<?> behind = service.command(tick -> tick);
        Await.state(service, ServiceState.FAILED);
        letGo.countDown();
        first.closed.await();
        service.close();
        assertThat(stepped).isFalse();
        for (CompletableFuture<?> future : List.of(command, behind)) {
            assertThat(Await.failure(future)).hasMessageContaining("the physics service has ended: FAILED");
        }
    }

    /** A query hangs, after which the listener would be called. */
    @Test
    void shouldNotCallHooksOnceAbandonedInAQuery() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        AtomicLong reportedTick = new AtomicLong();
        PhysicsService service = watched(good)
                .with(new OnPublish(times -> reportedTick.set(times.tick())))
                .start();
        CompletableFuture<?> query = service.query(tick -> {
            asked.countDown();
            return hang(tick);
        });
        asked.await();
        long reportedBefore = reportedTick.get();
        Await.failure(query);
        letGo.countDown();
        good.closed.await();
        service.close();
        assertThat(service.lastTick()).as("published").isEqualTo(reportedBefore + 1);
        assertThat(reportedTick).hasValue(reportedBefore);
    }

    /** A command hangs while time stands still; when it returns, time is to resume, but not for this thread. */
    @Test
    void shouldShowNothingOfAnAbandonedThreadThatStoodStill() throws Exception {
        PhysicsService service = watched(good).start();
        Await.tickAfter(service, 3);
        service.pause();
        Await.state(service, ServiceState.PAUSED);
        SnapshotReader reader = service.newReader();
        assertThat(reader.acquire()).isTrue();
        CompletableFuture<?> command = service.command(this::hang);
        Await.failure(command);
        service.resume();
        letGo.countDown();
        good.closed.await();
        assertThat(reader.acquire()).as("a window of an abandoned thread").isFalse();
        service.close();
    }

    @Test
    void shouldReportNothingToAnAbandonedListenerOfPausedInput() throws Exception {
        List<Integer> reported = new CopyOnWriteArrayList<>();
        PhysicsService service = watched(good)
                .pausedInput((event, state) -> {
                    reported.add(event.code());
                    Await.open(letGo);
                })
                .build();
        service.pause();
        service.start();
        Await.state(service, ServiceState.PAUSED);
        Await.get(service.command(
                tick -> { // so that the physics thread looks when both are there
                    assertThat(service.input().offer(System.nanoTime(), InputKind.APPLICATION, 1, 0, 0))
                            .isTrue();
                    return service.input().offer(System.nanoTime(), InputKind.APPLICATION, 2, 0, 0);
                }));
        Await.state(service, ServiceState.FAILED);
        letGo.countDown();
        good.closed.await();
        assertThat(reported).containsExactly(1);
        service.close();
    }

    /** Tick 7 was published, but its events are not, because the thread was abandoned while it reported them. */
    @Test
    void shouldDeliverNoEventsOnceAbandonedWhileTheyAreReported() throws Exception {
        ScriptedSimulation reports = new ScriptedSimulation(tick -> {}) {
            private int reported;

            @Override
            public void events(EventWriter events) throws Exception {
                events.contactBegan(0, EventWriter.NO_BODY, 0, 0, 0, 0, 1, 0);
                if (++reported > LAST_GOOD_TICK) {
                    hang(reported);
                }
            }
        };
        PhysicsService service = watched(reports).build();
        EventStream events = service.events(64);
        service.start();
        Await.state(service, ServiceState.FAILED);
        assertThat(events.drain(event -> assertThat(event.tick()).isLessThanOrEqualTo(LAST_GOOD_TICK)))
                .as("a body spawned, and in each tick a contact")
                .isEqualTo(1 + LAST_GOOD_TICK);
        letGo.countDown();
        reports.closed.await();
        service.close();
        assertThat(service.lastTick()).isEqualTo(LAST_GOOD_TICK + 1);
        assertThat(events.drain(event -> {})).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAbandonASourceOfTicksThatHangs(boolean ready) throws Exception {
        TickSource source = new TickSource() {
            @Override
            public boolean isReady() {
                return ready;
            }

            @Override
            public void poll() {
                Await.open(letGo);
            }

            @Override
            public void take(long tick) {
                Await.open(letGo);
            }

            @Override
            public InputFrame input(long fromNanos, long dueNanos) {
                throw new AssertionError("no tick was taken");
            }
        };
        PhysicsService service = watched(good).follow(new RunOf(source)).start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
        letGo.countDown();
        good.closed.await();
        service.close();
    }

    private record RunOf(TickSource source) implements TickSource.Run {

        @Override
        public TickRate rate() {
            return TickRate.hertz(2000);
        }

        @Override
        public TickSource open(Simulation simulation) {
            return source;
        }
    }

    @Test
    void shouldRefuseAWatchdogThatBitesAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(good).watchdog(7))
                .withMessage("the watchdog's limit must be at least 8 ms, but is 7 ms; leave it out to have none");
    }

    private void hangAfterTheLastGoodTick(Tick tick) throws Exception {
        if (tick.number() == LAST_GOOD_TICK + 1) {
            hang(tick.number());
        }
    }

    private long hang(long tick) throws InterruptedException {
        hanging.countDown();
        letGo.await();
        return tick;
    }

    private static PhysicsServiceBuilder watched(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000)).watchdog(80);
    }
}
