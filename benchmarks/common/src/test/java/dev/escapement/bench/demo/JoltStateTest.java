package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickDriver;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.replay.SyncTest;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jolt's state looked at, saved, restored, recorded and replayed. */
class JoltStateTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BOXES = 60;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void theSameTicksFollowARestoredState() throws Exception {
        try (JoltPile simulation = new JoltPile(new BoxPile(BOXES));
                JoltPile other = new JoltPile(new BoxPile(BOXES))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            driver.offer(InputKind.KEY_DOWN, 87, 0, 0); // held from now on
            driver.step(60); // in the middle of the fall, with many contacts
            StateBuffer saved = new StateBuffer();
            simulation.save(saved);
            List<Long> once = hashes(simulation, driver);
            saved.rewind();
            simulation.restore(saved);
            assertThat(hashes(simulation, driver)).isEqualTo(once);
            saved.rewind();
            other.restore(saved);
            TickDriver otherDriver = new TickDriver(other, RATE);
            otherDriver.offer(InputKind.KEY_DOWN, 87, 0, 0); // input is no part of the state
            assertThat(hashes(other, otherDriver)).isEqualTo(once);
        }
    }

    private static List<Long> hashes(JoltPile simulation, TickDriver driver) throws Exception {
        List<Long> hashes = new ArrayList<>();
        for (int tick = 0; tick < 140; tick++) {
            driver.step(1);
            hashes.add(simulation.hash());
        }
        assertThat(hashes).doesNotHaveDuplicates();
        return hashes;
    }

    @Test
    void everyChangeChangesTheHashAndWhatIsRead() throws Exception {
        try (JoltPile simulation = new JoltPile(new BoxPile(BOXES))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            StateBuffer saved = new StateBuffer();
            simulation.save(saved);
            long first = simulation.hash();
            assertThat(simulation.hash()).isEqualTo(first);
            simulation.push(7, 1, 0, 0);
            long pushed = simulation.hash();
            long[] bits = new long[simulation.stateComponents().size()];
            simulation.readState(7, bits, 0);
            assertThat(Float.intBitsToFloat((int) bits[7])).as("velocity x").isGreaterThan(0.9f);
            driver.step(1);
            assertThat(List.of(pushed, simulation.hash()))
                    .doesNotHaveDuplicates()
                    .doesNotContain(first);
            saved.rewind();
            simulation.restore(saved);
            assertThat(simulation.hash()).isEqualTo(first);
        }
    }

    @Test
    void whatSleptIsCapturedAfterARestore() throws Exception {
        try (JoltPile simulation = new JoltPile(new BoxPile(1))) {
            TickDriver driver = new TickDriver(simulation, RATE);
            StateBuffer saved = new StateBuffer();
            driver.step(300);
            simulation.save(saved);
            float before = driver.capture().poses().block(0).px[0];
            driver.offer(InputKind.APPLICATION, PushControls.PUSH_ONE, 0, 5);
            for (int tick = 0; tick < 600; tick++) {
                driver.step(1);
                driver.capture();
            }
            float elsewhere = driver.capture().poses().block(0).px[0];
            assertThat(elsewhere).isGreaterThan(before + 1);
            saved.rewind();
            simulation.restore(saved);
            assertThat(driver.capture().poses().block(0).px[0])
                    .as("asleep then and now, but not here")
                    .isEqualTo(before);
        }
    }

    @Test
    void nothingIsFoundWhenEveryTickIsSteppedTwice() {
        JoltPile alone = new JoltPile(new BoxPile(BOXES));
        JoltPile tested = new JoltPile(new BoxPile(BOXES));
        SyncTest test = SyncTest.of(tested);
        try (InlineDriver aloneDriver = PhysicsService.builder(alone).inline(clock);
                InlineDriver testDriver = PhysicsService.builder(test).inline(clock)) {
            play(aloneDriver, testDriver);
            assertThat(test.divergence()).isEmpty();
            assertThat(tested.hash()).isEqualTo(alone.hash());
            assertThat(alone.position(7).y()).as("dragged").isGreaterThan(15);
        }
    }

    @Test
    void aStateOfAnotherPileIsRefused() {
        try (JoltPile simulation = new JoltPile(new BoxPile(3));
                JoltPile other = new JoltPile(new BoxPile(4))) {
            StateBuffer saved = new StateBuffer();
            other.save(saved);
            saved.rewind();
            assertThatIllegalStateException()
                    .isThrownBy(() -> simulation.restore(saved))
                    .withMessageMatching(
                            "by the engine's ids, \\[\\d+] are not attached any more, and \\[] have come since.*");
        }
    }

    private void play(InlineDriver... drivers) {
        for (int tick = 0; tick < 200; tick++) {
            for (InlineDriver driver : drivers) {
                if (tick % 10 == 0) {
                    driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, tick, 3);
                    driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, tick % 20 == 0 ? 87 : 68, 0, 0);
                }
                if (tick == 5) {
                    DragInput.hold(driver.input(), clock.nanoTime(), BodyId.of(7, 1));
                    DragInput.to(driver.input(), clock.nanoTime(), 20, 30, 0);
                }
            }
            clock.advance(10_000_000);
            for (InlineDriver driver : drivers) {
                driver.runDueTicks();
            }
        }
    }

    /** The binding returns velocities as objects, which the JIT compiler removes. */
    @Test
    void lookingAtBodiesAllocatesNothingOnceItIsCompiled() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (JoltPile simulation = new JoltPile(new BoxPile(BOXES))) {
            long[] bits = new long[simulation.stateComponents().size()];
            long sum = 0;
            long fewestBytes = Long.MAX_VALUE;
            for (int round = 0; round < 20_000 && fewestBytes > 0; round++) { // a busy machine compiles late
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 20; i++) {
                    simulation.push(0, 0, 0, 0); // the state has to be read again
                    sum += simulation.hash();
                    for (int body = 0; body < BOXES; body++) {
                        simulation.readState(body, bits, 0);
                        sum += bits[7];
                    }
                }
                fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(sum).isNotZero();
            assertThat(fewestBytes).isZero();
        }
    }
}
