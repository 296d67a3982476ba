package dev.escapement.bench.soak;

import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.internal.FirstFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A live page of a service, and a client that watches it as a browser does: acknowledges pictures, asks for the past, connects again. It
 * lets the world go back if there is a history, and changes the world in no other way. No picture is older than the one before.
 */
final class PageStorm implements Part, WebSocket.Listener {

    /** How much of the past the page keeps: so little that it is full soon, and does not look like a growth. */
    static final int HISTORY_SECONDS = 2;

    /** One for all lives: on Java 17 its thread and its handles stay until a collection. */
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final int LIVE = 1;
    private static final int HEAD_BYTES = 16;

    /** The page closes a client that has read nothing for 10 s, which it cannot while this program has no core. */
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(7);

    // After how many messages, on average, the client asks for the past, and lets the world go back.
    private static final int MESSAGES_PER_QUESTION = 20;
    private static final int MESSAGES_PER_REWIND = 400;

    private static final int PAST_TICKS = 300;

    private final Life life;
    private final SplittableRandom random;
    private final FirstFailure failure = new FirstFailure();
    private @Nullable LivePage page;

    // The listener's, whose methods one thread at a time calls: the beginning of the message whose parts come, and the
    // last picture.
    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private double tick;

    // Volatile: the listener writes them, the thread that runs reads them; nothing else is ordered by them.
    private volatile @Nullable WebSocket socket;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean hasPicture;
    private volatile boolean closing;

    PageStorm(Life life) {
        this.life = life;
        random = new SplittableRandom(life.plan.seed() + 7);
    }

    @Override
    public void start() {
        LivePageBuilder builder =
                LivePage.of(life.physics().newReader()).controls(life.physics()).historySeconds(HISTORY_SECONDS);
        LivePage started = (life.history == null ? builder : builder.rewinds(life.history)).start();
        page = started;
        connect(started);
    }

    private void connect(LivePage to) {
        URI url = URI.create(to.url());
        var unused = CLIENT.newWebSocketBuilder()
                .connectTimeout(CONNECT)
                .header("Origin", "http://" + url.getAuthority())
                .buildAsync(URI.create("ws://" + url.getAuthority() + url.getPath() + "live"), this)
                .exceptionally(thrown -> {
                    ended(thrown, false);
                    return null;
                });
    }

    @Override
    public void onOpen(WebSocket opened) {
        head.clear();
        socket = opened;
        if (closing) {
            opened.abort();
        }
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        while (data.hasRemaining() && head.hasRemaining()) {
            head.put(data.get());
        }
        if (last) {
            take(head).ifPresent(sequence -> acknowledge(from, sequence));
        }
        return end(from, last);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        return end(from, last);
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        ended(new IOException("the live page closed its client: " + reason), true);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable thrown) {
        ended(thrown, thrown instanceof IOException);
    }

    private void ended(Throwable thrown, boolean mayBeAway) {
        LivePage of = page;
        if (closing || of == null) {
            return;
        }
        if (mayBeAway && System.nanoTime() - heardNanos > AWAY_NANOS) {
            connect(of);
        } else {
            failure.add(thrown);
        }
    }

    /** Takes the beginning of a message; returns the sequence of a live picture. */
    OptionalInt take(ByteBuffer message) {
        if (message.hasRemaining()) {
            throw new IllegalStateException("a picture has only " + message.position() + " bytes");
        }
        if (message.get(0) != LIVE) {
            return OptionalInt.empty();
        }
        double of = message.getDouble(8);
        if (of < tick) {
            throw new IllegalStateException("a picture of tick " + of + " came after tick " + tick);
        }
        tick = of;
        return OptionalInt.of(message.getInt(4));
    }

    private void acknowledge(WebSocket from, int sequence) {
        hasPicture = true;
        say(from, "{\"type\":\"ack\",\"sequence\":" + Integer.toUnsignedString(sequence) + "}");
    }

    private @Nullable CompletionStage<?> end(WebSocket from, boolean last) {
        heardNanos = System.nanoTime();
        if (last) {
            head.clear();
            if (random.nextInt(MESSAGES_PER_QUESTION) == 0) {
                say(from, "{\"type\":\"history\",\"from\":" + past() + ",\"count\":8}");
            }
            if (life.history != null && random.nextInt(MESSAGES_PER_REWIND) == 0) {
                say(from, "{\"type\":\"rewind\",\"tick\":" + past() + "}");
            }
        }
        from.request(1);
        return null;
    }

    private long past() {
        return Math.max(0, (long) tick - random.nextInt(PAST_TICKS));
    }

    /** Waits until it was sent: the client sends one message at a time. */
    private static void say(WebSocket to, String message) {
        to.sendText(message, true).join();
    }

    @Override
    public boolean hasWorked() {
        return hasPicture;
    }

    @Override
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    @Override
    public void close() {
        closing = true;
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        if (page != null) {
            page.close();
        }
    }
}
