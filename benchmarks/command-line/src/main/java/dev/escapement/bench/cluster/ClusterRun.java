package dev.escapement.bench.cluster;

import dev.escapement.state.internal.ThreadEnd;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Starts several nodes of a cluster, each in a process of its own, kills them on demand, and compares the states that they print.
 *
 * <p>Any thread may call any method; each process has a thread that reads its lines.
 */
final class ClusterRun implements AutoCloseable {

    private static final long END_SECONDS = 15;
    private static final long LINES_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final double NANOS_PER_MILLI = 1e6;

    /** The metrics of a run of a cluster. The components are named as the keys of the JSON file, which the README describes. */
    record Result(
            double seconds,
            int nodes,
            long ticks,
            int leaderKills,
            long lostTicks,
            long lostInputs,
            long doubledInputs,
            long unequalHashes,
            Spread gapMillis,
            Spread latenessMicros,
            List<Double> corePercentPerNode) {

        record Spread(double p50, double p90, double p99, double max) {

            static Spread of(Histogram nanos, double unitNanos) {
                return new Spread(
                        nanos.getValueAtPercentile(50) / unitNanos,
                        nanos.getValueAtPercentile(90) / unitNanos,
                        nanos.getValueAtPercentile(99) / unitNanos,
                        nanos.getMaxValue() / unitNanos);
            }
        }

        /**
         * Returns one sentence for each broken promise: lost ticks, lost inputs, inputs applied twice, states that differ between nodes.
         */
        List<String> faults() {
            return Stream.of(
                            lostTicks + " ticks were lost",
                            lostInputs + " inputs were lost that had been acknowledged",
                            doubledInputs + " inputs were applied twice",
                            unequalHashes + " ticks led to unequal states")
                    .filter(fault -> !fault.startsWith("0 "))
                    .toList();
        }
    }

    private static final class Node {
        final Process process;
        final Thread lines;
        boolean leads;
        boolean killed;
        /** When the node had caught up with the other nodes; 0 before. {@code evenProcessorNanos} is its processor time until then. */
        long evenNanos;

        long evenProcessorNanos;

        Node(Process process, Thread lines) {
            this.process = process;
            this.lines = lines;
        }

        long processorNanos() {
            return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        }

        double corePercent() {
            return evenNanos == 0
                    ? 0
                    : 100.0 * (processorNanos() - evenProcessorNanos) / (System.nanoTime() - evenNanos);
        }
    }

    private final IntFunction<List<String>> commands;
    private final Consumer<String> say;
    private final List<Node> nodes = new ArrayList<>();
    private final NavigableMap<Integer, Long> hashes = new TreeMap<>();
    private final Set<Integer> unequal = new HashSet<>();
    private final Map<Long, Long> acknowledged = new HashMap<>();
    private final Map<Long, Long> applied = new HashMap<>();
    private final Histogram lateness = new Histogram(3);
    private final Histogram gaps = new Histogram(3);
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos;
    private long gapNanos;
    private int kills;
    private long lost;
    private long doubled;

    ClusterRun(int count, IntFunction<List<String>> commands, Consumer<String> say) throws IOException {
        this.commands = commands;
        this.say = say;
        for (int number = 0; number < count; number++) {
            nodes.add(start(number));
        }
    }

    private Node start(int number) throws IOException {
        Process process = new ProcessBuilder(commands.apply(number))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread lines = new Thread(() -> read(number, process), "node-" + number);
        lines.setDaemon(true);
        lines.start();
        return new Node(process, lines);
    }

