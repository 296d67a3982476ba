package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the protocol: connects to the server, reconnects, receives snapshots, and sends input. Knows no socket and
 * no thread; its clock is only for stamps of input.
 *
 * <pre>{@code
 * ClientEndpoint client = new ClientEndpoint(
 *         () -> List.of(address), "marbles", access, receiver, clock, new SecureRandom(), sink);
 * client.inputs().offer(clock.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);      // read it in a tick of the server
 * long nextNanos = client.run(nowNanos);      // at nextNanos at the latest, and after packets
 * client.packet(received, from, nowNanos);
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>No packet makes {@link #packet} throw. Refused packets are counted ({@link #count}).
 *   <li>If the server is silent for 2 s, refuses, or closes, the client sends a HELLO every 250 ms, without end. Meanwhile it keeps the
 *       last picture and the input that was not acknowledged. After 2 s {@link SnapshotReceiver#problem} says which address does not
 *       answer, and which other one does.
 *   <li>With a key, no packet of another sender or session, and no repeated one, has any effect; except that a forged answer to a HELLO can
 *       delay the connection. The server may answer from any address: its packets show that it has the key.
 *   <li>Without a key only packets from the addresses that the client calls count.
 *   <li>A server that was started again, or had dropped the client, gets the held keys, buttons and axes again, each once. It says that it
 *       does not know the client, which so returns within three round trips and {@value #DOUBT_MILLIS} ms.
 * </ol>
 *
 * <p>One thread, except for {@link #inputs()}, {@link #sender()}, {@link #sessions()}, {@link #isConnected()}, {@link #refusal()} and
 * {@link #count}.
 */
public final class ClientEndpoint extends Endpoint {

    /** Why a server does not accept a client. */
    public enum Refusal {
        /** The server speaks another version of the protocol: use the same version of Escapement on both sides. */
        VERSION,
        /** The server sends a world of another name. */
        WORLD,
        /** Only one side has a key, or they have different keys. */
        KEY,
        /** The server has its maximum number of clients, or the world its maximum number of senders. */
        FULL
    }

    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The time for which a searching client calls one address. It exceeds a round trip, so that the answer comes before the next call. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The silence after which a client believes that the server does not know its session. */
    static final int DOUBT_MILLIS = 100;

    private static final long DOUBT_NANOS = TimeUnit.MILLISECONDS.toNanos(DOUBT_MILLIS);

    private static final long FEEDBACK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * The feedback period while no packets of a known world come. This client's address may have changed, which only feedback shows to the
     * server, and the first feedback may be lost.
     */
    private static final long SILENT_FEEDBACK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long IDLE_FEEDBACK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Refusal[] REFUSALS = Refusal.values();

    private final Supplier<List<SocketAddress>> addresses;
    private final SnapshotReceiver receiver;
    private final InputOutbox outbox;
    private final byte[] nonce = new byte[Protocol.NONCE_BYTES];

    /** The session as sent to the server: the nonce, followed by 0 until the server has sent a cookie. */
    private byte[] session;

    /** The seal of the session; null until the server has sent a cookie. */
    private @Nullable PacketSeal seal;

    // Volatile: written by the endpoint's thread, read by any thread; so rarely that it costs nothing.
    private volatile int sender;
    private volatile boolean connected;
    private volatile int sessions;
    private volatile @Nullable Refusal refusal;

    /** Whether the server has confirmed the current session, and which of the server's joins it is. */
    private boolean isConfirmed;

    private int join;

    /** The address to which this client sends. The server's packets may come from another one. */
    private SocketAddress server;

    /** Another address that answered without proof that it is the server's. */
    private @Nullable SocketAddress stranger;

    private boolean called;
    private boolean heardSinceFeedback;
    private long calledNanos;

    /** When the wait for an answer began, and when the calls to the current address began. */
    private long waitNanos;

    private long turnNanos;

    /** The time of the server's last packet or cookie. A client that has heard nothing for 2 s searches: it calls all addresses in turn. */
    private long heardNanos;

    private long feedbackNanos;

    /**
     * Creates the client's side.
     *
     * @param addresses the server's addresses, at least one; the client requests them anew while it searches, and calls one after the other
     * @param world     the name of its world
     * @param access    the same access as the server's
     * @param receiver  receives the snapshots
     * @param clock     the clock of input stamps, and of all instants passed to the other methods
     * @param random    draws the nonce of this client; secure, except in simulations
     * @param sink      sends a packet to an address, or loses it; never blocks or throws because of the network, and keeps no packet
     * @throws IllegalArgumentException if the name has more than 200 bytes of UTF-8
     */
    public ClientEndpoint(
            Supplier<List<SocketAddress>> addresses,
            String world,
            Access access,
            SnapshotReceiver receiver,
            NanoClock clock,
            RandomGenerator random,
            BiConsumer<ByteBuffer, SocketAddress> sink) {
        super(world, access, sink);
        this.addresses = addresses;
        this.receiver = receiver;
        server = addresses.get().get(0);
        outbox = new InputOutbox(clock);
        random.nextBytes(nonce);
        session = Arrays.copyOf(nonce, Protocol.SESSION_BYTES);
    }

    /**
     * {@return the ring where input is offered, which refuses events while its 256 places are taken} That happens after a burst, until the
     * next {@link #run}, or while at least 513 events wait for the server. While 128 or more wait, a move of a pointer or an axis replaces
     * the one before it that was not sent yet. Any thread.
     */
    public InputRing inputs() {
        return outbox.ring;
    }

    /**
     * {@return this client's {@link dev.escapement.state.input.InputEvent#sender} at the server, which the server gave; 0 before the first
     * connection, or if the world takes no input} The number is known before the server takes an event. It stays when the connection is
     * lost or this client's address changes; a client that the server has dropped, after 5 s of silence, gets another number. Any thread
     * may ask.
     */
    public int sender() {
        return sender;
    }

    /** {@return whether the server answers; false before the first answer, and after 2 s of silence} Any thread may ask. */
    public boolean isConnected() {
        return connected;
    }

    /**
     * {@return how often a server began with this client from nothing: 1 after the first connection, and one more each time that the server
     * was started again or had dropped this client} {@link #isConnected} may show that for a few milliseconds only. This client has then
     * offered held keys, buttons and axes again by itself. Any thread may ask.
     */
    public int sessions() {
        return sessions;
    }

    /** {@return why the server does not accept this client; empty if it has not refused since the last connection} Any thread may ask. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    @Override
    @Nullable
    Traffic read(ByteBuffer packet, SocketAddress from, long nowNanos) {
        byte type = packet.get(packet.position());
        if (type == Protocol.CHALLENGE || type == Protocol.REFUSED) {
            return readAnswer(packet, from, nowNanos);
        }
        if (type == Protocol.UNKNOWN) {
            return readUnknown(packet, from, nowNanos);
        }
        if (seal == null || (access.key == null && !from.equals(server))) {
            return Traffic.STRANGE; // without a key, only the server's address shows whose packet it is
        }
        Traffic wrong = seal.open(packet);
        return wrong != null ? wrong : readOpened(type, packet, nowNanos);
    }

    /** Treats a server that does not know the session as a silent one. */
    private @Nullable Traffic readUnknown(ByteBuffer packet, SocketAddress from, long nowNanos) {
        packet.get();
        if (packet.remaining() != Integer.BYTES) {
            return Traffic.MALFORMED;
        }
        boolean isDoubted = connected && nowNanos - heardNanos >= DOUBT_NANOS;
        boolean isOthers = access.key == null && !from.equals(server);
        if (isOthers || packet.getInt() != Protocol.id(session) || !isDoubted) {
            return Traffic.STRANGE;
        }
        heardNanos = nowNanos - SILENCE_NANOS;
        return null;
    }

    private @Nullable Traffic readAnswer(ByteBuffer packet, SocketAddress from, long nowNanos) {
        byte type = packet.get();
        int bytes = packet.remaining() - Protocol.NONCE_BYTES;
        boolean isTagged = bytes == Protocol.COOKIE_BYTES + Protocol.TAG_BYTES;
        if (type == Protocol.REFUSED ? bytes != 1 : bytes != Protocol.COOKIE_BYTES && !isTagged) {
            return Traffic.MALFORMED;
        }
        byte[] answer = new byte[packet.remaining()];
        packet.get(answer);
        if (connected || !Arrays.equals(answer, 0, nonce.length, nonce, 0, nonce.length)) {
            return Traffic.STRANGE;
        }
        boolean isCalled =
                from.equals(server) || (isSearching(nowNanos) && addresses.get().contains(from));
        byte[] tag = Arrays.copyOfRange(answer, Math.max(0, answer.length - Protocol.TAG_BYTES), answer.length);
        if (!isCalled && (type == Protocol.REFUSED || !MessageDigest.isEqual(tag, access.tag(answer)))) {
            stranger = from; // anyone who has seen the HELLO could send such an answer
            return Traffic.STRANGE;
        }
        if (type == Protocol.REFUSED) {
            int why = answer[nonce.length] & 0xFF;
            refusal = why < REFUSALS.length ? REFUSALS[why] : Refusal.VERSION;
            receiver.unanswered(null);
            return null;
        }
        server = isCalled ? from : server;
        byte[] given = Arrays.copyOfRange(answer, nonce.length, nonce.length + Protocol.COOKIE_BYTES);
        if (seal == null
                || !ByteBuffer.wrap(session, nonce.length, given.length).equals(ByteBuffer.wrap(given))) {
            long sent = seal == null ? 0 : seal.sent();
            session = ByteBuffer.allocate(Protocol.SESSION_BYTES)
                    .put(nonce)
                    .put(given)
                    .putLong(sent)
                    .array();
            receiver.beginSession();
            isConfirmed = false;
            seal = PacketSeal.ofClient(access.key, session, sent);
            heardNanos = nowNanos;
            call(nowNanos);
        } // an equal cookie means the same session, which keeps its seal
        return null;
    }

    private @Nullable Traffic readOpened(byte type, ByteBuffer packet, long nowNanos) {
        if (type == Protocol.PATH_CHALLENGE) {
            packet.get();
            if (packet.remaining() != Protocol.COOKIE_BYTES) {
                return Traffic.MALFORMED;
            }
            if (access.key == null) { // servers without a key send no PATH_CHALLENGE, and anyone can write one
                return Traffic.STRANGE;
            }
            out.clear().put(Protocol.PATH_RESPONSE).putInt(Protocol.id(session)).put(packet);
            send(seal, server);
            receiver.forgetDelays();
        } else if (type >= Protocol.HELLO && type <= Protocol.SERVER_BYE) {
            packet.get();
            if (packet.remaining() != Protocol.TAKEN_BYTES) {
                return Traffic.MALFORMED;
            }
            if (packet.getInt() != Protocol.id(session) || !(type == Protocol.TAKEN || type == Protocol.SERVER_BYE)) {
                return Traffic.STRANGE;
            }
            took(packet.getLong(), packet.getInt(), packet.getInt());
            connected = type == Protocol.TAKEN;
            refusal = null;
            beginWait(nowNanos);
        } else if (!receiver.packet(packet, nowNanos)) {
            return Traffic.MALFORMED;
        } else {
            heardSinceFeedback = true;
        }
        heardNanos = nowNanos;
        return null;
    }

    /**
     * Notes which events the server has taken, and as which sender. A server that was started again, or had dropped this client, gives
     * another join. Within a session joins increase, so a lower one is of a late packet.
     */
    private void took(long last, int asSender, int inJoin) {
        int before = sessions; // only this thread writes
        boolean begins = before == 0 || (isConfirmed ? inJoin - join > 0 : inJoin != join);
        if (begins) {
            outbox.offerHeldAgain();
            sessions = before + 1;
        }
        outbox.acknowledge(last);
        if (begins || inJoin == join) {
            sender = asSender; // written before connected, so a thread that reads true there reads this number
            join = inJoin;
        }
        isConfirmed = true;
    }

    @Override
    public long run(long nowNanos) {
        outbox.collect(nowNanos);
        if (!called) {
            heardNanos = nowNanos - SILENCE_NANOS;
            beginWait(nowNanos);
        } else if (connected && isSearching(nowNanos)) {
            connected = false;
            beginWait(nowNanos);
        }
        if (!connected) {
            if (!called || nowNanos - calledNanos >= CALL_NANOS) {
                search(nowNanos);
                call(nowNanos);
            }
        } else if (nowNanos - feedbackNanos >= feedbackPeriodNanos()) {
            sendFeedback(nowNanos);
        }
        // Polls, because any thread may offer input at any time, and nothing wakes this thread for it.
        long restNanos = feedbackNanos + feedbackPeriodNanos() - nowNanos;
        return earlier(
                receiver.run(nowNanos),
                nowNanos + (restNanos > 0 ? Math.min(restNanos, FEEDBACK_NANOS) : FEEDBACK_NANOS));
    }

    private boolean isSearching(long nowNanos) {
        return nowNanos - heardNanos >= SILENCE_NANOS;
    }

    private void beginWait(long nowNanos) {
        waitNanos = nowNanos;
        turnNanos = nowNanos;
        stranger = null;
        receiver.unanswered(null);
    }

    /** Switches to the next address if the current one is silent, and reports a silence of 2 s. */
    private void search(long nowNanos) {
        List<SocketAddress> known = addresses.get();
        if (isSearching(nowNanos) && nowNanos - turnNanos >= TURN_NANOS) {
            turnNanos = nowNanos;
            server = known.get((known.indexOf(server) + 1) % known.size());
        }
        boolean isSilent = refusal == null && nowNanos - waitNanos >= SILENCE_NANOS;
        String why = "no server answers from " + known
                + (stranger == null
                        ? "; start it there, and let UDP pass"
                        : ", but " + stranger + " answers" + (access.key == null ? "" : " without its key")
                                + "; connect to that address, or use the same key on both sides");
        receiver.unanswered(isSilent ? why : null);
    }

    private long feedbackPeriodNanos() {
        return heardSinceFeedback || !outbox.isEmpty()
                ? FEEDBACK_NANOS
                : receiver.isReady() ? SILENT_FEEDBACK_NANOS : IDLE_FEEDBACK_NANOS;
    }

    private void call(long nowNanos) {
        called = true;
        calledNanos = nowNanos;
        feedbackNanos = nowNanos; // a valid instant, because the first value, 0, may be in this clock's future
        out.clear()
                .put(Protocol.HELLO)
                .put((byte) Protocol.VERSION)
                .put(session)
                .put(name);
        out.put(new byte[Protocol.HELLO_BYTES - out.position()]);
        send(seal, server);
    }

    private void sendFeedback(long nowNanos) {
        feedbackNanos = nowNanos;
        heardSinceFeedback = false;
        out.clear().limit(SenderSession.MAX_PACKET_BYTES);
        out.put(Protocol.FEEDBACK).putInt(Protocol.id(session));
        int length = out.position();
        out.put((byte) 0);
        receiver.writeFeedback(out);
        out.put(length, (byte) (out.position() - length - 1));
        out.putLong(nowNanos);
        outbox.write(out);
        send(seal, server);
    }

    /** Sends BYE to the server. */
    @Override
    public void close(long nowNanos) {
        if (connected) {
            connected = false;
            out.clear().put(Protocol.CLIENT_BYE).putInt(Protocol.id(session));
            send(seal, server);
        }
    }
}
