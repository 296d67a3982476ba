package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.WorldVotes.Member;
import dev.escapement.cluster.aeron.WorldVotes.Step;
import dev.escapement.cluster.aeron.WorldVotes.Verdict;
import dev.escapement.state.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes with the folders of two worlds, or without one, on virtual time. */
class WorldVotesTest {

    private static final UUID X = new UUID(1, 1);
    private static final UUID Y = new UUID(2, 2);
    private static final long STEP_NANOS = 10_000_000;
    private static final int ANSWER_STEPS = (int) (WorldVotes.ANSWER_NANOS / STEP_NANOS);

    /** A node, as {@link WorldExchange} drives its votes. */
    private static final class Node {
        final @Nullable UUID folder;

        @Nullable
        UUID world;

        boolean hasLog;

        @Nullable
        WorldVotes votes;

        boolean joined;
        String refused = "";
        String waits = "";

        Node(@Nullable UUID folder) {
            this.folder = folder;
            world = folder;
            hasLog = folder != null;
        }

        boolean answers() {
            return votes != null && refused.isEmpty();
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - 5 * STEP_NANOS; // overflows

    private void folders(@Nullable UUID... worlds) {
        nodes.clear();
        Arrays.stream(worlds).forEach(world -> nodes.add(new Node(world)));
    }

    private void start(int number) {
        nodes.get(number).votes = new WorldVotes(number, nodes.size(), nowNanos);
    }

    /** Each node hears some of the others, and decides. */
    private void step(Random random, double lost) {
        nowNanos += STEP_NANOS;
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, nodes.size()).boxed().toList());
        Collections.shuffle(order, random);
        for (int number : order) {
            Node node = nodes.get(number);
            if (node.answers() && !node.joined) {
                for (int by = 0; by < nodes.size(); by++) {
                    if (by != number && nodes.get(by).answers() && random.nextDouble() >= lost) {
                        votes(node).answered(by, member(nodes.get(by)), nowNanos);
                    }
                }
                decide(node);
                requireOneWorld();
            }
        }
        begin();
    }

    private static WorldVotes votes(Node node) {
        return Objects.requireNonNull(node.votes);
    }

    /** There is a leader when a majority has joined. */
    private Member member(Node node) {
        long joined = nodes.stream().filter(other -> other.joined).count();
        return new Member(node.world, node.hasLog, node.joined && 2 * joined > nodes.size());
    }

    private void decide(Node node) {
        Verdict verdict = votes(node).verdict(member(node), nowNanos);
        if (verdict.step() == Step.REFUSED) {
            node.refused = votes(node).toString();
        } else {
            node.joined = verdict.step() == Step.JOIN;
            node.world = node.world == null && node.joined ? verdict.world() : node.world;
            node.waits = votes(node).toString();
        }
    }

    /** Those that have joined without a world have an empty log: they begin one when they are a majority, or follow the others. */
    private void begin() {
        List<Node> empty =
                nodes.stream().filter(node -> node.joined && node.world == null).toList();
        UUID of = nodes.stream()
                .filter(node -> node.joined && node.world != null)
                .map(node -> node.world)
                .findFirst()
                .orElse(2 * empty.size() > nodes.size() ? new UUID(3, 3) : null);
        empty.forEach(node -> node.world = of);
        nodes.stream().filter(node -> node.joined).forEach(node -> node.hasLog |= node.world != null);
    }

    /** Otherwise Aeron elects one, and truncates the log of the other. */
    private void requireOneWorld() {
        List<UUID> worlds = nodes.stream()
                .filter(node -> node.joined && node.world != null)
                .map(node -> node.world)
                .distinct()
                .toList();
        assertThat(worlds).as("worlds in one cluster").hasSizeLessThan(2);
    }

