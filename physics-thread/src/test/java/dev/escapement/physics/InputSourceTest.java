package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When devices are polled, and what happens to them when they, or others, fail. */
@Timeout(60)
class InputSourceTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();

    @Test
    void shouldBePolledRightBeforeItsTickTakesItsInput() {
        InlineDriver driver = PhysicsService.builder(watching())
                .source(ring -> ring.offer(clock.nanoTime(), InputKind.APPLICATION, 7, 0, 0))
                .inline(clock);
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(seen).containsExactly("tick 1: 7 at 10000000", "tick 2: 7 at 20000000");
        driver.close();
    }

    /** In a driver the thread that ticks may change what such a source checks. */
    @Test
    void shouldComeOnceFromASimulationThatHasOne() {
        InputSource own = ring -> {};
        InputSource device = ring -> {};
        Simulation checked = new ScriptedSimulation(tick -> {}) {
            @Override
            public <T> Optional<T> capability(Class<T> type) {
                return type == InputSource.class ? Optional.of(type.cast(own)) : super.capability(type);
            }
        };
        assertThat(PhysicsService.builder(checked)
                        .source(device)
                        .settings(Settings.Runner.OWN_THREAD)
                        .devices())
                .containsExactly(own, device);
        assertThat(PhysicsService.builder(checked)
                        .source(own)
                        .settings(Settings.Runner.OWN_THREAD)
                        .devices())
                .containsExactly(own);
        assertThat(PhysicsService.builder(checked)
                        .source(device)
                        .settings(Settings.Runner.CALLER)
                        .devices())
                .containsExactly(device);
    }

    @Test
    void shouldBePolledWhileTimeStandsStill() {
        List<Integer> reported = new ArrayList<>();
        InlineDriver driver = PhysicsService.builder(watching())
                .source(ring -> ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, 7, 0, 0))
                .pausedInput((event, state) -> reported.add(event.code()))
                .inline(clock);
        driver.pause();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        driver.runDueTicks();
        driver.runDueTicks();
        assertThat(reported).containsExactly(7, 7);
        driver.close();
    }

    @Test
    void shouldCloseTheOthersOfADriverWhenTheBrokenOneCannotBeClosed() {
        IllegalStateException unplugged = new IllegalStateException("unplugged");
        Device other = new Device();
        ScriptedSimulation simulation = watching();
        InlineDriver driver = PhysicsService.builder(simulation)
                .source(new ScriptedSource(ring -> fail(unplugged), () -> fail(unplugged)))
                .source(other)
                .inline(clock);
        clock.advance(TICK_NANOS);
        assertThatThrownBy(driver::runDueTicks).isSameAs(unplugged);
        assertThatThrownBy(driver::close).isSameAs(unplugged);
        assertThat(other.closed).hasValue(1);
        assertThat(simulation.closed.getCount()).isZero();
    }

    @Test
    void shouldBeClosedWhenTheSimulationHasFailed() throws Exception {
        Device device = new Device();
        PhysicsService service = builder(ScriptedSimulation.failingFrom(2, new IllegalStateException("bodies overlap")))
                .source(device)
                .start();
        Await.state(service, ServiceState.FAILED);
        assertThat(device.closed).as("before it says so").hasValue(1);
        service.close();
        assertThat(device.closed).hasValue(1);
        assertThat(device.polledAfterClose).hasValue(0);
    }

    @Test
    void shouldBeClosedThoughTheSimulationHangs() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        Device device = new Device();
        PhysicsService service = builder(new ScriptedSimulation(tick -> letGo.await()))
                .source(device)
                .watchdog(80)
                .start();
        Await.until(() -> device.closed.get() == 1);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
        letGo.countDown();
        service.close();
        assertThat(device.closed).hasValue(1);
        assertThat(device.polledAfterClose).hasValue(0);
    }

    /** The hanging thread closes the device, because only it knows when the poll has returned. Its later offers are refused. */
    @Test
    void shouldBeAbandonedWhenItHangsAndClosedWhenItComesBack() throws Exception {
        CountDownLatch resume = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        List<Boolean> accepted = new CopyOnWriteArrayList<>();
        InputSource hanging = new ScriptedSource(
                ring -> {
                    Await.open(resume);
                    accepted.add(ring.offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0));
                },
                closed::countDown);
        PhysicsService service =
                builder(ScriptedSimulation.good()).source(hanging).watchdog(80).start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
        service.close();
        assertThat(closed.getCount()).isEqualTo(1);
        resume.countDown();
        closed.await();
        assertThat(accepted).containsExactly(false);
        assertThat(service.input().rejected()).isEqualTo(1);
    }

    @Test
    void shouldBeClosedBehindOneWhoseCloseHangs() throws Exception {
        CountDownLatch resume = new CountDownLatch(1);
        AtomicInteger closes = new AtomicInteger();
        InputSource hanging = new ScriptedSource(ring -> {}, () -> {
            closes.getAndIncrement();
            Await.open(resume);
        });
        Device behind = new Device();
        PhysicsServiceBuilder builder =
                builder(ScriptedSimulation.good()).source(hanging).source(behind);
        builder.settings.closeTimeoutNanos = 80_000_000;
        PhysicsService service = builder.start();
        service.close();
        assertThat(behind.closed).hasValue(1);
        resume.countDown();
        assertThat(closes).hasValue(1);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    /** One thread hangs in each: the physics thread, and one that closes devices for it. The one that closes the service does not. */
    @Test
    void shouldNotKeepAServiceFromEndingThoughTheCloseOfTwoHangs() {
        CountDownLatch resume = new CountDownLatch(1);
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        InputSource hanging = new ScriptedSource(ring -> {}, () -> Await.open(resume));
        PhysicsServiceBuilder builder = builder(ScriptedSimulation.good())
                .source(hanging)
                .source(hanging)
                .onFailure(reported::add);
        builder.settings.closeTimeoutNanos = 1_000_000;
        PhysicsService service = builder.start();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(reported).singleElement().isInstanceOf(HungSimulationException.class);
        resume.countDown();
    }

    private ScriptedSimulation watching() {
        return new ScriptedSimulation(tick -> {
            for (int i = 0; i < tick.input().size(); i++) {
                seen.add("tick " + tick.number() + ": "
                        + tick.input().event(i).code() + " at "
                        + tick.input().event(i).timeNanos());
            }
        });
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }

    private static void fail(RuntimeException cause) {
        throw cause;
    }

    private static final class Device implements InputSource {

        final AtomicInteger closed = new AtomicInteger();
        final AtomicInteger polledAfterClose = new AtomicInteger();

        @Override
        public void poll(InputRing ring) {
            if (closed.get() > 0) {
                polledAfterClose.getAndIncrement();
            }
        }

        @Override
        public void close() {
            closed.getAndIncrement();
        }
    }
}
