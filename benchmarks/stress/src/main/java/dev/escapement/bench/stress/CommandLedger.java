package dev.escapement.bench.stress;

import dev.escapement.physics.command.Answer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares sent commands, executed commands, and their futures. Each command has a lane, within which the order counts, and a number that
 * increases. Checks that commands run in order and once, that each is answered, and that the counts match.
 */
final class CommandLedger {

    private final Trial trial;
    private final Predicate<Throwable> isPlanted;
    private final Check inOrder;
    private final Check answered;
    /** The last executed number of each lane. Physics thread only. */
    private final long[] last;

    // Counted by many threads; read when all of them have ended.
    private final LongAdder given = new LongAdder();
    private final LongAdder ran = new LongAdder();
    // The outcomes of futures: an answer, right or wrong; a refusal; a planned failure; the end of the service.
    private final LongAdder answers = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder ends = new LongAdder();

    /** Creates a ledger with a number of lanes. A command may throw on purpose instead of running. */
    CommandLedger(Trial trial, int lanes, Predicate<Throwable> isPlanted) {
        this.trial = trial;
        this.isPlanted = isPlanted;
        inOrder = trial.check(Promise.COMMANDS_IN_ORDER);
        answered = trial.check(Promise.ANSWERED);
        last = new long[lanes];
        Arrays.fill(last, -1);
    }

    /** Runs a command, on the physics thread. The answers of all commands differ. */
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

    /** Counts the outcome of a sent command. Any thread. */
    void follow(int lane, long number, CompletableFuture<Answer<Long>> future) {
        given.increment();
        CompletableFuture<?> unused =
                future.whenComplete((answer, failure) -> completed(lane, number, answer, failure));
    }

    private void completed(int lane, long number, @Nullable Answer<Long> answer, @Nullable Throwable failure) {
        boolean isRight = true;
        if (failure instanceof RejectedExecutionException) {
            refusals.increment();
        } else if (failure instanceof IllegalStateException) {
            ends.increment();
        } else if (failure != null && isPlanted.test(failure)) {
            failures.increment();
        } else {
            long error = trial.isPlanted(Promise.ANSWERED) ? 1 : 0;
            isRight = answer != null && answer.value() == answer(lane, number, answer.tick()) + error;
            answers.increment();
        }
        answered.that(
                isRight,
                () -> "number " + number + " of lane " + lane + " was answered with " + answer + ", " + failure);
    }

    /**
     * Checks that no command failed because its service ended, and that the service counts at least as many refusals. Call it after the end
     * of a service that has not failed, and that was closed only when {@link #areAllAnswered}.
     */
    void checkNoneWasLeft(long refused) {
        answered.that(
                ends.sum() == 0 && refusals.sum() <= refused,
                () -> "commands were left at the end of a service that has refused " + refused + ": " + this);
    }

    /** Whether all futures are completed. Any thread. */
    boolean areAllAnswered() {
        return answers.sum() + refusals.sum() + failures.sum() + ends.sum() == given.sum();
    }

    /**
     * Checks that all futures were completed, and that no executed command failed. Call it after the last command and the end of the
     * service.
     */
    void checkAnswers() {
        boolean isThrough = Polling.await(this::areAllAnswered);
        answered.that(isThrough, () -> "of " + given + " futures not all were completed: " + this);
        long answersToRun = answers.sum() + (trial.isPlanted(Promise.COMMAND_SUMS) ? 1 : 0);
        trial.check(Promise.COMMAND_SUMS).that(isThrough && ran.sum() == answersToRun, this::toString);
    }

    static long answer(int lane, long number, long tick) {
        return (number * 31 + lane) * 31 + tick;
    }

    @Override
    public String toString() {
        return given + " given, " + ran + " ran, " + answers + " answered, " + refusals + " refused, " + failures
                + " failed, " + ends + " failed because the service ended";
    }
}
