package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.udp.ClientEndpoint.Refusal;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of the protocol: accepts clients, sends them snapshots, and puts their input into a ring. Knows no socket, no thread
 * and no clock.
 *
 * <pre>{@code
 * ServerEndpoint server = new ServerEndpoint(sender, ring, "marbles", access, Limits.DEFAULT, new SecureRandom(), sink);
 * long nextNanos = server.run(nowNanos);      // at nextNanos at the latest, and after packets
 * server.packet(received, from, nowNanos);
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No packet makes {@link #packet} throw. Refused packets are counted ({@link #count}).
 *   <li>Until an address has shown that it receives packets, it gets at most three times the bytes that came from there, and the server
 *       stores nothing about it. With a key, the server stores nothing about a client that does not have it. Up to 50,000 HELLOs a second
 *       from forged addresses delay no client that connects.
 *   <li>Each input event of a client enters the ring exactly once and in order, even if its client was away for up to 30 s. If a client is
 *       away for longer, or was forgotten because many others came and left, events whose acknowledgement was lost enter again. Without a
 *       key anyone can cause that; with one, only those who have it. A stamp is never ahead of now, and not farther back than 250 ms.
 *   <li>Memory is bounded by {@link Limits#clients()}: for each place, one client and three that left within the last 30 s. The first to
 *       leave is forgotten for a new client; connected clients never are.
 *   <li>The server's packets to a client depend on its acknowledgements. A client that acknowledges nothing gets ten packets a second after
 *       1 s, and is dropped after 5 s. All such clients share 20 kB/s; all new ones 30 kB/s once they had 8 MB; all others 40 MB/s,
 *       equally.
 *   <li>The server releases the controls of a client when it is dropped (also after 5 s of silence), sends BYE, or the server closes: keys
 *       and buttons come up, axes return to 0, and its drag ends. Then the client has left. A full ring delays that, even for a client that
 *       was forgotten. A client that returns continues with the next event: it offers what is held again.
 *   <li>Each client is a sender until it has left: it joins before its first event, with the ring's next number, which the client learns
 *       when the server accepts the client ({@link ClientEndpoint#sender}). No packet of a client has a number, so none can choose one.
 *   <li>With a key, a client whose address changes keeps its session. The server takes input from the new address at once. It sends
 *       snapshots to the old address until the client has answered a challenge at the new one. A client may move four times in a row, then
 *       once a second. The server drops it after 5 s without a packet from the address that the snapshots go to. Packets that others send
 *       again move no client. Without a key the client connects anew after 2 s of silence. In both cases the client stays the same sender,
 *       and holds the same keys, buttons and axes.
 * </ol>
 *
 * <p>One thread, except for {@link #count}. Allocates nothing for the packets of an accepted client, except for the JDK's cipher (about 1
 * kB a packet) and the table of addresses.
 */
public final class ServerEndpoint extends Endpoint {

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * The length of a cookie's epoch. Cookies are valid for one to two epochs. The server remembers their sessions for longer, so it
     * refuses repeated cookies as replayed.
     */
    private static final long COOKIE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int KEPT_PER_PLACE = 4;

    /**
     * The number of HELLOs without a valid cookie that are answered in a second: more than a flood that leaves the network usable, less
     * than a core can answer.
     */
    private static final int CALLS_PER_SECOND = 50_000;

    private static final int CALLS_AT_ONCE = 5_000;

    private static final int UNKNOWN_PER_SECOND = 1_000;

    private final SnapshotSender sender;
    private final @Nullable RemoteSources inputs;
    private final Limits limits;
    private final RandomGenerator random;

    private final byte[] secret = new byte[32];

    private int joins;

    /** All known clients, including clients that were dropped. */
    private final List<RemoteClient> clients = new ArrayList<>();

    /** The connected clients, by the {@link Protocol#id} of their sessions. */
    private final Map<Integer, RemoteClient> connected = new HashMap<>();

    /** Bounds the answers to packets of unknown sessions, apart from HELLOs, so that a flood of one keeps out none of the other. */
    private final Limits.TokenBucket unknown = new Limits.TokenBucket(UNKNOWN_PER_SECOND, UNKNOWN_PER_SECOND);

    private final Limits.TokenBucket calls = new Limits.TokenBucket(CALLS_PER_SECOND, CALLS_AT_ONCE);

    /**
     * Creates the server's side.
     *
     * @param sender the source of the snapshots
     * @param inputs the ring for the clients' input; null if the world takes none
     * @param world  the name of the world, which clients must know; at most 200 bytes of UTF-8
     * @param access who may connect
     * @param limits the limits on clients and their input
     * @param random draws a secret; secure, except in simulations
     * @param sink   sends a packet to an address, or loses it; never blocks or throws because of the network, and keeps no packet
     * @throws IllegalArgumentException if the name is too long
     */
    public ServerEndpoint(
            SnapshotSender sender,
            @Nullable InputRing inputs,
            String world,
            Access access,
            Limits limits,
            RandomGenerator random,
            BiConsumer<ByteBuffer, SocketAddress> sink) {
        super(world, access, sink);
        this.sender = sender;
        this.inputs = inputs == null ? null : new RemoteSources(inputs);
        this.limits = limits;
        this.random = random;
        random.nextBytes(secret);
        joins = random.nextInt(); // so that a server that is started again gives other numbers
    }

    @Override
    @Nullable
    Traffic read(ByteBuffer packet, SocketAddress from, long nowNanos) {
        if (packet.get(packet.position()) == Protocol.HELLO) {
            return readHello(packet, from, nowNanos);
        }
        if (packet.remaining() < Protocol.READABLE_CLIENT_BYTES) {
            return Traffic.MALFORMED;
        }
        int session = packet.getInt(packet.position() + 1);
        RemoteClient client = client(session, from);
        if (client == null) {
            boolean isFeedback =
                    packet.get(packet.position()) == Protocol.FEEDBACK; // two servers must not answer each other
            if (isFeedback && !connected.containsKey(session) && unknown.has(nowNanos)) {
                unknown.take();
                out.clear().put(Protocol.UNKNOWN).putInt(session);
                send(null, from);
            }
            return Traffic.STRANGE;
        }
        Traffic wrong = client.seal.open(packet);
        return wrong != null ? wrong : readOpened(client, packet, from, nowNanos);
    }

    /**
     * Returns the connected client of a session. With a key the client may be at any address, because the session's seal opens that
     * client's packets only.
     */
    private @Nullable RemoteClient client(int id, SocketAddress from) {
        RemoteClient client = connected.get(id);
        return client != null && (access.key != null || from.equals(client.address)) ? client : null;
    }

    private @Nullable Traffic readOpened(RemoteClient client, ByteBuffer packet, SocketAddress from, long nowNanos) {
        // A client with the key can seal a packet of any length.
        if (packet.remaining() < Protocol.READABLE_CLIENT_BYTES) {
            return Traffic.MALFORMED;
        }
        byte type = packet.get();
        packet.getInt();
        if (from.equals(client.address)) {
            client.heardNanos = nowNanos; // only for packets from its address: it may be unreachable at others
            client.movedBy = Math.max(client.movedBy, client.seal.opened());
        }
        if (type == Protocol.CLIENT_BYE) {
            drop(client, nowNanos);
            return null;
        }
        if (type == Protocol.PATH_RESPONSE) {
            return readPathResponse(client, packet, from, nowNanos);
        }
        // A late packet does not prove that the client has moved.
        boolean isNewest = client.seal.opened() == client.seal.highest();
        boolean mayMove = client.moves.has(nowNanos) && client.challenges.has(nowNanos);
        if (!from.equals(client.address) && isNewest && mayMove) {
            client.challenges.take();
            out.clear().put(Protocol.PATH_CHALLENGE).put(cookie(from, client.session, epoch(nowNanos)));
            send(client.seal, from);
        }
        int length = packet.hasRemaining() ? packet.get() & 0xFF : 0;
        if (type != Protocol.FEEDBACK || packet.remaining() < length) {
            return Traffic.MALFORMED;
        }
        int end = packet.limit();
        int events = packet.position() + length;
        boolean ofStream = client.receiver.feedback(packet.limit(events), nowNanos);
        packet.limit(end).position(events);
        if (inputs != null && !inputs.release()) {
            return null; // earlier releases must enter the ring first; the client sends its events again
        }
        if (!client.takeInputs(packet, client.input, nowNanos)) {
            return Traffic.MALFORMED;
        }
        return ofStream ? null : Traffic.STRANGE;
    }

    /** Moves a client to the address where it got the challenge's cookie, unless it was at another one after it sent the response. */
    private @Nullable Traffic readPathResponse(
            RemoteClient client, ByteBuffer packet, SocketAddress from, long nowNanos) {
        if (packet.remaining() != Protocol.COOKIE_BYTES) {
            return Traffic.MALFORMED;
        }
        byte[] cookie = new byte[Protocol.COOKIE_BYTES];
        packet.get(cookie);
        if (!isCookie(cookie, from, client.session, nowNanos)) {
            return Traffic.STRANGE;
        }
        if (!from.equals(client.address) && client.seal.opened() > client.movedBy && client.moves.has(nowNanos)) {
            client.moves.take();
            client.movedTo(from, nowNanos);
        }
        return null;
    }

    private @Nullable Traffic readHello(ByteBuffer packet, SocketAddress from, long nowNanos) {
        if (packet.remaining() < Protocol.HELLO_BYTES) {
            return Traffic.MALFORMED;
        }
        packet.get();
        byte version = packet.get();
        byte[] session = new byte[Protocol.SESSION_BYTES];
        packet.get(packet.position(), session);
        byte[] cookie = Arrays.copyOfRange(session, Protocol.NONCE_BYTES, Protocol.NONCE_BYTES + Protocol.COOKIE_BYTES);
        if (version == Protocol.VERSION && isCookie(cookie, from, session, nowNanos)) {
            return take(packet.position(packet.position() - 2), session, from, nowNanos);
        }
        if (!calls.has(nowNanos)) {
            return Traffic.CALLS_LIMITED;
        }
        calls.take();
        if (version != Protocol.VERSION) {
            return refuse(session, Refusal.VERSION, from);
        }
        cookie = cookie(from, session, epoch(nowNanos));
        System.arraycopy(cookie, 0, session, Protocol.NONCE_BYTES, cookie.length);
        out.clear()
                .put(Protocol.CHALLENGE)
                .put(session, 0, Protocol.NONCE_BYTES + Protocol.COOKIE_BYTES)
                .put(access.tag(session));
        send(null, from);
        return null;
    }

    private boolean isCookie(byte[] given, SocketAddress from, byte[] session, long nowNanos) {
        long epoch = epoch(nowNanos);
        return MessageDigest.isEqual(given, cookie(from, session, epoch - ((epoch ^ given[0]) & 1)));
    }

    private static long epoch(long nowNanos) {
        return Math.floorDiv(nowNanos, COOKIE_NANOS);
    }

    /** Accepts a client, begins another session with it, or refuses it with the reason. */
    private @Nullable Traffic take(ByteBuffer hello, byte[] session, SocketAddress from, long nowNanos) {
        RemoteClient known = find(session);
        PacketSeal seal;
        if (known != null && Arrays.equals(known.session, session)) {
            seal = known.seal; // the seal that knows the received numbers refuses repeated packets
        } else if (known != null && Protocol.packetsBefore(session) < known.seal.highest()) {
            return Traffic.REPLAYED; // a recorded HELLO of an earlier session of this client
        } else {
            seal = PacketSeal.ofServer(access.key, session, 0);
        }
        if (hello.remaining() != Protocol.HELLO_BYTES + seal.bytes()) {
            return refuse(session, Refusal.KEY, from);
        }
        Traffic wrong = seal.open(hello);
        if (wrong != null) {
            return wrong == Traffic.FORGED ? refuse(session, Refusal.KEY, from) : wrong;
        }
        hello.position(hello.position() + Protocol.READABLE_HELLO_BYTES);
        if (!hello.limit(hello.position() + name.length).equals(ByteBuffer.wrap(name))) {
            return refuse(session, Refusal.WORLD, from);
        }
        boolean isNew = known == null || known.address == null;
        if (isNew && connected.size() >= limits.clients()) {
            return refuse(session, Refusal.FULL, from);
        }
        TrackedSource input = known == null ? null : known.input; // in another session the client stays the same sender
        if (isNew && inputs != null) {
            try {
                input = inputs.join();
            } catch (IllegalStateException full) {
                // Caught, not checked in advance, because other threads add senders, too.
                return refuse(session, Refusal.FULL, from);
            }
        }
        if (known == null) {
            if (clients.size() >= KEPT_PER_PLACE * limits.clients()) {
                forgetOldest(nowNanos);
            }
            known = new RemoteClient(session, seal, limits, sender.newReceiver(from), count -> add(count, 1));
            clients.add(known);
        }
        known.join = isNew ? ++joins : known.join;
        if (isNew || known.seal != seal) {
            for (RemoteClient other : clients) {
                if (other != known && from.equals(other.address) && access.key == null) {
                    drop(other, nowNanos); // only without a key: with one, the other client may be moving away
                }
            }
            connected.remove(Protocol.id(known.session), known);
            connected.put(Protocol.id(session), known);
            known.session = session;
            known.seal = seal;
            known.input = input;
            known.movedTo(from, nowNanos);
        }
        known.heardNanos = nowNanos;
        report(Protocol.TAKEN, known, from, nowNanos);
        return null;
    }

    @SuppressWarnings("EnumOrdinal") // the protocol numbers the reasons by their ordinals
    private Traffic refuse(byte[] session, Refusal why, SocketAddress to) {
        out.clear().put(Protocol.REFUSED).put(session, 0, Protocol.NONCE_BYTES).put((byte) why.ordinal());
        send(null, to);
        return Traffic.REFUSED;
    }

    /**
     * Returns the cookie of an address and a session in an epoch. The lowest bit of its first byte is the lowest bit of the epoch, so that
     * a check computes one hash, not one for each epoch.
     */
    private byte[] cookie(SocketAddress from, byte[] session, long epoch) {
        ByteBuffer known = ByteBuffer.allocate(Protocol.NONCE_BYTES + Long.BYTES)
                .put(session, 0, Protocol.NONCE_BYTES)
                .putLong(epoch);
        // Hashed last, because only its length varies.
        byte[] address = from.toString().getBytes(StandardCharsets.UTF_8);
        byte[] cookie = Arrays.copyOf(PacketSeal.hmac(secret, known.array(), address), Protocol.COOKIE_BYTES);
        cookie[0] = (byte) ((cookie[0] & ~1) | (epoch & 1));
        return cookie;
    }

    private @Nullable RemoteClient find(byte[] session) {
        return clients.stream()
                .filter(client ->
                        Arrays.equals(client.session, 0, Protocol.NONCE_BYTES, session, 0, Protocol.NONCE_BYTES))
                .findFirst()
                .orElse(null);
    }

    private void drop(RemoteClient client, long nowNanos) {
        if (client.address != null) {
            connected.remove(Protocol.id(client.session), client);
            if (inputs != null && client.input != null) {
                inputs.leave(client.input);
            }
            client.dropped(nowNanos);
        }
    }

    /**
     * Forgets the client that was dropped first, for a new one. At least one exists, because most known clients are not connected. With a
     * key, no packet of the forgotten client may be accepted again, so all earlier cookies become invalid: a connecting client gets another
     * cookie.
     */
    private void forgetOldest(long nowNanos) {
        clients.stream()
                .filter(client -> client.address == null)
                .max(Comparator.comparingLong(client -> nowNanos - client.heardNanos))
                .ifPresent(clients::remove);
        if (access.key != null) {
            random.nextBytes(secret);
        }
    }

    @Override
    public long run(long nowNanos) {
        long nextNanos = sender.run(nowNanos);
        if (inputs != null) {
            inputs.release();
        }
        for (int i = clients.size() - 1; i >= 0; i--) {
            RemoteClient client = clients.get(i);
            long silentNanos = nowNanos - client.heardNanos;
            boolean isLost = silentNanos >= SILENCE_NANOS || client.receiver.isLost(nowNanos);
            if (client.address != null && !isLost) {
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
        if (nowNanos - client.reportedNanos >= restNanos) {
            report(Protocol.TAKEN, client, to, nowNanos);
        }
        for (int i = 0; i < PACKETS_PER_RUN; i++) {
            if (!client.receiver.write(out.clear(), nowNanos)) {
                return client.reportedNanos + (client.waitsForAnswer ? ANSWER_NANOS : SIGN_OF_LIFE_NANOS);
            }
            send(client.seal, to);
        }
        return nowNanos;
    }

    private void report(byte type, RemoteClient client, SocketAddress to, long nowNanos) {
        client.reportedNanos = nowNanos;
        client.waitsForAnswer = false;
        out.clear().put(type).putInt(Protocol.id(client.session)).putLong(client.lastTaken());
        out.putInt(client.input == null ? 0 : client.input.sender());
        out.putInt(client.join);
        send(client.seal, to);
    }

    /** Sends BYE to the clients, releases their keys and drags (waits up to 1 s while the ring is full), and closes the sender. */
    @Override
    public void close(long nowNanos) {
        for (RemoteClient client : clients) {
            if (client.address != null) {
                report(Protocol.SERVER_BYE, client, client.address, nowNanos);
                drop(client, nowNanos);
            }
        }
        if (inputs != null) {
            inputs.close();
        }
        sender.close();
    }
}
