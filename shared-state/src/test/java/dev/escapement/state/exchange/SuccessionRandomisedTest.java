package dev.escapement.state.exchange;

import static dev.escapement.state.exchange.ExchangeFixture.assertConsecutiveAndWhole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exchanges that follow one another, most of them before they have a window: random steps, all that must hold after each. */
class SuccessionRandomisedTest {

    private static final int WINDOW_SIZE = 3;

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3"})
    void shouldGiveEveryReaderTheNewestWindowThroughAllSuccessions(int readers, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Lives lives = new Lives(readers);
        @Nullable Seated[] seated = new Seated[readers];
        for (int step = 0; step < 10_000; step++) {
            int action = random.nextInt(readers + 3);
            if (action == readers + 2) {
                lives.restart();
            } else if (action >= readers) {
                lives.publish(random.nextInt(1, 4));
            } else if (seated[action] == null) {
                seated[action] = new Seated(lives.current.exchange.attach(), lives.count);
            } else if (random.nextInt(20) == 0) {
                seated[action].reader.close();
                seated[action] = null;
            } else {
                seated[action].acquire(lives);
            }
            for (Seated one : seated) {
                if (one != null && one.reader.hasWindow()) {
                    assertConsecutiveAndWhole(one.reader.window());
                    assertThat(one.reader.window().newestTick()).isEqualTo(one.held);
                }
            }
        }
    }

    @Test
    void shouldKeepOneExchangePerReaderTheNewestWithAWindowAndTheCurrentOne() {
        int readers = 2;
        Lives lives = new Lives(readers);
        SnapshotReader idle = lives.current.exchange.attach();
        SnapshotReader minimised = lives.current.exchange.attach();
        lives.publish(WINDOW_SIZE);
        idle.acquire();
        List<WeakReference<Snapshot>> all = new ArrayList<>();
        for (int restart = 0; restart < 300; restart++) {
            all.add(snapshotOf(lives.current.exchange));
            lives.restart();
            lives.publish(restart % (WINDOW_SIZE + 1)); // one of four has a window
            if (restart == 150) {
                minimised.acquire();
            }
        }
        for (int look = 0; look < 100 && reachable(all) > readers + 1; look++) {
            System.gc();
        }
        assertThat(reachable(all)).as("beside the current one").isLessThanOrEqualTo(readers + 1);
        assertThat(idle.window().newestTick()).isEqualTo(WINDOW_SIZE);
        assertConsecutiveAndWhole(idle.window());
        assertThat(minimised.window().newestTick()).isLessThan(lives.newestWindow(0));
        for (SnapshotReader reader : List.of(idle, minimised)) {
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().newestTick()).isEqualTo(lives.newestWindow(0));
        }
    }

    @Test
    void shouldLetGoOfAllExchangesOfReadersThatWereClosed() {
        Lives lives = new Lives(1);
        List<SnapshotReader> closed = new ArrayList<>();
        List<WeakReference<Snapshot>> all = new ArrayList<>();
        for (int restart = 0; restart < 50; restart++) {
            lives.publish(WINDOW_SIZE);
            SnapshotReader reader = lives.current.exchange.attach();
            reader.acquire();
            reader.close();
            closed.add(reader);
            all.add(snapshotOf(lives.current.exchange));
            lives.restart();
        }
        for (int look = 0; look < 100 && reachable(all) > 1; look++) {
            System.gc();
        }
        assertThat(reachable(all)).as("beside the current one").isLessThanOrEqualTo(1);
        assertThat(closed).noneMatch(SnapshotReader::hasWindow);
    }

    @Test
    void shouldCloseAReaderThatHasSeenNoneOfManySuccessors() {
        Lives lives = new Lives(1);
        SnapshotReader reader = lives.current.exchange.attach();
        for (int restart = 0; restart < 20_000; restart++) {
            lives.restart();
        }
        reader.close();
        assertThat(lives.current.exchange.attach()).isNotNull();
    }

    /** One of its snapshots, all of which each of its slots refers to. */
    private static WeakReference<Snapshot> snapshotOf(SnapshotExchange exchange) {
        return new WeakReference<>(exchange.writer().nextSnapshot());
    }

    private static long reachable(List<WeakReference<Snapshot>> all) {
        return all.stream().filter(snapshot -> !snapshot.refersTo(null)).count();
    }

    /** One exchange after the other, and the newest window of each. */
    private static final class Lives {

        private final int readers;
        private final List<Long> newestWindows = new ArrayList<>();
        private int published;
        int count;
        ExchangeFixture current;

        Lives(int readers) {
            this.readers = readers;
            current = new ExchangeFixture(WINDOW_SIZE, readers);
            newestWindows.add(0L);
        }

        void restart() {
            ExchangeFixture next = new ExchangeFixture(WINDOW_SIZE, readers, current.published);
            current.exchange.handOnTo(next.exchange);
            current = next;
            published = 0;
            count++;
            newestWindows.add(0L);
        }

        void publish(int ticks) {
            current.publish(ticks);
            published += ticks;
            if (published >= WINDOW_SIZE) {
                newestWindows.set(count, current.published);
            }
        }

        /** The newest window since a life, 0 for none. */
        long newestWindow(int firstLife) {
            return newestWindows.subList(firstLife, count + 1).stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElseThrow();
        }
    }

    /** A reader, the life in which it attached, and the tick of the window that it holds. */
    private static final class Seated {

        final SnapshotReader reader;
        private final int firstLife;
        long held;

        Seated(SnapshotReader reader, int firstLife) {
            this.reader = reader;
            this.firstLife = firstLife;
        }

        void acquire(Lives lives) {
            long newest = lives.newestWindow(firstLife);
            boolean changed = reader.acquire();
            assertThat(changed).as("fresh").isEqualTo(newest != held);
            assertThat(reader.hasWindow()).isEqualTo(newest > 0);
            held = newest;
        }
    }
}
