package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.state.time.NanoClock;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of this process's commands, each in one of three ways.
 *
 * <ol>
 *   <li><b>Ran</b> on this node: with the handler's result or exception. In a process that is no node: when the command is in the log.
 *   <li><b>Refused</b>: with a {@link RejectedExecutionException} that says why. The command never runs, on any node.
 *   <li><b>Unknown</b>: with a {@link TimeoutException}, if the cluster has not answered within a timeout, or before {@link #end}.
 * </ol>
 *
 * <p>Any thread may call any method, except {@link #found}.
 */
final class PendingAnswers {

    /** The time after which a command without an answer fails. It is longer than an election, or commands would fail in each election. */
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String whose;
    private final boolean untilRun;
    private long lookedNanos;
    private final long timeoutNanos;
    private final NanoClock clock;

    private final Set<Asked> pending = ConcurrentHashMap.newKeySet();

    /** The commands of this client that are in batches, in the order in which the log will have them. */
    private final Queue<Asked> batched = new ConcurrentLinkedQueue<>();

    private final AnswerThread answering = new AnswerThread(Thread::new);

    // Volatile: end() sets it and then visits `pending`; await() adds a command to `pending` and then reads it. So
    // end() sees the command, or await() reads true, or both. The command fails in each case.
    private volatile boolean ended;

    /** A command that waits for its answer. */
    final class Asked {
        final CommandName type;
        private final CompletableFuture<Answer<Object>> future = new CompletableFuture<>();
        private final long offeredNanos = clock.nanoTime();

        // Volatile: true once the log has the command. The physics thread or the sending thread writes it; expire()
        // reads it.
        private volatile boolean stored;

        private Asked(CommandName type) {
            this.type = type;
        }

        /**
         * Notes that the command enters the next batch. Returns false if it must not, because it has failed. Only the sending thread calls
         * it.
         */
        boolean mayBeSent() {
            boolean pends = pending.contains(this); // not the future, which completes later if this has failed
            if (pends && untilRun) {
                batched.add(this);
            }
            return pends;
        }

        /** Notes that the log has the command. Completes it if it is refused for the reason {@code refusal}; else it will run. */
        void stored(@Nullable String refusal) {
            stored = true;
            if (refusal != null) {
                complete(null, new RejectedExecutionException(refusal));
            } else if (!untilRun) {
                complete(null, null);
            }
        }

        /** Completes the future, because the command has run, or never will. Uses the answer thread, because callbacks may block. */
        void complete(@Nullable Answer<?> answer, @Nullable Throwable thrown) {
            answering.execute(() -> {
                if (thrown != null) {
                    future.completeExceptionally(thrown);
                } else {
                    @SuppressWarnings("unchecked") // the handler returned the type of the command's answer
                    Answer<Object> value = (Answer<Object>) answer;
                    future.complete(value);
                }
            });
        }

        /**
         * Fails the future, at most once. Whether {@code pending} still has this command decides that, because the future may complete
         * later.
         */
        private void fail(String why, @Nullable Throwable cause) {
            if (pending.remove(this)) {
                complete(null, unknown(why, cause));
            }
        }
    }

    private static Throwable unknown(String why, @Nullable Throwable cause) {
        Exception thrown = new TimeoutException(
                why + " before the cluster answered: it is not known whether the command ran, or will");
        return cause == null ? thrown : thrown.initCause(cause);
    }

    /**
     * Creates the answers of a client. If {@code untilRun}, commands complete after they ran on this node, else already when the cluster
     * has stored them.
     */
    PendingAnswers(String whose, boolean untilRun, long timeoutNanos, NanoClock clock) {
        this.timeoutNanos = timeoutNanos;
        this.whose = whose;
        this.untilRun = untilRun;
        this.clock = clock;
        lookedNanos = clock.nanoTime();
    }

    /**
     * Offers a command, and returns the future of its answer.
     *
     * @param offer offers the command to the next batch; returns false if there is no room
     */
    <T> CompletableFuture<Answer<T>> await(CommandName type, Predicate<Asked> offer) {
        Asked asked = new Asked(type);
        pending.add(asked);
        if (!ended && !offer.test(asked)) {
            asked.future.completeExceptionally(full());
        }
        if (ended) {
            asked.future.completeExceptionally(unknown(whose + " has ended", null));
        }
        @SuppressWarnings("unchecked") // the handler was added for the type of the command
        CompletableFuture<Answer<T>> typed = (CompletableFuture<Answer<T>>)
                (CompletableFuture<?>) asked.future.whenComplete((answer, thrown) -> pending.remove(asked));
        return typed;
    }

    static RejectedExecutionException full() {
        return new RejectedExecutionException("too many requests wait for the cluster; has it a leader?");
    }

    /**
     * Takes the oldest command in this client's batches, which now came out of the log. The command runs, or is refused for the reason
     * {@code refusal}. Called by the physics thread.
     */
    Asked found(@Nullable String refusal) {
        Asked next = batched.remove();
        next.stored(refusal);
        return next;
    }

    /** Fails each command that is not in the log when the timeout has passed, or up to a second later. One thread calls it often. */
    void expire() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            lookedNanos = nowNanos;
            for (Asked asked : pending) {
                if (!asked.stored && nowNanos - asked.offeredNanos > timeoutNanos) {
                    asked.fail(TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms have passed", null);
                }
            }
        }
    }

    void requireOpen() {
        if (ended) {
            throw new IllegalStateException(whose + " has ended");
        }
    }

    /** Fails all commands without an answer, and all later ones. Idempotent. */
    void end(@Nullable Throwable cause) {
        ended = true;
        pending.forEach(asked -> asked.fail(whose + " has ended", cause));
        answering.end();
    }

    /** Waits, after {@link #end}, until the callbacks of all futures have run, because a process that exits would end them. */
    void awaitCallbacks(long maxNanos) {
        answering.awaitEnd(maxNanos);
    }
}
