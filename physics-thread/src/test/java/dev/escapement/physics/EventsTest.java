package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests events from a tick to their streams. A body begins or stops touching the ground in each tick. */
class EventsTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final List<Boolean> wanted = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private Consumer<Tick> inStep = tick -> wanted.add(tick.eventsWanted());
    private UserCodeGuard.Call<Exception> inEvents = () -> {};
    private long number;
    private long stepNanos;
    private final Simulation simulation =
            new ScriptedSimulation(tick -> {
                number = tick.number();
                inStep.accept(tick);
            }) {
                @Override
                public void events(EventWriter events) throws Exception {
                    inEvents.run();
                    if (number % 2 == 1) {
                        events.contactBegan(0, EventWriter.NO_SLOT, 1, 2, 3, 0, 1, 0);
                    } else {
                        events.contactEnded(0, EventWriter.NO_SLOT);
                    }
                }
            };
    private final InlineDriver driver = PhysicsService.builder(simulation).inline(clock);

    @Test
    void shouldAskForEventsOnlyWhileSomebodyListens() {
        inEvents = () -> asked.add(number);
        tick(2);
        EventStream first = driver.events(16);
        tick(1);
        EventStream second = driver.events(16);
        first.close();
        tick(1);
        second.close();
        tick(1);
        assertThat(wanted).containsExactly(false, false, true, true, false);
        assertThat(asked).containsExactly(3L, 4L);
        assertThat(drain(first)).containsExactly("3 CONTACT_BEGAN");
        assertThat(drain(second)).containsExactly("4 CONTACT_ENDED");
    }

    @Test
    void shouldPublishTheSnapshotBeforeAnybodyHearsOfItsTick() {
        SnapshotReader reader = driver.newReader();
        driver.events(16);
        tick(2); // a window has 3 snapshots
        long[] newest = new long[1];
        inEvents = () -> {
            assertThat(reader.acquire()).isTrue();
            newest[0] = reader.window().newestTick();
        };
        for (long tick = 3; tick < 10; tick++) {
            tick(1);
            assertThat(newest[0]).isEqualTo(tick);
        }
    }

    @Test
    void shouldSayWhichTickCouldNotReportItsEvents() {
        driver.events(16);
        inEvents = () -> {
            throw new Exception("engine full");
        };
        assertThatThrownBy(() -> tick(1)).hasMessage("tick 1 failed: java.lang.Exception: engine full");
    }

    /** The round that allocates least counts: the JIT may charge the thread once for a method that it replaces. */
    @Test
    void shouldAllocateNothingOnceEverythingIsWarm() {
        InlineDriver slowed =
                PhysicsService.builder(simulation).lateTicks(LateTicks.dilate()).inline(clock);
        EventStream drained = slowed.events(1024);
        EventStream full = slowed.events(16);
        long[] missed = new long[1];
        Consumer<BodyEvent> counting = event -> missed[0] += event.missed();
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewestBytes = Long.MAX_VALUE;
        inStep = tick -> clock.advance(stepNanos);
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int tick = 0; tick < 1000; tick++) {
                stepNanos = tick < 500 ? 14_000_000 : 2_000_000;
                clock.advance(Math.max(0, slowed.nextDueNanos() - clock.nanoTime()));
                slowed.runDueTicks(1);
                drained.drain(counting);
                if (tick % 100 == 0) {
                    full.drain(counting);
                }
            }
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(fewestBytes).isZero();
        assertThat(slowed.slowedNanos()).isPositive();
        assertThat(missed[0]).as("counted by the full one").isPositive();
    }

    private void tick(int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }

    private static List<String> drain(EventStream stream) {
        List<String> texts = new ArrayList<>();
        stream.drain(event -> texts.add(event.tick() + " " + event.kind()));
        return texts;
    }
}
