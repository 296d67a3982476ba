package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.spi.Divergence;
import dev.escapement.state.Slice;
import dev.escapement.state.time.ManualClock;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random hash reports of nodes, in any order, with losses and restarts. {@link StateCheck} misses no difference, and raises no false alarm.
 */
class SeededVotesTest {

    private static final int CUTS = 6000;
    private static final PendingAnswers NO_ANSWERS =
            new PendingAnswers("none", true, Long.MAX_VALUE, new ManualClock(0));
    private static final int REPORTED = CUTS / TickHashes.TICKS;

    private static final class Node {
        long client = 1;
        long reportedAs;
        int next = 1;
        long differsFrom = Long.MAX_VALUE;
        long hash;
        boolean isNamed;
        final long[] reported = new long[REPORTED + StateCheck.KEPT + 1]; // by block of ticks; 0 if the report was lost

        long hashOf(int number) {
            return (long) number * TickHashes.TICKS < differsFrom ? 1 : hash;
        }
    }

    private Node[] nodes = {};
    private final NavigableSet<Integer> known = new TreeSet<>();
    private StateCheck votes = new Checked(1);
    private boolean isDisputed;
    private long settled;
    private long alarms;

    private static int number(long tick) {
        return (int) ((tick - 1) / TickHashes.TICKS + 1);
    }

    private final class Checked extends StateCheck {

        Checked(int nodes) {
            super(of(nodes), 1, new CommittedTicks(of(nodes), 1, NO_ANSWERS), own -> {});
        }

        private static ClusterNode of(int nodes) {
            return ClusterNode.of(0, Collections.nCopies(nodes, "localhost"), Path.of("none"), ModelCluster.RUN);
        }

        @Override
        void differs(int node, long client, Divergence found) {
            nodes[node].isNamed = true;
            alarms++;
            assertThat(found.recordedHash()).isNotEqualTo(found.replayedHash());
            assertThat(nodes[node].reported[number(found.tick())]).isEqualTo(found.replayedHash());
            assertThat(Stream.of(nodes).filter(other -> other.reported[number(found.tick())] == found.recordedHash()))
                    .as("majority")
                    .hasSizeGreaterThan(nodes.length / 2);
        }

        @Override
        void disputed(List<@Nullable TickHashes> by, List<TickHashes> differing) {
            assertThat(isDisputed).isFalse();
            isDisputed = true;
            alarms++;
            assertThat(differing).isEqualTo(by.stream().filter(Objects::nonNull).toList());
            assertThat(isReportedInTwoWays(number(differing.get(0).lastTick()))).isTrue();
            assertThat(differing).anyMatch(other -> !other.isSameAs(differing.get(0)));
        }

        @Override
        void settled(long tick) {
            assertThat(isDisputed).isTrue();
            isDisputed = false;
            settled = number(tick);
        }
    }

    private boolean isReportedInTwoWays(int number) {
        long first = 0;
        for (Node node : nodes) {
            if (!node.isNamed && node.reported[number] != 0) {
                if (first != 0 && first != node.reported[number]) {
                    return true;
                }
                first = node.reported[number];
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noDifferenceIsSilent(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        nodes = new Node[seed % 3 == 0 ? 5 : 3];
        votes = new Checked(nodes.length);
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node();
        }
        boolean allEqual = seed % 5 == 0;
        nodes[0].differsFrom = allEqual ? Long.MAX_VALUE : 1000;
        nodes[0].hash = 2;
        for (int cut = 1; cut <= CUTS; cut++) {
            Node node = nodes[random.nextInt(nodes.length)];
            if (!allEqual && random.nextInt(1500) == 0 && node.differsFrom > cut) {
                node.differsFrom = cut;
                node.hash = 2L + random.nextInt(2);
            }
            if (random.nextInt(2000) == 0) { // the node restarts, perhaps with the state of the others
                node.client++;
                node.next = Math.max(1, number(cut) - random.nextInt(20));
                node.differsFrom = random.nextBoolean() ? Long.MAX_VALUE : node.differsFrom;
            }
            reportSome(random, cut);
        }
        for (int number = Math.max(nodes[1].next, REPORTED); number <= REPORTED + StateCheck.KEPT; number++) {
            report(1, number); // pushes out all other reports
        }
        assertThat(alarms == 0).isEqualTo(allEqual);
    }

    /** Reports blocks of ticks up to the tick that was cut. Some nodes are slow, pause, or lose reports. */
    private void reportSome(SplittableRandom random, int cut) {
        for (int i = 0; i < nodes.length; i++) {
            Node node = nodes[i];
            if (random.nextInt(16) == 0 && cut / 1000 % nodes.length != i) {
                int count = cut / TickHashes.TICKS - node.next + 1;
                if (random.nextInt(8) == 0) {
                    node.next += count; // the reports are lost
                    continue;
                }
                for (int k = 0; k < count; k++) {
                    report(i, node.next++);
                }
            }
        }
    }

    private void report(int which, int number) {
        Node node = nodes[which];
        if (node.reportedAs != node.client) { // earlier reports of a restarted node do not count
            node.reportedAs = node.client;
            node.isNamed = false;
            Arrays.fill(node.reported, 0);
        }
        node.reported[number] = node.hashOf(number);
        known.add(number);
        int forgotten = known.size() > StateCheck.KEPT ? known.first() : 0;
        votes.reported(
                which, node.client, StateCheckTest.hashes((long) number * TickHashes.TICKS, node.reported[number]));
        if (forgotten > 0) {
            // A difference must be reported before the block is forgotten.
            requireReported(forgotten, isReportedInTwoWays(forgotten));
            known.remove(forgotten);
            Stream.of(nodes).forEach(of -> of.reported[forgotten] = 0);
        }
    }

    private void requireReported(int number, boolean isToBeReported) {
        if (isToBeReported) {
            assertThat(isDisputed || number <= settled).as("%d", number).isTrue();
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(100);
    }
}
