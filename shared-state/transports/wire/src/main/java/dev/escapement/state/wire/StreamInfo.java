package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a world that a receiver needs before it reads packets.
 *
 * <p>The sender sends them in a separate packet, ten times a second. While no tick comes, this packet is the sign of life. Big endian.
 *
 * <pre>
 * u8   0x26: kind 2, version 6
 * u16  stream
 * u64  the last tick that was sent; {@link Snapshot#NEVER_WRITTEN} before the first
 * u8   flags: 1 while simulated time stands still at that tick, 4 if other senders have the same world, tick for tick
 * u64  u64 tick rate, as a fraction
 * f32  f32 position and rotation bounds
 * u8   0: the stream has the whole world and every tick. Else it is for one receiver's interest: this is the largest number of ticks
 *      from one sent tick to the next, and each body has a slot in the stream and a slot in the world
 * u8   0; 1 from senders of 0.3.0 whose layout had velocities, which no packet contains
 * u8   channels; for each: u8 blending, u8 length, name in UTF-8
 * </pre>
 */
record StreamInfo(
        int streamId,
        long newestTick,
        boolean standsStill,
        boolean isReplica,
        TickRate rate,
        WireFormat format,
        int ticksPerSend,
        PoseLayout layout) {

    static final int KIND = 2;
    static final int FIRST_BYTE = KIND << PacketHeader.FLAG_BITS | 6;
    private static final int MIN_BYTES = 39;

    /** The limit of tick numbers. Larger ones are refused, so that sums and differences of numbers do not overflow. */
    private static final long MAX_TICK = 1L << 60;

    private static final int STANDS = 1;
    private static final int REPLICA = 4;
    private static final int MAX_NAME_BYTES = 64;
    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;
    private static final Channel.Blending[] BLENDINGS = Channel.Blending.values();

    @SuppressWarnings("EnumOrdinal") // the order of the blendings is part of the format
    void write(ByteBuffer to) {
        int flags = (standsStill ? STANDS : 0) | (isReplica ? REPLICA : 0);
        to.put((byte) FIRST_BYTE).putShort((short) streamId).putLong(newestTick).put((byte) flags);
        to.putLong(rate.numerator()).putLong(rate.denominator());
        to.putFloat(format.maxPositionErrorMetres()).putFloat(format.maxRotationErrorRadians());
        to.put((byte) ticksPerSend);
        to.put((byte) 0).put((byte) layout.channels().size());
        for (Channel channel : layout.channels()) {
            byte[] name = channel.name().getBytes(StandardCharsets.UTF_8);
            int length = Math.min(name.length, MAX_NAME_BYTES);
            to.put((byte) channel.blending().ordinal()).put((byte) length).put(name, 0, length);
        }
    }

    /** Reads a packet of any bytes. Returns null if the bytes are invalid. */
    static @Nullable StreamInfo read(ByteBuffer from) {
        if (from.remaining() < MIN_BYTES || (from.get() & U8) != FIRST_BYTE) {
            return null;
        }
        int streamId = from.getShort() & U16;
        long newestTick = from.getLong();
        int flags = from.get();
        long numerator = from.getLong();
        long denominator = from.getLong();
        float positionError = from.getFloat();
        float rotationError = from.getFloat();
        int ticksPerSend = from.get() & U8;
        from.get(); // always 0, but for senders of 0.3.0
        int count = from.get() & U8;
        List<Channel> channels = new ArrayList<>();
        while (channels.size() < count && from.remaining() >= 2) {
            int blending = from.get() & U8;
            byte[] name = new byte[Math.min(from.get() & U8, from.remaining())];
            from.get(name);
            if (blending < BLENDINGS.length) {
                channels.add(new Channel(new String(name, StandardCharsets.UTF_8), BLENDINGS[blending]));
            }
        }
        if (channels.size() != count || count > PacketHeader.MAX_CHANNELS || Math.abs(newestTick / 2) > MAX_TICK / 2) {
            return null;
        }
        try {
            return new StreamInfo(
                    streamId,
                    newestTick,
                    (flags & STANDS) != 0,
                    (flags & REPLICA) != 0,
                    new TickRate(numerator, denominator),
                    new WireFormat(positionError, rotationError),
                    ticksPerSend,
                    new PoseLayout(channels));
        } catch (IllegalArgumentException noRateOrFormat) {
            return null;
        }
    }
}
