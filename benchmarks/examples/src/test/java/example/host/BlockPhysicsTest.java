package example.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.state.time.ManualClock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host of 20 Hz, three ticks of physics in each of its own. */
class BlockPhysicsTest {

    private static final long HOST_TICK_NANOS = 50_000_000;
    private static final long CRATE = 4_711;

    private final ManualClock clock = new ManualClock(0);
    private final JoltWorldSimulation simulation = BlockPhysics.emptyWorld();
    private final InlineDriver driver =
            PhysicsService.builder(simulation).rate(BlockPhysics.RATE).inline(clock);
    private final BlockPhysics physics = new BlockPhysics(simulation, driver);
    private final Map<Long, Float> heights = new HashMap<>();

    @BeforeEach
    void putCrateAboveFourBlocks() {
        assertThat(physics.load(-1, 1, flat(4))).isNotDone();
        physics.add(CRATE, -8.5, 6, 24.5);
    }

    @AfterEach
    void close() {
        physics.close();
    }

    private static int[] flat(int height) {
        int[] heights = new int[256];
        Arrays.fill(heights, height);
        return heights;
    }

    private void hostTicks(int count) {
        for (int i = 0; i < count; i++) {
            clock.advance(HOST_TICK_NANOS);
            driver.runDueTicks();
            heights.clear();
            physics.tick(clock.nanoTime(), (entity, position, rotation) -> heights.put(entity, position.y));
        }
    }

    @Test
    void shouldPutTheHostsEntityOnItsBlocks() {
        hostTicks(60);
        assertThat(heights).containsOnlyKeys(CRATE);
        assertThat(heights.get(CRATE)).isCloseTo(4.5f, within(0.05f));
    }

    @Test
    void shouldLetEntitiesFallWhereBlocksWereDug() {
        hostTicks(60);
        var dug = physics.load(-1, 1, flat(2));
        hostTicks(60);
        assertThat(dug.join().value()).as("whether there was a ground before").isTrue();
        assertThat(heights.get(CRATE)).isCloseTo(2.5f, within(0.05f));
    }

    @Test
    void shouldTakeAChunkWithoutBlocks() {
        var emptied = physics.load(-1, 1, flat(0));
        hostTicks(60);
        assertThat(emptied.join().value()).isTrue();
        assertThat(heights.get(CRATE)).isNegative();
    }

    @Test
    void shouldSaveAnEntityWithItsChunk() {
        hostTicks(60);
        var last = physics.remove(CRATE);
        var unloaded = physics.unload(-1, 1);
        hostTicks(2);
        assertThat(last.join().value().yy()).isCloseTo(4.5, within(0.05));
        assertThat(unloaded.join().value()).isTrue();
        assertThat(heights).isEmpty();
        var twice = physics.remove(CRATE);
        hostTicks(1);
        assertThatThrownBy(twice::join).hasMessageContaining("there is no entity 4711");
    }
}
