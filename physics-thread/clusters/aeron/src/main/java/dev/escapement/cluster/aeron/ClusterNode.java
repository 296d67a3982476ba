package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Settings of one node of a cluster: its number, the hosts of all nodes, its folder, its run and its timing.
 *
 * <pre>{@code
 * List<String> hosts = List.of("physics-a", "physics-b", "physics-c");
 * RunDescription run = new RunDescription("our game", "1.4", "level 3", 42, TickRate.hertz(100));
 * ClusterNode node = ClusterNode.of(0, hosts, Path.of("physics-a"), run);
 * }</pre>
 *
 * @param number    the node's number, 0 for the first of the hosts
 * @param hosts     the machines of all nodes, in the same order on each; 1, 3 or 5
 * @param firstPort the first port of node 0; it uses {@value #PORTS} ports, node 1 the next {@value #PORTS}, and so on, on any machine
 * @param folder    the folder of the log, which no other node may use
 * @param run       the simulated run, the same on all nodes, because a node with another run is refused
 * @param leadNanos the nanoseconds before a tick's due time at which the tick's input ends
 * @param failover  the timeouts of elections, the same on all nodes
 */
public record ClusterNode(
        int number,
        List<String> hosts,
        int firstPort,
        Path folder,
        RunDescription run,
        long leadNanos,
        Failover failover) {

    /** The number of ports of each node. A node uses its first five ports for UDP and the sixth for TCP. */
    public static final int PORTS = 10;

    /** The first port of node 0 of a cluster that {@link #of} describes. */
    public static final int FIRST_PORT = 20300;

    /** The format version of messages between nodes and clients, of the log, and of saved states. */
    static final byte FORMAT_VERSION = 12;

    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(7);

    /**
     * Before a save, the input of all ticks ends that would end within a lead and this time from then. Aeron delivers no timers while it
     * saves, so otherwise the ticks that are due meanwhile would be late.
     */
    static final long CUT_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int LATE_TICKS = 16;
    private static final int MAX_WAITING_TICKS = 512;
    private static final int INGRESS = 0;
    private static final int CONSENSUS = 1;
    private static final int MEMBER_PORTS = 5;
    private static final int WORLD = 5;

    /**
     * Checks the settings.
     *
     * @param number    the node's number, 0 for the first of the hosts
     * @param hosts     the machines of all nodes, in the same order on each; 1, 3 or 5
     * @param firstPort the first port of node 0; it uses {@value #PORTS} ports, node 1 the next {@value #PORTS}, and so on, on any machine
     * @param folder    the folder of the log, which no other node may use
     * @param run       the simulated run, the same on all nodes, because a node with another run is refused
     * @param leadNanos the nanoseconds before a tick's due time at which the tick's input ends
     * @param failover  the timeouts of elections, the same on all nodes
     * @throws IllegalArgumentException if there are not 1, 3 or 5 hosts, if the number is none of theirs, if the ports are not within 1024
     *                                  and 65535, or if the lead is not positive or above a second
     */
    public ClusterNode {
        hosts = List.copyOf(hosts);
        Objects.requireNonNull(folder, "folder must not be null; say where the node keeps its log");
        Objects.requireNonNull(run, "run must not be null; say what is simulated, at which rate");
        Objects.requireNonNull(failover, "failover must not be null; pass Failover.DEFAULT");
        int nodes = hosts.size();
        if (nodes != 1 && nodes != 3 && nodes != 5) {
            throw new IllegalArgumentException("a cluster has 1, 3 or 5 nodes, but these are " + nodes + ": " + hosts
                    + "; with an even number no more may fail than with one less");
        }
        if (number < 0 || number >= nodes) {
            throw new IllegalArgumentException(
                    "the nodes have the numbers 0 to " + (nodes - 1) + ", but this is to be node " + number);
        }
        if (firstPort < 1024 || firstPort + PORTS * nodes > 65536) {
            throw new IllegalArgumentException("the ports of " + nodes + " nodes, " + PORTS + " each from " + firstPort
                    + " on, are to be within 1024 and 65535");
        }
        if (leadNanos < 1 || leadNanos > TimeUnit.SECONDS.toNanos(1)) {
            throw new IllegalArgumentException(
                    "the lead must be within 1 ns and 1 s, but is " + leadNanos + " ns; the default is 7 ms");
        }
        if (maxTicks(run, leadNanos) > MAX_WAITING_TICKS) {
            throw new IllegalArgumentException("a lead of " + leadNanos + " ns has too many ticks at " + run.rate()
                    + "; make one of them less, for example a lead of 7 ms");
        }
    }

    /**
     * {@return a node with a lead of 7 ms, and ports from {@value #FIRST_PORT} on}
     *
     * @param number the node's number, 0 for the first of the hosts
     * @param hosts  the machines of all nodes, in the same order on each; 1, 3 or 5
     * @param folder the folder of the log, which no other node may use
     * @param run    the simulated run
     * @throws IllegalArgumentException if there are not 1, 3 or 5 hosts, or if the number is none of theirs
     */
    public static ClusterNode of(int number, List<String> hosts, Path folder, RunDescription run) {
        return new ClusterNode(number, hosts, FIRST_PORT, folder, run, LEAD_NANOS, Failover.DEFAULT);
    }

    TickRate rate() {
        return run.rate();
    }

    /**
     * Returns the maximum number of ticks that may wait for the physics thread: the ticks of two leads and of {@link #CUT_AHEAD_NANOS}, and
     * {@value #LATE_TICKS} late ones.
     */
    int maxTicks() {
        return (int) maxTicks(run, leadNanos);
    }

    private static long maxTicks(RunDescription run, long leadNanos) {
        return run.rate().tickAt(2 * leadNanos + CUT_AHEAD_NANOS) + LATE_TICKS;
    }

    String sharedByAll(List<CommandName> handled) {
        return run.engine() + " " + run.engineVersion() + ", scene '" + run.scene() + "', seed " + run.seed() + ", "
                + rate() + ", lead " + leadNanos + " ns, nodes " + hosts.size() + ", " + failover + ", commands "
                + handled.stream().map(CommandName::toString).sorted().toList();
    }

    /** Returns the endpoints of all nodes, in Aeron's format. */
    String members() {
        return IntStream.range(0, hosts.size())
                .mapToObj(node -> node + ","
                        + IntStream.range(0, MEMBER_PORTS)
                                .mapToObj(port -> endpoint(node, port))
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining("|"));
    }

    /** Returns the endpoints that clients send to, in Aeron's format. */
    static String ingressEndpoints(List<String> hosts, int firstPort) {
        return IntStream.range(0, hosts.size())
                .mapToObj(node -> node + "=" + endpoint(hosts, firstPort, node, INGRESS))
                .collect(Collectors.joining(","));
    }

    /** Returns the endpoint where this node answers the others. */
    String consensusEndpoint() {
        return endpoint(number, CONSENSUS);
    }

    String consensusEndpointsOfOthers() {
        return IntStream.range(0, hosts.size())
                .filter(node -> node != number)
                .mapToObj(node -> endpoint(node, CONSENSUS))
                .collect(Collectors.joining(","));
    }

    String host() {
        return hosts.get(number);
    }

    /** Returns the endpoint where other nodes request the recordings of this one. */
    String archiveEndpoint() {
        return endpoint(number, MEMBER_PORTS - 1);
    }

    /** Returns the TCP address where a node tells other nodes the identity of its world. */
    InetSocketAddress worldAddress(int nodeNumber) {
        return new InetSocketAddress(hosts.get(nodeNumber), firstPort + PORTS * nodeNumber + WORLD);
    }

    /**
     * Throws if a port of this node is in use, because Aeron would retry for ever, and the node would never join the cluster.
     *
     * @throws IllegalStateException if a port is in use
     */
    void requirePorts() {
        int port = firstPort + PORTS * number;
        try {
            for (; port < firstPort + PORTS * number + MEMBER_PORTS; port++) {
                new DatagramSocket(new InetSocketAddress(host(), port)).close();
            }
            bindWorld().close();
        } catch (IOException e) {
            throw new IllegalStateException(
                    (port == worldAddress(number).getPort() ? "TCP" : "UDP") + " port " + port + " of " + host()
                            + ", which node " + number + " needs, cannot be had: " + e.getMessage(),
                    e);
        }
    }

    /** Binds the port where this node tells others its world. On Unix the JDK can bind it even soon after a killed process had it. */
    ServerSocket bindWorld() throws IOException {
        InetSocketAddress address = worldAddress(number);
        return new ServerSocket(address.getPort(), 0, address.getAddress());
    }

    private String endpoint(int nodeNumber, int port) {
        return endpoint(hosts, firstPort, nodeNumber, port);
    }

    private static String endpoint(List<String> hosts, int firstPort, int nodeNumber, int port) {
        return hosts.get(nodeNumber) + ":" + (firstPort + PORTS * nodeNumber + port);
    }
}
