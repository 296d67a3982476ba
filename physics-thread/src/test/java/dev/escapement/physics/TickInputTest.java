package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Await;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the input of a tick: its place in simulated time, around pauses too, and the devices that it comes from. */
@Timeout(60)
class TickInputTest {

    private static final long MILLI = 1_000_000;
    private static final int UNWELCOME = 13;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();
    private final List<Integer> reportedWhilePaused = new ArrayList<>();
    private final InlineDriver driver = builder().inline(clock);
    private final IllegalStateException cause = new IllegalStateException("no such menu");

    @Test
    void shouldStretchTicksInSlowMotion() {
        runUntil(10);
        driver.timeScale(new TimeScale(1, 10));
        runUntil(20); // the new scale applies from the end of this tick
        offer(50, 1);
        runUntil(120);
        assertThat(seen).containsExactly("tick 3: 1 at 30 of 100");
    }

    @Test
    void shouldDeliverInputInAPauseAndResumeAfterIt() {
        driver.pause();
        runUntil(10);
        offer(15, 1);
        driver.input().offer(16 * MILLI, InputKind.KEY_DOWN, 7, 0, 0);
        runUntil(30);
        assertThat(reportedWhilePaused).containsExactly(1, 7);
        driver.resume();
        runUntil(31); // the pause ends
        offer(33, 2);
        runUntil(50);
        assertThat(seen).containsExactly("tick 2: 2 at 2 of 10, holding 7");
    }

    /** Tick 2 begins at 10 ms and lasts 100 ms. A pause stops it from 51 to 81 ms. */
    @Test
    void shouldKeepTheInputOfATickThatAPauseStops() {
        driver.timeScale(new TimeScale(1, 10));
        runUntil(20);
        offer(20, 1);
        driver.input().offer(21 * MILLI, InputKind.KEY_DOWN, 7, 0, 0);
        runUntil(50);
        driver.pause();
        runUntil(60);
        driver.input().offer(60 * MILLI, InputKind.KEY_UP, 7, 0, 0);
        runUntil(80);
        assertThat(reportedWhilePaused).containsExactly(7);
        assertThat(driver.pendingInputs()).isEqualTo(2);
        driver.resume();
        runUntil(90);
        offer(90, 3);
        runUntil(140);
        assertThat(seen).containsExactly("tick 2: 1 at 0 of 59", "tick 2: 7 at 0 of 59", "tick 2: 3 at 9 of 59");
    }

    @Test
    void shouldResumeBehindTheEventOfWhichAListenerThrew() {
        driver.pause();
        runUntil(10);
        offer(11, 1);
        offer(12, UNWELCOME);
        offer(13, 2);
        clock.advance(5 * MILLI);
        assertThatThrownBy(driver::runDueTicks).isSameAs(cause);
        assertThat(reportedWhilePaused).containsExactly(1, UNWELCOME);
        driver.runDueTicks();
        assertThat(reportedWhilePaused).containsExactly(1, UNWELCOME, 2);
    }

    @Test
    void shouldBePolledRightBeforeItsTickTakesItsInput() {
        InlineDriver polling = builder()
                .source(ring -> ring.offer(clock.nanoTime(), InputKind.APPLICATION, 7, 0, 0))
                .windowSize(2)
                .inline(clock);
        SnapshotReader reader = polling.newReader();
        clock.advance(10 * MILLI);
        polling.runDueTicks();
        polling.pause();
        clock.advance(10 * MILLI);
        polling.runDueTicks();
        assertThat(seen).containsExactly("tick 1: 7 at 10 of 10", "tick 2: 7 at 10 of 10");
        reader.acquire();
        assertThat(reader.window().newest().inputsTaken()).isEqualTo(2);
        polling.runDueTicks();
        polling.runDueTicks();
        assertThat(reportedWhilePaused).containsExactly(7, 7);
    }

    /**
     * A driver does not poll the simulation's own source. Such a source reports changes that happened between two ticks, and in a driver
     * the caller itself makes these.
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

    /** The hanging thread closes the device, because only it knows when the poll has returned. The ring refuses its later offers. */
    @Test
    void shouldBeClosedByItsThreadAfterAHang() throws Exception {
        CountDownLatch polled = new CountDownLatch(1);
        CountDownLatch resume = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        List<Boolean> accepted = new CopyOnWriteArrayList<>();
        InputSource hanging = new ScriptedSource(
                ring -> {
                    polled.countDown();
                    Await.open(resume);
                    accepted.add(ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0));
                },
                closed::countDown);
        PhysicsServiceBuilder builder = builder().source(hanging).watchdog(80);
        PhysicsService service = Internals.service(builder, clock);
        AwaitService.hang(service, clock, polled);
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
        PhysicsServiceBuilder builder = fast().source(hanging).source(behind);
        builder.closeTimeoutNanos = 80_000_000;
        PhysicsService service = builder.start();
        service.close();
        assertThat(closedBehind).hasValue(1);
        resume.countDown();
        assertThat(closes).hasValue(1);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
    }

    private static PhysicsServiceBuilder fast() {
        return PhysicsService.builder(ScriptedSimulation.good()).rate(TickRate.hertz(2000));
    }

    private PhysicsServiceBuilder builder() {
        return PhysicsService.builder(new ScriptedSimulation(this::see)).pausedInput(this::report);
    }

    private void report(InputEvent event, InputState state) {
        reportedWhilePaused.add(event.code());
        if (event.code() == UNWELCOME) {
            throw cause;
        }
    }

    private void offer(long millis, int code) {
        assertThat(driver.input().offer(millis * MILLI, InputKind.APPLICATION, code, 0, 0))
                .isTrue();
    }

    private void runUntil(long millis) {
        while (clock.nanoTime() < millis * MILLI) {
            clock.advance(MILLI);
            driver.runDueTicks();
        }
    }

    private void see(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            seen.add("tick " + tick.number() + ": " + input.event(i).code() + " at "
                    + input.event(i).offsetNanos() / MILLI + " of " + input.lengthNanos() / MILLI
                    + (input.state().isKeyDown(7) ? ", holding 7" : ""));
        }
    }
}
