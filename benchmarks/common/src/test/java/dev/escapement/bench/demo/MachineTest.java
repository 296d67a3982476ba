package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.joml.Vector3d;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

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
            for (int halfSwing = 0; halfSwing < 4; halfSwing++) {
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
                if (halfSwing > 0) { // the first half swing is incomplete, because it began before the measurement
                    assertThat(amplitude).isCloseTo(Machine.AMPLITUDE, within(0.02));
                    assertThat(ticks).isBetween(180, 230);
                }
            }
            tick(driver, 100);
            assertThat(-machine.wheelAngle() / MachineParts.WHEEL_PITCH)
                    .isCloseTo((double) machine.teeth(), within(0.05));
        }
    }

    @Test
    void everyBodyMovesInEachSecondAndNoneLeaves() {
        EngineBodies<?> world = machine(BODIES);
        Machine machine = of(world);
        try (InlineDriver driver = PhysicsService.builder(world).inline(clock)) {
            List<Vector3d> before = places(world);
            for (int second = 1; second <= 6; second++) {
                for (int press = 0; second == 3 && press < 6; press++) {
                    driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, SPACE, 0, 0);
                }
                for (int i = 0; i < 100; i++) {
                    tick(driver, 1);
                    assertThat(places(world)).hasSize(BODIES).allMatch(machine.shape()::isInDrum);
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

    @Test
    void aPushWakesASleepingBox() throws Exception {
        try (EngineBodies<?> world = engine.pile(1)) {
            TickDriver driver = new TickDriver(world, RATE);
            driver.step(300);
            long asleep = world.hash();
            driver.step(1);
            assertThat(world.hash()).isEqualTo(asleep);
            Vector3d before = new Vector3d(world.position(0));
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5);
            driver.step(10);
            Vector3d moved = new Vector3d(world.position(0)).sub(before);
            // The push a tenth of a second ago gave 5 m/s upwards and along x.
            assertThat(moved.y).isBetween(0.4, 0.5);
            assertThat(moved.x).isBetween(0.45, 0.51);
            assertThat(moved.z).isBetween(-0.01, 0.01);
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

    /** A closed world must throw, because access to freed native objects would crash the JVM. */
    @Test
    void aClosedWorldIsRefused() {
        EngineBodies<?> world = machine(3);
        world.close();
        world.close();
        assertThatThrownBy(() -> world.position(0)).hasMessageContaining("was closed");
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
