package example.fleet;

import com.sun.management.OperatingSystemMXBean;
import example.Launcher;
import example.PlayArguments;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A server with ten worlds, two relays that see it, and ten viewers of each relay: five processes. {@code FleetExample [seconds]} starts all on
 * this machine; with a role, one of them.
 */
public final class FleetExample {

    private static final int DEFAULT_SECONDS = 30;
    private static final long FRAME_NANOS = 16_000_000;
    private static final int WARM_UP_SECONDS = 15;
    private static final int RELAYS = 2;
    private static final int FIRST_PORT = 20_131;

    /** So much longer runs what others depend on. */
    private static final int LONGER_SECONDS = 3;

    private FleetExample() {}

    /** What a process does. */
    enum Role {
        ALL,
        SERVER,
        RELAY,
        VIEWERS
    }

    /** The arguments. */
    @Command(name = "FleetExample", sortOptions = false)
    static final class Arguments extends PlayArguments {

        @Option(names = "--role", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
        private Role role = Role.ALL;

        @Option(
                names = "--from",
                description = "The channel in which a relay or viewers see worlds. Default: ${DEFAULT-VALUE}.")
        private String from = "aeron:udp?control=localhost:" + FIRST_PORT;

        @Option(
                names = "--to",
                description = "The channel in which a server or a relay shows worlds. Default: ${DEFAULT-VALUE}.")
        private String to = "aeron:udp?control=localhost:" + FIRST_PORT;

        @Option(names = "--worlds", description = "How many worlds there are. Default: ${DEFAULT-VALUE}.")
        private int worlds = 10;

        @Option(
                names = "--bodies",
                description = "How many bodies each world of a server has. Default: ${DEFAULT-VALUE}.")
        private int bodies = 100;

        @Option(names = "--viewers", description = "How many viewers there are. Default: ${DEFAULT-VALUE}.")
        private int viewers = 10;

        Arguments() {
            super(DEFAULT_SECONDS);
        }

        @Override
        protected Optional<String> obstacle() {
            for (int number : new int[] {worlds, bodies, viewers}) {
                if (number < 1) {
                    return Optional.of("worlds, bodies and viewers are at least 1, but one of them is " + number);
                }
            }
            return super.obstacle();
        }
    }

    public static void main(String[] args) throws Exception {
        Launcher.launch(new Arguments(), args, FleetExample::run);
    }

    private static void run(Arguments arguments) throws IOException, InterruptedException {
        try {
            runRole(arguments);
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println(arguments.role + ": " + e.getMessage());
            System.exit(1);
        }
    }

    private static void runRole(Arguments arguments) throws IOException, InterruptedException {
        switch (arguments.role) {
            case ALL -> runAll(arguments);
            case SERVER -> serve(arguments);
            case RELAY -> see(arguments, "relay", arguments.worlds, arguments.to);
            case VIEWERS -> see(arguments, "viewers", arguments.viewers, null);
        }
    }

    private static void serve(Arguments arguments) {
        long startNanos = System.nanoTime();
        try (WorldServer server = new WorldServer(arguments.to, arguments.worlds, arguments.bodies)) {
            while (isBefore(startNanos, arguments.seconds()) && server.failure().isEmpty()) {
                LockSupport.parkNanos(FRAME_NANOS);
            }
            System.out.println("server: " + server.report(System.nanoTime() - startNanos));
            end(server.failure());
        }
    }

    private static void see(Arguments arguments, String who, int count, @Nullable String to) {
        long startNanos = System.nanoTime();
        int warmUpSeconds = Math.min(WARM_UP_SECONDS, arguments.seconds() / 2);
        try (Viewers viewers = new Viewers(arguments.from, arguments.worlds, count, to)) {
            boolean warm = false;
            while (isBefore(startNanos, arguments.seconds())
                    && viewers.failure().isEmpty()) {
                viewers.frame();
                if (!warm && !isBefore(startNanos, warmUpSeconds)) {
                    warm = true;
                    viewers.measure();
                }
                LockSupport.parkNanos(FRAME_NANOS);
            }
            System.out.println(who + " of " + arguments.from + ": " + viewers.report());
            end(viewers.failure());
            if (viewers.pictures() < count) {
                throw new IllegalStateException("not all worlds came from " + arguments.from);
            }
        }
    }

    private static boolean isBefore(long startNanos, int seconds) {
        return System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(seconds);
    }

    private static void end(Optional<Throwable> failure) {
        failure.ifPresent(cause -> {
            throw new IllegalStateException("ended early: " + cause, cause);
        });
    }

    static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static void runAll(Arguments arguments) throws IOException, InterruptedException {
        int seconds = arguments.seconds();
        List<Process> fleet = new ArrayList<>();
        try {
            fleet.add(start(arguments, Role.SERVER, arguments.from, arguments.to, seconds + 2 * LONGER_SECONDS));
            for (int relay = 1; relay <= RELAYS; relay++) {
                String to = "aeron:udp?control=localhost:" + (FIRST_PORT + relay);
                fleet.add(start(arguments, Role.RELAY, arguments.to, to, seconds + LONGER_SECONDS));
                fleet.add(start(arguments, Role.VIEWERS, to, arguments.to, seconds));
            }
            for (Process process : fleet) {
                if (process.waitFor() != 0) {
                    throw new IllegalStateException("a process of the fleet has failed, see above");
                }
            }
        } finally {
            fleet.forEach(Process::destroy);
        }
    }

    /** Starts a process that ends by itself. */
    private static Process start(Arguments arguments, Role role, String from, String to, int seconds)
            throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // five processes that optimize at once would be the load
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FleetExample.class.getName(),
                "--role=" + role,
                "--from=" + from,
                "--to=" + to,
                "--worlds=" + arguments.worlds,
                "--bodies=" + arguments.bodies,
                "--viewers=" + arguments.viewers,
                Integer.toString(seconds));
        return new ProcessBuilder(command).inheritIO().start();
    }
}
