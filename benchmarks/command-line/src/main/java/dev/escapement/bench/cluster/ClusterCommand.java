package dev.escapement.bench.cluster;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.measure.Figure;
import dev.escapement.bench.process.ChildProcess;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.Metrics;
import dev.escapement.bench.run.World;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.Failover;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import dev.escapement.transport.aeron.AeronDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement cluster}: a world on several nodes, whose leader may be killed. */
@Command(
        name = "cluster",
        description = {
            "Runs one world on several nodes, each in its own process, and compares their states after every tick.",
            "Each node offers 100 inputs a second. All nodes run here, on loopback; by default for half a minute."
        })
public final class ClusterCommand extends ConsoleCommand {

    private static final int MAX_SECONDS = 86_400;
    private static final int START_SECONDS = 20;
    private static final int SPARE_SECONDS = 120;
    private static final long DOWN_MILLIS = 2000;
    private static final long LOOK_MILLIS = 200;
    private static final int HERTZ = 100;

    @Option(names = "--nodes", defaultValue = "3", description = "How many nodes: 1, 3 or 5.")
    private int nodes;

    @Option(names = "--seconds", defaultValue = "30", description = "Length of the run.")
    private int seconds;

    @Option(names = "--engine", defaultValue = "spring", description = "Engine: ${COMPLETION-CANDIDATES}.")
    private Engine engine;

    @Option(names = "--bodies", defaultValue = "200", description = "How many bodies.")
    private int bodies;

    @Option(
            names = "--kill-leader-every",
            description = "Kill the leader at this interval, such as 10s, and restart it 2 s later.")
    private @Nullable String killEvery;

    @Option(names = "--one-rack", description = "Elect another leader sooner, as is safe in one rack.")
    private boolean oneRack;

    @Option(names = "--folder", description = "Folder of the nodes' logs, from which they resume.")
    private @Nullable Path folder;

    @Option(
            names = "--hosts",
            split = ",",
            description = "Run one node, on this machine, of those on these machines, such as a,b,c.")
    private @Nullable List<String> hosts;

    @Option(names = "--lead-millis", defaultValue = "7", description = "How long before a tick its input is cut off.")
    private int leadMillis;

    @Option(names = "--json", description = "Write the metrics to this file.")
    private @Nullable Path json;

