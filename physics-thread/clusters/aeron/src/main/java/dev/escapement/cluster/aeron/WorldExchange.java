package dev.escapement.cluster.aeron;

import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other nodes which world this one has, over UDP, from before it joins them until it ends; and asks them, until
 * {@link WorldVotes} has decided.
 *
 * <pre>
 *   magic, 3 bytes | version, byte | 0 asks, 1 answers, byte | own node, byte | 1 has a log + 2 has a leader, byte
 *   | number of the question, long | world, 2 longs, 0 for none
 * </pre>
 *
 * <p>The number of a question is its instant and a random number of this process and the node that is asked. So an answer to another
 * process is not taken, and each counts from when it was asked for: one that a node gave before it lost its log expires.
 *
 * <p>A thread of its own; any thread may wait for the result or close it.
 */
final class WorldExchange implements AutoCloseable {

    private static final int MAGIC = 0x457363; // three bytes
    private static final int VERSION = 1;
    private static final byte ASKS = 0;
    private static final byte ANSWERS = 1;
    private static final int LOG = 1;
    private static final int LEADER = 2;
    static final int BYTES = Integer.BYTES + 3 + 3 * Long.BYTES;
    private static final int ASK_MILLIS = 50;
    private static final UUID NONE = new UUID(0, 0);

    /** No more different messages than these are logged, whatever is sent; but always for whom a node waits. */
    private static final int MAX_SAID = 32;

    private final ClusterNode node;
    private final WorldIdentity world;
    private final BooleanSupplier knowsLeader;
    private final NanoClock clock;
    private final Consumer<String> log;
    private final WorldVotes votes;
    private final DatagramSocket socket;
    private final long[] questions;
    private long nextAskNanos;
    private final Set<String> said = new HashSet<>();
    private String saidWaits = "";
    private final byte[] bytes = new byte[BYTES + 1]; // one more, to notice what is longer
    private final CountDownLatch decided = new CountDownLatch(1);
    private @Nullable IllegalStateException refusal; // written before it is decided

    // Volatile: the thread that starts the node sees it soon; nothing else is ordered by it.
    private volatile boolean hearsLeader;

    /** Begins to answer and to ask. */
    WorldExchange(
            ClusterNode node, WorldIdentity world, BooleanSupplier knowsLeader, NanoClock clock, Consumer<String> log)
            throws IOException {
        this.node = node;
        this.world = world;
        this.knowsLeader = knowsLeader;
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

    /** Whether another node has said that there is a leader, when this was last compared. Any thread. */
    boolean hearsLeader() {
        return hearsLeader;
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
            read(ByteBuffer.wrap(bytes, 0, packet.getLength()), (InetSocketAddress) packet.getSocketAddress());
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
                send(ASKS, questions[other] + nowNanos, node.worldAddress(other));
            }
        }
    }

    private void decide() {
        WorldVotes.Verdict verdict = votes.verdict(member(), clock.nanoTime());
        hearsLeader = votes.hasLeader();
        UUID named = verdict.world();
        switch (verdict.step()) {
            case REFUSED ->
                refusal = new IllegalStateException("most nodes have world " + named + ", but " + node.folder()
                        + (world.known() == null
                                ? " has a log and no file that names its world (if it is the same, copy that file there)"
                                : " has another one")
                        + ", so node " + node.number() + " ends and changes nothing; start it with its own folder, or"
                        + " an empty one: " + votes);
            case WAIT -> {
                if (votes.hasWaited(clock.nanoTime())) {
                    sayWaits(named);
                }
            }
            case JOIN -> {
                if (named != null) {
                    world.note(named); // before it is told to anyone, so that this node never names two
                }
            }
        }
        if (verdict.step() != WorldVotes.Step.WAIT) {
            decided.countDown();
        }
    }

    private void sayWaits(@Nullable UUID named) {
        String waits = named != null
                ? "waits, because the others have no leader yet: " + votes
                : "waits, because no majority has a log of the same world: " + votes + "; start the others, or if the"
                        + " logs of a majority are lost, copy the folder with the newest one to them, or empty all to"
                        + " begin another world";
        if (!waits.equals(saidWaits) && !socket.isClosed()) {
            saidWaits = waits;
            log.accept(waits);
        }
    }

    private WorldVotes.Member member() {
        boolean hasLog = world.hasLog(); // first: a log that was begun has a name
        return new WorldVotes.Member(world.known(), hasLog, knowsLeader.getAsBoolean());
    }

    private void send(byte kind, long question, InetSocketAddress to) {
        WorldVotes.Member own = member();
        UUID named = own.world() == null ? NONE : own.world();
        ByteBuffer message =
                ByteBuffer.allocate(BYTES).putInt(MAGIC << Byte.SIZE | VERSION).put(kind);
        message.put((byte) node.number()).put((byte) ((own.hasLog() ? LOG : 0) | (own.hasLeader() ? LEADER : 0)));
        message.putLong(question);
        message.putLong(named.getMostSignificantBits()).putLong(named.getLeastSignificantBits());
        try {
            socket.send(new DatagramPacket(message.array(), BYTES, to));
        } catch (IOException | IllegalArgumentException e) { // the latter for a host without an address
            say("cannot tell its world to " + to.getHostString() + ": " + FailureReport.why(e));
        }
    }

    private void read(ByteBuffer from, InetSocketAddress sender) {
        String ignored = "ignores a message of " + sender.getAddress().getHostAddress() + " about its world: ";
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
        int has = from.get();
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
        } else if (kind == ANSWERS && isRecent(question - questions[by])) {
            UUID of = named.equals(NONE) ? null : named;
            WorldVotes.Member member = new WorldVotes.Member(of, (has & LOG) != 0, (has & LEADER) != 0);
            votes.answered(by, member, question - questions[by]);
        } else {
            say(ignored + "it answers no question of this process, because it is late, replayed or forged");
        }
    }

    private boolean isRecent(long askedNanos) {
        long agoNanos = clock.nanoTime() - askedNanos;
        return agoNanos >= 0 && agoNanos <= WorldVotes.ANSWER_NANOS;
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
