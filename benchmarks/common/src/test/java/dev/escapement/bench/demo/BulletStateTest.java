package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.TickDriver;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Bullet's state looked at, recorded and replayed, and what that allocates. */
class BulletStateTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BOXES = 60;

    @Test
    void everyChangeChangesTheHashAndWhatIsRead() throws Exception {
        try (BulletPile simulation = new BulletPile(new BoxPile(BOXES))) {
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
                    .isEqualTo(simulation.position(7).x());
            assertThat((double) Float.intBitsToFloat((int) bits[2]))
                    .as("position z")
                    .isEqualTo(simulation.position(7).z());
        }
    }

    @Test
    void aTickItsCaptureAndALookAtTheStateAllocateNothingOnceTheyAreCompiled() throws Exception {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BulletPile simulation = new BulletPile(new BoxPile(BOXES))) {
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
