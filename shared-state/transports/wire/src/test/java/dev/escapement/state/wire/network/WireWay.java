package dev.escapement.state.wire.network;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One direction of a simulated network: loses, delays, holds back, repeats and reorders packets. */
public final class WireWay {

    public static final long MILLI = 1_000_000;

    private static final long COPY_NANOS = 30 * MILLI;

    private final VirtualTime time;
    private final SplittableRandom random;

    public long leastNanos;
    public long jitterNanos;

    // Shares of all packets.
    public double lost;
    public double repeated;

    private long heldUntilNanos;

    public WireWay(VirtualTime time, SplittableRandom random) {
        this.time = time;
        this.random = random;
        // Callers replace these values before the first packet. The draws stay, because without them the tests' seeds,
        // chosen because they found faults, would draw other numbers.
        leastNanos = random.nextLong(MILLI, 60 * MILLI);
        jitterNanos = random.nextLong(20 * MILLI);
        lost = random.nextBoolean() ? 0 : random.nextDouble(0.02);
        repeated = random.nextInt(4);
    }

    /** Holds back all packets for a time, and then delivers them together. */
    public void holdFor(long nanos) {
        heldUntilNanos = Math.max(heldUntilNanos, time.nanos + nanos);
    }

    public void send(ByteBuffer packet, Consumer<ByteBuffer> to) {
        if (random.nextDouble() >= lost) {
            deliver(packet, 0, to);
            if (random.nextDouble() < repeated) {
                deliver(packet, random.nextLong(COPY_NANOS), to);
            }
        }
    }

    private void deliver(ByteBuffer packet, long laterNanos, Consumer<ByteBuffer> to) {
        byte[] bytes = new byte[packet.remaining()];
        packet.get(packet.position(), bytes);
        random.nextDouble(); // keeps the seeds' sequence of draws: see the constructor
        long delayNanos = leastNanos + laterNanos + (jitterNanos > 0 ? random.nextLong(jitterNanos) : 0);
        time.at(Math.max(time.nanos, heldUntilNanos) + delayNanos, () -> to.accept(ByteBuffer.wrap(bytes)));
    }
}
