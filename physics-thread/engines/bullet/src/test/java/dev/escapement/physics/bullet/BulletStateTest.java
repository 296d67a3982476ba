package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.log.InputLog;
import dev.escapement.physics.log.Recording;
import dev.escapement.physics.log.RunDescription;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.physics.scene.PushControls;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bullet's state looked at, recorded and replayed, and what that allocates. */
class BulletStateTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BOXES = 60;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void everyChangeChangesTheHashAndWhatIsRead() throws Exception {
        try (BulletSimulation simulation = new BulletSimulation(new BoxPile(BOXES))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            long[] bits = new long[simulation.stateComponents().size()];
            long first = simulation.hash();
            assertThat(simulation.hash()).isEqualTo(first);
            simulation.push(7, 1, 0, 0);
            long pushed = simulation.hash();
            simulation.readState(7, bits, 0);
            assertThat(Float.intBitsToFloat((int) bits[12])).as("velocity x").isEqualTo(1);
            driver.step(1);
            assertThat(pushed).isNotEqualTo(first);
            assertThat(simulation.hash()).isNotIn(first, pushed);
            simulation.readState(7, bits, 0);
            assertThat((double) Float.intBitsToFloat((int) bits[0]))
                    .as("position x")
                    .isEqualTo(simulation.x(7));
            assertThat((double) Float.intBitsToFloat((int) bits[2]))
                    .as("position z")
                    .isEqualTo(simulation.z(7));
        }
    }

    @Test
    void aRecordedRunIsRepeatedAndADifferenceNamed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("bullet");
        try (Recording recording = Recording.create(file, new RunDescription("bullet", "", "pile", 0, RATE));
                InlineDriver driver = PhysicsService.builder(new BulletSimulation(new BoxPile(BOXES)))
                        .record(recording)
                        .inline(clock)) {
            for (int tick = 0; tick < 200; tick++) {
                driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, tick, 3);
                clock.advance(RATE.nanosAt(1));
                driver.runDueTicks();
            }
        }
        InputLog log = InputLog.open(file);
        try (InlineDriver driver = replay(log, new BulletSimulation(new BoxPile(BOXES)))) {
            assertThat(driver.runDueTicks()).isEqualTo(200);
            assertThat(driver.divergence()).isEmpty();
        }
        BulletSimulation pushed = new BulletSimulation(new BoxPile(BOXES));
        pushed.push(41, 0, 0, 0.01);
        try (InlineDriver driver = replay(log, pushed)) {
            driver.runDueTicks();
            assertThat(driver.divergence().orElseThrow().tick()).isEqualTo(1);
            assertThat(driver.divergence().orElseThrow().body()).isEqualTo(41);
            assertThat(driver.divergence().orElseThrow().component()).isEqualTo("position z");
        }
    }

    private InlineDriver replay(InputLog log, BulletSimulation simulation) {
        InlineDriver driver = PhysicsService.builder(simulation).replay(log).inline(clock);
        clock.advance(10_000_000_000L);
        return driver;
    }

    @Test
    void aTickItsCaptureAndALookAtTheStateAllocateNothingOnceTheyAreCompiled() throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BulletSimulation simulation = new BulletSimulation(new BoxPile(BOXES))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            long fewestBytes = Long.MAX_VALUE;
            for (int round = 0; round < 20_000 && fewestBytes > 0; round++) { // a busy machine compiles late
                simulation.push(round % BOXES, 0, 1, 0); // awake
                long before = threads.getCurrentThreadAllocatedBytes();
                driver.step(1);
                driver.capture();
                long hash = simulation.hash();
                fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
                assertThat(hash).isNotZero();
            }
            assertThat(fewestBytes).isZero();
        }
    }
}
