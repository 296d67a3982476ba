package dev.escapement.cluster.aeron;

import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other nodes which world this one has, over UDP, from before it joins them until it ends; and asks them, until
 * {@link WorldVotes} has decided.
 *
 * <pre>
 *   magic, 3 bytes | version, byte | 0 asks, 1 answers, byte | own node, byte | number of the question, long | world, 2 longs, 0 for none
 * </pre>
 *
 * <p>The number of a question is random, by process and node: an answer with another one is late, replayed or forged.
 *
 * <p>A thread of its own; any thread may wait for the result or close it.
 */
final class WorldExchange implements AutoCloseable {

    private static final int MAGIC = 0x457363; // three bytes
    private static final int VERSION = 1;
    private static final byte ASKS = 0;
    private static final byte ANSWERS = 1;
    static final int BYTES = Integer.BYTES + 2 + 3 * Long.BYTES;
    private static final int ASK_MILLIS = 50;
    private static final UUID NONE = new UUID(0, 0);

    /** No more different messages than these are logged, whatever is sent. */
    private static final int MAX_SAID = 32;

    private final ClusterNode node;
    private final WorldIdentity world;
    private final NanoClock clock;
    private final Consumer<String> log;
    private final WorldVotes votes;
    private final DatagramSocket socket;
    private final long[] questions;
    private long nextAskNanos;
    private final Set<String> said = new HashSet<>();
    private final byte[] bytes = new byte[BYTES + 1]; // one more, to notice what is longer
    private final CountDownLatch decided = new CountDownLatch(1);
    private @Nullable IllegalStateException refusal; // written before it is decided

    /** Begins to answer and to ask. */
    WorldExchange(ClusterNode node, WorldIdentity world, NanoClock clock, Consumer<String> log) throws IOException {
        this.node = node;
        this.world = world;
        this.clock = clock;
        this.log = log;
        nextAskNanos = clock.nanoTime();
        votes = new WorldVotes(node.number(), node.hosts().size(), nextAskNanos);
        questions = new SecureRandom().longs(node.hosts().size()).toArray();
        socket = new DatagramSocket(node.worldAddress(node.number()));
        Thread thread = new Thread(this::run, "escapement-cluster-world");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until this node may join the others. Returns whether it may; throws if it has another world than most of them. */
    boolean mayJoin(long waitNanos) {
        boolean isDecided = ThreadEnd.await(decided, waitNanos);
        if (isDecided && refusal != null) {
            throw refusal;
        }
        return isDecided;
    }

    private void run() {
        try {
            while (!socket.isClosed()) {
                turn();
            }
        } catch (Throwable e) { // an Error: otherwise the node would wait for ever, and not say why
            String why =
                    "node " + node.number() + " can no longer compare its world with others: " + FailureReport.why(e);
            if (decided.getCount() > 0) {
                refusal = new IllegalStateException(why, e);
                decided.countDown();
            }
            say(why);
        }
    }

    private void turn() {
        try {
            boolean asks = decided.getCount() > 0;
            if (asks) {
                tryToDecide();
                askIfTime();
            }
            socket.setSoTimeout(asks ? ASK_MILLIS : 0);
            DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
            socket.receive(packet);
            read(ByteBuffer.wrap(bytes, 0, packet.getLength()), packet.getSocketAddress());
        } catch (SocketTimeoutException noneCame) {
            // it is time to ask again
        } catch (IOException | RuntimeException e) {
            say("cannot compare its world with that of others: " + FailureReport.why(e));
        }
    }

    private void tryToDecide() {
        try {
            decide();
        } catch (RuntimeException e) { // the folder cannot be written, for example: the others still get answers
            say("cannot compare its world with that of others: " + FailureReport.why(e));
        }
    }

    /** By the clock, not after a silence: so messages that come often do not keep it from asking. */
    private void askIfTime() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - nextAskNanos < 0) {
            return;
        }
        nextAskNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS);
        for (int other = 0; other < questions.length; other++) {
            if (other != node.number()) {
                send(ASKS, questions[other], node.worldAddress(other));
            }
        }
    }

    private void decide() {
        WorldVotes.Verdict verdict = votes.verdict(world.known(), clock.nanoTime());
        UUID named = verdict.world();
        switch (verdict.step()) {
            case REFUSED ->
                refusal = new IllegalStateException("most nodes have world " + named + ", but " + node.folder()
                        + " has another one, so node " + node.number() + " ends and changes nothing; start it with its"
                        + " own folder, or an empty one: " + votes);
            case WAIT -> {
                if (votes.hasWaited(clock.nanoTime())) {
                    say("waits, because no majority has the same world: " + votes);
                }
            }
            case JOIN -> {}
        }
        if (verdict.step() != WorldVotes.Step.REFUSED && named != null) {
            world.note(named); // before it is told to anyone, so that this node never names two
        }
        if (verdict.step() != WorldVotes.Step.WAIT) {
            decided.countDown();
        }
    }

    private void send(byte kind, long question, SocketAddress to) {
        UUID known = world.known();
        UUID named = known == null ? NONE : known;
        ByteBuffer message =
                ByteBuffer.allocate(BYTES).putInt(MAGIC << Byte.SIZE | VERSION).put(kind);
        message.put((byte) node.number()).putLong(question);
        message.putLong(named.getMostSignificantBits()).putLong(named.getLeastSignificantBits());
        try {
            socket.send(new DatagramPacket(message.array(), BYTES, to));
        } catch (IOException | IllegalArgumentException e) { // the latter for a host without an address
            say("cannot tell its world to " + to + ": " + FailureReport.why(e));
        }
    }

    private void read(ByteBuffer from, SocketAddress sender) {
        String ignored = "ignores a message of " + sender + " about its world: ";
        int begins = from.limit() < Integer.BYTES ? 0 : from.getInt();
        int version = begins & 0xFF;
        boolean isOurs = begins >>> Byte.SIZE == MAGIC;
        if (!isOurs || (version == VERSION && from.limit() != BYTES)) {
            say(ignored + "it is none of a node; has another program the ports of this cluster?");
            return;
        }
        if (version != VERSION) {
            say(ignored + "it is of version " + version + ", but this is version " + VERSION
                    + "; give all nodes the same version of Escapement");
            return;
        }
        byte kind = from.get();
        int by = from.get();
        long question = from.getLong();
        UUID named = new UUID(from.getLong(), from.getLong());
        UUID own = world.known();
        if (by < 0 || by >= questions.length || by == node.number()) {
            say(ignored + "it is of a node " + by + ", but this is node " + node.number() + " of " + questions.length
                    + "; give each node its own number");
        } else if (kind == ASKS) {
            if (own != null && !named.equals(NONE) && !named.equals(own)) {
                say("has world " + own + ", but node " + by + " has " + named);
            }
            send(ANSWERS, question, sender);
        } else if (kind != ANSWERS || question != questions[by]) {
            say(ignored + "it answers no question of this process, because it is late, replayed or forged");
        } else {
            votes.answered(by, named.equals(NONE) ? null : named, clock.nanoTime());
        }
    }

    private void say(String what) {
        if (!socket.isClosed() && said.size() < MAX_SAID && said.add(what)) {
            log.accept(what);
        }
    }

    @Override
    public void close() {
        socket.close(); // which ends the thread
    }
}
