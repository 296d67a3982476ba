package dev.escapement.physics;

import static dev.escapement.state.time.WaitStrategy.PARK_ONLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.Await;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Waiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the start of a service, its thread, and its commands and time. Every wait is for an answer, never for a time. */
@Timeout(60)
class PhysicsServiceTest {

    private static final TickRate RATE = TickRate.hertz(2000);

    private final CompletableFuture<Long> firstDueNanos = new CompletableFuture<>();
    private volatile long stepped;
    private final ScriptedSimulation simulation = new ScriptedSimulation(tick -> {
        firstDueNanos.complete(tick.dueNanos());
        stepped = tick.number();
    });
    private final PhysicsService service =
            PhysicsService.builder(simulation).rate(RATE).build();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void shouldDoWhatWasAskedForBeforeTheStart() throws Exception {
        assertThat(service.state()).isEqualTo(ServiceState.NEW);
        CompletableFuture<Answer<Long>> early = service.command(tick -> tick);
        SnapshotReader reader = service.newReader();
        assertThat(early).isNotDone();
        service.start();
        assertThat(Await.get(early)).isEqualTo(new Answer<>(1, 1L));
        assertThatIllegalStateException()
                .isThrownBy(service::start)
                .withMessage("this service was started before, it is RUNNING");
        Await.until(reader::acquire);
    }

    @Test
    void shouldStartAtTheScaleThatWasSetBefore() throws Exception {
        service.timeScale(new TimeScale(1, 10));
        service.start();
        assertThat(Await.get(firstDueNanos) - service.startedAtNanos()).isEqualTo(10 * RATE.nanosAt(1));
    }

    /** After {@code start} the simulation refuses the thread that called it, so its {@code begin} must have ended. */
    @Test
    void shouldHaveReportedTheSimulationItsThreadWhenItReturns() {
        Thread starting = Thread.currentThread();
        AtomicBoolean begun = new AtomicBoolean();
        try (PhysicsService started = PhysicsService.start(beginning(() -> {
            Await.until(() -> starting.getState() == Thread.State.TIMED_WAITING);
            begun.set(true);
        }))) {
            assertThat(begun).isTrue();
            assertThat(started.failure()).isEmpty();
        }
    }

    @Test
    void shouldRefuseASimulationThatAnotherServiceTicks() throws Exception {
        ScriptedSimulation shared = ScriptedSimulation.good();
        try (PhysicsService first = PhysicsService.start(shared)) {
            PhysicsService second = PhysicsService.builder(shared).build();
            assertThatIllegalStateException()
                    .isThrownBy(second::start)
                    .withMessageContaining("another service ticks " + ScriptedSimulation.class.getName());
            second.close();
            PhysicsService.builder(shared).build().close();
            assertThat(shared.closed.getCount()).as("stays open").isOne();
            assertThat(Await.get(first.query(tick -> "ticks")).value()).isEqualTo("ticks");
        }
        assertThat(shared.closed.getCount()).isZero();
        PhysicsService.start(shared).close();
    }

    @Test
    void shouldRefuseASimulationThatAnotherServiceCloses() {
        PhysicsService first = PhysicsService.start(new ScriptedSimulation(tick -> {}) {
            @Override
            public void close() {
                assertThatIllegalStateException()
                        .isThrownBy(() -> PhysicsService.start(this))
                        .withMessageContaining("another service ticks");
            }
        });
        first.close();
        assertThat(first.failure()).isEmpty();
    }

    @Test
    void shouldReturnThoughTheSimulationDoesNotBegin() {
        CountDownLatch started = new CountDownLatch(1);
        try (PhysicsService waiting = PhysicsService.start(beginning(started::await))) {
            assertThat(waiting.state()).isEqualTo(ServiceState.RUNNING);
            started.countDown();
        }
    }

    private static Simulation beginning(UserCodeGuard.Call<Exception> begin) {
        return new ScriptedSimulation(tick -> {}) {
            @Override
            public void begin() throws Exception {
                begin.run();
            }
        };
    }