    @Option(names = "--node", defaultValue = "-1", description = "With --hosts: which of them this is, from 0 on.")
    private int node; // -1 without the option: this process then starts the node processes

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--seconds", seconds, 1, MAX_SECONDS);
        check("--bodies", bodies, 1, 100_000);
        RunDescription run = World.describe(engine, bodies, TickRate.hertz(HERTZ));
        if (hosts != null && node < 0) {
            throw new IllegalArgumentException(
                    "--hosts needs --node, which of " + hosts + " this machine is, from 0 on");
        }
        long killMillis = killMillis();
        Path logs = folder == null ? Files.createTempDirectory("escapement-cluster") : folder;
        WholeFile.checkWritable("--folder", logs.resolve("a node's folder"));
        try {
            // Created even for a process that runs no node, because the constructor throws if the numbers of nodes and
            // hosts do not fit.
            ClusterNode own = new ClusterNode(
                    Math.max(0, node),
                    hosts == null ? Collections.nCopies(nodes, "localhost") : hosts,
                    ClusterNode.FIRST_PORT,
                    logs.resolve("node" + node),
                    run,
                    TimeUnit.MILLISECONDS.toNanos(leadMillis),
                    oneRack ? Failover.ONE_RACK : Failover.DEFAULT);
            return node >= 0 ? runNode(own, hosts != null) : report(run(logs, killMillis));
        } finally {
            if (folder == null) {
                IoUtil.delete(logs.toFile(), true);
            }
        }
    }

    /**
     * Runs a node. A failure of a node that a person started ({@code alone}) fails the command. A node that another process started reports
     * its failure to that process.
     */
    private int runNode(ClusterNode own, boolean alone) throws IOException, InterruptedException {
        CountedInputs simulation = new CountedInputs(engine.simulation(bodies));
        try {
            new NodeProcess(own, simulation, this::say).run(seconds + (alone ? 0 : SPARE_SECONDS), alone);
            return 0;
        } catch (IllegalStateException | IllegalArgumentException | UncheckedIOException e) {
            if (alone) {
                throw e instanceof IllegalStateException ? ClusterRun.ended(String.valueOf(e.getMessage())) : e;
            }
            say("failed " + e.getMessage());
            return 1;
        }
    }

    private long killMillis() {
        if (killEvery == null) {
            return 0;
        }
        if (!killEvery.matches("\\d{1,5}s?")) {
            throw new IllegalArgumentException(
                    "--kill-leader-every must be a number of seconds such as 10s, but is '" + killEvery + "'");
        }
        int every = Integer.parseInt(killEvery.replace("s", ""));
        check("--kill-leader-every", every, 5, MAX_SECONDS);
        return TimeUnit.SECONDS.toMillis(every);
    }

    /** The command line that starts the process of one node: this command's options, plus the number of the node. */
    private List<String> process(int number, Path logs) {
        // C1 only: the C2 compilers of all nodes would share the same cores, and most of the measured load would be
        // theirs.
        List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
        flags.addAll(List.of(AeronDriver.ADD_OPENS.split(" ")));
        List<String> arguments =
                new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
        arguments.add("--node=" + number);
        if (folder == null) {
            arguments.add("--folder=" + logs);
        }
        return ChildProcess.withoutCtrlC(
                ChildProcess.java(flags, spec.root().userObject().getClass(), arguments));
    }

    private ClusterRun.Result run(Path logs, long killMillis) throws IOException, InterruptedException {
        EndRequest.accept();
        int kills = 0;
        try (ProgressBar progress = ProgressLine.of("cluster", seconds, " s");
                ClusterRun run = new ClusterRun(nodes, number -> process(number, logs), this::say)) {
            progress.setExtraMessage("starting " + nodes + " nodes");
            awaitTickAfter(0, run);
            long beganNanos = System.nanoTime();
            long killNanos = nanosIn(killMillis);
            for (long second = 0; second < seconds && !EndRequest.isMade(); ) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
                long tick = run.ticks();
                progress.stepTo(second).setExtraMessage(String.format(Locale.ROOT, "tick %,d, %d kills", tick, kills));
                int leader = run.leader();
                if (killMillis > 0 && leader >= 0 && System.nanoTime() - killNanos >= 0) {
                    say("Node " + leader + " leads, and is killed at tick " + tick + ".");
                    run.kill(leader);
                    TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
                    run.restart(leader);
                    kills++;
                    killNanos = nanosIn(killMillis);
                }
            }
            // Nodes that were just killed need this time to apply the acknowledged inputs of their logs again. The last
            // output of a killed process may also arrive late.
            awaitTickAfter(run.ticks() + HERTZ / 10, run);
            return run.end();
        }
    }

    private static long nanosIn(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static void awaitTickAfter(long known, ClusterRun run) throws InterruptedException {
        long patienceNanos = nanosIn(1000L * START_SECONDS);
        while (run.ticks() <= known) {
            if (System.nanoTime() - patienceNanos > 0) {
                throw ClusterRun.ended("no further tick ran within " + START_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private int report(ClusterRun.Result result) {
        Metrics metrics = new Metrics(
                "Nothing was lost.",
                List.of(
                        new Figure("nodes that agree", String.valueOf(nodes)),
                        new Figure("ticks", String.format(Locale.ROOT, "%,d", result.ticks())),
                        new Figure("leaders killed", String.valueOf(result.leaderKills())),
                        Figure.millis(
                                "longest gap after that",
                                1e3 * result.gapMillis().max())),
                engine + ", " + bodies + " bodies at " + HERTZ + " Hz",
                "nothing lost, nothing doubled, equal states on all nodes",
                List.of(String.format(
                        Locale.ROOT,
                        "Cluster: ticks began %.1f ms late at the 99th percentile, in %.0f s.",
                        result.latenessMicros().p99() / 1e3,
                        result.seconds())),
                true,
                result.faults(),
                result);
        say(metrics.text());
        if (json != null) {
            metrics.write(json);
        }
        return result.faults().isEmpty() ? 0 : 1;
    }
}
