package dev.escapement.physics.ode4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.ode4j.ode.DBody;
import org.ode4j.ode.DMisc;
import org.ode4j.ode.DWorld;

/** What is ODE's own, beyond the contract. */
class Ode4jWorldSimulationTest {

    private static final long TICK_NANOS = 10_000_000;

    private final Ode4jGame game = new Ode4jGame();
    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldGiveTheGroupOfContactJointsBackEmpty() {
        assertThat(Ode4jWorldSimulation.version()).isEqualTo(System.getProperty("ode4j.version"));
        DBody box = game.addBox(0, 0.5);
        InlineDriver driver = drive(DWorld::quickStep);
        tick(driver, 5);
        assertThat(box.getNumJoints()).isPositive();
        driver.close();
        assertThat(box.getNumJoints()).isZero();
    }

    /** All worlds of ODE draw their random numbers from one generator. */
    @Test
    void shouldResumeWithItsOwnRandomNumbersThoughOtherWorldsDraw() {
        try (Ode4jGame twin = new Ode4jGame()) {
            List<DBody> boxes = stack(game);
            List<DBody> same = stack(twin);
            InlineDriver driver = drive(DWorld::quickStep);
            for (int tick = 0; tick < 100; tick++) {
                DMisc.dRandSetSeed(12345);
                tick(driver, 1);
                twin.step(0.01);
                for (int i = 0; i < boxes.size(); i++) {
                    assertThat(game.state(boxes.get(i))).isEqualTo(twin.state(same.get(i)));
                }
            }
        }
    }

    /** Another world tries to step in the middle of each step of the first one. */
    @Test
    void shouldHaveTheBitsOfALoneWorldThoughAnotherThreadStepsAnotherWorld() throws Exception {
        List<long[]> lone = new ArrayList<>();
        try (Ode4jGame twin = new Ode4jGame()) {
            List<DBody> boxes = stack(twin);
            for (int tick = 0; tick < 60; tick++) {
                twin.step(0.01);
                boxes.forEach(box -> lone.add(twin.state(box)));
            }
        }
        AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
        ExecutorService another = Executors.newSingleThreadExecutor(task -> {
            thread.set(new Thread(task, "another"));
            return Objects.requireNonNull(thread.get());
        });
        List<long[]> states = new ArrayList<>();
        List<long[]> otherStates = new ArrayList<>();
        try (Ode4jGame other = new Ode4jGame()) {
            List<DBody> boxes = stack(game);
            List<DBody> otherBoxes = stack(other);
            Ode4jWorldSimulation second = simulation(other, DWorld::quickStep);
            second.stepExclusively();
            InlineDriver otherDriver = PhysicsService.builder(second).inline(clock);
            AtomicReference<@Nullable Future<?>> otherTick = new AtomicReference<>();
            Ode4jWorldSimulation first = simulation(game, (world, dtSeconds) -> {
                Future<?> running = another.submit(() -> {
                    otherDriver.runDueTicks();
                    otherBoxes.forEach(box -> otherStates.add(other.state(box)));
                });
                otherTick.set(running);
                while (!running.isDone() && !isBlocked(thread.get())) {
                    Thread.onSpinWait();
                }
                world.quickStep(dtSeconds);
            });
            first.stepExclusively();
            InlineDriver driver = PhysicsService.builder(first).inline(clock);
            for (int tick = 0; tick < 60; tick++) {
                tick(driver, 1);
                Objects.requireNonNull(otherTick.get()).get();
                boxes.forEach(box -> states.add(game.state(box)));
            }
            driver.close();
            another.submit(otherDriver::close).get();
        } finally {
            another.shutdown();
        }
        assertThat(states.toArray(long[][]::new)).isDeepEqualTo(lone.toArray(long[][]::new));
        assertThat(otherStates.toArray(long[][]::new)).isDeepEqualTo(lone.toArray(long[][]::new));
    }

    private static boolean isBlocked(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.BLOCKED;
    }

    private static List<DBody> stack(Ode4jGame game) {
        List<DBody> boxes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            boxes.add(game.addBox(0.2 * (i % 2), 0.6 + 1.05 * i));
        }
        return boxes;
    }

    private Ode4jWorldSimulation simulation(ObjDoubleConsumer<DWorld> stepper) {
        return simulation(game, stepper);
    }

    private static Ode4jWorldSimulation simulation(Ode4jGame of, ObjDoubleConsumer<DWorld> stepper) {
        return new Ode4jWorldSimulation(of.world(), of.contacts(), of::joinContacts, stepper);
    }

    private InlineDriver drive(ObjDoubleConsumer<DWorld> stepper) {
        return PhysicsService.builder(simulation(stepper)).inline(clock);
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }
}
