package dev.escapement.physics.jolt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyIdArray;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Body by body, or many in one call: the same is read. */
class BodyReadsTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int TICKS = 60;
    private static final int CALLS_A_CAPTURE = 4;

    private final JoltGameWorld game = new JoltGameWorld();

    @AfterEach
    void close() {
        game.close();
    }

    @Test
    void shouldWriteTheSamePosesInFourCallsACapture() {
        List<float[]> single = posesOfATumble(game, game.simulate());
        try (JoltGameWorld other = new JoltGameWorld()) {
            BatchInterface batches = new BatchInterface(other.bodyInterface());
            List<float[]> inBatches = posesOfATumble(other, other.simulateInBatches(batches));
            assertThat(batches.calls).isEqualTo(CALLS_A_CAPTURE * TICKS);
            assertThat(inBatches).hasSameSizeAs(single).hasSizeGreaterThan(TICKS);
            for (int i = 0; i < single.size(); i++) {
                assertThat(inBatches.get(i)).isEqualTo(single.get(i));
            }
        }
    }

    /** Boxes that hit each other and turn, one of which is detached meanwhile and another one attached. */
    private static List<float[]> posesOfATumble(JoltGameWorld game, JoltWorldSimulation simulation) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            for (int i = 0; i < 10; i++) {
                simulation.attach(game.addBox(0.3 * i, 1 + 1.2 * i), i);
            }
            Body late = game.addBox(20, 5);
            Body gone = game.addBox(25, 5);
            simulation.attach(gone, 10);
            SnapshotReader reader = driver.newReader();
            List<float[]> poses = new ArrayList<>();
            for (int tick = 0; tick < TICKS; tick++) {
                if (tick == TICKS / 2) {
                    simulation.detach(gone);
                    simulation.attach(late, 11);
                }
                clock.advance(TICK_NANOS);
                assertThat(driver.runDueTicks()).isEqualTo(1);
                if (reader.acquire()) { // not before there are two ticks
                    addPoses(reader.window().newest().poses().block(0), poses);
                }
            }
            return poses;
        }
    }

    private static void addPoses(PoseBlock block, List<float[]> poses) {
        for (float[] column : List.of(block.px, block.py, block.pz, block.qx, block.qy, block.qz, block.qw)) {
            poses.add(Arrays.copyOf(column, 12));
        }
    }

    @Test
    void shouldReportActiveBodiesFromSleepingOnesAlsoBesideManyThatAreNotAttached() {
        AttachedBodies attached = new AttachedBodies();
        try (SingleReads reads = new SingleReads(game.world(), game.bodyInterface(), attached)) {
            assertThat(reads.read()).isEqualTo(AttachedBodies.NONE);
            Body active = game.addBox(0, 3);
            Body sleeping = game.addBox(3, 3);
            Body fixed = game.addPlatform(20, 3);
            game.bodyInterface().deactivateBody(sleeping.getId());
            game.bodyInterface().deactivateBody(fixed.getId());
            for (Body body : List.of(sleeping, active, fixed)) {
                attached.add(body);
            }
            for (int others = 0; others <= 20; others += 10) {
                for (int i = 0; i < others; i++) {
                    game.addBox(5 + 2 * i, 3);
                }
                assertThat(reads.read()).isEqualTo(AttachedBodies.NONE);
                assertThat(List.of(reads.isActive(0), reads.isActive(1), reads.isActive(2)))
                        .as("beside " + others)
                        .containsExactly(false, true, false);
            }
        }
    }

    @Test
    void shouldFindABodyThatIsNotInTheSystemAnyMore() {
        AttachedBodies attached = new AttachedBodies();
        try (BodyReads single = new SingleReads(game.world(), game.bodyInterface(), attached);
                BodyReads batches = requireNonNull(BatchReads.of(new BatchInterface(game.bodyInterface()), attached))) {
            attached.add(game.addBox(0, 3));
            Body destroyed = game.addBox(3, 3);
            attached.add(destroyed);
            assertThat(List.of(single.read(), batches.read())).containsOnly(AttachedBodies.NONE);
            game.remove(destroyed);
            game.addBox(6, 3); // in the memory and the place of the other
            assertThat(List.of(single.read(), batches.read())).containsOnly(1);
        }
    }

    @Test
    void shouldReadBodyByBodyThroughAnInterfaceThatLacksACall() {
        assertThat(BatchReads.of(new AddedOnly(), new AttachedBodies())).isNull();
    }

    /** A class that has one of the calls, but not all. */
    public static final class AddedOnly {
        public void areAdded(BodyIdArray ids, ByteBuffer status) {}
    }
}
