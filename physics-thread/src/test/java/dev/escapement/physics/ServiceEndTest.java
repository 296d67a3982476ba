package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.TickRate;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that failed, or was closed by its own thread, hangs while its simulation is closed; no other thread waits for the end. */
@Timeout(60)
class ServiceEndTest {

    private static final int HOUR_MILLIS = 3_600_000;
    private static final int NO_WATCHDOG = 0;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @ParameterizedTest
    @ValueSource(ints = {NO_WATCHDOG, HOUR_MILLIS})
    void shouldFailThoughWhatThrewHangsInClose(int watchdogMillis) throws Exception {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(this::fail, this::hang));
        if (watchdogMillis != NO_WATCHDOG) {
            builder.watchdog(watchdogMillis);
        }
        shouldFailWithCauseAndHang(builder);
    }

    @Test
    void shouldFailThoughADeviceThatThrewHangsInClose() throws Exception {
        ScriptedSimulation simulation = ScriptedSimulation.good();
        shouldFailWithCauseAndHang(builder(simulation).source(new ScriptedSource(this::fail, this::hang)));
        letGo.countDown();
        simulation.closed.await(); // by its own thread, when it came back
    }

    private void shouldFailWithCauseAndHang(PhysicsServiceBuilder builder) throws Exception {
        Map<TickFault.Reason, Throwable> faults = new ConcurrentHashMap<>();
        PhysicsService service = builder.with(new TickHook() {
                    @Override
                    public void fault(TickFault fault) {
                        faults.put(fault.reason(), Objects.requireNonNull(fault.thrown()));
                    }
                })
                .start();
        hanging.await();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
        assertThat(cause.getSuppressed())
                .hasOnlyElementsOfType(HungSimulationException.class)
                .hasSize(1);
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(faults).containsEntry(TickFault.Reason.THREW, cause);
        assertThat(faults.get(TickFault.Reason.HUNG)).isInstanceOf(HungSimulationException.class);
    }

    @Test
    void shouldFailThoughNobodyWaitsForACloseByACommandThatHangs() throws Exception {
        PhysicsService service =
                builder(new ScriptedSimulation(tick -> {}, this::hang)).start();
        Await.get(service.command(tick -> {
            service.close();
            service.close();
            return tick;
        }));
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    /** Then a thread that closes the service bounds the end. */
    @Test
    void shouldFailWithTheCauseWhereThereIsNoMemoryForAThreadThatWaits() throws Exception {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(this::fail, this::hang));
        builder.settings.threads = onlyOne();
        PhysicsService service = builder.start();
        hanging.await();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
    }

    private static ThreadFactory onlyOne() {
        AtomicInteger made = new AtomicInteger();
        return work -> made.getAndIncrement() == 0 ? new Thread(work) : new NoThreads(work);
    }

    private void fail(Object tickOrRing) {
        throw cause;
    }

    private void hang() {
        hanging.countDown();
        Await.open(letGo);
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
        builder.settings.closeTimeoutNanos = 1_000_000;
        return builder;
    }
}
