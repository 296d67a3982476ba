package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests commands in a paused world. Readers see their effects in ticks without a step. */
class PausedWorldTest {

    private static final long TICK_NANOS = 10_000_000;

    /** Bodies that rise by one metre in each tick. The first one has a contact until it is removed. */
    private static final class Risers implements Simulation {

        private final List<Long> bodies = new ArrayList<>();
        private final List<Long> going = new ArrayList<>();
        private int coming = 2;
        private int steps;
        private float height;
        private boolean firstWasRemoved;
        private boolean throwsInCapture;

        @Override
        public void step(Tick tick) {
            steps++;
            height++;
        }

        @Override
        public void capture(PoseWriter poses) {
            if (throwsInCapture) {
                throw new IllegalStateException("planted");
            }
            for (long gone : going) {
                poses.despawn(gone);
            }
            going.clear();
            for (; coming > 0; coming--) {
                bodies.add(poses.spawn(7));
            }
            for (long body : bodies) {
                poses.set(BodyId.slot(body), 0, height, 0, 0, 0, 0, 1);
            }
        }

        @Override
        public void events(EventWriter events) {
            if (firstWasRemoved) {
                firstWasRemoved = false;
                events.contactEnded(0, EventWriter.NO_SLOT);
            }
        }

        private void remove(int index) {
            going.add(bodies.remove(index));
            firstWasRemoved |= index == 0;
        }
    }

    private final ManualClock clock = new ManualClock(0);
    private final Risers world = new Risers();
    private final List<Boolean> bodiesChanged = new ArrayList<>();
    private final TickHook hook = new TickHook() {
        @Override
        public void atRest(long tick, boolean changed) {
            bodiesChanged.add(changed);
        }
    };
    private final InlineDriver driver = PhysicsService.builder(world).with(hook).inline(clock);
    private final SnapshotReader reader = driver.newReader();

    @BeforeEach
    void pauseAfterFiveTicks() {
        for (int tick = 1; tick <= 5; tick++) {
            if (tick == 5) {
                driver.pause();
            }
            tick();
        }
        clock.advance(100 * TICK_NANOS);
    }

    private void tick() {
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isOne();
    }

    private Snapshot newest() {
        reader.acquire();
        return reader.window().newest();
    }

    private float heightOf(Snapshot snapshot, int slot) {
        return snapshot.poses().block(0).py[slot];
    }

    private void command(Runnable what) {
        CompletableFuture<?> answer = driver.command(tick -> {
            what.run();
            return true;
        });
        assertThat(driver.runDueTicks()).isZero();
        assertThat(answer).isCompleted();
    }

    @Test
    void shouldPublishWhatACommandMovesAsAnotherTick() {
        command(() -> world.height = -3);
        assertThat(heightOf(newest(), 1)).isEqualTo(-3);
        assertThat(newest().tick()).isEqualTo(6);
        assertThat(newest().simulationTick()).isEqualTo(5);
        assertThat(newest().dueNanos()).isEqualTo(clock.nanoTime());
        assertThat(reader.window().timeline().isPaused()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(clock.nanoTime())).isEqualTo(6 * TICK_NANOS);
        assertThat(world.steps).isEqualTo(5);
    }

    @Test
    void shouldContinueWithTheNextStepWhenTimeResumes() {
        command(() -> world.height = -3);
        clock.advance(7);
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        tick();
        assertThat(newest().tick()).isEqualTo(7);
        assertThat(newest().simulationTick()).isEqualTo(6);
        assertThat(newest().dueNanos()).isEqualTo(clock.nanoTime());
        assertThat(heightOf(newest(), 1)).isEqualTo(-2);
        assertThat(driver.skippedTicks()).isZero();
        assertThat(driver.realTimeFactor()).isOne();
    }

    @Test
    void shouldPublishNothingWhereNothingIsAskedFor() {
        assertThat(driver.runDueTicks()).isZero();
        assertThat(driver.query(tick -> 1)).isNotNull();
        assertThat(driver.runDueTicks()).isZero();
        assertThat(newest().tick()).isEqualTo(5);
    }

    @Test
    void shouldDeliverBodiesThatCommandsSpawnAndDespawn() {
        EventStream events = driver.events(16);
        command(() -> {
            world.remove(1);
            world.coming++;
        });
        List<String> delivered = new ArrayList<>();
        events.drain(event -> delivered.add(event.tick() + " " + event.kind() + " " + event.userData()));
        assertThat(delivered).containsExactlyInAnyOrder("6 DESPAWNED 7", "6 SPAWNED 7");
    }

    @Test
    void shouldEndWhereTheWorldCannotBeCaptured() {
        world.throwsInCapture = true;
        assertThat(driver.command(tick -> true)).isNotNull();
        assertThatThrownBy(driver::runDueTicks).hasMessage("planted");
        assertThat(driver.hasEnded()).isTrue();
    }

    /** The contact ends between two ticks whose snapshots both lack the body. */
    @Test
    void shouldEndContactsOfABodyThatACommandRemoves() {
        EventStream events = driver.events(16);
        long gone = world.bodies.get(0);
        command(() -> world.remove(0));
        command(() -> world.coming++);
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        tick();
        List<Long> ended = new ArrayList<>();
        events.drain(event -> {
            if (event.kind() == BodyEvent.Kind.CONTACT_ENDED) {
                ended.add(event.body());
            }
        });
        assertThat(ended).containsExactly(gone);
        assertThat(newest().bodies().exists(0)).as("another body has its slot").isTrue();
    }

    @Test
    void shouldTellHooksWithTheNextTickThatBodiesChanged() {
        command(() -> world.coming++);
        command(() -> world.height++);
        assertThat(bodiesChanged).containsExactly(true, false, false, false, false);
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        tick();
        tick();
        assertThat(bodiesChanged).endsWith(true, false).hasSize(7);
    }

    @Test
    void shouldCompleteTheWindowAfterAnInitialPause() {
        Risers early = new Risers();
        ManualClock time = new ManualClock(0);
        InlineDriver paused = PhysicsService.builder(early).inline(time);
        SnapshotReader late = paused.newReader();
        paused.pause();
        time.advance(TICK_NANOS);
        assertThat(paused.runDueTicks()).isOne();
        assertThat(paused.command(tick -> early.height = 9)).isNotNull();
        assertThat(paused.runDueTicks()).isZero();
        late.acquire();
        assertThat(heightOf(late.window().newest(), 0)).isEqualTo(9);
        assertThat(late.window().newest().simulationTick()).isOne();
    }
}