    /** The physics thread (0) or its watchdog (1) cannot be created. Nothing has ticked in either case. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCloseWhatItHasWithoutMemoryForThreads(int threads) {
        AtomicBoolean stepped = new AtomicBoolean();
        AtomicBoolean unplugged = new AtomicBoolean();
        ScriptedSimulation closed = new ScriptedSimulation(tick -> stepped.set(true));
        PhysicsServiceBuilder builder = PhysicsService.builder(closed)
                .rate(RATE)
                .watchdog(1_000)
                .source(new ScriptedSource(ring -> {}, () -> unplugged.set(true)));
        AtomicInteger made = new AtomicInteger();
        builder.threads = work -> made.getAndIncrement() == threads ? new NoThreads(work) : new Thread(work);
        assertThatThrownBy(builder::start)
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("the test allows none");
        assertThat(closed.closed.getCount()).isZero();
        assertThat(unplugged).isTrue();
        assertThat(stepped).isFalse();
    }

    @Test
    void shouldApplyThePolicyBeforeTheFirstTick() throws Exception {
        ThreadGrants refused =
                ThreadGrants.of(List.of(new Grant("priority 10", Outcome.REFUSED, "ask the administrator")));
        CompletableFuture<String> appliedBy = new CompletableFuture<>();
        CompletableFuture<Boolean> atFirstTick = new CompletableFuture<>();
        PhysicsServiceBuilder builder = PhysicsService.builder(
                        new ScriptedSimulation(tick -> atFirstTick.complete(appliedBy.isDone())))
                .rate(RATE)
                .threadPolicy(periodNanos -> {
                    appliedBy.complete(Thread.currentThread().getName() + " " + periodNanos);
                    return refused;
                });
        try (PhysicsService started = builder.start()) {
            assertThat(started.stats().threadGrants()).isSameAs(refused);
            assertThat(Await.get(appliedBy)).isEqualTo("escapement-physics " + RATE.nanosAt(1));
            assertThat(Await.get(atFirstTick)).isTrue();
        }
    }

    @Test
    void shouldFailBeforeItBeginsIfThePolicyThrows() throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        UnsupportedOperationException thrown = new UnsupportedOperationException("of this policy");
        PhysicsService failing = PhysicsService.builder(beginning(() -> begun.set(true)))
                .onFailure(failure -> {})
                .threadPolicy(periodNanos -> {
                    throw thrown;
                })
                .start();
        AwaitService.state(failing, ServiceState.FAILED);
        assertThat(failing.failure()).containsSame(thrown);
        assertThat(begun).isFalse();
    }

    /** A hanging thread with real-time priority would keep its core for ever. */
    @Test
    void shouldWithdrawThePolicyFromAThreadThatHangs() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch withdrawn = new CountDownLatch(1);
        ThreadGrants grants = new ThreadGrants(List.of(), Long.MAX_VALUE, null, withdrawn::countDown);
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(tick -> {
                    hanging.countDown();
                    Await.open(letGo);
                }))
                .onFailure(failure -> {})
                .threadPolicy(periodNanos -> grants)
                .watchdog(80);
        ManualClock clock = new ManualClock(0);
        PhysicsService hangs = Internals.service(builder, clock);
        AwaitService.hang(hangs, clock, hanging);
        withdrawn.await();
        letGo.countDown();
        hangs.close();
    }

    /** Every park ends at once, so each wait comes to its last moments, in which the default strategy would spin. */
    @Test
    void shouldWaitByTheStrategyOfTheBuilder() throws Exception {
        CountDownLatch ticks = new CountDownLatch(20);
        AtomicBoolean spun = new AtomicBoolean();
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(tick -> ticks.countDown()))
                .waitStrategy(PARK_ONLY);
        builder.waiter = new SpinningWaiter() {
            @Override
            public void spin() {
                spun.set(true);
            }
        };
        try (PhysicsService parks = builder.rate(RATE).start()) {
            ticks.await();
            assertThat(parks.failure()).isEmpty();
        }
        assertThat(spun).isFalse();
    }

    @Test
    void shouldRunCommandsBeforeATickAndQueriesAfterIt() throws Exception {
        service.start();
        Answer<Long> command = Await.get(service.command(tick -> stepped));
        assertThat(command.value()).isEqualTo(command.tick() - 1);
        Answer<Long> query = Await.get(service.query(tick -> stepped));
        assertThat(query.value()).isEqualTo(query.tick());
        Answer<Thread> thread = Await.get(service.query(tick -> Thread.currentThread()));
        assertThat(thread.value().getName()).isEqualTo("escapement-physics");
    }

    /** In the pause, parks end by a wake-up alone. */
    @Test
    void shouldWakeForACommandInAPause() throws Exception {
        AtomicBoolean sleepsOn = new AtomicBoolean();
        PhysicsServiceBuilder builder = PhysicsService.builder(ScriptedSimulation.good());
        builder.waiter = new Waiter() {
            @Override
            public void park(long nanos) {
                LockSupport.parkNanos(sleepsOn.get() ? Long.MAX_VALUE : nanos);
            }
        };
        try (PhysicsService sleeping = builder.start()) {
            sleeping.pause();
            AwaitService.state(sleeping, ServiceState.PAUSED);
            sleepsOn.set(true);
            assertThat(Await.get(sleeping.command(tick -> 7)).value()).isEqualTo(7);
        }
    }

    /** The end of the service does not wait for a command that offers itself again and again. */
    @Test
    void shouldCloseWhileTimeStandsStill() throws Exception {
        service.start();
        again(0);
        pause();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Offers itself until the queue accepts it. A place becomes free when an earlier command is answered. */
    private long again(long tick) {
        Await.until(() -> !service.command(this::again).isCompletedExceptionally());
        return tick;
    }

    /** Pauses the service and waits until it reports PAUSED. A query in between must be answered. */
    private void pause() throws Exception {
        service.pause();
        while (service.state() != ServiceState.PAUSED) {
            Await.get(service.query(tick -> tick));
        }
    }

    @Test
    void shouldRefuseAScaleThatTheRateCannotHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.timeScale(new TimeScale(64, 1)))
                .withMessageContaining("a scale of 64 cannot be used at 2000 Hz");
    }
}
