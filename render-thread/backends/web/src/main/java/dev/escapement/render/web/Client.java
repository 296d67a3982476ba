package dev.escapement.render.web;

import dev.escapement.state.time.NanoClock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One page that is open: what it was sent, and what waits for it.
 *
 * <p>Belongs to the thread that sends, except {@link #received}, {@link #heard} and {@link #gone}, and the ends of sends, which come from
 * threads of the connection. What waits is bounded: two live pictures and two of the past, {@value #MOST_TEXT_BYTES} bytes of text, and
 * {@value #MOST_MESSAGES} messages from the page.
 */
final class Client {

    /** How many pictures a page may have that it has not acknowledged. */
    static final int WINDOW = 2;

    /** More than this waits for the page only if one message is longer. */
    static final int MOST_TEXT_BYTES = 1 << 20;

    static final int MOST_MESSAGES = 64;

    /** How many requests for the past may wait. */
    static final int MOST_REQUESTS = 8;

    /** A page that reads nothing, or says nothing, for so long is closed. */
    static final long MOST_SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int FIRST_BYTES = 1 << 16;

    /** Close codes of RFC 6455. */
    static final int GOING_AWAY = 1001;

    static final int POLICY = 1008;

    static final int ERROR = 1011;

    /** The buffers of one kind of picture: each is free or under way. */
    private static final class Buffers {
        private final ByteBuffer[] buffers = new ByteBuffer[WINDOW];

        /** 1 if under way. Volatile accesses: the end of a send releases the buffer to the sending thread. */
        private final AtomicIntegerArray busy = new AtomicIntegerArray(WINDOW);

        Buffers() {
            Arrays.setAll(buffers, number -> PictureEncoder.buffer(FIRST_BYTES));
        }

        int free() {
            int number = 0;
            while (number < WINDOW && busy.get(number) != 0) {
                number++;
            }
            return number < WINDOW ? number : -1;
        }
    }

    final Wire wire;
    final SentBodies sent = new SentBodies();
    private final NanoClock clock;
    private final Buffers live = new Buffers();
    private final Buffers past = new Buffers();

    /** Bounded, so that no page can fill the memory; the next message is taken when this one was. */
    private final Queue<ClientMessage> inbox = new ArrayBlockingQueue<>(MOST_MESSAGES);

    final Queue<Playback.Request> requests = new ArrayDeque<>();
    Playback.@Nullable Path path;

    // What threads of the connection tell the sending thread. Volatile accesses: nothing here is in a hurry.
    private volatile boolean starved;
    private volatile boolean gone;
    private volatile long heardNanos;
    private final AtomicLong textWaiting = new AtomicLong();
    private final AtomicInteger sendsWaiting = new AtomicInteger();
    private volatile long progressNanos;

    boolean greeted;
    private long sequence;
    private long acknowledged;
    long sentWindow = -1;
    long sentTick = -1;

    /** Which forms the page knows, and up to which slot it has to be told of all shapes: see {@link Shapes}. */
    int formsSent;

    int shapesFrom;

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
        if (inbox.size() < MOST_MESSAGES) {
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

    /** Whether text can wait. */
    boolean hasRoom() {
        return !closing && textWaiting.get() < MOST_TEXT_BYTES;
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

    /** Whether a live picture may be sent: the page has acknowledged the ones before, and they have left. */
    boolean takesPicture() {
        return !closing && sequence - acknowledged < WINDOW && live.free() >= 0;
    }

    boolean takesPast() {
        return !closing && past.free() >= 0;
    }

    /** The number of the next live picture. */
    int nextSequence() {
        return (int) ++sequence;
    }

    /** Notes that a picture has come, and with it those before. False if there is no such picture. */
    boolean acknowledge(long number) {
        long ago = (sequence - number) & 0xFFFF_FFFFL; // numbers are sent with 32 bits
        boolean possible = ago < sequence;
        if (possible) {
            acknowledged = Math.max(acknowledged, sequence - ago);
        }
        return possible;
    }

    /** The buffer of the next picture, one that is free. */
    ByteBuffer buffer(PictureEncoder.Kind kind) {
        Buffers of = buffers(kind);
        return of.buffers[of.free()];
    }

    /** Sends a picture that was written to {@link #buffer}, or to a larger one in its place. Returns its bytes. */
    int picture(PictureEncoder.Kind kind, ByteBuffer picture) {
        Buffers of = buffers(kind);
        int number = of.free();
        of.buffers[number] = picture;
        of.busy.set(number, 1);
        begin();
        int bytes = picture.remaining();
        wire.picture(picture, () -> {
            of.busy.set(number, 0);
            end();
        });
        return bytes;
    }

    private Buffers buffers(PictureEncoder.Kind kind) {
        return kind == PictureEncoder.Kind.LIVE ? live : past;
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
        } else if (sendsWaiting.get() > 0 && nowNanos - progressNanos > MOST_SILENT_NANOS) {
            close(POLICY, "nothing was read for 10 s");
        } else if (nowNanos - heardNanos > MOST_SILENT_NANOS) {
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
