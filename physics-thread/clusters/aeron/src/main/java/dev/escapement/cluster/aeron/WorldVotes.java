package dev.escapement.cluster.aeron;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node may join the others, from their answers about their folders. Before a verdict the node must not take part in an
 * election, because the longer log wins there, and nodes of another world would lose theirs.
 *
 * <p><b>Guarantees</b>, where a majority is more than half of all nodes
 * <ol>
 *   <li>A node with a log joins a named world only if a majority has a log of it. So nodes of two worlds never join at the same time.
 *       Committed entries are in the logs of a majority, so one of the nodes that join has them.</li>
 *   <li>A node without a log counts for no world. It joins when a majority has a log of one world and a leader. The leader was elected
 *       without this node, so all entries that were committed before are in the logs of a majority without it. Each later majority, also
 *       with this node, has one of these logs. If the logs of a majority are lost, the others wait.</li>
 *   <li>A node is refused only if a majority has a log of another world, or of any world while this node has a log but no file that names
 *       its world. Without a majority it waits.</li>
 *   <li>If a majority answers, and no folder names a world, they join: empty folders begin a world. Before it begins one, a node waits for
 *       all answers, or {@link #ANSWER_NANOS}.</li>
 * </ol>
 *
 * <p>Only one thread at a time may use it. Callers pass in the time.
 */
final class WorldVotes {

    /** The time for which an answer counts. */
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    enum Step {
        JOIN,
        WAIT,
        REFUSED
    }

    /** The next step of the node, and the world of which a majority has a log; null if there is none. */
    record Verdict(Step step, @Nullable UUID world) {}

    /**
     * The answer of a node: the world that its folder names, whether the folder has a log, and whether the node leads, or has joined a
     * leader and does not merely catch up.
     */
    record Member(@Nullable UUID world, boolean hasLog, boolean hasLeader) {

        boolean hasLogOf(UUID named) {
            return hasLog && named.equals(world);
        }

        @Override
        public String toString() {
            if (world == null) {
                return hasLog ? "a log, but no file that names its world" : "no log";
            }
            return world + (hasLog ? "" : ", but no log");
        }
    }

    private record Answer(Member member, long nanos) {}

    private final int nodeNumber;
    private final @Nullable Answer[] answers;
    private final long begunNanos;

    WorldVotes(int nodeNumber, int nodes, long nowNanos) {
        this.nodeNumber = nodeNumber;
        answers = new Answer[nodes];
        begunNanos = nowNanos;
    }

    /** Takes the answer of a node about its folder. {@code nanos} is the time of the question, because the answer may be late. */
    void answered(int by, Member member, long nanos) {
        Answer last = answers[by];
        if (last == null || nanos - last.nanos >= 0) {
            answers[by] = new Answer(member, nanos);
        }
    }

    /** Whether all nodes have had time to answer. */
    boolean hasWaited(long nowNanos) {
        return nowNanos - begunNanos >= ANSWER_NANOS;
    }

    /** Decides for a node whose folder is {@code own}. */
    Verdict verdict(Member own, long nowNanos) {
        answered(nodeNumber, own, nowNanos);
        for (int by = 0; by < answers.length; by++) {
            Answer answer = answers[by];
            answers[by] = answer != null && nowNanos - answer.nanos <= ANSWER_NANOS ? answer : null;
        }
        List<UUID> named = members()
                .flatMap(member -> Stream.ofNullable(member.world))
                .distinct()
                .toList();
        for (UUID world : named) {
            if (isMajority(member -> member.hasLogOf(world))) {
                if (own.world == null ? own.hasLog : !own.world.equals(world)) {
                    return new Verdict(Step.REFUSED, world);
                }
                boolean joins = own.hasLog || isMajority(member -> member.hasLogOf(world) && member.hasLeader);
                return new Verdict(joins ? Step.JOIN : Step.WAIT, world);
            }
        }
        boolean isComplete = members().count() == answers.length || hasWaited(nowNanos);
        boolean begins = named.isEmpty() && isComplete && isMajority(heard -> true);
        return new Verdict(begins ? Step.JOIN : Step.WAIT, null);
    }

    private Stream<Member> members() {
        return Stream.of(answers).filter(Objects::nonNull).map(Answer::member);
    }

    private boolean isMajority(Predicate<Member> counts) {
        return 2 * members().filter(counts).count() > answers.length;
    }

    /** Returns the answers of the nodes at the last verdict. */
    @Override
    public String toString() {
        return IntStream.range(0, answers.length)
                .mapToObj(
                        by -> "node " + by + (answers[by] == null ? " does not answer" : " has " + answers[by].member))
                .collect(Collectors.joining(", "));
    }
}
