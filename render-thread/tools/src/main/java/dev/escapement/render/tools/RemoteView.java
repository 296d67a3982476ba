package dev.escapement.render.tools;

import dev.escapement.render.FrameView;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.world.ReceivedWorld;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows the world of another process: a receiver, the stream that feeds it, and a view once the world is known.
 *
 * <p>It also reports how long the stream has been silent.
 *
 * <pre>{@code
 * NanoClock clock = NanoClock.system();
 * SnapshotReceiver world = new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
 * try (var remote = RemoteView.open(clock, world, receiver -> UdpLoop.client(server, "marbles", Access.key(key), receiver, clock))) {
 *     while (running) {
 *         FrameView frame = remote.frame();             // null until the world is known
 *         if (frame != null) {
 *             draw(frame);
 *         }
 *         remote.look().ifPresent(System.out::println); // "Nothing has come for 4 s: ..."
 *     }
 * }
 * }</pre>
 *
 * <p>A render loop takes {@link #view()} instead, and makes the frames itself.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No frame is made before the world is known. Frames continue while the stream is silent.
 *   <li>A silence is reported after 1, 2, 4, ... seconds, once each, and once when it ends.
 *   <li>A silence shorter than a second is not reported: packets may come late.
 *   <li>The reason why nothing is shown, if the receiver knows one, is reported once, even before the world is known.
 * </ol>
 *
 * <p>One thread calls all methods. The view that {@link #view()} returns may be used by another one, which then makes the frames.
 *
 * @param <R> the receiver of the world: {@code SnapshotReceiver}
 * @param <S> the stream, for example {@code UdpLoop<ClientEndpoint>} or {@code AeronReceiver}
 */
public final class RemoteView<R extends ReceivedWorld, S extends AutoCloseable> implements AutoCloseable {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final NanoClock clock;
    private final R receiver;
    private final S stream;
    private @Nullable FrameView view;

    private Optional<String> problem = Optional.empty();
    private long silentNanos;
    private long reportNanos = SECOND_NANOS;

    private RemoteView(NanoClock clock, R receiver, S stream) {
        this.clock = clock;
        this.receiver = receiver;
        this.stream = stream;
    }

    /**
     * Connects to a world, which need not be there yet.
     *
     * @param clock    the local clock, by which frames are made
     * @param receiver a receiver on the same clock, fed by nothing else
     * @param connect  starts the stream that feeds the receiver; this view closes it
     * @param <R>      the receiver
     * @param <S>      the stream
     * @return a view, to be closed
     */
    public static <R extends ReceivedWorld, S extends AutoCloseable> RemoteView<R, S> open(
            NanoClock clock, R receiver, Function<? super R, ? extends S> connect) {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(receiver, "receiver");
        Objects.requireNonNull(connect, "connect");
        return new RemoteView<>(clock, receiver, connect.apply(receiver));
    }

    /** {@return the stream that feeds the receiver} It accepts input, and reports why it ended if nobody closed it. */
    public S stream() {
        return stream;
    }

    /** {@return the receiver, for its metrics and for more readers} It is fed by the stream alone. */
    public R receiver() {
        return receiver;
    }

    /** {@return the view of the world, for a render loop: always the same one; null until the world is known} */
    public @Nullable FrameView view() {
        if (view == null && receiver.isReady()) {
            view = FrameView.of(receiver.newReader());
        }
        return view;
    }

    /**
     * {@return the view, advanced to a frame for this instant; null while there is nothing to show}
     *
     * @throws IllegalStateException if another thread makes frames with the view
     */
    public @Nullable FrameView frame() {
        FrameView known = view();
        return known != null && known.advance(clock.nanoTime()) ? known : null;
    }

    /**
     * Checks how long the stream has been silent. Call it about once a frame, because it misses a silence that begins and ends between two
     * calls.
     *
     * @return a sentence for people, if there is something new to report
     */
    public Optional<String> look() {
        long lastNanos = silentNanos;
        silentNanos = receiver.silentNanos();
        boolean hasEnded = silentNanos < lastNanos && lastNanos >= SECOND_NANOS;
        if (hasEnded) {
            reportNanos = SECOND_NANOS;
        }
        if (silentNanos >= reportNanos) {
            long seconds = silentNanos / SECOND_NANOS;
            reportNanos = 2 * SECOND_NANOS * seconds;
            return Optional.of("Nothing has come for " + seconds + " s: the picture stands still.");
        }
        if (hasEnded) {
            return Optional.of(String.format(Locale.ROOT, "Packets come again, after %.1f s.", lastNanos / 1e9));
        }
        Optional<String> before = problem;
        problem = receiver.problem();
        return problem.equals(before) ? Optional.empty() : problem.map(why -> "Nothing new is shown: " + why + ".");
    }

    /**
     * Ends the stream, and closes the view, whose last poses can still be read. Idempotent.
     *
     * @throws IllegalStateException if another thread still makes frames with the view, or the stream cannot be closed; the stream has
     *                               ended in the first case, too
     */
    @Override
    public void close() {
        try {
            stream.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the stream cannot be closed: " + e.getMessage(), e);
        } finally {
            if (view != null) {
                view.close();
            }
        }
    }
}
