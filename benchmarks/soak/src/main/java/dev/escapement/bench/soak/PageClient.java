package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.world.Rewindable;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A live page of a service, and a client that watches it as a browser does: acknowledges pictures, asks for the past, fetches the page. It
 * lets the world go back if it is given a history, and changes the world in no other way.
 *
 * <p>Its WebSocket is a plain socket with a thread of its own: the JDK's client cannot be closed on Java 17. Any thread.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No picture is older than the one before. ({@code shouldFindAPictureThatIsOlder})
 *   <li>When {@link #close()} returns, no thread, no socket and no reader of it is left. ({@code shouldLeaveNothing})
 * </ol>
 */
final class PageClient implements Failing {

    private static final int BINARY = 2;
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int LAST = 0x80;
    private static final int LIVE = 1;
    private static final int HEAD_BYTES = 16;

    /** The page pings every 3 s. */
    private static final int SILENCE_MILLIS = 30_000;

    /** A wait for a frame that took this much longer was one in which this program was stopped, and the page with it. */
    private static final long STOPPED_NANOS = TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS + 1_000L);

    /** The page closes a client that has read nothing for 10 s; it pings more often than this. */
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(7);

    /** A client that was away first reads what has come meanwhile, and then that it was closed. */
    private static final long CLOSED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A connection that the page's server takes while it ends is left open: the client then waits for the silence, twice. */
    private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4L * SILENCE_MILLIS);

    // After how many messages, on average, the client asks for the past, fetches the page, and lets the world go back.
    private static final int MESSAGES_PER_QUESTION = 20;
    private static final int MESSAGES_PER_FETCH = 200;
    private static final int MESSAGES_PER_REWIND = 400;

    /** So that what is kept is full soon, and does not look like a growth. */
    static final int HISTORY_SECONDS = 2;

    private static final int PAST_TICKS = 300;

    private final LivePage page;
    private final URI url;
    private final boolean rewinds;
    private final SplittableRandom random;
    private final Socket socket;
    private final DataInputStream in;
    private final Thread thread = new Thread(this::run, "soak-page-client");
    private final FirstFailure failure = new FirstFailure();

    // The thread's: the picture whose frames come.
    private boolean isLive;
    private int sequence;
    private double tick;
    private long taken;

    /** When the last frame came. */
    private long frameNanos = System.nanoTime();

    /** When it was away last. */
    private long awayNanos;

    // Volatile, because any thread reads them; nothing else is ordered by them.
    private volatile long messages;
    private volatile boolean hasPicture;
    private volatile boolean wasAway; // for so long without a frame that a page closes its client
    private volatile boolean closing;

    private PageClient(LivePage page, boolean rewinds, SplittableRandom random) throws IOException {
        this.page = page;
        this.rewinds = rewinds;
        this.random = random;
        url = URI.create(page.url());
        socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(SILENCE_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        thread.setDaemon(true);
    }

    /**
     * Starts a page and its client.
     *
     * @param history lets the client go back now and then; null for never
     * @throws UncheckedIOException if there is no port, or the page does not let it in
     */
    static PageClient start(PhysicsService physics, @Nullable Rewindable history, SplittableRandom random) {
        LivePageBuilder builder =
                LivePage.of(physics.newReader()).controls(physics).historySeconds(HISTORY_SECONDS);
        LivePage page = (history == null ? builder : builder.rewinds(history)).start();
        try {
            PageClient client = new PageClient(page, history != null, random);
            client.thread.start();
            return client;
        } catch (IOException e) {
            page.close();
            throw new UncheckedIOException("the client of a live page cannot connect: " + e.getMessage(), e);
        }
    }

    private void run() {
        try (socket) {
            upgrade();
            while (true) {
                frame();
            }
        } catch (IOException | RuntimeException | Error e) {
            boolean isSilent = e instanceof SocketTimeoutException && System.nanoTime() - frameNanos < STOPPED_NANOS;
            look();
            // The page closes a client that reads nothing; but where nothing comes for longer, it has been silent.
            boolean mayBeClosed = wasAway && System.nanoTime() - awayNanos < CLOSED_WITHIN_NANOS;
            if (!closing && !(mayBeClosed && e instanceof IOException && !isSilent)) {
                failure.add(e);
            }
        }
    }

    private void upgrade() throws IOException {
        String request = "GET " + url.getPath() + "live HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nOrigin: http://"
                + url.getAuthority() + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            answer.append((char) in.readUnsignedByte());
        }
        if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
            throw new IOException("the live page did not open a WebSocket: " + answer);
        }
    }

    /** Notes that this thread has a core now. */
    private void look() {
        long nowNanos = System.nanoTime();
        if (nowNanos - frameNanos > AWAY_NANOS) {
            awayNanos = nowNanos;
            wasAway = true;
        }
        frameNanos = nowNanos;
    }

    /** Takes a frame of RFC 6455; a long message has several. */
    private void frame() throws IOException {
        int head = in.readUnsignedByte();
        look();
        int kind = head & ~LAST;
        int length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException("the live page ended in a frame");
        }
        if (kind == CLOSE) {
            throw new IOException("the live page closed its client: "
                    + new String(payload, Math.min(2, length), Math.max(0, length - 2), StandardCharsets.UTF_8));
        } else if (kind == PING) {
            send(PONG, payload);
            return;
        } else if (kind == BINARY) {
            begin(ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN));
        } else if (kind == TEXT) {
            isLive = false;
        }
        if ((head & LAST) != 0) {
            end();
        }
    }

    /** Takes the beginning of a picture. */
    void begin(ByteBuffer picture) {
        if (picture.remaining() < HEAD_BYTES) {
            throw new IllegalStateException("a picture has only " + picture.remaining() + " bytes");
        }
        isLive = picture.get(0) == LIVE;
        if (isLive) {
            sequence = picture.getInt(4);
            if (picture.getDouble(8) < tick) {
                throw new IllegalStateException(
                        "a picture of tick " + picture.getDouble(8) + " came after tick " + tick);
            }
            tick = picture.getDouble(8);
        }
    }

    private void end() throws IOException {
        messages = ++taken;
        if (isLive) {
            hasPicture = true;
            say("{\"type\":\"ack\",\"sequence\":" + Integer.toUnsignedString(sequence) + "}");
        }
        if (random.nextInt(MESSAGES_PER_QUESTION) == 0) {
            say("{\"type\":\"history\",\"from\":" + past() + ",\"count\":8}");
        }
        if (rewinds && random.nextInt(MESSAGES_PER_REWIND) == 0) {
            say("{\"type\":\"rewind\",\"tick\":" + past() + "}");
        }
        if (taken == 1
                || random.nextInt(MESSAGES_PER_FETCH)
                        == 0) { // at first, so that the files that the JVM then keeps open are of the first life
            fetch();
        }
    }

    private long past() {
        return Math.max(0, (long) tick - random.nextInt(PAST_TICKS));
    }

    private void say(String message) throws IOException {
        send(TEXT, message.getBytes(StandardCharsets.US_ASCII));
    }

    /** A client's frames are short, and masked. */
    private void send(int kind, byte[] payload) throws IOException {
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        ByteBuffer frame = ByteBuffer.allocate(6 + payload.length);
        frame.put((byte) (LAST | kind)).put((byte) (0x80 | payload.length)).put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i & 3]));
        }
        socket.getOutputStream().write(frame.array());
    }

    private void fetch() throws IOException {
        look();
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(SILENCE_MILLIS);
        connection.setReadTimeout(SILENCE_MILLIS);
        try {
            connection.getInputStream().readAllBytes();
        } finally {
            connection.disconnect(); // also where the page has ended meanwhile: else the socket stays
        }
    }

    /** {@return how many whole messages and pictures came} */
    long messages() {
        return messages;
    }

    @Override
    public boolean hasWorked() {
        return hasPicture || wasAway;
    }

    /** {@return why the client ended by itself; empty if it did not} */
    @Override
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    @Override
    public void close() {
        closing = true;
        try (page) { // its end ends what the thread fetches
            socket.close();
        } catch (IOException e) {
            failure.add(e);
        }
        if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
            failure.add(new IllegalStateException("the client of a live page does not end"));
        }
    }
}
