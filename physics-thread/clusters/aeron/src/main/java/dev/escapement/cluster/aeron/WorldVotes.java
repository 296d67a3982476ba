package dev.escapement.cluster.aeron;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a node may join the others, by the worlds that they name. Before that it must not take part in an election: there the
 * longer log wins, and the nodes of another world lose theirs.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>A node joins only if a majority names its world. So nodes of two worlds never join at the same time.</li>
 *   <li>A node is refused only if a majority names another world. Without a majority it waits.</li>
 *   <li>A node without a world takes the only one that is named, if those with this one or none are a majority. If a majority has none,
 *       it joins, and they begin a world. Before either it waits for all answers, or {@link #ANSWER_NANOS}.</li>
 * </ol>
 *
 * <p>One thread, and the time is passed in.
 */
final class WorldVotes {

    /** An answer counts for this long. */
    static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    enum Step {
        JOIN,
        WAIT,
        REFUSED
    }

    /** What to do, and the world that a node without one takes; null for none. */
    record Verdict(Step step, @Nullable UUID world) {}

    private record Answer(@Nullable UUID world, long nanos) {}

    private final int node;
    private final @Nullable Answer[] answers;
    private final long begunNanos;

    WorldVotes(int node, int nodes, long nowNanos) {
        this.node = node;
        answers = new Answer[nodes];
        begunNanos = nowNanos;
    }

    /** A node says which world its folder has; null if it has none. */
    void answered(int by, @Nullable UUID world, long nowNanos) {
        answers[by] = new Answer(world, nowNanos);
    }

    /** Whether all have had time to answer. */
    boolean hasWaited(long nowNanos) {
        return nowNanos - begunNanos >= ANSWER_NANOS;
    }

    /** Decides. {@code own} is the world of this node's folder; null if it has none. */
    Verdict verdict(@Nullable UUID own, long nowNanos) {
        answered(node, own, nowNanos);
        for (int by = 0; by < answers.length; by++) {
            Answer answer = answers[by];
            answers[by] = answer != null && nowNanos - answer.nanos <= ANSWER_NANOS ? answer : null;
        }
        long heard = Stream.of(answers).filter(Objects::nonNull).count();
        Map<UUID, Long> votes = Stream.of(answers)
                .flatMap(answer -> Stream.ofNullable(answer == null ? null : answer.world))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        for (UUID world : votes.keySet()) {
            if (isMajority(votes.get(world))) {
                return new Verdict(own == null || own.equals(world) ? Step.JOIN : Step.REFUSED, world);
            }
        }
        boolean isComplete = heard == answers.length || hasWaited(nowNanos);
        if (own == null && isComplete && votes.size() < 2 && isMajority(heard)) {
            return votes.isEmpty()
                    ? new Verdict(Step.JOIN, null)
                    : new Verdict(Step.WAIT, votes.keySet().iterator().next());
        }
        return new Verdict(Step.WAIT, null);
    }

    private boolean isMajority(long votes) {
        return 2 * votes > answers.length;
    }

    /** What the nodes have answered, at the last verdict. */
    @Override
    public String toString() {
        return IntStream.range(0, answers.length)
                .mapToObj(by -> "node " + by + (answers[by] == null ? " does not answer" : " has " + answers[by].world))
                .collect(Collectors.joining(", "));
    }
}
