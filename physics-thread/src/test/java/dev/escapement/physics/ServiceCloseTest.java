package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.Await;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of a service, after which none of its threads is left. */
@Timeout(60)
class ServiceCloseTest {

    private static final int HOUR_MILLIS = 3_600_000;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final ServiceThreads threads = new ServiceThreads();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldCloseTheSimulationOnceOnTheThreadThatTicked() throws Exception {
        AtomicReference<Thread> ticking = new AtomicReference<>();
        List<Thread> closing = new CopyOnWriteArrayList<>();
        PhysicsService service = builder(new ScriptedSimulation(
                        tick -> ticking.set(Thread.currentThread()), () -> closing.add(Thread.currentThread())))
                .start();
        AwaitService.tickAfter(service, 1);
        service.close();
        service.close();
        assertThat(closing).containsExactly(ticking.get()).doesNotContain(Thread.currentThread());
        assertThat(Await.failure(service.command(tick -> tick))).hasMessage("the physics service has ended: CLOSED");
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
        assertThat(service.failure()).isEmpty();
    }

    /** The physics thread must close the simulation even if it never ticked; the service starts that thread for this alone. */
    @Test
    void shouldOnlyCloseAServiceThatWasNeverStarted() {
        List<String> calls = new CopyOnWriteArrayList<>();
        Simulation simulation = new ScriptedSimulation(tick -> calls.add("step"), () -> calls.add("close")) {
            @Override
            public void begin() {
                calls.add("begin");
            }
        };
        TickHook hook = new TickHook() {
            @Override
            public void end() {
                calls.add("end");
            }
        };
        PhysicsService service = builder(simulation)
                .with(hook)
                .threadPolicy(periodNanos -> {
                    calls.add("policy");
                    return ThreadGrants.none();
                })
                .build();
        service.close();
        assertThat(calls).containsExactly("close", "end");
        assertThat(service.failure()).isEmpty();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** The watchdog ends before the simulation is closed, so a long close is no failure. */
    @Test
    void shouldNotWatchASimulationThatIsBeingClosed() throws Exception {
        ManualClock clock = new ManualClock(0);
        ScriptedSimulation slow = new ScriptedSimulation(
                tick -> {},
                () -> Await.until(() -> {
                    clock.advance(10_000_000);
                    return threads.alive("escapement-watchdog").isEmpty();
                }));
        PhysicsService service = Internals.service(builder(slow).watchdog(80), clock);
        service.start();
        clock.advance(500_000); // one tick
        Await.until(() -> service.lastPublishedTick() == 1);
        service.close();
        assertThat(service.failure()).isEmpty();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    @Test
    void shouldAbandonAStepThatOutlivesTheClose() throws Exception {
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> hang()))
                .watchdog(HOUR_MILLIS)
                .onFailure(reported::add);
        builder.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.start();
        hanging.await();
        Thread watchdog = threads.watchdog();
        CompletableFuture<?> waiting = service.command(tick -> tick);
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure().orElseThrow())
                .isInstanceOf(HungSimulationException.class)
                .hasMessageContaining("it did not end within 0.001 s");
        assertThat(reported).containsExactly(service.failure().orElseThrow());
        assertThat(Await.failure(waiting)).hasMessageContaining("the physics service has ended: FAILED");
        watchdog.join();
    }

    /** The log line of the first pose that is not finite comes before its tick is published. The handler holds its lock meanwhile. */
    @Test
    void shouldAbandonALoggerThatHangs() {
        Handler blocking = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord line) {
                if (line.getMessage().contains("has captured a value that is not finite")) {
                    hang();
                }
            }
        };
        Logger logger = Logger.getLogger("dev.escapement.physics");
        logger.addHandler(blocking);
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> {}) {
            @Override
            public void capture(PoseWriter poses) {
                poses.bodyCount(1);
                poses.set(0, Float.NaN, 0, 0, 0, 0, 0, 1);
            }
        });
        builder.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.start();
        Await.open(hanging);
        service.close();
        logger.removeHandler(blocking);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
    }

    /** The close timeout passes before the thread enters the user's code, where it then hangs. */
    @Test
    void shouldAbandonWhatHangsOnlyAfterTheCloseHasWaited() {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> {}, this::hang));
        builder.closeTimeoutNanos = 1;
        PhysicsService service = builder.start();
        service.close();
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    /** The failed simulation is closed before the state becomes FAILED. Commands fail at once, without a wait for that. */
    @Test
    void shouldFailCommandsWhileTheFailedSimulationIsBeingClosed() throws Exception {
        PhysicsService service =
                builder(new ScriptedSimulation(this::fail, this::hang)).build();
        CompletableFuture<?> waiting = service.query(tick -> tick);
        service.start();
        assertThat(Await.failure(waiting)).hasCause(cause);
        assertThat(Await.failure(service.command(tick -> tick))).hasCause(cause);
        assertThat(service.failure()).containsSame(cause);
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
        letGo.countDown();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailThoughWhatThrewHangsInClose(boolean device) throws Exception {
        Map<TickHook.Fault.Reason, Throwable> faults = new ConcurrentHashMap<>();
        PhysicsServiceBuilder builder = device
                ? builder(ScriptedSimulation.good()).source(new ScriptedSource(this::fail, this::hang))
                : builder(new ScriptedSimulation(this::fail, this::hang));
        builder.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.with(new TickHook() {
                    @Override
                    public void fault(TickHook.Fault fault) {
                        faults.put(fault.reason(), Objects.requireNonNull(fault.thrown()));
                    }
                })
                .start();
        AwaitService.state(service, ServiceState.FAILED);
        service.close();
        assertThat(service.failure()).containsSame(cause);
        assertThat(cause.getSuppressed()).singleElement().isInstanceOf(HungSimulationException.class);
        assertThat(faults).containsEntry(TickHook.Fault.Reason.THREW, cause);
        assertThat(faults.get(TickHook.Fault.Reason.HUNG)).isInstanceOf(HungSimulationException.class);
    }

    @Test
    void shouldFailThoughACloseByACommandHangs() throws Exception {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> {}, this::hang));
        builder.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.start();
        Await.get(service.execute(tick -> {
            service.close();
            service.close();
        }));
        AwaitService.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    /**
     * Memory is too short for the thread that limits how long the end of a failed run may take. The thread that closes the service limits
     * it instead.
     */
    @Test
    void shouldFailWithTheCauseWithoutMemoryForAThread() throws Exception {
        AtomicInteger made = new AtomicInteger();
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(this::fail, this::hang));
        builder.closeTimeoutNanos = 1_000_000;
        builder.threads = work -> made.getAndIncrement() == 0 ? new Thread(work) : new NoThreads(work);
        PhysicsService service = builder.start();
        hanging.await();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
    }

    private void fail(Object tickOrRing) {
        throw cause;
    }

    private void hang() {
        hanging.countDown();
        Await.open(letGo);
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }
}
