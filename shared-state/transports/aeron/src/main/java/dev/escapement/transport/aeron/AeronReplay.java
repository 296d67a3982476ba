package dev.escapement.transport.aeron;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;

/**
 * Plays what an {@link AeronRecording} has kept, on a daemon thread of its own: to the receiver it is as if the packets came now.
 *
 * <pre>{@code
 * SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
 * try (AeronReplay replay = AeronReplay.start(Path.of("evening"), 12_000, 0.5, receiver, NanoClock.system())) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Any thread may call any method.
 */
public final class AeronReplay extends AeronStream {

    private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String CHANNEL = "aeron:ipc";
    private static final int STREAM_ID = 2;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int PACKETS_PER_TURN = 64;

    /** So long before a tick packets begin from which its world can be read: a refresh has to begin and end in it. */
    private static final long EARLIER_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A longer pause of a recording is not waited for. */
    private static final long MOST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AeronRecording recording;
    private final List<AeronRecording.Part> parts;
    private final long fromTick;
    private final double speed;
    private final SnapshotReceiver receiver;
    private final ByteBuffer packet = ByteBuffer.allocate(AeronReceiver.MOST_BYTES);

    // The thread alone. What was sent at one instant comes at the other; what was sent before came before, and is given
    // at once.
    private long fromSentNanos;
    private long beganNanos;
    private boolean begun;

    private long ranNanos;
    private long polledNanos;

    /** When the last packet was sent. */
    private long sentNanos;

    // Volatile: written by the thread, read by any.
    private volatile boolean ended;

    private AeronReplay(
            Path folder,
            AeronRecording recording,
            long fromTick,
            double speed,
            SnapshotReceiver receiver,
            NanoClock clock) {
        super("the replay of " + folder, new StreamThread("escapement-aeron-replay"), clock);
        this.recording = recording;
        parts = recording.parts();
        this.fromTick = fromTick;
        this.speed = speed;
        this.receiver = receiver;
    }

    /**
     * Starts to play.
     *
     * @param folder   of the recording
     * @param fromTick the tick at the sender to begin with; 0 for all that is kept
     * @param speed    how much faster than it happened, 0.01 to 16
     * @param receiver gets the snapshots; has received nothing yet, and belongs to this from now on
     * @param clock    the clock of the receiver
     * @return a replay, to be closed
     * @throws IllegalArgumentException      if the speed is out of its range, or the folder has nothing, or not that tick
     * @throws java.io.UncheckedIOException  if the folder cannot be used
     * @throws IllegalStateException         if the archive cannot start, or the JVM was started without {@value AeronDriver#ADD_OPENS}
     */
    public static AeronReplay start(
            Path folder, long fromTick, double speed, SnapshotReceiver receiver, NanoClock clock) {
        receiver.replayAt(speed);
        if (!folder.resolve("archive.catalog").toFile().isFile()) {
            throw new IllegalArgumentException("nothing was recorded in " + folder);
        }
        AeronRecording recording = AeronRecording.openFolder(folder, Long.MAX_VALUE);
        try {
            AeronReplay replay = new AeronReplay(folder, recording, fromTick, speed, receiver, clock);
            if (fromTick > 0) {
                replay.seek();
            }
            replay.start();
            return replay;
        } catch (Throwable e) {
            recording.close();
            throw e;
        }
    }

    @Override
    long turn() {
        if (!ended) {
            playAll();
            ended = true;
        }
        return runReceiver();
    }

    /** Returns when to call this again. */
    private long runReceiver() {
        ranNanos = clock.nanoTime();
        if (ranNanos - polledNanos > POLL_NANOS) {
            polledNanos = ranNanos;
            recording.poll();
        }
        return Math.min(ranNanos + MOST_WAIT_NANOS, receiver.run(ranNanos));
    }

    private void playAll() {
        for (AeronRecording.Part part : parts) {
            play(part, part.start(), this::take);
        }
    }

    /** Leaves out what comes before the first tick, except for what it needs. */
    private void seek() {
        while (!parts.isEmpty()) {
            AeronRecording.Part part = parts.get(0);
            long position = positionOf(part);
            if (position >= 0) {
                parts.set(0, new AeronRecording.Part(part.id(), position, part.end()));
                return;
            }
            parts.remove(0);
        }
        throw new IllegalArgumentException("the recording has no tick " + fromTick + " or later");
    }

