package dev.escapement.cluster.aeron;

import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Exchanges the identities of worlds between nodes, over TCP. A node answers from before it joins until it ends, and asks until {@link
 * WorldVotes} has decided. A node that accepts a connection writes its answer, reads nothing, and closes the connection:
 *
 * <pre>
 *   magic, 3 bytes | version, byte | own number, byte | 1 has a log + 2 has a leader, byte | world, 2 longs, 0 for none
 * </pre>
 *
 * <p>The age of an answer counts from the beginning of its connection. So an answer that a network or a suspended process held back is too
 * old, and no earlier process of a node can give one.
 *
 * <p>One thread answers, and one thread for each other node asks. Any thread may call any method.
 */
final class WorldExchange implements AutoCloseable {

    private static final int MAGIC = 0x457363; // three bytes
    private static final int LOG = 1;
    private static final int LEADER = 2;
    static final int BYTES = Integer.BYTES + 2 + 2 * Long.BYTES;
    private static final int ASK_MILLIS = 50;
    private static final int ANSWER_MILLIS = (int) TimeUnit.NANOSECONDS.toMillis(WorldVotes.ANSWER_NANOS);
    private static final UUID NONE = new UUID(0, 0);

    private final ClusterNode node;
    private final NodeFolder folder;
    private final BooleanSupplier hasJoined;
    private final NanoClock clock;
    private final Consumer<String> log;
    private final ServerSocket server;
    private final Thread answering;

    // Guarded by this.
    private final WorldVotes votes;
    private final Set<String> said = new HashSet<>();

    // Volatile: the asking threads see it soon, and end; nothing else is ordered by it.
    private volatile boolean joins;

    /**
     * Begins to answer and to ask.
     *
     * @throws IOException if the port cannot be bound
     */
    WorldExchange(ClusterNode node, NodeFolder folder, BooleanSupplier hasJoined, NanoClock clock, Consumer<String> log)
            throws IOException {
        this.node = node;
        this.folder = folder;
        this.hasJoined = hasJoined;
        this.clock = clock;
        this.log = log;
        votes = new WorldVotes(node.number(), node.hosts().size(), clock.nanoTime());
        server = node.bindWorld();
        answering = start(this::answer);
        for (int other = 0; other < node.hosts().size(); other++) {
            if (other != node.number()) {
                int asked = other;
                start(() -> ask(asked));
            }
        }
    }

    private Thread start(Runnable turn) {
        Thread thread = new Thread(turn, "escapement-cluster-world");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Decides whether this node joins the others. If it joins, stores their world in its folder; else logs for which nodes it waits.
     *
     * @throws IllegalStateException if this node has another world than a majority
     */
    synchronized boolean tryToJoin() {
        if (joins) {
            return true;
        }
        long nowNanos = clock.nanoTime();
        WorldVotes.Verdict verdict = votes.verdict(member(), nowNanos);
        UUID named = verdict.world();
        switch (verdict.step()) {
            case REFUSED ->
                throw new IllegalStateException("most nodes have world " + named + ", but " + node.folder()
                        + (folder.world() == null
                                ? " has a log and no file that names its world (if it is the same, copy that file there)"
                                : " has another one")
                        + ", so node " + node.number() + " ends and changes nothing; start it with its own folder, or"
                        + " an empty one: " + votes);
            case WAIT -> {
                if (votes.hasWaited(nowNanos)) {
                    say(
                            named != null
                                    ? "waits, because the others have no leader yet: " + votes
                                    : "waits, because no majority has a log of the same world: " + votes
                                            + "; start the others, or if the logs of a majority are lost, copy the"
                                            + " folder with the newest one to them, or empty all to begin another world");
                }
            }
            case JOIN -> {
                if (named != null) {
                    folder.keep(named); // before any node learns of it, so that this node never names two worlds
                }
                joins = true;
            }
        }
        return joins;
    }

    /** Logs a sentence, once. The set stays small, because there are few sentences about each node. */
    private synchronized void say(String what) {
        if (said.add(what)) {
            log.accept(what);
        }
    }

    private WorldVotes.Member member() {
        boolean hasLog = folder.hasLog(); // read first: the folder stores its world before hasLog becomes true
        return new WorldVotes.Member(folder.world(), hasLog, hasJoined.getAsBoolean());
    }

    private void answer() {
        while (!server.isClosed()) {
            try (Socket to = server.accept()) {
                WorldVotes.Member own = member();
                UUID named = own.world() == null ? NONE : own.world();
                ByteBuffer answer = ByteBuffer.allocate(BYTES).putInt(MAGIC << Byte.SIZE | ClusterNode.FORMAT_VERSION);
                answer.put((byte) node.number())
                        .put((byte) ((own.hasLog() ? LOG : 0) | (own.hasLeader() ? LEADER : 0)));
                answer.putLong(named.getMostSignificantBits()).putLong(named.getLeastSignificantBits());
                to.getOutputStream().write(answer.array());
            } catch (IOException gone) { // the asking node is gone, or this process has too many open files
                pause();
            }
        }
    }

    private void ask(int other) {
        while (!joins && !server.isClosed()) {
            long askedNanos = clock.nanoTime();
            try (Socket from = new Socket()) {
                InetSocketAddress address = node.worldAddress(other);
                from.connect(address, ANSWER_MILLIS);
                from.setSoTimeout(ANSWER_MILLIS);
                read(other, address, from.getInputStream().readNBytes(BYTES + 1), askedNanos);
            } catch (UnknownHostException e) {
                say("cannot ask node " + other + " for its world: the host " + e.getMessage() + " is unknown");
            } catch (IOException noAnswer) { // then the node's last answer expires
            }
            pause();
        }
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS));
    }

    private synchronized void read(int other, InetSocketAddress address, byte[] bytes, long askedNanos) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (bytes.length != BYTES
                || from.getInt() != (MAGIC << Byte.SIZE | ClusterNode.FORMAT_VERSION)
                || from.get() != other) {
            say("ignores what " + address + " answers: it is not node " + other
                    + " in this version; has another program"
                    + " that port, another node that number, or the node another version of Escapement?");
            return;
        }
        byte has = from.get();
        UUID named = new UUID(from.getLong(), from.getLong());
        votes.answered(
                other,
                new WorldVotes.Member(named.equals(NONE) ? null : named, (has & LOG) != 0, (has & LEADER) != 0),
                askedNanos);
    }

    @Override
    public void close() throws IOException {
        server.close(); // ends the threads
        // The system keeps the port until the answering thread has left accept().
        ThreadEnd.await(answering, TimeUnit.SECONDS.toNanos(1));
    }
}
