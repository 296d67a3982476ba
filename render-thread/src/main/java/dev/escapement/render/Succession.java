package dev.escapement.render;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands the next view from any thread to the thread that shows it, which takes the view once it is ready.
 *
 * <pre>{@code
 * Succession<FrameView> succession = new Succession<>(view -> view.advance(nanos), FrameView::close);
 * succession.give(view);               // any thread
 * FrameView next = succession.take();  // in each frame: null until it has a window
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>What is given is either taken or closed: closed if another one is given before it is ready, if it fails, or at the end.
 *   <li>One that fails is closed, and the exception is logged; the thread that shows does not notice.
 * </ol>
 *
 * <p>{@link #take}, {@link #waiting} and {@link #close} on the thread that shows, {@link #give} on any thread. Allocates nothing.
 *
 * @param <T> what is shown, for example a {@link FrameView}
 */
public final class Succession<T> implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");

    private final Predicate<? super T> isReady;
    private final Consumer<? super T> closer;

    /**
     * The thing given last, null once {@link #take} has fetched it. Volatile: the set in {@link #give} pairs with the get in {@link #take};
     * without it the thread that shows could see a thing before the writes of its creator.
     */
    private final AtomicReference<@Nullable T> given = new AtomicReference<>();

    /** Fetched, but not ready yet. */
    private @Nullable T coming;

    /**
     * Volatile: {@link #close} writes it before it empties {@link #given} for the last time, and {@link #give} reads it after it has filled
     * {@link #given}. So at least one of the two sees the thing and closes it; otherwise a thing could remain that nobody closes.
     */
    private volatile boolean ended;

    /**
     * Creates an empty succession.
     *
     * @param isReady true if a thing can be shown now, called in each {@link #take}
     * @param closer  closes things that are never shown
     */
    public Succession(Predicate<? super T> isReady, Consumer<? super T> closer) {
        this.isReady = isReady;
        this.closer = closer;
    }

    /**
     * Gives the next thing to show, in place of one given before that is not ready.
     *
     * @param next closed immediately if this has ended
     */
    public void give(T next) {
        close(given.getAndSet(Objects.requireNonNull(next, "next must not be null")));
        if (ended) {
            close(given.getAndSet(null));
        }
    }

    /**
     * Takes the next thing if it is ready.
     *
     * @return what to show from now on; null if nothing was given, or it is not ready
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
            LOG.log(System.Logger.Level.ERROR, "The next view has failed, the old one stays", e);
            coming = null;
            close(next);
            return false;
        }
    }

    /** {@return the thing that was given last, if it is not ready yet; null if it was taken} On the thread that shows. */
    public @Nullable T waiting() {
        T last = given.get();
        return last == null ? coming : last;
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

    /** Closes the things that were not taken, and everything that is given from now on. Idempotent. */
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
