package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.joml.Vector3d;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The machine in every engine. */
@ParameterizedClass
@EnumSource(names = {"JOLT", "BULLET", "ODE4J", "DYN4J", "BOX2D", "PHYSX"})
class MachineTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 20;
    private static final int SPACE = 32;

    private final ManualClock clock = new ManualClock(0);
    private final Engine engine;

    MachineTest(Engine engine) {
        this.engine = engine;
    }

    private EngineBodies<?> machine(int bodies) {
        return (EngineBodies<?>) engine.simulation(bodies);
    }

    private static Machine of(EngineBodies<?> world) {
        return Objects.requireNonNull(world.machine());
    }

    @Test
    void theWheelAdvancesOneToothPerHalfSwing() {
        EngineBodies<?> world = machine(0);
        Machine machine = of(world);
        try (InlineDriver driver = PhysicsService.builder(world).inline(clock)) {
            tick(driver, 500);
            for (int halfSwing = 0; halfSwing < 8; halfSwing++) {
                long teeth = machine.teeth();
                boolean right = machine.pendulumAngle() > 0;
                double amplitude = 0;
                int ticks = 0;
                while (machine.teeth() == teeth) {
                    assertThat(machine.pendulumAngle() > 0).isEqualTo(right);
                    amplitude = Math.max(amplitude, Math.abs(machine.pendulumAngle()));
                    tick(driver, 1);
                    ticks++;
                }
                assertThat(machine.teeth()).isEqualTo(teeth + 1);
                if (halfSwing > 0) { // the first half swing began before the count
                    assertThat(amplitude).isCloseTo(Machine.AMPLITUDE, within(0.02));
                    assertThat(ticks).isBetween(180, 230);
                }
            }
            tick(driver, 100);
            assertThat(-machine.wheelAngle() / MachineParts.WHEEL_PITCH)
                    .isCloseTo((double) machine.teeth(), within(0.05));
        }
    }

    /** Tosses all bodies six times at once, and checks every tick. */
    @Test
    void everyBodyMovesInEachSecondAndNoneLeaves() {
        EngineBodies<?> world = machine(BODIES);
        Machine machine = of(world);
        try (InlineDriver driver = PhysicsService.builder(world).inline(clock)) {
            List<Vector3d> before = places(world);
            for (int second = 1; second <= 10; second++) {
                for (int press = 0; second == 5 && press < 6; press++) {
                    driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, SPACE, 0, 0);
                }
                for (int i = 0; i < 100; i++) {
                    tick(driver, 1);
                    assertThat(places(world)).allMatch(machine.shape()::isInDrum);
                }
                List<Vector3d> after = places(world);
                for (int body = 0; body < BODIES; body++) {
                    assertThat(after.get(body).distance(before.get(body)))
                            .as("body " + body + " in second " + second)
                            .isGreaterThan(0.005);
                }
                before = after;
            }
        }
    }

    @Test
    void aThrownOutBodyComesBackByATeleport() throws Exception {
        try (EngineBodies<?> world = machine(BODIES)) {
            TickDriver driver = new TickDriver(world, RATE);
            driver.step(10);
            driver.capture();
            world.moveBody(3, 100, 50, 0);
            driver.step(1);
            assertThat(of(world).shape().isInDrum(world.position(3))).isTrue();
            assertThat(driver.capture().motion(0).breaks().count()).isEqualTo(1);
        }
    }

    private static SeededWorld pushed(Simulation world) {
        return new SeededWorld(world, 20, builder -> builder);
    }

    /**
     * Checks the engine of the main job. The other engines allocate in their own steps, or their bindings do where contacts begin and end.
     */
    @Test
    void twentyTicksWithInputAllocateNothingOnceTheyAreCompiled() {
        if (engine == Engine.JOLT || engine == Engine.BOX2D) {
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long fewestBytes = Long.MAX_VALUE;
            try (SeededWorld pushed = pushed(machine(BODIES))) {
                for (int round = 0; round < 500 && fewestBytes > 0; round++) { // until the JIT has resolved the strings
                    long before = threads.getCurrentThreadAllocatedBytes();
                    pushed.run(1, pushed.tick() + 20);
                    fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
                }
            }
            assertThat(fewestBytes).isZero();
        }
    }

    @Test
    void sineAndCosineAreThoseOfEachAngle() {
        for (double angle = -40; angle < 40; angle += 0.01) {
            assertThat(Sine.of(angle)).isCloseTo(StrictMath.sin(angle), within(1e-13));
            assertThat(Sine.cosine(angle)).isCloseTo(StrictMath.cos(angle), within(1e-13));
        }
        assertThat(Sine.of(1e-9)).isEqualTo(1e-9);
        assertThat(Sine.of(-1e6)).isCloseTo(StrictMath.sin(-1e6), within(1e-9));
    }

    /** Checks that the saved state includes the escapement's. */
    @Test
    void aRestoredEngineRepeatsTheRun() {
        if (engine == Engine.JOLT) {
            SyncTest test = SyncTest.of((JoltBodies) machine(BODIES));
            try (SeededWorld pushed = pushed(test)) {
                pushed.run(1, 300); // the wheel moves from tick 110 to 130
            }
            assertThat(test.divergence()).isEmpty();
        }
    }

    @Test
    void aStateFromBeforeStressRepeatsTheRun() throws Exception {
        if (engine == Engine.JOLT) {
            try (JoltBodies world = (JoltBodies) engine.pile(BODIES)) { // the drum follows the tick number
                TickDriver driver = new TickDriver(world, RATE);
                SplittableRandom random = new SplittableRandom(3);
                world.stress(random);
                driver.step(20);
                driver.capture();
                StateBuffer before = new StateBuffer();
                world.save(before);
                driver.step(30);
                driver.capture();
                long hash = world.hash();
                for (int i = 0; i < 50; i++) {
                    world.stress(random);
                }
                driver.step(1);
                driver.capture();
                before.rewind();
                world.restore(before);
                driver.step(30);
                driver.capture();
                assertThat(world.hash()).isEqualTo(hash);
            }
        }
    }

    @Test
    void anyNumberOfBodiesHasRoom() throws Exception {
        int many = engine == Engine.JOLT ? 10_000 : 300;
        for (int bodies : new int[] {0, 1, many}) {
            try (EngineBodies<?> world = machine(bodies)) {
                TickDriver driver = new TickDriver(world, RATE);
                driver.step(3);
                assertThat(driver.capture().poses().slotCount()).isEqualTo(world.bodyCount());
                assertThat(driver.quarantinedPoses()).isZero();
                assertThat(places(world)).hasSize(bodies).allMatch(of(world).shape()::isInDrum);
            }
        }
    }

    private static List<Vector3d> places(EngineBodies<?> world) {
        List<Vector3d> places = new ArrayList<>();
        for (int body = 0; body < world.pushableCount(); body++) {
            places.add(new Vector3d(world.position(body)));
        }
        return places;
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * RATE.nanosAt(1));
        assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(ticks);
    }
}
