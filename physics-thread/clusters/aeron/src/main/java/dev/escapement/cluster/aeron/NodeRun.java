package dev.escapement.cluster.aeron;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.HighResolutionClock;

/**
 * What a node has besides its physics: Aeron, the log, and a client that sends what is offered here, with the thread that keeps that going.
 *
 * <p>Any thread may call any method.
 */
final class NodeRun implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ClusterNode node;
    private final CommittedTicks ticks;
    private final PendingAnswers answers;
    private final PhysicsService service;
    final CommittedLog log;
    private final AeronNode aeron;
    final ClusterClient client;
    private final Thread thread;

    /** What it was told, by the thread. */
    private final ClusterListener listener;

    private boolean toldLeads;
    private boolean toldQuorum;
    private boolean toldBehind;

    // Volatile: the thread sees it within one of its waits; nothing else is ordered by it.
    private volatile boolean closing;

    /** Starts Aeron, or nothing. The rest waits for {@link #start}. */
    NodeRun(
            ClusterNode node,
            ClusterOptions options,
            long number,
            CommittedTicks ticks,
            PendingAnswers answers,
            PhysicsService service,
            long saveEveryNanos,
            long keptLogBytes) {
        this.node = node;
        this.ticks = ticks;
        this.answers = answers;
        this.service = service;
        listener = options.listener();
        NanoClock clock = NanoClock.system();
        ClusterTime clusterTime = new ClusterTime(clock, HighResolutionClock.epochNanos());
        client = new ClusterClient(number, clock, AeronLink.connector(this::clientContext));
        log = new CommittedLog(ticks, node, number, this::tell, clusterTime, clock, saveEveryNanos);
        client.offer(batch -> batch.run(log.sharedByAll())); // first of all
        thread = new Thread(this::run, "escapement-cluster-client");
        thread.setDaemon(true);
        if (!ticks.savesStates()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Cluster, node " + node.number() + ": the simulation is not Restorable in another process, so no"
                            + " state is saved; a node that is started again runs all ticks since the first");
        }
        aeron = new AeronNode(node, options.requiresWorld(), keptLogBytes, clusterTime, log, this::note);
    }

    private AeronCluster.Context clientContext(EgressListener answers) {
        return aeron.clientContext(answers);
    }

    private void tell(TickHashes hashes) {
        client.offer(batch -> batch.hashes(node.number(), hashes));
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closing && !service.hasEnded() && !aeron.hasEnded()) {
                tryTo(client::work);
                answers.expire();
                tellListener(isLeader(), hasQuorum());
                tryTo(aeron::purgeOld);
                aeron.progress()
                        .stuck(ticks.hashes().lastRun() + log.stateRead())
                        .ifPresent(ticks::fail);
                LockSupport.parkNanos(PARK_NANOS);
            }
        } finally {
            leave();
        }
    }

    private void tryTo(Runnable step) {
        try {
            step.run();
        } catch (Exception e) { // Agrona throws checked ones, too
            note(e);
        }
    }

    /** Of what has changed since it was told last. */
    private void tellListener(boolean leads, boolean hasQuorum) {
        boolean isBehind = log.localDue.isBehind();
        if (toldQuorum != hasQuorum) {
            toldQuorum = hasQuorum;
            tryTo(() -> listener.quorumChanged(hasQuorum));
        }
        if (toldLeads != leads) {
            toldLeads = leads;
            tryTo(() -> listener.leadershipChanged(leads));
        }
        if (toldBehind != isBehind) {
            toldBehind = isBehind;
            tryTo(() -> listener.lagChanged(isBehind, log.localDue.lagNanos()));
        }
    }

    /** A node that has failed, in any way, leads no others, and runs no ticks of which they do not know. */
    private void leave() {
        boolean hasFailed = !closing;
        ticks.end();
        CloseHelper.quietCloseAll(client, aeron); // first: then it is known why
        if (hasFailed) {
            ticks.fail(aeron.progress().whyEnded());
        }
        answers.end(service.failure().orElse(null));
        tellListener(false, false);
    }

    private void note(Throwable error) {
        if (!closing) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Cluster, node " + node.number() + ": " + AeronDriver.firstLine(error));
        }
    }

    boolean isLeader() {
        return ticks.isLeader() && aeron.leads() && log.goesOn() && !answers.hasEnded();
    }

    boolean hasQuorum() {
        return aeron.knowsLeader() && log.goesOn() && !answers.hasEnded();
    }

    /** Waits {@value #CLOSE_NANOS} ns at most. */
    @Override
    public void close() {
        closing = true;
        ticks.end();
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            CloseHelper.quietClose(aeron);
        } else {
            ThreadEnd.await(thread, CLOSE_NANOS); // which closes it
        }
    }
}
