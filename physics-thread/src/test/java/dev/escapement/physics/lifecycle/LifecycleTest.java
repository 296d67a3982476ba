package dev.escapement.physics.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.SpinningWaiter;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the physics thread without a service: its end and the report of its failure. */
@Timeout(60)
class LifecycleTest {

    private static final long MILLI = 1_000_000;
    private static final int ROUNDS = 50;

    private final ManualClock clock = new ManualClock(0);
    private final ThreadTimes times = ThreadTimes.notCounted();
    private final AtomicInteger signals = new AtomicInteger();
    private Runnable beginning = () -> {};

    /** A host without threads, whose slices the test runs itself. */
    private final TickHost host = (TickHost) Proxy.newProxyInstance(
            TickHost.class.getClassLoader(), new Class<?>[] {TickHost.class}, (proxy, method, arguments) -> {
                signals.addAndGet(method.getName().equals("signal") ? 1 : 0);
                if (method.getName().equals("beforeBegin")) {
                    beginning.run();
                }
                if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                return method.getReturnType() == boolean.class ? false : null;
            });

    /** The closing thread reads the clock an hour later, while the physics thread still waits for its first tick. */
    @Test
    void shouldKnowWhenItWasClosedBeforeItEnds() {
        Thread closing = Thread.currentThread();
        AtomicLong looks = new AtomicLong();
        AtomicReference<@Nullable Lifecycle> self = new AtomicReference<>();
        NanoClock clocks = () -> {
            if (Thread.currentThread() != closing) {
                looks.incrementAndGet();
                return 0;
            }
            Lifecycle ticking = self.get();
            long enough = looks.get() + 100;
            Await.until(() -> ticking == null || ticking.state() != ServiceState.RUNNING || looks.get() >= enough);
            return TimeUnit.HOURS.toNanos(1);
        };
        PhysicsServiceBuilder builder = PhysicsService.builder(ScriptedSimulation.good())
                .rate(TickRate.hertz(100))
                .lateTicks(LateTicks.catchUp(0));
        Internals.waiter(builder, new SpinningWaiter());
        Lifecycle life = new Lifecycle(Internals.loop(builder, clocks, new AnswerThread(Thread::new)), OwnThread::new);
        life.start(0);
        self.set(life);
        life.cancel();
        life.awaitEnd();
        assertThat(life.loop.schedule.account.skippedTicks()).isEqualTo(359_999);
    }

    /** The watchdog is still abandoning the run, and reads the clock for that, when this thread awaits the end. */
    @Test
    void shouldHaveFailedOnceTheEndWasAwaited() {
        Thread closing = Thread.currentThread();
        CountDownLatch letGo = new CountDownLatch(1);
        AtomicReference<@Nullable Lifecycle> self = new AtomicReference<>();
        NanoClock clocks = () -> {
            Lifecycle abandoning = self.get();
            if (abandoning != null && abandoning.loop.guard.isAbandoned() && Thread.currentThread() != closing) {
                Await.until(() -> closing.getState() == Thread.State.BLOCKED || letGo.getCount() == 0);
            }
            return clock.nanoTime();
        };
        Lifecycle life = impatient(new ScriptedSimulation(tick -> letGo.await()), clocks);
        self.set(life);
        life.start(clock.nanoTime());
        awaitAbandoned(life);
        life.cancel();
        life.awaitEnd();
        ServiceState state = life.state();
        letGo.countDown();
        assertThat(state).isEqualTo(ServiceState.FAILED);
    }

