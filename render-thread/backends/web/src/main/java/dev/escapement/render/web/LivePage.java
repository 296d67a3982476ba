package dev.escapement.render.web;

import dev.escapement.render.FrameListener;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import dev.escapement.state.world.WorldControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A page in the browser that shows, scrubs and steers a running world.
 *
 * <pre>{@code
 * try (LivePage page = LivePage.of(physics.newReader()).controls(physics).start()) {
 *     System.out.println(page.url());
 *     ...
 * }
 * }</pre>
 *
 * <p>{@link #url()} has a secret, new with each start: a browser or program that does not know it gets nothing. It does not encrypt. Only
 * this machine can connect, unless {@link LivePageBuilder#address} says otherwise.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The page is a reader like any other: it waits for the physics thread nowhere, and the physics thread does not wait for it. Without
 *       a browser it costs the physics thread nothing; with one, a query for a few shapes at a time, and the events of bodies.</li>
 *   <li>A client that is slow, or reads nothing, costs the others nothing: it gets fewer pictures, never older ones, and is closed if it
 *       reads nothing for 10 s.</li>
 *   <li>When the world fails or is closed, the page stays with its last picture, and says so, also to a browser that comes later, until it is
 *       given another one to {@link #show}. What a browser was shown before does nothing to that.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread may call any method. A page has a daemon thread {@code escapement-live}, and at most ten of its web server.
 */
public final class LivePage implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");
    private static final String READER = "reader must not be null; pass physics.newReader()";
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** What rounds are paced by, also if the world has another clock: people and browsers wait in real time. */
    private final NanoClock clock = NanoClock.system();

    private final Sender sender;
    private final PageServer server;
    private final Pacer pacer;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LivePage(LivePageBuilder settings) {
        NanoClock worldClock = settings.reader.clock();
        Consumer<? super LivePage> startOver = settings.onStartOver;
        sender = new Sender(
                settings,
                worldClock == null ? NanoClock.system() : worldClock,
                startOver == null ? null : () -> startOver.accept(this));
        server = new PageServer(settings.address, settings.port, sender);
        pacer = new Pacer(clock, Waiter.system(), WaitStrategy.PARK_ONLY);
        thread = new Thread(this::run, "escapement-live");
        thread.setDaemon(true);
    }

    /**
     * Creates a builder of a page.
     *
     * @param reader a reader that nothing else uses; it belongs to the page once that has started
     * @return a builder with the defaults: a free port of this machine, 30 s of the past, no controls
     */
    public static LivePageBuilder of(SnapshotReader reader) {
        return new LivePageBuilder(reader);
    }

    static LivePage start(LivePageBuilder settings) {
        LivePage page = new LivePage(settings);
        try {
            page.server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the live page cannot serve on port " + settings.port + " of "
                            + settings.address.getHostAddress()
                            + ": another program, or another page, has it; choose another one, or 0 for any that is free",
                    e);
        }
        page.thread.start();
        return page;
    }

    private void run() {
        try {
            long nextNanos = clock.nanoTime();
            while (pacer.awaitUntil(nextNanos)) {
                sender.round();
                long nowNanos = clock.nanoTime();
                nextNanos += sender.periodNanos();
                nextNanos = nextNanos - nowNanos > 0 ? nextNanos : nowNanos; // late rounds are not made up
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "A live page has ended, because of the error below; physics goes on", e);
        } finally {
            sender.close();
        }
    }

    /**
     * Where the page is.
     *
     * @return a URL to open in a browser; who knows it can watch, and steer if there are controls
     */
    public String url() {
        return server.url();
    }

    /**
     * Shows another world, which the page cannot steer, as {@link #show(SnapshotReader, WorldControl)} does.
     *
     * @param reader a reader that nothing else uses
     */
    public void show(SnapshotReader reader) {
        sender.show(Objects.requireNonNull(reader, READER), null);
    }

    /**
     * Shows another world, for example that of a service which takes the place of one that has failed: from the moment on when the reader has
     * a window; until then the page shows the world before. The past of that one is forgotten then. Open pages stay open. If another world is
     * shown before that, this reader is closed. Any thread.
     *
     * @param reader a reader that nothing else uses, of the same clock; it belongs to the page
     * @param world  the world that the reader reads from, for the page to steer
     */
    public void show(SnapshotReader reader, WorldControl world) {
        sender.show(
                Objects.requireNonNull(reader, READER),
                Objects.requireNonNull(world, "world must not be null; leave it out for a page that only shows"));
    }

    /**
     * Adds a view to the page: how its frames fare.
     *
     * <pre>{@code
     * RenderLoop.start(view, backend, schedule, page.frames("main"));
     * }</pre>
     *
     * @param name what the page calls it, another one for each view
     * @return a listener for one view, for its loop to call; it allocates nothing
     * @throws IllegalArgumentException if the name is taken, or there are 16 views
     */
    public FrameListener frames(String name) {
        return sender.instruments.frames(name);
    }

    /** Ends the page: its server, its thread, its reader. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            pacer.cancel();
            if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The thread of a live page does not end: it waits for what controls it was given");
            }
            server.stop();
        }
    }

    @Override
    public String toString() {
        return "LivePage[" + (closed.get() ? "closed" : "open") + "]"; // without the secret
    }
}
