package dev.escapement.bench.cluster;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.measure.CountedInputs;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.Figures;
import dev.escapement.cluster.aeron.ClusterNode;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement cluster}: a world on several nodes, whose leader may be killed. */
@Command(
        name = "cluster",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Runs one world on several nodes, each a process of its own, and compares their states after every tick.",
            "Each node offers 100 inputs a second. All nodes run here, on loopback; by default for half a minute."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class ClusterCommand extends ConsoleCommand {

    private static final Pattern SECONDS = Pattern.compile("(\\d{1,5})s?");
    private static final int MOST_SECONDS = 86_400;
    private static final int START_SECONDS = 20;
    private static final int SPARE_SECONDS = 120;
    private static final long DOWN_MILLIS = 2000;
    private static final long LOOK_MILLIS = 200;
    private static final int HERTZ = 100;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3", description = "How many nodes: 1, 3 or 5.")
    private int nodes;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "30", description = "How long time goes on.")
    private int seconds;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "spring",
            description = "What ticks: ${COMPLETION-CANDIDATES}.")
    private Engine engine;

    @Option(names = "--bodies", paramLabel = "N", defaultValue = "200", description = "How many bodies.")
    private int bodies;

    @Option(
            names = "--kill-leader-every",
            paramLabel = "TIME",
            description = "Kill the process that leads so often, for example every 10s, and start it again 2 s later.")
    private @Nullable String killEvery;

    @Option(
            names = "--chaos",
            paramLabel = "SEED",
            description = "Kill and stop any nodes, and kill all at once, in an order that this number decides.")
    private @Nullable Long chaosSeed;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description =
                    "Where the nodes keep their logs, and go on from those; by default in a folder that is deleted.")
    private @Nullable Path folder;

    @Option(
            names = "--node-file",
            paramLabel = "FILE",
            description = "Run one node on this machine, as the properties in this file say, and tell what it does.")
    private @Nullable Path nodeFile;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            description = "Show each node on a live page of its own, from this port on.")
    private @Nullable Integer servePort;

    @Option(
            names = "--viewer",
            description = "Look on from outside, too, over Aeron: how long nothing comes after a kill.")
    private boolean hasViewer;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file.")
    private @Nullable Path json;

    @Option(names = "--node", hidden = true, defaultValue = "-1", description = "Be one of the processes.")
    private int node;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--seconds", seconds, 1, MOST_SECONDS);
        check("--bodies", bodies, 1, 100_000);
        if (servePort != null) {
            check("--serve", servePort, 1024, 65_535 - nodes);
        }
        if (nodeFile != null) {
            if (!Files.isRegularFile(nodeFile)) {
                throw new IllegalArgumentException("the node cannot be read from " + nodeFile
                        + ": there is no such file; name one with --node-file");
            }
            return runNode(ClusterNode.read(nodeFile, description()), true);
        }
        long killMillis = killMillis();
        Path logs = folder == null ? Files.createTempDirectory("escapement-cluster") : folder;
        WholeFile.checkWritable("--folder", logs.resolve("a node's folder"));
        try {
            node(Math.max(0, node), logs); // refuses what no node could be
            if (node >= 0) {
                return runNode(node(node, logs), false);
            }
            return report(run(logs, killMillis));
        } finally {
            if (folder == null) {
                IoUtil.delete(logs.toFile(), true);
            }
        }
    }

    /** Runs one of the processes. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ClusterCommand()).execute(args));
    }

    /** A node alone fails as a command does, a process of several tells the one that started it. */
    private int runNode(ClusterNode own, boolean alone) throws InterruptedException {
        try {
            new NodeProcess(own, CountedInputs.of(engine.simulation(bodies)), this::say, servePort, hasViewer)
                    .run(seconds + (alone ? 0 : SPARE_SECONDS), alone);
            return 0;
        } catch (IllegalStateException | IllegalArgumentException | UncheckedIOException e) {
            if (alone) {
                throw e instanceof IllegalStateException ? ended(String.valueOf(e.getMessage())) : e;
            }
            say("failed " + e.getMessage());
            return 1;
        }
    }

    private long killMillis() {
        if (killEvery == null) {
            return 0;
        }
        Matcher time = SECONDS.matcher(killEvery);
        if (!time.matches()) {
            throw new IllegalArgumentException(
                    "--kill-leader-every must be a number of seconds such as 10s, but is '" + killEvery + "'");
        }
        int every = Integer.parseInt(time.group(1));
        check("--kill-leader-every", every, 5, MOST_SECONDS);
        return TimeUnit.SECONDS.toMillis(every);
    }

    private ClusterNode node(int number, Path logs) {
        return ClusterNode.of(
                number, Collections.nCopies(nodes, "localhost"), logs.resolve("node" + number), description());
    }

    private RunDescription description() {
        return new RunDescription(engine.toString(), engine.version(), bodies + " bodies", 0, TickRate.hertz(HERTZ));
    }

    private List<String> command(int number, Path logs) {
        // Nodes that all optimize at once, on the same cores, would be the load.
        List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
        flags.addAll(List.of(AeronDriver.ADD_OPENS.split(" ")));
        List<String> arguments = new ArrayList<>(List.of(
                "--node=" + number,
                "--nodes=" + nodes,
                "--seconds=" + seconds,
                "--engine=" + engine,
                "--bodies=" + bodies,
                "--folder=" + logs));
        if (servePort != null) {
            arguments.add("--serve=" + servePort);
        }
        if (hasViewer) {
            arguments.add("--viewer");
        }
        return ChildProcess.java(flags, ClusterCommand.class, arguments);
    }

    private ClusterRun.Result run(Path logs, long killMillis) throws IOException, InterruptedException {
        try (ClusterViewer viewer = hasViewer ? new ClusterViewer(nodes) : null;
                ClusterRun run = new ClusterRun(nodes, number -> command(number, logs), viewer, this::say)) {
            awaitTickAfter(0, run);
            long endNanos = nanosIn(1000L * seconds);
            Chaos chaos = new Chaos(run, nodes, chaosSeed == null ? 0 : chaosSeed, this::say);
            long disturbNanos = nanosIn(chaosSeed == null ? killMillis : chaos.quietMillis());
            while (System.nanoTime() - endNanos < 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                requireAll(run);
                int leader = run.leader();
                if (System.nanoTime() - disturbNanos < 0) {
                    continue;
                }
                if (chaosSeed != null) {
                    chaos.next();
                    disturbNanos = nanosIn(chaos.quietMillis());
                } else if (killMillis > 0 && leader >= 0) {
                    chaos.kill("leads", leader, DOWN_MILLIS);
                    disturbNanos = nanosIn(killMillis);
                }
            }
            // By then nodes that were just killed have applied again what they had acknowledged. A dead process may be
            // heard for some ticks.
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
            requireAll(run);
            if (System.nanoTime() - patienceNanos > 0) {
                throw ended("no further tick ran within " + START_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static void requireAll(ClusterRun run) {
        if (run.hasLostANode()) {
            throw ended("a node has ended by itself, see above");
        }
    }

    private static UncheckedIOException ended(String why) {
        return new UncheckedIOException(why, new IOException(why));
    }

    private int report(ClusterRun.Result result) {
        Figures figures = new Figures(
                engine + ", " + bodies + " bodies at " + HERTZ + " Hz",
                "nothing lost, nothing doubled, equal states on all nodes",
                result.leaderKills() == 0
                        ? "Cluster: the leader was not killed."
                        : "Cluster: the leader was killed " + result.leaderKills()
                                + " times; the next tick came within "
                                + Figures.number(result.gapMillis().max()) + " ms.",
                result.faults(),
                result);
        say(figures.text());
        if (json != null) {
            figures.write(json);
        }
        return result.faults().isEmpty() ? 0 : 1;
    }
}
