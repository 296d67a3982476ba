package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.command.Answer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What commands were given, which of them ran, and what their futures said. Each has a lane, in which the order counts, and a number
 * that grows. States {@link #PROMISES}.
 */
final class CommandLedger {

    /** What a scenario with a ledger states. */
    static final Set<Promise> PROMISES = Set.of(Promise.COMMANDS_IN_ORDER, Promise.ANSWERED, Promise.COMMAND_SUMS);

    private final Trial trial;
    private final Predicate<Throwable> isPlanted;
    private final Check inOrder;
    private final Check answered;

    /** The number that ran last in each lane. Physics thread only. */
    private final long[] last;

    // Counted by many threads; sums are taken when all of them are through.
    private final LongAdder given = new LongAdder();
    private final LongAdder ran = new LongAdder();
    private final Map<Fate, LongAdder> completed = new EnumMap<>(Fate.class);

    /** How the future of a command was completed. */
    private enum Fate {
        ANSWERED,
        REFUSED,
        TOO_LATE,
        THREW_ON_PURPOSE,
        WRONG
    }

    /** A ledger with so many lanes, of commands that do not throw. */
    CommandLedger(Trial trial, int lanes) {
        this(trial, lanes, thrown -> false);
    }

    /**
     * A ledger of commands that may throw instead of being run.
     *
     * @param lanes     how many orders there are
     * @param isPlanted whether a command has thrown this on purpose
     */
    CommandLedger(Trial trial, int lanes, Predicate<Throwable> isPlanted) {
        this.trial = trial;
        this.isPlanted = isPlanted;
        inOrder = trial.check(Promise.COMMANDS_IN_ORDER);
        answered = trial.check(Promise.ANSWERED);
        for (Fate fate : Fate.values()) {
            completed.put(fate, new LongAdder());
        }
        last = new long[lanes];
        Arrays.fill(last, -1);
    }

    /** Runs a command: the physics thread. The answer is this command's alone. */
    long run(int lane, long number, long tick) {
        note(lane, number);
        if (trial.isPlanted(Promise.COMMANDS_IN_ORDER)) {
            note(lane, number);
        }
        ran.increment();
        return answer(lane, number, tick);
    }

    private void note(int lane, long number) {
        long before = last[lane];
        inOrder.that(number > before, () -> "number " + number + " of lane " + lane + " ran after " + before);
        last[lane] = number;
    }

    /** Follows the future of a command that was given. Any thread. */
    void follow(int lane, long number, CompletableFuture<Answer<Long>> future) {
        given.increment();
        CompletableFuture<?> unused =
                future.whenComplete((answer, failure) -> completed(lane, number, answer, failure));
    }

    private void completed(int lane, long number, @Nullable Answer<Long> answer, @Nullable Throwable failure) {
        Fate fate;
        if (failure instanceof RejectedExecutionException) {
            fate = Fate.REFUSED;
        } else if (failure instanceof IllegalStateException) {
            fate = Fate.TOO_LATE;
        } else if (failure != null && isPlanted.test(failure)) {
            fate = Fate.THREW_ON_PURPOSE;
        } else {
            fate = isRight(lane, number, answer) ? Fate.ANSWERED : Fate.WRONG;
        }
        completed.getOrDefault(fate, given).increment();
        answered.that(
                fate != Fate.WRONG,
                () -> "number " + number + " of lane " + lane + " was answered with " + answer + ", " + failure);
    }

    private boolean isRight(int lane, long number, @Nullable Answer<Long> answer) {
        long error = trial.isPlanted(Promise.ANSWERED) ? 1 : 0;
        return answer != null && answer.value() == answer(lane, number, answer.tick()) + error;
    }

    /** How many futures were completed in one of these ways. */
    private long sum(Fate... fates) {
        return Arrays.stream(fates)
                .mapToLong(fate -> completed.getOrDefault(fate, given).sum())
                .sum();
    }

    long ran() {
        return ran.sum();
    }

    long refused() {
        return sum(Fate.REFUSED);
    }

    /** Compares the sums when no commands are given any more and the service has ended. */
    void checkSums(long refusedByService) {
        checkAnswers();
        trial.check(Promise.COMMAND_SUMS)
                .that(
                        refused() == refusedByService,
                        () -> this + ", but " + refusedByService + " refusals were counted by the service");
    }

    /** Whether all futures were completed, and none says of a command that ran that it did not. As {@link #checkSums}. */
    void checkAnswers() {
        boolean isThrough = Polling.await(() -> sum(Fate.values()) == given.sum());
        answered.that(isThrough, () -> "of " + given + " futures not all were completed: " + this);
        long answers = sum(Fate.ANSWERED, Fate.WRONG) + (trial.isPlanted(Promise.COMMAND_SUMS) ? 1 : 0);
        trial.check(Promise.COMMAND_SUMS).that(isThrough && ran.sum() == answers, this::toString);
    }

    private static long answer(int lane, long number, long tick) {
        return (number * 31 + lane) * 31 + tick;
    }

    @Override
    public String toString() {
        return given + " given, " + ran + " ran, " + completed;
    }
}
