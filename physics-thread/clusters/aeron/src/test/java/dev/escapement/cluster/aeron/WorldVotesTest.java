package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.WorldVotes.Member;
import dev.escapement.cluster.aeron.WorldVotes.Step;
import dev.escapement.cluster.aeron.WorldVotes.Verdict;
import dev.escapement.state.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * Votes on a model of elections, with the folders of two worlds, without folders, and with nodes that are killed and lose their logs. In
 * the model the longest log of the last term wins, a follower copies the leader's log entry by entry, and an entry of a majority is
 * committed.
 */
class WorldVotesTest {

    private static final UUID X = new UUID(1, 1);
    private static final UUID Y = new UUID(2, 2);
    private static final long STEP_NANOS = 10_000_000;
    private static final int ANSWER_STEPS = (int) (WorldVotes.ANSWER_NANOS / STEP_NANOS);

    /** An entry of a log. The first entry of a world has its identity. */
    private record Entry(UUID world, int term, int number) {}

    /** A node, as {@link WorldExchange} drives its votes. */
    private final class Node {
        final int number;
        final @Nullable UUID folder;
        List<Entry> log;

        @Nullable
        UUID file;

        // fields of the running process
        @Nullable
        WorldVotes votes;

        boolean hasLog;
        boolean joined;
        boolean follows;
        String refused = "";
        String waits = "";

        Node(int number, @Nullable UUID folder) {
            this.number = number;
            this.folder = folder;
            file = folder;
            log = folder == null ? new ArrayList<>() : new ArrayList<>(List.of(new Entry(folder, 1, 0)));
        }

        void start() {
            votes = new WorldVotes(number, nodes.size(), nowNanos);
            hasLog = !log.isEmpty();
            refused = "";
        }

        void kill() {
            votes = null;
            joined = false;
            follows = false;
            leader = leader == this ? null : leader;
        }

        Member member() {
            return new Member(file, hasLog, follows && leader != null);
        }

        int lastTerm() {
            return log.isEmpty() ? 0 : log.get(log.size() - 1).term;
        }

        boolean mayFollow(Node other) {
            return lastTerm() < other.lastTerm() || (lastTerm() == other.lastTerm() && log.size() <= other.log.size());
        }

        void exchange(double lost) {
            WorldVotes asked = Objects.requireNonNull(votes);
            for (Node other : nodes) {
                if (other != this && other.votes != null && random.nextDouble() >= lost) {
                    asked.answered(other.number, other.member(), nowNanos);
                }
            }
            Verdict verdict = asked.verdict(member(), nowNanos);
            waits = asked.toString();
            if (verdict.step() == Step.JOIN) {
                joined = true;
                file = file == null ? verdict.world() : file;
            } else if (verdict.step() == Step.REFUSED) {
                refused = waits;
                kill();
            }
        }

        /** Copies one entry of the leader, or removes one that the leader does not have. */
        void replicate(Node from) {
            int same = 0;
            while (same < Math.min(log.size(), from.log.size()) && log.get(same).equals(from.log.get(same))) {
                same++;
            }
            log = new ArrayList<>(log.subList(0, same));
            if (same < from.log.size()) {
                log.add(from.log.get(same));
            }
            follows |= log.size() == from.log.size();
            readName();
        }

