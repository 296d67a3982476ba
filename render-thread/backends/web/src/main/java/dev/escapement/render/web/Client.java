package dev.escapement.render.web;

import dev.escapement.state.time.NanoClock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One page that is open: what it was sent, and what waits for it.
 *
 * <p>Belongs to the thread that sends, except {@link #received}, {@link #heard} and {@link #gone}, and the ends of sends, which come from
 * threads of the connection. What waits is bounded: two live pictures and two of the past, {@value #MAX_TEXT_BYTES} bytes of text, and
 * {@value #MAX_MESSAGES} messages from the page.
 */
final class Client {

    /** How many pictures a page may have that it has not acknowledged. */
    static final int WINDOW = 2;

    /** More than this waits for the page only if one message is longer. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    static final int MAX_MESSAGES = 64;

    /** How many requests for the past may wait. */
    static final int MAX_REQUESTS = 8;

    /** A page that reads nothing, or says nothing, for so long is closed. */
    static final long MAX_SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Close codes of RFC 6455. */
    static final int GOING_AWAY = 1001;

    static final int POLICY = 1008;

    static final int ERROR = 1011;

    final Wire wire;
    private final NanoClock clock;

    /** What it was shown last, see {@link PictureEncoder#live}. */
    @Nullable
    Quantised shown;

    /** Bounded, so that no page can fill the memory; the next message is taken when this one was. */
    private final Queue<ClientMessage> inbox = new ArrayBlockingQueue<>(MAX_MESSAGES);

    final Queue<Playback.Request> requests = new ArrayDeque<>();
    Playback.@Nullable Path path;

    // What threads of the connection tell the sending thread. Volatile accesses: nothing here is in a hurry.
    private volatile boolean starved;
    private volatile boolean gone;
    private volatile long heardNanos;
    private volatile long progressNanos;
    private final AtomicInteger textWaiting = new AtomicInteger();
    private final AtomicInteger sendsWaiting = new AtomicInteger();

    /** How many pictures of each kind are under way. */
    private final AtomicInteger liveWaiting = new AtomicInteger();

    private final AtomicInteger pastWaiting = new AtomicInteger();

    boolean greeted;

    // The numbers of the last two pictures, and how many of them the page has not acknowledged.
    private int lastNumber;
    private int numberBefore;
    private int unacknowledged;

    /** What the page says is not meant for the world that is shown, until it has acknowledged a picture of it: this one, or 0 for the next. */
    private int firstNumber;

    private boolean knowsWorld = true;
    long sentTick = -1;

    /** How far the page was told of shapes. */
    Shapes.Told shapes = new Shapes.Told();

    private long pingedNanos;
    private boolean closing;
    private long closedNanos;

    Client(Wire wire, NanoClock clock) {
        this.wire = wire;
        this.clock = clock;
        heardNanos = clock.nanoTime();
        pingedNanos = heardNanos;
        progressNanos = heardNanos;
    }

    /** Connection: takes a message, and asks for the next if there is room. */
    void received(ClientMessage message) {
        heard();
        if (!inbox.offer(message)) {
            throw new IllegalStateException("a message came that was not asked for");
        }
        if (inbox.size() < MAX_MESSAGES) {
            wire.demand();
        } else {
            starved = true;
        }
    }

    /** Connection: the page is alive. */
    void heard() {
        heardNanos = clock.nanoTime();
    }

    /** Connection: it has ended. */
    void gone() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    @Nullable
    ClientMessage nextMessage() {
        ClientMessage message = inbox.poll();
        if (message == null && starved) {
            starved = false;
            wire.demand();
        }
        return message;
    }

    /** Another world is shown: the page is greeted again, and forgets all of the one before. */
    void beginAnotherWorld() {
        greeted = false;
        knowsWorld = false;
        firstNumber = 0;
        shown = null;
        shapes = new Shapes.Told();
        requests.clear();
        path = null;
        sentTick = -1;
    }

    /** Whether text can wait. */
    boolean hasRoom() {
        return !closing && textWaiting.get() < MAX_TEXT_BYTES;
    }

    void report(PageMessage message) {
        text(message.json());
    }

    /** Sends text if there is room for it, and leaves it out otherwise. */
    void text(String message) {
        if (hasRoom()) {
            int bytes = message.length();
            textWaiting.addAndGet(bytes);
            begin();
            wire.text(message, () -> {
                textWaiting.addAndGet(-bytes);
                end();
            });
        }
    }

    /** Whether a picture of this window may be sent: the page has acknowledged those before, and they have left. */
    boolean takesPicture(int number) {
        return number != lastNumber && unacknowledged < WINDOW && takes(PictureEncoder.Kind.LIVE);
    }

    boolean takes(PictureEncoder.Kind kind) {
        return !closing && waiting(kind).get() < WINDOW;
    }

    private AtomicInteger waiting(PictureEncoder.Kind kind) {
        return kind == PictureEncoder.Kind.LIVE ? liveWaiting : pastWaiting;
    }

    /** Notes that a picture has come, and with it those before. False if there is no such picture. */
    boolean acknowledge(long number) {
        int ago = lastNumber - (int) number; // numbers are sent with 32 bits
        if (ago == 0) {
            unacknowledged = 0;
        } else if ((int) number == numberBefore) {
            unacknowledged = Math.min(unacknowledged, 1);
        }
        knowsWorld |= firstNumber != 0 && (int) number - firstNumber >= 0;
        return lastNumber != 0 && ago >= 0;
    }

    /** Whether what the page says now was said after it saw the world that is shown. */
    boolean knowsWorld() {
        return knowsWorld;
    }

    /** Sends a live picture, and notes its number. Returns its bytes. */
    long live(int number, PictureEncoder.Picture picture) {
        numberBefore = lastNumber;
        lastNumber = number;
        firstNumber = firstNumber == 0 ? number : firstNumber;
        unacknowledged++;
        shown = picture.shown;
        return send(PictureEncoder.Kind.LIVE, picture);
    }

    /** Sends a picture, and returns its bytes. */
    long send(PictureEncoder.Kind kind, PictureEncoder.Picture picture) {
        ByteBuffer bytes = picture.take();
        int size = bytes.remaining();
        waiting(kind).incrementAndGet();
        begin();
        wire.picture(bytes, () -> {
            picture.giveBack();
            waiting(kind).decrementAndGet();
            end();
        });
        return size;
    }

    private void begin() {
        if (sendsWaiting.getAndIncrement() == 0) {
            progressNanos = clock.nanoTime();
        }
    }

    private void end() {
        progressNanos = clock.nanoTime();
        sendsWaiting.getAndDecrement();
    }

    /** Closes a page that does not read or does not answer, and cuts off one that does not let itself be closed. */
    void checkAlive(long nowNanos) {
        if (closing) {
            if (nowNanos - closedNanos > PING_NANOS) {
                gone = true;
                wire.cut();
            }
        } else if (sendsWaiting.get() > 0 && nowNanos - progressNanos > MAX_SILENT_NANOS) {
            close(POLICY, "nothing was read for 10 s");
        } else if (nowNanos - heardNanos > MAX_SILENT_NANOS) {
            close(POLICY, "no sign of life for 10 s");
        } else if (nowNanos - pingedNanos > PING_NANOS) {
            pingedNanos = nowNanos;
            wire.ping();
        }
    }

    void close(int code, String reason) {
        if (!closing) {
            closing = true;
            closedNanos = clock.nanoTime();
            wire.close(code, reason);
        }
    }

    boolean isClosing() {
        return closing;
    }
}
