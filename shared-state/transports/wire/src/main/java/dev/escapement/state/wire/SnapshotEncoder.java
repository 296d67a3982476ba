package dev.escapement.state.wire;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the snapshots of a world, for all its receivers. Each is rounded once; each receiver has a writer of its own.
 *
 * <pre>{@code
 * SnapshotEncoder encoder = new SnapshotEncoder(WireFormat.rounded(0.001f, 0.003f), window.newest().layout(), streamId);
 * AcknowledgedWriter writer = encoder.newReceiver();
 * ...
 * encoder.take(window.newest(), window.timeline());
 * while (writer.write(packet.clear())) {
 *     channel.send(packet.flip(), receiver);
 * }
 * }</pre>
 *
 * <p>One thread, also for its writers. Allocates nothing once it has seen as many bodies and ticks as it keeps.
 */
public final class SnapshotEncoder {

    /** This many ticks are kept: a base is at most this old. */
    static final int TICKS = 64;

    final WireFormat format;
    final int channelCount;
    final int streamId;
    final PoseCode code;

    /** 0 if this is the whole world; of an interest, the maximum number of ticks from one that is taken to the next. */
    final int ticksPerSend;

    private final WireTick[] ticks = new WireTick[TICKS];
    private long newestTick = Snapshot.NEVER_WRITTEN;
    private int clampedBodies;

    /**
     * Creates an encoder of a world.
     *
     * @param format   how exact poses are
     * @param layout   what a pose of the world consists of
     * @param streamId distinguishes this stream from others, and from an earlier one of the same world; 16 bits
     * @throws IllegalArgumentException if there are more than {@value PacketHeader#MAX_CHANNELS} channels
     */
    public SnapshotEncoder(WireFormat format, PoseLayout layout, int streamId) {
        channelCount = layout.channels().size();
        if (channelCount > PacketHeader.MAX_CHANNELS) {
            throw new IllegalArgumentException("bodies with up to " + PacketHeader.MAX_CHANNELS
                    + " channels can be sent, but these have " + channelCount);
        }
        this.format = format;
        this.streamId = streamId;
        code = PoseCode.of(format);
        ticksPerSend = 0;
        Arrays.setAll(ticks, i -> new WireTick(channelCount));
    }

    /** Creates an encoder of some bodies of a world, which takes at least one tick in this many. */
    SnapshotEncoder(SnapshotEncoder world, int ticksPerSend) {
        format = world.format;
        channelCount = world.channelCount;
        streamId = world.streamId;
        code = world.code;
        this.ticksPerSend = ticksPerSend;
        Arrays.setAll(ticks, i -> new WireTick(channelCount));
    }

    /** Takes a tick of the world as the next one here, for the caller to fill its slots. */
    WireTick take(WireTick world, int slots) {
        WireTick next = ticks[(int) world.tick & (TICKS - 1)];
        next.beginAs(world, slots);
        newestTick = world.tick;
        return next;
    }

    /**
     * Takes a snapshot. Ticks may be left out.
     *
     * @param snapshot the snapshot, after all that were taken before; it is copied
     * @param timeline the timeline of its window
     * @throws IllegalArgumentException if it is not newer
     */
    public void take(Snapshot snapshot, Timeline timeline) {
        if (snapshot.tick() <= newestTick) {
            throw new IllegalArgumentException("tick " + snapshot.tick() + " cannot follow tick " + newestTick
                    + "; take each window's newest once");
        }
        clampedBodies = ticks[(int) snapshot.tick() & (TICKS - 1)].take(snapshot, timeline, code);
        newestTick = snapshot.tick();
    }

    /**
     * How many bodies of the tick that was taken last are too far from the origin for the {@link WireFormat}, and moved to its edge.
     *
     * @return bodies
     */
    public int clampedBodies() {
        return clampedBodies;
    }

    /**
     * The last tick that was taken.
     *
     * @return its number, {@link Snapshot#NEVER_WRITTEN} before the first
     */
    public long newestTick() {
        return newestTick;
    }

    /** A tick that is kept; null if it was not taken, or too long ago. */
    @Nullable
    WireTick tick(long number) {
        WireTick kept = ticks[(int) number & (TICKS - 1)];
        return kept.tick == number ? kept : null;
    }

    /**
     * Creates the writer of packets for one receiver that acknowledges them.
     *
     * @return a writer that begins with the whole world
     */
    public AcknowledgedWriter newReceiver() {
        return new AcknowledgedWriter(this, false);
    }

    /**
     * Creates the writer of packets for any number of receivers that do not answer, over a transport that sends lost packets again.
     *
     * @param refreshTicks in how many ticks the whole world is sent once, for receivers that join late
     * @return a writer that begins with the whole world
     */
    public BroadcastWriter newBroadcast(int refreshTicks) {
        return new BroadcastWriter(this, refreshTicks);
    }
}
