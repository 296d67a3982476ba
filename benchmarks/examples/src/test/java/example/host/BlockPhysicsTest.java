package example.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockPhysicsTest {

    private static final long GAME_TICK_NANOS = 50_000_000;
    private static final long CRATE = 4_711;

    private final ManualClock clock = new ManualClock(0);
    private final List<InlineDriver> drivers = new ArrayList<>();
    private final BlockPhysics physics = new BlockPhysics(builder -> {
        drivers.add(builder.inline(clock));
        return drivers.get(0);
    });
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

    private void gameTicks(int count) {
        for (int i = 0; i < count; i++) {
            clock.advance(GAME_TICK_NANOS);
            drivers.get(0).runDueTicks();
            heights.clear();
            physics.tick(clock.nanoTime(), (entity, position, rotation) -> heights.put(entity, position.y));
        }
    }

    @Test
    void shouldLetEntitiesFallWhereBlocksWereDugAndSaveThem() {
        gameTicks(60);
        var dug = physics.load(-1, 1, flat(2));
        gameTicks(60);
        assertThat(dug.join().value()).as("whether there was a ground before").isTrue();
        assertThat(heights.get(CRATE)).isCloseTo(2.5f, within(0.05f));
        var last = physics.remove(CRATE);
        var unloaded = physics.unload(-1, 1);
        gameTicks(2);
        assertThat(last.join().value().yy()).isCloseTo(2.5, within(0.05));
        assertThat(unloaded.join().value()).isTrue();
        assertThat(heights).isEmpty();
        var twice = physics.remove(CRATE);
        gameTicks(1);
        assertThatThrownBy(twice::join).hasMessageContaining("there is no entity 4711");
    }
}
