package dev.escapement.bench.stress;

import dev.escapement.physics.command.Answer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares sent commands with executed commands and with the answers of their futures. Each command has a number that increases within its
 * lane. Checks that the commands of a lane run in order and once, that each command is answered, and that the counts match.
 */
final class CommandLedger {

    private final Trial trial;
    private final Predicate<Throwable> isPlanted;
    private final Check inOrder;
    private final Check answered;
    private final long[] last;

    // Many threads count here. The counts are compared after these threads have ended.
    private final LongAdder given = new LongAdder();
    private final LongAdder ran = new LongAdder();
    // The outcomes of futures: an answer, right or wrong; a refusal; a failure that was planted; an end of the service
    // before the command ran.
    private final LongAdder answers = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder ends = new LongAdder();

    /** Creates a ledger. {@code isPlanted} recognizes exceptions that a command throws on purpose instead of running. */
    CommandLedger(Trial trial, int lanes, Predicate<Throwable> isPlanted) {
        this.trial = trial;
        this.isPlanted = isPlanted;
        inOrder = trial.check(Promise.COMMANDS_IN_ORDER);
        answered = trial.check(Promise.ANSWERED);
        last = new long[lanes];
        Arrays.fill(last, -1);
    }

    /** Notes that a command runs, and returns its answer, which differs from that of all other commands. Physics thread. */
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

    /** Counts the outcome of a sent command when its future is completed. Any thread. */
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
     * Checks that no command failed because its service ended, and that the service has counted at least as many refusals as the ledger.
     * Valid only for a service that has not failed, and that was closed after {@link #areAllAnswered} became true.
     */
    void checkNoneWasLeft(long refused) {
        answered.that(
                ends.sum() == 0 && refusals.sum() <= refused,
                () -> "commands were left at the end of a service that has refused " + refused + ": " + this);
    }

    boolean areAllAnswered() {
        return answers.sum() + refusals.sum() + failures.sum() + ends.sum() == given.sum();
    }

    /**
     * Checks that all futures are completed, and that as many commands were answered as ran. Call it after the last command was sent and
     * the service has ended.
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
