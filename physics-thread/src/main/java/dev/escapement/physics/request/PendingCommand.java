package dev.escapement.physics.request;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.usercode.FailureReport;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A command in a {@link CommandQueue}, and its answer.
 *
 * <pre>
 *   waiting --physics thread--&gt; running ----physics thread-------&gt; decided: returned or threw
 *      |                           '---the thread that abandons--&gt; decided: the end
 *      '----------the one that offers, or ends the queue---------&gt; decided: the end
 * </pre>
 */
final class PendingCommand<T extends @Nullable Object> implements Runnable {

    static final int WAITING = 0;
    static final int RUNNING = 1;
    static final int DECIDED = 2;

    final AnswerFuture<Answer<T>> future = new AnswerFuture<>(this);
    final int round;
    private final CommandQueue queue;
    private final Command<T> command;
    private final @Nullable Runnable release;
    private final Object what;

    /** Atomic updates only: exactly one thread decides; else two could complete the future, or free its place twice. */
    private final AtomicInteger state = new AtomicInteger(WAITING);

    // Written by the thread that decides, before it passes this to the executor.
    private @Nullable Answer<T> answer;
    private @Nullable Throwable failure;

    /**
     * Whether the executor has the answer. Plain: only a thread that runs commands reads this, and only for commands that it ran itself.
     */
    private boolean isDelivered;

    PendingCommand(CommandQueue queue, Command<T> command, @Nullable Runnable release, Object what) {
        this.queue = queue;
        this.command = command;
        this.release = release;
        this.what = what;
        round = queue.round;
    }

    boolean tryMove(int from, int to) {
        return state.compareAndSet(from, to);
    }

    void execute(long tick) {
        if (!tryMove(WAITING, RUNNING)) {
            return;
        }
        Answer<T> result = null;
        Throwable thrown = null;
        queue.runner = Thread.currentThread();
        try {
            if (future.isDone()) {
                // Nobody gets it: the future is done.
                throw new CancellationException("its producer did not wait for it");
            }
            result = new Answer<>(tick, call(tick));
        } catch (Throwable whyNot) {
            thrown = whyNot;
        }
        queue.runner = null;
        if (!queue.guard.isAbandoned() && tryMove(RUNNING, DECIDED)) {
            answer = result;
            if (thrown == null && release != null && queue.isHolding()) {
                queue.addHeld(this);
            } else {
                deliver(thrown);
            }
            if (thrown != null) {
                release();
            }
        }
    }

    private T call(long tick) throws Exception {
        try {
            return command.run(tick);
        } catch (Throwable thrown) {
            if (!queue.guard.isAbandoned()) {
                queue.countFailure(this, tick, thrown);
            }
            throw thrown;
        }
    }

    void deliver(@Nullable Throwable why) {
        failure = why;
        isDelivered = true;
        queue.answers.execute(this);
    }

    void end(Throwable why) {
        if (state.getAndSet(DECIDED) != DECIDED) {
            deliver(why);
        }
    }

    void release() {
        if (release != null) {
            release.run();
        }
    }

    /**
     * Completes the future. Frees the place in the queue first, so that a producer that waits for the future finds room for its next
     * command.
     */
    @Override
    public void run() {
        queue.placesTaken.getAndDecrement();
        complete();
    }

    private void complete() {
        if (failure == null) {
            future.complete(answer);
        } else {
            future.completeExceptionally(failure);
        }
        future.pending = null;
    }

    /** Fails the command without a place in the queue, on the thread that offers it. */
    void refuse(Throwable why) {
        failure = why;
        complete();
    }

    @Override
    public String toString() {
        return "one of the " + queue.name + " ("
                + FailureReport.nameOf(what instanceof CommandType ? "type " + what : what) + ")";
    }

    /**
     * The future of a command, and each future that {@code thenApply} and the like derive from it. Throws if the thread that runs commands
     * waits for an answer that it has yet to produce itself: it would wait for ever.
     */
    static final class AnswerFuture<T> extends CompletableFuture<T> {

        /** The future of the command; this, unless this is derived from it. */
        private final AnswerFuture<?> first;

        /**
         * In {@link #first}, the command until its future is complete: then a future that a game keeps holds no queue, and so no closed
         * service. Plain: to a thread that still sees the command, the command says that its answer is delivered.
         */
        private @Nullable PendingCommand<?> pending;

        AnswerFuture(PendingCommand<?> pending) {
            first = this;
            this.pending = pending;
        }

        private AnswerFuture(AnswerFuture<?> first) {
            this.first = first;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new AnswerFuture<>(first);
        }

        @Override
        public T get() throws InterruptedException, ExecutionException {
            requireAnother();
            return super.get();
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            requireAnother();
            return super.get(timeout, unit);
        }

        @Override
        public T join() {
            requireAnother();
            return super.join();
        }

        private void requireAnother() {
            PendingCommand<?> awaited = first.pending;
            if (awaited != null && !isDone() && awaited.queue.guard.isCaller() && !awaited.isDelivered) {
                throw new IllegalStateException(
                        "thread '" + Thread.currentThread().getName()
                                + "' would wait for itself, for it runs the commands and queries, and this one after what it runs now;"
                                + " continue with thenAccept(...), or do here what the command would do");
            }
        }
    }
}
