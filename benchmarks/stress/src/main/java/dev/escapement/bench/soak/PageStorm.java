package dev.escapement.bench.soak;

import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.internal.FirstFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A live page of a service, and a client that watches it as a browser does: acknowledges pictures, asks for the past, fetches the page. It
 * lets the world go back if there is a history, and changes the world in no other way. No picture is older than the one before.
 */
final class PageStorm implements Part, WebSocket.Listener {

    /** How much of the past the page keeps: so little that it is full soon, and does not look like a growth. */
    static final int HISTORY_SECONDS = 2;

    /** One for all lives: its thread and its handles stay until a collection. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final int LIVE = 1;
    private static final int HEAD_BYTES = 16;

    /** The page pings every 3 s. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MAX_SILENT_LOOKS = 100;

    /** The page closes a client that has read nothing for 10 s, which it cannot while this program has no core. */
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(7);

    // After how many messages, on average, the client asks for the past, fetches the page, and lets the world go back.
    private static final int MESSAGES_PER_QUESTION = 20;
    private static final int MESSAGES_PER_FETCH = 200;
    private static final int MESSAGES_PER_REWIND = 400;

    private static final int PAST_TICKS = 300;

    private final Life life;
    private final SplittableRandom random;
    private final FirstFailure failure = new FirstFailure();
    private @Nullable LivePage page;
    private @Nullable WebSocket socket;

    // The listener's, which is called by one thread at a time: the picture whose parts come.
    private boolean isWithin;
    private boolean isLive;
    private int sequence;
    private double tick;
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

    // Volatile: the listener writes them, any thread reads them; nothing else is ordered by them.
    private volatile long messages;
    private volatile boolean hasPicture;
    private volatile boolean wasAway; // for so long without a frame that a page closes its client
    private volatile long heardNanos;
    private volatile boolean closing;

    /** How many looks in a row have found it silent: one may come first after this program was stopped. The thread that runs. */
    private int silentLooks;

    PageStorm(Life life) {
        this.life = life;
        random = new SplittableRandom(life.plan.seed() + 7);
    }

    @Override
    public void start() {
        LivePageBuilder builder =
                LivePage.of(life.physics().newReader()).controls(life.physics()).historySeconds(HISTORY_SECONDS);
        page = (life.history == null ? builder : builder.rewinds(life.history)).start();
        URI url = URI.create(page.url());
        heardNanos = System.nanoTime();
        CLIENT.newWebSocketBuilder()
                .connectTimeout(CONNECT)
                .header("Origin", "http://" + url.getAuthority())
                .buildAsync(URI.create("ws://" + url.getAuthority() + url.getPath() + "live"), this)
                .whenComplete((opened, thrown) -> {
                    if (thrown != null) {
                        ended(thrown);
                    }
                });
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        heard();
        if (!isWithin) {
            begin(data.order(ByteOrder.LITTLE_ENDIAN));
        }
        return end(from, last);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heard();
        isLive = false;
        return end(from, last);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        heard();
        from.request(1);
        return null; // the client answers by itself
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        ended(new IOException("the live page closed its client: " + reason));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable thrown) {
        ended(thrown);
    }

    /** Notes that this program has a core now. */
    private void heard() {
        long nowNanos = System.nanoTime();
        wasAway |= nowNanos - heardNanos > AWAY_NANOS;
        heardNanos = nowNanos;
    }

    private void ended(Throwable thrown) {
        heard();
        if (!closing && !wasAway) { // the page closes a client that reads nothing
            failure.add(thrown);
        }
    }

    /** Takes the beginning of a picture. */
    void begin(ByteBuffer picture) {
        if (picture.remaining() < HEAD_BYTES) {
            throw new IllegalStateException("a picture has only " + picture.remaining() + " bytes");
        }
        isLive = picture.get(picture.position()) == LIVE;
        if (isLive) {
            sequence = picture.getInt(picture.position() + 4);
            double of = picture.getDouble(picture.position() + 8);
            if (of < tick) {
                throw new IllegalStateException("a picture of tick " + of + " came after tick " + tick);
            }
            tick = of;
        }
    }

    private @Nullable CompletionStage<?> end(WebSocket from, boolean last) {
        isWithin = !last;
        if (last) {
            long number = messages + 1;
            messages = number;
            if (isLive) {
                hasPicture = true;
                say(from, "{\"type\":\"ack\",\"sequence\":" + Integer.toUnsignedString(sequence) + "}");
            }
            if (random.nextInt(MESSAGES_PER_QUESTION) == 0) {
                say(from, "{\"type\":\"history\",\"from\":" + past() + ",\"count\":8}");
            }
            if (life.history != null && random.nextInt(MESSAGES_PER_REWIND) == 0) {
                say(from, "{\"type\":\"rewind\",\"tick\":" + past() + "}");
            }
            if (number == 1
                    || random.nextInt(MESSAGES_PER_FETCH) == 0) { // at first, so that the first life opens its files
                fetch();
            }
        }
        from.request(1);
        return null;
    }

    private long past() {
        return Math.max(0, (long) tick - random.nextInt(PAST_TICKS));
    }

    /** The client sends one message at a time. */
    private void say(WebSocket to, String message) {
        sent = sent.handle((before, thrown) -> to.sendText(message, true)).thenCompose(sending -> sending);
    }

    private void fetch() {
        LivePage from = page;
        if (from != null) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(from.url()))
                    .timeout(CONNECT)
                    .build();
            CLIENT.sendAsync(request, BodyHandlers.discarding()).whenComplete((answer, thrown) -> {
                if (thrown != null) {
                    ended(thrown);
                }
            });
        }
    }

    @Override
    public boolean hasWorked() {
        return hasPicture || wasAway;
    }

    /** Returns how many whole messages and pictures came. */
    long messages() {
        return messages;
    }

    @Override
    public Optional<Throwable> failure() {
        boolean isSilent = !closing && page != null && System.nanoTime() - heardNanos > SILENCE_NANOS;
        silentLooks = isSilent ? silentLooks + 1 : 0;
        if (silentLooks > MAX_SILENT_LOOKS) {
            failure.add(new IOException("the live page was silent for 30 s"));
        }
        return failure.cause();
    }

    @Override
    public void close() {
        closing = true;
        if (socket != null) {
            socket.abort();
        }
        if (page != null) {
            page.close();
        }
    }
}
