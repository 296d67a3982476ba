package dev.escapement.physics.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.world.BodyShape.Form;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryWorldTest {

    private static final double[] ZERO = new double[3];

    /** Describes bodies by their names, and counts the calls. */
    private static final class CountingEngine implements QueryBodies<String, String>, QueryEngine<String, String> {

        final List<String> present = new ArrayList<>();
        final List<String> freed = new ArrayList<>();
        int described;
        int moves;
        int prepared;
        double lastX;

        @Override
        public String describe(String body) {
            described++;
            return body;
        }

        @Override
        public int describeFixed(Predicate<String> attached, BiConsumer<Object, String> fixed) {
            fixed.accept("floor", "floor");
            return 0;
        }

        @Override
        public QueryEngine<String, ?> open() {
            return this;
        }

        @Override
        public String add(String body, int slot) {
            present.add(body);
            return body;
        }

        @Override
        public void remove(String copy) {
            present.remove(copy);
        }

        @Override
        public void move(String copy, double x, double y, double z, float qx, float qy, float qz, float qw) {
            moves++;
            lastX = x;
        }

        @Override
        public void moved() {
            prepared++;
        }

        @Override
        public void free(String body) {
            freed.add(body);
        }

        @Override
        public void ray(double x, double y, double z, double wayX, double wayY, double wayZ, QueryHits hits) {}

        @Override
        public void overlap(
                Form form, double x, double y, double z, float qx, float qy, float qz, float qw, QueryHits hits) {}

        @Override
        public void sweep(
                Form form,
                double x,
                double y,
                double z,
                float qx,
                float qy,
                float qz,
                float qw,
                double wayX,
                double wayY,
                double wayZ,
                QueryHits hits) {}

        @Override
        public void close() {}
    }

    private final CountingEngine engine = new CountingEngine();
    private final QueryFeed<String, String> feed = new QueryFeed<>(engine, body -> true, ZERO, 20_000);
    private final WritableSnapshot snapshot = new WritableSnapshot(0, PoseLayout.PLAIN);

    private final ShownWorld moment = new ShownWorld() {
        @Override
        public Snapshot shown() {
            return snapshot;
        }

        @Override
        public PoseBlocks poses() {
            return snapshot.poses();
        }
    };

    private void bodies(int count) {
        snapshot.startTick(1, 0);
        snapshot.resize(count);
        for (int slot = 0; slot < count; slot++) {
            snapshot.bodyBlock(slot >> PoseBlock.SHIFT).spawn(slot & PoseBlock.MASK, 1, 1, slot);
            place(slot, slot);
            offer(slot, 1);
        }
    }

    private void offer(int slot, long tick) {
        assertThat(feed.offer("body" + slot, BodyId.of(slot, 1), slot, tick, tick))
                .isTrue();
    }

    private void place(int slot, float x) {
        snapshot.poses().blockOf(slot).set(slot & PoseBlock.MASK, x, 0, 0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000})
    void shouldMoveOnlyWhatHasMoved(int count) {
        bodies(count);
        try (QueryWorld queries = feed.open(0)) {
            queries.at(moment);
            assertThat(engine.moves).isEqualTo(count);
            assertThat(engine.present).hasSize(count + 1);
            for (int tick = 2; tick < 5; tick++) {
                engine.moves = 0;
                engine.prepared = 0;
                snapshot.startTick(tick, 0);
                for (int i = 0; i < 10; i++) {
                    place(i * count / 10, tick + 0.5f);
                }
                queries.at(moment);
                assertThat(engine.moves).isEqualTo(10);
                queries.at(moment);
                assertThat(engine.moves).isEqualTo(10);
                assertThat(engine.prepared).isEqualTo(1);
            }
            assertThat(engine.described).as("nothing per tick").isEqualTo(count);
        }
    }

    @Test
    void shouldMoveAllBodiesWithTheOrigin() {
        bodies(3);
        try (QueryWorld queries = feed.open(0)) {
            queries.at(moment);
            snapshot.origin(1e9, 0, 0);
            queries.at(moment);
            assertThat(engine.moves).isEqualTo(6);
            assertThat(engine.lastX).isEqualTo(1e9 + 2);
        }
    }

    @Test
    void shouldAllocateNothingOnceAllBodiesAreThere() {
        bodies(1_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        try (QueryWorld queries = feed.open(0)) {
            for (int round = 0; round < 300; round++) {
                snapshot.startTick(round + 2, 0);
                place(round, -round);
                long before = threads.getCurrentThreadAllocatedBytes();
                queries.at(moment);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        assertThat(least).isZero();
    }

    @Test
    void shouldSayThatItWasNotAskedForTooLong() {
        QueryFeed<String, String> small = new QueryFeed<>(engine, body -> true, ZERO, 2);
        bodies(0);
        try (QueryWorld queries = small.open(0)) {
            for (int slot = 5; slot < 9; slot++) { // the bodies of a large world
                assertThat(small.offer("present", BodyId.of(slot, 1), 0, QueryFeed.ALWAYS, 0))
                        .isTrue();
            }
            assertThat(small.offer("a", BodyId.of(0, 1), 0, 1, 1)).isTrue();
            assertThat(small.offer("b", BodyId.of(1, 1), 0, 1, 1)).isTrue();
            queries.at(moment);
            assertThat(small.offer("c", BodyId.of(2, 1), 0, 1, 1)).isTrue();
            assertThat(small.offer("d", BodyId.of(3, 1), 0, 1, 1)).isTrue();
            assertThat(small.offer("e", BodyId.of(4, 1), 0, 1, 1)).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> queries.at(moment))
                    .withMessageContaining("more than 2 bodies came");
        }
    }

    @Test
    void shouldFreeEachDescriptionOnce() {
        bodies(2);
        QueryWorld queries = feed.open(0);
        queries.at(moment);
        offer(0, 2); // reshaped
        snapshot.startTick(2, 0);
        queries.at(moment);
        assertThat(engine.freed).containsExactly("body0");
        offer(1, 3);
        queries.close();
        assertThat(engine.freed).containsExactlyInAnyOrder("body0", "body0", "body1", "body1", "floor");
        assertThat(feed.isClosed()).isTrue();
        assertThat(feed.offer("late", BodyId.of(0, 1), 0, 4, 4)).isFalse();
        assertThat(engine.freed).hasSize(5);
    }

    /** A reader of an earlier tick must find the earlier shape, and a later one the later shape. */
    @Test
    void shouldShowTheDescriptionOfTheTick() {
        bodies(1);
        try (QueryWorld queries = feed.open(10)) {
            queries.at(moment);
            feed.offer("other", BodyId.of(0, 1), 0, 5, 5);
            snapshot.startTick(4, 0);
            queries.at(moment);
            assertThat(engine.present).containsExactly("floor", "body0");
            snapshot.startTick(5, 0);
            queries.at(moment);
            assertThat(engine.present).containsExactly("floor", "other");
            snapshot.startTick(4, 0);
            queries.at(moment);
            assertThat(engine.present).containsExactly("floor", "body0");
            snapshot.startTick(15, 0);
            queries.at(moment);
            assertThat(engine.present).containsExactly("floor", "other");
            assertThat(engine.freed).containsExactly("body0");
        }
    }
}
