package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import dev.escapement.state.Slice;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any votes, by any nodes, in any order, with losses and restarts: no difference is silent, and no alarm is false. */
class SeededVotesTest implements HashVotes.Verdict {

    private static final int CUTS = 6000;

    private static final class Node {
        long client = 1;
        long toldAs;
        long next = 1;
        long differsFrom = Long.MAX_VALUE;
        long hash;
        boolean isNamed;
        final long[] told = new long[CUTS + 1]; // by tick, 0 if it was not heard

        long hashAfter(long tick) {
            return tick < differsFrom ? 1 : hash;
        }
    }

    private Node[] nodes = {};
    private HashVotes votes = new HashVotes(1, this);
    private boolean isDisputed;
    private long settled;
    private long alarms;

    @Override
    public void differs(int node, Divergence found) {
        nodes[node].isNamed = true;
        alarms++;
        assertThat(found.recordedHash()).isNotEqualTo(found.replayedHash());
        assertThat(nodes[node].told[(int) found.tick()]).isEqualTo(found.replayedHash());
    }

    @Override
    public void disputed(long tick) {
        assertThat(isDisputed).isFalse();
        isDisputed = true;
        alarms++;
        assertThat(isToldInTwoWays((int) tick)).as("tick %d", tick).isTrue();
        for (int node = 0; node < nodes.length; node++) {
            Divergence found = votes.dispute(tick, node);
            assertThat(found.recordedHash()).isNotEqualTo(found.replayedHash());
        }
    }

    @Override
    public void settled(long tick) {
        assertThat(isDisputed).isTrue();
        isDisputed = false;
        settled = tick;
    }

    private boolean isToldInTwoWays(int tick) {
        long first = 0;
        for (Node node : nodes) {
            if (!node.isNamed && node.told[tick] != 0) {
                if (first != 0 && first != node.told[tick]) {
                    return true;
                }
                first = node.told[tick];
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noDifferenceIsSilent(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        nodes = new Node[seed % 3 == 0 ? 5 : 3];
        votes = new HashVotes(nodes.length, this);
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
            if (random.nextInt(2000) == 0) { // it dies, and is started again, perhaps with what the others have
                node.client++;
                node.next = Math.max(1, cut - random.nextInt(300));
                node.differsFrom = random.nextBoolean() ? Long.MAX_VALUE : node.differsFrom;
            }
            tellSome(random, cut);
            votes.cut();
        }
        for (int cut = 0; cut < 2 * HashVotes.WAIT_TICKS; cut++) {
            votes.cut();
        }
        for (int tick = 1; tick <= CUTS; tick++) {
            requireTold(tick, isToldInTwoWays(tick));
        }
        assertThat(alarms == 0).isEqualTo(allEqual);
    }

    /** Batches of ticks up to one that was cut; some nodes are slow, stand still or lose some. */
    private void tellSome(SplittableRandom random, int cut) {
        for (int i = 0; i < nodes.length; i++) {
            Node node = nodes[i];
            if (random.nextInt(16) == 0 && cut / 1000 % nodes.length != i) {
                int count = Math.min(500, (int) (cut - node.next + 1));
                if (random.nextInt(8) == 0) {
                    node.next += count; // lost
                    continue;
                }
                for (int k = 0; k < count; k++) {
                    tell(i, (int) node.next++);
                }
            }
        }
    }

    private void tell(int number, int tick) {
        Node node = nodes[number];
        if (node.toldAs != node.client) { // what it told before it died does not count any more
            node.toldAs = node.client;
            node.isNamed = false;
            Arrays.fill(node.told, 0);
        }
        node.told[tick] = node.hashAfter(tick);
        boolean[] toBeTold =
                new boolean[1 + CUTS / HashVotes.TICKS]; // at the latest now, because one of the hashes is forgotten
        for (int before = tick - HashVotes.TICKS; before > 0; before -= HashVotes.TICKS) {
            toBeTold[(tick - before) / HashVotes.TICKS] = node.told[before] != 0 && isToldInTwoWays(before);
        }
        votes.add(number, node.client, tick, node.told[tick]);
        for (int before = tick - HashVotes.TICKS; before > 0; before -= HashVotes.TICKS) {
            requireTold(before, toBeTold[(tick - before) / HashVotes.TICKS]);
            node.told[before] = 0;
        }
    }

    private void requireTold(int tick, boolean isToBeTold) {
        if (isToBeTold) {
            assertThat(isDisputed || tick <= settled).as("tick %d", tick).isTrue();
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(100);
    }
}
