package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
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

/** Tests when devices are polled, and what happens to them when a device or another part fails. */
@Timeout(60)
class InputSourceTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();

    @Test
    void shouldBePolledRightBeforeItsTickTakesItsInput() {
        InlineDriver driver = PhysicsService.builder(watching())
                .source(ring -> ring.offer(clock.nanoTime(), InputKind.APPLICATION, 7, 0, 0))
                .windowSize(2)
                .inline(clock);
        SnapshotReader reader = driver.newReader();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        clock.advance(TICK_NANOS);
        driver.runDueTicks();
        assertThat(seen).containsExactly("tick 1: 7 at 10000000", "tick 2: 7 at 20000000");
        reader.acquire();
        assertThat(reader.window().newest().inputsTaken()).isEqualTo(2);
        driver.close();
    }

    /**
     * A service polls the simulation's own source once, also if the builder gets it too. A driver does not poll it: between two ticks
     * the driver's thread itself changes what such a source checks.
     */
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
        assertThat(devices(checked, device, Settings.Runner.OWN_THREAD)).containsExactly(own, device);
        assertThat(devices(checked, own, Settings.Runner.OWN_THREAD)).containsExactly(own);
        assertThat(devices(checked, device, Settings.Runner.CALLER)).containsExactly(device);
    }

    private static List<InputSource> devices(Simulation simulation, InputSource source, Settings.Runner runner) {
        return PhysicsService.builder(simulation)
                .source(source)
                .settings(runner)
                .devices();
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

    /** The hanging thread closes the device, because only it knows when the poll has returned. The ring refuses its later offers. */
    @Test
    void shouldBeClosedByItsThreadAfterAHang() throws Exception {
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
        AtomicInteger closedBehind = new AtomicInteger();
        InputSource behind = new ScriptedSource(ring -> {}, closedBehind::getAndIncrement);
        PhysicsServiceBuilder builder =
                builder(ScriptedSimulation.good()).source(hanging).source(behind);
        builder.settings.closeTimeoutNanos = 80_000_000;
        PhysicsService service = builder.start();
        service.close();
        assertThat(closedBehind).hasValue(1);
        resume.countDown();
        assertThat(closes).hasValue(1);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
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
}