    @Override
    void end() {
        recording.close();
    }

    /** Where to begin to read so that the world of the first tick is known; -1 if no such tick is there. */
    private long positionOf(AeronRecording.Part part) {
        // Two marks, one at least so much earlier than the newest packet.
        long[] marks = {part.start(), part.start(), Long.MIN_VALUE, -1};
        play(part, part.start(), (buffer, offset, length, header) -> {
            long sent = header.reservedValue();
            if (marks[2] == Long.MIN_VALUE || sent - marks[2] >= EARLIER_NANOS) {
                marks[0] = marks[1];
                marks[1] = header.position() - length(header);
                marks[2] = sent;
            }
            if (buffer.getLong(offset, ByteOrder.BIG_ENDIAN) >= fromTick) {
                marks[3] = marks[0];
                fromSentNanos = sent;
                return ControlledFragmentHandler.Action.BREAK;
            }
            return ControlledFragmentHandler.Action.CONTINUE;
        });
        return marks[3];
    }

    private static int length(Header header) {
        return BitUtil.align(header.frameLength(), FrameDescriptor.FRAME_ALIGNMENT);
    }

    /** Gives the packets of a part to a handler, until it breaks. */
    private void play(AeronRecording.Part part, long position, ControlledFragmentHandler to) {
        if (part.end() <= position) {
            return;
        }
        long[] reached = {position};
        Exception[] thrown = {null};
        ControlledFragmentHandler each = (buffer, offset, length, header) -> {
            try {
                ControlledFragmentHandler.Action action = to.onFragment(buffer, offset, length, header);
                reached[0] = action == ControlledFragmentHandler.Action.BREAK ? part.end() : header.position();
                return action;
            } catch (Exception e) { // Agrona throws checked ones, too; Aeron would keep it to itself
                thrown[0] = e;
                return ControlledFragmentHandler.Action.BREAK;
            }
        };
        try (Subscription from =
                recording.driver.archive().replay(part.id(), position, part.end() - position, CHANNEL, STREAM_ID)) {
            boolean came = false;
            while (!isClosing() && reached[0] < part.end()) {
                came |= from.imageCount() > 0;
                int count = from.controlledPoll(each, PACKETS_PER_TURN);
                if (thrown[0] != null) {
                    LangUtil.rethrowUnchecked(thrown[0]);
                }
                if (count == 0) {
                    if (came && from.hasNoImages()) {
                        throw new IllegalStateException("the recording cannot be read beyond its byte " + reached[0]);
                    }
                    parkUntil(clock.nanoTime() + MOST_WAIT_NANOS);
                }
            }
        }
    }

    /** Gives a packet to the receiver when it is time for it; what leads to the first tick comes at once. */
    private ControlledFragmentHandler.Action take(DirectBuffer buffer, int offset, int length, Header header) {
        long sent = header.reservedValue();
        long afterNanos = sent - sentNanos;
        if (!begun || afterNanos < 0 || afterNanos > MOST_PAUSE_NANOS) {
            fromSentNanos = begun || fromTick <= 0 ? sent : fromSentNanos;
            beganNanos = clock.nanoTime();
            begun = true;
        }
        sentNanos = sent;
        long comesNanos = beganNanos + (long) ((sent - fromSentNanos) / speed);
        while (!isClosing() && comesNanos - clock.nanoTime() > 0) {
            parkUntil(Math.min(comesNanos, runReceiver()));
        }
        if (sent - fromSentNanos > 0 && clock.nanoTime() - ranNanos > MOST_WAIT_NANOS) {
            runReceiver(); // packets are late, but ticks are due
        }
        if (isClosing()) {
            return ControlledFragmentHandler.Action.BREAK;
        }
        buffer.getBytes(offset + AeronSender.TICK_BYTES, packet.clear(), length - AeronSender.TICK_BYTES);
        count(length);
        receiver.packet(packet.flip(), comesNanos);
        return ControlledFragmentHandler.Action.CONTINUE;
    }

    @Override
    public Map<String, Long> counts() {
        return recording.driver.counts();
    }

    /**
     * Whether all was played.
     *
     * @return true when the last packet was given to the receiver
     */
    public boolean isEnded() {
        return ended;
    }
}