    /** The closing thread abandons the thread in a slow close(), which then returns at once. The state must not be CLOSED in between. */
    @Test
    void shouldNotSayClosedAndThenFailed() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Lifecycle[] self = new Lifecycle[1];
            CountDownLatch closing = new CountDownLatch(1);
            Lifecycle life = impatient(
                    new ScriptedSimulation(tick -> {}, () -> {
                        closing.countDown();
                        Await.until(self[0].loop.guard::isAbandoned);
                    }),
                    clock);
            self[0] = life;
            life.start(clock.nanoTime());
            life.cancel();
            closing.await();
            Thread ending = new Thread(life::awaitEnd);
            ending.start();
            Await.until(() -> life.state() == ServiceState.CLOSED || life.state() == ServiceState.FAILED);
            assertThat(life.state()).isEqualTo(ServiceState.FAILED);
            ending.join();
        }
    }

    private void awaitAbandoned(Lifecycle life) {
        Await.until(() -> {
            clock.advance(MILLI);
            return life.loop.guard.isAbandoned();
        });
    }

    /** Creates a run at 2000 Hz whose watchdog waits for 8 ms of the test's clock, and whose close does not wait. */
    private static Lifecycle impatient(Simulation simulation, NanoClock clock) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
        Internals.watchdogNanos(builder, 8 * MILLI);
        Internals.closeTimeoutNanos(builder, 1);
        return new Lifecycle(Internals.loop(builder, clock, new AnswerThread(Thread::new)), OwnThread::new);
    }

    /** Memory runs out while the failure ends the queues. The end of the run ends them again, and closes the simulation. */
    @Test
    void shouldEndInOrderWithoutMemoryForTheFailure() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        OutOfMemoryError noMemory = new OutOfMemoryError("planted");
        AtomicInteger ends = new AtomicInteger();
        CommandQueue.Answers answers = new CommandQueue.Answers() {
            @Override
            public void execute(Runnable answer) {
                answer.run();
            }

            @Override
            public void end() {
                if (ends.getAndIncrement() == 0) {
                    throw noMemory;
                }
            }
        };
        ScriptedSimulation failing = ScriptedSimulation.failingFrom(1, cause);
        Lifecycle life = new Lifecycle(
                Internals.loop(PhysicsService.builder(failing).onFailure(reported -> {}), NanoClock.system(), answers),
                OwnThread::new);
        life.start(System.nanoTime() - 10 * MILLI);
        life.awaitEnd();
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(cause);
        assertThat(cause.getSuppressed()).containsExactly(noMemory);
        assertThat(failing.closed.getCount()).isZero();
        assertThat(ends).hasValue(2);
    }

    /** The clock throws in a step, and in each later call. */
    @Test
    void shouldEndInOrderThoughTimeCannotEnd() {
        IllegalStateException broken = new IllegalStateException("of the clock");
        AtomicBoolean isBroken = new AtomicBoolean();
        NanoClock clocks = () -> {
            if (isBroken.get()) {
                throw broken;
            }
            return 0;
        };
        List<TickHook.Fault.Reason> faults = new ArrayList<>();
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> isBroken.set(true));
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
                .onFailure(reported -> {})
                .with(new TickHook() {
                    @Override
                    public void fault(TickHook.Fault fault) {
                        faults.add(fault.reason());
                    }
                });
        Lifecycle life = new Lifecycle(Internals.loop(builder, clocks, Runnable::run), run -> host);
        life.start(-1000 * MILLI);
        assertThat(life.runSlice(times)).isEqualTo(SlicedRun.ENDED);
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(broken);
        assertThat(simulation.closed.getCount()).isZero();
        assertThat(faults).containsExactly(TickHook.Fault.Reason.THREW);
    }

    /** Memory runs out when the failure is reported. The simulation is closed by then, and must not be closed again. */
    @Test
    void shouldCloseOnceWithoutMemoryForTheReport() throws Exception {
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
                Internals.loop(builder, NanoClock.system(), new AnswerThread(Thread::new)),
                run -> throwing(new OwnThread(run), "callHandler", noMemory));
        life.start(System.nanoTime());
        life.awaitEnd();
        assertThat(life.state()).isEqualTo(ServiceState.FAILED);
        assertThat(life.failure.cause()).containsSame(cause);
        assertThat(cause.getSuppressed()).containsExactly(noMemory);
        assertThat(closes).hasValue(1);
    }

    /** The withdrawal of the thread policy may throw. Devices and hooks must be closed all the same. */
    @Test
    void shouldEndHooksIfTheHostThrowsAtAnAbandonment() throws Exception {
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
        Internals.watchdogNanos(builder, 8 * MILLI);
        Lifecycle life = new Lifecycle(
                Internals.loop(builder, clock, new AnswerThread(Thread::new)),
                run -> throwing(new OwnThread(run), "abandoned", thrown));
        life.start(clock.nanoTime());
        awaitAbandoned(life);
        hooksEnded.await();
        letGo.countDown();
        assertThat(life.failure.cause().orElseThrow().getSuppressed()).containsExactly(thrown);
    }

    /** A paused world that nothing but a request or input can change is woken for these, and otherwise looks once a second. */
    @Test
    void shouldCostNothingWhileItStands() {
        Lifecycle life = paused(builder -> {});
        long untilNanos = life.runSlice(times);
        assertThat(untilNanos).isEqualTo(clock.nanoTime() + 1000 * MILLI);
        clock.advance(300 * MILLI);
        assertThat(life.runSlice(times)).as("a host queues no other instant").isEqualTo(untilNanos);
        for (int offers = 1; offers <= 2; offers++) {
            life.loop.input.offer(clock.nanoTime(), InputKind.KEY_UP, 65, 0, 0);
            assertThat(signals).as("one until the next slice").hasValue(1);
        }
        assertThat(life.runSlice(times)).as("more input may come").isEqualTo(clock.nanoTime() + 10 * MILLI);
        assertThat(life.loop.input.droppedWhilePaused()).isEqualTo(2);
        life.loop.input.offer(clock.nanoTime(), InputKind.KEY_UP, 65, 0, 0);
        assertThat(signals).as("it is taken at that look").hasValue(1);
        clock.advance(10 * MILLI);
        life.runSlice(times);
        clock.advance(10 * MILLI);
        assertThat(life.runSlice(times)).isEqualTo(clock.nanoTime() + 1000 * MILLI);
    }

    @Test
    void shouldLookInAPauseForWhatWakesNobody() {
        List<Consumer<PhysicsServiceBuilder>> lookers = List.of(
                builder -> builder.with(new TickHook() {}),
                builder -> builder.source(ring -> {}),
                builder -> builder.pausedInput((event, state) -> {}));
        assertThat(lookers)
                .hasSize(3)
                .allSatisfy(
                        looker -> assertThat(paused(looker).runSlice(times)).isEqualTo(clock.nanoTime() + 10 * MILLI));
    }

    /** Nothing can abandon a thread that hangs in our own code, for example in a clock. */
    @Test
    void shouldWarnOfAThreadThatNobodyCanAbandon() {
        PhysicsServiceBuilder builder =
                PhysicsService.builder(ScriptedSimulation.good()).name("arena");
        Internals.closeTimeoutNanos(builder, 1);
        Lifecycle life = new Lifecycle(Internals.loop(builder, clock, Runnable::run), run -> host);
        life.start(clock.nanoTime());
        life.cancel();
        try (Logged logged = new Logged("physics")) {
            life.awaitEnd();
            assertThat(logged.records)
                    .singleElement()
                    .satisfies(record -> assertThat(record.getMessage())
                            .contains("'arena' is RUNNING ", "hangs outside of the code that can be abandoned"));
        }
    }

    /** A thread policy or a simulation that hangs in the first slice is logged as one that hangs in a tick. */
    @Test
    void shouldWatchTheBeginning() {
        List<Boolean> watched = new ArrayList<>();
        AtomicReference<@Nullable Lifecycle> self = new AtomicReference<>();
        Runnable look = () -> {
            Lifecycle life = Objects.requireNonNull(self.get());
            watched.add(life.loop.guard.isCaller() && BlockedTicks.OF_THIS_JVM.all.contains(life.watched));
        };
        beginning = look;
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> {}) {
            @Override
            public void begin() {
                look.run();
            }
        };
        Lifecycle life =
                new Lifecycle(Internals.loop(PhysicsService.builder(simulation), clock, Runnable::run), run -> host);
        self.set(life);
        life.start(clock.nanoTime());
        life.runSlice(times);
        assertThat(watched).containsExactly(true, true);
        life.cancel();
        life.runSlice(times);
    }

    private Lifecycle paused(Consumer<PhysicsServiceBuilder> more) {
        PhysicsServiceBuilder builder =
                PhysicsService.builder(ScriptedSimulation.good()).rate(TickRate.hertz(100));
        more.accept(builder);
        Lifecycle life = new Lifecycle(Internals.loop(builder, clock, Runnable::run), run -> host);
        life.start(clock.nanoTime());
        life.loop.time.pause();
        while (life.state() != ServiceState.PAUSED) {
            clock.advance(10 * MILLI);
            life.runSlice(times);
        }
        return life;
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
}