    private static Stream<List<Integer>> orders(int count) {
        if (count == 0) {
            return Stream.of(List.of());
        }
        return orders(count - 1)
                .flatMap(order -> IntStream.range(0, count).mapToObj(at -> {
                    List<Integer> longer = new ArrayList<>(order);
                    longer.add(at, count - 1);
                    return longer;
                }));
    }

    /** In all ways, all orders, and at once or one after the other. */
    @Test
    void onlyTheFoldersOfTheMinorityAreRefused() {
        for (int ways = 0; ways < 8; ways++) {
            for (List<Integer> order : orders(3).toList()) {
                for (int apart : new int[] {0, 1, ANSWER_STEPS / 2, 3 * ANSWER_STEPS}) {
                    UUID[] worlds = new UUID[3];
                    for (int node = 0; node < 3; node++) {
                        worlds[node] = (ways >> node & 1) == 0 ? X : Y;
                    }
                    folders(worlds);
                    startApart(order, apart, new Random(1), 0);
                    UUID most = Integer.bitCount(ways) > 1 ? Y : X;
                    for (int number = 0; number < 3; number++) {
                        Node node = nodes.get(number);
                        boolean isRight = most.equals(node.folder);
                        assertThat(node.joined)
                                .as("%s, %s, %d", order, Arrays.toString(worlds), apart)
                                .isEqualTo(isRight);
                        assertThat(node.world).isEqualTo(node.folder);
                        if (!isRight) {
                            assertThat(node.refused).contains("node " + number + " has " + node.folder);
                        }
                    }
                }
            }
        }
    }

    private void startApart(List<Integer> order, int apart, Random random, double lost) {
        for (int number : order) {
            start(number);
            for (int step = 0; step < apart; step++) {
                step(random, lost);
            }
        }
        for (int step = 0; step < 10 * ANSWER_STEPS; step++) {
            step(random, lost);
        }
    }

    @Test
    void aTieWaitsAndSaysForWhom() {
        folders(X, Y, X);
        startApart(List.of(1, 0), ANSWER_STEPS, new Random(1), 0);
        for (Node node : nodes.subList(0, 2)) {
            assertThat(node.joined).isFalse();
            assertThat(node.refused).isEmpty();
            assertThat(node.waits).isEqualTo("node 0 has " + X + ", node 1 has " + Y + ", node 2 does not answer");
        }
        startApart(List.of(2), ANSWER_STEPS, new Random(1), 0);
        assertThat(nodes).extracting(node -> node.joined).containsExactly(true, false, true);
        assertThat(nodes.get(1).refused).contains("node 1 has " + Y);
        folders(X, Y, null);
        startApart(List.of(2, 1, 0), 0, new Random(1), 0);
        assertThat(nodes).noneMatch(node -> node.joined || !node.refused.isEmpty());
    }

    /** One of three, and two of five. */
    @Test
    void aNodeWithoutALogJoinsWhenTheOthersHaveALeader() {
        for (List<@Nullable UUID> worlds : List.of(Arrays.asList(X, null, X), Arrays.asList(null, X, X, null, X))) {
            folders(worlds.toArray(UUID[]::new));
            for (int number = 0; number < nodes.size(); number++) {
                start(number);
            }
            Random inOrder = new Random(1);
            while (nodes.stream().filter(node -> node.folder != null).anyMatch(node -> !node.joined)) {
                assertThat(nodes).noneMatch(node -> node.folder == null && node.joined);
                step(inOrder, 0.5);
            }
            startApart(List.of(), 0, inOrder, 0);
            assertThat(nodes).allMatch(node -> node.joined && X.equals(node.world));
        }
    }

