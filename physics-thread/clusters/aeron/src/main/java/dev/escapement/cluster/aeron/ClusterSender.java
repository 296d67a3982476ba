package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandType;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.transport.aeron.AeronDriver;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends inputs to a cluster from a process that is no node, for example that of a player. It receives the world with
 * {@link dev.escapement.transport.aeron.AeronReceiver#startOfReplicas}.
 *
 * <pre>{@code
 * try (AeronDriver driver = AeronDriver.embedded();
 *         ClusterSender sender = ClusterSender.start(driver, hosts, ClusterNode.FIRST_PORT, "player-7")) {
 *     sender.input().offer(System.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
 *     sender.command(Push.TYPE, new Push(3, 5)).join();   // now it is in the log
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Accepted input is applied once, in the order of acceptance, as long as this process lives and the cluster gets a leader again.</li>
 *   <li>Bounded memory: while the cluster acknowledges nothing, input and commands are refused once the queues are full.</li>
 * </ol>
 *
 * <p><b>Threads.</b> Any thread may call any method.
 */
public final class ClusterSender implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ClusterClient client;
    private final Thread thread;

    private final PendingAnswers answers;

    // Volatile: the sender's thread sees it within one of its waits; nothing else is ordered by it.
    private volatile boolean closing;

    ClusterSender(ClusterClient.Link link) {
        answers = new PendingAnswers(
                "the sender to the cluster", false, PendingAnswers.TIMEOUT_NANOS, NanoClock.system());
        client = new ClusterClient(new SecureRandom().nextLong(), answers, NanoClock.system(), link);
        client.join();
        thread = new Thread(this::run, "escapement-cluster-sender");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts a sender, also if the cluster has no leader yet.
     *
     * @param driver    a driver that stays open until this is closed
     * @param hosts     the machines of all nodes, in their order
     * @param firstPort the {@link ClusterNode#firstPort} of the nodes
     * @param ownHost   a name or address of this machine that the nodes can reach
     * @return a sender, to be closed
     */
    public static ClusterSender start(AeronDriver driver, List<String> hosts, int firstPort, String ownHost) {
        return new ClusterSender(
                new AeronLink(driver::newClientContext, hosts, firstPort, ownHost, ClusterSender::note));
    }

    /** {@return the ring that takes input for the next tick of all nodes, and refuses when it is full} */
    public InputRing input() {
        return client.input();
    }

    /**
     * {@return the number of this process in {@link dev.escapement.state.input.InputEvent#sender}, which the cluster gives; 0 until it has}
     * It needs no input for that, and stays the same when another node leads. It changes only after this process was cut off for more than
     * 5 s: then it had left, and may be 0 until it joins again. Of more than 1,024 senders, the last have the
     * number 0, and their input is ignored until others leave.
     */
    public int sender() {
        return client.sender();
    }

    /**
     * Runs a command on all nodes, before the same tick. Its result is not sent back. The future completes in one of three ways:
     *
     * <ol>
     *   <li>normally: a majority of the nodes has stored it, and it runs on each before its next tick
     *   <li>with a {@link java.util.concurrent.RejectedExecutionException}: it is refused for the reason in the message, and never runs
     *   <li>with a {@link java.util.concurrent.TimeoutException}: unknown whether it runs: no answer came within 30 s, or before this
     *       was closed
     * </ol>
     *
     * @param type    the type; without a handler for it in the simulation, the command is refused
     * @param command the data
     * @param <C>     its type
     * @return completed as above
     * @throws IllegalArgumentException if it cannot be written
     */
    public <C> CompletableFuture<Void> command(CommandType<C, ?> type, C command) {
        return client.command(CommandData.of(type, command)).thenApply(stored -> null);
    }

    private void run() {
        long endNanos = 0;
        while (!closing || (!client.hasSentAll() && System.nanoTime() - endNanos < 0)) {
            if (!closing) {
                endNanos = System.nanoTime() + LAST_NANOS;
            }
            try {
                client.work();
            } catch (Exception e) { // Agrona throws checked ones, too
                note(e);
            }
            LockSupport.parkNanos(PARK_NANOS);
        }
        client.close();
        answers.end(null);
    }

    private static void note(Throwable error) {
        LOG.log(System.Logger.Level.WARNING, "Sender to a cluster: " + AeronDriver.firstLine(error));
    }

    /** Waits up to 2 s until the cluster has all accepted input; then commands without an answer fail. Idempotent. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        ThreadEnd.await(thread, CLOSE_NANOS);
    }
}
