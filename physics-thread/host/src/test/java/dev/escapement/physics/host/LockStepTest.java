package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts in lock step at 60 Hz, where due times are rounded. */
@Timeout(60)
class LockStepTest {

    private static final TickRate RATE = TickRate.hertz(60);
    private static final TimeScale DOUBLE = new TimeScale(2, 1);

    private final PhysicsHost host =
            PhysicsHost.builder().threads(2).lockStep(RATE).start();

    private static PhysicsServiceBuilder world(Simulation simulation) {
        return Hosts.world(simulation).rate(RATE);
    }

    @AfterEach
    void close() {
        host.close();
    }

    /**
     * No world is in a tick after a step. Worlds tick twice a step, take unequal times, and move between threads, while another thread
     * wakes them all.
     */
    @Test
    void shouldEndNoStepWithinATick() throws Exception {
        AtomicInteger inTick = new AtomicInteger();
        List<PhysicsService> worlds = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int spins = 500 * i;
            Dot dot = new Dot(tick -> {
                inTick.incrementAndGet();
                for (int spun = 0; spun < spins; spun++) {
                    Thread.onSpinWait();
                }
                inTick.decrementAndGet();
            });
            worlds.add(host.add(world(i % 3 == 0 ? Dot.bound(dot) : dot)));
        }
        worlds.forEach(world -> world.timeScale(DOUBLE));
        host.tickAll();
        AtomicBoolean done = new AtomicBoolean();
        Thread wakes = new Thread(() -> {
            while (!done.get()) {
                worlds.forEach(PhysicsService::resume);
                Thread.onSpinWait();
            }
        });
        wakes.start();
        try {
            for (int step = 1; step <= 1000; step++) {
                host.tickAll();
                assertThat(inTick).hasValue(0);
                long ticks = 1 + 2L * step;
                assertThat(worlds).isNotEmpty().allMatch(world -> world.lastPublishedTick() == ticks);
            }
        } finally {
            done.set(true);
            wakes.join();
        }
    }

    /** A world at a higher speed ticks several times in a step. These ticks are due at the same instant, so none is late. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 10})
    void shouldTickAsOftenAsTheSpeedSays(int speed) {
        PhysicsService dilates = host.add(world(new Dot()).lateTicks(LateTicks.dilate()));
        PhysicsService skips = host.add(world(new Dot()).lateTicks(LateTicks.catchUp(0)));
        List<PhysicsService> worlds = List.of(dilates, skips);
        worlds.forEach(world -> world.timeScale(new TimeScale(speed, 1)));
        host.tickAll(); // the speed counts from the end of this tick on
        for (int step = 1; step <= 200; step++) {
            host.tickAll();
            long ticks = 1 + (long) speed * step;
            assertThat(worlds).extracting(PhysicsService::lastPublishedTick).containsOnly(ticks);
        }
        assertThat(worlds).isNotEmpty().allMatch(world -> world.skippedTicks() == 0);
    }

    @Test
    void shouldTickInTheStepAfterAResume() {
        PhysicsService world = host.add(world(new Dot()));
        for (int tick = 1; tick < 500; tick += 2) {
            world.pause();
            host.tickAll();
            assertThat(world.lastPublishedTick())
                    .as("time stands still from the end of this tick on")
                    .isEqualTo(tick);
            host.tickAll();
            assertThat(world.lastPublishedTick()).isEqualTo(tick);
            world.resume();
            host.tickAll();
            assertThat(world.lastPublishedTick()).isEqualTo(tick + 1);
        }
        assertThat(world.skippedTicks()).isZero();
    }

    @Test
    void shouldShowAResetBeforeTheNextTick() {
        Dot dot = new Dot();
        PhysicsService world = host.add(world(dot));
        SnapshotReader reader = world.newReader();
        host.serveAll();
        assertThat(metres(reader)).as("as it was built").isZero();
        host.tickAll();
        CompletableFuture<?> reset = world.command(tick -> {
            dot.steps.set(100);
            return true;
        });
        host.serveAll();
        assertThat(metres(reader)).isEqualTo(100);
        reset.join();
        host.tickAll();
        assertThat(metres(reader)).isEqualTo(101);
        assertThat(world.skippedTicks()).isZero();
    }

    private static float metres(SnapshotReader reader) {
        assertThat(reader.acquire()).isTrue();
        return reader.window().newest().poses().block(0).px[0];
    }

    @Test
    void shouldTickANewWorldFromTheNextStepOn() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        host.add(world(new Dot(tick -> {
            inStep.countDown();
            letGo.await();
        })));
        CompletableFuture<Void> step = CompletableFuture.runAsync(host::tickAll);
        inStep.await();
        PhysicsService late = host.add(world(new Dot()));
        letGo.countDown();
        step.get();
        assertThat(late.lastPublishedTick()).isZero();
        host.tickAll();
        assertThat(late.lastPublishedTick()).isEqualTo(1);
    }

    /**
     * Worlds that began at different times tick in the same steps for long, although their due times are rounded from different origins.
     */
    @Test
    void shouldTickTogetherForLong() {
        host.tickAll();
        PhysicsService first = host.add(world(new Dot()));
        host.tickAll();
        PhysicsService late = host.add(world(new Dot()).firstTick(2));
        for (int tick = 2; tick <= 601; tick++) {
            host.tickAll();
            assertThat(List.of(first.lastPublishedTick(), late.lastPublishedTick()))
                    .containsOnly((long) tick);
        }
        first.close();
        assertThat(host.worlds()).containsExactly(late);
    }
}