    private void read(int number, Process process) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(number, line.split(" "));
            }
        } catch (IOException killed) {
            // No fault: the process was killed while it printed a line.
        }
    }

    private synchronized void note(int number, String[] words) {
        switch (words[0]) {
            case "tick" -> tick(nodes.get(number), words);
            case "acknowledged" -> acknowledged.merge(Long.parseLong(words[1]), Long.parseLong(words[2]), Math::max);
            case "counted" -> {
                lost = Math.max(lost, Long.parseLong(words[1]));
                doubled = Math.max(doubled, Long.parseLong(words[2]));
            }
            case "applied" -> applied.merge(Long.parseLong(words[1]), Long.parseLong(words[2]), Math::max);
            default -> say.accept("Node " + number + ": " + String.join(" ", words));
        }
    }

    private void tick(Node node, String[] words) {
        int tick = Integer.parseInt(words[1]);
        long hash = Long.parseUnsignedLong(words[2], 16);
        long lateNanos = Long.parseLong(words[3]);
        long startedNanos = Long.parseLong(words[4]);
        Long known = hashes.put(tick, hash);
        if (known != null && known != hash) {
            unequal.add(tick);
        }
        node.leads = Boolean.parseBoolean(words[5]);
        if (node.evenNanos == 0 && lateNanos < NANOS_PER_MILLI) {
            node.evenNanos = System.nanoTime();
            node.evenProcessorNanos = node.processorNanos();
        }
        if (node.evenNanos == 0) {
            return;
        }
        lateness.recordValue(Math.max(0, lateNanos));
        gapNanos = Math.max(gapNanos, startedNanos - lastNanos);
        firstNanos = Math.min(firstNanos, startedNanos);
        lastNanos = Math.max(lastNanos, startedNanos);
    }

    /**
     * Returns the last tick that a node has printed. Throws if a node's process has ended although nobody killed it, usually because it
     * refused its options.
     */
    synchronized long ticks() {
        if (nodes.stream().anyMatch(node -> !node.process.isAlive() && !node.killed)) {
            throw ended("a node has ended by itself, see above");
        }
        return lastTick();
    }

    private long lastTick() {
        return hashes.isEmpty() ? 0 : hashes.lastKey();
    }

    static UncheckedIOException ended(String why) {
        return new UncheckedIOException(why, new IOException(why));
    }

    /** The number of the node that last printed that it leads; -1 if none does. */
    synchronized int leader() {
        int leader = nodes.size() - 1;
        while (leader >= 0
                && !(nodes.get(leader).leads && nodes.get(leader).process.isAlive())) {
            leader--;
        }
        return leader;
    }

    void kill(int number) {
        Node node;
        synchronized (this) {
            noteGap();
            node = nodes.get(number);
            kills += node.leads ? 1 : 0;
            node.leads = false;
            node.killed = true;
        }
        node.process.destroyForcibly().onExit().join(); // like kill -9: the node cannot close anything
        // Waits for the thread that reads the output, because the last lines of the killed process would mix with the
        // lines of the next one.
        ThreadEnd.await(node.lines, LINES_NANOS);
    }

    private void noteGap() {
        if (kills > 0) {
            gaps.recordValue(gapNanos);
        }
        gapNanos = 0;
    }

    synchronized void restart(int number) throws IOException {
        nodes.set(number, start(number));
    }

    Result end() throws IOException, InterruptedException {
        List<Node> last;
        List<Double> corePercent;
        synchronized (this) {
            noteGap();
            last = List.copyOf(nodes);
            corePercent = last.stream().map(Node::corePercent).toList();
        }
        for (Node node : last) {
            node.process.getOutputStream().close();
        }
        for (Node node : last) {
            if (!node.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                say.accept("Process " + node.process.pid() + " of a node does not end, and is killed.");
                node.process.destroyForcibly();
            }
            ThreadEnd.await(node.lines, LINES_NANOS);
        }
        return result(corePercent);
    }

    private synchronized Result result(List<Double> corePercent) {
        applied.forEach((process, number) -> {
            long known = acknowledged.getOrDefault(process, 0L);
            lost += Math.max(0, known - number);
        });
        return new Result(
                (lastNanos - firstNanos) / 1e9,
                nodes.size(),
                lastTick(),
                kills,
                lastTick() - hashes.size(),
                lost,
                doubled,
                unequal.size(),
                Result.Spread.of(gaps, NANOS_PER_MILLI),
                Result.Spread.of(lateness, 1e3),
                corePercent);
    }

    @Override
    public synchronized void close() {
        nodes.forEach(node -> node.process.destroyForcibly());
    }
}
