package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.wire.SnapshotSender;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of the protocol: takes clients, sends them snapshots, and puts their input into a ring. Knows no socket, no thread and
 * no clock.
 *
 * <pre>{@code
 * ServerEndpoint server = new ServerEndpoint(sender, ring, "marbles", access, Limits.DEFAULT, new SecureRandom(), sink);
 * long nextNanos = server.run(nowNanos);      // at nextNanos at the latest, and after packets
 * server.packet(received, from, nowNanos);
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No packet makes {@link #packet} throw. What is refused is counted ({@link #traffic()}).
 *   <li>An address gets nothing but answers to its own, larger packets until it has shown that it receives them, and nothing is kept for it
 *       until then. With a key, nothing is kept for a client that does not have it.
 *   <li>Each input event of a client comes into the ring exactly once and in order, also if its client was away for up to 30 s. If a client
 *       is away for longer, events whose acknowledgement was lost come again. Its stamp is never ahead of now, and not farther back than
 *       the limit.
 *   <li>Memory is bounded by {@link Limits#clients()}: for each place, one client and three that left within the last 30 s.
 * </ol>
 *
 * <p>One thread, except for {@link #traffic()}. Allocates nothing for the packets of a client that it has taken, but for what the JDK's HMAC
 * and the table of addresses need.
 */
public final class ServerEndpoint extends Endpoint {

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Cookies hold for one to two of these, so all that belong to a session are refused as replayed while it is remembered. */
    private static final long COOKIE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int KEPT_PER_PLACE = 4;
    private static final int CALLS_PER_SECOND = 1000;
    private static final int CALLS_AT_ONCE = 256;

    private final SnapshotSender sender;
    private final @Nullable InputRing inputs;
    private final Limits limits;
    private final byte[] secret = new byte[32];

    /** All that are known, also those that were dropped. */
    private final List<RemoteClient> clients = new ArrayList<>();

    /** Those that are sent to. */
    private final Map<SocketAddress, RemoteClient> connected = new HashMap<>();

    private final TokenBucket calls = new TokenBucket(CALLS_PER_SECOND, CALLS_AT_ONCE);

    /**
     * Creates the server's side.
     *
     * @param sender where snapshots come from
     * @param inputs where input goes; null if the world takes none
     * @param world  the name of the world, which clients must know; at most 200 bytes of UTF-8
     * @param access who may connect
     * @param limits how much is taken from clients
     * @param random draws a secret; a secure one, except in simulations
     * @param sink   where packets go
     * @throws IllegalArgumentException if the name is too long
     */
    public ServerEndpoint(
            SnapshotSender sender,
            @Nullable InputRing inputs,
            String world,
            Access access,
            Limits limits,
            RandomGenerator random,
            PacketSink sink) {
        super(world, access, sink);
        this.sender = sender;
        this.inputs = inputs;
        this.limits = limits;
        random.nextBytes(secret);
    }

    @Override
    Traffic.@Nullable Count read(ByteBuffer packet, SocketAddress from, long nowNanos) {
        if (packet.get(packet.position()) == Protocol.HELLO) {
            return readHello(packet, from, nowNanos);
        }
        RemoteClient client = connected.get(from);
        if (client == null) {
            return Traffic.Count.STRANGE;
        }
        Traffic.Count wrong = client.seal.open(packet);
        return wrong != null ? wrong : readOpened(client, packet, nowNanos);
    }

    private Traffic.@Nullable Count readOpened(RemoteClient client, ByteBuffer packet, long nowNanos) {
        if (packet.remaining() < 1 + Integer.BYTES) {
            return Traffic.Count.MALFORMED;
        }
        byte type = packet.get();
        if (packet.getInt() != Protocol.session(client.cookie)) {
            return Traffic.Count.STRANGE;
        }
        client.heardNanos = nowNanos;
        if (type == Protocol.CLIENT_BYE) {
            drop(client, nowNanos);
            return null;
        }
        int length = packet.hasRemaining() ? packet.get() & 0xFF : 0;
        if (type != Protocol.FEEDBACK || packet.remaining() < length) {
            return Traffic.Count.MALFORMED;
        }
        int end = packet.limit();
        int events = packet.position() + length;
        boolean ofStream = client.receiver.feedback(packet.limit(events), nowNanos);
        packet.limit(end).position(events);
        if (!client.takeInputs(packet, inputs, nowNanos, traffic)) {
            return Traffic.Count.MALFORMED;
        }
        return ofStream ? null : Traffic.Count.STRANGE;
    }

    private Traffic.@Nullable Count readHello(ByteBuffer packet, SocketAddress from, long nowNanos) {
        if (packet.remaining() < Protocol.HELLO_BYTES) {
            return Traffic.Count.MALFORMED;
        }
        if (!calls.has(nowNanos)) {
            return Traffic.Count.CALLS_LIMITED;
        }
        calls.take();
        int start = packet.position();
        int version = packet.get(start + 1);
        byte[] nonce = new byte[Protocol.NONCE_BYTES];
        byte[] cookie = new byte[Protocol.COOKIE_BYTES];
        packet.position(start + 2).get(nonce).get(cookie).position(start);
        long epoch = Math.floorDiv(nowNanos, COOKIE_NANOS);
        byte[] fresh = cookie(from, nonce, epoch);
        if (version != Protocol.VERSION) {
            return refuse(nonce, Refusal.VERSION, from);
        }
        if (Arrays.equals(cookie, fresh) || Arrays.equals(cookie, cookie(from, nonce, epoch - 1))) {
            return take(packet, nonce, cookie, from, nowNanos);
        }
        out.clear().put(Protocol.CHALLENGE).put(nonce).put(fresh);
        send(null, from);
        return null;
    }

    /** Takes a client, begins another session with it, or tells it why not. */
    private Traffic.@Nullable Count take(
            ByteBuffer hello, byte[] nonce, byte[] cookie, SocketAddress from, long nowNanos) {
        RemoteClient known = find(nonce);
        PacketSeal seal = known != null && Arrays.equals(known.cookie, cookie)
                ? known.seal // the same session: what came before is refused
                : PacketSeal.ofServer(access.key, nonce, cookie);
        if (hello.remaining() != Protocol.HELLO_BYTES + seal.bytes()) {
            return refuse(nonce, Refusal.KEY, from);
        }
        Traffic.Count wrong = seal.open(hello);
        if (wrong != null) {
            if (wrong == Traffic.Count.FORGED) {
                refuse(nonce, Refusal.KEY, from);
            }
            return wrong;
        }
        hello.position(hello.position() + 2 + Protocol.NONCE_BYTES + Protocol.COOKIE_BYTES);
        if (!hello.limit(hello.position() + name.length).equals(ByteBuffer.wrap(name))) {
            return refuse(nonce, Refusal.WORLD, from);
        }
        boolean isConnected = known != null && known.address != null;
        if ((!isConnected && connected.size() >= limits.clients())
                || (known == null && clients.size() >= KEPT_PER_PLACE * limits.clients())) {
            return refuse(nonce, Refusal.FULL, from);
        }
        if (known == null) {
            known = new RemoteClient(nonce, cookie, seal, limits, sender.newReceiver());
            clients.add(known);
        }
        if (!isConnected || known.seal != seal) {
            drop(known, nowNanos);
            RemoteClient before = connected.get(from);
            if (before != null) {
                drop(before, nowNanos);
            }
            known.cookie = cookie;
            known.seal = seal;
            known.address = from;
            connected.put(from, known);
        }
        known.heardNanos = nowNanos;
        tell(Protocol.TAKEN, known, from, nowNanos);
        return null;
    }

    @SuppressWarnings("EnumOrdinal") // the protocol numbers them so
    private Traffic.Count refuse(byte[] nonce, Refusal why, SocketAddress to) {
        out.clear().put(Protocol.REFUSED).put(nonce).put((byte) why.ordinal());
        send(null, to);
        return Traffic.Count.REFUSED;
    }

    private byte[] cookie(SocketAddress from, byte[] nonce, long epoch) {
        byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(epoch).array();
        byte[] address = from.toString().getBytes(StandardCharsets.UTF_8); // last: the only one of variable length
        return Arrays.copyOf(PacketSeal.hmac(secret, nonce, time, address), Protocol.COOKIE_BYTES);
    }

    private @Nullable RemoteClient find(byte[] nonce) {
        for (RemoteClient client : clients) {
            if (Arrays.equals(client.nonce, nonce)) {
                return client;
            }
        }
        return null;
    }

    private void drop(RemoteClient client, long nowNanos) {
        if (client.address != null) {
            connected.remove(client.address);
            client.address = null;
            client.heardNanos = nowNanos;
        }
    }

    @Override
    public long run(long nowNanos) {
        long nextNanos = sender.run(nowNanos);
        for (int i = clients.size() - 1; i >= 0; i--) {
            RemoteClient client = clients.get(i);
            long silentNanos = nowNanos - client.heardNanos;
            if (client.address != null && silentNanos < SILENCE_NANOS) {
                nextNanos = earlier(nextNanos, serve(client, client.address, nowNanos));
            } else if (client.address != null) {
                drop(client, nowNanos);
            } else if (silentNanos >= REMEMBERED_NANOS) {
                clients.remove(i);
            }
        }
        return earlier(nextNanos, nowNanos + SIGN_OF_LIFE_NANOS);
    }

    private long serve(RemoteClient client, SocketAddress to, long nowNanos) {
        long restNanos = client.waitsForAnswer ? ANSWER_NANOS : SIGN_OF_LIFE_NANOS;
        if (nowNanos - client.toldNanos >= restNanos) {
            tell(Protocol.TAKEN, client, to, nowNanos);
        }
        for (int i = 0; i < PACKETS_PER_RUN; i++) {
            if (!client.receiver.write(out.clear().limit(Protocol.MOST_PLAIN_BYTES), nowNanos)) {
                return client.toldNanos + (client.waitsForAnswer ? ANSWER_NANOS : SIGN_OF_LIFE_NANOS);
            }
            send(client.seal, to);
        }
        return nowNanos;
    }

    private void tell(byte type, RemoteClient client, SocketAddress to, long nowNanos) {
        client.toldNanos = nowNanos;
        client.waitsForAnswer = false;
        out.clear().put(type).putInt(Protocol.session(client.cookie)).putLong(client.lastTaken());
        send(client.seal, to);
    }

    /** Says good-bye to the clients, and closes the sender. */
    @Override
    public void close(long nowNanos) {
        for (RemoteClient client : clients) {
            if (client.address != null) {
                tell(Protocol.SERVER_BYE, client, client.address, nowNanos);
                drop(client, nowNanos);
            }
        }
        sender.close();
    }
}
