package dev.escapement.state.exchange;

import static dev.escapement.state.exchange.ExchangeFixture.assertConsecutiveAndWhole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.StackEnd;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotExchangeTest {

    private final ExchangeFixture fixture = new ExchangeFixture(3, 1);
    private final SnapshotReader reader = fixture.exchange.attach();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 100})
    void shouldHandOverConsecutiveTicksHoweverManyTheReaderSkips(int skipped) {
        fixture.publish(3);
        reader.acquire();
        for (int i = 0; i < 10; i++) {
            fixture.publish(skipped + 1);
            assertThat(reader.acquire()).isTrue();
            assertConsecutiveAndWhole(reader.window());
            assertThat(reader.window().newestTick()).isEqualTo(fixture.published);
        }
    }

    @Test
    void shouldHandOverTheSnapshotItselfAndNotACopy() {
        ExchangeFixture fixture = new ExchangeFixture(2, 1);
        SnapshotReader reader = fixture.exchange.attach();
        fixture.published = 41; // any tick may be the first
        fixture.publish();
        Snapshot written = fixture.write();
        fixture.publish();
        reader.acquire();
        assertThat(reader.window().newest()).isSameAs(written);
        assertThat(reader.window().oldestTick()).isEqualTo(42);
    }

    @Test
    void shouldSayThatNothingChanged() {
        assertThat(reader.acquire()).isFalse();
        fixture.publish(5);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.acquire()).isFalse();
        assertThat(reader.window().newestTick()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 5", "3, 1, 7", "2, 2, 7", "3, 2, 10", "4, 8, 37"})
    void shouldUseExactlyAsManySnapshotsAsItSays(int windowSize, int readers, int snapshots) {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        for (int i = 0; i < readers; i++) {
            fixture.publish(windowSize);
            // This reader keeps its window, which shares no snapshot with the others.
            fixture.exchange.attach().acquire();
        }
        Set<Snapshot> written = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            written.add(fixture.write());
            fixture.publish();
        }
        assertThat(written).as("what is left beside the held windows").hasSize(windowSize + 1);
        assertThat(readers * windowSize + written.size()).isEqualTo(snapshots);
    }

    @Test
    void shouldAlwaysGiveAReaderTheSameWindowObject() {
        ExchangeFixture fixture = new ExchangeFixture(3, 2);
        SnapshotReader reader = fixture.exchange.attach();
        SnapshotReader other = fixture.exchange.attach();
        fixture.publish(3);
        reader.acquire();
        other.acquire();
        Window window = reader.window();
        for (int i = 0; i < 10; i++) {
            fixture.publish();
            reader.acquire();
            assertThat(reader.window()).isSameAs(window).isNotSameAs(other.window());
            assertThat(window.newestTick()).isEqualTo(fixture.published);
            assertThat(other.window().newestTick()).isEqualTo(3);
        }
    }

    /** Each window keeps the publish delays of its own publish, though later ticks change them. */
    @Test
    void shouldCarryThePublishDelaysOfItsTime() {
        ExchangeFixture fixture = new ExchangeFixture(2, 2);
        SnapshotReader holding = fixture.exchange.attach();
        SnapshotReader reader = fixture.exchange.attach();
        fixture.publish(2, 5);
        holding.acquire();
        fixture.publish(1, 3);
        fixture.publish(1, 9);
        reader.acquire();
        assertThat(holding.window().smallestDelayNanos()).isEqualTo(5);
        assertThat(holding.window().largestDelayNanos()).isEqualTo(5);
        assertThat(holding.window().meanDelayNanos()).isEqualTo(5);
        assertThat(reader.window().smallestDelayNanos()).isEqualTo(3);
        assertThat(reader.window().largestDelayNanos()).isEqualTo(9);
    }

    /** A plain mean of 128 ticks would reach the delays under a load of one second only after that load has ended. */
    @ParameterizedTest
    @CsvSource({"800, 8000, 8010", "8000, 800, 790"})
    void shouldFollowTheMeanDelayWhenALoadChanges(long before, long after, long further) {
        ExchangeFixture fixture = new ExchangeFixture(2, 1);
        SnapshotReader reader = fixture.exchange.attach();
        fixture.publish(200, before);
        fixture.publish(9, after);
        fixture.publish(1, before);
        fixture.publish(9, after);
        reader.acquire();
        assertThat(reader.window().meanDelayNanos()).isNotCloseTo(after, Offset.offset(after / 8));
        fixture.publish(1, further);
        reader.acquire();
        assertThat(reader.window().meanDelayNanos()).isEqualTo(after);
    }

    /**
     * The writer reuses free snapshots in turn, and not the last released one first: that one is still in the cache of its reader's core,
     * and expensive to write.
     */
    @Test
    void shouldWriteAllFreeSnapshotsInTurn() {
        List<Snapshot> written = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            written.add(fixture.write());
            fixture.publish();
            reader.acquire();
        }
        assertThat(new HashSet<>(written)).hasSize(7);
        assertThat(written.subList(7, 14)).isEqualTo(written.subList(0, 7));
        assertThat(written.subList(14, 21)).isEqualTo(written.subList(0, 7));
    }

    @Test
    void shouldRefuseImpossibleSizes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExchangeFixture(1, 1))
                .withMessage("windowSize must be at least 2, because a frame lies between two snapshots, but is 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExchangeFixture(3, 0))
                .withMessage("maxReaders must be at least 1, but is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExchangeFixture(11, 1))
                .withMessage("windowSize must be at most 10, but is 11");
        assertThat(new ExchangeFixture(10, 5)).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExchangeFixture(10, 6))
                .withMessage("maxReaders must be at most 5 with a windowSize of 10, but is 6");
        assertThat(new ExchangeFixture(2, 30)).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExchangeFixture(2, Integer.MAX_VALUE))
                .withMessageContaining("with a windowSize of 2, but is 2147483647");
    }

    private static SnapshotReader attach(SnapshotExchange exchange) {
        return exchange.attach();
    }

    @Test
    void shouldNameTheHoldersAndProposeOnlyReadersThatFit() {
        SnapshotExchange full = new ExchangeFixture(10, 5).exchange;
        for (int i = 0; i < 5; i++) {
            attach(full);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> attach(full))
                .withMessageContaining("SnapshotExchangeTest.attach(SnapshotExchangeTest.java:")
                .withMessageEndingWith("; close one; with windows this long, there can be no more");
    }

    @Test
    void shouldRefuseMisuseByItsUser() {
        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.exchange.attach())
                .withMessageStartingWith("all 1 readers are attached");
        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.exchange.writer().publish(fixture.timeline, 0))
                .withMessageContaining("tick (none) cannot follow tick (none)");
        assertThatIllegalStateException()
                .isThrownBy(reader::window)
                .withMessageStartingWith("there is no window yet: it takes 3 published ticks");
        fixture.publish();
        fixture.exchange.writer().nextSnapshot().startTick(7, 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.exchange.writer().publish(fixture.timeline, 0))
                .withMessage(
                        "tick 7 cannot follow tick 1: ticks are consecutive, and each is written after nextSnapshot()");
        reader.close();
        reader.close();
        assertThatIllegalStateException()
                .isThrownBy(reader::acquire)
                .withMessage("this snapshot reader was detached; attach a new one");
    }

    @Test
    void shouldRefuseASecondThreadOfAReader() {
        reader.acquire();
        assertThatIllegalStateException()
                .isThrownBy(() -> onAnotherThread(reader::acquire))
                .withMessageContaining("a snapshot reader belongs to one thread");
        assertThatIllegalStateException()
                .isThrownBy(() -> onAnotherThread(reader::close))
                .withMessageContaining(
                        "' used one that belongs to '" + Thread.currentThread().getName() + "'");
    }

    @Test
    void shouldRefuseASecondThreadOfTheWriter() {
        fixture.publish();
        assertThatIllegalStateException()
                .isThrownBy(() -> onAnotherThread(fixture::publish))
                .withMessageContaining("a snapshot writer belongs to one thread");
    }

    @Test
    void shouldLetAReaderBeHandedOver() {
        fixture.publish(3);
        reader.acquire();
        reader.handOver();
        onAnotherThread(() -> {
            assertThat(reader.window().newestTick()).isEqualTo(3);
            assertThatIllegalStateException()
                    .isThrownBy(() -> onAnotherThread(reader::acquire))
                    .withMessageContaining("belongs to one thread");
        });
    }

    private static void onAnotherThread(Runnable action) {
        try {
            FutureTask<?> task = new FutureTask<>(action, null);
            Thread thread = new Thread(task);
            thread.start();
            thread.join();
            task.get();
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTakeOverTheWindowOfTheSlotsLastReader() {
        ExchangeFixture fixture = new ExchangeFixture(3, 1);
        fixture.publish(3);
        SnapshotReader first = fixture.exchange.attach();
        first.acquire();
        first.close();
        SnapshotReader takesOver = fixture.exchange.attach();
        assertThat(takesOver.acquire()).isTrue();
        assertThat(takesOver.window().newestTick()).isEqualTo(3);
        assertConsecutiveAndWhole(takesOver.window());
        assertThat(takesOver.windowSize()).isEqualTo(3);
        takesOver.close();
        assertThat(takesOver.hasWindow()).isFalse();
        fixture.publish(5);
        SnapshotReader takes = fixture.exchange.attach();
        takes.acquire();
        assertThat(takes.window().newestTick()).isEqualTo(8);
    }

    /** Each reader but one holds a timeline. The last reader continues and sees all remaining timelines. */
    @ParameterizedTest
    @CsvSource({"2, 1, 3", "3, 2, 4", "4, 8, 10"})
    void shouldUseExactlyAsManyTimelinesAsItSays(int windowSize, int readers, int timelines) {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        fixture.publish(windowSize);
        Set<Timeline> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        SnapshotReader reader = fixture.exchange.attach();
        for (int i = 0; i < readers + 100; i++) {
            fixture.changeTimeline();
            fixture.publish();
            reader.acquire();
            seen.add(reader.window().timeline());
            if (i < readers - 1) {
                reader = fixture.exchange.attach();
            }
        }
        assertThat(seen).hasSize(timelines);
    }

    @Test
    void shouldCopyATimelineOnlyWhenItHasChanged() {
        fixture.publish(3);
        reader.acquire();
        Timeline first = reader.window().timeline();
        for (int i = 0; i < 10; i++) {
            fixture.publish();
            reader.acquire();
            assertThat(reader.window().timeline()).isSameAs(first).isNotSameAs(fixture.timeline);
        }
        Timeline another = new Timeline(fixture.timeline.rate());
        another.start(7); // a different timeline with the same number of changes
        fixture.exchange.writer().publishTimeline(another);
        reader.acquire();
        assertThat(reader.window().timeline().simNanosAt(8)).isEqualTo(1);
    }

    @Test
    void shouldLetAnyThreadCloseADeadThreadsReader() throws Exception {
        onAnotherThread(reader::acquire);
        reader.close();
        assertThat(fixture.exchange.attach()).isNotNull();
    }

    @Test
    void shouldAttachInThePlaceOfADeadReader() throws Exception {
        ExchangeFixture fixture = new ExchangeFixture(3, 1);
        fixture.publish(3);
        SnapshotReader dead = fixture.exchange.attach();
        onAnotherThread(dead::acquire);
        SnapshotReader next = fixture.exchange.attach();
        assertThat(next.acquire()).isTrue();
        assertThat(next.window().newestTick()).isEqualTo(3);
        dead.close(); // Closing is idempotent. The slot now belongs to the next reader.
        assertThatIllegalStateException().isThrownBy(dead::acquire).withMessageContaining("was detached");
        assertThatIllegalStateException()
                .isThrownBy(fixture.exchange::attach)
                .withMessageContaining("all 1 readers are attached");
    }

    /** Two threads attach until no slot is free. If both got the same slot, each would take windows from the other. */
    @Test
    void shouldGiveADeadReadersPlaceToOneThread() throws Exception {
        int places = 20;
        for (int round = 0; round < 1_000; round++) {
            SnapshotExchange contended = new ExchangeFixture(3, places).exchange;
            onAnotherThread(() -> {
                for (int i = 0; i < places; i++) {
                    contended.attach().acquire();
                }
            });
            CyclicBarrier both = new CyclicBarrier(2);
            FutureTask<Integer> other = new FutureTask<>(() -> attachAll(contended, both));
            new Thread(other).start();
            assertThat(attachAll(contended, both) + other.get()).isEqualTo(places);
        }
    }

    private static int attachAll(SnapshotExchange exchange, CyclicBarrier both) throws Exception {
        both.await();
        int attached = 0;
        try {
            while (true) {
                exchange.attach();
                attached++;
            }
        } catch (IllegalStateException full) {
            return attached;
        }
    }

    /** Each row begins with the spread of publish delays. The tick period is 10 ms. */
    @ParameterizedTest
    @CsvSource({
        "9300, 3, 8, ''",
        "9400, 3, 8, 'Publish delays vary by 9.4 ms; windows of 4 snapshots would hide it: windowSize(4)'",
        "28000, 4, 12, 'Publish delays vary by 28 ms; windows of 5 snapshots would hide it: "
                + "windowSize(5) with maxReaders(11) instead of 12'",
        "80000, 10, 5, 'Publish delays vary by 80 ms; not even windows of 10 snapshots, the most, would hide it'",
        "4900, 2, 8, ''",
        "5000, 2, 8, 'Publish delays vary by 5.0 ms; windows of 3 snapshots would hide it: windowSize(3)'",
    })
    void shouldNameTheWindowThatHelps(long spreadMicros, int windowSize, int maxReaders, String advice) {
        ExchangeFixture fixture = new ExchangeFixture(windowSize, maxReaders);
        SnapshotReader reader = fixture.exchange.attach();
        fixture.publish(windowSize, 5);
        fixture.publish(1, 5 + TimeUnit.MICROSECONDS.toNanos(spreadMicros));
        reader.acquire();
        assertThat(WindowAdvice.of(reader.window())).isEqualTo(advice);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2", "3, 3"})
    void shouldAcquireTheLatestWindowOnceTicksSuffice(int windowSize, int readers) {
        walk(windowSize, readers, (world, attached, acquiring) -> {
            long newest = acquiring == null || !acquiring.hasWindow()
                    ? 0
                    : acquiring.window().newestTick();
            assertThat(newest).isEqualTo(acquiring == null || world.published < windowSize ? 0 : world.published);
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2", "3, 3"})
    void shouldKeepEachHeldWindowWhole(int windowSize, int readers) {
        walk(
                windowSize,
                readers,
                (world, attached, acquiring) -> attached.stream()
                        .filter(SnapshotReader::hasWindow)
                        .forEach(holding -> assertConsecutiveAndWhole(holding.window())));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2", "3, 3"})
    void shouldKeepTheTimelineOfEachHeldWindow(int windowSize, int readers) {
        Map<SnapshotReader, Long> changes = new HashMap<>();
        walk(windowSize, readers, (world, attached, acquiring) -> {
            if (acquiring != null) {
                changes.put(acquiring, world.timeline.changes());
            }
            attached.stream()
                    .filter(SnapshotReader::hasWindow)
                    .forEach(holding ->
                            assertThat(holding.window().timeline().changes()).isEqualTo(changes.get(holding)));
        });
    }

    private interface Check {

        void after(ExchangeFixture world, List<SnapshotReader> attached, @Nullable SnapshotReader acquiring);
    }

    /** Runs random steps of the writer and all readers, one at a time, each with a check after it. */
    private static void walk(int windowSize, int readers, Check check) {
        SplittableRandom random = new SplittableRandom(windowSize * 31L + readers);
        ExchangeFixture world = new ExchangeFixture(windowSize, readers);
        List<SnapshotReader> attached = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int who = random.nextInt(readers + 2);
            SnapshotReader acquiring = null;
            if (who >= readers) {
                stepWriter(random, world);
            } else if (who >= attached.size()) {
                attached.add(world.exchange.attach());
            } else if (random.nextInt(10) == 0) {
                attached.remove(who).close();
            } else {
                acquiring = attached.get(who);
                acquiring.acquire();
            }
            check.after(world, attached, acquiring);
        }
    }

    private static void stepWriter(SplittableRandom random, ExchangeFixture world) {
        if (random.nextBoolean()) {
            world.write();
        }
        if (world.published > 0 && random.nextInt(3) == 0) {
            world.changeTimeline();
        }
        if (random.nextInt(4) == 0) {
            world.exchange.writer().publishTimeline(world.timeline);
        } else {
            world.publish();
        }
    }

    @Test
    @Timeout(120)
    void shouldHoldAWholeWindowWhereTheStackEnds() throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(AcquiresAtStackEnd.class);
    }

    /** The writer overwrites every snapshot that it believes to be free. So a window is torn if reader and writer disagree about it. */
    private static final class AcquiresAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 200;

        private final ExchangeFixture fixture = new ExchangeFixture(3, 1);
        private final SnapshotReader reader = fixture.exchange.attach();
        private final StackEnd stackEnd = new StackEnd(reader::acquire);

        @Override
        public String call() throws InterruptedException {
            for (int round = 0; round < ROUNDS; round++) {
                fixture.publish(4);
                stackEnd.reach(round);
                long newest = reader.hasWindow() ? reader.window().newestTick() : 0;
                reader.handOver();
                fixture.publish(9); // more ticks than the exchange has snapshots
                if (newest > 0) {
                    assertThat(reader.window().newestTick()).isEqualTo(newest);
                    assertConsecutiveAndWhole(reader.window());
                }
                assertThat(reader.acquire()).isTrue();
                assertThat(reader.window().newestTick()).isEqualTo(fixture.published);
                reader.handOver();
            }
            return stackEnd.errors() < ROUNDS ? "only " + stackEnd.errors() + " acquires failed" : "";
        }
    }
}
