package dev.escapement.render;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands the next view from any thread to the render thread, once the view is ready.
 *
 * <pre>{@code
 * Succession<FrameView> succession = new Succession<>(view -> view.advance(nanos), FrameView::close);
 * succession.submit(view);             // any thread
 * FrameView next = succession.take();  // in each frame: null until the view has a window
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Each submitted view is either taken or closed. It is closed if another view is submitted before it is ready, if it fails, or if the
 *       succession is closed.
 *   <li>A view that fails is closed, and its exception is logged; the render thread gets no exception.
 * </ol>
 *
 * <p>{@link #take}, {@link #successor} and {@link #close} on the render thread, {@link #submit} on any thread. Allocates nothing.
 *
 * @param <T> the type of the views, for example {@link FrameView}
 */
public final class Succession<T> implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");

    private final Predicate<? super T> isReady;
    private final Consumer<? super T> closer;

    /**
     * The last submitted view, null once {@link #take} has fetched it. Volatile: the set in {@link #submit} pairs with the get in
     * {@link #take}; without it the render thread could see a view before the writes of its creator.
     */
    private final AtomicReference<@Nullable T> submission = new AtomicReference<>();

    /** The view that {@link #take} has fetched from {@link #submission}, but that was not ready yet. */
    private @Nullable T candidate;

    /**
     * Volatile: {@link #close} writes it before it empties {@link #submission} for the last time, and {@link #submit} reads it after it has
     * filled {@link #submission}. So at least one of the two methods sees a late view and closes it. Without this order a view could stay
     * open for ever.
     */
    private volatile boolean ended;

    /**
     * Creates an empty succession.
     *
     * @param isReady true if a view can be shown now, called in each {@link #take}
     * @param closer  closes views that are never shown
     */
    public Succession(Predicate<? super T> isReady, Consumer<? super T> closer) {
        this.isReady = isReady;
        this.closer = closer;
    }

    /**
     * Submits the next view, in place of an earlier one that is not ready.
     *
     * @param next closed immediately if this succession is closed
     */
    public void submit(T next) {
        close(submission.getAndSet(Objects.requireNonNull(next, "next must not be null")));
        if (ended) {
            close(submission.getAndSet(null));
        }
    }

    /**
     * Takes the next view if it is ready.
     *
     * @return the view to show from now on; null if none was submitted, or it is not ready
     */
    public @Nullable T take() {
        if (submission.get() != null) {
            close(candidate);
            candidate = submission.getAndSet(null);
        }
        T next = candidate;
        if (next == null || !canBeShown(next)) {
            return null;
        }
        candidate = null;
        return next;
    }

    private boolean canBeShown(T next) {
        try {
            return isReady.test(next);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "The next view has failed, the old one stays", e);
            candidate = null;
            close(next);
            return false;
        }
    }

    /** {@return the submitted view that was not taken yet; null if there is none} On the render thread. */
    public @Nullable T successor() {
        T last = submission.get();
        return last == null ? candidate : last;
    }

    private void close(@Nullable T unshown) {
        if (unshown != null) {
            try {
                closer.accept(unshown);
            } catch (RuntimeException e) { // for example a view that another thread has used
                LOG.log(System.Logger.Level.ERROR, "A view that was never shown cannot be closed", e);
            }
        }
    }

    /** Closes the views that were not taken, and all that are submitted from now on. Idempotent. */
    @Override
    public void close() {
        ended = true;
        try {
            close(candidate);
        } finally {
            candidate = null;
            close(submission.getAndSet(null));
        }
    }
}
