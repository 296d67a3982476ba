package example.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
    private int physicsTicks;

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
            physicsTicks += drivers.get(0).runDueTicks();
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

    @Test
    void shouldSaveWithoutWaitingForTheDiskAndRestore() {
        CountDownLatch disk = new CountDownLatch(1);
        gameTicks(60);
        var file = physics.save().thenApplyAsync(state -> {
            Await.open(disk);
            return state;
        });
        gameTicks(1);
        var thrown = physics.throwUp(CRATE, 4);
        gameTicks(8);
        assertThat(thrown).isCompleted();
        assertThat(heights.get(CRATE)).as("in the air").isGreaterThan(5f);
        assertThat(physicsTicks).isEqualTo(3 * 69);
        assertThat(file).isNotDone();
        disk.countDown();
        var restored = physics.restore(file.join());
        gameTicks(2);
        assertThat(restored).isCompleted();
        assertThat(heights.get(CRATE)).as("on the ground again").isCloseTo(4.5f, within(0.05f));
    }

    @Test
    void shouldTickOnlyWhileThereAreEntities() {
        gameTicks(2);
        var last = physics.remove(CRATE);
        gameTicks(1);
        physicsTicks = 0;
        var dug = physics.load(-1, 1, flat(2));
        gameTicks(20);
        assertThat(physicsTicks).isZero();
        assertThat(last).isCompleted();
        assertThat(dug.join().value()).as("chunks are replaced in a pause, too").isTrue();
        var removed = physics.remove(CRATE + 1);
        physics.add(CRATE, -8.5, 6, 24.5);
        gameTicks(21);
        assertThat(removed).isCompletedExceptionally();
        assertThat(physicsTicks).isBetween(60, 63);
    }
}
