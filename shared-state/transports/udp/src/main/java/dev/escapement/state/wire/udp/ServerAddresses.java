package dev.escapement.state.wire.udp;

import dev.escapement.state.time.NanoClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The addresses of a server: the given one, then all current addresses of its name that {@link Access} allows.
 *
 * <p>While a client asks, another thread looks the name up every 5 s, because a look-up may take long. The JDK keeps the last answer for 30
 * s unless {@code networkaddress.cache.ttl} says otherwise.
 *
 * <p>One thread calls {@link #get}.
 */
final class ServerAddresses implements Supplier<List<SocketAddress>> {

    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Looks up all addresses of a name, like {@link InetAddress#getAllByName}. */
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private final InetSocketAddress given;
    private final Access access;
    private final NanoClock clock;
    private final Resolver resolver;
    private final Executor elsewhere;
    private final AtomicBoolean isAsking = new AtomicBoolean();

    // Volatile: written by the thread that looks up, read by the client's thread.
    private volatile List<SocketAddress> known;

    private long askedNanos;

    ServerAddresses(InetSocketAddress given, Access access, NanoClock clock, Resolver resolver, Executor elsewhere) {
        this.given = given;
        this.access = access;
        this.clock = clock;
        this.resolver = resolver;
        this.elsewhere = elsewhere;
        known = List.of(given);
        askedNanos = clock.nanoTime() - AGAIN_NANOS;
    }

    @Override
    public List<SocketAddress> get() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - askedNanos >= AGAIN_NANOS && isAsking.compareAndSet(false, true)) {
            askedNanos = nowNanos;
            elsewhere.execute(this::ask);
        }
        return known;
    }

    private void ask() {
        try {
            List<SocketAddress> all = new ArrayList<>(List.of(given));
            for (InetAddress address : resolver.resolve(given.getHostString())) {
                SocketAddress next = new InetSocketAddress(address, given.getPort());
                if (access.allows(address) && !all.contains(next)) {
                    all.add(next);
                }
            }
            known = List.copyOf(all);
        } catch (UnknownHostException e) {
            // Keeps the known addresses, because there may be no network for now.
        } finally {
            isAsking.set(false);
        }
    }
}
