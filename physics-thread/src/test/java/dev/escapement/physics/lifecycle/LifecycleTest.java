package dev.escapement.physics.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Await;
import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.SpinningWaiter;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The physics thread without a service: its end, and what it reports then. */
@Timeout(60)
class LifecycleTest {

    private static final long MILLI = 1_000_000;
    private static final long ROUNDS_NANOS = 700 * MILLI;
    private static final int ROUNDS = 15;

    private final ManualClock clock = new ManualClock(0);

    /** Tick 1 is late: of the seven deadlines before the close one ran. */
    @Test
    void shouldAccountForWhatWasDueBeforeTheCloseAndNeverRan() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        Lifecycle life = life(
                new ScriptedSimulation(tick -> {
                    inStep.countDown();
                    letGo.await();
                }),
                clock,
                LateTicks.catchUp());
        life.start(0);
        clock.advance(10 * MILLI);
        inStep.await();
        clock.advance(65 * MILLI);
        life.cancel();
        letGo.countDown();
        life.awaitEnd();
        assertThat(life.closedAtNanos()).isEqualTo(75 * MILLI);
        assertThat(life.loop.schedule.nextTick()).isEqualTo(2);
        assertThat(life.loop.schedule.account.skippedTicks()).isEqualTo(6);
        assertThat(life.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Rounds of real threads. For the thread that closes it is an hour later, so that what was due by then is no small number. */
    @Test
    void shouldKnowWhenItWasClosedBeforeItEnds() throws Exception {
        Thread closing = Thread.currentThread();
        NanoClock clocks = () -> Thread.currentThread() == closing ? TimeUnit.HOURS.toNanos(1) : 0;
        long end = System.nanoTime() + ROUNDS_NANOS;
        do {
            Lifecycle life = life(ScriptedSimulation.good(), clocks, LateTicks.catchUp(0));
            life.start(0);
            life.cancel();
            life.awaitEnd();
            assertThat(life.loop.schedule.account.skippedTicks()).isEqualTo(359_999);
        } while (System.nanoTime() < end);
    }

    /** Rounds of real threads, as the next ones: the hanging thread comes back at the very moment at which it is abandoned. */
    @Test
    void shouldReportOfTheHangAndNotOfTheComingBack() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Lifecycle[] self = new Lifecycle[1];
            Lifecycle life = impatient(new ScriptedSimulation(tick -> awaitAbandoned(self[0])));
            self[0] = life;
            life.start(System.nanoTime());
            Await.until(() -> life.state() == ServiceState.FAILED);
            assertThat(life.failure.cause()).containsInstanceOf(HungSimulationException.class);
            life.awaitEnd();
        }
    }

    /** Another thread is abandoning it when the end is awaited. */
    @Test
    void shouldHaveFailedWhenTheEndOfAnAbandonedThreadWasAwaited() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch letGo = new CountDownLatch(1);
            Lifecycle life = impatient(new ScriptedSimulation(tick -> letGo.await()));
            life.start(System.nanoTime());
            Await.until(life.loop.guard::isAbandoned);
            life.cancel();
            life.awaitEnd();
            ServiceState state = life.state();
            letGo.countDown();
            assertThat(state).isEqualTo(ServiceState.FAILED);
        }
    }

    /** A close() that takes too long is abandoned, and then returns at once. */
    @Test
    void shouldNotSayClosedAndThenFailed() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Lifecycle[] self = new Lifecycle[1];
            Lifecycle life = impatient(new ScriptedSimulation(tick -> {}, () -> awaitAbandoned(self[0])));
            self[0] = life;
            life.start(System.nanoTime());
            Thread ending = new Thread(() -> {
                life.cancel();
                life.awaitEnd();
            });
            ending.start();
            Await.until(() -> life.state() == ServiceState.CLOSED || life.state() == ServiceState.FAILED);
            assertThat(life.state()).isEqualTo(ServiceState.FAILED);
            ending.join();
        }
    }

    /** The watchdog found a call that has ended since; if it abandoned the thread, the state would be FAILED during the close. */
    @Test
    void shouldNotAbandonWhatHasThrownMeanwhile() throws Exception {
        Lifecycle[] self = new Lifecycle[1];
        AtomicLong crossings = new AtomicLong();
        AtomicBoolean abandoned = new AtomicBoolean();
        Lifecycle life = impatient(new ScriptedSimulation(
                tick -> {
                    crossings.set(self[0].loop.guard.crossings());
                    throw new IllegalStateException("engine full");
                },
                () -> abandoned.set(self[0].loop.guard.abandon(crossings.get()))));
        self[0] = life;
        life.start(System.nanoTime());
        Await.until(() -> life.state() == ServiceState.FAILED || life.loop.guard.isAbandoned());
        assertThat(abandoned).isFalse();
        assertThat(life.failure.cause().orElseThrow()).hasMessage("engine full");
        life.awaitEnd();
    }

    private static void awaitAbandoned(Lifecycle life) {
        while (!life.loop.guard.isAbandoned()) {
            Thread.onSpinWait(); // for ever: a daemon, which does not keep the JVM running
        }
    }

    /** At 2000 Hz, with a watchdog and a close that wait 8 ms. */
    private static Lifecycle impatient(Simulation simulation) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
        Internals.settings(builder).watchdogNanos = 8 * MILLI;
        Internals.settings(builder).closeTimeoutNanos = 8 * MILLI;
        return life(builder, NanoClock.system(), LateTicks.catchUp(0));
    }

    /** Futures that could not be completed at the failure are completed at the end, and what the thread has is closed. */
    @Test
    void shouldEndInOrderIfThereIsNoMemoryForTheFailure() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        AnswersWithoutMemory answers = new AnswersWithoutMemory();
        ScriptedSimulation failing = ScriptedSimulation.failingFrom(1, cause);
        Lifecycle life = new Lifecycle(
                Internals.loop(PhysicsService.builder(failing).onFailure(reported -> {}), NanoClock.system(), answers),
                OwnThread::new);
        life.start(System.nanoTime() - 10 * MILLI);
        life.awaitEnd();
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(cause);
        assertThat(cause.getSuppressed()).containsExactly(answers.noMemory);
        assertThat(failing.closed.getCount()).isZero();
        assertThat(answers.ends).isEqualTo(2);
    }

    /** The report of the failure comes after the end. */
    @Test
    void shouldCloseTheSimulationOnceIfThereIsNoMemoryForTheReport() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        OutOfMemoryError noMemory = new OutOfMemoryError("planted");
        AtomicInteger closes = new AtomicInteger();
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(
                        tick -> {
                            throw cause;
                        },
                        closes::incrementAndGet))
                .rate(TickRate.hertz(2000))
                .onFailure(reported -> {});
        Lifecycle life = new Lifecycle(
                Internals.loop(builder, NanoClock.system(), AnswerThread.create()),
                run -> throwing(new OwnThread(run), "callHandler", noMemory));
        life.start(System.nanoTime());
        life.awaitEnd();
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(cause);
        assertThat(cause.getSuppressed()).containsExactly(noMemory);
        assertThat(closes).hasValue(1);
    }

    /** The policy of the thread may throw. Devices and hooks are closed all the same. */
    @Test
    void shouldCloseHooksIfTheHostThrowsWhenTheThreadIsAbandoned() throws Exception {
        IllegalStateException thrown = new IllegalStateException("of the policy");
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch hooksEnded = new CountDownLatch(1);
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(tick -> letGo.await()))
                .rate(TickRate.hertz(2000))
                .with(new TickHook() {
                    @Override
                    public void end() {
                        hooksEnded.countDown();
                    }
                });
        Internals.settings(builder).watchdogNanos = 8 * MILLI;
        Lifecycle life = new Lifecycle(
                Internals.loop(builder, NanoClock.system(), AnswerThread.create()),
                run -> throwing(new OwnThread(run), "abandoned", thrown));
        life.start(System.nanoTime());
        Await.until(() -> hooksEnded.getCount() == 0);
        letGo.countDown();
        assertThat(life.failure.cause().orElseThrow().getSuppressed()).containsExactly(thrown);
    }

    private static TickHost throwing(TickHost host, String name, Throwable thrown) {
        return (TickHost) Proxy.newProxyInstance(
                TickHost.class.getClassLoader(), new Class<?>[] {TickHost.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(name)) {
                        throw thrown;
                    }
                    return method.invoke(host, arguments);
                });
    }

    private static final class AnswersWithoutMemory implements CommandQueue.Answers {

        final OutOfMemoryError noMemory = new OutOfMemoryError("planted");
        int ends;

        @Override
        public void execute(Runnable answer) {
            answer.run();
        }

        @Override
        public void end() {
            if (ends++ == 0) {
                throw noMemory;
            }
        }
    }

    /** At 100 Hz, and without parks, so that a clock that is moved by hand is seen to have moved. */
    private static Lifecycle life(Simulation simulation, NanoClock clock, LateTicks lateTicks) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(100));
        Internals.settings(builder).waiter = new SpinningWaiter();
        return life(builder, clock, lateTicks);
    }

    private static Lifecycle life(PhysicsServiceBuilder builder, NanoClock clock, LateTicks lateTicks) {
        return new Lifecycle(
                Internals.loop(builder.lateTicks(lateTicks), clock, AnswerThread.create()), OwnThread::new);
    }
}
