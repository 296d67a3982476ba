package dev.escapement.state.wire.network;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.udp.Endpoint;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A machine of the simulated network: a clock of its own, which drifts and may be set ahead, a socket, and a program that may be stopped.
 *
 * <p>One thread.
 */
@SuppressWarnings("NullAway.Init") // programs set their endpoint
public abstract class WireHost implements NanoClock {

    /** A socket holds this many packets for a program that does not take them. */
    private static final int SOCKET_PACKETS = 256;

    private static final double MILLION = 1e6;

    protected final VirtualTime time;

    /** Set by the constructor of each program, which is the clock of what it makes. */
    protected Endpoint endpoint;

    private long shownNanos;
    private long sinceNanos;
    private double driftPpm;
    private long stoppedUntilNanos;
    private long wakeNanos = Long.MIN_VALUE;
    private int held;
    private boolean gone;

    protected WireHost(VirtualTime time, long clockNanos, double driftPpm) {
        this.time = time;
        this.driftPpm = driftPpm;
        shownNanos = clockNanos;
        sinceNanos = time.nanos;
    }

    /** Does what is due. Returns when to call this again at the latest, on the own clock. */
    protected long run() {
        return endpoint.run(nanoTime());
    }

    public final void sayGoodbye() {
        endpoint.close(nanoTime());
    }

    @Override
    public final long nanoTime() {
        long passedNanos = time.nanos - sinceNanos;
        return shownNanos + passedNanos + (long) (passedNanos * driftPpm / MILLION);
    }

    /** From now on the clock is this far ahead, and drifts at this rate. */
    public final void setClock(long aheadNanos, double newDriftPpm) {
        shownNanos = nanoTime() + aheadNanos;
        sinceNanos = time.nanos;
        driftPpm = newDriftPpm;
    }

    public final void stopFor(long nanos) {
        stoppedUntilNanos = Math.max(stoppedUntilNanos, time.nanos + nanos);
    }

    public final boolean isStopped() {
        return time.nanos < stoppedUntilNanos;
    }

    /** Stops it for ever. */
    public final void crash() {
        gone = true;
    }

    public final boolean isGone() {
        return gone;
    }

    /** Does something now, or when it runs again; never if it has crashed. */
    public final void whenRunning(Runnable what) {
        if (isStopped()) {
            time.at(stoppedUntilNanos, () -> whenRunning(what));
        } else if (!gone) {
            what.run();
        }
    }

    public final void receive(ByteBuffer packet, SocketAddress from) {
        if (isStopped() && held >= SOCKET_PACKETS) {
            return;
        }
        held++;
        whenRunning(() -> {
            held--;
            endpoint.packet(packet, from, nanoTime());
            wake();
        });
    }

    /** Runs, and again when that is due. */
    public final void wake() {
        long nextNanos = run() - nanoTime();
        long dueNanos = time.nanos + 1 + Math.max(0, (long) (nextNanos / (1 + driftPpm / MILLION)));
        wakeNanos = dueNanos;
        time.at(
                dueNanos,
                () -> whenRunning(() -> {
                    if (wakeNanos == dueNanos) {
                        wake();
                    }
                }));
    }
}
