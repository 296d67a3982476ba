package dev.escapement.state.wire.network;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One direction of a simulated network: loses, in bursts too, delays, holds back, repeats, reorders and changes packets. */
public final class WireWay {

    public static final long MILLI = 1_000_000;

    private static final long COPY_NANOS = 30 * MILLI;

    private final VirtualTime time;
    private final SplittableRandom random;

    public long leastNanos;
    public long jitterNanos;

    /** The share of packets with which a loss begins, and how many are lost in a row. */
    public double lost;

    public int burst = 1;
    public double repeated;
    public double changed;

    private long cutUntilNanos;
    private long heldUntilNanos;
    private int losing;

    public WireWay(VirtualTime time, SplittableRandom random) {
        this.time = time;
        this.random = random;
        leastNanos = random.nextLong(MILLI, 60 * MILLI);
        jitterNanos = random.nextLong(20 * MILLI);
        lost = random.nextBoolean() ? 0 : random.nextDouble(0.02);
        burst = 1 + random.nextInt(4);
        repeated = 0.01;
    }

    /** Loses nothing, and delays all alike. */
    public void heal() {
        lost = 0;
        changed = 0;
        repeated = 0;
        jitterNanos = MILLI / 2;
    }

    /** All is lost. */
    public void cutFor(long nanos) {
        cutUntilNanos = time.nanos + nanos;
    }

    /** All is held back, and comes together. */
    public void holdFor(long nanos) {
        heldUntilNanos = Math.max(heldUntilNanos, time.nanos + nanos);
    }

    public void send(ByteBuffer packet, Consumer<ByteBuffer> to) {
        if (time.nanos < cutUntilNanos || loses()) {
            return;
        }
        deliver(packet, 0, to);
        if (random.nextDouble() < repeated) {
            deliver(packet, random.nextLong(COPY_NANOS), to);
        }
    }

    private boolean loses() {
        if (losing > 0) {
            losing--;
            return true;
        }
        boolean begins = random.nextDouble() < lost;
        losing = begins ? burst - 1 : 0;
        return begins;
    }

    private void deliver(ByteBuffer packet, long laterNanos, Consumer<ByteBuffer> to) {
        byte[] bytes = new byte[packet.remaining()];
        packet.get(packet.position(), bytes);
        if (random.nextDouble() < changed) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        long delayNanos = leastNanos + laterNanos + (jitterNanos > 0 ? random.nextLong(jitterNanos) : 0);
        time.at(Math.max(time.nanos, heldUntilNanos) + delayNanos, () -> to.accept(ByteBuffer.wrap(bytes)));
    }
}
