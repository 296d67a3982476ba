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
 * One open page, with the state that it was sent, and its queues.
 *
 * <p>Belongs to the sending thread, except {@link #received}, {@link #heard} and {@link #gone}, and the callbacks of sends, which threads
 * of the connection call. Queues are bounded: two live pictures and two of the past, {@value #MAX_TEXT_BYTES} bytes of text, and {@value
 * #MAX_MESSAGES} messages from the page.
 */
final class Client {

    /** The maximum number of pictures that the page has not acknowledged. */
    static final int WINDOW = 2;

    /** While this many characters of text or more wait for the page, it accepts no further message. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    static final int MAX_MESSAGES = 64;

    static final int MAX_REQUESTS = 8;

    /** The time after which a page that reads nothing or sends nothing is closed. */
    static final long MAX_SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Close codes of RFC 6455. */
    static final int GOING_AWAY = 1001;

    static final String PAGE_CLOSED = "the live page was closed";

    static final int POLICY = 1008;

    static final int ERROR = 1011;

    final Wire wire;
    private final NanoClock clock;

    /** The last snapshot that the page was sent, see {@link PictureEncoder#live}. */
    @Nullable
    Quantised shown;

    /**
     * The messages from the page. The queue is bounded, so that no page can fill the memory; while it is full, no message is read from the
     * connection.
     */
    private final Queue<ClientMessage> inbox = new ArrayBlockingQueue<>(MAX_MESSAGES);

    final Queue<Playback.Request> requests = new ArrayDeque<>();

    // Volatile: written by threads of the connection, read by the sending thread.
    private volatile boolean starved;
    volatile boolean gone; // the connection has ended
    private volatile long heardNanos;
    private volatile long progressNanos;
    private final AtomicInteger textWaiting = new AtomicInteger();
    private final AtomicInteger sendsWaiting = new AtomicInteger();

    private final AtomicInteger liveWaiting = new AtomicInteger();

    private final AtomicInteger pastWaiting = new AtomicInteger();

    boolean greeted;

    // The numbers of the last two pictures, and how many of them the page has not acknowledged.
    private int lastNumber;
    private int numberBefore;
    private int unacknowledged;

    /**
     * The number of the first picture of the current world, or 0 until that picture is sent. After a change of the world, messages are
     * refused until the page acknowledges that picture.
     */
    private int firstNumber;

    /** True if the page has acknowledged a picture of the current world, so that its messages are meant for that world. */
    boolean knowsWorld = true;

    Shapes.Sent shapes = new Shapes.Sent();

    String joints = "[]";

    /** The filter of a requested list of worlds that was not sent yet; null if there is none. */
    @Nullable
    String worldFilter;

    private long pingedNanos;
    private long checkedNanos;
    boolean closing;
    private long closedNanos;

    Client(Wire wire, NanoClock clock) {
        this.wire = wire;
        this.clock = clock;
        heardNanos = clock.nanoTime();
        pingedNanos = heardNanos;
        progressNanos = heardNanos;
        checkedNanos = heardNanos;
    }

    /** Takes a message, and asks the connection for the next if there is room. Threads of the connection call it. */
    void received(ClientMessage message) {
        heard();
        if (!inbox.offer(message)) {
            throw new IllegalStateException("a message arrived without demand");
        }
        if (inbox.size() < MAX_MESSAGES) {
            wire.demand();
        } else {
            starved = true;
        }
    }

    /** Notes that the page is alive. Threads of the connection call it. */
    void heard() {
        heardNanos = clock.nanoTime();
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

    /** Resets everything that the page was sent, so that it is greeted again, for another world, and forgets the previous one. */
    void beginAnotherWorld() {
        greeted = false;
        knowsWorld = false;
        firstNumber = 0;
        shown = null;
        shapes = new Shapes.Sent();
        joints = "[]";
        requests.clear();
    }

    boolean hasRoom() {
        return !closing && textWaiting.get() < MAX_TEXT_BYTES;
    }

    void report(PageMessage message) {
        text(message.json());
    }

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

    /** Whether picture {@code number} may be sent: it is new, and fewer than {@value #WINDOW} are unacknowledged or still being sent. */
    boolean takesPicture(int number) {
        return number != lastNumber && unacknowledged < WINDOW && takes(PictureEncoder.Kind.LIVE);
    }

    boolean takes(PictureEncoder.Kind kind) {
        return !closing && waiting(kind).get() < WINDOW;
    }

    private AtomicInteger waiting(PictureEncoder.Kind kind) {
        return kind == PictureEncoder.Kind.LIVE ? liveWaiting : pastWaiting;
    }

    /** Notes that the page acknowledged a picture, and with it the previous ones. Returns false if no such picture was sent. */
    boolean acknowledge(long number) {
        int ago = lastNumber - (int) number; // the page has sent the int's bits as an unsigned number
        if (ago == 0) {
            unacknowledged = 0;
        } else if ((int) number == numberBefore) {
            unacknowledged = Math.min(unacknowledged, 1);
        }
        knowsWorld |= firstNumber != 0 && (int) number - firstNumber >= 0;
        return lastNumber != 0 && ago >= 0;
    }

    void live(int number, PictureEncoder.Picture picture) {
        numberBefore = lastNumber;
        lastNumber = number;
        firstNumber = firstNumber == 0 ? number : firstNumber;
        unacknowledged++;
        shown = picture.shown;
        send(PictureEncoder.Kind.LIVE, picture);
    }

    void send(PictureEncoder.Kind kind, PictureEncoder.Picture picture) {
        ByteBuffer bytes = picture.take();
        waiting(kind).incrementAndGet();
        begin();
        wire.picture(bytes, () -> {
            picture.giveBack();
            waiting(kind).decrementAndGet();
            end();
        });
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

    /** Closes a page that does not read or does not answer, and disconnects one that does not complete its close. */
    void checkAlive(long nowNanos) {
        if (nowNanos - checkedNanos > PING_NANOS) {
            heardNanos = nowNanos; // this program was suspended, and could receive nothing
            progressNanos = nowNanos;
        }
        checkedNanos = nowNanos;
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
            if (!greeted) { // a page's script sees no pings, and takes 5 s of silence for a lost connection
                report(new PageMessage.Waiting("waits for the world’s first tick"));
            }
        }
    }

    void close(int code, String reason) {
        if (!closing) {
            closing = true;
            closedNanos = clock.nanoTime();
            wire.close(code, reason);
        }
    }
}
