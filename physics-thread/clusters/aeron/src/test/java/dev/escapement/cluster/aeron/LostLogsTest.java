package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.WorldVotes.Member;
import dev.escapement.cluster.aeron.WorldVotes.Step;
import dev.escapement.cluster.aeron.WorldVotes.Verdict;
import dev.escapement.state.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes that are killed and lose their logs, with the file that names their world or without, on a model of elections: the longest log of the last term
 * wins, a follower's log becomes that of the leader entry by entry, and what a majority has is committed.
 */
class LostLogsTest {

    private static final long STEP_NANOS = 10_000_000;
    private static final int ANSWER_STEPS = (int) (WorldVotes.ANSWER_NANOS / STEP_NANOS);
    private static final int STEPS = 60 * ANSWER_STEPS;

    /** The first entry of a world is the one of its identity. */
    private record Entry(UUID world, int term, int number) {}

    private final class Node {
        final int number;
        List<Entry> log = new ArrayList<>();

        @Nullable
        UUID file;

        // of the process
        @Nullable
        WorldVotes votes;

        boolean hasLog;
        boolean joined;
        boolean follows;

        Node(int number) {
            this.number = number;
        }

        void start() {
            votes = new WorldVotes(number, nodes.size(), nowNanos);
            hasLog = !log.isEmpty();
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
            if (verdict.step() == Step.JOIN) {
                joined = true;
                file = file == null ? verdict.world() : file;
            } else if (verdict.step() == Step.REFUSED) {
                kill();
            }
        }

        /** Takes an entry of the leader, or gives up one that the leader does not have. */
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
    private Random random = new Random();
    private long nowNanos = Long.MAX_VALUE - 5 * STEP_NANOS; // overflows
    private @Nullable Node leader;
    private int term;

    private boolean isMajority(long count) {
        return 2 * count > nodes.size();
    }

    private Stream<Node> joined() {
        return nodes.stream().filter(node -> node.joined);
    }

    private void step(double lost) {
        nowNanos += STEP_NANOS;
        for (Node node : nodes) {
            if (node.votes != null && !node.joined) {
                node.exchange(lost);
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

    /** One of those that a majority of all may vote for; sometimes it takes longer. */
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

    /** What clients were told is in the log of each leader. */
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

    /** An entry of an earlier term is, when one of this term is. */
    private boolean isCommitted(Entry entry, int count) {
        return entry.term == term
                && isMajority(joined().filter(node -> node.log.size() >= count
                                && node.log.get(count - 1).equals(entry))
                        .count());
    }

    /** It dies, is started again, or has lost something in between, at any time. */
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

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverLoseWhatWasCommitted(long seed) {
        random = new Random(seed);
        int count = seed % 2 == 0 ? 3 : 5;
        for (int number = 0; number < count; number++) {
            nodes.add(new Node(number));
        }
        nodes.forEach(Node::start);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(ANSWER_STEPS) == 0) {
                harm(nodes.get(random.nextInt(count)));
            }
            step(0.3);
        }
        requireProgress();
    }

    /** If the logs of a majority are left, all nodes of that world go on, and those without one. */
    private void requireProgress() {
        nodes.forEach(Node::kill);
        UUID world = committed.keySet().stream()
                .filter(of -> isMajority(nodes.stream()
                        .filter(node -> of.equals(node.file) && !node.log.isEmpty())
                        .count()))
                .findFirst()
                .orElse(null);
        nodes.forEach(Node::start);
        for (int step = 0; step < 10 * ANSWER_STEPS; step++) {
            step(0);
        }
        if (world != null) {
            assertThat(nodes).allMatch(node -> node.joined == world.equals(node.file));
            assertThat(leader).isNotNull();
        }
    }

    static LongStream seeds() {
        return Slice.current().seeds(300);
    }
}
