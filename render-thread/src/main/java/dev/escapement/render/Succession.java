package dev.escapement.render;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be shown next: any thread gives it, and the thread that shows takes it once it is ready. What is shown stays until then.
 *
 * <pre>{@code
 * Succession<FrameView> succession = new Succession<>(view -> view.advance(nanos), FrameView::close);
 * succession.give(view);               // any thread
 * FrameView next = succession.take();  // in each frame: null until it has a window
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>What is given is either taken, or closed: if another one is given before it is ready, if it fails, or at the end.
 *   <li>One that fails with an exception ends nothing: it is closed, and the exception is logged.
 * </ol>
 *
 * <p>{@link #take} and {@link #close} on the thread that shows, all else on any thread. Allocates nothing.
 *
 * @param <T> what is shown
 */
public final class Succession<T> implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");

    private final Predicate<? super T> isReady;
    private final Consumer<? super T> closer;

    /**
     * What was given last, null once the thread that shows has noticed it. Volatile accesses: what its creator did is seen by the thread that
     * takes it.
     */
    private final AtomicReference<@Nullable T> given = new AtomicReference<>();

    /** Waits until it is ready. */
    private @Nullable T coming;

    /** Volatile: set before {@link #given} is looked at for the last time. */
    private volatile boolean ended;

    /**
     * Creates one with nothing to be shown next.
     *
     * @param isReady whether it can be shown now, asked in each {@link #take}
     * @param closer  closes what is never shown
     */
    public Succession(Predicate<? super T> isReady, Consumer<? super T> closer) {
        this.isReady = isReady;
        this.closer = closer;
    }

    /**
     * Gives what is to be shown next.
     *
     * @param next is closed at once after the end
     */
    public void give(T next) {
        close(given.getAndSet(Objects.requireNonNull(next, "next must not be null")));
        if (ended) {
            close(given.getAndSet(null));
        }
    }

    /**
     * Takes what is ready to be shown.
     *
     * @return what is to be shown from now on; null as long as there is none, or it is not ready
     */
    public @Nullable T take() {
        if (given.get() != null) {
            close(coming);
            coming = given.getAndSet(null);
        }
        T next = coming;
        if (next == null || !canBeShown(next)) {
            return null;
        }
        coming = null;
        return next;
    }

    private boolean canBeShown(T next) {
        try {
            return isReady.test(next);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "What is shown stays, because what was to come next has failed", e);
            coming = null;
            close(next);
            return false;
        }
    }

    /**
     * What waits to be shown. On the thread that shows.
     *
     * @return what was given last; null if it was taken
     */
    public @Nullable T waiting() {
        T last = given.get();
        return last == null ? coming : last;
    }

    private void close(@Nullable T unshown) {
        if (unshown != null) {
            try {
                closer.accept(unshown);
            } catch (RuntimeException e) { // a view that another thread has used, say
                LOG.log(System.Logger.Level.ERROR, "What was never shown cannot be closed", e);
            }
        }
    }

    /** Ends: closes what was never shown, and what is still given. Idempotent. */
    @Override
    public void close() {
        ended = true;
        try {
            close(coming);
        } finally {
            coming = null;
            close(given.getAndSet(null));
        }
    }
}
