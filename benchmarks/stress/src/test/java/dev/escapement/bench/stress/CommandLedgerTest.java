package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CommandLedgerTest {

    private final Trial trial =
            new Trial(Set.of(Promise.COMMANDS_IN_ORDER, Promise.ANSWERED, Promise.COMMAND_SUMS), null);
    private final CommandLedger ledger = new CommandLedger(trial, 1, UnsupportedOperationException.class::isInstance);
    private long number;

    private CompletableFuture<Answer<Long>> give() {
        CompletableFuture<Answer<Long>> future = new CompletableFuture<>();
        ledger.follow(0, number++, future);
        return future;
    }

    private long brokenAnswers() {
        return trial.check(Promise.ANSWERED).broken();
    }

    @Test
    void shouldHoldIfAllEndedAsPlanned() {
        CompletableFuture<Answer<Long>> open = give();
        give().completeExceptionally(new UnsupportedOperationException("planned"));
        give().completeExceptionally(new RejectedExecutionException("full"));
        assertThat(ledger.areAllAnswered()).isFalse();
        open.complete(new Answer<>(7, ledger.run(0, 0, 7)));
        assertThat(ledger.areAllAnswered()).isTrue();
        ledger.checkAnswers();
        ledger.checkNoneWasLeft(1);
        assertThat(brokenAnswers()).isZero();
        assertThat(trial.check(Promise.COMMAND_SUMS).broken()).isZero();
    }

    @Test
    void shouldFindACommandThatWasLeftUntilTheEnd() {
        give().completeExceptionally(new IllegalStateException("the service is closed"));
        ledger.checkAnswers();
        assertThat(brokenAnswers()).as("a service that fails may leave some").isZero();
        ledger.checkNoneWasLeft(0);
        assertThat(brokenAnswers()).isEqualTo(1);
    }

    @Test
    void shouldFindARefusalThatTheServiceDoesNotCount() {
        give().completeExceptionally(new RejectedExecutionException("full"));
        ledger.checkNoneWasLeft(0);
        assertThat(brokenAnswers()).isEqualTo(1);
    }
}
