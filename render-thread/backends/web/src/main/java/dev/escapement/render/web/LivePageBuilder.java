package dev.escapement.render.web;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.world.Rewindable;
import dev.escapement.state.world.WorldControl;
import java.net.InetAddress;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link LivePage}.
 *
 * <pre>{@code
 * LivePage page = LivePage.of(physics.newReader())
 *         .controls(physics)
 *         .title("Yard")
 *         .start();
 * }</pre>
 *
 * <p>One thread.
 */
public final class LivePageBuilder {

    private static final int MAX_PORT = 65_535;
    private static final int DEFAULT_HISTORY_SECONDS = 30;

    final SnapshotReader reader;
    InetAddress address = InetAddress.getLoopbackAddress();
    int port;
    String title = "Escapement";
    int historySeconds = DEFAULT_HISTORY_SECONDS;

    Set<String> hosts = Set.of();
    String prefix = "";
    String token = PageAccess.newSecret();
    Set<String> frames = Set.of();

    Supplier<Map<String, Long>> counts = Map::of;

    @Nullable
    WorldControl controls;

    @Nullable
    Rewindable rewindable;

    @Nullable
    Supplier<Map<String, Map<String, Number>>> worlds;

    BiConsumer<? super LivePage, String> opener = (page, name) -> {};

    LivePageBuilder(SnapshotReader reader) {
        this.reader = Objects.requireNonNull(reader, "reader must not be null; pass physics.newReader()");
    }

    /**
     * Lets the page steer a world, and show the metrics of its ticks. Without this call, the page only shows the bodies.
     *
     * @param world the world that the reader reads from
     * @return this
     */
    public LivePageBuilder controls(WorldControl world) {
        controls =
                Objects.requireNonNull(world, "world must not be null; leave controls out for a page that only shows");
        return this;
    }

    /**
     * Lets the page rewind the world, while its history {@linkplain Rewindable#canRewind() can}. Without this call, the page only shows the
     * past.
     *
     * @param history the history of the world that the page {@linkplain #controls}
     * @return this
     */
    public LivePageBuilder rewinds(Rewindable history) {
        rewindable = Objects.requireNonNull(
                history, "history must not be null; leave rewinds out for a page that only shows the past");
        return this;
    }

    /**
     * Shows additional counts, for example of the stream that carries the world. The page reads them twice a second.
     *
     * @param newCounts returns counts by name, for example {@code physics.stats()::counts}; called by the page's thread, which ends if
     *     it throws
     * @return this
     */
    public LivePageBuilder counts(Supplier<Map<String, Long>> newCounts) {
        counts = Objects.requireNonNull(newCounts, "counts must not be null; leave it out for a page without");
        return this;
    }

    /**
     * Sets the title of the page.
     *
     * @param newTitle any text
     * @return this
     */
    public LivePageBuilder title(String newTitle) {
        title = Objects.requireNonNull(newTitle, "title must not be null");
        return this;
    }

    /**
     * Sets the port.
     *
     * @param newPort 0, the default, for any that is free
     * @return this
     * @throws IllegalArgumentException if there is no such port
     */
    public LivePageBuilder port(int newPort) {
        if (newPort < 0 || newPort > MAX_PORT) {
            throw new IllegalArgumentException("a port is within 0 and " + MAX_PORT + ", but is " + newPort);
        }
        port = newPort;
        return this;
    }

    /**
     * Lets other machines connect. Nothing is encrypted: everyone on the network path can read the secret in the URL, and steer with it.
     *
     * @param newAddress the address of this machine to serve on
     * @return this
     */
    public LivePageBuilder address(InetAddress newAddress) {
        address =
                Objects.requireNonNull(newAddress, "address must not be null; leave it out to serve this machine only");
        return this;
    }

    /**
     * Lets browsers reach the page under additional hosts: of a proxy, a tunnel or a mapped port. Without this call, the page answers only
     * requests for its own address. Otherwise a foreign site could reach the page through a name that resolves to this machine.
     *
     * @param names as browsers show them, for example {@code physics.example.org}, with any port, or {@code localhost:9000}; no wildcards
     * @return this
     * @throws IllegalArgumentException if one is no host
     */
    public LivePageBuilder hosts(String... names) {
        hosts = Stream.of(names).map(PageAccess::checkHost).collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /**
     * Sets a path before the token in the page's URL, for a proxy that serves other programs too. The proxy may remove the prefix, or leave
     * it.
     *
     * @param path for example {@code /physics}
     * @return this
     * @throws IllegalArgumentException if it is no path
     */
    public LivePageBuilder prefix(String path) {
        prefix = PageAccess.checkPrefix(
                Objects.requireNonNull(path, "path must not be null; leave prefix out for none"));
        return this;
    }

    /**
     * Sets the secret in the page's URL, so that the URL is the same after a restart; otherwise each page has a new one. Keep it out of the
     * source code.
     *
     * @param secret 22 to 128 letters, digits, {@code -} and {@code _}, drawn at random
     * @return this
     * @throws IllegalArgumentException if it is not such a secret
     */
    public LivePageBuilder token(String secret) {
        token = PageAccess.checkToken(
                Objects.requireNonNull(secret, "secret must not be null; leave token out for a new one"));
        return this;
    }

    /**
     * Lets pages of other sites show this page in a frame, for example a tool that shows several. Without this call, browsers refuse that,
     * so that no foreign site can make a user click here.
     *
     * @param origins the sites, for example {@code https://tools.example.org}
     * @return this
     * @throws IllegalArgumentException if one is no origin
     */
    public LivePageBuilder frameAncestors(String... origins) {
        frames = Stream.of(origins).map(PageAccess::checkOrigin).collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /**
     * Sets the length of the past that the page keeps, in at most 256 MiB. The oldest ticks are dropped first.
     *
     * @param seconds of simulated time, 30 by default
     * @return this
     * @throws IllegalArgumentException if not positive
     */
    public LivePageBuilder historySeconds(int seconds) {
        if (seconds < 1) {
            throw new IllegalArgumentException("a history has at least 1 s, but is to have " + seconds);
        }
        historySeconds = seconds;
        return this;
    }

    /**
     * Gives the page a list of worlds. A user can open one of them in place of the current one.
     *
     * <pre>{@code
     * .worlds(
     *     () -> WorldLoad.table(host.loads()),
     *     (page, name) -> host.world(name).ifPresent(world -> page.show(world.newReader(), world)))
     * }</pre>
     *
     * <p>Both run on the page's thread, which waits for them. The browser shows an exception that they throw; nothing ends. The world that
     * the page steers is marked, if its {@linkplain WorldControl#name() name} is in the list.
     *
     * @param rows returns, for the name of each world, its numbers by the title and unit of their column, in the order to show; nobody may
     *     change the maps afterwards. Called while a browser shows the list, at most once a second. A browser gets the first 100 worlds
     *     that match its filter, with 8 columns, and 128 characters of a name
     * @param open gets the page and a name from the list, and must {@link LivePage#show} that world before it returns
     * @return this
     */
    public LivePageBuilder worlds(
            Supplier<Map<String, Map<String, Number>>> rows, BiConsumer<? super LivePage, String> open) {
        worlds = Objects.requireNonNull(rows, "rows must not be null; leave worlds out for a page of one world");
        opener = Objects.requireNonNull(open, "open must not be null; leave worlds out for a page of one world");
        return this;
    }

    /**
     * Starts the page.
     *
     * @return a running page, to be closed
     * @throws java.io.UncheckedIOException if the port is taken, or the address is not of this machine
     */
    public LivePage start() {
        return LivePage.start(this);
    }
}