    /** What was committed may have been in the logs that are lost. */
    @Test
    void nodesWithoutALogAreNoMajorityOfAWorld() {
        folders(X, null, null);
        nodes.get(1).world = X; // its file is left
        startApart(List.of(1, 0), 0, new Random(1), 0);
        assertThat(nodes).noneMatch(node -> node.joined || !node.refused.isEmpty());
        assertThat(nodes.get(0).waits)
                .isEqualTo("node 0 has " + X + ", node 1 has " + X + ", but no log, node 2 does not answer");
        startApart(List.of(2), 0, new Random(1), 0);
        assertThat(nodes).noneMatch(node -> node.joined || !node.refused.isEmpty());
        nodes.get(1).hasLog = true; // a copy of the log of node 0
        startApart(List.of(), 0, new Random(1), 0);
        assertThat(nodes).allMatch(node -> node.joined && X.equals(node.world));
    }

    @Test
    void aLogWithoutItsFileIsRefusedByANamedWorld() {
        for (UUID[] worlds : new UUID[][] {{X, null, X}, {X, null, Y}, {null, null, X}, {null, null, null}}) {
            folders(worlds);
            nodes.get(1).hasLog = true;
            startApart(List.of(0, 1, 2), 0, new Random(1), 0);
            boolean isRefused = X.equals(worlds[0]) && X.equals(worlds[2]);
            assertThat(nodes.get(1).refused.isEmpty()).isEqualTo(!isRefused);
            assertThat(nodes.get(1).joined).isEqualTo(worlds[2] == null); // the others begin with its log
            assertThat(isRefused ? nodes.get(1).refused : nodes.get(1).waits)
                    .contains("node 1 has a log, but no file that names its world");
        }
    }

    @Test
    void emptyFoldersBeginAWorld() {
        folders(null, null, null);
        startApart(List.of(0, 1, 2), 0, new Random(1), 0);
        assertThat(nodes)
                .allMatch(node -> node.joined)
                .extracting(node -> node.world)
                .containsOnly(new UUID(3, 3));
    }

    /** An answer of a node that has died since is no vote, nor one that comes after another. */
    @Test
    void anOldAnswerDoesNotCount() {
        Member ofX = new Member(X, true, false);
        Member ofY = new Member(Y, true, false);
        WorldVotes votes = new WorldVotes(0, 3, nowNanos);
        votes.answered(1, ofX, nowNanos);
        assertThat(votes.verdict(ofX, nowNanos + WorldVotes.ANSWER_NANOS).step())
                .isEqualTo(Step.JOIN);
        assertThat(votes.verdict(ofX, nowNanos + WorldVotes.ANSWER_NANOS + 1).step())
                .isEqualTo(Step.WAIT);
        votes.answered(1, ofY, nowNanos + WorldVotes.ANSWER_NANOS);
        votes.answered(2, ofY, nowNanos + WorldVotes.ANSWER_NANOS);
        votes.answered(2, ofX, nowNanos + WorldVotes.ANSWER_NANOS - 1);
        assertThat(votes.verdict(ofX, nowNanos + WorldVotes.ANSWER_NANOS + 1).step())
                .isEqualTo(Step.REFUSED);
    }

    /** Three or five nodes, some without a folder, with losses; nodes die, and are started again with what is in their folder. */
    @ParameterizedTest
    @MethodSource("seeds")
    void neverTwoWorldsInOneCluster(long seed) {
        Random random = new Random(seed);
        UUID[] worlds = new UUID[seed % 2 == 0 ? 3 : 5];
        for (int node = 0; node < worlds.length; node++) {
            worlds[node] = random.nextInt(4) == 0 ? null : random.nextInt(3) == 0 ? Y : X;
        }
        folders(worlds);
        for (int step = 0; step < 20 * ANSWER_STEPS; step++) {
            int number = random.nextInt(worlds.length);
            if (random.nextInt(40) == 0) {
                Node node = nodes.get(number);
                if (node.answers()) {
                    node.votes = null;
                    node.joined = false;
                } else {
                    start(number);
                    node.refused = "";
                }
            }
            step(random, 0.3);
        }
        for (Node node : nodes) {
            assertThat(node.folder == null || node.folder.equals(node.world)).isTrue();
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(300);
    }
}
