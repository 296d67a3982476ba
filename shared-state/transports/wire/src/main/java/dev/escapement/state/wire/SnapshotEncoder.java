package dev.escapement.state.wire;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the snapshots of a world for all receivers, and rounds each snapshot once. Each receiver has a writer of its own.
 *
 * <p>One and the same thread must use the encoder and its writers. Allocates nothing once the encoder has seen as many bodies and ticks as
 * it keeps.
 */
final class SnapshotEncoder {

    /** The number of latest ticks that are kept. A base, the tick from which differences are coded, must be one of them. */
    static final int TICKS = 64;

    final int channelCount;
    final int streamId;
    final PoseCode code;

    /** The maximum number of ticks from one send of an interest to the next; 0 if the encoder takes the whole world. */
    final int ticksPerSend;

    /**
     * The {@link MotionBlock#turn} of a body that rotates by 180 degrees from one sent tick to the next: two poses do not show faster
     * rotations. -2 if no ticks are left out.
     */
    private final float fastTurn;

    private final WireTick[] ticks = new WireTick[TICKS];
    private long newestTick = Snapshot.NEVER_WRITTEN;

    /** Creates an encoder of a world. {@code longestGap} is the maximum number of ticks from one that a receiver gets to the next. */
    SnapshotEncoder(WireFormat format, PoseLayout layout, int streamId, int longestGap) {
        this(new PoseCode(format), layout.channels().size(), streamId, 0, longestGap);
    }

    /** Creates an encoder of some bodies of a world, which takes at least one tick in {@code ticksPerSend}. */
    SnapshotEncoder(SnapshotEncoder world, int ticksPerSend) {
        this(world.code, world.channelCount, world.streamId, ticksPerSend, ticksPerSend);
    }

    private SnapshotEncoder(PoseCode code, int channelCount, int streamId, int ticksPerSend, int longestGap) {
        if (channelCount > PacketHeader.MAX_CHANNELS) {
            throw new IllegalArgumentException("bodies with up to " + PacketHeader.MAX_CHANNELS
                    + " channels can be sent, but these have " + channelCount);
        }
        this.code = code;
        this.channelCount = channelCount;
        this.streamId = streamId;
        this.ticksPerSend = ticksPerSend;
        // Counts one tick more, as a margin: the body may rotate faster in the ticks that are left out than in the
        // examined tick.
        double halfTurn = longestGap > 1 ? Math.PI / (longestGap + 1) : 2 * Math.PI;
        fastTurn = (float) (Math.cos(halfTurn / 2) - 1);
        Arrays.setAll(ticks, i -> new WireTick(channelCount));
    }

    /** Begins a copy of a tick of the world, as this encoder's newest tick. The caller fills its slots. */
    WireTick take(WireTick world, int slots) {
        WireTick next = ticks[(int) world.tick & (TICKS - 1)];
        next.beginAs(world, slots);
        newestTick = world.tick;
        return next;
    }

    /**
     * Copies and rounds a snapshot, with the timeline of its window. The snapshot must be newer than all before; ticks may be left out.
     *
     * @param before the snapshot of the previous tick, null if unknown
     */
    void take(Snapshot snapshot, @Nullable Snapshot before, Timeline timeline) {
        ticks[(int) snapshot.tick() & (TICKS - 1)].take(snapshot, before, timeline, code, fastTurn);
        newestTick = snapshot.tick();
    }

    long newestTick() {
        return newestTick;
    }

    /** Returns the tick that was taken last; null before the first. */
    @Nullable
    WireTick newest() {
        return tick(newestTick);
    }

    /** Returns a kept tick; null if it was not taken, or is too old. */
    @Nullable
    WireTick tick(long number) {
        WireTick kept = ticks[(int) number & (TICKS - 1)];
        return kept.tick == number ? kept : null;
    }
}
