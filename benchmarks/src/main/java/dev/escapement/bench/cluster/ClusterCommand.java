package dev.escapement.bench.cluster;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.run.Engine;
import dev.escapement.bench.stress.trial.ChildProcess;
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
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    private static final int MOST_BODIES = 100_000;
    private static final int START_SECONDS = 20;
    private static final int SPARE_SECONDS = 120;
    private static final long DOWN_MILLIS = 2000;
    private static final long LOOK_MILLIS = 200;
    private static final int HERTZ = 100;
    private static final int MEMORY_MEGABYTES = 256;

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
            names = "--folder",
            paramLabel = "DIR",
            description =
                    "Where the nodes keep their logs, and go on from those; by default in a folder that is deleted.")
    private @Nullable Path folder;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file.")
    private @Nullable Path json;

    @Option(names = "--node", hidden = true, defaultValue = "-1", description = "Be one of the processes.")
    private int node;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--seconds", seconds, 1, MOST_SECONDS);
        check("--bodies", bodies, 1, MOST_BODIES);
        long killMillis = killMillis();
        Path logs = folder == null ? Files.createTempDirectory("escapement-cluster") : folder;
        try {
            node(Math.max(0, node), logs); // refuses what no node could be
            if (node >= 0) {
                return runNode(logs);
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

    private int runNode(Path logs) throws InterruptedException {
        try {
            new NodeProcess(node(node, logs), engine, bodies, seconds + SPARE_SECONDS, this::say).run();
            return 0;
        } catch (IllegalStateException | IllegalArgumentException | UncheckedIOException e) {
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
        RunDescription run =
                new RunDescription(engine.toString(), engine.version(), bodies + " bodies", 0, TickRate.hertz(HERTZ));
        return ClusterNode.of(number, Collections.nCopies(nodes, "localhost"), logs.resolve("node" + number), run);
    }

    private List<String> command(int number, Path logs) {
        // Nodes that all optimize at once, on the same cores, would be the load.
        List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xmx" + MEMORY_MEGABYTES + "m"));
        flags.addAll(List.of(AeronDriver.ADD_OPENS.split(" ")));
        return ChildProcess.java(
                flags,
                ClusterCommand.class,
                List.of(
                        "--node=" + number,
                        "--nodes=" + nodes,
                        "--seconds=" + seconds,
                        "--engine=" + engine,
                        "--bodies=" + bodies,
                        "--folder=" + logs));
    }

    private ClusterResult run(Path logs, long killMillis) throws IOException, InterruptedException {
        try (ClusterRun run = new ClusterRun(nodes, number -> command(number, logs), this::say)) {
            await(run);
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            long killNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(killMillis);
            while (System.nanoTime() - endNanos < 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                requireAll(run);
                int leader = run.leader();
                if (killMillis > 0 && leader >= 0 && System.nanoTime() - killNanos >= 0) {
                    say("Node " + leader + " leads, and is killed at tick " + run.ticks() + ".");
                    run.kill(leader);
                    TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
                    run.restart(leader);
                    killNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(killMillis);
                }
            }
            return run.end();
        }
    }

    private static void await(ClusterRun run) throws InterruptedException {
        long patienceNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (run.ticks() == 0) {
            requireAll(run);
            if (System.nanoTime() - patienceNanos > 0) {
                throw ended("no tick ran within " + START_SECONDS + " s");
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

    private int report(ClusterResult result) {
        say(String.format(
                Locale.ROOT,
                "%,d ticks of %s with %d bodies on %d nodes in %.1f s; the leader was killed %d times.",
                result.ticks(),
                engine,
                bodies,
                result.nodes(),
                result.seconds(),
                result.leaderKills()));
        say(String.format(
                Locale.ROOT,
                "Lost ticks %d, lost inputs %d, doubled inputs %d, ticks with unequal states %d.",
                result.lostTicks(),
                result.lostInputs(),
                result.doubledInputs(),
                result.unequalHashes()));
        if (result.leaderKills() > 0) {
            say(spread("From the last tick before a kill to the next, ms:", result.gapMillis()));
        }
        say(spread("Ticks began after their deadline, us:", result.latenessMicros()));
        say("Processor time of each node, % of a core: "
                + result.corePercentPerNode().stream()
                        .map(percent -> String.format(Locale.ROOT, "%.1f", percent))
                        .collect(Collectors.joining(", ")));
        if (json != null) {
            JsonFile.write(json, result);
        }
        return result.isWhole() ? 0 : 1;
    }

    private static String spread(String what, ClusterResult.Spread spread) {
        return String.format(
                Locale.ROOT,
                "%s p50 %.1f, p90 %.1f, p99 %.1f, most %.1f.",
                what,
                spread.p50(),
                spread.p90(),
                spread.p99(),
                spread.max());
    }
}