        void readName() {
            if (!log.isEmpty()) {
                assertThat(file == null || file.equals(log.get(0).world))
                        .as("a log of the world that the file names")
                        .isTrue();
                file = log.get(0).world;
                hasLog = true;
            }
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private final Map<UUID, List<Entry>> committed = new HashMap<>();
    private Random random = new Random(1);
    private long nowNanos = Long.MAX_VALUE - 5 * STEP_NANOS; // overflows during the test
    private @Nullable Node leader;
    private int term = 1;

    private void folders(@Nullable UUID... worlds) {
        nodes.clear();
        committed.clear();
        leader = null;
        term = 1;
        random = new Random(1);
        IntStream.range(0, worlds.length).forEach(number -> nodes.add(new Node(number, worlds[number])));
    }

    private boolean isMajority(long count) {
        return 2 * count > nodes.size();
    }

    private Stream<Node> joined() {
        return nodes.stream().filter(node -> node.joined);
    }

    /** Runs a step: each node receives some answers, and decides. Nodes that have joined elect a leader, and follow it. */
    private void step(double lost) {
        nowNanos += STEP_NANOS;
        List<Node> order = new ArrayList<>(nodes);
        Collections.shuffle(order, random);
        for (Node node : order) {
            if (node.votes != null && !node.joined) {
                node.exchange(lost);
                requireOneWorld();
            }
        }
        if (leader != null && !isMajority(joined().count())) {
            leader = null;
        }
        if (leader == null) {
            elect();
        }
        if (leader != null) {
            lead(leader);
        }
    }

    /** Requires one world among the joined nodes. Aeron would elect one of two worlds, and truncate the other's log. */
    private void requireOneWorld() {
        assertThat(joined().flatMap(node -> Stream.ofNullable(node.file)).distinct())
                .as("worlds in one cluster")
                .hasSizeLessThan(2);
    }

    /** Elects one of the nodes for which a majority of all may vote; sometimes later. */
    private void elect() {
        joined().forEach(node -> node.follows = false);
        List<Node> candidates = joined().filter(of ->
                        isMajority(joined().filter(node -> node.mayFollow(of)).count()))
                .toList();
        if (!candidates.isEmpty() && random.nextInt(20) == 0) {
            Node elected = candidates.get(random.nextInt(candidates.size()));
            leader = elected;
            term++;
            if (elected.log.isEmpty()) {
                UUID begun = elected.file == null ? new UUID(random.nextLong(), 1) : elected.file;
                elected.log.add(new Entry(begun, term, 0));
                elected.readName();
            }
            requireCommitted(elected);
        }
    }

    /** Requires all committed entries in the log of a leader. */
    private void requireCommitted(Node of) {
        List<Entry> known = committed.getOrDefault(of.log.get(0).world, List.of());
        assertThat(of.log.subList(0, Math.min(known.size(), of.log.size())))
                .as("committed before term %d", term)
                .isEqualTo(known);
    }

    private void lead(Node of) {
        joined().filter(node -> node != of && random.nextInt(3) == 0).forEach(node -> node.replicate(of));
        of.follows |=
                isMajority(joined().filter(node -> node == of || node.follows).count());
        if (of.follows && random.nextInt(4) == 0) {
            of.log.add(new Entry(of.log.get(0).world, term, of.log.size()));
        }
        int count = of.log.size();
        while (count > 0 && !isCommitted(of.log.get(count - 1), count)) {
            count--;
        }
        List<Entry> before = committed.getOrDefault(of.log.get(0).world, List.of());
        if (count > before.size()) {
            committed.put(of.log.get(0).world, List.copyOf(of.log.subList(0, count)));
        }
    }

    /** Whether an entry of the current term is committed, because a majority has it. It commits the earlier entries, too. */
    private boolean isCommitted(Entry entry, int count) {
        return entry.term == term
                && isMajority(joined().filter(node -> node.log.size() >= count
                                && node.log.get(count - 1).equals(entry))
                        .count());
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

    private void startApart(List<Integer> order, int apart) {
        for (int number : order) {
            nodes.get(number).start();
            for (int step = 0; step < apart; step++) {
                step(0);
            }
        }
        for (int step = 0; step < 10 * ANSWER_STEPS; step++) {
            step(0);
        }
    }

    /** Only the minority's folders are refused, in all combinations and orders, with nodes that start at once or one after the other. */
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
                    startApart(order, apart);
                    UUID most = Integer.bitCount(ways) > 1 ? Y : X;
                    for (int number = 0; number < 3; number++) {
                        Node node = nodes.get(number);
                        boolean isRight = most.equals(node.folder);
                        assertThat(node.joined)
                                .as("%s, %s, %d", order, Arrays.toString(worlds), apart)
                                .isEqualTo(isRight);
                        assertThat(node.file).isEqualTo(node.folder);
                        if (!isRight) {
                            assertThat(node.refused).contains("node " + number + " has " + node.folder);
                        }
                    }
                }
            }
        }
    }

    /** Nodes without a log are no majority: committed entries may have been in the lost logs. */
    @Test
    void nodesWithoutALogAreNoMajorityOfAWorld() {
        folders(X, null, null);
        nodes.get(1).file = X; // the file that names the world is left
        startApart(List.of(1, 0), 0);
        assertThat(nodes).noneMatch(node -> node.joined || !node.refused.isEmpty());
        assertThat(nodes.get(0).waits)
                .isEqualTo("node 0 has " + X + ", node 1 has " + X + ", but no log, node 2 does not answer");
        startApart(List.of(2), 0);
        assertThat(nodes).noneMatch(node -> node.joined || !node.refused.isEmpty());
        nodes.get(1).log = new ArrayList<>(nodes.get(0).log); // the node gets a copy of the log
        startApart(List.of(1), 0);
        assertThat(nodes).allMatch(node -> node.joined && X.equals(node.file));
    }

    @Test
    void aNamedWorldRefusesALogWithoutItsFile() {
        for (UUID[] worlds : new UUID[][] {{X, null, X}, {X, null, Y}, {null, null, X}, {null, null, null}}) {
            folders(worlds);
            nodes.get(1).log.add(new Entry(X, 1, 0));
            startApart(List.of(0, 1, 2), 0);
            boolean isRefused = X.equals(worlds[0]) && X.equals(worlds[2]);
            assertThat(nodes.get(1).refused.isEmpty()).isEqualTo(!isRefused);
            assertThat(nodes.get(1).joined).isEqualTo(worlds[2] == null); // empty folders begin with the log of node 1
            assertThat(isRefused ? nodes.get(1).refused : nodes.get(1).waits)
                    .contains("node 1 has a log, but no file that names its world");
        }
    }

    /** An old answer is no vote: neither that of a node that has died since, nor one that comes after a newer one. */
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

    /** Kills or restarts a node. In between it may lose its log, with or without the file that names its world. */
    private void harm(Node node) {
        if (node.votes != null) {
            node.kill();
        } else {
            int lost = random.nextInt(6);
            node.log = lost <= 1 ? new ArrayList<>() : node.log;
            node.file = lost == 1 ? null : node.file;
            node.start();
        }
    }

    /**
     * No committed entry is lost, and no cluster has two worlds, while three or five nodes die and restart, some with the folder of another
     * world.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverLoseWhatWasCommitted(long seed) {
        Random any = new Random(seed);
        UUID[] worlds = new UUID[seed % 2 == 0 ? 3 : 5];
        for (int node = 0; node < worlds.length && seed % 3 == 0; node++) {
            worlds[node] = any.nextInt(4) == 0 ? null : any.nextInt(3) == 0 ? Y : X;
        }
        folders(worlds);
        random = any;
        nodes.forEach(Node::start);
        for (int step = 0; step < 60 * ANSWER_STEPS; step++) {
            if (random.nextInt(ANSWER_STEPS) == 0) {
                harm(nodes.get(random.nextInt(nodes.size())));
            }
            step(0.3);
        }
        requireProgress();
    }

    /** Requires that all nodes of a world continue, and those without one, if a majority still has its logs. */
    private void requireProgress() {
        nodes.forEach(Node::kill);
        UUID world = committed.keySet().stream()
                .filter(of -> isMajority(nodes.stream()
                        .filter(node -> of.equals(node.file) && !node.log.isEmpty())
                        .count()))
                .findFirst()
                .orElse(null);
        startApart(IntStream.range(0, nodes.size()).boxed().toList(), 0);
        if (world != null) {
            assertThat(nodes).allMatch(node -> node.joined == world.equals(node.file));
            assertThat(leader).isNotNull();
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(150);
    }
}
