package dev.escapement.render.web;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import dev.escapement.state.world.WorldControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

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
 * <p>{@link #url()} contains a secret, new for each page unless {@link LivePageBuilder#token} sets it: requests without it are refused.
 * Nothing is encrypted. Only this machine can connect, unless {@link LivePageBuilder#address} sets another address. URLs must have the
 * page's own address as host, unless {@link LivePageBuilder#hosts} names other hosts.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The page is a reader like any other: it never waits for the physics thread, and the physics thread never waits for it. Without
 *       a browser it costs the physics thread nothing; with one, queries for a few shapes or joints at a time, and the events of
 *       bodies.</li>
 *   <li>A client that is slow, or reads nothing, costs the other clients nothing. It gets fewer pictures, never older ones, and is closed
 *       if it reads nothing for 10 s.</li>
 *   <li>When the world fails or is closed, the page keeps its last picture and reports the end, also to a browser that connects later,
 *       until {@link #show} gives it another world. Messages that a browser sent about the previous world have no effect on the new
 *       one.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread may call any method. A page has a daemon thread {@code escapement-live}, and at most ten of its web server.
 */
public final class LivePage implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.render");
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The clock of rounds, even if the world has another clock, because people and browsers wait in real time. */
    private final NanoClock clock = NanoClock.system();

    private final Sender sender;
    private final PageServer server;
    private final Pacer pacer;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LivePage(LivePageBuilder settings) {
        NanoClock worldClock = settings.reader.clock();
        Supplier<Map<String, Map<String, Number>>> worlds = settings.worlds;
        sender = new Sender(
                settings,
                worldClock == null ? NanoClock.system() : worldClock,
                worlds == null ? null : new WorldList(worlds, name -> settings.opener.accept(this, name), clock));
        PageAccess access = new PageAccess(settings.hosts, settings.prefix, settings.token, settings.frames);
        server = new PageServer(settings.address, settings.port, access, sender, PageServer.MAX_REQUEST_NANOS);
        pacer = new Pacer(clock, Waiter.system(), WaitStrategy.PARK_ONLY);
        thread = new Thread(this::run, "escapement-live");
        thread.setDaemon(true);
    }

    /**
     * {@return a builder of a page with the defaults: a free port of this machine, 30 s of the past, no controls}
     *
     * @param reader a reader that nothing else uses; the page closes it once it has started
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
                nextNanos = nextNanos - nowNanos > 0 ? nextNanos : nowNanos; // skips late rounds
            }
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "A live page has ended, because of the error below; physics goes on", e);
        } finally {
            sender.close();
        }
    }

    /** {@return the URL of the page, to open in a browser} Everyone who knows it can watch, and steer if there are controls. */
    public String url() {
        return server.url();
    }

    /**
     * Shows another world as soon as the reader has a window.
     *
     * <p>Use it, for example, after a service has failed and another one replaces it. Until the reader has a window, the page shows the
     * previous world; then it drops the past of that world. Open pages stay open. If a later call comes before the reader has a window,
     * the page closes the reader. Pages cannot rewind the new world. Any thread.
     *
     * @param reader a reader that nothing else uses, of the same clock; the page closes it
     * @param world  the world that the reader reads from, for the page to steer
     */
    public void show(SnapshotReader reader, WorldControl world) {
        sender.show(
                Objects.requireNonNull(reader, "reader must not be null; pass physics.newReader()"),
                Objects.requireNonNull(world, "world must not be null; pass the one that the reader reads from"));
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
