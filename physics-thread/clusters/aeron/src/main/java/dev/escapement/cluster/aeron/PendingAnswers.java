package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.request.CommandQueue;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The futures of commands that were offered to this node, until they have run here. Each is completed: by the run, or by the end.
 *
 * <p>Any thread may call any method, except {@link #ran}.
 */
final class PendingAnswers implements CommittedTicks.Answers {

    private final String whose;

    /** Of all commands that have not run, by number. */
    private final Map<Long, CompletableFuture<?>> pending = new ConcurrentHashMap<>();

    private final AtomicLong lastNumber = new AtomicLong();

    /** Of those that are in a batch, in the order in which they will run. */
    private final Queue<CompletableFuture<Answer<Object>>> batched = new ConcurrentLinkedQueue<>();

    private final CommandQueue.Answers answering = AnswerThread.create();

    // Volatile: a thread that adds a future after this was set sees it, and one that sets it sees those added before.
    private volatile boolean ended;

    PendingAnswers(String whose) {
        this.whose = whose;
    }

    /**
     * Offers a command, and returns the future of its answer.
     *
     * @param offer is given what is to be called when the command is in a batch; false if it is refused
     */
    <T> CompletableFuture<Answer<T>> await(Predicate<Runnable> offer) {
        CompletableFuture<Answer<Object>> future = new CompletableFuture<>();
        long number = lastNumber.incrementAndGet();
        pending.put(number, future);
        if (ended) {
            future.completeExceptionally(endOf(null));
        } else if (!offer.test(() -> batched.add(future))) {
            future.completeExceptionally(full());
        } else if (ended) {
            future.completeExceptionally(endOf(null));
        }
        @SuppressWarnings("unchecked") // the handler was added for the type of the command
        CompletableFuture<Answer<T>> typed = (CompletableFuture<Answer<T>>)
                (CompletableFuture<?>) future.whenComplete((answer, thrown) -> pending.remove(number));
        return typed;
    }

    static IllegalStateException full() {
        return new IllegalStateException("too many requests wait for the cluster; has it a leader?");
    }

    private IllegalStateException endOf(@Nullable Throwable cause) {
        return new IllegalStateException(whose + " has ended", cause);
    }

    @Override
    public void ran(@Nullable Answer<?> answer, @Nullable Throwable thrown) {
        CompletableFuture<Answer<Object>> asked = batched.remove();
        answering.execute(() -> {
            if (thrown != null) {
                asked.completeExceptionally(thrown);
            } else {
                @SuppressWarnings("unchecked") // of the type of its command
                Answer<Object> value = (Answer<Object>) Objects.requireNonNull(answer);
                asked.complete(value);
            }
        });
    }

    void requireOpen() {
        if (ended) {
            throw endOf(null);
        }
    }

    boolean hasEnded() {
        return ended;
    }

    /** Fails what has not run, and what comes later. Idempotent. */
    void end(@Nullable Throwable cause) {
        ended = true;
        pending.values().forEach(asked -> asked.completeExceptionally(endOf(cause)));
        answering.end();
    }
}
